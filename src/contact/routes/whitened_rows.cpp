// whitened_rows.cpp - the rows of one island as a program on whitened rows (active_set_rows.h): the
// last rung of no_slip, for islands of moderate size whose rows nearly depend on one another.
#include <cmath>

#include "contact/island/whiten.h"
#include "contact/routes/dense_rows.h"

namespace stiction {

namespace {

// A row is wrong above `tolerance`, an answer above ten times that, as in link_qp.cpp.
constexpr double kAccepted = 10;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// One column per row: L^-1 X'g, and below it the root of the row's compliance in a place of its
// own, so that A = Y'Y has the compliance on its diagonal. m: velocities of the island.
void whiten_rows(const IslandTask& task, int m, DenseRowsWorkspace& ws) {
    const LinkSystem& system = task.problem.system;
    const LinkQp& qp = task.workspace.rows.qp;
    Eigen::Index soft = 0;
    for (const QpRow& row : qp.rows) soft += row.compliance > 0 ? 1 : 0;
    ws.Y.setZero(m + soft, static_cast<Eigen::Index>(qp.rows.size()));
    Eigen::Index place = m;
    for (std::size_t l = 0; l < qp.links.size(); ++l) {
        const Link& link = system.links[at(qp.links[l])];
        for (int r = qp.row_begin[l]; r < qp.row_begin[l + 1]; ++r) {
            add_whitened_row(system, link, qp.rows[at(r)].g, ws.local, ws.Y.col(r));
            if (qp.rows[at(r)].compliance > 0)
                ws.Y(place++, r) = std::sqrt(qp.rows[at(r)].compliance);
        }
    }
}

}  // namespace

IslandResult solve_whitened_rows(double tolerance, const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    IslandRows& rows = task.workspace.rows;
    DenseRowsWorkspace& ws = task.workspace.dense_rows;
    const int m = number_velocities(system, rows.qp.blocks, ws.local);
    make_box_lcp(task, ws.lcp);
    whiten_rows(task, m, ws);
    ws.guess.resize(rows.state.size());
    for (std::size_t r = 0; r < rows.state.size(); ++r) ws.guess[r] = box_state(rows.state[r]);
    const double accepted = kAccepted * tolerance;
    solve_active_set_rows(ws.lcp, ws.Y, {{accepted, task.max_iterations, task.deadline}}, ws.guess,
                          ws.active_set_rows, ws.result);
    for (std::size_t r = 0; r < rows.state.size(); ++r) {
        rows.c[r] = ws.result.z[static_cast<Eigen::Index>(r)];
        rows.state[r] = row_state(ws.result.state[r]);
    }
    // v from p, not from the impulses: those of rows that nearly depend on one another are large
    // and cancel.
    unwhiten_velocity(system, rows.qp.blocks, ws.local, ws.active_set_rows.p, task.solution.v);
    for (const int b : rows.qp.blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        task.solution.v.segment(block.offset, block.size) +=
            task.problem.v_free.segment(block.offset, block.size);
    }
    IslandResult result;
    result.solver = "active_set_rows";
    result.status = ws.result.status;
    result.iterations = ws.result.iterations;
    result.pivots = ws.result.pivots;
    result.residual = relative_residual(ws.lcp, ws.result.z, ws.result.w);
    return result;
}

}  // namespace stiction
