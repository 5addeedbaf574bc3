// rounded.cpp - rounded boxes: all points within a radius of a box, their core. The contacts are those
// of the core with the radius taken off the gaps, exact as long as the core itself is not reached;
// deeper the core counts as a box does.
#include "collide/rounded.h"

#include <algorithm>

#include "collide/pairs.h"

namespace stiction {
namespace {

// Takes the radii of A and B off the points from `first` on.
void round_off(double radius_a, double radius_b, int first, Manifold& m) {
    for (int i = first; i < m.count; ++i) {
        ManifoldPoint& point = m.points[at(i)];
        point.p_A -= radius_a * point.n;
        point.p_B += radius_b * point.n;
        point.phi -= radius_a + radius_b;
    }
}

void with_core_of_b(PairFunction function, const WorldGeom& a, const WorldGeom& b, double margin,
                    Manifold& m) {
    const int first = m.count;
    function(a, core_of(b), margin + b.edge_radius, m);
    round_off(0, b.edge_radius, first, m);
}

}  // namespace

void collide_rounded_box_plane(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const int first = m.count;
    collide_box_plane(core_of(a), b, margin + a.edge_radius, m);
    round_off(a.edge_radius, 0, first, m);
}

void collide_sphere_rounded_box(const WorldGeom& a, const WorldGeom& b, double margin,
                                Manifold& m) {
    with_core_of_b(collide_sphere_box, a, b, margin, m);
}

void collide_capsule_rounded_box(const WorldGeom& a, const WorldGeom& b, double margin,
                                 Manifold& m) {
    with_core_of_b(collide_capsule_box, a, b, margin, m);
}

void collide_rounded_convex(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const int first = m.count;
    collide_convex_convex(core_of(a), core_of(b), margin + a.edge_radius + b.edge_radius, m);
    round_off(a.edge_radius, b.edge_radius, first, m);
}

}  // namespace stiction
