// body_batches.h - the instances of a picture, ordered so that one call draws all of one mesh.
#pragma once

#include <tuple>
#include <vector>

#include "draw/mesh_buffer.h"

namespace stiction {

class BodyBatches {
  public:
    BodyBatches();
    void set_meshes(const std::vector<Mesh>& meshes);
    void fill(const Picture& picture);  // sorts and uploads; instances of no mesh are left out

    void draw_opaque(DrawCounts& counts) const;
    void draw_translucent(DrawCounts& counts) const;  // back to front

  private:
    struct Data {  // as in body.vert
        Eigen::Matrix<float, 3, 4> transform;
        Colour colour;
        float two_tone;
    };
    struct Batch {
        int mesh, first, count;
    };
    void sort(const Picture& picture);
    void draw(const std::vector<Batch>& batches, DrawCounts& counts) const;

    GlVertexArray array_ = GlVertexArray::make();
    MeshBuffer meshes_;
    StreamBuffer buffer_;
    std::vector<Data> data_;
    std::vector<Batch> opaque_, translucent_;
    std::vector<std::tuple<int, float, std::size_t>> order_;  // group, distance, instance
};

}  // namespace stiction
