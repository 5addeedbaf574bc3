// scene_sketch.cpp - a sketch as YAML, one line per body and joint, and the removal of its parts.
#include "random/scene_sketch.h"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

namespace stiction {

namespace {

constexpr std::array<std::string_view, 7> kShapeNames = {
    "plane", "sphere", "box", "capsule", "cylinder", "hull", "heightfield"};
constexpr std::array<std::string_view, 5> kJointNames = {"fixed", "revolute", "prismatic",
                                                         "spherical", "universal"};
constexpr std::string_view kStepsMark = "# steps:";
constexpr std::string_view kChangeMark = "# change:";

// Shortest text that reads back as the same bits.
std::string text(double x) {
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}
std::string text(const Vec3& x) {
    return "[" + text(x.x()) + ", " + text(x.y()) + ", " + text(x.z()) + "]";
}
std::string text(const Quat& q) {
    return "[" + text(q.w()) + ", " + text(q.x()) + ", " + text(q.y()) + ", " + text(q.z()) + "]";
}

// {key: value, ...} in the order of the calls.
class FlowMap {
  public:
    void add(std::string_view key, const std::string& value) {
        text_ += (text_.empty() ? "" : ", ") + std::string(key) + ": " + value;
    }
    void add_unless(bool usual, std::string_view key, const std::string& value) {
        if (!usual) add(key, value);
    }
    void add_pose(const Pose& pose) {
        add_unless(pose.p.isZero(0.0), "position", text(pose.p));
        add_unless(pose.q.coeffs() == Quat::Identity().coeffs(), "orientation", text(pose.q));
    }
    [[nodiscard]] std::string str() const { return "{" + text_ + "}"; }

  private:
    std::string text_;
};

std::string text(const ShapeSketch& shape) {
    FlowMap map;
    map.add("type", std::string(kShapeNames[static_cast<std::size_t>(shape.kind)]));
    switch (shape.kind) {
        case ShapeKind::kPlane:
            break;
        case ShapeKind::kSphere:
            map.add("radius", text(shape.size.x()));
            break;
        case ShapeKind::kBox:
            map.add("size", text(shape.size));
            break;
        case ShapeKind::kCapsule:
        case ShapeKind::kCylinder:
            map.add("radius", text(shape.size.x()));
            map.add("length", text(shape.size.z()));
            break;
        case ShapeKind::kHull: {
            std::string list;
            for (const Vec3& p : shape.points) list += (list.empty() ? "" : ", ") + text(p);
            map.add("points", "[" + list + "]");
            break;
        }
        case ShapeKind::kHeightfield:
            map.add("size", "[" + text(shape.size.x()) + ", " + text(shape.size.y()) + "]");
            map.add("heights", "{samples: [20, 20], bumps: " + text(shape.size.z()) +
                                   ", wavelength: " + text(0.25 * shape.size.x()) + "}");
            break;
    }
    map.add_pose(shape.pose);
    return map.str();
}

std::string text(const BodySketch& body, bool scaled) {
    FlowMap map;
    map.add("name", body.name);
    const bool dynamic = body.kind == BodyKind::kDynamic;
    map.add_unless(dynamic, "kind", body.kind == BodyKind::kStatic ? "static" : "kinematic");
    map.add_pose(body.pose);
    map.add_unless(body.twist.v.isZero(0.0), "velocity", text(body.twist.v));
    map.add_unless(body.twist.w.isZero(0.0), "angular_velocity", text(body.twist.w));
    if (dynamic) map.add("mass", text(body.mass));
    FlowMap surface;
    surface.add("friction", text(body.friction) + (scaled ? "*friction_scale" : ""));
    surface.add_unless(body.viscous == 0, "viscous", text(body.viscous));
    surface.add_unless(body.restitution == 0, "restitution", text(body.restitution));
    map.add("material", surface.str());
    std::string shapes;
    for (const ShapeSketch& shape : body.shapes)
        shapes += (shapes.empty() ? "" : ", ") + text(shape);
    if (body.shapes.size() == 1) map.add("shape", shapes);
    if (body.shapes.size() > 1) map.add("shapes", "[" + shapes + "]");
    return map.str();
}

std::string text(const Motor& motor) {
    FlowMap map;
    if (motor.kind == Motor::Kind::kVelocity) {
        map.add("velocity", text(motor.target));
    } else {
        map.add("position", text(motor.target));
        map.add("kp", text(motor.kp));
        map.add("kd", text(motor.kd));
    }
    map.add_unless(std::isinf(motor.max_force), "max_force", text(motor.max_force));
    return map.str();
}

void add_coordinate(const JointSketch& joint, FlowMap& map) {
    map.add_unless(!joint.limited, "limits",
                   "[" + text(joint.lower) + ", " + text(joint.upper) + "]");
    if (joint.motor.kind != Motor::Kind::kOff) map.add("motor", text(joint.motor));
    map.add_unless(joint.friction == 0, "friction", text(joint.friction));
    map.add_unless(joint.damping == 0, "damping", text(joint.damping));
    map.add_unless(joint.armature == 0, "armature", text(joint.armature));
    if (joint.mimic == kNone) return;
    FlowMap mimic;
    mimic.add("joint", "j" + std::to_string(joint.mimic));
    mimic.add("multiplier", text(joint.multiplier));
    map.add("mimic", mimic.str());
}

std::string text(const SceneSketch& sketch, std::size_t index) {
    const JointSketch& joint = sketch.joints[index];
    FlowMap map;
    map.add("name", "j" + std::to_string(index));
    map.add("type", std::string(kJointNames[static_cast<std::size_t>(joint.kind)]));
    if (joint.parent != kNone) map.add("parent", sketch.bodies[at(joint.parent)].name);
    map.add("child", sketch.bodies[at(joint.child)].name);
    map.add("anchor", text(joint.anchor));
    const bool turns = joint.kind != JointKind::kFixed && joint.kind != JointKind::kSpherical;
    if (turns) map.add("axis", text(joint.axis));
    if (joint.kind == JointKind::kUniversal) map.add("axis2", text(joint.axis2));
    if (turns && joint.kind != JointKind::kUniversal) add_coordinate(joint, map);
    map.add_unless(!joint.reduced || joint.kind == JointKind::kUniversal, "coordinates", "reduced");
    map.add_unless(!joint.collide, "collide", "true");
    return map.str();
}

void add_own_settings(const Viscous&, FlowMap&) {}
void add_own_settings(const MaxDissipation&, FlowMap&) {}
void add_own_settings(const CoulombCone&, FlowMap&) {}
void add_own_settings(const NoSlip& model, FlowMap& map) {
    map.add_unless(model.release_separating, "release_separating", "false");
}
void add_own_settings(const CoulombLcp& model, FlowMap& map) {
    const CoulombLcp usual;
    map.add_unless(model.sides == usual.sides, "sides", std::to_string(model.sides));
    map.add_unless(model.variant == usual.variant, "variant", "stewart_trinkle");
}
void add_own_settings(const FrictionBox& model, FlowMap& map) {
    map.add_unless(model.cfm == FrictionBox().cfm, "cfm", text(model.cfm));
}

std::string contact_text(const SceneSketch& sketch) {
    FlowMap map;
    map.add("model", std::string(name(sketch.contact)));
    std::visit(
        [&]<class Model>(const Model& model) {
            map.add_unless(model.tolerance == Model().tolerance, "tolerance",
                           text(model.tolerance));
            map.add_unless(model.max_iterations == 0, "max_iterations",
                           std::to_string(model.max_iterations));
            add_own_settings(model, map);
        },
        sketch.contact);
    map.add_unless(sketch.repeat == 1, "repeat", std::to_string(sketch.repeat));
    return map.str();
}

std::string step_text(const SceneSketch& sketch) {
    const StepSettings usual;
    const StepSettings& step = sketch.step;
    FlowMap map;
    map.add("h", sketch.change ? "h" : text(step.h));
    map.add_unless(step.stabilisation == usual.stabilisation, "stabilisation",
                   std::string(name(step.stabilisation)));
    map.add_unless(step.baumgarte == usual.baumgarte, "baumgarte", text(step.baumgarte));
    map.add_unless(step.max_depenetration == usual.max_depenetration, "max_depenetration",
                   text(step.max_depenetration));
    map.add_unless(step.restitution_threshold == usual.restitution_threshold,
                   "restitution_threshold", text(step.restitution_threshold));
    return map.str();
}

// The run as this program reads it and as commands that give the same bits.
std::string plan_text(const SceneSketch& sketch) {
    std::ostringstream out;
    out << kStepsMark << ' ' << sketch.steps << '\n';
    if (!sketch.change) {
        out << "# stiction run FILE --steps " << sketch.steps << '\n';
        return out.str();
    }
    const Change& change = *sketch.change;
    out << kChangeMark << ' ' << change.step << ' ' << change.model << ' ' << text(change.h) << ' '
        << text(change.friction) << '\n';
    out << "# stiction run FILE --steps " << change.step << " --save-state half.json\n";
    out << "# stiction run FILE --steps " << sketch.steps - change.step
        << " --load-state half.json --model " << change.model << " --set h=" << text(change.h)
        << " --set friction_scale=" << text(change.friction) << '\n';
    return out.str();
}

void shift_after(int removed, int& index) {
    if (index > removed) --index;
}

}  // namespace

std::string to_yaml(const SceneSketch& sketch) {
    std::ostringstream out;
    out << plan_text(sketch) << "version: 1\n";
    if (sketch.change) out << "parameters: {h: " << text(sketch.step.h) << ", friction_scale: 1}\n";
    if (sketch.gravity != SceneSketch().gravity) out << "gravity: " << text(sketch.gravity) << '\n';
    out << "contact: " << contact_text(sketch) << '\n';
    out << "step: " << step_text(sketch) << '\n';
    out << "bodies:\n";
    for (const BodySketch& body : sketch.bodies)
        out << "  - " << text(body, sketch.change.has_value()) << '\n';
    if (!sketch.joints.empty()) out << "joints:\n";
    for (std::size_t j = 0; j < sketch.joints.size(); ++j) out << "  - " << text(sketch, j) << '\n';
    bool any = false;
    for (const BodySketch& body : sketch.bodies) {
        if (body.force.isZero(0.0)) continue;
        if (!any) out << "forces:\n";
        any = true;
        out << "  - {body: " << body.name << ", force: " << text(body.force) << "}\n";
    }
    return out.str();
}

RunPlan plan_of(const SceneSketch& sketch) { return {sketch.steps, sketch.change}; }

RunPlan read_plan(const std::string& yaml, int steps) {
    RunPlan plan{steps, {}};
    std::istringstream lines(yaml);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(kStepsMark))
            std::istringstream(line.substr(kStepsMark.size())) >> plan.steps;
        if (!line.starts_with(kChangeMark)) continue;
        Change change;
        std::istringstream(line.substr(kChangeMark.size())) >> change.step >> change.model >>
            change.h >> change.friction;
        plan.change = change;
    }
    return plan;
}

void remove_joint(SceneSketch& sketch, int joint) {
    sketch.joints.erase(sketch.joints.begin() + joint);
    for (JointSketch& other : sketch.joints) {
        if (other.mimic == joint) other.mimic = kNone;
        shift_after(joint, other.mimic);
    }
}

void remove_body(SceneSketch& sketch, int body) {
    for (int j = static_cast<int>(sketch.joints.size()) - 1; j >= 0; --j) {
        const JointSketch& joint = sketch.joints[at(j)];
        if (joint.child == body || joint.parent == body) remove_joint(sketch, j);
    }
    sketch.bodies.erase(sketch.bodies.begin() + body);
    for (JointSketch& joint : sketch.joints) {
        shift_after(body, joint.child);
        shift_after(body, joint.parent);
    }
}

}  // namespace stiction
