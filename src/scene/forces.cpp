// forces.cpp - scripted `forces` on bodies and joints, and `motions` of kinematic bodies.
#include <array>
#include <limits>

#include "scene/builder.h"
#include "scene/repeat.h"

namespace stiction {
namespace {

TimeWindow read_window(const Node& node) {
    TimeWindow window;
    window.start = node.number("start", window.start, at_least_zero("s"));
    window.end = node.number("end", window.end, at_least_zero("s"));
    if (window.end <= window.start) node.at("end").fail("must be later than start");
    return window;
}

Wave read_wave(const Node& node) {
    Wave wave;
    wave.frequency = node.number("frequency", 0, at_least_zero("Hz"));
    wave.phase = node.number("phase", 0);
    if (node.has("phase") && wave.frequency == 0) {
        node.at("phase").fail("means nothing without a frequency > 0");
    }
    return wave;
}

double read_max_force(const Node& node) {
    return node.number("max_force", std::numeric_limits<double>::infinity(),
                       at_least_zero("N or N m"));
}

int read_body(const Node& node, const Builder& builder, BodyKind kind) {
    const int body = look_up(builder.bodies, node, node.reference(), "body");
    if (builder.scene.model.bodies[static_cast<std::size_t>(body)].kind != kind) {
        node.fail("'" + node.reference() + "' is not " +
                  (kind == BodyKind::kDynamic
                       ? "dynamic; expected a body that forces can move"
                       : "kinematic; expected a body whose motion is given"));
    }
    return body;
}

BodyForce read_body_force(const Node& node, const Builder& builder) {
    node.only(
        {"repeat", "body", "force", "torque", "at", "frame", "frequency", "phase", "start", "end"});
    if (!node.has("force") && !node.has("torque")) {
        node.fail("expected 'force', 'torque' or both, or 'target'");
    }
    BodyForce force;
    force.body = read_body(node.at("body"), builder, BodyKind::kDynamic);
    force.force = node.vector("force", Vec3::Zero());
    force.torque = node.vector("torque", Vec3::Zero());
    if (const auto at = node.find("at")) {
        force.point_B = at->vector() - builder.com[static_cast<std::size_t>(force.body)];
    }
    if (const auto frame = node.find("frame")) {
        constexpr std::array<std::string_view, 2> kFrames = {"world", "body"};
        force.in_body_frame = frame->choice(kFrames, "frame") == 1;
    }
    force.wave = read_wave(node);
    force.window = read_window(node);
    return force;
}

BodySpring read_body_spring(const Node& node, const Builder& builder) {
    node.only({"repeat", "body", "target", "kp", "kd", "max_force", "start", "end"});
    BodySpring spring;
    spring.body = read_body(node.at("body"), builder, BodyKind::kDynamic);
    spring.target = node.at("target").vector();
    spring.kp = node.at("kp").number(at_least_zero("N/m"));
    spring.kd = node.number("kd", 0, at_least_zero("N s/m"));
    spring.max_force = read_max_force(node);
    spring.window = read_window(node);
    return spring;
}

JointForce read_joint_force(const Node& node, const Builder& builder) {
    node.only({"repeat", "joint", "force", "target", "kp", "kd", "max_force", "friction", "damping",
               "frequency", "phase", "start", "end"});
    const bool friction = node.has("friction") || node.has("damping");
    if (node.has("force") + node.has("target") + friction != 1) {
        node.fail("expected exactly one of 'force', 'target' and 'friction' with 'damping'");
    }
    JointForce force;
    const Node name = node.at("joint");
    force.joint = look_up(builder.joints, name, name.reference(), "joint");
    const JointKind kind = builder.scene.model.joints[static_cast<std::size_t>(force.joint)].kind;
    if (kind != JointKind::kRevolute && kind != JointKind::kPrismatic) {
        name.fail("'" + name.reference() +
                  "' has no coordinate; expected a revolute or prismatic joint");
    }
    force.pd = node.has("target");
    if (force.pd) {
        force.target = node.at("target").number();
        force.kp = node.at("kp").number(at_least_zero("N/m or N m/rad"));
        force.kd = node.number("kd", 0, at_least_zero("N s/m or N m s/rad"));
        force.max_force = read_max_force(node);
    } else {
        force.force = node.number("force", 0);
        force.mu_c = node.number("friction", 0, at_least_zero("N or N m"));
        force.mu_v = node.number("damping", 0, at_least_zero("N s/m or N m s/rad"));
        for (const char* key : {"kp", "kd", "max_force"}) {
            if (const auto found = node.find(key)) found->fail("goes with 'target'");
        }
    }
    if (friction && node.has("frequency")) {
        node.at("frequency").fail("friction has none; expected 'force' or 'target'");
    }
    force.wave = read_wave(node);
    force.window = read_window(node);
    return force;
}

void add_force(const Node& node, Builder& builder) {
    node.only({"repeat", "body", "joint", "force", "torque", "at", "frame", "target", "kp", "kd",
               "max_force", "friction", "damping", "frequency", "phase", "start", "end"});
    Controls& controls = builder.scene.controls;
    if (node.has("body") == node.has("joint"))
        node.fail("expected exactly one of 'body' and 'joint'");
    if (node.has("joint")) {
        controls.joint_forces.push_back(read_joint_force(node, builder));
    } else if (node.has("target")) {
        controls.body_springs.push_back(read_body_spring(node, builder));
    } else {
        controls.body_forces.push_back(read_body_force(node, builder));
    }
    if (controls.body_forces.size() + controls.body_springs.size() + controls.joint_forces.size() >
        kMaxForces) {
        node.fail("more than " + std::to_string(kMaxForces) + " forces");
    }
}

void add_motion(const Node& node, Builder& builder) {
    node.only(
        {"repeat", "body", "velocity", "angular_velocity", "frequency", "phase", "start", "end"});
    KinematicMotion motion;
    motion.body = read_body(node.at("body"), builder, BodyKind::kKinematic);
    motion.velocity.v = node.vector("velocity", Vec3::Zero());
    motion.velocity.w = node.vector("angular_velocity", Vec3::Zero());
    motion.wave = read_wave(node);
    motion.window = read_window(node);
    builder.scene.controls.motions.push_back(motion);
    if (builder.scene.controls.motions.size() > kMaxForces) {
        node.fail("more than " + std::to_string(kMaxForces) + " motions");
    }
}

}  // namespace

void read_forces(const Node& root, Builder& builder) {
    for (const Node& entry : root.entries("forces", "forces"))
        for_each_copy(entry, false, 0, [&](const Copy& copy) { add_force(copy.entry, builder); });
}

void read_motions(const Node& root, Builder& builder) {
    for (const Node& entry : root.entries("motions", "motions"))
        for_each_copy(entry, false, 0, [&](const Copy& copy) { add_motion(copy.entry, builder); });
}

}  // namespace stiction
