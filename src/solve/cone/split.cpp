// split.cpp - passes of pivoting and of friction.
#include "solve/cone/split.h"

#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr int kDefaultPasses = 200;
constexpr int kFrictionSweeps = 10;  // per pass: normals change anyway
constexpr double kLcpTolerance = 1e-12;

// Which rows are pivoted, and the matrix over them.
void set_up_normals(const ConeProblem& problem, SplitWorkspace& ws) {
    const int nc = problem.contacts();
    ws.rows.clear();
    std::vector<int> place(at(3 * nc), kNone);
    for (int a = 0; a < nc; ++a) {
        const int count = problem.is_bounded(a) ? 3 : 1;
        for (int i = 0; i < count; ++i) {
            place[at(3 * a + i)] = static_cast<int>(ws.rows.size());
            ws.rows.push_back(3 * a + i);
        }
    }
    const auto n = static_cast<Eigen::Index>(ws.rows.size());
    ws.lcp.A.setZero(n, n);
    ws.lcp.b.resize(n);
    ws.lcp.lo.setZero(n);
    ws.lcp.hi.setConstant(n, std::numeric_limits<double>::infinity());
    for (int a = 0; a < nc; ++a) {
        for (int k = problem.W.start[at(a)]; k < problem.W.start[at(a) + 1]; ++k) {
            const int b = problem.W.column[at(k)];
            for (int i = 0; i < 3; ++i) {
                const int row = place[at(3 * a + i)];
                for (int j = 0; row != kNone && j < 3; ++j) {
                    const int col = place[at(3 * b + j)];
                    if (col != kNone) ws.lcp.A(row, col) += problem.W.block[at(k)](i, j);
                }
            }
        }
        if (!problem.is_bounded(a)) continue;
        ws.lcp.lo.segment<3>(place[at(3 * a)]) = problem.lo.segment<3>(3 * a);
        ws.lcp.hi.segment<3>(place[at(3 * a)]) = problem.hi.segment<3>(3 * a);
    }
}

void set_tangential_weights(const ConeProblem& problem, VecX& weight) {
    weight.resize(problem.contacts());
    for (int a = 0; a < problem.contacts(); ++a) {
        const Eigen::Matrix2d W = problem.W.at_diagonal(a).bottomRightCorner<2, 2>();
        const double mean = 0.5 * W.trace();
        const double off = 0.5 * (W(0, 1) + W(1, 0));
        const double largest = mean + std::hypot(0.5 * (W(0, 0) - W(1, 1)), off);
        weight[a] = largest > 0 ? largest : 1.0;
    }
}

// Normals and bounded rows, friction as it stands.
void solve_normals(const ConeProblem& problem, const SolveSettings& settings, SplitWorkspace& ws) {
    for (const int row : ws.rows) ws.r[row] = 0;
    multiply_add(problem.W, ws.r, problem.q, ws.u);
    for (std::size_t i = 0; i < ws.rows.size(); ++i)
        ws.lcp.b[static_cast<Eigen::Index>(i)] = ws.u[ws.rows[i]];
    BlockPivotSettings pivoting;
    pivoting.stop = {kLcpTolerance, 0, settings.deadline};
    solve_block_pivot(ws.lcp, pivoting, ws.result.state, ws.pivoting, ws.result);
    for (std::size_t i = 0; i < ws.rows.size(); ++i)
        ws.r[ws.rows[i]] = ws.result.z[static_cast<Eigen::Index>(i)];
}

// Friction, normals as they stand.
void sweep_friction(const ConeProblem& problem, SplitWorkspace& ws) {
    for (int sweep = 0; sweep < kFrictionSweeps; ++sweep) {
        for (int a = 0; a < problem.contacts(); ++a) {
            if (problem.is_bounded(a)) continue;
            const double radius = problem.mu[a] * std::max(0.0, ws.r[3 * a]);
            auto r_T = ws.r.segment<2>(3 * a + 1);
            if (radius == 0) {
                r_T.setZero();
                continue;
            }
            const Vec3 u = problem.q.segment<3>(3 * a) + row_product(problem.W, a, ws.r);
            r_T -= u.tail<2>() / ws.weight[a];
            const double length = r_T.norm();
            if (length > radius) r_T *= radius / length;
        }
    }
}

void judge(const ConeProblem& problem, SplitWorkspace& ws, ConeResult& result) {
    multiply_add(problem.W, ws.r, problem.q, ws.u);
    const ConeResidual now = residual(problem, ws.r, ws.u);
    if (now.worst() < result.residual || !std::isfinite(result.residual))
        keep(ws.r, ws.u, now, result);
}

}  // namespace

void solve_split(const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                 SplitWorkspace& ws, ConeResult& result) {
    if (!begin(problem, guess, ws.r, result)) return;
    set_up_normals(problem, ws);
    set_tangential_weights(problem, ws.weight);
    ws.result.state.clear();
    judge(problem, ws, result);
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kDefaultPasses;
    bool late = false;
    while (!(result.residual <= settings.tolerance) && result.iterations < limit && !late) {
        solve_normals(problem, settings, ws);
        judge(problem, ws, result);  // exact where nothing slides any more
        sweep_friction(problem, ws);
        judge(problem, ws, result);
        ++result.iterations;
        result.factorisations += ws.result.iterations;
        late = settings.deadline.passed();
    }
    finish(settings, late, result);
}

}  // namespace stiction
