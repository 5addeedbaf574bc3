// convex.cpp - any two convex shapes: Bullet's GJK/EPA finds the normal, the manifold is ours.
//
// A flat face whose own normal has nearly as large a gap as Bullet's is the reference: the other
// shape's face, rim or side line is clipped to it and gaps are heights over it, exact. Otherwise
// two lines side by side give two contacts, and anything else one, computed afresh from the
// features Bullet's normal points at (polish.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/cone.h"
#include "collide/face.h"
#include "collide/face_manifold.h"
#include "collide/feature_id.h"
#include "collide/gjk.h"
#include "collide/meeting_edges.h"
#include "collide/pairs.h"
#include "collide/polish.h"
#include "collide/support_polish.h"

namespace stiction {
namespace {

// Of the smaller shape's size: a face's gap may be less by so much and the face is still taken,
// because it holds a body at several points where the nearest points hold it at one.
constexpr double kFaceBias = 1e-5;
constexpr double kTolerance = 1e-6;  // of the shapes' size: corners at the same height
// Of the same: rounding of gaps. Where faces lie on one another both have the largest gap, and which
// is the reference, and with it the names of the contacts, must not be left to rounding.
constexpr double kRounding = 1e-10;

// True when the face settles the matter.
bool try_face(const WorldGeom& ref, const WorldGeom& inc, const std::optional<Face>& face,
              bool ref_is_b, double least_gap, double margin, Manifold& m) {
    if (!face || inc.kind == ShapeKind::kEllipsoid) return false;
    const double gap = face->normal.dot(support(inc, -face->normal)) - face->offset;
    if (gap < least_gap) return false;
    const int before = m.count;
    const bool sliver = add_face_manifold(ref, inc, *face, ref_is_b, margin, m);
    // Under an edge that is rounded there is something even where its core barely reaches.
    const bool sharp = ref.edge_radius == 0 && inc.edge_radius == 0;
    return (sliver && sharp) || m.count > before;
}

// The line of a shape that a contact with normal direction d (out of the shape) lies along, if any.
std::optional<Segment> contact_line(const WorldGeom& g, const Vec3& d, double size) {
    if (g.kind == ShapeKind::kEllipsoid) return std::nullopt;
    if (g.kind == ShapeKind::kCone) {
        if (off_side_normal(g, d) > kParallelSine) return std::nullopt;
        return side_line(g, d);
    }
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
    const bool b_first = disc_a != disc_b ? disc_a : b.extent() >= a.extent();
    if (b_first && try_face(b, a, face_b, true, least_gap, margin, m)) return true;
    if (try_face(a, b, face_a, false, least_gap, margin, m)) return true;
    return !b_first && try_face(b, a, face_b, true, least_gap, margin, m);
}

Vec3 edge_vector(const Polygon& polygon, int i) {
    return polygon.points[at((i + 1) % polygon.count)] - polygon.points[at(i)];
}

// Edge i of a face's polygon with its two normals. Its direction does not depend on which of its two
// faces that is: it is told by a direction of the shape that no edge of a usual one is perpendicular
// to.
Edge edge_of(const WorldGeom& g, const Face& face, const Polygon& polygon, int i) {
    const Vec3 edge = edge_vector(polygon, i);
    const double length = edge.norm();
    const double sign = edge.dot(g.R * Vec3(1, 0.7549, 0.5698)) < 0 ? -1 : 1;
    const Segment line{polygon.points[at(i)] + 0.5 * edge, sign / length * edge, 0.5 * length};
    return {line, face.normal, normal_across(g, face, i)};
}

bool has_edges(const std::optional<Face>& face, const WorldGeom& g) {
    return face && !face->round &&
           (g.hull == nullptr || g.hull->faces[face->id].vertices.size() <= kMaxPolygon);
}

// Two contacts where an edge of the face of A that looks at B runs along one of B's and meets it.
bool add_parallel_edges(const WorldGeom& a, const WorldGeom& b, const Vec3& n, double size,
                        double margin, Manifold& m) {
    const std::optional<Face> face_a = face_towards(a, -n), face_b = face_towards(b, n);
    if (!has_edges(face_a, a) || !has_edges(face_b, b)) return false;
    if (face_a->normal.dot(face_b->normal) < -kParallelFacesCosine) return false;
    const Polygon corners_a = corners(a, *face_a, -n), corners_b = corners(b, *face_b, n);
    double least2 = std::numeric_limits<double>::infinity();
    int in_a = 0, in_b = 0;
    for (int i = 0; i < corners_a.count; ++i) {
        const Vec3 ea = edge_vector(corners_a, i);
        for (int j = 0; j < corners_b.count; ++j) {
            const Vec3 eb = edge_vector(corners_b, j);
            const double lengths2 = ea.squaredNorm() * eb.squaredNorm();
            if (ea.cross(eb).squaredNorm() > kParallelSine * kParallelSine * lengths2) continue;
            const Vec3 d = corners_b.points[at(j)] - corners_a.points[at(i)];
            const double distance2 = ea.cross(d).squaredNorm() / ea.squaredNorm();
            if (distance2 >= least2) continue;
            least2 = distance2;
            in_a = i;
            in_b = j;
        }
    }
    if (!std::isfinite(least2)) return false;
    const Edge edge_a = edge_of(a, *face_a, corners_a, in_a);
    const Edge edge_b = edge_of(b, *face_b, corners_b, in_b);
    return add_meeting_edges(edge_a, edge_b, kEdgeReach * size, margin,
                             feature_id(kConvexLines, 0, kLowEnd),
                             feature_id(kConvexLines, 0, kHighEnd), m);
}

}  // namespace

void collide_convex_convex(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    NearestPoints nearest = nearest_points(a, b);
    if (nearest.phi > margin) return;
    const double size = std::min(a.extent(), b.extent());
    const bool sharp = a.edge_radius == 0 && b.edge_radius == 0;
    if (sharp && add_parallel_edges(a, b, nearest.n, size, margin, m)) return;
    if (add_faces(a, b, nearest.n, nearest.phi - kRounding * size, margin, m)) return;
    if (needs_support_polish(a.kind) || needs_support_polish(b.kind)) {
        polish_by_support(a, b, size, nearest);
    } else {
        polish(a, b, size, nearest);
    }
    if (add_faces(a, b, nearest.n, nearest.phi - kFaceBias * size, margin, m)) return;
    if (add_lines(a, b, nearest.n, size, margin, m)) return;
    if (nearest.phi <= margin) {
        const Vec3 middle = 0.5 * (nearest.p_A + nearest.p_B);
        m.add_on_A(middle + 0.5 * nearest.phi * nearest.n, nearest.n, nearest.phi,
                   feature_id(kConvexPoint, 0, kSingle));
    }
}

}  // namespace stiction
