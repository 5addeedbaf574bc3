// body_batches.cpp - order of the instances, and runs of one mesh in it.
#include "draw/body_batches.h"

#include <algorithm>
#include <cmath>

namespace stiction {

BodyBatches::BodyBatches() { set_meshes({}); }

void BodyBatches::set_meshes(const std::vector<Mesh>& meshes) {
    glBindVertexArray(array_.id());
    meshes_.set(meshes);
    glBindVertexArray(0);
}

// Opaque ones first, mesh by mesh and near before far, so that what is hidden is not shaded;
// translucent ones far before near, with no regard to meshes. Equal distances keep the order of the
// picture, so that pictures of the same scene are equal.
void BodyBatches::sort(const Picture& picture) {
    const std::vector<Instance>& bodies = picture.bodies;
    order_.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Instance& body = bodies[i];
        const bool opaque = body.colour.a >= 1;
        if (body.mesh < 0 || body.mesh >= meshes_.size() || body.colour.a <= 0) continue;
        const float away = (body.transform.col(3) - picture.view.eye).squaredNorm();
        if (!std::isfinite(away)) continue;
        order_.push_back({opaque ? body.mesh : meshes_.size(), opaque ? away : -away, i});
    }
    std::sort(order_.begin(), order_.end());
}

void BodyBatches::fill(const Picture& picture) {
    sort(picture);
    data_.clear();
    opaque_.clear();
    translucent_.clear();
    for (const auto& [group, away, i] : order_) {
        const Instance& body = picture.bodies[i];
        std::vector<Batch>& batches = group < meshes_.size() ? opaque_ : translucent_;
        if (batches.empty() || batches.back().mesh != body.mesh) {
            batches.push_back({body.mesh, static_cast<int>(data_.size()), 0});
        }
        ++batches.back().count;
        data_.push_back({body.transform, body.colour, body.two_tone});
    }
    buffer_.fill(GL_ARRAY_BUFFER, data_);
}

void BodyBatches::draw(const std::vector<Batch>& batches, DrawCounts& counts) const {
    glBindVertexArray(array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
    for (const Batch& batch : batches) {
        // OpenGL 3.3 has no first instance: the attributes start where the batch does.
        std::size_t at = static_cast<std::size_t>(batch.first) * sizeof(Data);
        GLuint attribute = 2;
        for (const GLint floats : {3, 3, 3, 3, 4, 1}) {  // columns of the transform, colour, tone
            instance_attribute(attribute++, floats, sizeof(Data), at);
            at += static_cast<std::size_t>(floats) * sizeof(float);
        }
        meshes_.draw(batch.mesh, batch.count, counts);
    }
    glBindVertexArray(0);
}

void BodyBatches::draw_opaque(DrawCounts& counts) const { draw(opaque_, counts); }

void BodyBatches::draw_translucent(DrawCounts& counts) const { draw(translucent_, counts); }

}  // namespace stiction
