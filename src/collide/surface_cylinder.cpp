// surface_cylinder.cpp - cylinders on ground of triangles.
#include <algorithm>
#include <cmath>

#include "collide/cylinder.h"
#include "collide/gjk.h"
#include "collide/surface_shapes.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

// Of a cylinder's depth: deeper edges and corners leave it to the rims.
constexpr double kShallow = 0.2;
// Of a cylinder: its rim's radius where n is looked for, so that n is that of the cylinder but for
// its rim. Ground that reaches deeper is looked for with a rim of kShallow.
constexpr double kRounded = 0.02;

// Distance to a cylinder that is a little smaller on all sides: what lies at one distance from it
// is a cylinder with a rounded rim, which has one normal everywhere.
class CylinderView {
  public:
    CylinderView(const WorldGeom& g, double share)
        : g_(g),
          shrunk_(share * std::min(g.radius, g.length)),
          radius_(g.radius - shrunk_),
          length_(g.length - shrunk_) {}

    [[nodiscard]] double shrunk() const { return shrunk_; }
    [[nodiscard]] double deepest() const { return std::min(radius_, length_); }
    // Distance of x from the inner cylinder and the direction from x to it.
    void towards(const Vec3& x, double& distance, Vec3& n) const {
        const Vec3 p = g_.R.transpose() * (x - g_.p);
        const double rho = std::hypot(p.x(), p.y());
        const double out = rho - radius_, up = std::abs(p.z()) - length_;
        double radial = 0, axial = 0;
        if (out > 0 && up > 0) {
            distance = std::hypot(out, up);
            radial = out / distance;
            axial = up / distance;
        } else {
            distance = std::max(out, up);
            (out > up ? radial : axial) = 1;
        }
        const double s = rho > 0 ? radial / rho : 0;
        n = -(g_.R * Vec3(s * p.x(), s * p.y(), std::copysign(axial, p.z())));
    }
    [[nodiscard]] double at(const Vec3& x) const {
        double distance = 0;
        Vec3 n;
        towards(x, distance, n);
        return distance;
    }

  private:
    const WorldGeom& g_;
    double shrunk_, radius_, length_;
};

// Points of the rims over the face they are lowest for, as against a plane. Whether they are over
// it is asked of the rounded rim, so that one of face, edge and corner has the point.
template <class Surface>
void rim_hits(const Surface& surface, const WorldGeom& a, const CylinderView& rounded,
              const Reach& box, SurfaceHits& hits) {
    const double deepest = std::min(a.radius, a.length);
    const double inner = 1 - rounded.shrunk() / a.radius;
    surface.for_each_near(box.lo, box.hi, [&](int id) {
        const SurfaceTriangle t = surface.triangle(id);
        const RimBasis rim = rim_basis(a, -t.n);
        for (std::uint32_t i = 0; i < 8; ++i) {
            const double end = i < 4 ? -1 : 1;
            const Vec3 offset = rim_offset(rim, static_cast<int>(i % 4), 4);
            const Vec3 p = a.end(end) + offset;
            const double phi = t.n.dot(p - t.v[0]);
            if (phi > hits.margin || phi < -deepest) continue;
            const Vec3 x = a.end(end) - end * rounded.shrunk() * a.axis() + inner * offset;
            bool over = true;
            for (std::size_t k = 0; k < 3 && over; ++k) {
                const Vec3 edge = t.v[(k + 1) % 3] - t.v[k];
                over = t.n.cross(edge).dot(x - t.v[k]) >= -kOnEdge * edge.squaredNorm();
            }
            if (over) hits.add({p, t.n, phi, i, face_key(id)});
        }
    });
}

// An edge of the ground against rim, side and end: the distance along the edge is convex, so its
// least value is found by bisection; where it is least along a stretch both ends count. The gap is
// the cylinder's own along the normal of the rounded one. False where the edge is deeper than the
// rounding: then there is no one normal.
bool edge_against_cylinder(const WorldGeom& a, const CylinderView& rounded,
                           const SurfaceTriangle& t, int k, const SurfaceEdge& e,
                           SurfaceHits& hits) {
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
        const Vec3 x = e.from + u * e.dir;
        double distance = 0;
        Vec3 n;
        rounded.towards(x, distance, n);
        n -= n.dot(e.dir) * e.dir;
        if (n.norm() < 0.5) return;
        n.normalize();
        if (!in_cone(e, n)) return;
        const double phi = n.dot(support(a, -n) - x);
        if (phi < -kShallow * rounded.deepest()) return;
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
bool corner_against_cylinder(const Surface& surface, const WorldGeom& a,
                             const CylinderView& rounded, int vertex, const Vec3& v,
                             SurfaceHits& hits) {
    double distance = 0;
    Vec3 n;
    rounded.towards(v, distance, n);
    if (distance > hits.margin + rounded.shrunk()) return true;
    const double phi = n.dot(support(a, -n) - v);
    if (phi >= -kShallow * rounded.deepest() && is_corner(surface, vertex, n))
        hits.add({v + phi * n, n, phi, kGroundCornerLabel, vertex_key(vertex)});
    return distance >= 0;
}

// Contacts of a cylinder with one rounding of its rim. Returns whether the ground reaches deeper.
template <class Surface>
bool add_rounded(const Surface& surface, const WorldGeom& a, const CylinderView& rounded,
                 const Reach& box, SurfaceHits& hits) {
    rim_hits(surface, a, rounded, box, hits);
    bool deeper = false;
    const auto far = [&](const Vec3& middle, double half_edge) {
        return rounded.at(middle) > half_edge + hits.margin + rounded.shrunk();
    };
    for_each_sharp_edge(surface, box.lo, box.hi, far,
                        [&](const SurfaceTriangle& t, int k, const SurfaceEdge& e) {
                            deeper |= !edge_against_cylinder(a, rounded, t, k, e, hits);
                        });
    surface.for_each_near(box.lo, box.hi, [&](int id) {
        const SurfaceTriangle t = surface.triangle(id);
        for (std::size_t k = 0; k < 3; ++k)
            deeper |= !corner_against_cylinder(surface, a, rounded, t.vertex[k], t.v[k], hits);
    });
    return deeper;
}

}  // namespace

template <class Surface>
void cylinder_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    const Vec3 half = a.R.cwiseAbs() * Vec3(a.radius, a.radius, a.length);
    const Reach box = around(a.p, half, hits.margin);
    if (add_rounded(surface, a, CylinderView(a, kRounded), box, hits))
        add_rounded(surface, a, CylinderView(a, kShallow), box, hits);
}

template void cylinder_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void cylinder_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);

}  // namespace stiction
