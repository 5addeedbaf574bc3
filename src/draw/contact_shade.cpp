// contact_shade.cpp - one pass over the bodies and two of a blur, all of them small.
#include "draw/contact_shade.h"

#include <array>

namespace stiction {

namespace {

void allocate(const GlTexture& texture, int size) {
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, size, size, 0, GL_RED, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    constexpr std::array<GLfloat, 4> kNone{0, 0, 0, 0};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, kNone.data());
}

void attach(const GlFramebuffer& framebuffer, const GlTexture& texture) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.id(), 0);
}

}  // namespace

ContactShade::ContactShade(int size) : size_(size) {
    allocate(shade_, size);
    allocate(half_blurred_, size);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_.id());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, size, size);
    attach(blur_target_, half_blurred_);
    attach(shade_target_, shade_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void ContactShade::place(const Ground& ground, const Vec3f& centre, float half) {
    const Vec3f origin = ground.transform.col(3);
    lookup_.setIdentity();
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3f direction = ground.transform.col(axis).normalized();
        const float scale = axis == 2 ? 1 : 0.5F / half;
        const float from = axis == 2 ? direction.dot(origin) : direction.dot(centre);
        lookup_.row(axis) << direction.x() * scale, direction.y() * scale, direction.z() * scale,
            (axis == 2 ? 0.0F : 0.5F) - from * scale;
    }
}

void ContactShade::draw(const BodyBatches& bodies, DrawCounts& counts) const {
    glBindFramebuffer(GL_FRAMEBUFFER, shade_target_.id());
    glViewport(0, 0, size_, size_);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_CLAMP);
    near_.use();
    bodies.draw_opaque(counts);
    glDisable(GL_DEPTH_CLAMP);

    glDisable(GL_DEPTH_TEST);
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(no_vertices_.id());
    blur_.use();
    const float pixel = 1 / static_cast<float>(size_);
    blur(shade_, blur_target_, pixel, 0);
    blur(half_blurred_, shade_target_, 0, pixel);
    counts.calls += 2;
    counts.triangles += 2;
    glBindVertexArray(0);
    glEnable(GL_DEPTH_TEST);
}

void ContactShade::blur(const GlTexture& from, const GlFramebuffer& to, float x, float y) const {
    glBindTexture(GL_TEXTURE_2D, from.id());
    glBindFramebuffer(GL_FRAMEBUFFER, to.id());
    blur_.set("pixel_step", x, y, 0, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ContactShade::bind(GLenum unit) const {
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, shade_.id());
}

}  // namespace stiction
