// joint_marks.cpp - axes at the joint, arcs and bars of limits.
#include "view/joint_marks.h"

#include <array>
#include <cmath>

#include "view/palette.h"

namespace stiction {

namespace {

constexpr int kArcParts = 24;  // of the range: at most 15 degrees each, which look round

Pose parent_frame(const Joint& joint, const State& state) {
    const Pose parent = joint.parent == kNone ? Pose{} : state.pose[at(joint.parent)];
    return parent * joint.frame_P;
}

void add_axes(const Pose& frame, double size, Picture& picture) {
    const std::array<Colour, 3>& colours = palette::kAxes;
    const Mat3 R = frame.R();
    for (int k = 0; k < 3; ++k) {
        const double length = k == 2 ? 1.5 * size : size;
        const Vec3 end = frame.p + length * R.col(k);
        picture.arrows.push_back({frame.p.cast<float>(), end.cast<float>(),
                                  static_cast<float>(0.03 * size), colours[at(k)]});
    }
}

void add_line(const Vec3& from, const Vec3& to, Picture& picture) {
    picture.lines.push_back({from.cast<float>(), to.cast<float>(), palette::kLimit});
}

// From the centre to both ends and along the arc, about z from the parent's x.
void add_arc(const Pose& frame, double lower, double upper, double radius, Picture& picture) {
    const auto point = [&](double angle) {
        return frame * Vec3(radius * std::cos(angle), radius * std::sin(angle), 0);
    };
    add_line(frame.p, point(lower), picture);
    for (int i = 0; i < kArcParts; ++i) {
        const double a = lower + (upper - lower) * i / kArcParts;
        const double b = lower + (upper - lower) * (i + 1) / kArcParts;
        add_line(point(a), point(b), picture);
    }
    add_line(point(upper), frame.p, picture);
}

void add_bar(const Pose& frame, double lower, double upper, double size, Picture& picture) {
    add_line(frame * Vec3(0, 0, lower), frame * Vec3(0, 0, upper), picture);
    for (const double z : {lower, upper})
        add_line(frame * Vec3(-0.3 * size, 0, z), frame * Vec3(0.3 * size, 0, z), picture);
}

// A short bar through a hinge, a long one along a slide; a dot where it turns every way.
void add_pivot(const Joint& joint, const Pose& frame, double size, Picture& picture) {
    const auto radius = static_cast<float>(0.06 * size);
    const Vec3f middle = frame.p.cast<float>();
    picture.dots.push_back({middle, 1.3F * radius, palette::kPivot});
    if (joint.kind != JointKind::kRevolute && joint.kind != JointKind::kPrismatic) return;
    const double reach = joint.kind == JointKind::kPrismatic ? 1.5 : 0.45;
    const Vec3f axis = (reach * size * frame.R().col(2)).cast<float>();
    picture.lines.push_back({middle - axis, middle + axis, palette::kPivot});
}

// A foot below what is fixed to the world, as in drawings of statics.
void add_base(const Vec3& point, double size, Picture& picture) {
    ConeMark foot;
    foot.apex = point.cast<float>();
    foot.axis = Vec3f(0, 0, static_cast<float>(-0.3 * size));
    foot.slope = 0.7F;
    foot.sides = 4;
    foot.corner = Vec3f(1, 1, 0).normalized();
    foot.colour = palette::with_alpha(palette::kPivot, 0.6F);
    picture.cones.push_back(foot);
}

}  // namespace

void add_pivots(const Model& model, const State& state, double size, Picture& picture) {
    for (const Joint& joint : model.joints) {
        const Pose frame = state.pose[at(joint.child)] * joint.frame_C;
        const bool fixed =
            joint.parent == kNone || model.bodies[at(joint.parent)].kind == BodyKind::kStatic;
        if (fixed && joint.kind != JointKind::kPrismatic) add_base(frame.p, size, picture);
        if (joint.kind != JointKind::kFixed) add_pivot(joint, frame, size, picture);
    }
}

void add_joint_marks(const Model& model, const Snapshot& snapshot, double size, Picture& picture) {
    for (const Joint& joint : model.joints) {
        const Pose child = snapshot.state.pose[at(joint.child)];
        add_axes(child * joint.frame_C, size, picture);
        if (!joint.limited) continue;
        const Pose frame = parent_frame(joint, snapshot.state);
        if (joint.kind == JointKind::kRevolute)
            add_arc(frame, joint.lower, joint.upper, 1.2 * size, picture);
        if (joint.kind == JointKind::kPrismatic)
            add_bar(frame, joint.lower, joint.upper, size, picture);
    }
}

}  // namespace stiction
