// scene_sketch.h - a small scene as plain data: what a generator makes from a seed and a shrinker
// takes apart, and the YAML in which the program itself reads it. Only what a random scene needs;
// docs/scene-format.md has the meaning of every key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contact/contact_model.h"
#include "core/types.h"
#include "model/model.h"
#include "problem/step_settings.h"

namespace stiction {

enum class ShapeKind { kPlane, kSphere, kBox, kCapsule, kCylinder, kHull, kHeightfield };

struct ShapeSketch {
    ShapeKind kind = ShapeKind::kSphere;
    // Box: full extents. Sphere: x is the radius. Capsule, cylinder: x is the radius, z the length.
    // Heightfield: extents along x and y, height of the bumps [m].
    Vec3 size = Vec3::Ones();
    std::vector<Vec3> points;  // of a hull [m]
    Pose pose;                 // in the body's frame
};

struct BodySketch {
    std::string name;
    BodyKind kind = BodyKind::kDynamic;
    Pose pose;
    Twist twist;
    double mass = 1;                  // [kg]
    std::vector<ShapeSketch> shapes;  // several: a compound
    double friction = 0.5;            // Coulomb [-]
    double viscous = 0;               // [N s/m]
    double restitution = 0;           // [-]
    Vec3 force = Vec3::Zero();        // constant, at the centre of mass [N]
};

struct JointSketch {
    JointKind kind = JointKind::kSpherical;
    int child = 0;               // body
    int parent = kNone;          // body, or the world
    Vec3 anchor = Vec3::Zero();  // world [m]
    Vec3 axis = Vec3::UnitZ();   // revolute, prismatic, universal
    Vec3 axis2 = Vec3::UnitX();  // universal
    bool reduced = false;
    bool collide = false;
    // Revolute and prismatic:
    bool limited = false;
    double lower = 0, upper = 0;  // [rad or m]
    Motor motor;
    double friction = 0, damping = 0;
    double armature = 0;  // reduced only
    int mimic = kNone;    // an earlier joint, reduced as this one
    double multiplier = 1;
};

// In the middle of the run the model becomes another one with its default settings (the same one
// keeps its own), the step size changes, and every Coulomb coefficient is multiplied.
struct Change {
    int step = 0;       // steps before it
    std::string model;  // by name
    double h = 0;       // [s]
    double friction = 1;
};

struct SceneSketch {
    std::uint64_t seed = 0;
    int steps = 1;  // of the whole run
    ContactModel contact;
    int repeat = 1;  // copies of every contact
    StepSettings step;
    Vec3 gravity{0, 0, -9.81};
    std::vector<BodySketch> bodies;
    std::vector<JointSketch> joints;
    std::optional<Change> change;
};

// The scene as the program reads it. Comments at its top say how the run goes, first in a form that
// read_run() understands, then as commands.
[[nodiscard]] std::string to_yaml(const SceneSketch& sketch);

// What the comments of to_yaml() say of the run.
struct RunPlan {
    int steps = 1;
    std::optional<Change> change;
};
[[nodiscard]] RunPlan plan_of(const SceneSketch& sketch);
// Of a text without such comments: `steps` steps, no change.
[[nodiscard]] RunPlan read_plan(const std::string& yaml, int steps);

// Removes bodies and joints by index, with all that refers to them; indices are shifted.
void remove_body(SceneSketch& sketch, int body);
void remove_joint(SceneSketch& sketch, int joint);

}  // namespace stiction
