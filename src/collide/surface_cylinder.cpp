// surface_cylinder.cpp - cylinders and cones on ground of triangles.
#include <algorithm>
#include <array>
#include <cmath>

#include "collide/cone.h"
#include "collide/cylinder.h"
#include "collide/gjk.h"
#include "collide/support_polish.h"
#include "collide/surface_shapes.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

// Of a ball inside the shape: the radius of the rim where n is looked for. At first n is that of the
// shape but for its rim; ground that reaches deeper is looked for with more.
constexpr std::array<double, 4> kRoundings = {0.02, 0.2, 0.5, 0.9};
constexpr double kShallow = 0.2;   // of it: what may always be as deep as that
constexpr double kDiagonal = 1.5;  // of the rounding, well above sqrt(2): how deep its rim may be
constexpr double kSameSide = 0.7;  // cosine: a normal without rounding that is the same contact's
// Labels of A's features; points of rims have 0 to 7.
constexpr std::uint32_t kApexLabel = 8, kBallLabel = 9;

// Of a ball inside the shape.
double ball_inside(const WorldGeom& g) {
    if (g.kind == ShapeKind::kCylinder) return std::min(g.radius, g.length);
    return 2 * g.length * g.radius / (g.radius + ConeSlope(g).slant);
}

Vec3 centre_of_ball(const WorldGeom& g) {
    return g.kind == ShapeKind::kCylinder ? g.p : Vec3(g.end(-1) + ball_inside(g) * g.axis());
}

// Distance to a cylinder or cone that is a little smaller on all sides: what lies at one distance from
// it is the shape with a rounded rim, which has one normal everywhere.
class RoundedView {
  public:
    RoundedView(const WorldGeom& g, double share)
        : g_(g),
          ball_(ball_inside(g)),
          shrunk_(share * ball_),
          radius_(g.radius - shrunk_),
          length_(g.length - shrunk_) {
        if (g.kind != ShapeKind::kCone) return;
        // A similar cone whose sides are all nearer by `shrunk`.
        radius_ = g.radius * (1 - share);
        length_ = g.length * (1 - share);
        shift_ = shrunk_ - (g.length - length_);
    }

    [[nodiscard]] double shrunk() const { return shrunk_; }
    [[nodiscard]] double deepest() const { return ball_; }
    // How deep ground may be that is seen with this rounding.
    [[nodiscard]] double limit() const { return std::max(kShallow * ball_, kDiagonal * shrunk_); }
    // The point of the rim of the inner shape for one of the shape's own rim.
    [[nodiscard]] Vec3 inner(const Vec3& centre, const Vec3& offset, double end) const {
        const double up = g_.kind == ShapeKind::kCone ? shrunk_ : -end * shrunk_;
        return centre + up * g_.axis() + radius_ / g_.radius * offset;
    }
    // Distance of x from the inner shape and the direction from x to it; whether it is its rim that is
    // nearest.
    bool towards(const Vec3& x, double& distance, Vec3& n) const {
        const Vec3 p = g_.R.transpose() * (x - g_.p);
        const double rho = std::hypot(p.x(), p.y());
        bool rim = false;
        const RevolvedDistance d = g_.kind == ShapeKind::kCone
                                       ? cone_distance(radius_, length_, rho, p.z() - shift_)
                                       : cylinder_distance(rho, p.z(), rim);
        distance = d.distance;
        if (g_.kind == ShapeKind::kCone) rim = distance > 0 && d.axial < 0 && d.radial > 0;
        const double s = rho > 0 ? d.radial / rho : 0;
        n = -(g_.R * Vec3(s * p.x(), s * p.y(), d.axial));
        return rim;
    }
    [[nodiscard]] double at(const Vec3& x) const {
        double distance = 0;
        Vec3 n;
        towards(x, distance, n);
        return distance;
    }
    // Whether all points lie beyond one side of the box around the shape by more than the margin.
    [[nodiscard]] bool parts(std::span<const Vec3> points, double margin) const {
        const Vec3 half(g_.radius, g_.radius, g_.length);
        Vec3 lo = g_.R.transpose() * (points[0] - g_.p), hi = lo;
        for (const Vec3& x : points.subspan(1)) {
            const Vec3 p = g_.R.transpose() * (x - g_.p);
            lo = lo.cwiseMin(p);
            hi = hi.cwiseMax(p);
        }
        return (lo.cwiseMax(-hi) - half).maxCoeff() > margin;
    }

  private:
    [[nodiscard]] RevolvedDistance cylinder_distance(double rho, double z, bool& rim) const {
        const double out = rho - radius_, up = std::abs(z) - length_;
        rim = out > 0 && up > 0;
        if (rim) {
            const double distance = std::hypot(out, up);
            return {distance, out / distance, std::copysign(up / distance, z)};
        }
        if (out > up) return {out, 1, 0};
        return {up, 0, std::copysign(1.0, z)};
    }

    const WorldGeom& g_;
    double ball_, shrunk_, radius_, length_;
    double shift_ = 0;  // of the inner cone's middle [m]
};

// Points of the rims over the face they are lowest for, as against a plane. Whether they are over
// it is asked of the rounded rim, so that one of face, edge and corner has the point.
void rim_over(const WorldGeom& a, const RoundedView& rounded, const SurfaceTriangle& t,
              SurfaceHits& hits) {
    const double deepest = rounded.deepest();
    const RimBasis rim = rim_basis(a, -t.n);
    const std::uint32_t points = a.kind == ShapeKind::kCone ? 4 : 8;
    for (std::uint32_t i = 0; i < points; ++i) {
        const double end = i < 4 ? -1 : 1;
        const Vec3 offset = rim_offset(rim, static_cast<int>(i % 4), 4);
        const Vec3 p = a.end(end) + offset;
        const double phi = t.n.dot(p - t.v[0]);
        if (phi > hits.margin || phi < -deepest) continue;
        const Vec3 x = rounded.inner(a.end(end), offset, end);
        bool over = true;
        for (std::size_t k = 0; k < 3 && over; ++k) {
            const Vec3 edge = t.v[(k + 1) % 3] - t.v[k];
            over = t.n.cross(edge).dot(x - t.v[k]) >= -kOnEdge * edge.squaredNorm();
        }
        if (over) hits.add({p, t.n, phi, i, face_key(t.id)});
    }
}

// The rim and an edge of the ground: what their common normal is without rounding. The guess stays
// where they have none.
void sharpen(const WorldGeom& a, const SurfaceEdge& e, const Vec3& x, Vec3& n, Vec3& on_edge) {
    SupportFeature rim, edge;
    rim.kind = SupportFeature::Kind::kCircle;
    const bool up = a.kind == ShapeKind::kCylinder && n.dot(a.axis()) < 0;
    rim.centre = a.end(up ? 1 : -1);
    rim.axis = a.axis();
    rim.radius = a.radius;
    edge.kind = SupportFeature::Kind::kLine;
    edge.centre = e.from + 0.5 * e.length * e.dir;
    edge.axis = e.dir;
    edge.half = 0.5 * e.length;
    NearestPoints nearest{n, x, x, 0};
    if (!settle(rim, edge, a.radius, nearest) || nearest.n.dot(n) < kSameSide) return;
    if (std::abs(nearest.n.dot(support(a, -nearest.n) - nearest.p_B) - nearest.phi) >
        kOnEdge * a.radius)
        return;
    n = nearest.n;
    on_edge = nearest.p_B;
}

// An edge of the ground against rim, side and end: the distance along the edge is convex, so its
// least value is found by bisection; where it is least along a stretch both ends count. Normal and gap
// are those of the shape without rounding. False where the edge is deeper than the rounding: then
// there is no one normal.
bool edge_against(const WorldGeom& a, const RoundedView& rounded, const SurfaceTriangle& t, int k,
                  const SurfaceEdge& e, SurfaceHits& hits) {
    const auto value = [&](double u) { return rounded.at(e.from + u * e.dir); };
    double lo = 0, hi = e.length;
    for (int i = 0; i < 80; ++i) {  // thirds
        const double u = lo + (hi - lo) / 3, w = hi - (hi - lo) / 3;
        (value(u) <= value(w) ? hi : lo) = value(u) <= value(w) ? w : u;
    }
    const double least = 0.5 * (lo + hi);
    if (value(least) < 0) return false;
    const double level = value(least) + 1e-3 * rounded.shrunk();
    const auto end_of_stretch = [&](double inside, double outside) {
        if (value(outside) <= level) return outside;
        for (int i = 0; i < 40; ++i) {
            const double middle = 0.5 * (inside + outside);
            (value(middle) <= level ? inside : outside) = middle;
        }
        return inside;
    };
    const double from = end_of_stretch(least, 0), to = end_of_stretch(least, e.length);
    const bool stretch = to - from > 0.5 * a.radius;
    if (!stretch && (least < kOnEdge * e.length || least > e.length * (1 - kOnEdge))) return true;
    const std::uint64_t key = edge_key(t.vertex[at(k)], t.vertex[at((k + 1) % 3)]);
    const auto add = [&](double u, std::uint64_t which) {
        Vec3 x = e.from + u * e.dir;
        double distance = 0;
        Vec3 n;
        const bool rim = rounded.towards(x, distance, n);
        n -= n.dot(e.dir) * e.dir;
        if (n.norm() < 0.5) return;
        n.normalize();
        if (rim && !stretch) sharpen(a, e, x, n, x);
        if (!in_cone(e, n)) return;
        const double phi = n.dot(support(a, -n) - x);
        if (phi < -rounded.limit()) return;
        hits.add({x + phi * n, n, phi, kSideLabel, key + (which << 60)});
    };
    if (!stretch) {
        add(least, 0);
    } else {
        add(from, 0);
        add(to, 1);
    }
    return true;
}

// A corner of the ground against the same; false where it is deeper than the rounding.
template <class Surface>
bool corner_against(const Surface& surface, const WorldGeom& a, const RoundedView& rounded,
                    int vertex, const Vec3& v, SurfaceHits& hits) {
    double distance = 0;
    Vec3 n;
    rounded.towards(v, distance, n);
    if (distance > hits.margin + rounded.shrunk()) return true;
    const double phi = n.dot(support(a, -n) - v);
    if (phi >= -rounded.limit() && is_corner(surface, vertex, n))
        hits.add({v + phi * n, n, phi, kGroundCornerLabel, vertex_key(vertex)});
    return distance >= 0;
}

// Contacts with one rounding of the rim. Returns whether the ground reaches deeper.
template <class Surface>
bool add_rounded(const Surface& surface, const WorldGeom& a, const RoundedView& rounded,
                 const Reach& box, SurfaceHits& hits) {
    bool deeper = false;
    const double reach = hits.margin + rounded.shrunk();
    const auto far = [&](const Vec3& middle, double half_edge) {
        return rounded.at(middle) > half_edge + reach;
    };
    auto parted = per_triangle(
        surface, [&](std::span<const Vec3> corners) { return rounded.parts(corners, reach); });
    const Vec3 half(a.radius, a.radius, a.length);
    const auto skip = [&](const Vec3& lo, const Vec3& hi) {
        return parts_from_box(a, half, lo, hi, reach);
    };
    surface.for_each_near(box.lo, box.hi, skip, [&](int id) {
        if (parted(id)) return;
        const SurfaceTriangle t = surface.triangle(id);
        rim_over(a, rounded, t, hits);
        for_sharp_edges_of(surface, t, box.lo, box.hi, far,
                           [&](const SurfaceTriangle&, int k, const SurfaceEdge& e) {
                               deeper |= !edge_against(a, rounded, t, k, e, hits);
                           });
        for (std::size_t k = 0; k < 3; ++k)
            if (surface.has_vertex(id, k))
                deeper |= !corner_against(surface, a, rounded, t.vertex[k], t.v[k], hits);
    });
    return deeper;
}

template <class Surface>
void revolved_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    const Vec3 half = a.R.cwiseAbs() * Vec3(a.radius, a.radius, a.length);
    const Reach box = around(a.p, half, hits.margin);
    for (const double share : kRoundings) {
        if (!add_rounded(surface, a, RoundedView(a, share), box, hits)) break;
    }
    if (hits.count > 0) return;
    const double ball = ball_inside(a);  // the ground is deeper than all of these
    add_point_contacts(surface, {centre_of_ball(a), ball, ball, a.size, kBallLabel}, hits);
}

}  // namespace

template <class Surface>
void cylinder_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    revolved_hits(surface, a, hits);
}

// The apex as a corner.
template <class Surface>
void cone_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    add_point_contacts(surface, {a.end(1), 0, ball_inside(a) + hits.margin, a.size, kApexLabel},
                       hits);
    revolved_hits(surface, a, hits);
}

template void cylinder_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void cylinder_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);
template void cone_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void cone_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);

}  // namespace stiction
