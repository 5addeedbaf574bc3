// random_groups.h - groups of bodies that a random scene is put together from.
#pragma once

#include "random/draw.h"
#include "random/scene_sketch.h"

namespace stiction {

// What the bodies of one scene have in common.
struct Style {
    double size = 0.1;        // of a body [m]
    double mass = 1;          // of the lightest [kg]
    double mass_decades = 0;  // spread: the heaviest is 10^this times as heavy
    double speed = 0;         // of the start [m/s]
    double friction_lo = 0.5, friction_hi = 0.5;
    double viscous = 0;  // [N s/m]
    double restitution = 0;
    double gravity = 9.81;  // magnitude [m/s^2]
};

struct GroupPlace {
    Vec3 origin = Vec3::Zero();  // on the ground, in the middle of the group
    int bodies = 1;              // to be added; a group may need one more
};

// Bodies of all shapes in a box: apart, touching or deep inside one another.
void add_heap(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch);
// One on the other with faces that touch exactly, or with a small gap or overlap.
void add_tower(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch);
// Pairs of plates that lean against each other: edges on faces and on edges.
void add_leaning(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch);
// Bodies linked by joints: chains, trees and loops, free or held by the world.
void add_linkage(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch);
// A row of bodies between two jaws that slide and are pushed inward by forces or motors.
void add_press(const Style& style, const GroupPlace& place, Draw& draw, SceneSketch& sketch);

// A dynamic body of the style without shapes, named by its place in the list.
[[nodiscard]] BodySketch styled_body(const Style& style, Draw& draw, const SceneSketch& sketch);

}  // namespace stiction
