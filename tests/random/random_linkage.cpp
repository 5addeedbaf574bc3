// random_linkage.cpp - bodies linked by joints of all kinds.
#include <algorithm>
#include <cmath>

#include "random/random_groups.h"

namespace stiction {

namespace {

bool has_coordinate(JointKind kind) {
    return kind == JointKind::kRevolute || kind == JointKind::kPrismatic;
}

JointKind random_kind(Draw& draw) {
    // Hinges twice: most things have them.
    return draw.pick({JointKind::kRevolute, JointKind::kRevolute, JointKind::kPrismatic,
                      JointKind::kSpherical, JointKind::kFixed, JointKind::kUniversal});
}

Motor random_motor(double torque, Draw& draw) {
    Motor motor;
    if (draw.chance(0.5)) {
        motor.kind = Motor::Kind::kVelocity;
        motor.target = draw.chance(0.3) ? 0.0 : draw.uniform(-5, 5);
    } else {
        motor.kind = Motor::Kind::kPosition;
        motor.target = draw.uniform(-1, 1);
        motor.kp = shortened(torque * draw.log_uniform(0.1, 1e4));
        motor.kd = draw.chance(0.5) ? shortened(0.05 * motor.kp) : 0.0;
    }
    if (draw.chance(0.7)) motor.max_force = shortened(torque * draw.log_uniform(0.1, 100));
    return motor;
}

// `torque`: what the weight of the child does at the length of a body; for a slide, its weight.
void draw_coordinate(double torque, Draw& draw, JointSketch& joint) {
    if (draw.chance(0.4)) {
        joint.limited = true;
        joint.lower = draw.uniform(-0.5, 0.05);  // the start may be past a limit
        joint.upper = joint.lower + draw.uniform(0, 1);
    }
    if (draw.chance(0.4)) joint.motor = random_motor(torque, draw);
    if (draw.chance(0.3)) joint.friction = shortened(torque * draw.log_uniform(0.01, 10));
    if (draw.chance(0.3)) joint.damping = shortened(torque * draw.log_uniform(0.01, 10));
}

Vec3 perpendicular_to(const Vec3& axis) {
    const Vec3 other = std::abs(axis.normalized().x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY();
    return axis.cross(other).normalized();
}

JointSketch random_joint(const Style& style, const BodySketch& child, Draw& draw) {
    JointSketch joint;
    joint.kind = random_kind(draw);
    joint.axis = draw.direction();
    joint.axis2 = perpendicular_to(joint.axis);
    joint.collide = draw.chance(0.15);
    const double weight = child.mass * std::max(style.gravity, 1.0);
    const double torque = joint.kind == JointKind::kPrismatic ? weight : weight * style.size;
    if (has_coordinate(joint.kind)) draw_coordinate(torque, draw, joint);
    return joint;
}

// A mimic needs a joint with a coordinate before it that mimics none itself.
void draw_mimic(std::size_t first, Draw& draw, std::vector<JointSketch>& joints) {
    JointSketch& last = joints.back();
    if (!has_coordinate(last.kind) || !last.reduced || !draw.chance(0.4)) return;
    for (std::size_t j = first; j + 1 < joints.size(); ++j) {
        const JointSketch& other = joints[j];
        if (!has_coordinate(other.kind) || !other.reduced || other.mimic != kNone) continue;
        last.mimic = static_cast<int>(j);
        last.multiplier = draw.pick({-1.0, 0.5, 2.0});
        return;
    }
}

ShapeSketch link_shape(double size, Draw& draw) {
    const double width = shortened(0.3 * size);
    switch (draw.integer(0, 3)) {
        case 0:
            return {ShapeKind::kSphere, Vec3::Constant(shortened(0.4 * size)), {}, {}};
        case 1:
            return {ShapeKind::kCapsule, {0.5 * width, 0.5 * width, shortened(0.6 * size)}, {}, {}};
        case 2:
            return {ShapeKind::kCylinder, {width, width, shortened(0.8 * size)}, {}, {}};
        default:
            return {ShapeKind::kBox, {width, width, shortened(0.8 * size)}, {}, {}};
    }
}

struct Linkage {
    int first = 0;          // body
    std::size_t joint = 0;  // first joint
    bool reduced = false;
    bool chain = false;  // each on the one before; otherwise on any
};

void add_link(const Style& style, const Linkage& linkage, Draw& draw, SceneSketch& sketch) {
    const int index = static_cast<int>(sketch.bodies.size());
    BodySketch body = styled_body(style, draw, sketch);
    body.twist = {};  // joints hold at the start
    body.shapes.push_back(link_shape(style.size, draw));
    JointSketch joint = random_joint(style, body, draw);
    joint.child = index;
    joint.parent = linkage.chain ? index - 1 : draw.integer(linkage.first, index - 1);
    Vec3 way = draw.direction();
    if (way.z() < 0) way.z() = -way.z() * draw.uniform(0, 0.5);  // rather up than into the ground
    const Vec3 from = sketch.bodies[at(joint.parent)].pose.p;
    body.pose.p = shortened(Vec3(from + style.size * way));
    if (draw.chance(0.6)) body.pose.q = draw.rotation();
    joint.anchor = shortened(Vec3(0.5 * (from + body.pose.p)));
    joint.reduced = linkage.reduced;
    if (joint.reduced && has_coordinate(joint.kind) && draw.chance(0.2))
        joint.armature = shortened(body.mass * style.size * style.size * draw.log_uniform(0.1, 10));
    sketch.bodies.push_back(body);
    sketch.joints.push_back(joint);
    draw_mimic(linkage.joint, draw, sketch.joints);
}

// One more joint between two bodies that are linked already: closes a loop, often redundantly.
void close_loop(const Style& style, const Linkage& linkage, Draw& draw, SceneSketch& sketch) {
    const int last = static_cast<int>(sketch.bodies.size()) - 1;
    if (last - linkage.first < 2) return;
    const BodySketch& child = sketch.bodies[at(last)];
    JointSketch joint = random_joint(style, child, draw);
    joint.child = last;
    joint.parent = linkage.first;
    joint.anchor = shortened(Vec3(0.5 * (child.pose.p + sketch.bodies[at(joint.parent)].pose.p)));
    sketch.joints.push_back(joint);
}

}  // namespace

void add_linkage(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch) {
    Linkage linkage;
    linkage.first = static_cast<int>(sketch.bodies.size());
    linkage.joint = sketch.joints.size();
    linkage.reduced = draw.chance(0.45);
    linkage.chain = draw.chance(0.5);
    BodySketch base = styled_body(style, draw, sketch);
    base.shapes.push_back(link_shape(style.size, draw));
    base.pose.p = place.origin + Vec3(0, 0, shortened(style.size * draw.uniform(0.3, 2)));
    base.twist = {};
    if (draw.chance(0.4)) {  // held by the world
        JointSketch joint = random_joint(style, base, draw);
        joint.child = linkage.first;
        joint.anchor = base.pose.p;
        joint.reduced = linkage.reduced;
        sketch.joints.push_back(joint);
    }
    sketch.bodies.push_back(base);
    for (int i = 1; i < place.bodies; ++i) add_link(style, linkage, draw, sketch);
    if (draw.chance(0.25)) close_loop(style, linkage, draw, sketch);
}

}  // namespace stiction
