// fold_motors.cpp - changes inertia blocks and drops the rows that went into them.
#include "bench/fold_motors.h"

#include <Eigen/Cholesky>
#include <vector>

namespace stiction {

namespace {

// Block of a soft row that acts within one tree; kNone for other rows.
int block_of(const LinkSystem& system, const BoundedRow& row) {
    const Link& link = system.links[at(row.link)];
    const bool one_block = link.a != kNone && link.b == kNone;
    if (!one_block || row.friction || row.compliance <= 0) return kNone;
    return system.blocks[at(link.a)].free_body ? kNone : link.a;
}

void fold_block(const ContactProblem& from, int id, ContactProblem& problem) {
    LinkSystem& system = problem.system;
    const InertiaBlock& block = system.blocks[at(id)];
    MatX M = dense_inertia(system, block);
    VecX momentum = M * from.v_free.segment(block.offset, block.size);
    for (const BoundedRow& row : from.bounded) {
        if (block_of(from.system, row) != id) continue;
        const Link& link = from.system.links[at(row.link)];
        const VecX x = link_jacobian(from.system, link, true).transpose() * row.g;
        M += x * x.transpose() / row.compliance;
        momentum += x * ((row.target - row.g.dot(link.u0)) / row.compliance);
    }
    // What is added to M's diagonal keeps the tree's zeros.
    const Ways ways = ways_of(system, block);
    take_entries(ways, M, system.pool.data() + block.pool_M);
    factor(ways, system.pool.data() + block.pool_M, system.pool.data() + block.pool_root);
    problem.v_free.segment(block.offset, block.size) = M.llt().solve(momentum);
}

// Keeps the rows of a kind for which `keep` says so, in the order of the links, and renumbers
// their links.
template <class Row, class Keep>
void sift(std::vector<Row>& rows, int& begin, int& end, const std::vector<Row>& from, int link,
          Keep keep) {
    const int first = begin;
    const int last = end;
    begin = static_cast<int>(rows.size());
    for (int i = first; i < last; ++i) {
        if (!keep(from[at(i)])) continue;
        rows.push_back(from[at(i)]);
        rows.back().link = link;
    }
    end = static_cast<int>(rows.size());
}

}  // namespace

ContactProblem fold_motors(const ContactProblem& from) {
    ContactProblem problem = from;
    for (std::size_t b = 0; b < from.system.blocks.size(); ++b) {
        if (!from.system.blocks[b].free_body) fold_block(from, static_cast<int>(b), problem);
    }
    problem.contacts.clear();
    problem.joints.clear();
    problem.limits.clear();
    problem.bounded.clear();
    problem.system.links.clear();
    problem.link_rows.clear();
    const auto all = [](const auto&) { return true; };
    for (std::size_t l = 0; l < from.system.links.size(); ++l) {
        LinkRows range = from.link_rows[l];
        const auto link = static_cast<int>(problem.system.links.size());
        const std::size_t before = problem.contacts.size() + problem.joints.size() +
                                   problem.limits.size() + problem.bounded.size();
        sift(problem.contacts, range.contact_begin, range.contact_end, from.contacts, link, all);
        sift(problem.joints, range.joint_begin, range.joint_end, from.joints, link, all);
        sift(problem.limits, range.limit_begin, range.limit_end, from.limits, link, all);
        sift(problem.bounded, range.bounded_begin, range.bounded_end, from.bounded, link,
             [&](const BoundedRow& row) { return block_of(from.system, row) == kNone; });
        const std::size_t after = problem.contacts.size() + problem.joints.size() +
                                  problem.limits.size() + problem.bounded.size();
        if (after == before) continue;
        problem.system.links.push_back(from.system.links[l]);
        problem.link_rows.push_back(range);
    }
    refresh_responses(problem.system);
    std::vector<int> scratch;
    find_islands(problem, scratch);
    return problem;
}

}  // namespace stiction
