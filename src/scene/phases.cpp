// phases.cpp - the `phases` of a scene: when which joints get which motors.
#include <algorithm>
#include <limits>
#include <string_view>

#include "core/nearest.h"
#include "scene/builder.h"

namespace stiction {
namespace {

// * in a pattern stands for any characters, also none.
bool matches(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) return pattern == name;
    if (!name.starts_with(pattern.substr(0, star))) return false;
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t i = star; i <= name.size(); ++i) {
        if (matches(rest, name.substr(i))) return true;
    }
    return false;
}

bool has_coordinate(const Joint& joint) {
    return joint.kind == JointKind::kRevolute || joint.kind == JointKind::kPrismatic;
}

bool walks(int joint, const Controls& controls) {
    for (const Gait& gait : controls.gaits) {
        for (const Leg& leg : gait.legs) {
            if (std::find(leg.joint.begin(), leg.joint.end(), joint) != leg.joint.end())
                return true;
        }
    }
    return false;
}

// Joints with a coordinate that a name or a pattern stands for.
void find_joints(const Node& node, const Builder& builder, std::vector<int>& found) {
    const std::string name = node.reference();
    const std::vector<Joint>& joints = builder.scene.model.joints;
    const std::size_t before = found.size();
    if (name.find('*') == std::string::npos) {
        const int joint = look_up(builder.joints, node, name, "joint");
        if (!has_coordinate(joints[at(joint)])) {
            node.fail("'" + name + "' has no coordinate; expected a revolute or prismatic joint");
        }
        found.push_back(joint);
    } else {
        for (std::size_t j = 0; j < joints.size(); ++j) {
            if (has_coordinate(joints[j]) && matches(name, joints[j].name))
                found.push_back(static_cast<int>(j));
        }
        if (found.size() == before) {
            std::vector<std::string_view> names;
            for (const Joint& joint : joints) {
                if (has_coordinate(joint)) names.push_back(joint.name);
            }
            node.fail("no revolute or prismatic joint is named like '" + name + "'" +
                      suggestion(name, names));
        }
    }
    for (std::size_t k = before; k < found.size(); ++k) {
        if (walks(found[k], builder.scene.controls))
            node.fail("'" + joints[at(found[k])].name + "' is moved by a gait already");
    }
}

std::vector<int> read_joints_of_entry(const Node& node, const Builder& builder) {
    std::vector<int> joints;
    const Node names = node.at("joints");
    if (names.is_list()) {
        for (std::size_t i = 0; i < names.size(); ++i) find_joints(names[i], builder, joints);
    } else {
        find_joints(names, builder, joints);
    }
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    if (joints.empty()) names.fail("expected at least one joint");
    return joints;
}

// The scene's scripts, found by joint.
class Scripts {
  public:
    explicit Scripts(Scene& scene)
        : scripts_(scene.controls.motor_scripts), of_joint_(scene.model.joints.size(), kNone) {
        for (std::size_t i = 0; i < scripts_.size(); ++i) {
            of_joint_[at(scripts_[i].joint)] = static_cast<int>(i);
            phases_ += scripts_[i].phases.size();
        }
    }
    MotorScript& of(int joint) {
        int& index = of_joint_[at(joint)];
        if (index == kNone) {
            index = static_cast<int>(scripts_.size());
            scripts_.push_back({.joint = joint, .phases = {}});
        }
        return scripts_[at(index)];
    }
    void add(const Node& node, MotorScript& script, const MotorPhase& phase) {
        if (++phases_ > kMaxForces)
            node.fail("more than " + std::to_string(kMaxForces) + " changes of motors");
        script.phases.push_back(phase);
    }

  private:
    std::vector<MotorScript>& scripts_;
    std::vector<int> of_joint_;  // index of its script
    std::size_t phases_ = 0;
};

void check_kind_keys(const Node& node) {
    const int kinds = node.has("position") + node.has("velocity") + node.has("off");
    if (kinds > 1) node.fail("expected at most one of 'position', 'velocity' and 'off'");
    if (node.has("off") && !node.at("off").boolean()) {
        node.at("off").fail("expected true, or no such key");
    }
    if (const auto over = node.find("over");
        over && !node.has("position") && !node.has("velocity")) {
        over->fail("goes with 'position' or 'velocity'");
    }
    for (const char* key : {"kp", "kd", "max_force"}) {
        if (const auto found = node.find(key); found && node.has("off"))
            found->fail("means nothing for a motor that is off");
    }
}

// What the entry says, and of the motor before what it does not say.
Motor change_motor(const Node& node, const std::string& joint, Motor motor) {
    if (node.has("off")) {
        motor.kind = Motor::Kind::kOff;
        motor.target = 0;
        return motor;
    }
    if (const auto position = node.find("position")) {
        if (node.has("over") && motor.kind != Motor::Kind::kPosition) {
            node.at("over").fail("'" + joint +
                                 "' has no position motor before, from whose target to start");
        }
        motor.kind = Motor::Kind::kPosition;
        motor.target = position->number();
    }
    if (const auto velocity = node.find("velocity")) {
        motor.kind = Motor::Kind::kVelocity;
        motor.target = velocity->number();
    }
    if (motor.kind == Motor::Kind::kOff) {
        node.fail("the motor of '" + joint + "' is off; expected 'position' or 'velocity'");
    }
    for (const char* key : {"kp", "kd"}) {
        if (const auto gain = node.find(key); gain && motor.kind == Motor::Kind::kVelocity)
            gain->fail("a velocity motor has none");
    }
    if (const auto kp = node.find("kp")) motor.kp = kp->number(positive("N/m or N m/rad"));
    motor.kd = node.number("kd", motor.kd, at_least_zero("N s/m or N m s/rad"));
    motor.max_force = node.number("max_force", motor.max_force, at_least_zero("N or N m"));
    if (motor.kind == Motor::Kind::kPosition && motor.kp <= 0) {
        node.fail("'" + joint + "' has no 'kp' yet; a position motor needs one");
    }
    return motor;
}

void add_motor_phase(const Node& node, double start, const Builder& builder, Scripts& scripts) {
    node.only({"joints", "position", "velocity", "off", "kp", "kd", "max_force", "over"});
    check_kind_keys(node);
    if (node.size() < 2) node.fail("expected what changes besides 'joints'");
    for (const int j : read_joints_of_entry(node, builder)) {
        const Joint& joint = builder.scene.model.joints[at(j)];
        MotorScript& script = scripts.of(j);
        const Motor before = script.phases.empty() ? joint.motor : script.phases.back().motor;
        if (!script.phases.empty() && script.phases.back().start == start)
            node.fail("'" + joint.name + "' has a motor in this phase already");
        scripts.add(node, script,
                    {.start = start,
                     .over = node.number("over", 0, at_least_zero("s")),
                     .motor = change_motor(node, joint.name, before)});
    }
}

void add_phase(const Node& entry, Builder& builder, Scripts& scripts) {
    entry.only({"name", "start", "motors"});
    const Node node = entry.has("name") ? entry.named(entry.at("name").name()) : entry;
    const Node start = node.at("start");
    const double time = start.number(at_least_zero("s"));
    if (time < builder.last_phase)
        start.fail("is before the start of the phase above; expected phases in order");
    builder.last_phase = time;
    const Node motors = node.at("motors");
    motors.expect_list("motors");
    for (std::size_t i = 0; i < motors.size(); ++i)
        add_motor_phase(motors[i], time, builder, scripts);
}

}  // namespace

void read_phases(const Node& root, Builder& builder) {
    Scripts scripts(builder.scene);
    for (const Node& entry : root.entries("phases", "phases")) add_phase(entry, builder, scripts);
}

}  // namespace stiction
