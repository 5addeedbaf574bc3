// ppm_rows.cpp - from rows to the paper's LCP of the normals, and back to velocities.
#include "contact/routes/ppm_rows.h"

#include <algorithm>
#include <cmath>

#include "contact/island/whiten.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

void sort_rows(const IslandRows& rows, PpmRoute& ws) {
    ws.equalities.clear();
    ws.inequalities.clear();
    ws.links.resize(rows.rows.size());
    const auto count = static_cast<int>(rows.rows.size());
    for (std::size_t l = 0; l < rows.links.size(); ++l)
        std::fill(ws.links.begin() + rows.begin[l], ws.links.begin() + rows.begin[l + 1],
                  rows.links[l]);
    for (int r = 0; r < count; ++r) {
        if (rows.source[at(r)].kind == RowSource::Kind::kJoint) ws.equalities.push_back(r);
    }
    for (int r = 0; r < count; ++r) {
        if (is_tangential(rows.source[at(r)])) {
            ws.equalities.push_back(r);
        } else if (rows.source[at(r)].kind != RowSource::Kind::kJoint) {
            ws.inequalities.push_back(r);
        }
    }
}

// One row: y = L^-1 X'g into ws.y. Returns what it wants beyond v_free.
double whiten_row(const IslandTask& task, int m, int r, PpmRoute& ws) {
    const LinkSystem& system = task.problem.system;
    const Link& link = system.links[at(ws.links[at(r)])];
    const Row& row = task.workspace.rows.rows[at(r)];
    ws.y.setZero(m);
    add_whitened_row(system, link, row.g, ws.local, ws.y);
    return row.target - row.g.dot(link_velocity(system, link, task.problem.v_free));
}

void accept_equalities(const IslandTask& task, int m, PpmRoute& ws) {
    const auto k = static_cast<Eigen::Index>(ws.equalities.size());
    ws.Y.resize(k, m);
    ws.b.resize(k);
    for (Eigen::Index i = 0; i < k; ++i) {
        ws.b[i] = whiten_row(task, m, ws.equalities[at(i)], ws);
        ws.Y.row(i) = ws.y.transpose();
    }
    find_independent_rows(ws.Y, kRowTolerance, ws.independent, ws.accepted);
    const auto rank = static_cast<Eigen::Index>(ws.accepted.rows.size());
    ws.Z.resize(m, rank);
    ws.s.resize(rank);
    for (Eigen::Index i = 0; i < rank; ++i) {
        const int row = ws.accepted.rows[at(i)];
        ws.Z.col(i) = ws.Y.row(row).transpose();
        ws.s[i] = ws.b[row];
    }
    ws.R.noalias() = ws.accepted.basis().transpose() * ws.Z;  // upper triangular
    ws.R.transpose().triangularView<Eigen::Lower>().solveInPlace(ws.s);
}

// The LCP of the normals.
void build_ppm(const IslandTask& task, int m, PpmRoute& ws) {
    const auto n = static_cast<Eigen::Index>(ws.inequalities.size());
    ws.ppm.N.resize(n, m);
    ws.ppm.bias.resize(n);
    ws.ppm.scale.resize(n);
    ws.guess.resize(at(n));
    for (Eigen::Index i = 0; i < n; ++i) {
        const int r = ws.inequalities[at(i)];
        ws.ppm.bias[i] = -whiten_row(task, m, r, ws);
        ws.ppm.N.row(i) = ws.y.transpose();
        ws.ppm.scale[i] = ws.y.squaredNorm();
        ws.guess[at(i)] = task.workspace.rows.state[at(r)] == BoundState::kFree;
    }
    const auto Q = ws.accepted.basis();
    ws.ppm.K.setIdentity(m, m);
    ws.ppm.K.noalias() -= Q * Q.transpose();
    ws.ppm.v_hat.noalias() = Q * ws.s;
}

void write_back(const IslandTask& task, PpmRoute& ws) {
    IslandRows& rows = task.workspace.rows;
    std::fill(rows.c.begin(), rows.c.end(), 0.0);
    ws.rest.noalias() = ws.ppm.N.transpose() * ws.result.z;
    ws.p = ws.ppm.v_hat;
    ws.p.noalias() += ws.ppm.K * ws.rest;
    for (std::size_t i = 0; i < ws.inequalities.size(); ++i) {
        const int r = ws.inequalities[i];
        rows.c[at(r)] = ws.result.z[static_cast<Eigen::Index>(i)];
        rows.state[at(r)] = ws.result.basic[i] ? BoundState::kFree : BoundState::kLower;
    }
    ws.rest = ws.p - ws.rest;
    ws.s.noalias() = ws.accepted.basis().transpose() * ws.rest;
    ws.R.triangularView<Eigen::Upper>().solveInPlace(ws.s);
    for (std::size_t i = 0; i < ws.accepted.rows.size(); ++i)
        rows.c[at(ws.equalities[at(ws.accepted.rows[i])])] = ws.s[static_cast<Eigen::Index>(i)];
    add_whitened_velocity(task.problem.system, rows.blocks, ws.local, ws.p, task.problem.v_free,
                          task.solution.v);
}

double own_residual(const IslandTask& task) {
    const IslandRows& rows = task.workspace.rows;
    const LinkSystem& system = task.problem.system;
    double residual = 0;
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const Vec6 u = link_velocity(system, system.links[at(rows.links[l])], task.solution.v);
        for (int r = rows.begin[l]; r < rows.begin[l + 1]; ++r) {
            const double w = rows.rows[at(r)].g.dot(u) - rows.rows[at(r)].target;
            const bool held = rows.state[at(r)] == BoundState::kFree;
            residual = std::max(residual, held ? std::abs(w) : -w);
        }
    }
    return residual;
}

}  // namespace

IslandResult solve_by_ppm(const IslandTask& task) {
    PpmRoute& ws = task.workspace.ppm();
    const int m = number_velocities(task.problem.system, blocks_of(task), ws.local);
    sort_rows(task.workspace.rows, ws);
    accept_equalities(task, m, ws);
    build_ppm(task, m, ws);
    ActiveSetSettings settings;
    settings.stop = task.stop;
    solve_ppm(ws.ppm, settings, ws.guess, ws.pivoting, ws.result);
    write_back(task, ws);
    return island_result("ppm", {ws.result.status, ws.result.iterations, own_residual(task)},
                         ws.result.pivots);
}

}  // namespace stiction
