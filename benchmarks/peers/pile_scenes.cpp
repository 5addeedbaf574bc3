// pile_scenes.cpp - the list of the scenes, and their bodies as plain numbers.
#include "pile_scenes.h"

#include <variant>

#include "core/error.h"
#include "scene/scene.h"

namespace stiction::peers {

namespace {

Vec plain(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

const std::vector<PileScene>& pile_scenes() {
    static const std::vector<PileScene> kScenes = {
        {"boxes", STICTION_PILE_SHAPES, {{"cubes", "1000"}, {"row", "6"}}, 0.001, 3},
        {"pyramid", STICTION_SOURCE_SCENES "/pyramid.yaml", {}, 0.001, 2},
        {"wall", STICTION_SOURCE_SCENES "/brick_wall.yaml", {}, 0.001, 5},
        {"wall", STICTION_SOURCE_SCENES "/brick_wall.yaml", {}, 1.0 / 60, 5},
        {"islands", STICTION_SOURCE_SCENES "/islands.yaml", {}, 0.001, 2},
    };
    return kScenes;
}

Pile load_pile(const PileScene& given) {
    SceneOverrides overrides;
    overrides.parameters = given.parameters;
    const Scene scene = load_scene(given.file, overrides);
    Pile pile{.dt = given.dt,
              .mu = scene.model.materials.front().surface.mu_c,
              .planes = {},
              .bodies = {}};
    for (const Geom& geom : scene.model.geoms) {
        const auto i = static_cast<std::size_t>(geom.body);
        const Pose pose = scene.state.pose[i] * geom.pose_BG;
        if (std::holds_alternative<Plane>(geom.shape)) {
            const Vec3 n = pose.q * Vec3::UnitZ();
            pile.planes.push_back({plain(n), n.dot(pose.p)});
        } else if (const Box* box = std::get_if<Box>(&geom.shape)) {
            pile.bodies.push_back({.radius = 0,
                                   .half = plain(box->half),
                                   .mass = scene.model.bodies[i].mass,
                                   .p = plain(pose.p),
                                   .q = {pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z()}});
        } else {
            throw InputError(given.file + ": a pile has only boxes and planes");
        }
    }
    return pile;
}

}  // namespace stiction::peers
