// robots.cpp - the `robots` of a scene: a URDF file becomes bodies NAME/LINK and joints NAME/JOINT.
// The start pose follows from the joints' coordinates, so that every joint holds exactly at the
// start. Links that a fixed joint holds are parts of their parent's body.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numbers>
#include <sstream>

#include "core/hash.h"
#include "core/nearest.h"
#include "import/urdf.h"
#include "scene/builder.h"
#include "scene/pose.h"
#include "scene/repeat.h"
#include "scene/shapes.h"

namespace stiction {
namespace {

constexpr double kLimitSlack = 1e-9;  // [rad or m]: a start on a limit may miss it by rounding
constexpr double kTurn = 2 * std::numbers::pi;

// What an entry says about one joint, over what the URDF says.
struct JointWish {
    std::optional<double> position;  // start [rad or m]
    std::optional<Node> motor;
    std::optional<double> friction, damping, armature;
    Node node;
};
using JointWishes = std::map<std::string, JointWish>;

bool has_coordinate(const RobotJoint& joint) {
    return joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kPrismatic;
}

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

std::string relative_to_scene(const Node& node) {
    const std::filesystem::path folder = std::filesystem::path(node.document().path).parent_path();
    return (folder / node.text()).lexically_normal().string();
}

// What the entry lets pass.
struct Ignored {
    bool mimic = false, inertia = false, meshes = false;
};

Ignored read_ignored(const Node& node) {
    Ignored ignored;
    const auto list = node.find("ignore");
    if (!list) return ignored;
    constexpr std::array<std::string_view, 3> kNames = {"mimic", "inertia", "meshes"};
    list->expect_list("what to ignore");
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::size_t which = (*list)[i].choice(kNames, "thing to ignore");
        (which == 0 ? ignored.mimic : which == 1 ? ignored.inertia : ignored.meshes) = true;
    }
    return ignored;
}

UrdfOptions read_options(const Node& node) {
    const Ignored ignored = read_ignored(node);
    UrdfOptions options;
    options.ignore_inertia = ignored.inertia;
    options.ignore_meshes = ignored.meshes;
    const auto packages = node.find("packages");
    if (!packages) return options;
    packages->expect_list("folders");
    for (std::size_t i = 0; i < packages->size(); ++i) {
        const Node entry = (*packages)[i];
        const std::string folder = relative_to_scene(entry);
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error)) {
            entry.fail("'" + entry.text() + "' is not a folder (looked for " + folder +
                       "); expected one that holds packages, relative to this file");
        }
        options.packages.push_back(folder);
    }
    return options;
}

ImportedRobot read_urdf(const Node& node) {
    const Node urdf = node.at("urdf");
    const std::string path = relative_to_scene(urdf);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        urdf.fail("'" + urdf.text() + "' is not a file (looked for " + path +
                  "); expected a URDF file, relative to this file");
    }
    return import_urdf(path, read_options(node));
}

// Links with shapes and no mass get that of their shapes.
void fill_masses(double density, ImportedRobot& robot) {
    for (RobotLink& link : robot.links) {
        if (link.mass > 0 || link.shapes.empty()) continue;
        for (const RobotShape& shape : link.shapes) {
            const SolidProperties solid = solid_properties(shape.shape);
            link.mass += density * solid.volume;
            link.com_L += density * solid.volume * (shape.pose_LG * solid.centroid);
        }
        link.com_L /= link.mass;
        for (const RobotShape& shape : link.shapes) {
            const SolidProperties solid = solid_properties(shape.shape);
            const Mat3 R = shape.pose_LG.R();
            const Vec3 d = shape.pose_LG * solid.centroid - link.com_L;
            link.inertia_L +=
                density * (R * solid.inertia * R.transpose() +
                           solid.volume * (d.squaredNorm() * Mat3::Identity() - d * d.transpose()));
        }
    }
}

// Limits that a joint's own and those of one that mimics it leave; the mimic then needs none.
void narrow_limits(const Node& node, RobotJoint& mimic, RobotJoint& other) {
    if (!mimic.limited) return;
    const double m = mimic.mimic->multiplier;
    if (m == 0) return;
    double lower = (mimic.lower - mimic.mimic->offset) / m;
    double upper = (mimic.upper - mimic.mimic->offset) / m;
    if (m < 0) std::swap(lower, upper);
    other.lower = other.limited ? std::max(lower, other.lower) : lower;
    other.upper = other.limited ? std::min(upper, other.upper) : upper;
    other.limited = true;
    mimic.limited = false;
    if (other.lower <= other.upper) return;
    node.fail("joint '" + mimic.name + "' (" + mimic.place + ") mimics '" + other.name +
              "', and the limits of both leave no position");
}

// What mimics another joint is held by a row of its own; with 'ignore: [mimic]' it is free.
void read_mimics(const Node& node, ImportedRobot& robot) {
    const bool ignored = read_ignored(node).mimic;
    for (RobotJoint& joint : robot.joints) {
        if (!joint.mimic || ignored) continue;
        narrow_limits(node, joint, robot.joints[static_cast<std::size_t>(joint.mimic->joint)]);
    }
}

void check_mass(const Node& node, const RobotLink& link) {
    const std::string which = "link '" + link.name + "' (" + link.place + ") ";
    if (link.mass == 0) {
        node.fail(which + (link.shapes.empty()
                               ? "has no mass and no shape, but moves; expected an inertial in the "
                                 "URDF"
                               : "has no mass, but moves; expected an inertial in the URDF, or "
                                 "'density_for_massless' here"));
    }
    const Vec3 moments =
        Eigen::SelfAdjointEigenSolver<Mat3>(link.inertia_L, Eigen::EigenvaluesOnly).eigenvalues();
    if (moments[0] > 0) return;
    std::ostringstream text;
    text << "has the principal moments " << moments.transpose() << " kg m^2: must all be > 0";
    node.fail(which + text.str());
}

JointWishes read_wishes(const Node& node, const ImportedRobot& robot) {
    JointWishes wishes;
    const auto joints = node.find("joints");
    if (!joints) return wishes;
    joints->expect_map();
    std::vector<std::string_view> valid;
    for (const RobotJoint& joint : robot.joints) {
        if (has_coordinate(joint)) valid.push_back(joint.name);
    }
    for (std::size_t i = 0; i < joints->size(); ++i) {
        const std::string& name = joints->key(i);
        if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
            joints->fail_at_key(i, "the robot has no revolute or prismatic joint '" + name + "'" +
                                       suggestion(name, valid));
        }
        const Node entry = (*joints)[i];
        entry.only({"position", "motor", "friction", "damping", "armature"});
        JointWish wish{.position = {},
                       .motor = entry.find("motor"),
                       .friction = {},
                       .damping = {},
                       .armature = {},
                       .node = entry};
        if (const auto x = entry.find("position")) wish.position = x->number();
        if (const auto x = entry.find("friction")) {
            wish.friction = x->number(at_least_zero("N or N m"));
        }
        if (const auto x = entry.find("damping")) {
            wish.damping = x->number(at_least_zero("N s/m or N m s/rad"));
        }
        if (const auto x = entry.find("armature")) {
            wish.armature = x->number(at_least_zero("kg or kg m^2"));
        }
        wishes.emplace(name, wish);
    }
    return wishes;
}

// A joint that mimics another starts where it should.
void check_mimic_position(const RobotJoint& joint, double expected, const JointWish& wish) {
    if (!joint.mimic || !wish.position) return;
    if (std::abs(*wish.position - expected) <= kLimitSlack) return;
    std::ostringstream text;
    text << "the joint mimics another and starts at " << expected << ", got " << *wish.position;
    wish.node.at("position").fail(text.str());
}

void check_position(const RobotJoint& joint, const JointWish& wish) {
    if (!joint.limited || !wish.position) return;
    const double q = *wish.position;
    if (q >= joint.lower - kLimitSlack && q <= joint.upper + kLimitSlack) return;
    std::ostringstream text;
    text << "must lie within the limits of the URDF, " << joint.lower << " to " << joint.upper
         << ", got " << q;
    wish.node.at("position").fail(text.str());
}

// As the entry says; otherwise what the joint mimics, or zero, or the limit next to zero.
std::vector<double> start_coordinates(const ImportedRobot& robot, const JointWishes& wishes,
                                      bool ignore_mimics) {
    std::vector<double> q(robot.joints.size(), 0);
    const auto inside = [](const RobotJoint& joint, double x) {
        return joint.limited ? std::clamp(x, joint.lower, joint.upper) : x;
    };
    for (const bool mimics : {false, true}) {
        for (std::size_t j = 0; j < robot.joints.size(); ++j) {
            const RobotJoint& joint = robot.joints[j];
            if (!has_coordinate(joint) || joint.mimic.has_value() != mimics) continue;
            double otherwise = 0;
            if (joint.mimic) {
                otherwise =
                    joint.mimic->multiplier * q[static_cast<std::size_t>(joint.mimic->joint)] +
                    joint.mimic->offset;
            }
            q[j] = inside(joint, otherwise);
            const auto wish = wishes.find(joint.name);
            if (wish == wishes.end()) continue;
            check_position(joint, wish->second);
            if (!ignore_mimics) check_mimic_position(joint, q[j], wish->second);
            q[j] = wish->second.position.value_or(q[j]);
        }
    }
    return q;
}

class RobotAdder {
  public:
    RobotAdder(const Node& node, std::string name, const ImportedRobot& robot, Builder& builder)
        : node_(node), name_(std::move(name)), robot_(robot), builder_(builder) {
        const auto fixed = node.find("fixed_base");
        fixed_base_ = fixed ? fixed->boolean() : robot.links[0].name == "world";
        reduced_ = read_reduced(node, builder.reduced_robots);
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
        if (scene.model.bodies.size() >= kMostBodies) {
            node_.fail("more than " + std::to_string(kMostBodies) + " bodies");
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
            scene.model.geoms.push_back(std::move(geom));
            if (scene.model.geoms.size() > kMostGeoms) {
                node_.fail("more than " + std::to_string(kMostGeoms) + " shapes");
            }
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
        if (model.joints.size() >= kMostJoints) {
            node_.fail("more than " + std::to_string(kMostJoints) + " joints");
        }
        Joint joint;
        joint.name = fit_name(name_, from.name);
        const int index = static_cast<int>(model.joints.size());
        enter(builder_.joints, node_, joint.name, index, "joint");
        joint.kind =
            from.kind == RobotJointKind::kRevolute ? JointKind::kRevolute : JointKind::kPrismatic;
        joint.child = bodies_[static_cast<std::size_t>(from.child)];
        joint.parent = bodies_[static_cast<std::size_t>(from.parent)];
        const Pose axis{Vec3::Zero(), z_to(from.axis)};
        joint.frame_C = axis;
        joint.frame_P = from.origin * axis;
        joint.frame_C.p -= builder_.com[static_cast<std::size_t>(joint.child)];
        joint.frame_P.p -= builder_.com[static_cast<std::size_t>(joint.parent)];
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
            mimic.joint = joints_[static_cast<std::size_t>(mimic.joint)];
            joints[static_cast<std::size_t>(joints_[j])].mimic = mimic;
            joints[static_cast<std::size_t>(joints_[j])].reduced = true;
            joints[static_cast<std::size_t>(mimic.joint)].reduced = true;
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
    const auto robots = root.find("robots");
    if (!robots) return;
    robots->expect_list("robots");
    for (std::size_t i = 0; i < robots->size(); ++i) {
        (*robots)[i].only({"name", "repeat", "urdf", "packages", "position", "orientation",
                           "fixed_base", "coordinates", "density_for_massless", "joints", "hold",
                           "material", "group", "mask", "collide_with_itself", "ignore"});
        visit((*robots)[i]);
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
    builder.reduced_robots = read_reduced(root, builder.reduced_robots);
    for_each_robot(root, [&](const Node& entry) {
        const ImportedRobot file = read_urdf(entry);
        Hash seed;
        seed.add(builder.scene.seed);
        seed.add(static_cast<std::uint64_t>(builder.scene.model.bodies.size()));
        for_each_copy(entry, true, seed.value(),
                      [&](const Copy& copy) { add_robot(copy, file, builder); });
    });
}

}  // namespace stiction
