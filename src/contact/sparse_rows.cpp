// sparse_rows.cpp - the rows of one island as a convex program without dense matrices.
#include <algorithm>

#include "contact/solve_contact.h"

namespace stiction {

namespace {

constexpr int kMostLinks = 600;          // of an entangled island that is factored
constexpr int kMostSweeps = 1000;        // of one that is not
constexpr double kSweepAccuracy = 1e-6;  // tighter would cost more sweeps than it is worth

IslandResult island_result(std::string_view solver, const LinkQpResult& qp) {
    IslandResult result;
    result.solver = solver;
    result.status = qp.status;
    result.iterations = qp.iterations;
    result.pivots = qp.pivots;
    result.residual = qp.residual;
    return result;
}

}  // namespace

bool is_large_pile(const IslandTask& task) {
    return prefers_sweeps(task.problem.system, links_of(task), blocks_of(task), kMostLinks,
                          task.workspace.links_per_body);
}

IslandResult solve_sparse_rows(const LinkQpSettings& settings, const IslandTask& task) {
    if (is_large_pile(task)) return sweep_rows(settings, task);
    IslandRows& rows = task.workspace.rows;
    return island_result(
        "sparse_ppm",
        solve_link_qp(task.problem.system, rows.qp, settings, task.problem.v_free, rows.state,
                      task.workspace.link_qp, rows.c, task.shared.momentum, task.solution.v));
}

IslandResult sweep_rows(const LinkQpSettings& settings, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    const double accuracy = std::max(settings.tolerance, kSweepAccuracy);
    return island_result("pgs", sweep_link_qp(task.problem.system, rows.qp, {accuracy, kMostSweeps},
                                              task.problem.v_free, rows.state,
                                              task.workspace.link_sweeps, rows.c, task.solution.v));
}

}  // namespace stiction
