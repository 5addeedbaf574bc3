// no_slip_dense.cpp - the paper's route: FIND-INDICES on whitened rows, then principal pivoting
// [D15, Algorithms 1, 2].
//
// With M = L L' and nu = L' v, rows x become y = L^-1 x. Q is an orthonormal basis of the accepted
// equality rows, whose rows are R' Q'. Then in whitened velocities C = I - Q Q', and v_hat is
// nu_free with its part along Q replaced by s = R'^-1 b. Normals see (I - Q Q') only; impulses of
// the accepted rows follow from R c = Q' (nu+ - nu_free - Y_n' c_n).
#include <algorithm>
#include <cmath>

#include "contact/island/whiten.h"
#include "contact/solve_contact.h"

namespace stiction {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Task = IslandTask;

void sort_rows(const IslandRows& rows, DenseNoSlipWorkspace& ws) {
    ws.equalities.clear();
    ws.inequalities.clear();
    const auto count = static_cast<int>(rows.source.size());
    for (int r = 0; r < count; ++r) {
        if (rows.source[at(r)].kind == RowSource::Kind::kJoint) ws.equalities.push_back(r);
    }
    for (int r = 0; r < count; ++r) {
        const RowSource::Kind kind = rows.source[at(r)].kind;
        if (kind == RowSource::Kind::kS || kind == RowSource::Kind::kT) ws.equalities.push_back(r);
        if (kind == RowSource::Kind::kNormal || kind == RowSource::Kind::kLimit)
            ws.inequalities.push_back(r);
    }
}

// Link of each row of the island, by walking the ranges.
int link_of_row(const IslandRows& rows, int row) {
    const auto after = std::upper_bound(rows.qp.row_begin.begin(), rows.qp.row_begin.end(), row);
    return rows.qp.links[static_cast<std::size_t>(after - rows.qp.row_begin.begin()) - 1];
}

double prescribed(const Task& task, int link, const Vec6& g) {
    return g.dot(task.problem.system.links[at(link)].u0);
}

void accept_equalities(const Task& task, int m, DenseNoSlipWorkspace& ws) {
    const IslandRows& rows = task.workspace.rows;
    const auto k = static_cast<Eigen::Index>(ws.equalities.size());
    ws.Y.resize(k, m);
    ws.b.resize(k);
    for (Eigen::Index i = 0; i < k; ++i) {
        const int r = ws.equalities[static_cast<std::size_t>(i)];
        const int link = link_of_row(rows, r);
        ws.y.setZero(m);
        add_whitened_row(task.problem.system, task.problem.system.links[at(link)],
                         rows.qp.rows[at(r)].g, ws.local, ws.y);
        ws.Y.row(i) = ws.y.transpose();
        ws.b[i] = rows.qp.rows[at(r)].target - prescribed(task, link, rows.qp.rows[at(r)].g);
    }
    find_independent_rows(ws.Y, kRowTolerance, ws.independent, ws.accepted);

    const auto rank = static_cast<Eigen::Index>(ws.accepted.rows.size());
    ws.Z.resize(m, rank);
    ws.s.resize(rank);
    for (Eigen::Index i = 0; i < rank; ++i) {
        const int row = ws.accepted.rows[static_cast<std::size_t>(i)];
        ws.Z.col(i) = ws.Y.row(row).transpose();
        ws.s[i] = ws.b[row];
    }
    ws.R.noalias() = ws.accepted.basis().transpose() * ws.Z;  // upper triangular
    ws.R.transpose().triangularView<Eigen::Lower>().solveInPlace(ws.s);
}

// The LCP of the normals in whitened velocities.
void build_ppm(const Task& task, int m, DenseNoSlipWorkspace& ws) {
    const IslandRows& rows = task.workspace.rows;
    const auto n = static_cast<Eigen::Index>(ws.inequalities.size());
    ws.ppm.N.resize(n, m);
    ws.ppm.bias.resize(n);
    ws.ppm.scale.resize(n);
    ws.guess.resize(static_cast<std::size_t>(n));
    for (Eigen::Index i = 0; i < n; ++i) {
        const int r = ws.inequalities[static_cast<std::size_t>(i)];
        const int link = link_of_row(rows, r);
        ws.y.setZero(m);
        add_whitened_row(task.problem.system, task.problem.system.links[at(link)],
                         rows.qp.rows[at(r)].g, ws.local, ws.y);
        ws.ppm.N.row(i) = ws.y.transpose();
        ws.ppm.bias[i] = prescribed(task, link, rows.qp.rows[at(r)].g) - rows.qp.rows[at(r)].target;
        ws.ppm.scale[i] = ws.ppm.N.row(i).squaredNorm();
        ws.guess[static_cast<std::size_t>(i)] = rows.state[at(r)] == RowState::kFree;
    }
    const auto Q = ws.accepted.basis();
    ws.ppm.K.setIdentity(m, m);
    ws.ppm.K.noalias() -= Q * Q.transpose();
    ws.along.noalias() = Q.transpose() * ws.nu_free;
    ws.along -= ws.s;
    ws.ppm.v_hat = ws.nu_free;
    ws.ppm.v_hat.noalias() -= Q * ws.along;
}

void write_back(const Task& task, DenseNoSlipWorkspace& ws) {
    IslandRows& rows = task.workspace.rows;
    std::fill(rows.c.begin(), rows.c.end(), 0.0);
    ws.nu = ws.ppm.v_hat;
    ws.rest.noalias() = ws.ppm.N.transpose() * ws.result.z;  // N' c_n
    ws.nu.noalias() += ws.ppm.K * ws.rest;
    for (std::size_t i = 0; i < ws.inequalities.size(); ++i) {
        const int r = ws.inequalities[i];
        rows.c[at(r)] = ws.result.z[static_cast<Eigen::Index>(i)];
        rows.state[at(r)] = ws.result.basic[i] ? RowState::kFree : RowState::kLower;
    }
    ws.rest = ws.nu - ws.nu_free - ws.rest;
    ws.s.noalias() = ws.accepted.basis().transpose() * ws.rest;
    ws.R.triangularView<Eigen::Upper>().solveInPlace(ws.s);
    for (std::size_t i = 0; i < ws.accepted.rows.size(); ++i) {
        rows.c[at(ws.equalities[at(ws.accepted.rows[i])])] = ws.s[static_cast<Eigen::Index>(i)];
    }
    unwhiten_velocity(task.problem.system, rows.qp.blocks, ws.local, ws.nu, task.solution.v);
}

// Largest violation of the model's own law, as a velocity. Rejected rows count too: they must hold
// by dependence.
double own_residual(const Task& task) {
    const IslandRows& rows = task.workspace.rows;
    double residual = 0;
    for (std::size_t l = 0; l < rows.qp.links.size(); ++l) {
        const Vec6 u = link_velocity(
            task.problem.system, task.problem.system.links[at(rows.qp.links[l])], task.solution.v);
        for (int r = rows.qp.row_begin[l]; r < rows.qp.row_begin[l + 1]; ++r) {
            const double w = rows.qp.rows[at(r)].g.dot(u) - rows.qp.rows[at(r)].target;
            const bool held = rows.state[at(r)] == RowState::kFree;
            residual = std::max(residual, held ? std::abs(w) : -w);
        }
    }
    return residual;
}

}  // namespace

IslandResult solve_dense_no_slip(const NoSlip& model, const IslandTask& task, int max_pivots) {
    DenseNoSlipWorkspace& ws = task.workspace.dense_no_slip;
    const std::span<const int> blocks = task.workspace.rows.qp.blocks;
    const int m = number_velocities(task.problem.system, blocks, ws.local);
    ws.nu_free.resize(m);
    whiten_velocity(task.problem.system, blocks, ws.local, task.problem.v_free, ws.nu_free);
    sort_rows(task.workspace.rows, ws);
    accept_equalities(task, m, ws);
    build_ppm(task, m, ws);
    PpmSettings settings;
    settings.stop = {model.tolerance, max_pivots, task.deadline};
    solve_ppm(ws.ppm, settings, ws.guess, ws.pivoting, ws.result);
    write_back(task, ws);

    IslandResult result;
    result.solver = "ppm";
    result.status = ws.result.status;
    result.iterations = ws.result.iterations;
    result.pivots = ws.result.pivots;
    result.residual = own_residual(task);
    return result;
}

}  // namespace stiction
