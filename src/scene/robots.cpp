// robots.cpp - the `robots` of a scene: a URDF file becomes bodies NAME/LINK and joints NAME/JOINT.
// The start pose follows from the joints' coordinates, so that every joint holds exactly at the
// start. Links that a fixed joint holds are parts of their parent's body.
#include <cctype>
#include <functional>
#include <limits>
#include <numbers>

#include "core/hash.h"
#include "scene/builder.h"
#include "scene/pose.h"
#include "scene/repeat.h"
#include "scene/robot_entry.h"
#include "scene/shapes.h"

namespace stiction {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// Characters that a name in a scene may not have become '_'.
std::string fit_name(const std::string& robot, const std::string& part) {
    std::string name = robot + "/";
    for (std::size_t i = part.find_first_not_of('/'); i < part.size(); ++i) {
        const char c = part[i];
        const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                          c == '-' || c == '.' || c == '/';
        name += fits ? c : '_';
    }
    return name;
}

class RobotAdder {
  public:
    RobotAdder(const Node& node, std::string name, const ImportedRobot& robot, Builder& builder)
        : node_(node), name_(std::move(name)), robot_(robot), builder_(builder) {
        const auto fixed = node.find("fixed_base");
        fixed_base_ = fixed ? fixed->boolean() : robot.links[0].name == "world";
        reduced_ = read_reduced(node, builder.reduced);
        ignore_mimics_ = read_ignored(node).mimic;
        read_surface();
    }

    void add(const Pose& base) {
        const JointWishes wishes = read_wishes(node_, robot_);
        const std::vector<double> q = start_coordinates(robot_, wishes, ignore_mimics_);
        const std::vector<Pose> poses = link_poses(robot_, q);
        for (std::size_t i = 0; i < robot_.links.size(); ++i) {
            add_link(robot_.links[i], base * poses[i], i == 0 && fixed_base_);
        }
        for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
            const auto wish = wishes.find(robot_.joints[j].name);
            add_joint(robot_.joints[j], q[j], wish == wishes.end() ? nullptr : &wish->second);
        }
        if (!ignore_mimics_) add_mimics();
    }

  private:
    // Unless it collides with itself, the robot is the one member of a group that it does not
    // collide with.
    void read_surface() {
        read_surface_keys(node_, surface_, builder_);
        const auto own = node_.find("collide_with_itself");
        if (own && own->boolean()) return;
        if (const auto group = node_.find("group")) {
            group->fail("a robot that does not collide with itself is in a group of its own, '" +
                        name_ + "'; expected none, or 'collide_with_itself: true'");
        }
        surface_.group = 1U << static_cast<unsigned>(builder_.groups.at(name_).index);
        surface_.mask &= ~surface_.group;
    }

    void add_link(const RobotLink& link, const Pose& pose_WL, bool is_static) {
        Scene& scene = builder_.scene;
        const int index = static_cast<int>(scene.model.bodies.size());
        if (scene.model.bodies.size() >= kMaxBodies) {
            node_.fail("more than " + std::to_string(kMaxBodies) + " bodies");
        }
        Body body;
        body.name = fit_name(name_, link.name);
        enter(builder_.bodies, node_, body.name, index, "body");
        Vec3 com = Vec3::Zero();
        if (is_static) {
            body.kind = BodyKind::kStatic;
        } else {
            check_mass(node_, link);
            body.mass = link.mass;
            body.inertia_B = link.inertia_L;
            com = link.com_L;
        }
        for (const RobotShape& shape : link.shapes) {
            Geom geom = surface_;
            geom.body = index;
            geom.shape = shape.shape;
            geom.pose_BG = shape.pose_LG;
            geom.pose_BG.p -= com;
            geom.hidden = !link.visuals.empty();
            scene.model.geoms.push_back(std::move(geom));
            if (scene.model.geoms.size() > kMaxGeoms) {
                node_.fail("more than " + std::to_string(kMaxGeoms) + " shapes");
            }
        }
        for (const RobotShape& visual : link.visuals) {
            scene.model.visuals.push_back({index, visual.pose_LG, visual.shape});
            scene.model.visuals.back().pose_BG.p -= com;
        }
        scene.model.bodies.push_back(std::move(body));
        scene.state.pose.push_back({pose_WL * com, pose_WL.q});
        scene.state.twist.emplace_back();
        builder_.com.push_back(com);
        bodies_.push_back(index);
    }

    // The model's joint frame has its z axis along the joint's.
    void add_joint(const RobotJoint& from, double start, const JointWish* wish) {
        joints_.push_back(kNone);
        if (!has_coordinate(from)) return;  // floating: a body that nothing holds
        Model& model = builder_.scene.model;
        if (model.joints.size() >= kMaxJoints) {
            node_.fail("more than " + std::to_string(kMaxJoints) + " joints");
        }
        Joint joint;
        joint.name = fit_name(name_, from.name);
        const int index = static_cast<int>(model.joints.size());
        enter(builder_.joints, node_, joint.name, index, "joint");
        joint.kind =
            from.kind == RobotJointKind::kRevolute ? JointKind::kRevolute : JointKind::kPrismatic;
        joint.child = bodies_[at(from.child)];
        joint.parent = bodies_[at(from.parent)];
        const Pose axis{Vec3::Zero(), z_to(from.axis)};
        joint.frame_C = axis;
        joint.frame_P = from.origin * axis;
        joint.frame_C.p -= builder_.com[at(joint.child)];
        joint.frame_P.p -= builder_.com[at(joint.parent)];
        // Poses of bodies do not count turns: limits a turn apart or more cannot be told.
        joint.limited = from.limited &&
                        (joint.kind == JointKind::kPrismatic || from.upper - from.lower < kTurn);
        joint.lower = from.lower;
        joint.upper = from.upper;
        joint.friction = wish && wish->friction ? *wish->friction : from.friction;
        joint.damping = wish && wish->damping ? *wish->damping : from.damping;
        joint.armature = wish && wish->armature ? *wish->armature : 0;
        joint.motor = motor_of(from, start, wish);
        joint.reduced = reduced_;
        joints_.back() = index;
        model.joints.push_back(std::move(joint));
    }

    // The row of a mimic is one on coordinates: both joints have theirs as unknowns.
    void add_mimics() {
        std::vector<Joint>& joints = builder_.scene.model.joints;
        for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
            if (!robot_.joints[j].mimic || joints_[j] == kNone) continue;
            Mimic mimic = *robot_.joints[j].mimic;
            mimic.joint = joints_[at(mimic.joint)];
            joints[at(joints_[j])].mimic = mimic;
            joints[at(joints_[j])].reduced = true;
            joints[at(mimic.joint)].reduced = true;
        }
    }

    [[nodiscard]] Motor motor_of(const RobotJoint& from, double start,
                                 const JointWish* wish) const {
        // Files whose author had no number for the effort say 0.
        const double most = from.effort > 0 ? from.effort : std::numeric_limits<double>::infinity();
        Motor motor;
        if (wish != nullptr && wish->motor) {
            const Node& node = *wish->motor;
            return node.is_scalar() && node.text() == "none" ? motor : read_motor(node, most);
        }
        const auto hold = node_.find("hold");
        if (!hold || (from.mimic && !ignore_mimics_)) return motor;
        hold->only({"kp", "kd", "max_force"});
        motor.kind = Motor::Kind::kPosition;
        motor.target = start;
        motor.kp = hold->at("kp").number(positive("N/m or N m/rad"));
        motor.kd = hold->number("kd", 0, at_least_zero("N s/m or N m s/rad"));
        motor.max_force = hold->number("max_force", most, at_least_zero("N or N m"));
        return motor;
    }

    Node node_;
    std::string name_;
    const ImportedRobot& robot_;
    Builder& builder_;
    std::vector<int> bodies_;  // of its links
    std::vector<int> joints_;  // of its joints
    Geom surface_;             // material, group and mask of every shape
    bool fixed_base_ = false;
    bool reduced_ = false;  // joints in reduced coordinates
    bool ignore_mimics_ = false;
};

std::string robot_name(const Copy& copy) {
    if (!copy.entry.has("name"))
        copy.entry.fail("key 'name' is missing; expected the robot's name");
    return copy_name(copy);
}

void add_robot(const Copy& copy, const ImportedRobot& file, Builder& builder) {
    const std::string name = robot_name(copy);
    const Node node = copy.entry.named(name);
    ImportedRobot robot = file;
    if (const auto density = node.find("density_for_massless")) {
        fill_masses(density->number(positive("kg/m^3")), robot);
    }
    read_mimics(node, robot);
    robot = merge_fixed(robot);
    Pose base = read_pose(node);
    base.q = copy.turn * base.q;
    base.p += copy.offset;
    RobotAdder(node, name, robot, builder).add(base);
}

void for_each_robot(const Node& root, const std::function<void(const Node&)>& visit) {
    for (const Node& entry : root.entries("robots", "robots")) {
        entry.only({"name", "repeat", "urdf", "packages", "position", "orientation", "fixed_base",
                    "coordinates", "density_for_massless", "joints", "hold", "material", "group",
                    "mask", "collide_with_itself", "ignore", "visuals"});
        visit(entry);
    }
}

}  // namespace

// Before the bodies, whose masks may name them.
void read_robot_groups(const Node& root, Builder& builder) {
    for_each_robot(root, [&](const Node& entry) {
        for_each_copy(entry, true, 0, [&](const Copy& copy) {
            const auto own = copy.entry.find("collide_with_itself");
            if (own && own->boolean()) return;
            add_group(copy.entry, robot_name(copy), builder);
        });
    });
}

void read_robots(const Node& root, Builder& builder) {
    for_each_robot(root, [&](const Node& entry) {
        const ImportedRobot file = read_urdf(entry);
        std::vector<std::string>& files = builder.scene.files;
        files.push_back(file.path);
        files.insert(files.end(), file.meshes.begin(), file.meshes.end());
        Hash seed;
        seed.add(builder.scene.seed);
        seed.add(static_cast<std::uint64_t>(builder.scene.model.bodies.size()));
        for_each_copy(entry, true, seed.value(),
                      [&](const Copy& copy) { add_robot(copy, file, builder); });
    });
}

}  // namespace stiction
