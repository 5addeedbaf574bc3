// sparse_rows.cpp - the rows of one island as a convex program without dense matrices.
#include <algorithm>

#include "contact/solve_contact.h"

namespace stiction {

namespace {

constexpr int kMostLinks = 600;          // of an entangled island that is factored
constexpr int kMostSweeps = 1000;        // of one that is not
constexpr double kSweepAccuracy = 1e-6;  // tighter would cost more sweeps than it is worth

}  // namespace

bool is_large_pile(const IslandTask& task) {
    return prefers_sweeps(task.problem.system, links_of(task), blocks_of(task), kMostLinks,
                          task.workspace.links_per_body);
}

IslandResult solve_sparse_rows(const LinkQpSettings& settings, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    const LinkSystem& system = task.problem.system;
    IslandResult result;
    LinkQpResult qp;
    if (is_large_pile(task)) {
        result.solver = "pgs";
        qp = sweep_link_qp(
            system, rows.qp, {std::max(settings.tolerance, kSweepAccuracy), kMostSweeps},
            task.problem.v_free, rows.state, task.workspace.link_sweeps, rows.c, task.solution.v);
    } else {
        result.solver = "sparse_ppm";
        qp = solve_link_qp(system, rows.qp, settings, task.problem.v_free, rows.state,
                           task.workspace.link_qp, rows.c, task.shared.momentum, task.solution.v);
    }
    result.status = qp.status;
    result.iterations = qp.iterations;
    result.pivots = qp.pivots;
    result.residual = qp.residual;
    return result;
}

}  // namespace stiction
