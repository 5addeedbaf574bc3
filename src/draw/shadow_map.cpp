// shadow_map.cpp - orthographic, stable, compared by the sampler.
#include "draw/shadow_map.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace stiction {

ShadowMap::ShadowMap(int size) : size_(size) {
    glBindTexture(GL_TEXTURE_2D, depth_.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    // Outside the map nothing is in shadow.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    constexpr std::array<GLfloat, 4> kFarthest{1, 1, 1, 1};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, kFarthest.data());
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void ShadowMap::place(const Vec3f& centre, float radius, const Vec3f& to_light) {
    // The map grows and shrinks in steps: between them the edges of shadows keep their pixels.
    constexpr float kStep = 1.15F;
    const float least = std::isfinite(radius) ? std::max(radius, 1e-4F) : 1.0F;
    const float half = std::pow(kStep, std::ceil(std::log(least) / std::log(kStep)));
    pixel_ = 2 * half / static_cast<float>(size_);
    const Vec3f z = to_light.normalized();
    const Vec3f x =
        (std::abs(z.z()) < 0.99F ? Vec3f::UnitZ() : Vec3f::UnitX()).cross(z).normalized();
    const Vec3f y = z.cross(x);
    const auto snapped = [this](float value) { return pixel_ * std::round(value / pixel_); };
    light_.setIdentity();
    light_.row(0) << x.transpose() / half, -snapped(x.dot(centre)) / half;
    light_.row(1) << y.transpose() / half, -snapped(y.dot(centre)) / half;
    // Twice the radius in depth: the ground beside the ball is inside too.
    light_.row(2) << -z.transpose() / (2 * half), z.dot(centre) / (2 * half);
}

void ShadowMap::begin() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, size_, size_);
    glClear(GL_DEPTH_BUFFER_BIT);
}

void ShadowMap::bind(GLenum unit) const {
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, depth_.id());
}

Eigen::Matrix4f ShadowMap::lookup_matrix() const {
    Eigen::Matrix4f to_unit = Eigen::Matrix4f::Identity() * 0.5F;
    to_unit.col(3) << 0.5F, 0.5F, 0.5F, 1;
    return to_unit * light_;
}

}  // namespace stiction
