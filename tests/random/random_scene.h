// random_scene.h - a scene from a seed: some groups of bodies (heaps, towers, leaning plates,
// linkages, presses) on ground of some kind, under one of the six models, which changes in the
// middle of two runs out of three.
//
// What is drawn: spheres, boxes, capsules, cylinders, hulls and compounds of them; masses over up to six decades; starts that touch
// exactly, are apart or overlap deeply; joints of all kinds in maximal and reduced coordinates,
// with limits, motors, friction, mimics and closed loops; Coulomb friction from 0 to 100, viscous
// friction, restitution to 1; static, moving and spinning kinematic bodies; forces; every
// stabilisation; copies of contacts; budgets of a few iterations.
// What is not: the acceleration level (explicit: it may blow up by its own law), cones, ellipsoids
// and rounded boxes, meshes and robots from files, time budgets (not deterministic).
#pragma once

#include <cstdint>

#include "random/scene_sketch.h"

namespace stiction {

// Changes of this function give every seed another scene: seeds are not kept over versions, YAML is.
[[nodiscard]] SceneSketch random_scene(std::uint64_t seed);

}  // namespace stiction
