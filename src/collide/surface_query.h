// surface_query.h - where points and lines touch a surface of triangles (HeightGrid, MeshSurface).
//
// A point touches at the local minima of its distance to the whole surface, not of its distance to
// single triangles: inside a face always; on an edge or a vertex only where no triangle that meets
// there leads nearer. So the edges inside a flat part are never felt, a ridge gives one contact and
// a valley two. All in the frame of the surface.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>

#include "collide/geometry.h"
#include "collide/segment.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"
#include "model/surface_triangle.h"

namespace stiction {

// Tolerances are of an edge's length or of an angle, so that they hold for ground of any size; they
// lie well above rounding (1e-16) and well below what a triangle is made for.
inline constexpr double kFlatSine = 1e-7;     // of the bend at an edge: below it the edge is flat
inline constexpr double kOnEdge = 1e-9;       // of an edge's length: a point on it
inline constexpr double kTied = 1e-6;         // sine: neighbours at the height of a vertex
inline constexpr double kNoDirection = 1e-7;  // of an edge's length: too near for a direction
// Cosine: 45 degrees or so. For corners off the border, see over_border().
inline constexpr double kSteepestBorder = 0.7;

struct SurfaceHit {
    Vec3 p_A;
    Vec3 n;
    double phi;           // [m]
    std::uint32_t label;  // of A's feature
    std::uint64_t key;    // of the surface's
};

// The contacts of a pair until they get their ids. When it is full the shallowest gives way.
struct SurfaceHits {
    static constexpr int kCapacity = 96;  // more than a manifold holds, which takes the deepest
    std::array<SurfaceHit, kCapacity> hits;
    int count = 0;
    double margin = 0;     // [m]
    double tolerance = 0;  // [m]: hits of one label that near and with one normal are one

    bool add(const SurfaceHit& hit) {
        if (hit.phi > margin) return false;
        int shallowest = 0;
        for (int i = 0; i < count; ++i) {
            const SurfaceHit& other = hits[at(i)];
            if (other.label == hit.label &&
                (other.key == hit.key ||
                 ((other.p_A - hit.p_A).squaredNorm() <= tolerance * tolerance &&
                  other.n.dot(hit.n) > 1 - 1e-9)))
                return true;
            if (other.phi > hits[at(shallowest)].phi) shallowest = i;
        }
        if (count < kCapacity) {
            hits[at(count++)] = hit;
        } else if (hit.phi < hits[at(shallowest)].phi) {
            hits[at(shallowest)] = hit;
        }
        return true;
    }
};

// Names of the surface's features; those of faces, edges and vertices differ.
inline std::uint64_t face_key(int triangle) { return static_cast<std::uint64_t>(triangle); }
inline std::uint64_t edge_key(int v, int w) {
    const auto lo = static_cast<std::uint64_t>(std::min(v, w));
    const auto hi = static_cast<std::uint64_t>(std::max(v, w));
    return 1ULL << 62 | lo << 31 | hi;
}
inline std::uint64_t vertex_key(int v) { return 2ULL << 62 | static_cast<std::uint64_t>(v); }

// Point of a triangle nearest to x. Region 0: inside; 1 + k: on edge k; 4 + k: corner k.
struct TrianglePoint {
    Vec3 q;
    int region;
};

inline TrianglePoint nearest_on(const SurfaceTriangle& t, const Vec3& x) {
    const Vec3 ab = t.v[1] - t.v[0], ac = t.v[2] - t.v[0];
    const Vec3 ap = x - t.v[0], bp = x - t.v[1], cp = x - t.v[2];
    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0 && d2 <= 0) return {t.v[0], 4};
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0 && d4 <= d3) return {t.v[1], 5};
    if (d1 * d4 - d3 * d2 <= 0 && d1 >= 0 && d3 <= 0) return {t.v[0] + d1 / (d1 - d3) * ab, 1};
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0 && d5 <= d6) return {t.v[2], 6};
    if (d5 * d2 - d1 * d6 <= 0 && d2 >= 0 && d6 <= 0) return {t.v[0] + d2 / (d2 - d6) * ac, 3};
    if (d3 * d6 - d5 * d4 <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {t.v[1] + w * (t.v[2] - t.v[1]), 2};
    }
    return {x - t.n.dot(ap) * t.n, 0};
}

// Edge k of a triangle and how the surface bends there.
struct SurfaceEdge {
    Vec3 from, dir;  // dir unit
    double length;   // [m]
    int neighbour;   // kNone: border
    Vec3 in1, in2;   // unit, across the edge into the triangle and into its neighbour
    Vec3 n1, n2;     // their normals
    double bend;     // sine of the angle the surface bends by: > 0 convex, < 0 concave

    [[nodiscard]] bool border() const { return neighbour == kNone; }
    [[nodiscard]] bool flat() const { return std::abs(bend) <= kFlatSine && n1.dot(n2) > 0; }
    [[nodiscard]] bool concave() const { return !border() && bend < 0 && !flat(); }
    [[nodiscard]] Vec3 mean() const { return (n1 + n2).normalized(); }
};

template <class Surface>
SurfaceEdge edge_of(const Surface& surface, const SurfaceTriangle& t, int k) {
    const Vec3 &from = t.v[at(k)], &to = t.v[at((k + 1) % 3)];
    SurfaceEdge e;
    e.from = from;
    e.length = (to - from).norm();
    e.dir = (to - from) / e.length;
    e.neighbour = surface.neighbour(t.id, k);
    e.n1 = t.n;
    e.in1 = t.n.cross(e.dir);
    e.n2 = e.border() ? t.n : surface.triangle(e.neighbour).n;
    e.in2 = e.border() ? Vec3(-e.in1) : Vec3(-e.n2.cross(e.dir));
    e.bend = e.border() ? 1 : -e.in2.dot(e.n1);
    return e;
}

// Is a vertex the corner of what the surface has furthest in direction n? No neighbour is further,
// and those as far do not surround it: a vertex inside a flat part or a straight ridge is none.
template <class Surface>
bool is_corner(const Surface& surface, int vertex, const Vec3& n) {
    const Vec3 v = surface.vertex(vertex);
    const Vec3 a = n.unitOrthogonal(), b = n.cross(a);
    constexpr int kMaxEdges = 32;  // at a vertex; meshes have about six
    std::array<double, kMaxEdges> angle;
    int count = 0;
    bool furthest = true;
    surface.for_each_around(vertex, [&](const Vec3& w) {
        const Vec3 d = w - v;
        const double up = n.dot(d);
        furthest = furthest && (up <= 0 || up * up <= kTied * kTied * d.squaredNorm());
    });
    if (!furthest) return false;
    surface.for_each_around(vertex, [&](const Vec3& w) {
        const Vec3 d = w - v;
        if (n.dot(d) / d.norm() >= -kTied && count < kMaxEdges)
            angle[at(count++)] = std::atan2(b.dot(d), a.dot(d));
    });
    if (count < 2) return true;
    std::sort(angle.begin(), angle.begin() + count);
    double gap = angle[0] + 2 * std::numbers::pi - angle[at(count - 1)];
    for (int i = 1; i < count; ++i) gap = std::max(gap, angle[at(i)] - angle[at(i - 1)]);
    return gap > std::numbers::pi + kTied;
}

// A ball (of radius 0: a corner of A) against the surface.
struct PointQuery {
    Vec3 c = Vec3::Zero();
    double radius = 0;   // [m]
    double deepest = 0;  // meshes: a centre further behind the surface is not pushed out [m]
    double size = 0;     // of the shape [m]
    std::uint32_t label = 0;
};

template <class Surface>
class PointContacts {
  public:
    PointContacts(const Surface& surface, const PointQuery& query, SurfaceHits& hits)
        : surface_(surface), query_(query), hits_(hits), margin_(hits.margin) {}

    void find() {
        const double below = std::min(surface_.depth(query_.c), query_.size);
        const double reach = query_.radius + margin_;
        const double behind = Surface::kSolidBelow ? below : query_.deepest;
        const Vec3 wide = Vec3::Constant(std::max(reach, behind));
        surface_.for_each_near(query_.c - wide, query_.c + wide, [&](int id) {
            const SurfaceTriangle t = surface_.triangle(id);
            const double height = t.n.dot(query_.c - t.v[0]);
            if (height > reach) return;
            if (!Surface::kSolidBelow && height < -query_.deepest) return;
            consider(t, height);
        });
        if (nearest_.found && nearest_.behind) push_out();
    }

  private:
    struct Nearest {
        bool found = false, behind = false;
        double distance2 = std::numeric_limits<double>::infinity();
        SurfaceTriangle triangle;
        TrianglePoint point;
        double height = 0;
    };

    bool add(const Vec3& n, double distance, std::uint64_t key) {
        return hits_.add(
            {query_.c - query_.radius * n, n, distance - query_.radius, query_.label, key});
    }

    void consider(const SurfaceTriangle& t, double height) {
        const TrianglePoint at = nearest_on(t, query_.c);
        const Vec3 d = query_.c - at.q;
        bool front = height >= 0;
        if (at.region == 0) {
            if (front) add(t.n, height, face_key(t.id));
        } else if (at.region <= 3) {
            front = consider_edge(t, at.region - 1, d, height);
        } else {
            front = consider_vertex(t, at.region - 4, d, height);
        }
        const double distance2 = d.squaredNorm();
        if (distance2 < nearest_.distance2) nearest_ = {true, !front, distance2, t, at, height};
    }

    // Direction from the surface to the centre.
    static Vec3 direction(const Vec3& d, double length, const Vec3& otherwise) {
        const double distance = d.norm();
        return distance > kNoDirection * length ? Vec3(d / distance) : otherwise;
    }

    // Beyond a border the surface ends: it is solid for what is above it. A corner that slides back
    // over the border at the same height must not be stopped by it, a ball may roll round it.
    [[nodiscard]] bool over_border(const Vec3& d, const Vec3& n) const {
        const double least = query_.radius > 0 ? 0 : kSteepestBorder;
        return n.dot(d) >= least * d.norm();
    }

    // Returns whether the centre is in front of the edge.
    bool consider_edge(const SurfaceTriangle& t, int k, const Vec3& d, double height) {
        const SurfaceEdge e = edge_of(surface_, t, k);
        const std::uint64_t key = edge_key(t.vertex[at(k)], t.vertex[at((k + 1) % 3)]);
        if (e.border()) {
            if (over_border(d, t.n)) add(direction(d, e.length, t.n), d.norm(), key);
            return height >= 0;
        }
        const bool front = d.dot(e.n1 + e.n2) >= 0;
        if (e.concave()) {
            consider_across(t, e, height);
        } else if (front && d.dot(e.in2) <= kOnEdge * e.length) {
            if (e.flat()) {
                if (height >= 0) add(t.n, height, face_key(t.id));
            } else {
                add(direction(d, e.length, e.mean()), d.norm(), key);
            }
        }
        return e.flat() ? height >= 0 : front;
    }

    // At a concave edge the free space is what is above both planes: the far one already counts
    // where the point may reach it in the step.
    void consider_across(const SurfaceTriangle& t, const SurfaceEdge& e, double height) {
        const double beside = -e.in1.dot(query_.c - e.from);
        if (beside > margin_ || height < -margin_) return;
        const TrianglePoint at = nearest_on(surface_.triangle(e.neighbour), query_.c);
        const bool on_edge = at.region >= 1 && at.region <= 3 &&
                             (at.q - e.from).cross(e.dir).norm() < kOnEdge * e.length;
        if (at.region != 0 && !on_edge) return;
        if (add(t.n, height, face_key(t.id))) across_ = true;
    }

    bool consider_vertex(const SurfaceTriangle& t, int k, const Vec3& d, double height) {
        const int vertex = t.vertex[at(k)];
        const Vec3& v = t.v[at(k)];
        const bool border = surface_.on_border(vertex);
        const bool front = border ? height >= 0 : surface_.side_at_vertex(vertex, query_.c) >= 0;
        if (!front || (border && !over_border(d, t.n))) return front;
        bool local = true, flat = true;
        double length = 0;
        surface_.for_each_around(vertex, [&](const Vec3& w) {
            const Vec3 along = w - v;
            length = along.norm();
            local = local && d.dot(along) <= kOnEdge * length * length;
            flat = flat && std::abs(t.n.dot(along)) <= kFlatSine * length;
        });
        if (!local) return front;
        if (flat && !border) {
            if (height >= 0) add(t.n, height, face_key(t.id));
            return height >= 0;
        }
        add(direction(d, length, t.n), d.norm(), vertex_key(vertex));
        return front;
    }

    // The centre is behind the surface: out by the nearest way.
    void push_out() {
        const SurfaceTriangle& t = nearest_.triangle;
        const double distance = std::sqrt(nearest_.distance2);
        if (!Surface::kSolidBelow && distance > query_.deepest) return;
        const int region = nearest_.point.region;
        if (region == 0) {
            add(t.n, nearest_.height, face_key(t.id));
            return;
        }
        bool border = false, bent = false;
        if (region <= 3) {
            const SurfaceEdge e = edge_of(surface_, t, region - 1);
            border = e.border();
            bent = e.concave();
        } else {
            border = surface_.on_border(t.vertex[at(region - 4)]);
            bent = !border;
        }
        if (border && surface_.depth(query_.c) <= 0) return;
        if (bent && across_) return;  // both planes of the valley count already
        const bool own = bent && distance > kNoDirection * (t.v[1] - t.v[0]).norm();
        if (own) {
            const Vec3 n = (nearest_.point.q - query_.c) / distance;
            if (t.n.dot(n) > 0) {
                add(n, -distance, face_key(t.id));
                return;
            }
        }
        add(t.n, std::min(nearest_.height, 0.0), face_key(t.id));
    }

    const Surface& surface_;
    const PointQuery& query_;
    SurfaceHits& hits_;
    double margin_;
    Nearest nearest_;
    bool across_ = false;
};

template <class Surface>
void add_point_contacts(const Surface& surface, const PointQuery& query, SurfaceHits& hits) {
    PointContacts<Surface>(surface, query, hits).find();
}

// Does n point out of a convex or border edge between the normals of its triangles?
inline bool in_cone(const SurfaceEdge& e, const Vec3& n) {
    if (n.dot(e.in1) > kTied) return false;
    return e.border() ? n.dot(e.n1) >= 0 : n.dot(e.in2) <= kTied;
}

// Asks of triangles whether a shape is out of their reach, ask(corners), before anything expensive.
// Cells of a grid are asked as a whole, once for both triangles.
template <class Ask>
class AskPerCell {
  public:
    AskPerCell(const HeightGrid& grid, const Ask& ask) : grid_(grid), ask_(ask) {}
    bool operator()(int id) {
        const int cell = id / 2;
        if (cell == cell_) return answer_;
        const int row = grid_.nx() - 1, j = cell / row, i = cell - j * row;
        const int a = j * grid_.nx() + i, d = a + grid_.nx();
        const bool next = cell == cell_ + 1 && i > 0;  // shares two corners with the last one
        cell_ = cell;
        corners_ = {next ? corners_[1] : grid_.vertex(a), grid_.vertex(a + 1),
                    next ? corners_[3] : grid_.vertex(d), grid_.vertex(d + 1)};
        answer_ = ask_(corners_);
        return answer_;
    }

  private:
    const HeightGrid& grid_;
    Ask ask_;
    std::array<Vec3, 4> corners_;
    int cell_ = kNone;
    bool answer_ = false;
};

template <class Ask>
auto per_triangle(const HeightGrid& grid, const Ask& ask) {
    return AskPerCell<Ask>(grid, ask);
}
template <class Ask>
auto per_triangle(const MeshSurface& mesh, const Ask& ask) {
    return [&mesh, ask](int id) { return ask(mesh.triangle(id).v); };
}

// Calls f(triangle, k, edge) for every convex or border edge of the triangle that meets the box, unless
// a neighbour has it. far(middle, half length) rejects edges before anything expensive.
template <class Surface, class Far, class F>
void for_sharp_edges_of(const Surface& surface, const SurfaceTriangle& t, const Vec3& lo,
                        const Vec3& hi, Far&& far, F&& f) {
    for (int k = 0; k < 3; ++k) {
        const int other = surface.neighbour(t.id, k);
        if (other != kNone && other < t.id) continue;
        const Vec3 &v = t.v[at(k)], &w = t.v[at((k + 1) % 3)];
        if ((v.cwiseMin(w).array() > hi.array()).any() ||
            (v.cwiseMax(w).array() < lo.array()).any())
            continue;
        if (far(Vec3(0.5 * (v + w)), 0.5 * (w - v).norm())) continue;
        const SurfaceEdge e = edge_of(surface, t, k);
        if (e.border() || (!e.concave() && !e.flat())) f(t, k, e);
    }
}

// The same of all triangles near the box.
template <class Surface, class Far, class F>
void for_each_sharp_edge(const Surface& surface, const Vec3& lo, const Vec3& hi, Far&& far, F&& f) {
    surface.for_each_near(
        lo, hi, [&](int id) { for_sharp_edges_of(surface, surface.triangle(id), lo, hi, far, f); });
}

}  // namespace stiction
