// gaits.cpp - the `gaits` of a scene: which joints make the legs, and how they walk.
#include <array>
#include <cmath>

#include "scene/builder.h"

namespace stiction {
namespace {

// Of axes [-] and links [m] with those of the body: typed poses are rounded. The inverse kinematics
// hold for aligned legs only.
constexpr double kAligned = 1e-6;
constexpr std::size_t kLegs = 4;

int read_joint(const Node& node, const Builder& builder) {
    const int joint = look_up(builder.joints, node, node.reference(), "joint");
    const Joint& found = builder.scene.model.joints[at(joint)];
    if (found.kind != JointKind::kRevolute) {
        node.fail("'" + found.name + "' is not revolute; expected a hinge of a leg");
    }
    if (found.motor.kind != Motor::Kind::kPosition) {
        node.fail("'" + found.name + "' has no position motor, which a gait needs");
    }
    return joint;
}

// Frame of a joint's child in that of its parent, at coordinate 0.
Pose zero_pose(const Joint& joint) { return joint.frame_P * joint.frame_C.inverse(); }

// The joint's axis must point along `expected` in the frame of the body.
void check_axis(const Node& node, const Pose& to_body, const Joint& joint, const Vec3& expected,
                const char* name) {
    const Vec3 axis = (to_body * joint.frame_P).q * Vec3::UnitZ();
    if ((axis - expected).norm() > kAligned)
        node.fail("the axis of '" + joint.name + "' must be " + name + " of the body");
}

void check_joined(const Node& node, const Joint& joint, int parent) {
    if (joint.parent != parent)
        node.fail("'" + joint.name + "' does not hang on the link before it");
}

Leg read_leg(const Node& node, int body, const Builder& builder) {
    node.only({"roll", "pitch", "knee", "foot", "bends"});
    const std::vector<Joint>& joints = builder.scene.model.joints;
    Leg leg;
    leg.joint = {read_joint(node.at("roll"), builder), read_joint(node.at("pitch"), builder),
                 read_joint(node.at("knee"), builder)};
    const Joint& roll = joints[at(leg.joint[0])];
    const Joint& pitch = joints[at(leg.joint[1])];
    const Joint& knee = joints[at(leg.joint[2])];
    check_joined(node.at("roll"), roll, body);
    check_joined(node.at("pitch"), pitch, roll.child);
    check_joined(node.at("knee"), knee, pitch.child);
    const Pose hip_link = zero_pose(roll);
    const Pose thigh_link = hip_link * zero_pose(pitch);
    const Pose shank_link = thigh_link * zero_pose(knee);
    check_axis(node.at("roll"), {}, roll, Vec3::UnitX(), "x");
    check_axis(node.at("pitch"), hip_link, pitch, Vec3::UnitY(), "y");
    check_axis(node.at("knee"), thigh_link, knee, Vec3::UnitY(), "y");

    const Vec3 pitch_at = hip_link * pitch.frame_P.p;
    const Vec3 knee_at = thigh_link * knee.frame_P.p;
    const Vec3 foot_at = shank_link * Vec3(node.at("foot").vector() - builder.com[at(knee.child)]);
    const Vec3 thigh = knee_at - pitch_at;
    const Vec3 shank = foot_at - knee_at;
    for (const Vec3& link : {thigh, shank}) {
        if (link.head<2>().norm() > kAligned || link.z() >= 0)
            node.fail("thigh and shank must hang straight down where all joints are 0");
    }
    leg.hip = roll.frame_P.p;
    leg.to_pitch = pitch_at - leg.hip;
    leg.thigh = -thigh.z();
    leg.shank = -shank.z();
    if (const auto bends = node.find("bends")) {
        constexpr std::array<std::string_view, 2> kWays = {"back", "forward"};
        leg.knee_forward = bends->choice(kWays, "way a knee bends") == 1;
    }
    return leg;
}

void add_gait(const Node& node, Builder& builder) {
    node.only({"body", "type", "legs", "period", "stance", "lift", "height", "spread", "velocity",
               "turn", "start"});
    const Node body_node = node.at("body");
    const int body = look_up(builder.bodies, body_node, body_node.reference(), "body");
    Gait gait;
    if (const auto type = node.find("type"))
        gait.walk = static_cast<double>(type->choice(kGaitNames, "gait"));
    gait.period = node.number("period", gait.period, positive("s"));
    gait.stance = node.number("stance", gait.walk == 0 ? 0.6 : 0.8, between(0.05, 0.95));
    gait.lift = node.number("lift", gait.lift, at_least_zero("m"));
    gait.height = node.number("height", gait.height, positive("m"));
    gait.spread = node.number("spread", gait.spread);
    const Vec3 velocity = node.vector("velocity", Vec3::Zero());
    if (velocity.z() != 0) node.at("velocity").fail("expected [forward, left, 0]");
    gait.velocity = velocity.head<2>();
    gait.turn = node.number("turn", 0);
    gait.start = node.number("start", gait.start, at_least_zero("s"));
    const Node legs = node.at("legs");
    legs.expect_list("legs");
    if (legs.size() != kLegs)
        legs.fail("expected four legs: front left, front right, rear left, rear right");
    for (std::size_t i = 0; i < kLegs; ++i) gait.legs.push_back(read_leg(legs[i], body, builder));
    builder.scene.controls.gaits.push_back(std::move(gait));
}

}  // namespace

void read_gaits(const Node& root, Builder& builder) {
    for (const Node& entry : root.entries("gaits", "gaits")) add_gait(entry, builder);
}

}  // namespace stiction
