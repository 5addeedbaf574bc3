// surface_polyhedron.cpp - boxes and hulls on ground of triangles.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "collide/surface_shapes.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

constexpr double kTolerance = 1e-6;  // of the shape's size: well above rounding, below any edge
// Of the depth of a corner's shape: how deep behind a mesh is searched. Deeper it would come out on
// the other side.
constexpr double kSearchBehind = 0.5;

// What the tests below ask of a polyhedron, in the frame of the ground.
class BoxView {
  public:
    explicit BoxView(const WorldGeom& g) : g_(g), edges_(g.R * g.half.asDiagonal()) {
        for (std::uint32_t i = 0; i < 8; ++i) {
            corners_[i] = g_.p + edges_ * Vec3((i & 1U) != 0 ? 1 : -1, (i & 2U) != 0 ? 1 : -1,
                                               (i & 4U) != 0 ? 1 : -1);
        }
    }

    [[nodiscard]] double deepest() const { return g_.half.minCoeff(); }
    [[nodiscard]] Reach reach(double margin) const {
        return around(g_.p, edges_.cwiseAbs().rowwise().sum(), margin);
    }
    template <class F>
    void for_each_corner(F&& f) const {
        for (std::uint32_t i = 0; i < 8; ++i) f(i, corners_[i]);
    }
    // Calls f(along, for_each) for the edges' directions; for_each(g) calls g(id, from) for the edges
    // from + [0, 1] along.
    template <class F>
    void for_each_direction(F&& f) const {
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
            f(Vec3(2 * edges_.col(axis)), [&](auto&& g) {
                for (std::uint32_t i = 0; i < 8; ++i) {
                    if ((i >> axis & 1U) == 0) g(3 * i + axis, corners_[i]);
                }
            });
        }
    }
    [[nodiscard]] double lowest(const Vec3& n) const {
        return n.dot(g_.p) - (edges_.transpose() * n).cwiseAbs().sum();
    }
    // At most the distance of x.
    [[nodiscard]] double separation(const Vec3& x) const {
        return ((g_.R.transpose() * (x - g_.p)).cwiseAbs() - g_.half).maxCoeff();
    }
    // Whether all points lie beyond one face by more than the margin.
    [[nodiscard]] bool parts(std::span<const Vec3> points, double margin) const {
        Vec3 lo = g_.R.transpose() * (points[0] - g_.p), hi = lo;
        for (const Vec3& x : points.subspan(1)) {
            const Vec3 p = g_.R.transpose() * (x - g_.p);
            lo = lo.cwiseMin(p);
            hi = hi.cwiseMax(p);
        }
        return (lo.cwiseMax(-hi) - g_.half).maxCoeff() > margin;
    }
    // The same of a box along the axes of the ground.
    [[nodiscard]] bool parts(const Vec3& lo, const Vec3& hi, double margin) const {
        return parts_from_box(g_, g_.half, lo, hi, margin);
    }
    // Distance of x (negative inside) and the direction from x to the box; none where a corner of
    // the box is what is nearest.
    [[nodiscard]] bool towards(const Vec3& x, double& distance, Vec3& n) const {
        const Vec3 p = g_.R.transpose() * (x - g_.p);
        const Vec3 beyond = p.cwiseAbs() - g_.half;
        Vec3 out = Vec3::Zero();  // of the box, in its frame
        int k = 0;
        distance = beyond.maxCoeff(&k);
        const Vec3 outside = beyond.cwiseMax(0);
        if ((outside.array() > 0).count() == 3) return false;
        if ((outside.array() > 0).count() == 2) {
            distance = outside.norm();
            for (int i = 0; i < 3; ++i) out[i] = std::copysign(outside[i] / distance, p[i]);
        } else {
            out[k] = std::copysign(1.0, p[k]);
        }
        n = -(g_.R * out);
        return true;
    }

  private:
    const WorldGeom& g_;
    Mat3 edges_;
    std::array<Vec3, 8> corners_;
};

class HullView {
  public:
    explicit HullView(const WorldGeom& g) : g_(g) {}

    [[nodiscard]] double deepest() const { return g_.size / 6; }
    [[nodiscard]] Reach reach(double margin) const {
        Reach box{g_.p, g_.p};
        bool first = true;
        for_each_corner([&](std::uint32_t, const Vec3& x) {
            box.lo = first ? x : Vec3(box.lo.cwiseMin(x));
            box.hi = first ? x : Vec3(box.hi.cwiseMax(x));
            first = false;
        });
        return around(0.5 * (box.lo + box.hi), 0.5 * (box.hi - box.lo), margin);
    }
    template <class F>
    void for_each_corner(F&& f) const {
        std::uint32_t i = 0;
        for (const Vec3& v : g_.hull->vertices) f(i++, g_.p + g_.R * v);
    }
    template <class F>
    void for_each_direction(F&& f) const {  // of each edge its own
        std::uint32_t id = 0;
        for (const Hull::Face& face : g_.hull->faces) {
            for (std::size_t i = 0; i < face.vertices.size(); ++i) {
                const int v = face.vertices[i];
                const int w = face.vertices[(i + 1) % face.vertices.size()];
                if (v < w) {  // the other face has it the other way round
                    const Vec3 from = point(v);
                    f(Vec3(point(w) - from), [&](auto&& g) { g(id, from); });
                }
                ++id;
            }
        }
    }
    [[nodiscard]] double lowest(const Vec3& n) const {
        const Vec3 n_G = g_.R.transpose() * n;
        double least = std::numeric_limits<double>::infinity();
        for (const Vec3& v : g_.hull->vertices) least = std::min(least, n_G.dot(v));
        return n.dot(g_.p) + least;
    }
    [[nodiscard]] double separation(const Vec3& x) const { return nearest_face(x).height; }
    // Of the face that the first point is furthest beyond.
    [[nodiscard]] bool parts(std::span<const Vec3> points, double margin) const {
        const NearestFace face = nearest_face(points[0]);
        if (face.height <= margin) return false;
        const Vec3 n = g_.R * face.face->normal;
        const double least = face.face->offset + n.dot(g_.p) + margin;
        return std::all_of(points.begin(), points.end(),
                           [&](const Vec3& x) { return n.dot(x) > least; });
    }
    [[nodiscard]] bool parts(const Vec3& lo, const Vec3& hi, double margin) const {
        const Vec3 centre = g_.R.transpose() * (0.5 * (lo + hi) - g_.p);
        const Mat3 reach = g_.R.transpose().cwiseAbs();
        const Vec3 half = reach * (0.5 * (hi - lo));  // in the frame of the hull
        return std::any_of(g_.hull->faces.begin(), g_.hull->faces.end(), [&](const auto& face) {
            return face.normal.dot(centre) - face.normal.cwiseAbs().dot(half) >
                   face.offset + margin;
        });
    }
    // None unless x lies over or behind a face.
    [[nodiscard]] bool towards(const Vec3& x, double& distance, Vec3& n) const {
        const Vec3 p = g_.R.transpose() * (x - g_.p);
        const NearestFace nearest = nearest_face(x);
        const Hull::Face& face = *nearest.face;
        for (std::size_t i = 0; i < face.vertices.size(); ++i) {
            const Vec3& v = vertex(face.vertices[i]);
            const Vec3 edge = vertex(face.vertices[(i + 1) % face.vertices.size()]) - v;
            const double inside = face.normal.cross(edge).dot(p - v);
            if (inside < -kTolerance * edge.norm() * g_.size) return false;
        }
        distance = nearest.height;
        n = -(g_.R * face.normal);
        return true;
    }

  private:
    struct NearestFace {
        const Hull::Face* face = nullptr;
        double height = -std::numeric_limits<double>::infinity();
    };
    [[nodiscard]] NearestFace nearest_face(const Vec3& x) const {
        const Vec3 p = g_.R.transpose() * (x - g_.p);
        NearestFace best{&g_.hull->faces.front()};
        for (const Hull::Face& face : g_.hull->faces) {
            const double height = face.normal.dot(p) - face.offset;
            if (height > best.height) best = {&face, height};
        }
        return best;
    }
    [[nodiscard]] const Vec3& vertex(int i) const { return g_.hull->vertices[at(i)]; }
    [[nodiscard]] Vec3 point(int i) const { return g_.p + g_.R * vertex(i); }

    const WorldGeom& g_;
};

// An edge of the ground across an edge of A: the normal is that of both lines, and must be one of
// the ground's edge and of A's.
template <class View>
void cross_edges(const View& view, const SurfaceTriangle& t, int k, const SurfaceEdge& e,
                 double size, SurfaceHits& hits) {
    view.for_each_direction([&](const Vec3& along, const auto& for_each_edge) {
        const double length = along.norm();
        Vec3 n = along.cross(e.dir) / length;
        const double sine = n.norm();
        if (sine < kParallelSine) return;
        n *= (n.dot(e.n1 + e.n2) < 0 ? -1 : 1) / sine;
        if (!in_cone(e, n)) return;
        const double lowest = view.lowest(n), height = lowest - n.dot(e.from);
        if (height > hits.margin || height < -view.deepest() - kTolerance * size) return;
        for_each_edge([&](std::uint32_t id, const Vec3& from) {
            if (n.dot(from) > lowest + kTolerance * size) return;  // not what A has lowest
            const double phi = n.dot(from - e.from);
            if (phi > hits.margin || phi < -view.deepest()) return;
            // from + s along, e.from + u dir: where the lines are nearest.
            const Vec3 r = from - e.from;
            const double c = along.dot(e.dir) / length;
            const double s = (c * e.dir.dot(r) - along.dot(r) / length) / (1 - c * c);
            const double u = e.dir.dot(r) + c * s;
            if (s < -kOnEdge * length || s > length * (1 + kOnEdge)) return;
            if (u < -kOnEdge * e.length || u > e.length * (1 + kOnEdge)) return;
            hits.add({from + s / length * along, n, phi, kEdgeLabel + id % kEdgeLabels,
                      edge_key(t.vertex[at(k)], t.vertex[at((k + 1) % 3)])});
        });
    });
}

// Corners of a triangle of the ground under a face of A.
template <class Surface, class View>
void under_faces(const Surface& surface, const View& view, const SurfaceTriangle& t,
                 SurfaceHits& hits) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (!surface.has_vertex(t.id, k)) continue;
        double distance = 0;
        Vec3 n;
        if (!view.towards(t.v[k], distance, n)) continue;
        if (distance > hits.margin || distance < -view.deepest()) continue;
        if (!is_corner(surface, t.vertex[k], n)) continue;
        hits.add({t.v[k] + distance * n, n, distance, kGroundCornerLabel, vertex_key(t.vertex[k])});
    }
}

template <class Surface, class View>
void polyhedron_hits(const Surface& surface, const View& view, double size, SurfaceHits& hits) {
    const Reach box = view.reach(hits.margin);
    const double behind = kSearchBehind * view.deepest() + hits.margin;
    view.for_each_corner([&](std::uint32_t i, const Vec3& x) {
        add_point_contacts(surface, {x, 0, behind, size, i % kCornerLabels}, hits);
    });
    const auto far = [&](const Vec3& middle, double half_edge) {
        return view.separation(middle) > half_edge + hits.margin;
    };
    // A box on fine ground has hundreds of triangles below it and touches few of them.
    const double apart = hits.margin + kTolerance * size;
    auto parted = per_triangle(
        surface, [&](std::span<const Vec3> corners) { return view.parts(corners, apart); });
    const auto skip = [&](const Vec3& lo, const Vec3& hi) { return view.parts(lo, hi, apart); };
    surface.for_each_near(box.lo, box.hi, skip, [&](int id) {
        if (parted(id)) return;
        const SurfaceTriangle t = surface.triangle(id);
        for_sharp_edges_of(surface, t, box.lo, box.hi, far,
                           [&](const SurfaceTriangle&, int k, const SurfaceEdge& e) {
                               cross_edges(view, t, k, e, size, hits);
                           });
        under_faces(surface, view, t, hits);
    });
}

}  // namespace

template <class Surface>
void box_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    polyhedron_hits(surface, BoxView(a), a.size, hits);
}

template <class Surface>
void hull_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    polyhedron_hits(surface, HullView(a), a.size, hits);
}

template void box_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void box_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);
template void hull_hits(const HeightGrid& surface, const WorldGeom& a, SurfaceHits& hits);
template void hull_hits(const MeshSurface& surface, const WorldGeom& a, SurfaceHits& hits);

}  // namespace stiction
