// sparse_rows.cpp - the rows of one island as a convex program without dense matrices.
#include <algorithm>

#include "contact/solve_contact.h"

namespace stiction {

namespace {

constexpr int kMostSweeps = 300;  // of an island that is not factored
constexpr int kSmallPile = 100;   // links above which sweeps find the first states
constexpr int kFirstSweeps = 60;
constexpr int kPileFactors = 15;         // factorisations after them: they end soon or not at all
constexpr double kSweepAccuracy = 1e-6;  // tighter would cost more sweeps than it is worth

// Sweeps that a budget allows; 0: none is set.
int most_sweeps(int budget) { return budget > 0 ? budget : kMostSweeps; }

bool is_contact(const RowSource& source) {
    return source.kind == RowSource::Kind::kNormal || source.kind == RowSource::Kind::kS ||
           source.kind == RowSource::Kind::kT;
}

LinkQpResult sweep_from_guess(const LinkQpSettings& settings, const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    guess_impulses(task, rows);
    return sweep_link_qp(task.problem.system, rows.qp, settings, task.problem.v_free, rows.state,
                         task.workspace.link_sweeps, rows.c, task.solution.v);
}

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

void guess_impulses(const IslandTask& task, IslandRows& rows) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        const RowSource& source = rows.source[r];
        if (!is_contact(source)) continue;
        const auto i = static_cast<std::size_t>(source.index);
        rows.c[r] = rows.qp.rows[r].g.head<3>().dot(task.shared.impulse_guess[i]);
    }
}

void keep_impulses(const IslandTask& task, const IslandRows& rows) {
    const auto guess = [&](std::size_t r) -> Vec3& {
        return task.shared.impulse_guess[static_cast<std::size_t>(rows.source[r].index)];
    };
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (is_contact(rows.source[r])) guess(r).setZero();
    }
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (is_contact(rows.source[r])) guess(r) += rows.c[r] * rows.qp.rows[r].g.head<3>();
    }
}

LinkQpResult solve_normal_rows(const IslandTask& task, const VecX& v_free, IslandRows& rows,
                               VecX& v) {
    const LinkSystem& system = task.problem.system;
    LinkQpSettings settings;
    settings.max_iterations = task.max_iterations;
    settings.deadline = task.deadline;
    if (is_large_pile(task)) {
        settings.tolerance = kSweepAccuracy;
        settings.max_iterations = most_sweeps(settings.max_iterations);
        return sweep_link_qp(system, rows.qp, settings, v_free, rows.state,
                             task.workspace.link_sweeps, rows.c, v);
    }
    return solve_link_qp(system, rows.qp, settings, v_free, rows.state, task.workspace.link_qp,
                         rows.c, task.shared.momentum, v);
}

bool is_pile(const IslandTask& task) {
    return prefers_sweeps(task.problem.system, links_of(task), blocks_of(task), kSmallPile,
                          task.workspace.links_per_body);
}

bool is_large_pile(const IslandTask& task) {
    return prefers_sweeps(task.problem.system, links_of(task), blocks_of(task), kMostFactoredLinks,
                          task.workspace.links_per_body);
}

IslandResult solve_sparse_rows(const LinkQpSettings& settings, const IslandTask& task) {
    if (is_large_pile(task)) return sweep_rows(settings, task);
    IslandRows& rows = task.workspace.rows;
    LinkQpSettings left = settings;
    left.deadline = task.deadline;
    int sweeps = 0;
    // The factors of a pile fill: rather find out cheaply which rows act than change them one
    // factorisation after the other.
    const bool pile = is_pile(task);
    if (pile) {
        const int most = std::min(kFirstSweeps, most_sweeps(settings.max_iterations));
        LinkQpResult swept = sweep_from_guess({settings.tolerance, most, task.deadline}, task);
        sweeps = swept.iterations;
        left.max_iterations =
            settings.max_iterations == 0 ? kPileFactors : settings.max_iterations - sweeps;
        const bool late = task.deadline.passed();
        if (late || (settings.max_iterations > 0 && left.max_iterations <= 0)) {
            if (late && swept.status == SolveStatus::kIterationLimit)
                swept.status = SolveStatus::kBudget;
            return island_result("pgs", swept);
        }
    }
    IslandResult result = island_result(
        "sparse_ppm",
        solve_link_qp(task.problem.system, rows.qp, left, task.problem.v_free, rows.state,
                      task.workspace.link_qp, rows.c, task.shared.momentum, task.solution.v));
    result.iterations += sweeps;
    // What pivoting leaves when it does not end may be anything; sweeps only ever get nearer.
    if (pile && result.status != SolveStatus::kSolved && !spent(task, result.iterations)) {
        const int iterations = result.iterations;
        result = sweep_rows(settings, task);
        result.iterations += iterations;
        result.fallback = true;
    }
    return result;
}

IslandResult sweep_rows(const LinkQpSettings& settings, const IslandTask& task) {
    const double accuracy = std::max(settings.tolerance, kSweepAccuracy);
    const int most = most_sweeps(settings.max_iterations);
    return island_result("pgs", sweep_from_guess({accuracy, most, task.deadline}, task));
}

}  // namespace stiction
