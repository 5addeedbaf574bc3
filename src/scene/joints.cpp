// joints.cpp - the `joints` of a scene. Anchors and axes are written in the world at the initial
// pose; the model wants the same frame seen from both bodies.
#include <array>
#include <cmath>

#include "scene/builder.h"
#include "scene/pose.h"
#include "scene/repeat.h"

namespace stiction {
namespace {

constexpr std::array<std::string_view, 5> kJointNames = {"fixed", "revolute", "prismatic",
                                                         "spherical", "universal"};
constexpr double kMimicSlack = 1e-9;     // [rad or m]: a start may miss by rounding
constexpr double kPerpendicular = 1e-6;  // cosine of typed axes; what is left of it is taken out

bool has_coordinate(JointKind kind) {
    return kind == JointKind::kRevolute || kind == JointKind::kPrismatic;
}

void check_keys_of_kind(const Node& node, JointKind kind) {
    const std::string which(kJointNames[static_cast<std::size_t>(kind)]);
    const auto refuse = [&](const char* key, const char* expected) {
        if (const auto found = node.find(key)) {
            found->fail("a " + which + " joint has none; expected " + expected);
        }
    };
    if (!has_coordinate(kind)) {
        for (const char* key : {"limits", "motor", "friction", "damping", "start", "mimic"}) {
            refuse(key, "a revolute or prismatic joint");
        }
    }
    if (kind == JointKind::kFixed || kind == JointKind::kSpherical) {
        refuse("axis", "a revolute, prismatic or universal joint");
    }
    if (kind != JointKind::kUniversal) refuse("axis2", "a universal joint");
}

int read_parent(const Node& node, const Builder& builder) {
    const auto parent = node.find("parent");
    if (!parent || parent->text() == "world") return kNone;
    return look_up(builder.bodies, *parent, parent->reference(), "body");
}

// Origin of the joint frame in the world: written there, or in one of the bodies; the child's
// origin otherwise.
Vec3 read_anchor(const Node& node, const Joint& joint, const Builder& builder) {
    const auto from_body = [&](int body, const Vec3& x) -> Vec3 {
        if (body == kNone) return x;
        const auto b = at(body);
        return builder.scene.state.pose[b] * Vec3(x - builder.com[b]);
    };
    if (node.has("anchor") + node.has("anchor_child") + node.has("anchor_parent") > 1) {
        node.fail("expected at most one of anchor, anchor_child, anchor_parent");
    }
    if (const auto anchor = node.find("anchor")) return anchor->vector();
    if (const auto anchor = node.find("anchor_parent")) {
        return from_body(joint.parent, anchor->vector());
    }
    return from_body(joint.child, node.vector("anchor_child", Vec3::Zero()));
}

Quat read_axes(const Node& node, JointKind kind) {
    if (kind == JointKind::kFixed || kind == JointKind::kSpherical) return Quat::Identity();
    const Vec3 z = node.at("axis").direction();
    if (kind != JointKind::kUniversal) return z_to(z);
    Vec3 x = node.at("axis2").direction();
    if (std::abs(x.dot(z)) > kPerpendicular) {
        node.at("axis2").fail("must be perpendicular to axis");
    }
    x = (x - x.dot(z) * z).normalized();
    Mat3 R;
    R << x, z.cross(x), z;
    return Quat(R);
}

void read_limits(const Node& node, Joint& joint) {
    const auto limits = node.find("limits");
    if (!limits) return;
    if (!limits->is_list() || limits->size() != 2) limits->fail("expected [lower, upper]");
    joint.limited = true;
    joint.lower = (*limits)[0].number();
    joint.upper = (*limits)[1].number();
    if (joint.lower > joint.upper) limits->fail("lower limit above upper; expected [lower, upper]");
}

// Frames so that the coordinate is `start` in the initial pose.
void set_frames(const Node& node, const Builder& builder, Joint& joint) {
    const std::vector<Pose>& pose = builder.scene.state.pose;
    const Pose frame_W{read_anchor(node, joint, builder), read_axes(node, joint.kind)};
    const double start = node.number("start", 0);
    Pose back;
    if (joint.kind == JointKind::kPrismatic) back.p = Vec3(0, 0, -start);
    if (joint.kind == JointKind::kRevolute) {
        back.q = Quat(Eigen::AngleAxisd(-start, Vec3::UnitZ()));
    }
    joint.frame_C = pose[at(joint.child)].inverse() * frame_W;
    joint.frame_P = frame_W * back;
    if (joint.parent != kNone) {
        joint.frame_P = pose[at(joint.parent)].inverse() * joint.frame_P;
    }
    set_axis(joint);  // mimics that follow ask for its coordinate
}

void check_ends(const Node& node, const Joint& joint, const Model& model) {
    if (joint.child == joint.parent) node.fail("child and parent are the same body");
    const auto moves = [&](int body) {
        return body != kNone && model.bodies[at(body)].kind == BodyKind::kDynamic;
    };
    if (!moves(joint.child) && !moves(joint.parent)) {
        node.fail("neither end can move; expected at least one dynamic body");
    }
}

// Both joints become unknowns: the row that couples them is one on coordinates.
void read_mimic(const Node& node, Builder& builder, Joint& joint) {
    const auto found = node.find("mimic");
    if (!found) return;
    found->only({"joint", "multiplier", "offset"});
    const Node name = found->at("joint");
    Mimic mimic;
    mimic.joint = look_up(builder.joints, name, name.reference(), "joint");
    Model& model = builder.scene.model;
    if (at(mimic.joint) == model.joints.size())  // its name is known already
        name.fail("'" + joint.name + "' cannot mimic itself; expected a joint listed before");
    mimic.multiplier = found->number("multiplier", mimic.multiplier);
    mimic.offset = found->number("offset", mimic.offset);
    Joint& other = model.joints[at(mimic.joint)];
    if (!has_coordinate(other.kind) || other.mimic) {
        name.fail("'" + other.name +
                  "' cannot be mimicked; expected a revolute or prismatic joint without mimic");
    }
    joint.mimic = mimic;
    joint.reduced = other.reduced = true;
    if (std::abs(mimic_error(model, builder.scene.state, joint)) > kMimicSlack) {
        found->fail(
            "the joint does not start where it should; expected a 'start' that is "
            "multiplier * that of '" +
            other.name + "' + offset");
    }
}

void add_joint(const Copy& copy, Builder& builder) {
    copy.entry.only({"name", "repeat", "type", "parent", "child", "anchor", "anchor_child",
                     "anchor_parent", "axis", "axis2", "limits", "motor", "friction", "damping",
                     "start", "collide", "coordinates", "armature", "mimic"});
    Model& model = builder.scene.model;
    const int index = static_cast<int>(model.joints.size());
    if (model.joints.size() >= kMaxJoints) {
        copy.entry.fail("more than " + std::to_string(kMaxJoints) + " joints");
    }
    Joint joint;
    joint.name = copy_name(copy);
    if (joint.name.empty()) joint.name = "joint_" + std::to_string(index);
    const Node node = copy.entry.named(joint.name);
    enter(builder.joints, node.has("name") ? node.at("name") : node, joint.name, index, "joint");

    joint.kind = static_cast<JointKind>(node.at("type").choice(kJointNames, "type of joint"));
    check_keys_of_kind(node, joint.kind);
    joint.child = look_up(builder.bodies, node.at("child"), node.at("child").reference(), "body");
    joint.parent = read_parent(node, builder);
    check_ends(node, joint, model);
    set_frames(node, builder, joint);
    read_limits(node, joint);
    if (const auto motor = node.find("motor"))
        joint.motor = read_motor(*motor, joint.motor.max_force);
    joint.friction = node.number("friction", 0, at_least_zero("N or N m"));
    joint.damping = node.number("damping", 0, at_least_zero("N s/m or N m s/rad"));
    if (const auto collide = node.find("collide")) joint.collide = collide->boolean();
    joint.reduced = read_reduced(node, builder.reduced);
    joint.armature = node.number("armature", 0, at_least_zero("kg or kg m^2"));
    read_mimic(node, builder, joint);
    model.joints.push_back(std::move(joint));
}

}  // namespace

bool read_reduced(const Node& node, bool otherwise) {
    constexpr std::array<std::string_view, 2> kNames = {"maximal", "reduced"};
    const auto found = node.find("coordinates");
    return found ? found->choice(kNames, "coordinates") == 1 : otherwise;
}

Motor read_motor(const Node& node, double most) {
    node.only({"velocity", "position", "kp", "kd", "max_force"});
    if (node.has("velocity") == node.has("position")) {
        node.fail("expected exactly one of 'velocity' and 'position'");
    }
    Motor motor;
    motor.max_force = node.number("max_force", most, at_least_zero("N or N m"));
    if (const auto velocity = node.find("velocity")) {
        motor.kind = Motor::Kind::kVelocity;
        motor.target = velocity->number();
        for (const char* key : {"kp", "kd"}) {
            if (const auto gain = node.find(key)) gain->fail("a velocity motor has none");
        }
        return motor;
    }
    motor.kind = Motor::Kind::kPosition;
    motor.target = node.at("position").number();
    motor.kp = node.at("kp").number(positive("N/m or N m/rad"));
    motor.kd = node.number("kd", 0, at_least_zero("N s/m or N m s/rad"));
    return motor;
}

void read_joints(const Node& root, Builder& builder) {
    for (const Node& entry : root.entries("joints", "joints"))
        for_each_copy(entry, false, 0, [&](const Copy& copy) { add_joint(copy, builder); });
}

}  // namespace stiction
