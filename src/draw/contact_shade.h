// contact_shade.h - how much of the sky the bodies hide from the ground below and beside them: a
// small picture of the bodies seen from the ground, dark where they are near, blurred.
#pragma once

#include "draw/body_batches.h"
#include "draw/gl_handles.h"
#include "draw/picture.h"
#include "draw/shader_program.h"

namespace stiction {

class ContactShade {
  public:
    explicit ContactShade(int size);  // pixels along one side

    // Around the point of the ground below `centre`.
    void place(const Ground& ground, const Vec3f& centre, float half);
    void draw(const BodyBatches& bodies, DrawCounts& counts) const;  // blurred when it is done
    void bind(GLenum unit) const;

    // World -> x, y: 0 .. 1 in the picture, z: height over the ground [m].
    [[nodiscard]] const Eigen::Matrix4f& lookup_matrix() const { return lookup_; }

  private:
    void blur(const GlTexture& from, const GlFramebuffer& to, float x, float y) const;

    int size_;
    Eigen::Matrix4f lookup_ = Eigen::Matrix4f::Identity();
    ShaderProgram near_{"contact.vert", "contact.frag"}, blur_{"blur.vert", "blur.frag"};
    GlTexture shade_ = GlTexture::make(), half_blurred_ = GlTexture::make();
    GlRenderbuffer depth_ = GlRenderbuffer::make();
    GlFramebuffer shade_target_ = GlFramebuffer::make(), blur_target_ = GlFramebuffer::make();
    GlVertexArray no_vertices_ = GlVertexArray::make();
};

}  // namespace stiction
