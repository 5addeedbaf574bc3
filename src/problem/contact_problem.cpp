// contact_problem.cpp - dense view, tangent frames and islands of a contact problem.
#include "problem/contact_problem.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

void set_row(const LinkSystem& system, int link_id, const Vec6& g, Eigen::Index row, MatX& rows,
             VecX& offset) {
    const Link& link = system.links[at(link_id)];
    for (const bool side_a : {true, false}) {
        const int id = side_a ? link.a : link.b;
        if (id == kNone) continue;
        const InertiaBlock& block = system.blocks[at(id)];
        rows.row(row).segment(block.offset, block.size) +=
            (side_a ? 1.0 : -1.0) * g.transpose() * link_jacobian(system, link, side_a);
    }
    offset[row] = g.dot(link.u0);
}

template <class Rows, class Direction>
void set_rows(const LinkSystem& system, const Rows& from, Direction direction, MatX& rows,
              VecX& offset) {
    const auto count = static_cast<Eigen::Index>(from.size());
    rows = MatX::Zero(count, system.nv);
    offset = VecX::Zero(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto& row = from[at(i)];
        set_row(system, row.link, direction(row), i, rows, offset);
    }
}

int find_root(std::vector<int>& parent, int i) {
    while (parent[at(i)] != i) {
        int& up = parent[at(i)];
        up = parent[at(up)];  // halve the path
        i = up;
    }
    return i;
}

}  // namespace

DenseProblem dense(const ContactProblem& problem) {
    const LinkSystem& system = problem.system;
    DenseProblem d;
    d.M = MatX::Zero(system.nv, system.nv);
    for (const InertiaBlock& block : system.blocks) {
        d.M.block(block.offset, block.offset, block.size, block.size) =
            dense_inertia(system, block);
    }
    set_rows(
        system, problem.contacts, [](const ContactRow& c) { return c.n; }, d.N, d.N0);
    set_rows(
        system, problem.contacts, [](const ContactRow& c) { return c.s; }, d.S, d.S0);
    set_rows(
        system, problem.contacts, [](const ContactRow& c) { return c.t; }, d.T, d.T0);
    set_rows(
        system, problem.joints, [](const JointRow& r) { return r.g; }, d.J, d.J0);
    set_rows(
        system, problem.limits, [](const LimitRow& r) { return r.g; }, d.L, d.L0);
    set_rows(
        system, problem.bounded, [](const BoundedRow& r) { return r.g; }, d.B, d.B0);
    return d;
}

void tangents(const Vec3& n, Vec3& s, Vec3& t) {
    // Start from the world axis least aligned with n (the first of equals): a face normal along x,
    // y or z then gets world axes as tangents, so friction polygons line up with the scene.
    int axis = 0;
    const Vec3 size = n.cwiseAbs();
    if (size.y() < size[axis] - 1e-9) axis = 1;
    if (size.z() < size[axis] - 1e-9) axis = 2;
    s = Vec3::Unit(axis);
    s = (s - n * n.dot(s)).normalized();
    t = n.cross(s);
}

void find_islands(ContactProblem& problem, std::vector<int>& parent) {
    const LinkSystem& system = problem.system;
    const auto nb = static_cast<int>(system.blocks.size());
    parent.resize(at(nb));
    for (int i = 0; i < nb; ++i) parent[at(i)] = i;
    for (const Link& link : system.links) {
        if (link.a == kNone || link.b == kNone) continue;
        const int a = find_root(parent, link.a);
        const int b = find_root(parent, link.b);
        parent[at(std::max(a, b))] = std::min(a, b);  // the root is the smallest block
    }
    for (int i = 0; i < nb; ++i) parent[at(i)] = find_root(parent, i);

    // Number the roots that have links in the order of their first link, then bucket links and
    // blocks.
    problem.islands.clear();
    problem.island_links.resize(system.links.size());
    // Roots are marked with -(island + 1) in place, so no second table is needed.
    const auto island_of_root = [&](int root) { return -parent[at(root)] - 1; };
    for (const Link& link : system.links) {
        const int block = link.a != kNone ? link.a : link.b;
        int root = parent[at(block)];
        if (root < 0) root = block;  // the block is itself a marked root
        if (parent[at(root)] >= 0) {
            parent[at(root)] = -static_cast<int>(problem.islands.size()) - 1;
            problem.islands.emplace_back();
        }
        ++problem.islands[at(island_of_root(root))].link_end;
    }
    const auto island_of_block = [&](int block) {
        const int up = parent[at(block)];
        if (up < 0) return -up - 1;
        return parent[at(up)] < 0 ? island_of_root(up) : kNone;
    };
    problem.island_blocks.clear();
    for (int i = 0; i < nb; ++i) {
        const int island = island_of_block(i);
        if (island == kNone) continue;
        ++problem.islands[at(island)].block_end;
        problem.island_blocks.push_back(kNone);
    }
    int links = 0;
    int blocks = 0;
    for (Island& island : problem.islands) {  // counts become ranges, filled below
        const int link_count = island.link_end;
        const int block_count = island.block_end;
        island.link_begin = island.link_end = links;
        island.block_begin = island.block_end = blocks;
        links += link_count;
        blocks += block_count;
    }
    for (std::size_t l = 0; l < system.links.size(); ++l) {
        const Link& link = system.links[l];
        Island& island = problem.islands[at(island_of_block(link.a != kNone ? link.a : link.b))];
        problem.island_links[at(island.link_end++)] = static_cast<int>(l);
    }
    problem.block_place.assign(at(nb), kNone);
    for (int i = 0; i < nb; ++i) {
        const int id = island_of_block(i);
        if (id == kNone) continue;
        Island& island = problem.islands[at(id)];
        problem.block_place[at(i)] = island.block_end;
        problem.island_blocks[at(island.block_end++)] = i;
    }
}

}  // namespace stiction
