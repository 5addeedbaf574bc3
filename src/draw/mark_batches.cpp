// mark_batches.cpp - meshes of the marks, whose vertices the shaders stretch between the two points
// of each mark.
#include "draw/mark_batches.h"

#include <cmath>
#include <numbers>

#include "draw/shape_mesh.h"

namespace stiction {

namespace {

enum MarkKind : std::size_t { kLine, kArrow, kDot, kCone };

// position = (along the line 0 .. 1, side -1 .. 1, -).
Mesh line_quad() {
    Mesh mesh;
    mesh.positions = {{0, -1, 0}, {1, -1, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.normals.assign(4, Vec3f::UnitZ());
    mesh.triangles = {0, 1, 2, 0, 2, 3};
    return mesh;
}

// position = (cos, sin, place on the profile), normal = (radial, axial, -). Places, as in
// arrow.vert: 0 centre and 1 rim of the shaft's end, 2 where the shaft meets the head, 3 rim of the
// head, 4 tip.
Mesh arrow_profile() {
    constexpr int kSides = 14;  // arrows are thin: more would not be seen
    struct Point {
        float place, radial, axial;
    };
    constexpr Point kStrips[][2] = {{{0, 0, -1}, {1, 0, -1}},
                                    {{1, 1, 0}, {2, 1, 0}},
                                    {{2, 0, -1}, {3, 0, -1}},
                                    {{3, 0.92F, 0.39F}, {4, 0.92F, 0.39F}}};
    Mesh mesh;
    for (const auto& strip : kStrips) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (int i = 0; i <= kSides; ++i) {
            const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / kSides;
            for (const Point& point : strip) {
                mesh.positions.emplace_back(std::cos(angle), std::sin(angle), point.place);
                mesh.normals.emplace_back(point.radial, point.axial, 0.0F);
            }
        }
        for (std::uint32_t i = 0; i < kSides; ++i) {
            const std::uint32_t a = first + 2 * i;
            mesh.triangles.insert(mesh.triangles.end(), {a, a + 2, a + 3, a, a + 3, a + 1});
        }
    }
    return mesh;
}

// position = (cos, sin, 0 at the apex and 1 at the open end).
Mesh cone_profile() {
    constexpr std::uint32_t kSides = 48;  // the rim should look round, and pyramids have corners
    Mesh mesh;
    for (std::uint32_t i = 0; i <= kSides; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / kSides;
        for (const float end : {0.0F, 1.0F}) {
            mesh.positions.emplace_back(std::cos(angle), std::sin(angle), end);
            mesh.normals.push_back(Vec3f::UnitZ());
        }
        if (i == kSides) break;
        mesh.triangles.insert(mesh.triangles.end(),
                              {2 * i, 2 * i + 3, 2 * i + 1, 2 * i, 2 * i + 2, 2 * i + 3});
    }
    return mesh;
}

}  // namespace

MarkBatches::MarkBatches() {
    kinds_.push_back({ShaderProgram("line.vert", "line.frag"), false});
    kinds_.push_back({ShaderProgram("arrow.vert", "mark.frag"), false});
    kinds_.push_back({ShaderProgram("dot.vert", "mark.frag"), false});
    kinds_.push_back({ShaderProgram("cone.vert", "cone.frag"), true});
    glBindVertexArray(array_.id());
    meshes_.set({line_quad(), arrow_profile(), unit_sphere(Detail::kCoarse), cone_profile()});
    glBindVertexArray(0);
}

void MarkBatches::fill(const Picture& picture) {
    data_.clear();
    auto end_kind = [this, first = 0](MarkKind kind) mutable {
        kinds_[kind].first = first;
        kinds_[kind].count = static_cast<int>(data_.size()) - first;
        first = static_cast<int>(data_.size());
    };
    for (const Line& line : picture.lines) {
        data_.push_back({line.from, 0, line.to, 0, line.colour, Vec3f::Zero(), 0});
    }
    end_kind(kLine);
    for (const Arrow& arrow : picture.arrows) {
        data_.push_back({arrow.from, arrow.radius, arrow.to, 0, arrow.colour, Vec3f::Zero(), 0});
    }
    end_kind(kArrow);
    for (const Dot& dot : picture.dots) {
        data_.push_back({dot.at, dot.radius, dot.at, 0, dot.colour, Vec3f::Zero(), 0});
    }
    end_kind(kDot);
    for (const ConeMark& cone : picture.cones) {
        data_.push_back({cone.apex, cone.foot, cone.axis, cone.slope, cone.colour, cone.corner,
                         static_cast<float>(cone.sides)});
    }
    end_kind(kCone);
    buffer_.fill(GL_ARRAY_BUFFER, data_);
}

void MarkBatches::draw_pass(float strength, bool hidden, DrawCounts& counts) const {
    glDepthFunc(hidden ? GL_GREATER : GL_LEQUAL);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        const Kind& marks = kinds_[kind];
        if (marks.count == 0) continue;
        glDepthMask(hidden || marks.translucent ? GL_FALSE : GL_TRUE);
        (marks.translucent || kind == kLine ? glDisable : glEnable)(GL_CULL_FACE);
        marks.program.use();
        marks.program.set("strength", strength);
        const std::size_t at = static_cast<std::size_t>(marks.first) * sizeof(Data);
        for (GLuint part = 0; part < 4; ++part) {
            instance_attribute(2 + part, 4, sizeof(Data), at + part * 4 * sizeof(float));
        }
        meshes_.draw(static_cast<int>(kind), marks.count, counts);
    }
}

void MarkBatches::draw(DrawCounts& counts) const {
    constexpr float kDimmed = 0.35F;  // opacity of what a body hides: seen, but told apart
    if (data_.empty()) return;
    glBindVertexArray(array_.id());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.id());
    glEnable(GL_BLEND);
    draw_pass(kDimmed, true, counts);
    draw_pass(1, false, counts);
    glBindVertexArray(0);
}

}  // namespace stiction
