// convex.cpp - any two convex shapes: Bullet's GJK/EPA finds the normal, the manifold is ours.
//
// A flat face whose own normal has nearly as large a gap as Bullet's is the reference: the other
// shape's face, rim or side line is clipped to it and gaps are heights over it, exact. Otherwise
// two lines side by side give two contacts, and anything else one, computed afresh from the
// features Bullet's normal points at (polish.h).
#include <algorithm>
#include <cmath>

#include "collide/face.h"
#include "collide/face_manifold.h"
#include "collide/feature_id.h"
#include "collide/gjk.h"
#include "collide/pairs.h"
#include "collide/polish.h"

namespace stiction {
namespace {

// Of the smaller shape's size: a face's gap may be less by so much and the face is still taken,
// because it holds a body at several points where the nearest points hold it at one.
constexpr double kFaceBias = 1e-5;
// At a smaller angle two lines run side by side: their nearest points would jump from end to end.
constexpr double kParallelSine = 1e-3;
constexpr double kTolerance = 1e-6;  // of the shapes' size: corners at the same height

double size_of(const WorldGeom& g) {
    return g.kind == ShapeKind::kBox || g.kind == ShapeKind::kHull ? g.size : g.radius + g.length;
}

// True when the face settles the matter.
bool try_face(const WorldGeom& ref, const WorldGeom& inc, const std::optional<Face>& face,
              bool ref_is_b, double least_gap, double margin, Manifold& m) {
    if (!face) return false;
    const double gap = face->normal.dot(support(inc, -face->normal)) - face->offset;
    if (gap < least_gap) return false;
    const int before = m.count;
    const bool sliver = add_face_manifold(ref, inc, *face, ref_is_b, margin, m);
    return sliver || m.count > before;
}

// The line of a shape that a contact with normal direction d (out of the shape) lies along, if any.
std::optional<Segment> contact_line(const WorldGeom& g, const Vec3& d, double size) {
    if (g.kind == ShapeKind::kCylinder || g.kind == ShapeKind::kCapsule) {
        if (std::abs(g.axis().dot(d)) > kParallelSine) return std::nullopt;
        return side_line(g, d);
    }
    const Polygon c = support_corners(g, d, kTolerance * size);
    if (c.count != 2) return std::nullopt;
    const Vec3 edge = c.points[1] - c.points[0];
    return Segment{0.5 * (c.points[0] + c.points[1]), edge.normalized(), 0.5 * edge.norm()};
}

bool add_lines(const WorldGeom& a, const WorldGeom& b, const Vec3& n, double size, double margin,
               Manifold& m) {
    const std::optional<Segment> la = contact_line(a, -n, size), lb = contact_line(b, n, size);
    if (!la || !lb || la->dir.cross(lb->dir).norm() > kParallelSine) return false;
    const double from = la->dir.dot(lb->centre - la->centre);
    const double lo = std::max(-la->half, from - lb->half),
                 hi = std::min(la->half, from + lb->half);
    if (hi - lo <= kTolerance * size) return false;
    const int before = m.count;
    std::uint32_t end = kLowEnd;
    for (const double s : {lo, hi}) {
        const Vec3 p_A = la->at(s);
        const double phi = n.dot(p_A - lb->at(lb->nearest(p_A)));
        if (phi <= margin) m.add_on_A(p_A, n, phi, feature_id(kConvexLines, 0, end));
        ++end;
    }
    return m.count > before;
}

// The faces of both that look at the other shape, in order of preference: a polygon comes before a
// disc, then the larger shape's before the other's.
bool add_faces(const WorldGeom& a, const WorldGeom& b, const Vec3& n, double least_gap,
               double margin, Manifold& m) {
    const std::optional<Face> face_a = face_towards(a, -n), face_b = face_towards(b, n);
    const bool disc_a = face_a && face_a->round, disc_b = face_b && face_b->round;
    const bool b_first = disc_a != disc_b ? disc_a : size_of(b) >= size_of(a);
    if (b_first && try_face(b, a, face_b, true, least_gap, margin, m)) return true;
    if (try_face(a, b, face_a, false, least_gap, margin, m)) return true;
    return !b_first && try_face(b, a, face_b, true, least_gap, margin, m);
}

}  // namespace

void collide_convex_convex(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    NearestPoints nearest = nearest_points(a, b);
    if (nearest.phi > margin) return;
    const double size = std::min(size_of(a), size_of(b));
    if (add_faces(a, b, nearest.n, nearest.phi, margin, m)) return;
    polish(a, b, size, nearest);
    if (add_faces(a, b, nearest.n, nearest.phi - kFaceBias * size, margin, m)) return;
    if (add_lines(a, b, nearest.n, size, margin, m)) return;
    if (nearest.phi <= margin) {
        const Vec3 middle = 0.5 * (nearest.p_A + nearest.p_B);
        m.add_on_A(middle + 0.5 * nearest.phi * nearest.n, nearest.n, nearest.phi,
                   feature_id(kConvexPoint, 0, kSingle));
    }
}

}  // namespace stiction
