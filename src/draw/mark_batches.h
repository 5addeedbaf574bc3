// mark_batches.h - arrows, dots, lines and cones of a picture: one call per kind and pass.
#pragma once

#include <vector>

#include "draw/mesh_buffer.h"
#include "draw/shader_program.h"

namespace stiction {

class MarkBatches {
  public:
    MarkBatches();
    void fill(const Picture& picture);
    // Where bodies hide them, dimmed, and then where they do not.
    void draw(DrawCounts& counts) const;

  private:
    struct Data {  // as in the shaders of marks
        Vec3f a;
        float size;
        Vec3f b;
        float slope;
        Colour colour;
        Vec3f corner = Vec3f::Zero();  // cones alone
        float sides = 0;
    };
    struct Kind {
        ShaderProgram program;
        bool translucent;  // both sides are seen, and it hides nothing
        int first = 0, count = 0;
    };
    void draw_pass(float strength, bool hidden, DrawCounts& counts) const;

    std::vector<Kind> kinds_;  // lines, arrows, dots, cones
    GlVertexArray array_ = GlVertexArray::make();
    MeshBuffer meshes_;  // one of each kind
    StreamBuffer buffer_;
    std::vector<Data> data_;
};

}  // namespace stiction
