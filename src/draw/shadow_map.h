// shadow_map.h - depth of the bodies seen from the light, in a square around what casts shadows.
#pragma once

#include "draw/gl_handles.h"
#include "draw/picture.h"

namespace stiction {

class ShadowMap {
  public:
    explicit ShadowMap(int size);  // pixels along one side

    // Places the square around a ball. The light's direction is fixed and the square moves by whole
    // pixels and grows by steps, so that edges of shadows do not swim.
    void place(const Vec3f& centre, float radius, const Vec3f& to_light);
    void begin() const;  // draw the casters with light_matrix() after this
    void bind(GLenum unit) const;

    [[nodiscard]] const Eigen::Matrix4f& light_matrix() const { return light_; }  // -> clip space
    [[nodiscard]] Eigen::Matrix4f lookup_matrix() const;                          // -> 0 .. 1
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] float pixel() const { return pixel_; }  // its side in the world [m]
    [[nodiscard]] float half() const { return pixel_ * static_cast<float>(size_) / 2; }

  private:
    int size_;
    float pixel_ = 0;
    Eigen::Matrix4f light_ = Eigen::Matrix4f::Identity();
    GlTexture depth_ = GlTexture::make();
    GlFramebuffer framebuffer_ = GlFramebuffer::make();
};

}  // namespace stiction
