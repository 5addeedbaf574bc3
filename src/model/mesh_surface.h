// mesh_surface.h - a triangle mesh with its neighbours and a tree of boxes.
#pragma once

#include <array>
#include <vector>

#include "model/surface_triangle.h"

namespace stiction {

// Of one mesh: a scanned part or landscape has fewer, and a wrong file ends in a message.
inline constexpr std::size_t kMaxMeshTriangles = 2'000'000;

class MeshSurface {
  public:
    static constexpr bool kSolidBelow = false;  // open sheets have no inside

    // Corners in the same place become one vertex, and triangles without area are dropped. Throws
    // InputError when no triangle is left, there are too many, an index is out of range or a
    // number not finite.
    MeshSurface(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles);

    [[nodiscard]] int triangles() const { return static_cast<int>(corner_.size()); }
    [[nodiscard]] int vertices() const { return static_cast<int>(vertex_.size()); }
    [[nodiscard]] int dropped() const { return dropped_; }  // triangles without area
    [[nodiscard]] const Eigen::AlignedBox3d& box() const { return nodes_.front().box; }
    [[nodiscard]] Vec3 vertex(int id) const { return vertex_[at(id)]; }
    [[nodiscard]] SurfaceTriangle triangle(int id) const {
        const auto i = at(id);
        const auto& c = corner_[i];
        return {id, c, {vertex(c[0]), vertex(c[1]), vertex(c[2])}, normal_[i]};
    }
    // kNone at a border: no other triangle has this edge, or it is not one with the opposite sense.
    [[nodiscard]] int neighbour(int id, int edge) const { return neighbour_[at(id)][at(edge)]; }
    [[nodiscard]] bool on_border(int vertex) const { return border_[at(vertex)] != 0; }
    // All triangles at a vertex have it.
    [[nodiscard]] bool has_vertex(int /*id*/, std::size_t /*corner*/) const { return true; }
    // Positive where x is outside, given that the vertex is what is nearest to it.
    [[nodiscard]] double side_at_vertex(int vertex_id, const Vec3& x) const {
        return vertex_normal_[at(vertex_id)].dot(x - vertex(vertex_id));
    }
    // Unit, weighted by the angles of the triangles at the vertex.
    [[nodiscard]] const Vec3& vertex_normal(int id) const { return vertex_normal_[at(id)]; }
    [[nodiscard]] double depth(const Vec3& /*x*/) const { return 0; }  // not known
    // Nearest front of a triangle along a ray with unit direction.
    [[nodiscard]] std::optional<double> ray_hit(const Vec3& origin, const Vec3& direction) const;

    // Calls f(id) for the triangles whose boxes meet the given one.
    template <class F>
    void for_each_near(const Vec3& lo, const Vec3& hi, F&& f) const {
        visit(
            [&](const Eigen::AlignedBox3d& box) {
                return (box.min().array() <= hi.array()).all() &&
                       (lo.array() <= box.max().array()).all();
            },
            f);
    }
    // The same, but for those in boxes (lo, hi) that are to be skipped.
    template <class Skip, class F>
    void for_each_near(const Vec3& lo, const Vec3& hi, Skip&& skip, F&& f) const {
        visit(
            [&](const Eigen::AlignedBox3d& box) {
                return (box.min().array() <= hi.array()).all() &&
                       (lo.array() <= box.max().array()).all() && !skip(box.min(), box.max());
            },
            f);
    }
    // Calls f(position) for the other ends of the edges at a vertex.
    template <class F>
    void for_each_around(int id, F&& f) const {
        const auto v = at(id);
        for (int k = ring_start_[v]; k < ring_start_[v + 1]; ++k) f(vertex(ring_[at(k)]));
    }

  private:
    struct Node {
        Eigen::AlignedBox3d box;
        int first = 0;  // of its triangles in order_
        int count = 0;
        int right = kNone;  // the left child follows its parent; kNone in a leaf
    };
    static constexpr int kLeaf = 4;  // triangles: testing so few costs no more than one more node
    static constexpr int kDeepest = 64;  // a balanced tree of kMaxMeshTriangles has about 20 levels

    template <class Meets, class F>
    void visit(Meets&& meets, F&& f) const {
        std::array<int, kDeepest> stack;
        int top = 0;
        stack[0] = 0;
        while (top >= 0) {
            const int visited = stack[at(top--)];
            const Node& node = nodes_[at(visited)];
            if (!meets(node.box)) continue;
            if (node.right == kNone) {
                for (int k = node.first; k < node.first + node.count; ++k) {
                    const int id = order_[at(k)];
                    if (meets(boxes_[at(id)])) f(id);
                }
                continue;
            }
            stack[at(++top)] = node.right;
            stack[at(++top)] = visited + 1;
        }
    }
    void take_triangles(const std::vector<Vec3>& points,
                        const std::vector<std::array<int, 3>>& triangles);
    void find_neighbours();
    void find_rings();
    int build(int first, int count);

    std::vector<Vec3> vertex_, vertex_normal_, normal_;
    std::vector<std::array<int, 3>> corner_, neighbour_;
    std::vector<char> border_;            // per vertex
    std::vector<int> ring_start_, ring_;  // vertices around each vertex
    std::vector<Node> nodes_;
    std::vector<int> order_;
    std::vector<Eigen::AlignedBox3d> boxes_;
    int dropped_ = 0;
};

}  // namespace stiction
