// body_batches.cpp - a counting sort by mesh for opaque bodies, one by distance for translucent
// ones.
#include "draw/body_batches.h"

#include <algorithm>

namespace stiction {

BodyBatches::BodyBatches() { set_meshes({}); }

void BodyBatches::set_meshes(const std::vector<Mesh>& meshes) {
    glBindVertexArray(array_.id());
    meshes_.set(meshes);
    glBindVertexArray(0);
}

void BodyBatches::sort(const Picture& picture) {
    const std::vector<Instance>& bodies = picture.bodies;
    const auto known = [&](const Instance& body) {
        return body.mesh >= 0 && body.mesh < meshes_.size();
    };
    next_.assign(static_cast<std::size_t>(meshes_.size()), 0);
    far_to_near_.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!known(bodies[i]) || bodies[i].colour.a <= 0) continue;
        if (bodies[i].colour.a >= 1) {
            ++next_[static_cast<std::size_t>(bodies[i].mesh)];
        } else {
            const Vec3f away = bodies[i].transform.col(3) - picture.view.eye;
            far_to_near_.emplace_back(away.squaredNorm(), static_cast<int>(i));
        }
    }
    opaque_.clear();
    int total = 0;
    for (std::size_t mesh = 0; mesh < next_.size(); ++mesh) {
        const int count = next_[mesh];
        if (count > 0) opaque_.push_back({static_cast<int>(mesh), total, count});
        next_[mesh] = total;
        total += count;
    }
    data_.resize(static_cast<std::size_t>(total));
    for (const Instance& body : bodies) {
        if (!known(body) || body.colour.a < 1) continue;
        data_[static_cast<std::size_t>(next_[static_cast<std::size_t>(body.mesh)]++)] = {
            body.transform, body.colour, body.two_tone};
    }
    // Equal distances keep their order, so that pictures of the same scene are equal.
    std::sort(far_to_near_.begin(), far_to_near_.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    translucent_.clear();
    for (const auto& [distance, i] : far_to_near_) {
        const Instance& body = bodies[static_cast<std::size_t>(i)];
        if (translucent_.empty() || translucent_.back().mesh != body.mesh) {
            translucent_.push_back({body.mesh, static_cast<int>(data_.size()), 0});
        }
        ++translucent_.back().count;
        data_.push_back({body.transform, body.colour, body.two_tone});
    }
}

void BodyBatches::fill(const Picture& picture) {
    sort(picture);
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
