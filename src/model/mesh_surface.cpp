// mesh_surface.cpp - welds the corners of a mesh, pairs its edges and builds its tree.
#include "model/mesh_surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>

#include "core/error.h"

namespace stiction {
namespace {

// Twice the area over the squared longest edge; below it a triangle has no normal to speak of:
// rounding of its corners by 1e-16 of an edge would turn it by 1e-6 rad.
constexpr double kMinArea = 1e-10;

struct Edge {
    int low, high;  // vertices
    int triangle, k;
    bool forwards;  // from low to high
};

bool operator<(const Edge& a, const Edge& b) {
    return std::tie(a.low, a.high, a.triangle, a.k) < std::tie(b.low, b.high, b.triangle, b.k);
}

// The id each point has once points in the same place are one; fills `unique`.
std::vector<int> weld(const std::vector<Vec3>& points, std::vector<Vec3>& unique) {
    std::vector<int> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int i) {
        const Vec3& p = points[at(i)];
        return std::tuple(p.x(), p.y(), p.z());
    };
    std::sort(order.begin(), order.end(),
              [&](int i, int j) { return key(i) != key(j) ? key(i) < key(j) : i < j; });
    std::vector<int> first(points.size());  // the first point in the same place
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool same = k > 0 && key(order[k]) == key(order[k - 1]);
        first[at(order[k])] = same ? first[at(order[k - 1])] : order[k];
    }
    std::vector<int> id(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (first[i] == static_cast<int>(i)) {
            id[i] = static_cast<int>(unique.size());
            unique.push_back(points[i]);
        } else {
            id[i] = id[at(first[i])];
        }
    }
    return id;
}

}  // namespace

MeshSurface::MeshSurface(const std::vector<Vec3>& points,
                         const std::vector<std::array<int, 3>>& triangles) {
    if (triangles.size() > kMaxMeshTriangles) {
        throw InputError("more than " + std::to_string(kMaxMeshTriangles) + " triangles");
    }
    for (const Vec3& p : points) {
        if (!p.allFinite()) throw InputError("a coordinate of a vertex is not a finite number");
    }
    take_triangles(points, triangles);
    if (corner_.empty()) throw InputError("the mesh has no triangle with an area");
    find_neighbours();
    find_rings();
    order_.resize(corner_.size());
    std::iota(order_.begin(), order_.end(), 0);
    for (const auto& c : corner_) {
        Eigen::AlignedBox3d box(vertex(c[0]));
        box.extend(vertex(c[1])).extend(vertex(c[2]));
        boxes_.push_back(box);
    }
    build(0, static_cast<int>(corner_.size()));
}

void MeshSurface::take_triangles(const std::vector<Vec3>& points,
                                 const std::vector<std::array<int, 3>>& triangles) {
    const std::vector<int> id = weld(points, vertex_);
    for (const auto& t : triangles) {
        for (const int i : t) {
            if (i < 0 || at(i) >= points.size())
                throw InputError("a triangle names a vertex that is not there");
        }
        const std::array<int, 3> c{id[at(t[0])], id[at(t[1])], id[at(t[2])]};
        const Vec3 u = vertex(c[1]) - vertex(c[0]), v = vertex(c[2]) - vertex(c[0]);
        const Vec3 area = u.cross(v);
        const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (u - v).squaredNorm()});
        if (!(area.norm() > kMinArea * longest)) {
            ++dropped_;
            continue;
        }
        corner_.push_back(c);
        normal_.push_back(area.normalized());
    }
}

void MeshSurface::find_neighbours() {
    std::vector<Edge> edges;
    for (int t = 0; t < triangles(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const int a = corner_[at(t)][at(k)], b = corner_[at(t)][at((k + 1) % 3)];
            edges.push_back({std::min(a, b), std::max(a, b), t, k, a < b});
        }
    }
    std::sort(edges.begin(), edges.end());
    neighbour_.assign(corner_.size(), {kNone, kNone, kNone});
    border_.assign(vertex_.size(), 0);
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        while (end < edges.size() && edges[end].low == edges[i].low &&
               edges[end].high == edges[i].high)
            ++end;
        const Edge &a = edges[i], &b = edges[end - 1];
        if (end - i == 2 && a.forwards != b.forwards) {
            neighbour_[at(a.triangle)][at(a.k)] = b.triangle;
            neighbour_[at(b.triangle)][at(b.k)] = a.triangle;
        } else {
            border_[at(a.low)] = border_[at(a.high)] = 1;
        }
        i = end;
    }
}

void MeshSurface::find_rings() {
    std::vector<std::pair<int, int>> spokes;
    vertex_normal_.assign(vertex_.size(), Vec3::Zero());
    for (std::size_t t = 0; t < corner_.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = corner_[t][k], b = corner_[t][(k + 1) % 3], c = corner_[t][(k + 2) % 3];
            spokes.emplace_back(a, b);
            spokes.emplace_back(b, a);
            const Vec3 u = (vertex(b) - vertex(a)).normalized();
            const Vec3 v = (vertex(c) - vertex(a)).normalized();
            vertex_normal_[at(a)] += std::acos(std::clamp(u.dot(v), -1.0, 1.0)) * normal_[t];
        }
    }
    for (Vec3& n : vertex_normal_) n.normalize();
    std::sort(spokes.begin(), spokes.end());
    spokes.erase(std::unique(spokes.begin(), spokes.end()), spokes.end());
    ring_start_.assign(vertex_.size() + 1, 0);
    for (const auto& [from, to] : spokes) {
        ++ring_start_[at(from) + 1];
        ring_.push_back(to);
    }
    std::partial_sum(ring_start_.begin(), ring_start_.end(), ring_start_.begin());
}

// Halves at the median of the longest side, so that the tree's depth is that of a balanced one.
int MeshSurface::build(int first, int count) {
    const int at_node = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, first, count, kNone});
    Eigen::AlignedBox3d box, centres;
    for (int k = first; k < first + count; ++k) {
        const Eigen::AlignedBox3d& triangle = boxes_[at(order_[at(k)])];
        box.extend(triangle);
        centres.extend(triangle.center());
    }
    nodes_[at(at_node)].box = box;
    if (count <= kLeaf) return at_node;
    int axis = 0;
    centres.sizes().maxCoeff(&axis);
    const auto begin = order_.begin() + first;
    std::nth_element(begin, begin + count / 2, begin + count, [&](int a, int b) {
        const double x = boxes_[at(a)].center()[axis], y = boxes_[at(b)].center()[axis];
        return x != y ? x < y : a < b;
    });
    build(first, count / 2);
    nodes_[at(at_node)].right = build(first + count / 2, count - count / 2);
    return at_node;
}

std::optional<double> MeshSurface::ray_hit(const Vec3& o, const Vec3& d) const {
    std::optional<double> best;
    visit(
        [&](const Eigen::AlignedBox3d& box) {
            const RayStretch s = ray_in_box(box, o, d);
            return s.lo <= s.hi * (1 + 1e-12) + 1e-12 && (!best || s.lo <= *best);
        },
        [&](int id) {
            const auto t = ray_meets(triangle(id), o, d);
            if (t && (!best || *t < *best)) best = t;
        });
    return best;
}

}  // namespace stiction
