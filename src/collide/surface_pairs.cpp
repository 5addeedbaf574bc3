// surface_pairs.cpp - shapes against heightfields and meshes (docs/collision.md, "Ground of
// triangles").
//
// Corners, ends and centres of A are points (surface_query.h). What the ground has that stands out,
// convex edges and corners, is tested against A's edges and faces.
#include <algorithm>
#include <cmath>

#include "collide/cylinder.h"
#include "collide/gjk.h"
#include "collide/pairs.h"
#include "collide/surface_query.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {
namespace {

constexpr double kParallelSine = 1e-3;  // lines at a smaller angle have no normal of their own
constexpr double kSameDepth = 1e-6;     // of the shape's size: as deep as the deepest
constexpr double kTolerance = 1e-6;     // of the shape's size
constexpr double kSearchBehind = 0.5;   // of a corner's shape: how deep behind a mesh is searched
constexpr double kShallow = 0.2;   // of a cylinder: deeper edges and corners leave it to the rims
constexpr double kRounded = 0.02;  // of a cylinder: its rim's radius where n is looked for

// Labels of A's features in ids: corners from 0.
constexpr std::uint32_t kCornerLabels = 2048, kEdgeLabel = 2048, kEdgeLabels = 1024;
constexpr std::uint32_t kSideLabel = 3072, kGroundCornerLabel = 4095;

// A in the frame of the ground.
WorldGeom in_frame(const WorldGeom& a, const WorldGeom& ground) {
    WorldGeom local = a;
    local.R.noalias() = ground.R.transpose() * a.R;
    local.p = ground.R.transpose() * (a.p - ground.p);
    return local;
}

// 16 bits of a name of the surface, never 0.
std::uint32_t short_key(std::uint64_t key) {
    key = (key ^ (key >> 31)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::uint32_t>(key >> 48) | 1U;
}

// Ids: of the contacts of one corner (or end, or ball) the deepest has the corner's own id, so that
// a body that slides over many triangles keeps it; the others, and what the ground stands out with,
// are named by the ground's feature too. Of several as deep the first by name is the deepest.
std::uint32_t id_of(const SurfaceHits& hits, const SurfaceHit& hit) {
    bool first = hit.label < kCornerLabels;
    for (int i = 0; i < hits.count && first; ++i) {
        const SurfaceHit& other = hits.hits[static_cast<std::size_t>(i)];
        if (&other == &hit || other.label != hit.label) continue;
        const double deeper = hit.phi - other.phi;
        if (deeper > hits.tolerance) first = false;
        if (std::abs(deeper) <= hits.tolerance && other.key < hit.key) first = false;
    }
    return hit.label << kTagBits | (first ? 0U : short_key(hit.key));
}

void emit(const WorldGeom& ground, const SurfaceHits& hits, Manifold& m) {
    const int before = m.count;
    for (int i = 0; i < hits.count; ++i) {
        const SurfaceHit& hit = hits.hits[static_cast<std::size_t>(i)];
        std::uint32_t id = id_of(hits, hit);
        for (int k = before; k < m.count; ++k) {  // two names may have the same short form
            if (m.points[static_cast<std::size_t>(k)].feature != id) continue;
            ++id;
            k = before - 1;
        }
        m.add_on_A(ground.p + ground.R * hit.p_A, ground.R * hit.n, hit.phi, id);
    }
}

SurfaceHits make_hits(const WorldGeom& a, double margin) {
    SurfaceHits hits;
    hits.margin = margin;
    hits.tolerance = kSameDepth * a.size;
    return hits;
}

struct Reach {
    Vec3 lo, hi;
};
Reach around(const Vec3& centre, const Vec3& half, double margin) {
    const Vec3 wide = half + Vec3::Constant(margin);
    return {centre - wide, centre + wide};
}

// ---- spheres and capsules

template <class Surface>
void sphere_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    add_point_contacts(surface, {a.p, a.radius, a.radius, a.size, 0}, hits);
}

// The stretch of a capsule between its ends, over ridges and peaks.
template <class Surface>
class SideContacts {
  public:
    SideContacts(const Surface& surface, const WorldGeom& a, SurfaceHits& hits)
        : surface_(surface), axis_{a.p, a.axis(), a.length}, radius_(a.radius), hits_(hits) {}

    void find() {
        const Vec3 half = axis_.half * axis_.dir.cwiseAbs() + Vec3::Constant(radius_);
        const Reach box = around(axis_.centre, half, hits_.margin);
        const auto far = [&](const Vec3& middle, double half_edge) {
            const double reach = radius_ + hits_.margin + half_edge;
            return (axis_.at(axis_.nearest(middle)) - middle).squaredNorm() > reach * reach;
        };
        for_each_sharp_edge(
            surface_, box.lo, box.hi, far,
            [&](const SurfaceTriangle& t, int k, const SurfaceEdge& e) { consider_edge(t, k, e); });
        surface_.for_each_near(box.lo, box.hi, [&](int id) {
            const SurfaceTriangle t = surface_.triangle(id);
            for (std::size_t k = 0; k < 3; ++k) consider_vertex(t.vertex[k], t.v[k]);
        });
    }

  private:
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
        const SegmentPair at = closest(axis_, edge);
        if (!between_ends(at.s)) return;
        const Vec3 d = axis_.at(at.s) - edge.at(at.t);
        const double distance = d.norm();
        if (distance > radius_ + hits_.margin) return;
        if (std::abs(d.dot(e.dir)) > kTied * distance) return;  // nearest to the edge's end
        const double side = d.dot(e.n1 + e.n2) >= 0 ? 1 : -1;
        Vec3 n = across.normalized();
        if (n.dot(e.n1 + e.n2) < 0) n = -n;
        if (distance > kNoDirection * e.length) n = side / distance * d;
        if (!in_cone(e, n)) return;
        add(at.s, n, side * distance,
            edge_key(t.vertex[static_cast<std::size_t>(k)],
                     t.vertex[static_cast<std::size_t>((k + 1) % 3)]));
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
    Segment axis_;
    double radius_;
    SurfaceHits& hits_;
};

template <class Surface>
void capsule_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    add_point_contacts(surface, {a.end(-1), a.radius, a.radius, a.size, 0}, hits);
    add_point_contacts(surface, {a.end(1), a.radius, a.radius, a.size, 1}, hits);
    SideContacts<Surface>(surface, a, hits).find();
}

// ---- boxes and hulls

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
    template <class F>
    void for_each_edge(F&& f) const {  // f(id, from, to)
        for (std::uint32_t i = 0; i < 8; ++i) {
            for (std::uint32_t axis = 0; axis < 3; ++axis) {
                const std::uint32_t j = i | 1U << axis;
                if (j != i) f(3 * i + axis, corners_[i], corners_[j]);
            }
        }
    }
    [[nodiscard]] double lowest(const Vec3& n) const {
        return n.dot(g_.p) - (edges_.transpose() * n).cwiseAbs().sum();
    }
    // At most the distance of x.
    [[nodiscard]] double separation(const Vec3& x) const {
        return ((g_.R.transpose() * (x - g_.p)).cwiseAbs() - g_.half).maxCoeff();
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
    void for_each_edge(F&& f) const {
        std::uint32_t id = 0;
        for (const Hull::Face& face : g_.hull->faces) {
            for (std::size_t i = 0; i < face.vertices.size(); ++i) {
                const int v = face.vertices[i];
                const int w = face.vertices[(i + 1) % face.vertices.size()];
                if (v < w) f(id, point(v), point(w));  // the other face has it the other way round
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
        NearestFace best;
        for (const Hull::Face& face : g_.hull->faces) {
            const double height = face.normal.dot(p) - face.offset;
            if (height > best.height) best = {&face, height};
        }
        return best;
    }
    [[nodiscard]] const Vec3& vertex(int i) const {
        return g_.hull->vertices[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] Vec3 point(int i) const { return g_.p + g_.R * vertex(i); }

    const WorldGeom& g_;
};

// An edge of the ground across an edge of A: the normal is that of both lines, and must be one of
// the ground's edge and of A's.
template <class View>
void cross_edges(const View& view, const SurfaceTriangle& t, int k, const SurfaceEdge& e,
                 double size, SurfaceHits& hits) {
    view.for_each_edge([&](std::uint32_t id, const Vec3& from, const Vec3& to) {
        const Vec3 along = to - from;
        const double length = along.norm();
        Vec3 n = along.cross(e.dir) / length;
        const double sine = n.norm();
        if (sine < kParallelSine) return;
        n *= (n.dot(e.n1 + e.n2) < 0 ? -1 : 1) / sine;
        const double phi = n.dot(from - e.from);
        if (phi > hits.margin || phi < -view.deepest() || !in_cone(e, n)) return;
        // from + s along, e.from + u dir: where the lines are nearest.
        const Vec3 r = from - e.from;
        const double c = along.dot(e.dir) / length;
        const double s = (c * e.dir.dot(r) - along.dot(r) / length) / (1 - c * c);
        const double u = e.dir.dot(r) + c * s;
        if (s < -kOnEdge * length || s > length * (1 + kOnEdge)) return;
        if (u < -kOnEdge * e.length || u > e.length * (1 + kOnEdge)) return;
        if (n.dot(from) > view.lowest(n) + kTolerance * size) return;  // not what A has lowest
        hits.add({from + s / length * along, n, phi, kEdgeLabel + id % kEdgeLabels,
                  edge_key(t.vertex[static_cast<std::size_t>(k)],
                           t.vertex[static_cast<std::size_t>((k + 1) % 3)])});
    });
}

// A corner of the ground under a face of A.
template <class Surface, class View>
void under_faces(const Surface& surface, const View& view, const Reach& box, SurfaceHits& hits) {
    surface.for_each_near(box.lo, box.hi, [&](int id) {
        const SurfaceTriangle t = surface.triangle(id);
        for (std::size_t k = 0; k < 3; ++k) {
            double distance = 0;
            Vec3 n;
            if (!view.towards(t.v[k], distance, n)) continue;
            if (distance > hits.margin || distance < -view.deepest()) continue;
            if (!is_corner(surface, t.vertex[k], n)) continue;
            hits.add(
                {t.v[k] + distance * n, n, distance, kGroundCornerLabel, vertex_key(t.vertex[k])});
        }
    });
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
    for_each_sharp_edge(surface, box.lo, box.hi, far,
                        [&](const SurfaceTriangle& t, int k, const SurfaceEdge& e) {
                            cross_edges(view, t, k, e, size, hits);
                        });
    under_faces(surface, view, box, hits);
}

template <class Surface>
void box_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    polyhedron_hits(surface, BoxView(a), a.size, hits);
}

template <class Surface>
void hull_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    polyhedron_hits(surface, HullView(a), a.size, hits);
}

// ---- cylinders

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
    const std::uint64_t key = edge_key(t.vertex[static_cast<std::size_t>(k)],
                                       t.vertex[static_cast<std::size_t>((k + 1) % 3)]);
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

template <class Surface>
void cylinder_hits(const Surface& surface, const WorldGeom& a, SurfaceHits& hits) {
    const Vec3 half = a.R.cwiseAbs() * Vec3(a.radius, a.radius, a.length);
    const Reach box = around(a.p, half, hits.margin);
    if (add_rounded(surface, a, CylinderView(a, kRounded), box, hits))
        add_rounded(surface, a, CylinderView(a, kShallow), box, hits);
}

// ---- the table

const HeightGrid& surface_of(const WorldGeom& b, const HeightGrid*) { return *b.grid; }
const MeshSurface& surface_of(const WorldGeom& b, const MeshSurface*) { return *b.mesh; }

template <class Surface, void (*Find)(const Surface&, const WorldGeom&, SurfaceHits&)>
void collide_surface(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    SurfaceHits hits = make_hits(a, margin);
    Find(surface_of(b, static_cast<const Surface*>(nullptr)), in_frame(a, b), hits);
    emit(b, hits, m);
}

template <class Surface>
PairFunction function_on(ShapeKind a) {
    switch (a) {
        case ShapeKind::kSphere:
            return collide_surface<Surface, sphere_hits<Surface>>;
        case ShapeKind::kCapsule:
            return collide_surface<Surface, capsule_hits<Surface>>;
        case ShapeKind::kBox:
            return collide_surface<Surface, box_hits<Surface>>;
        case ShapeKind::kHull:
            return collide_surface<Surface, hull_hits<Surface>>;
        case ShapeKind::kCylinder:
            return collide_surface<Surface, cylinder_hits<Surface>>;
        default:
            return nullptr;
    }
}

}  // namespace

PairFunction surface_function(ShapeKind a, ShapeKind b) {
    return b == ShapeKind::kHeightfield ? function_on<HeightGrid>(a) : function_on<MeshSurface>(a);
}

}  // namespace stiction
