// dense_rows.cpp - from rows to a dense problem between bounds, and back to velocities.
#include "contact/routes/dense_rows.h"

#include <limits>

namespace stiction {

namespace {

constexpr int kMostSweeps = 20000;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

BoundState box_state(RowState state) {
    return state == RowState::kFree    ? BoundState::kFree
           : state == RowState::kLower ? BoundState::kLower
                                       : BoundState::kUpper;
}

RowState row_state(BoundState state) {
    return state == BoundState::kFree    ? RowState::kFree
           : state == BoundState::kLower ? RowState::kLower
                                         : RowState::kUpper;
}

void solve_box(DenseSolver solver, const SolveSettings& stop, DenseRowsWorkspace& ws) {
    switch (solver) {
        case DenseSolver::kActiveSetQp:
            return solve_active_set_qp(ws.lcp, {stop}, ws.guess, ws.active_set, ws.result);
        case DenseSolver::kBlockPivot:
            return solve_block_pivot(ws.lcp, {stop}, ws.guess, ws.block_pivot, ws.result);
        case DenseSolver::kPgs: {
            SolveSettings sweeping = stop;
            if (stop.max_iterations == 0) sweeping.max_iterations = kMostSweeps;
            return solve_pgs(ws.lcp, sweeping, ws.z, ws.pgs, ws.result);
        }
        case DenseSolver::kPgsSm:
            return solve_pgs_sm(ws.lcp, {stop}, ws.z, ws.pgs_sm, ws.result);
        case DenseSolver::kGradientProjection:
            return solve_gradient_projection(ws.lcp, {stop}, ws.z, ws.gradient, ws.result);
        case DenseSolver::kLemke: {
            reset(ws.result, ws.lcp.b.size());
            ws.result.status = SolveStatus::kNoSolution;
            if (!(ws.lcp.lo.array() > -std::numeric_limits<double>::infinity()).all()) return;
            const Lcp plain = to_lcp(ws.lcp);
            solve_lemke(plain, {stop}, {}, ws.lemke, ws.lemke_result);
            finish(ws.lcp, from_lcp(ws.lcp, ws.lemke_result.z), ws.result);
            ws.result.status = ws.lemke_result.status;
            ws.result.pivots = ws.lemke_result.pivots;
            ws.result.iterations = ws.lemke_result.iterations;
            return;
        }
    }
}

void make_box_lcp(const IslandTask& task, BoxLcp& lcp) {
    const LinkSystem& system = task.problem.system;
    const LinkQp& qp = task.workspace.rows.qp;
    const auto n = static_cast<Eigen::Index>(qp.rows.size());
    lcp.A.setZero(n, n);
    lcp.b.resize(n);
    lcp.lo.resize(n);
    lcp.hi.resize(n);
    for (std::size_t i = 0; i < qp.links.size(); ++i) {
        const Link& link = system.links[at(qp.links[i])];
        const Vec6 u_free = link_velocity(system, link, task.problem.v_free);
        for (int r = qp.row_begin[i]; r < qp.row_begin[i + 1]; ++r) {
            const QpRow& row = qp.rows[at(r)];
            lcp.b[r] = row.g.dot(u_free) - row.target;
            lcp.lo[r] = row.lo;
            lcp.hi[r] = row.hi;
        }
        for (std::size_t j = 0; j < qp.links.size(); ++j) {
            const Mat6 D = delassus_block(system, link, system.links[at(qp.links[j])]);
            if (D.isZero(0)) continue;
            for (int r = qp.row_begin[i]; r < qp.row_begin[i + 1]; ++r) {
                const Vec6 D_g = D.transpose() * qp.rows[at(r)].g;
                for (int s = qp.row_begin[j]; s < qp.row_begin[j + 1]; ++s) {
                    lcp.A(r, s) = D_g.dot(qp.rows[at(s)].g);
                }
            }
        }
        for (int r = qp.row_begin[i]; r < qp.row_begin[i + 1]; ++r) {
            lcp.A(r, r) += qp.rows[at(r)].compliance;
        }
    }
}

IslandResult solve_dense_rows(DenseSolver solver, double tolerance, const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    IslandRows& rows = task.workspace.rows;
    DenseRowsWorkspace& ws = task.workspace.dense_rows;
    make_box_lcp(task, ws.lcp);
    ws.guess.resize(rows.state.size());
    for (std::size_t r = 0; r < rows.state.size(); ++r) ws.guess[r] = box_state(rows.state[r]);
    ws.z = VecX::Zero(ws.lcp.b.size());
    solve_box(solver, {tolerance, task.max_iterations, task.deadline}, ws);

    for (std::size_t r = 0; r < rows.state.size(); ++r) {
        rows.c[r] = ws.result.z[static_cast<Eigen::Index>(r)];
        rows.state[r] = row_state(ws.result.state[r]);
    }
    for (const int b : rows.qp.blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        task.shared.momentum.segment(block.offset, block.size).setZero();
    }
    for (std::size_t i = 0; i < rows.qp.links.size(); ++i) {
        Vec6 F = Vec6::Zero();
        for (int r = rows.qp.row_begin[i]; r < rows.qp.row_begin[i + 1]; ++r) {
            F += rows.c[at(r)] * rows.qp.rows[at(r)].g;
        }
        add_link_impulse(system, system.links[at(rows.qp.links[i])], F, task.shared.momentum);
    }
    for (const int b : rows.qp.blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        apply_inverse_inertia(system, block, task.shared.momentum, task.solution.v);
        task.solution.v.segment(block.offset, block.size) +=
            task.problem.v_free.segment(block.offset, block.size);
    }
    IslandResult result;
    result.solver = kDenseSolverNames[static_cast<std::size_t>(solver)];
    result.status = ws.result.status;
    result.iterations = ws.result.iterations;
    result.pivots = ws.result.pivots;
    result.residual = relative_residual(ws.lcp, ws.result.z, ws.result.w);
    return result;
}

}  // namespace stiction
