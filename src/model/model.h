// model.h - everything about a scene that stays fixed while it runs: bodies, geometry, materials,
// joints. A body's frame has its origin at the centre of mass; the scene reader shifts shapes and
// anchors accordingly.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/types.h"
#include "core/ways.h"
#include "model/shape.h"

namespace stiction {

enum class BodyKind { kStatic, kKinematic, kDynamic };

struct Body {
    std::string name;
    BodyKind kind = BodyKind::kDynamic;
    double mass = 0;                    // [kg], dynamic bodies only
    Mat3 inertia_B = Mat3::Zero();      // about the centre of mass, body axes [kg m^2]
    Mat3 inv_inertia_B = Mat3::Zero();  // set by finalize()
    bool isotropic =
        false;  // inertia is a multiple of the identity: no gyroscopic torque (finalize())
    // Principal axes P (finalize()): their orientation in B, the identity where inertia_B is
    // diagonal, the moments about them [kg m^2], and (I_3 - I_2) / I_1 and so on in turn, which are
    // within -1 and 1 for any body: Euler's equations have nothing else.
    Quat q_BP = Quat::Identity();
    Vec3 moments = Vec3::Ones();
    Vec3 coupling = Vec3::Zero();
    int block = kNone;  // index of its block of generalized velocities; kNone unless dynamic
    int tree = kNone;   // where it is in reduced coordinates: its tree and node (finalize())
    int node = kNone;
    double gravity_scale = 1.0;  // dimensionless
    double linear_damping = 0;   // drag of what surrounds it: v decays as exp(-damping t) [1/s]
    double angular_damping = 0;  // the same for w
};

// One collision shape of one body. A compound is a body with several.
struct Geom {
    int body = kNone;
    Shape shape;
    Pose pose_BG;  // of the shape in the body's frame
    int material = 0;
    std::uint32_t group = 1;   // bits: what it is
    std::uint32_t mask = ~0U;  // bits: what it collides with; both sides must agree
    bool hidden = false;       // a visual is drawn in its place
};

// What is drawn of a body besides its geoms; collides with nothing.
struct Visual {
    int body = kNone;
    Pose pose_BG;  // in the body's frame
    Shape shape;
};

// Coefficients of one pair of materials (or of a material with itself).
struct SurfacePair {
    double mu_c = 0;  // Coulomb [-]
    double mu_v = 0;  // viscous [N s/m] per contact point
    double eps = 0;   // restitution [-]
};

struct Material {
    std::string name;
    SurfacePair surface;
};

enum class JointKind { kFixed, kRevolute, kPrismatic, kSpherical, kUniversal };

// Position or velocity drive of a joint's one coordinate, taken implicitly as a bounded row.
struct Motor {
    enum class Kind { kOff, kVelocity, kPosition };
    Kind kind = Kind::kOff;
    double target = 0;  // rad/s or m/s; rad or m
    double kp = 0;      // position only [N m/rad or N/m]
    double kd = 0;      // position only [N m s/rad or N s/m]
    double max_force = std::numeric_limits<double>::infinity();  // [N m or N]
};

// The coordinate is multiplier * that of another joint + offset.
struct Mimic {
    int joint = kNone;
    double multiplier = 1;
    double offset = 0;  // [rad or m]
};

struct Joint {
    std::string name;
    JointKind kind = JointKind::kFixed;
    int child = kNone;   // body; the coordinate is the child's motion seen from the parent
    int parent = kNone;  // body, or kNone for the world
    Pose frame_C;        // joint frame in the child; its z axis is the joint's axis
    Pose frame_P;        // the same frame in the parent (universal: first axis z in the parent,
                         // second axis x in the child)
    // set_axis(): the axis in the parent, and the child's orientation in the parent at angle 0 and
    // half a turn on; at angle q it is cos(q/2) at_zero + sin(q/2) at_half_turn.
    Vec3 axis_P = Vec3::UnitZ();
    Quat at_zero = Quat::Identity();
    Quat at_half_turn = Quat(0, 0, 0, 1);
    bool limited = false;
    double lower = 0, upper = 0;  // [rad or m], revolute and prismatic
    Motor motor;
    double friction = 0;   // Coulomb joint friction [N m or N], revolute and prismatic
    double damping = 0;    // viscous joint friction [N m s/rad or N s/m]
    bool collide = false;  // do the two bodies it links collide?
    // Its coordinate is an unknown, and no rows hold it: asked for, and granted by finalize() where
    // the joint is part of a tree. One that closes a loop keeps its rows.
    bool reduced = false;
    double armature = 0;  // inertia of a drive, on the coordinate; reduced only [kg m^2 or kg]
    std::optional<Mimic> mimic;  // both joints reduced
};

// Bodies in reduced coordinates. Its velocities: of a floating base centre of mass and spin, then
// of each joint (dynamics/tree.h).
struct Tree {
    struct Node {
        int body = kNone;
        int joint = kNone;   // that holds it; kNone: a floating base
        int parent = kNone;  // node; kNone: the world or a static body
        int first = 0;       // of its velocities, in the tree's block
        int dofs = 0;
        int last = kNone;  // of the velocities that move its body; its way has the others
    };
    std::vector<Node> nodes;    // parents before children
    std::vector<int> way_list;  // of make_ways()
    int dofs = 0;
    int block = kNone;

    [[nodiscard]] Ways ways() const { return {way_list.data(), dofs}; }
};

// A block of generalized velocities: 6 for a free body, those of a tree together.
struct DofBlock {
    int offset = 0;
    int size = 6;
    int body = kNone;  // the free body; kNone for a tree
    int tree = kNone;  // the tree; kNone for a free body
};

// The number of a copy has four bits of a contact's feature id (collide/feature_id.h).
inline constexpr int kMaxContactCopies = 16;

struct Model {
    std::string name;
    Vec3 gravity{0, 0, -9.81};  // [m/s^2]
    std::vector<Body> bodies;
    std::vector<Geom> geoms;  // sorted by body
    std::vector<Visual> visuals;
    std::vector<Material> materials;
    std::vector<SurfacePair> surface_pairs;  // materials x materials, symmetric
    std::vector<Joint> joints;
    std::vector<Tree> trees;  // made by finalize()
    std::vector<DofBlock> blocks;
    int nv = 0;              // generalized velocities
    int contact_repeat = 1;  // every contact listed this often, <= kMaxContactCopies; [D15]: 3

    [[nodiscard]] const SurfacePair& surface(int material_a, int material_b) const {
        return surface_pairs[at(material_a) * materials.size() + at(material_b)];
    }
};

// What follows from the joint's frames: axis_P, at_zero, at_half_turn.
void set_axis(Joint& joint);

// What follows from a body's inertia_B: its inverse, isotropic, principal axes.
void set_principal_axes(Body& body);

// Sets the joints' axes, makes the trees, numbers the blocks, sets what follows from the bodies'
// inertias and fills surface_pairs by the combination rules (geometric mean of friction, maximum of
// restitution). Explicit pair overrides are written into surface_pairs afterwards. Call once after
// building.
void finalize(Model& model);

}  // namespace stiction
