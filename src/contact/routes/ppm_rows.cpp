// ppm_rows.cpp - from rows to the paper's LCP of the normals, and back to velocities.
#include "contact/routes/ppm_rows.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "contact/island/whiten.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

bool is_hard(const RowSource& source) {
    return source.kind == RowSource::Kind::kJoint || is_tangential(source);
}

void sort_rows(const IslandRows& rows, PpmRoute& ws) {
    ws.soft.clear();
    ws.equalities.clear();
    ws.inequalities.clear();
    ws.links.resize(rows.rows.size());
    const auto count = static_cast<int>(rows.rows.size());
    for (std::size_t l = 0; l < rows.links.size(); ++l)
        std::fill(ws.links.begin() + rows.begin[l], ws.links.begin() + rows.begin[l + 1],
                  rows.links[l]);
    for (int r = 0; r < count; ++r) {
        if (rows.source[at(r)].kind != RowSource::Kind::kJoint) continue;
        (rows.rows[at(r)].compliance > 0 ? ws.soft : ws.equalities).push_back(r);
    }
    for (int r = 0; r < count; ++r) {
        if (is_tangential(rows.source[at(r)])) {
            (rows.rows[at(r)].compliance > 0 ? ws.soft : ws.equalities).push_back(r);
        } else if (!is_hard(rows.source[at(r)])) {
            ws.inequalities.push_back(r);
        }
    }
}

// One row: y = L^-1 X'g into ws.y. Returns what it wants beyond v_free.
double whiten_plain(const IslandTask& task, int m, int r, PpmRoute& ws) {
    const LinkSystem& system = task.problem.system;
    const Link& link = system.links[at(ws.links[at(r)])];
    const Row& row = task.workspace.rows.rows[at(r)];
    ws.y.setZero(m);
    add_whitened_row(system, link, row.g, ws.local, ws.y);
    return row.target - row.g.dot(link_velocity(system, link, task.problem.v_free));
}

// The same in the inertia with the soft rows.
double whiten_row(const IslandTask& task, int m, int r, PpmRoute& ws) {
    const double b = whiten_plain(task, m, r, ws);
    if (ws.root.size() == 0) return b;
    const double shifted = b - ws.y.dot(ws.p_soft);
    ws.root.triangularView<Eigen::Lower>().solveInPlace(ws.y);
    return shifted;
}

// H, its root and p_h.
void fold_soft_rows(const IslandTask& task, int m, PpmRoute& ws) {
    ws.root.resize(0, 0);
    if (ws.soft.empty()) return;
    const auto k = static_cast<Eigen::Index>(ws.soft.size());
    ws.Y_soft.resize(m, k);
    ws.b_soft.resize(k);
    ws.H.setIdentity(m, m);
    ws.p_soft.setZero(m);
    for (Eigen::Index i = 0; i < k; ++i) {
        const double weight = 1 / task.workspace.rows.rows[at(ws.soft[at(i)])].compliance;
        ws.b_soft[i] = whiten_plain(task, m, ws.soft[at(i)], ws);
        ws.Y_soft.col(i) = ws.y;
        ws.H.selfadjointView<Eigen::Lower>().rankUpdate(ws.y, weight);
        ws.p_soft += (weight * ws.b_soft[i]) * ws.y;
    }
    Eigen::LLT<Eigen::Ref<MatX>> factor(ws.H);  // in place
    factor.solveInPlace(ws.p_soft);
    ws.root = ws.H.triangularView<Eigen::Lower>();
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

// The coordinates that soft rows between bounds have of their own follow those of the velocities.
int count_own(const IslandTask& task, const PpmRoute& ws) {
    int own = 0;
    for (const int r : ws.inequalities) own += task.workspace.rows.rows[at(r)].compliance > 0;
    return own;
}

bool is_bounded(const IslandTask& task, const PpmRoute& ws) {
    return std::any_of(ws.inequalities.begin(), ws.inequalities.end(), [&](int r) {
        return task.workspace.rows.source[at(r)].kind == RowSource::Kind::kBounded;
    });
}

// The problem of normals, limits and bounded rows.
void build_ppm(const IslandTask& task, int m, PpmRoute& ws) {
    const IslandRows& rows = task.workspace.rows;
    const auto n = static_cast<Eigen::Index>(ws.inequalities.size());
    const int all = m + count_own(task, ws);
    PpmProblem& ppm = ws.ppm;
    ppm.N.setZero(n, all);
    ppm.bias.resize(n);
    ppm.scale.resize(n);
    const Eigen::Index bounds = is_bounded(task, ws) ? n : 0;
    for (VecX* x : {&ppm.lo, &ppm.hi, &ppm.start}) x->resize(bounds);
    ws.guess.resize(at(n));
    int own = m;
    for (Eigen::Index i = 0; i < n; ++i) {
        const int r = ws.inequalities[at(i)];
        const Row& row = rows.rows[at(r)];
        const BoundState state = rows.state[at(r)];
        ppm.bias[i] = -whiten_row(task, m, r, ws);
        ppm.N.row(i).head(m) = ws.y.transpose();
        if (row.compliance > 0) ppm.N(i, own++) = std::sqrt(row.compliance);
        ppm.scale[i] = ppm.N.row(i).squaredNorm();
        ws.guess[at(i)] = state == BoundState::kFree;
        if (bounds == 0) continue;
        ppm.lo[i] = row.lo;
        ppm.hi[i] = row.hi;
        const double at_state = state == BoundState::kUpper ? row.hi : row.lo;
        ppm.start[i] = std::isfinite(at_state) ? at_state : 0;
    }
    const auto Q = ws.accepted.basis();
    ppm.K.setIdentity(all, all);
    ppm.K.topLeftCorner(m, m).noalias() -= Q * Q.transpose();
    ppm.v_hat.setZero(all);
    ppm.v_hat.head(m).noalias() = Q * ws.s;
}

// Impulses of the soft rows, and p of the plain inertia.
void unfold_soft_rows(const IslandTask& task, PpmRoute& ws) {
    if (ws.root.size() == 0) return;
    ws.root.transpose().triangularView<Eigen::Upper>().solveInPlace(ws.p);
    ws.p += ws.p_soft;
    IslandRows& rows = task.workspace.rows;
    for (std::size_t i = 0; i < ws.soft.size(); ++i) {
        const auto column = static_cast<Eigen::Index>(i);
        const std::size_t r = at(ws.soft[i]);
        rows.c[r] = (ws.b_soft[column] - ws.Y_soft.col(column).dot(ws.p)) / rows.rows[r].compliance;
    }
}

BoundState state_of(const IslandRows& rows, int r, double c, bool free) {
    if (free) return BoundState::kFree;
    const Row& row = rows.rows[at(r)];
    return std::isfinite(row.hi) && c >= row.hi && row.lo < row.hi ? BoundState::kUpper
                                                                   : BoundState::kLower;
}

void write_back(const IslandTask& task, int m, PpmRoute& ws) {
    IslandRows& rows = task.workspace.rows;
    std::fill(rows.c.begin(), rows.c.end(), 0.0);
    ws.rest.noalias() = ws.ppm.N.leftCols(m).transpose() * ws.result.z;
    ws.p = ws.ppm.v_hat.head(m);
    ws.p.noalias() += ws.ppm.K.topLeftCorner(m, m) * ws.rest;
    for (std::size_t i = 0; i < ws.inequalities.size(); ++i) {
        const int r = ws.inequalities[i];
        rows.c[at(r)] = ws.result.z[static_cast<Eigen::Index>(i)];
        rows.state[at(r)] = state_of(rows, r, rows.c[at(r)], ws.result.basic[i] != 0);
    }
    ws.rest = ws.p - ws.rest;
    ws.s.noalias() = ws.accepted.basis().transpose() * ws.rest;
    ws.R.triangularView<Eigen::Upper>().solveInPlace(ws.s);
    for (std::size_t i = 0; i < ws.accepted.rows.size(); ++i)
        rows.c[at(ws.equalities[at(ws.accepted.rows[i])])] = ws.s[static_cast<Eigen::Index>(i)];
    unfold_soft_rows(task, ws);
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
            const Row& row = rows.rows[at(r)];
            const double w = row.g.dot(u) - row.target + row.compliance * rows.c[at(r)];
            const bool held = is_hard(rows.source[at(r)]) || rows.state[at(r)] == BoundState::kFree;
            if (!held && row.lo == row.hi) continue;
            const double wrong = rows.state[at(r)] == BoundState::kUpper ? w : -w;
            residual = std::max(residual, held ? std::abs(w) : wrong);
        }
    }
    return residual;
}

constexpr double kLocked = 1e-10;  // of a row's squared length, as pivot_tolerance of active_set.h

// A = N C N' and what belongs to it.
void build_box(PpmRoute& ws) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const PpmProblem& ppm = ws.ppm;
    const Eigen::Index n = ppm.N.rows();
    ws.NK.noalias() = ppm.N * ppm.K;
    ws.box.A.noalias() = ws.NK * ws.NK.transpose();
    ws.box.b = ppm.bias;
    ws.box.b.noalias() += ppm.N * ppm.v_hat;
    const bool bounded = ppm.lo.size() > 0;
    ws.box.lo = bounded ? ppm.lo : VecX::Zero(n);
    ws.box.hi = bounded ? ppm.hi : VecX::Constant(n, kInfinity);
    ws.states.resize(at(n));
    for (Eigen::Index i = 0; i < n; ++i) {
        // What the equalities lock has but rounding in the matrix: solve_ppm sets it aside likewise.
        if (ws.NK.row(i).squaredNorm() <= kLocked * ppm.scale[i]) {
            ws.box.hi[i] = ws.box.lo[i];
            ws.guess[at(i)] = 0;
        }
        const bool upper = bounded && ppm.start[i] == ppm.hi[i] && ppm.lo[i] < ppm.hi[i];
        ws.states[at(i)] = ws.guess[at(i)] ? BoundState::kFree
                           : upper         ? BoundState::kUpper
                                           : BoundState::kLower;
    }
}

constexpr double kRounding = 1e-14;  // of the distance of two bounds

void solve_by_lemke(const SolveSettings& stop, PpmRoute& ws) {
    reset(ws.box_result, ws.box.b.size());
    ws.box_result.status = SolveStatus::kNoSolution;
    if (!ws.box.lo.allFinite()) return;
    // Basic: what is not at its lower bound, then the slacks of what is at the upper one.
    LcpBasis basic;
    for (const BoundState state : ws.states) basic.push_back(state != BoundState::kLower);
    for (std::size_t i = 0; i < ws.states.size(); ++i) {
        if (std::isfinite(ws.box.hi[static_cast<Eigen::Index>(i)]))
            basic.push_back(ws.states[i] == BoundState::kUpper);
    }
    solve_lemke(to_lcp(ws.box), {stop}, basic, ws.lemke, ws.lemke_result);
    // lo + (hi - lo) need not be hi: what is at its upper bound but for rounding, is there.
    VecX z = from_lcp(ws.box, ws.lemke_result.z);
    for (Eigen::Index i = 0; i < z.size(); ++i) {
        const double lo = ws.box.lo[i], hi = ws.box.hi[i];
        if (std::isfinite(hi) && hi - z[i] <= kRounding * (hi - lo)) z[i] = hi;
    }
    finish(ws.box, z, ws.box_result);
    ws.box_result.status = ws.lemke_result.status;
    ws.box_result.iterations = ws.lemke_result.iterations;
    ws.box_result.pivots = ws.lemke_result.pivots;
}

void solve_left(ReducedSolver solver, const SolveSettings& stop, PpmRoute& ws) {
    ActiveSetSettings settings;
    settings.stop = stop;
    if (solver == ReducedSolver::kPpm)
        return solve_ppm(ws.ppm, settings, ws.guess, ws.pivoting, ws.result);
    build_box(ws);
    if (solver == ReducedSolver::kLemke) {
        solve_by_lemke(stop, ws);
    } else {
        solve_active_set_qp(ws.box, settings, ws.states, ws.pivoting, ws.box_result);
    }
    reset(ws.result, ws.box.b.size());
    ws.result.z = ws.box_result.z;
    ws.result.status = ws.box_result.status;
    ws.result.iterations = ws.box_result.iterations;
    ws.result.pivots = ws.box_result.pivots;
    for (std::size_t i = 0; i < ws.result.basic.size(); ++i)
        ws.result.basic[i] = ws.box_result.state[i] == BoundState::kFree;
}

constexpr std::array<std::string_view, 3> kReducedNames = {"ppm", "active_set_qp", "lemke"};

}  // namespace

IslandResult solve_reduced(ReducedSolver solver, const IslandTask& task) {
    PpmRoute& ws = task.workspace.ppm();
    const int m = number_velocities(task.problem.system, blocks_of(task), ws.local);
    sort_rows(task.workspace.rows, ws);
    fold_soft_rows(task, m, ws);
    accept_equalities(task, m, ws);
    build_ppm(task, m, ws);
    solve_left(solver, exactly(task.stop), ws);
    write_back(task, m, ws);
    return island_result(kReducedNames[static_cast<std::size_t>(solver)],
                         {ws.result.status, ws.result.iterations, own_residual(task)},
                         ws.result.pivots);
}

}  // namespace stiction
