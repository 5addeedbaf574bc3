// mesh_buffer.cpp - attributes 0 and 1 are position and normal; instances use those after them.
#include "draw/mesh_buffer.h"

namespace stiction {

namespace {

// OpenGL takes places in a bound buffer as pointers.
const void* at_byte(std::size_t offset) {
    return reinterpret_cast<const void*>(offset);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

void MeshBuffer::set(const std::vector<Mesh>& meshes) {
    std::vector<Vec3f> vertices;  // position, normal, position, normal ...
    std::vector<std::uint32_t> indices;
    ranges_.clear();
    for (const Mesh& mesh : meshes) {
        ranges_.push_back({static_cast<GLint>(vertices.size() / 2),
                           static_cast<GLsizei>(mesh.triangles.size()),
                           indices.size() * sizeof(std::uint32_t)});
        for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
            vertices.push_back(mesh.positions[i]);
            vertices.push_back(mesh.normals[i]);
        }
        indices.insert(indices.end(), mesh.triangles.begin(), mesh.triangles.end());
    }
    glBindBuffer(GL_ARRAY_BUFFER, vertices_.id());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vec3f)),
                 vertices.data(), GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER,
                 static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)), indices.data(),
                 GL_STATIC_DRAW);
    for (GLuint attribute = 0; attribute < 2; ++attribute) {
        glEnableVertexAttribArray(attribute);
        glVertexAttribPointer(attribute, 3, GL_FLOAT, GL_FALSE, 2 * sizeof(Vec3f),
                              at_byte(attribute * sizeof(Vec3f)));
    }
}

void MeshBuffer::draw(int mesh, int instances, DrawCounts& counts) const {
    const Range& range = ranges_[static_cast<std::size_t>(mesh)];
    if (instances == 0 || range.indices == 0) return;
    glDrawElementsInstancedBaseVertex(GL_TRIANGLES, range.indices, GL_UNSIGNED_INT,
                                      at_byte(range.offset), instances, range.first_vertex);
    ++counts.calls;
    counts.instances += instances;
    counts.triangles += instances * (range.indices / 3);
}

void instance_attribute(GLuint index, GLint floats, std::size_t stride, std::size_t offset) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, floats, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          at_byte(offset));
    glVertexAttribDivisor(index, 1);
}

}  // namespace stiction
