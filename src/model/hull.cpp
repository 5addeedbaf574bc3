// hull.cpp - convex hull of points: quickhull on triangles, then coplanar triangles merged into
// faces. All tests use one length, kRelativeTolerance times the extent of the points: a point
// nearer to the hull than that counts as on it, triangles whose corners are nearer to one plane
// than that are one face.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/error.h"
#include "model/shape.h"

namespace stiction {
namespace {

// Dimensionless: well above rounding of coordinates, well below any feature of a shape.
constexpr double kRelativeTolerance = 1e-9;

struct Triangle {
    std::array<int, 3> v{};     // counter-clockwise from outside
    std::array<int, 3> next{};  // triangle across the edge v[i] -> v[i+1]
    Vec3 normal = Vec3::Zero();
    double offset = 0;         // [m]
    std::vector<int> outside;  // points beyond this triangle and not yet on the hull
    bool alive = true;
};

struct HorizonEdge {
    int from, to, outer;  // outer: the triangle beyond the edge, which stays
};

class QuickHull {
  public:
    QuickHull(const std::vector<Vec3>& points, double tolerance)
        : points_(points), tolerance_(tolerance), starts_at_(points.size(), kNone) {}

    // False when the points lie in a plane.
    bool run() {
        if (!first_tetrahedron()) return false;
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            // A triangle stays at its index; new ones are appended, so one pass sees them all.
            while (triangles_[t].alive && !triangles_[t].outside.empty()) add_furthest(t);
        }
        return true;
    }
    [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }

  private:
    [[nodiscard]] const Vec3& point(int i) const { return points_[at(i)]; }
    [[nodiscard]] Triangle& triangle(int t) { return triangles_[at(t)]; }
    [[nodiscard]] double height(const Triangle& t, int p) const {
        return t.normal.dot(point(p)) - t.offset;
    }

    int make_triangle(int a, int b, int c) {
        Triangle t;
        t.v = {a, b, c};
        t.normal = (point(b) - point(a)).cross(point(c) - point(a)).normalized();
        t.offset = t.normal.dot(point(a) + point(b) + point(c)) / 3;
        triangles_.push_back(std::move(t));
        return static_cast<int>(triangles_.size()) - 1;
    }

    template <typename Measure>
    [[nodiscard]] int largest(Measure measure) const {
        int best = 0;
        for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
            if (measure(i) > measure(best)) best = i;
        }
        return best;
    }

    bool first_tetrahedron() {
        const Vec3& o = points_[0];
        const int a = largest([&](int i) { return (point(i) - o).squaredNorm(); });
        const int b = largest([&](int i) { return (point(i) - point(a)).squaredNorm(); });
        const Vec3 ab = (point(b) - point(a)).normalized();
        const int c = largest([&](int i) { return (point(i) - point(a)).cross(ab).squaredNorm(); });
        const Vec3 normal = ab.cross(point(c) - point(a));
        if (!(normal.norm() > tolerance_)) return false;
        const Vec3 n = normal.normalized();
        const int d = largest([&](int i) { return std::abs(n.dot(point(i) - point(a))); });
        const double side = n.dot(point(d) - point(a));
        if (!(std::abs(side) > tolerance_)) return false;
        const int p = side < 0 ? b : c, q = side < 0 ? c : b;  // (a, p, q) has d behind it
        make_triangle(a, p, q);
        make_triangle(a, d, p);
        make_triangle(p, d, q);
        make_triangle(q, d, a);
        triangles_[0].next = {1, 2, 3};
        triangles_[1].next = {3, 2, 0};
        triangles_[2].next = {1, 3, 0};
        triangles_[3].next = {2, 1, 0};
        for (int i = 0; i < static_cast<int>(points_.size()); ++i) assign(i, 0);
        return true;
    }

    // Gives a point to the triangle, of those from `first` on, that it is furthest beyond; drops it
    // if inside.
    void assign(int p, std::size_t first) {
        int best = kNone;
        double best_height = tolerance_;
        for (std::size_t t = first; t < triangles_.size(); ++t) {
            const double z = height(triangles_[t], p);
            if (triangles_[t].alive && z > best_height) {
                best = static_cast<int>(t);
                best_height = z;
            }
        }
        if (best != kNone) triangle(best).outside.push_back(p);
    }

    void add_furthest(std::size_t t) {
        std::vector<int>& outside = triangles_[t].outside;
        const auto furthest = std::max_element(outside.begin(), outside.end(), [&](int p, int q) {
            return height(triangles_[t], p) < height(triangles_[t], q);
        });
        const int p = *furthest;
        outside.erase(furthest);
        if (!find_horizon(static_cast<int>(t), p)) return;  // round-off: the point is on the hull

        const std::size_t first = triangles_.size();
        for (const HorizonEdge& e : horizon_) {
            const int made = make_triangle(e.from, e.to, p);
            triangle(made).next[0] = e.outer;
            Triangle& outer = triangle(e.outer);
            for (std::size_t i = 0; i < 3; ++i) {
                if (outer.v[i] == e.to && outer.v[(i + 1) % 3] == e.from) outer.next[i] = made;
            }
            starts_at_[at(e.from)] = made;
        }
        for (std::size_t made = first; made < triangles_.size(); ++made) {
            const int neighbour = starts_at_[at(triangles_[made].v[1])];
            triangles_[made].next[1] = neighbour;
            triangle(neighbour).next[2] = static_cast<int>(made);
        }
        for (const int dead : visible_) triangle(dead).alive = false;
        for (const int dead : visible_) {
            const std::vector<int> orphans = std::move(triangle(dead).outside);
            for (const int q : orphans) assign(q, first);
        }
    }

    // Triangles that p is beyond, connected to t, and the loop of edges around them. False if that
    // is no loop or would make a triangle without area.
    bool find_horizon(int t, int p) {
        visible_.assign(1, t);
        horizon_.clear();
        const auto is_visible = [&](int u) {
            return std::find(visible_.begin(), visible_.end(), u) != visible_.end();
        };
        for (std::size_t i = 0; i < visible_.size(); ++i) {
            const std::array<int, 3> next = triangle(visible_[i]).next;
            for (const int u : next) {
                if (!is_visible(u) && height(triangle(u), p) > tolerance_) visible_.push_back(u);
            }
        }
        std::fill(starts_at_.begin(), starts_at_.end(), kNone);
        for (const int u : visible_) {
            const Triangle& tri = triangle(u);
            for (std::size_t i = 0; i < 3; ++i) {
                if (is_visible(tri.next[i])) continue;
                const int from = tri.v[i], to = tri.v[(i + 1) % 3];
                const Vec3 edge = point(to) - point(from);
                const double area = edge.cross(point(p) - point(from)).norm();
                if (starts_at_[at(from)] != kNone) return false;
                if (area <= tolerance_ * edge.norm()) return false;
                starts_at_[at(from)] = to;
                horizon_.push_back({from, to, tri.next[i]});
            }
        }
        return horizon_.size() >= 3;
    }

    const std::vector<Vec3>& points_;
    double tolerance_;  // [m]
    std::vector<Triangle> triangles_;
    std::vector<int> visible_;
    std::vector<HorizonEdge> horizon_;
    std::vector<int>
        starts_at_;  // per point: the edge's end, then the new triangle, that starts there
};

// The boundary of a set of triangles as one loop of vertices; empty if it is no single loop.
std::vector<int> boundary_loop(const std::vector<Triangle>& triangles, const std::vector<int>& set,
                               const std::vector<int>& group) {
    std::vector<std::array<int, 2>> edges;
    for (const int t : set) {
        const Triangle& tri = triangles[at(t)];
        for (std::size_t i = 0; i < 3; ++i) {
            const int outer = group[at(tri.next[i])];
            if (outer != group[at(t)]) edges.push_back({tri.v[i], tri.v[(i + 1) % 3]});
        }
    }
    std::vector<int> loop;
    int vertex = edges.empty() ? kNone : edges.front()[0];
    for (std::size_t k = 0; k < edges.size(); ++k) {
        loop.push_back(vertex);
        const auto next = std::find_if(edges.begin(), edges.end(),
                                       [&](const std::array<int, 2>& e) { return e[0] == vertex; });
        if (next == edges.end()) return {};
        vertex = (*next)[1];
        if (vertex == loop.front() && k + 1 < edges.size()) return {};
    }
    return loop;
}

// Groups triangles that share a plane, largest first; returns vertex loops.
std::vector<std::vector<int>> merged_loops(const std::vector<Triangle>& triangles,
                                           const std::vector<Vec3>& points, double tolerance) {
    const auto point = [&](int i) -> const Vec3& { return points[at(i)]; };
    const auto area = [&](int t) {
        const std::array<int, 3>& v = triangles[at(t)].v;
        return (point(v[1]) - point(v[0])).cross(point(v[2]) - point(v[0])).norm();
    };
    std::vector<int> order;
    for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
        if (triangles[at(t)].alive) order.push_back(t);
    }
    std::stable_sort(order.begin(), order.end(), [&](int s, int t) { return area(s) > area(t); });

    std::vector<int> group(triangles.size(), kNone);
    std::vector<std::vector<int>> loops;
    for (const int seed : order) {
        if (group[at(seed)] != kNone) continue;
        const Triangle& plane = triangles[at(seed)];
        std::vector<int> set{seed};
        group[at(seed)] = seed;
        for (std::size_t i = 0; i < set.size(); ++i) {
            for (const int u : triangles[at(set[i])].next) {
                const Triangle& other = triangles[at(u)];
                const bool coplanar = std::all_of(other.v.begin(), other.v.end(), [&](int v) {
                    return std::abs(plane.normal.dot(point(v)) - plane.offset) <= tolerance;
                });
                if (group[at(u)] == kNone && coplanar) {
                    group[at(u)] = seed;
                    set.push_back(u);
                }
            }
        }
        std::vector<int> loop = boundary_loop(triangles, set, group);
        if (!loop.empty()) {
            loops.push_back(std::move(loop));
        } else {
            for (const int t : set) {
                const std::array<int, 3>& v = triangles[at(t)].v;
                loops.emplace_back(v.begin(), v.end());
            }
        }
    }
    return loops;
}

// Newell's normal, robust for polygons that are only nearly plane.
Hull::Face make_face(std::vector<int> loop, const std::vector<Vec3>& vertices) {
    Hull::Face face;
    face.vertices = std::move(loop);
    const std::size_t n = face.vertices.size();
    const auto corner = [&](std::size_t i) -> const Vec3& {
        return vertices[at(face.vertices[i % n])];
    };
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < n; ++i)
        sum += (corner(i) - corner(0)).cross(corner(i + 1) - corner(0));
    face.normal = sum.normalized();
    for (std::size_t i = 0; i < n; ++i) face.offset += face.normal.dot(corner(i));
    face.offset /= static_cast<double>(n);
    return face;
}

}  // namespace

Hull make_hull(const std::vector<Vec3>& points) {
    const auto fail = [&](const char* fault) {
        throw InputError("convex hull of " + std::to_string(points.size()) + " points: " + fault);
    };
    if (points.size() < 4) fail("needs at least 4 points");
    Vec3 lo = points.front(), hi = points.front();
    for (const Vec3& p : points) {
        if (!p.allFinite()) fail("a coordinate is not finite");
        lo = lo.cwiseMin(p);
        hi = hi.cwiseMax(p);
    }
    const double tolerance = kRelativeTolerance * (hi - lo).norm();
    QuickHull quick(points, tolerance);
    if (!quick.run()) fail("they span no volume (all in one plane)");

    std::vector<std::vector<int>> loops = merged_loops(quick.triangles(), points, 2 * tolerance);
    // A vertex of fewer than three faces lies inside an edge: merging took its other faces.
    std::vector<int> uses(points.size(), 0), index(points.size(), kNone);
    for (const auto& loop : loops) {
        for (const int v : loop) ++uses[at(v)];
    }
    Hull hull;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (uses[i] < 3) continue;
        index[i] = static_cast<int>(hull.vertices.size());
        hull.vertices.push_back(points[i]);
    }
    for (const auto& loop : loops) {
        std::vector<int> kept;
        for (const int v : loop) {
            const int to = index[at(v)];
            if (to != kNone) kept.push_back(to);
        }
        if (kept.size() >= 3) hull.faces.push_back(make_face(std::move(kept), hull.vertices));
    }
    return hull;
}

}  // namespace stiction
