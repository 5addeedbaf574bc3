// renderer.cpp - the passes of a picture: shadow map and contact shade, bodies, sky, grounds,
// translucent bodies, marks.
#include "draw/renderer.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "draw/body_batches.h"
#include "draw/contact_shade.h"
#include "draw/mark_batches.h"
#include "draw/shader_program.h"
#include "draw/shadow_map.h"

namespace stiction {

namespace {

struct FrameBlock {  // std140, as in frame.glsl
    Eigen::Matrix4f view_projection, inverse_view_projection, light_matrix, shadow_lookup,
        contact_lookup;
    Eigen::Vector4f eye, to_light, shadow_pixel, contact, sky_top, sky_bottom, viewport;
};

float to_linear(float screen) { return std::pow(std::max(screen, 0.0F), 2.2F); }

Eigen::Vector4f to_linear(const Colour& c) {
    return {to_linear(c.r), to_linear(c.g), to_linear(c.b), c.a};
}

Eigen::Vector4f with_fourth(const Vec3f& v, float w) { return {v.x(), v.y(), v.z(), w}; }

Eigen::Matrix4f look_at(const Viewpoint& view) {
    const Vec3f z = (view.eye - view.target).normalized();
    Vec3f x = view.up.cross(z);
    if (x.squaredNorm() < 1e-8F) x = Vec3f::UnitX().cross(z) + 1e-3F * Vec3f::UnitY();
    x.normalize();
    const Vec3f y = z.cross(x);
    Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
    m.row(0) << x.transpose(), -x.dot(view.eye);
    m.row(1) << y.transpose(), -y.dot(view.eye);
    m.row(2) << z.transpose(), -z.dot(view.eye);
    return m;
}

Eigen::Matrix4f perspective(const Viewpoint& view, float aspect) {
    const float f = 1 / std::tan(view.field_of_view / 2);
    Eigen::Matrix4f m = Eigen::Matrix4f::Zero();
    m(0, 0) = f / aspect;
    m(1, 1) = f;
    m(2, 2) = (view.far + view.near) / (view.near - view.far);
    m(2, 3) = 2 * view.far * view.near / (view.near - view.far);
    m(3, 2) = -1;
    return m;
}

bool is_software() {
    const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string_view renderer = text == nullptr ? "" : text;
    return renderer.find("llvmpipe") != std::string_view::npos ||
           renderer.find("softpipe") != std::string_view::npos ||
           renderer.find("SwiftShader") != std::string_view::npos;
}

bool is_above(const Vec3f& eye, const Ground& ground) {
    return ground.transform.col(2).dot(eye - ground.transform.col(3)) >= 0;
}

}  // namespace

struct Renderer::Impl {
    void fill_frame(const Picture& picture, int width, int height);
    void draw_shadows();
    bool draw_contact_shade(const Picture& picture);
    void draw_bodies(const Picture& picture);
    void draw_sky();
    void draw_grounds(const Picture& picture, bool from_above);
    void draw_translucent(const Picture& picture);

    ShaderProgram body{"body.vert", "body.frag"};
    ShaderProgram shadow{"shadow.vert", "shadow.frag"};
    ShaderProgram sky{"sky.vert", "sky.frag"};
    ShaderProgram ground{"ground.vert", "ground.frag"};
    bool software = is_software();  // pays with time for every pixel and vertex
    ShadowMap shadow_map{software ? 1024 : 2048};
    ContactShade contact_shade{shadow_map.size() / 8};
    BodyBatches bodies;
    MarkBatches marks;
    GlBuffer frame = GlBuffer::make();
    GlVertexArray no_vertices = GlVertexArray::make();  // of shaders that make their own
    bool shaded = false;                                // contact_shade holds this picture's
    DrawCounts counts;
};

Renderer::Renderer() : impl_(std::make_unique<Impl>()) {}

Renderer::~Renderer() = default;

void Renderer::set_meshes(const std::vector<Mesh>& meshes) { impl_->bodies.set_meshes(meshes); }

const DrawCounts& Renderer::counts() const { return impl_->counts; }

void Renderer::Impl::fill_frame(const Picture& picture, int width, int height) {
    const Vec3f to_light = Vec3f(-0.42F, -0.50F, 0.95F).normalized();
    shadow_map.place(picture.centre, picture.radius, to_light);
    const float half = shadow_map.half();
    if (!picture.grounds.empty()) contact_shade.place(picture.grounds[0], picture.centre, half);
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    FrameBlock block;
    block.view_projection = perspective(picture.view, w / h) * look_at(picture.view);
    block.inverse_view_projection = block.view_projection.inverse();
    block.light_matrix = shadow_map.light_matrix();
    block.shadow_lookup = shadow_map.lookup_matrix();
    block.eye = with_fourth(picture.view.eye, 1);
    block.to_light = with_fourth(to_light, picture.shadows ? 1.0F : 0.0F);
    block.shadow_pixel << 1 / static_cast<float>(shadow_map.size()), shadow_map.pixel(), 0, 0;
    block.contact_lookup = contact_shade.lookup_matrix();
    block.contact << 0.06F * half, 4 * half, 0, picture.grounds.empty() ? 0.0F : 1.0F;
    block.sky_top = to_linear(picture.sky_top);
    block.sky_bottom = to_linear(picture.sky_bottom);
    block.viewport << w, h, std::max(1.5F, h / 500), 0;
    glBindBuffer(GL_UNIFORM_BUFFER, frame.id());
    glBufferData(GL_UNIFORM_BUFFER, sizeof(block), &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, kFrameBinding, frame.id());
}

void Renderer::Impl::draw_shadows() {
    shadow_map.begin();
    glEnable(GL_DEPTH_CLAMP);  // what is nearer to the light than the map casts its shadow too
    glDisable(GL_CULL_FACE);
    shadow.use();
    bodies.draw_opaque(counts);
    glDisable(GL_DEPTH_CLAMP);
}

// What a software rasteriser has no time for with very many bodies is hardly seen there either.
bool Renderer::Impl::draw_contact_shade(const Picture& picture) {
    constexpr std::size_t kManyBodies = 400;
    if (!picture.shadows || picture.grounds.empty()) return false;
    if (software && picture.bodies.size() > kManyBodies) return false;
    contact_shade.draw(bodies, counts);
    return true;
}

void Renderer::Impl::draw_bodies(const Picture& picture) {
    (picture.wireframe ? glDisable : glEnable)(GL_CULL_FACE);
    glPolygonMode(GL_FRONT_AND_BACK, picture.wireframe ? GL_LINE : GL_FILL);
    body.use();
    bodies.draw_opaque(counts);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void Renderer::Impl::draw_sky() {
    glDisable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    sky.use();
    glBindVertexArray(no_vertices.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    ++counts.calls;
    ++counts.triangles;
    glDepthMask(GL_TRUE);
}

// Seen from below a ground is only a hint, and hides nothing.
void Renderer::Impl::draw_grounds(const Picture& picture, bool from_above) {
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glDepthMask(from_above ? GL_TRUE : GL_FALSE);
    ground.use();
    glBindVertexArray(no_vertices.id());
    const Viewpoint& view = picture.view;
    const float around = picture.radius + (view.eye - picture.centre).norm();
    const float reach = std::min(0.98F * view.far, 14 * around);
    for (const Ground& plane : picture.grounds) {
        if (is_above(view.eye, plane) != from_above) continue;
        const Eigen::Matrix<float, 3, 4>& frame_of = plane.transform;
        const Vec3f below = frame_of.leftCols<3>().transpose() * (view.eye - frame_of.col(3));
        const Eigen::Vector4f colour = to_linear(plane.colour);
        ground.set_rows("frame", frame_of.data());
        ground.set("square", below.x(), below.y(), reach, 0);
        ground.set("ground", colour.x(), colour.y(), colour.z(),
                   (from_above ? 1.0F : 0.3F) * plane.colour.a);
        ground.set("shaded", shaded && &plane == picture.grounds.data() ? 1.0F : 0.0F);
        ground.set("contact_shade", 1);
        ground.set("cell", picture.grid ? plane.cell : 0.0F);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        ++counts.calls;
        counts.triangles += 2;
    }
    glDepthMask(GL_TRUE);
}

void Renderer::Impl::draw_translucent(const Picture& picture) {
    glEnable(GL_BLEND);
    glEnable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    glPolygonMode(GL_FRONT_AND_BACK, picture.wireframe ? GL_LINE : GL_FILL);
    body.use();
    bodies.draw_translucent(counts);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDepthMask(GL_TRUE);
}

void Renderer::draw(const Picture& picture, int width, int height, unsigned framebuffer) {
    if (width <= 0 || height <= 0) return;
    Impl& m = *impl_;
    m.counts = {};
    m.fill_frame(picture, width, height);
    m.bodies.fill(picture);
    m.marks.fill(picture);

    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_MULTISAMPLE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glCullFace(GL_BACK);
    glFrontFace(GL_CCW);
    glBlendEquation(GL_FUNC_ADD);
    // The alpha of the picture itself stays 1: a window may be composed with what is behind it.
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);

    if (picture.shadows) m.draw_shadows();
    m.shaded = m.draw_contact_shade(picture);
    m.contact_shade.bind(GL_TEXTURE1);
    m.shadow_map.bind(GL_TEXTURE0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glClear(GL_DEPTH_BUFFER_BIT);
    m.draw_bodies(picture);
    m.draw_sky();
    m.draw_grounds(picture, true);
    m.draw_translucent(picture);
    m.draw_grounds(picture, false);
    m.marks.draw(m.counts);

    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glBindVertexArray(0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glUseProgram(0);
}

}  // namespace stiction
