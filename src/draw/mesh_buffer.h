// mesh_buffer.h - several meshes in one vertex and one index buffer, drawn instanced.
#pragma once

#include <vector>

#include "draw/gl_handles.h"
#include "draw/picture.h"
#include "draw/renderer.h"

namespace stiction {

class MeshBuffer {
  public:
    void set(const std::vector<Mesh>& meshes);  // for the vertex array that is bound
    void draw(int mesh, int instances, DrawCounts& counts) const;
    [[nodiscard]] int size() const { return static_cast<int>(ranges_.size()); }

  private:
    struct Range {
        GLint first_vertex;
        GLsizei indices;
        std::size_t offset;  // of its indices [bytes]
    };
    GlBuffer vertices_ = GlBuffer::make(), indices_ = GlBuffer::make();
    std::vector<Range> ranges_;
};

// Attribute `index` of the bound vertex array, one value per instance: `floats` numbers at `offset`
// in each `stride` bytes of the buffer bound to GL_ARRAY_BUFFER.
void instance_attribute(GLuint index, GLint floats, std::size_t stride, std::size_t offset);

}  // namespace stiction
