// surface_round.cpp - spheres and capsules on ground of triangles.
#include <cmath>

#include "collide/surface_shapes.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

// The stretch of a capsule between its ends, over ridges and peaks.
template <class Surface>
class SideContacts {
  public:
    SideContacts(const Surface& surface, const WorldGeom& a, SurfaceHits& hits)
        : surface_(surface),
          a_(a),
          axis_{a.p, a.axis(), a.length},
          radius_(a.radius),
          hits_(hits) {}

    void find() {
        const Vec3 half = axis_.half * axis_.dir.cwiseAbs() + Vec3::Constant(radius_);
        const Reach box = around(axis_.centre, half, hits_.margin);
        const auto far = [&](const Vec3& middle, double half_edge) {
            const double reach = radius_ + hits_.margin + half_edge;
            return (axis_.at(axis_.nearest(middle)) - middle).squaredNorm() > reach * reach;
        };
        auto parted = per_triangle(
            surface_, [&](std::span<const Vec3> corners) { return out_of_reach(corners); });
        const Vec3 around_axis(radius_, radius_, axis_.half + radius_);
        const auto skip = [&](const Vec3& lo, const Vec3& hi) {
            return parts_from_box(a_, around_axis, lo, hi, hits_.margin);
        };
        surface_.for_each_near(box.lo, box.hi, skip, [&](int id) {
            if (parted(id)) return;
            const SurfaceTriangle t = surface_.triangle(id);
            for_sharp_edges_of(surface_, t, box.lo, box.hi, far,
                               [&](const SurfaceTriangle&, int k, const SurfaceEdge& e) {
                                   consider_edge(t, k, e);
                               });
            for (std::size_t k = 0; k < 3; ++k)
                if (surface_.has_vertex(id, k)) consider_vertex(t.vertex[k], t.v[k]);
        });
    }

  private:
    // A ball around the corners does not meet the capsule.
    [[nodiscard]] bool out_of_reach(std::span<const Vec3> corners) const {
        Vec3 centre = Vec3::Zero();
        for (const Vec3& v : corners) centre += v;
        centre /= static_cast<double>(corners.size());
        double ball = 0;
        for (const Vec3& v : corners) ball = std::max(ball, (v - centre).squaredNorm());
        const double reach = (1 + kOnEdge) * (radius_ + hits_.margin + std::sqrt(ball));
        return (axis_.at(axis_.nearest(centre)) - centre).squaredNorm() > reach * reach;
    }
    [[nodiscard]] bool between_ends(double s) const {
        return std::abs(s) < axis_.half * (1 - kOnEdge);
    }
    void add(double s, const Vec3& n, double distance, std::uint64_t key) {
        if (distance < -radius_) return;
        hits_.add({axis_.at(s) - radius_ * n, n, distance - radius_, kSideLabel, key});
    }
    void consider_edge(const SurfaceTriangle& t, int k, const SurfaceEdge& e) {
        const Segment edge{e.from + 0.5 * e.length * e.dir, e.dir, 0.5 * e.length};
        const Vec3 across = axis_.dir.cross(e.dir);
        if (across.norm() < kParallelSine) return;  // the ends, or the ends of the edge
        const SegmentPair nearest = closest(axis_, edge);
        if (!between_ends(nearest.s)) return;
        const Vec3 d = axis_.at(nearest.s) - edge.at(nearest.t);
        const double distance = d.norm();
        if (distance > radius_ + hits_.margin) return;
        if (std::abs(d.dot(e.dir)) > kTied * distance) return;  // nearest to the edge's end
        const double side = d.dot(e.n1 + e.n2) >= 0 ? 1 : -1;
        Vec3 n = across.normalized();
        if (n.dot(e.n1 + e.n2) < 0) n = -n;
        if (distance > kNoDirection * e.length) n = side / distance * d;
        if (!in_cone(e, n)) return;
        add(nearest.s, n, side * distance, edge_key(t.vertex[at(k)], t.vertex[at((k + 1) % 3)]));
    }
    void consider_vertex(int vertex, const Vec3& v) {
        const double s = axis_.nearest(v);
        if (!between_ends(s)) return;
        const Vec3 d = axis_.at(s) - v;
        const double distance = d.norm();
        if (distance > radius_ + hits_.margin || distance < kNoDirection * radius_) return;
        const double side = surface_.side_at_vertex(vertex, axis_.at(s)) >= 0 ? 1 : -1;
        const Vec3 n = side / distance * d;
        if (is_corner(surface_, vertex, n)) add(s, n, side * distance, vertex_key(vertex));
    }

    const Surface& surface_;
    const WorldGeom& a_;
    Segment axis_;
    double radius_;
    SurfaceHits& hits_;
};

}  // namespace

template <class Surface>
void sphere_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    add_point_contacts(surface, {a.p, a.radius, a.radius, a.size, 0}, hits);
}

template <class Surface>
void capsule_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    add_point_contacts(surface, {a.end(-1), a.radius, a.radius, a.size, 0}, hits);
    add_point_contacts(surface, {a.end(1), a.radius, a.radius, a.size, 1}, hits);
    SideContacts<Surface>(surface, a, hits).find();
}

template void sphere_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void sphere_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);
template void capsule_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void capsule_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);

}  // namespace stiction
