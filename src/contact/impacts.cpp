// impacts.cpp - impacts one after another.
#include "contact/impacts.h"

#include <limits>

#include "contact/routes/pivoting.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

// Of an island, per contact. A ball between two that close in on it meets them ever more often:
// what is left then is stopped by the step.
constexpr int kMaxImpacts = 50;

// The contact of the island that approaches fastest among those that close in the step, or kNone.
int next_impact(const ContactProblem& problem, const Island& island, double threshold,
                const VecX& v) {
    int next = kNone;
    double fastest = threshold;
    for (const int l : links_of(problem, island)) {
        const LinkRows& range = problem.link_rows[at(l)];
        if (range.contact_begin == range.contact_end) continue;
        const Link& link = problem.system.links[at(l)];
        const Vec6 u = link_velocity(problem.system, link, v);
        const Vec6 u_free = link_velocity(problem.system, link, problem.v_free);
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            const ContactRow& contact = problem.contacts[at(i)];
            const double approach = -contact.n.dot(u);
            if (contact.eps <= 0 || approach <= fastest) continue;
            if (contact.phi + problem.h * contact.n.dot(u_free) >= 0) continue;
            fastest = approach;
            next = i;
        }
    }
    return next;
}

// Joints keep their row velocities, the contact `i` stops, all other rows have no impulse.
void ask_for(const ContactProblem& problem, int i, const VecX& v, IslandRows& rows) {
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const Link& link = problem.system.links[at(rows.links[l])];
        const Vec6 u = link_velocity(problem.system, link, v);
        for (auto r = at(rows.begin[l]); r < at(rows.begin[l + 1]); ++r) {
            Row& row = rows.rows[r];
            const RowSource& source = rows.source[r];
            if (source.kind == RowSource::Kind::kJoint) {
                row.target = row.g.dot(u);
                continue;
            }
            const bool stops = source.kind == RowSource::Kind::kNormal && source.index == i;
            row.target = 0;
            row.lo = 0;
            row.hi = stops ? std::numeric_limits<double>::infinity() : 0;
            rows.state[r] = stops ? BoundState::kFree : BoundState::kLower;
        }
    }
}

// False where the joints let no impulse stop the contact.
bool rebound(int i, ImpactWorkspace& workspace, ContactProblem& problem) {
    IslandRows& rows = workspace.rows;
    ask_for(problem, i, workspace.v, rows);
    const SolveStatus status =
        solve_by_pivoting(problem.system, {kPivotingTolerance, 0, {}}, workspace.v,
                          workspace.pivoting(), rows, workspace.momentum, workspace.v_stopped)
            .status;
    if (status != SolveStatus::kSolved) return false;
    const double factor = 1 + problem.contacts[at(i)].eps;
    for (const int b : rows.blocks) {
        const InertiaBlock& block = problem.system.blocks[at(b)];
        auto v = workspace.v.segment(block.offset, block.size);
        auto change = workspace.momentum.segment(block.offset, block.size);  // free by now
        change = factor * (workspace.v_stopped.segment(block.offset, block.size) - v);
        v += change;
        problem.v_free.segment(block.offset, block.size) += change;
    }
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        const RowSource& source = rows.source[r];
        if (source.kind == RowSource::Kind::kNormal)
            workspace.c_n[at(source.index)] += factor * rows.c[r];
        if (source.kind == RowSource::Kind::kJoint)
            workspace.c_j[at(source.index)] += factor * rows.c[r];
    }
    return true;
}

}  // namespace

int take_impacts(double threshold, ImpactWorkspace& workspace, ContactProblem& problem) {
    workspace.c_n.assign(problem.contacts.size(), 0.0);
    workspace.c_j.assign(problem.joints.size(), 0.0);
    workspace.v = problem.v;
    workspace.v_stopped = problem.v;
    workspace.momentum.resize(problem.v.size());
    int taken = 0;
    for (const Island& island : problem.islands) {
        int i = next_impact(problem, island, threshold, workspace.v);
        if (i == kNone) continue;
        build_island_rows(problem, island, {.bounded = false}, workspace.rows);
        const auto most = kMaxImpacts * static_cast<int>(workspace.rows.rows.size());
        for (int round = 0; i != kNone && round < most; ++round) {
            if (!rebound(i, workspace, problem)) break;
            ++taken;
            i = next_impact(problem, island, threshold, workspace.v);
        }
    }
    return taken;
}

void add_impact_impulses(const ImpactWorkspace& workspace, ContactSolution& solution) {
    for (std::size_t i = 0; i < workspace.c_n.size(); ++i) solution.c_n[i] += workspace.c_n[i];
    for (std::size_t i = 0; i < workspace.c_j.size(); ++i) solution.c_j[i] += workspace.c_j[i];
}

}  // namespace stiction
