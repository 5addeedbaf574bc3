// builder.h - the scene under construction and the names that refer to its parts.
// load_scene() in scene.cpp runs the readers below over every document of the scene, each kind over
// all of them before the next, and completes the model.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scene/node.h"
#include "scene/scene.h"

namespace stiction {

// A mistyped repetition ends in a message before it has filled the memory.
inline constexpr std::size_t kMaxBodies = 100'000;
inline constexpr std::size_t kMaxGeoms = 400'000;
inline constexpr std::size_t kMaxJoints = 100'000;
inline constexpr std::size_t kMaxForces = 100'000;
inline constexpr std::size_t kMaxMaterials = 1000;
inline constexpr std::size_t kMaxGroups = 32;  // bits of a mask; `default` is the first

// Where a named thing is, and where in the files it was first named.
struct Named {
    int index = kNone;
    std::string place;
};
using Names = std::map<std::string, Named, std::less<>>;

// Index of the thing a node names; complains with the nearest name.
[[nodiscard]] int look_up(const Names& names, const Node& node, const std::string& name,
                          std::string_view what);
// Complains when the name is taken.
void enter(Names& names, const Node& node, const std::string& name, int index,
           std::string_view what);

// Coefficients of a pair that win over the combination of its materials; negative: not given.
struct PairOverride {
    int a = 0, b = 0;
    double friction = -1, viscous = -1, restitution = -1;
};

struct MeshPieces;  // mesh_shape.h

struct Builder {
    Scene scene;
    Names bodies, joints, materials, groups;
    std::vector<PairOverride> pairs;
    bool reduced = false;   // joints are in reduced coordinates unless they say otherwise
    double last_phase = 0;  // start of the last one read [s]
    std::map<std::uint64_t, std::shared_ptr<const MeshPieces>> meshes;  // taken apart, by content
    std::vector<Vec3> com;  // per body: centre of mass in the frame its entry is written in [m]
};

// settings.cpp: gravity, duration, seed, camera, step, contact, coordinates, description.
void read_settings(const Node& root, Builder& builder);
// materials.cpp
void add_default_material(Builder& builder);
void read_groups(const Node& root, Builder& builder);
void read_materials(const Node& root, Builder& builder);
void read_material_pairs(const Node& root, Builder& builder);
[[nodiscard]] int read_material(const Node& node,
                                Builder& builder);  // a name, or coefficients in place
void add_group(const Node& node, const std::string& name, Builder& builder);
[[nodiscard]] std::uint32_t read_group_bits(const Node& node, const Builder& builder);
// bodies.cpp, robots.cpp, joints.cpp, forces.cpp
void read_bodies(const Node& root, Builder& builder);
void read_robot_groups(const Node& root, Builder& builder);
void read_robots(const Node& root, Builder& builder);
void read_joints(const Node& root, Builder& builder);
// coordinates: maximal (rows hold the joint) or reduced (its coordinate is an unknown).
[[nodiscard]] bool read_reduced(const Node& node, bool otherwise);
[[nodiscard]] Motor read_motor(const Node& node, double most);  // most: force unless it says
void read_forces(const Node& root, Builder& builder);
void read_motions(const Node& root, Builder& builder);
void read_plots(const Node& root, Builder& builder);
// gaits.cpp, phases.cpp
void read_gaits(const Node& root, Builder& builder);
void read_phases(const Node& root, Builder& builder);

}  // namespace stiction
