// scene_picture.h - a snapshot of a scene as a Picture: bodies, contacts, forces, joints.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/picture.h"
#include "draw/shape_mesh.h"
#include "live/snapshot.h"
#include "model/model.h"

namespace stiction {

struct DrawOptions {
    bool contacts = true;
    bool normals = false;
    bool forces = true;
    bool cones = false;
    bool errors = false;   // contact points by colour of their error
    bool islands = false;  // bodies by colour of their island
    bool joints = false;   // frames and limits
    bool centres = false;  // of mass
    bool pivots = true;    // of joints, and what holds fixed bases
    bool wireframe = false;
    bool transparent = false;
    bool shadows = true;
    bool grid = true;
    float mark_scale = 1;   // size of dots and arrows
    float force_scale = 1;  // length of force arrows
};

// Ball that holds all bodies but planes.
struct Extent {
    Vec3 centre = Vec3::Zero();
    double radius = 1;
};
[[nodiscard]] Extent extent(const Model& model, const State& state);

// Distance between lines of the grid in a view from so far: a power of ten [m].
[[nodiscard]] float grid_cell(double distance);

// Meshes of a model's shapes, made once per scene.
struct SceneMeshes {
    struct GeomMesh {
        int mesh = kNone;  // kNone: a plane
        Vec3f scale = Vec3f::Ones();
    };
    std::vector<Mesh> meshes;
    std::vector<GeomMesh> geoms;    // per geom of the model
    std::vector<GeomMesh> visuals;  // per visual
    double size = 0.1;  // typical half size of a moving body, sets the size of marks [m]
    double weight = 1;  // typical weight of one [N]
    Extent start;       // of the scene when it was loaded
};
[[nodiscard]] SceneMeshes make_scene_meshes(const Model& model, const State& start);

// Colour of an error in units of velocity [m/s], on a logarithmic scale between these.
inline constexpr double kSmallError = 1e-10, kLargeError = 1e-2;
[[nodiscard]] Colour error_colour(double error);

struct Highlight {
    int body = kNone;     // selected
    int contact = kNone;  // pointed at
};

// The force whose arrow has the typical length: follows the largest force of the steps shown,
// outliers left out, slowly downwards. Arrows are at most kLongestArrow times as long; a dot marks
// those that were cut.
struct ForceScale {
    double newtons = 0;
    double metres = 0;    // length of that arrow
    bool pinned = false;  // stays as it is
    std::int64_t step =
        -1;  // that it was last fitted to: a picture of the same step changes nothing
};
inline constexpr double kLongestArrow = 3;

// Refills `picture` but for its view, which must be set already. Arrows show the force on body A of
// each contact, or on the selected body where it is one of the two.
void fill_picture(const Model& model, const SceneMeshes& meshes, const Snapshot& snapshot,
                  const DrawOptions& options, const Highlight& highlight, ForceScale& scale,
                  Picture& picture);

}  // namespace stiction
