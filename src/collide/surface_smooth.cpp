// surface_smooth.cpp - ellipsoids and rounded boxes on ground of triangles.
#include <cmath>

#include "collide/gjk.h"
#include "collide/rounded.h"
#include "collide/support_polish.h"
#include "collide/surface_shapes.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

constexpr std::uint32_t kBallLabel = 1;  // ground inside the ellipsoid; the surface has 0

// An ellipsoid has one point with each plane, line and point of the ground: those of the ground's faces
// that it lies over, of convex edges between their ends, and of corners that stand out.
template <class Surface>
class EllipsoidContacts {
  public:
    EllipsoidContacts(const Surface& surface, const WorldGeom& a, SurfaceHits& hits)
        : surface_(surface),
          a_(a),
          hits_(hits),
          self_(ellipsoid_feature(a)),
          least_(a.half.minCoeff()) {}

    void find() {
        Vec3 half;  // of the box around the ellipsoid
        for (int k = 0; k < 3; ++k) half[k] = a_.R.row(k).transpose().cwiseProduct(a_.half).norm();
        const Reach box = around(a_.p, half, hits_.margin);
        const auto far = [&](const Vec3& middle, double half_edge) {
            return way_to(middle) > half_edge + hits_.margin;
        };
        auto parted = per_triangle(
            surface_, [&](std::span<const Vec3> corners) { return out_of_reach(corners); });
        const auto skip = [&](const Vec3& lo, const Vec3& hi) {
            return parts_from_box(a_, a_.half, lo, hi, hits_.margin);
        };
        surface_.for_each_near(box.lo, box.hi, skip, [&](int id) {
            if (parted(id)) return;
            const SurfaceTriangle t = surface_.triangle(id);
            consider_face(t);
            for_sharp_edges_of(surface_, t, box.lo, box.hi, far,
                               [&](const SurfaceTriangle&, int k, const SurfaceEdge& e) {
                                   consider_edge(t, k, e);
                               });
            for (std::size_t k = 0; k < 3; ++k)
                if (surface_.has_vertex(id, k)) consider_vertex(t.vertex[k], t.v[k]);
        });
        if (hits_.count == 0)
            add_point_contacts(surface_, {a_.p, least_, least_, a_.size, kBallLabel}, hits_);
    }

  private:
    // At most the distance of x: along the way from the centre to it.
    [[nodiscard]] double way_to(const Vec3& x) const {
        const Vec3 d = x - a_.p;
        const double along = d.norm();
        return along > 0 ? along - (self_.half_axes.transpose() * (d / along)).norm() : -least_;
    }
    // A ball around the corners is out of reach of the box of the ellipsoid's axes, or of its ball.
    [[nodiscard]] bool out_of_reach(std::span<const Vec3> corners) const {
        Vec3 lo = a_.R.transpose() * (corners[0] - a_.p), hi = lo;
        for (const Vec3& x : corners.subspan(1)) {
            const Vec3 p = a_.R.transpose() * (x - a_.p);
            lo = lo.cwiseMin(p);
            hi = hi.cwiseMax(p);
        }
        return (lo.cwiseMax(-hi) - a_.half).maxCoeff() > hits_.margin;
    }
    void add(const NearestPoints& at, std::uint64_t key) {
        if (at.phi >= -least_) hits_.add({at.p_A, at.n, at.phi, 0, key});
    }
    void consider_face(const SurfaceTriangle& t) {
        const Vec3 p = support(a_, -t.n);
        const double phi = t.n.dot(p - t.v[0]);
        if (phi > hits_.margin) return;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 edge = t.v[(k + 1) % 3] - t.v[k];
            if (t.n.cross(edge).dot(p - t.v[k]) < -kOnEdge * edge.squaredNorm()) return;
        }
        add({t.n, p, p - phi * t.n, phi}, face_key(t.id));
    }
    // The normal of a similar ellipsoid through x, towards its middle.
    [[nodiscard]] Vec3 guess(const Vec3& x) const {
        const Vec3 local = (a_.R.transpose() * (a_.p - x)).cwiseQuotient(a_.half.cwiseAbs2());
        return (a_.R * local).normalized();
    }
    void consider_edge(const SurfaceTriangle& t, int k, const SurfaceEdge& e) {
        // Where the edge comes nearest in the measure that makes a ball of the ellipsoid.
        const Vec3 from = (a_.R.transpose() * (e.from - a_.p)).cwiseQuotient(a_.half);
        const Vec3 dir = (a_.R.transpose() * e.dir).cwiseQuotient(a_.half);
        const Vec3 x = e.from - from.dot(dir) / dir.squaredNorm() * e.dir;
        if ((x - a_.p).norm() < kOnEdge * least_) return;
        SupportFeature edge;
        edge.kind = SupportFeature::Kind::kLine;
        edge.centre = e.from + 0.5 * e.length * e.dir;
        edge.axis = e.dir;
        edge.half = 0.5 * e.length * (1 - kOnEdge);
        NearestPoints at{guess(x), x, x, 0};
        if (settle(self_, edge, least_, at) && in_cone(e, at.n))
            add(at, edge_key(t.vertex[stiction::at(k)], t.vertex[stiction::at((k + 1) % 3)]));
    }
    void consider_vertex(int vertex, const Vec3& v) {
        if (way_to(v) > hits_.margin || (v - a_.p).norm() < kOnEdge * least_) return;
        SupportFeature corner;
        corner.centre = v;
        NearestPoints at{guess(v), v, v, 0};
        if (settle(self_, corner, least_, at) && is_corner(surface_, vertex, at.n))
            add(at, vertex_key(vertex));
    }

    const Surface& surface_;
    const WorldGeom& a_;
    SurfaceHits& hits_;
    SupportFeature self_;
    double least_;
};

}  // namespace

template <class Surface>
void ellipsoid_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    EllipsoidContacts<Surface>(surface, a, hits).find();
}

// Those of its core, less the radius.
template <class Surface>
void rounded_box_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    hits.margin += a.edge_radius;
    box_hits(surface, core_of(a), hits);
    hits.margin -= a.edge_radius;
    for (int i = 0; i < hits.count; ++i) {
        SurfaceHit& hit = hits.hits[at(i)];
        hit.p_A -= a.edge_radius * hit.n;
        hit.phi -= a.edge_radius;
    }
}

template void ellipsoid_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void ellipsoid_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);
template void rounded_box_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void rounded_box_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);

}  // namespace stiction
