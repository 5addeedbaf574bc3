// max_dissipation_dense.cpp - phase II on dense matrices of one island, by interior_point.
//
// Rows W = G M^-1 G', r = G v_free - wanted of all rows; the independent equalities E (joints,
// drives without bounds) are eliminated, which leaves A = W_UU - W_UE W_EE^-1 W_EU = G C G' and
// b = r_U - W_UE W_EE^-1 r_E = G v_hat - wanted for the others.
#include <Eigen/Cholesky>
#include <cmath>
#include <memory>

#include "contact/island/whiten.h"
#include "contact/routes/dense_rows.h"
#include "contact/routes/max_dissipation_phase_two.h"
#include "contact/solve_contact.h"
#include "solve/cone/interior_point.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;
using Dense = MaxDissipationDense;

constexpr double kKappaSlack = 1e-9;      // relative; without it the program has no interior
constexpr double kUsefulResidual = 1e-6;  // short of the tolerance, but better than no friction

bool is_equality(const QpRow& row) { return std::isinf(row.lo) && std::isinf(row.hi); }

bool is_tangential(const RowSource& source) {
    return source.kind == Kind::kS || source.kind == Kind::kT;
}

// J is kept at full row rank the way FIND-INDICES does; dropped rows get no impulse.
void choose_equalities(const IslandTask& task, Dense& ws) {
    const LinkSystem& system = task.problem.system;
    const IslandRows& rows = task.workspace.rows;
    ws.equalities.clear();
    const int m = number_velocities(system, blocks_of(task), ws.local);
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (is_equality(rows.qp.rows[r]) && !is_tangential(rows.source[r])) {
            ws.equalities.push_back(static_cast<int>(r));
        }
    }
    if (ws.equalities.empty()) return;
    ws.whitened.resize(static_cast<Eigen::Index>(ws.equalities.size()), m);
    std::size_t link = 0;
    for (std::size_t i = 0; i < ws.equalities.size(); ++i) {
        while (rows.qp.row_begin[link + 1] <= ws.equalities[i]) ++link;
        ws.y.setZero(m);
        add_whitened_row(system, system.links[at(rows.qp.links[link])],
                         rows.qp.rows[at(ws.equalities[i])].g, ws.local, ws.y);
        ws.whitened.row(static_cast<Eigen::Index>(i)) = ws.y.transpose();
    }
    find_independent_rows(ws.whitened, kRowTolerance, ws.independent_workspace, ws.independent);
    keep_accepted(ws.independent, ws.equalities);
}

// Blocks of three unknowns; a bounded row is measured from a finite bound.
void number_unknowns(const IslandRows& rows, Dense& ws) {
    ws.unknowns.clear();
    const auto add = [&](int row, double base, double sign) {
        ws.unknowns.push_back({row, base, sign});
    };
    for (std::size_t l = 0; l + 1 < rows.qp.row_begin.size(); ++l) {
        const int begin = rows.qp.row_begin[l];
        const int end = rows.qp.row_begin[l + 1];
        int next_tangential = begin;  // those of a link stand before its normals, in their order
        while (next_tangential < end && !is_tangential(rows.source[at(next_tangential)])) {
            ++next_tangential;
        }
        for (int r = begin; r < end; ++r) {
            const RowSource& source = rows.source[at(r)];
            const QpRow& row = rows.qp.rows[at(r)];
            if (source.kind == Kind::kNormal) {
                int s = kNone, t = kNone;
                if (next_tangential < end && is_tangential(rows.source[at(next_tangential)]) &&
                    rows.source[at(next_tangential)].index == source.index) {
                    s = next_tangential++;
                    t = next_tangential++;
                }
                add(r, 0, 1);
                add(s, 0, 1);
                add(t, 0, 1);
            } else if (source.kind == Kind::kLimit ||
                       (source.kind == Kind::kBounded && !is_equality(row))) {
                const bool from_above = std::isinf(row.lo);
                add(r, from_above ? row.hi : row.lo, from_above ? -1 : 1);
                add(kNone, 0, 1);
                add(kNone, 0, 1);
            }
        }
    }
}

// A and b of the unknowns.
void eliminate(Dense& ws) {
    const auto e = static_cast<Eigen::Index>(ws.equalities.size());
    const auto n = static_cast<Eigen::Index>(ws.unknowns.size());
    ws.E.resize(e, e);
    ws.Y.setZero(e, n);
    ws.e.resize(e);
    ws.A.setZero(n, n);
    ws.b.setZero(n);
    for (Eigen::Index j = 0; j < e; ++j) {
        const int row = ws.equalities[at(j)];
        ws.e[j] = ws.rows.b[row];
        for (Eigen::Index i = 0; i < e; ++i) ws.E(i, j) = ws.rows.A(ws.equalities[at(i)], row);
    }
    for (Eigen::Index j = 0; j < n; ++j) {
        const int row = ws.unknowns[at(j)].row;
        if (row == kNone) continue;
        ws.b[j] = ws.rows.b[row];
        for (Eigen::Index i = 0; i < e; ++i) ws.Y(i, j) = ws.rows.A(ws.equalities[at(i)], row);
        for (Eigen::Index i = 0; i < n; ++i) {
            const int other = ws.unknowns[at(i)].row;
            if (other != kNone) ws.A(i, j) = ws.rows.A(other, row);
        }
    }
    if (e > 0) {
        const Eigen::LLT<Eigen::Ref<MatX>> factor(ws.E);  // in place
        const auto L = ws.E.triangularView<Eigen::Lower>();
        L.solveInPlace(ws.Y);
        L.solveInPlace(ws.e);
        ws.A.noalias() -= ws.Y.transpose() * ws.Y;
        ws.b.noalias() -= ws.Y.transpose() * ws.e;
    }
    for (Eigen::Index j = 0; j < n; ++j) {
        if (ws.unknowns[at(j)].base != 0) ws.b += ws.A.col(j) * ws.unknowns[at(j)].base;
    }
}

void build_hessian(const Dense& ws, BlockMatrix& H) {
    const int blocks = static_cast<int>(ws.unknowns.size() / 3);
    H.start.assign(1, 0);
    H.column.clear();
    H.block.clear();
    H.diagonal.resize(at(blocks));
    for (int i = 0; i < blocks; ++i) {
        for (int j = 0; j < blocks; ++j) {
            Mat3 block = ws.A.block<3, 3>(3 * i, 3 * j);
            if (i != j && block.isZero(0)) continue;
            if (i == j) H.diagonal[at(i)] = H.blocks();
            block *= ws.unknowns[at(3 * i)].sign * ws.unknowns[at(3 * j)].sign;
            H.column.push_back(j);
            H.block.push_back(block);
        }
        H.start.push_back(H.blocks());
    }
}

// (A x + b)_N >= 0, the sum of the normals, and the far bounds of bounded rows.
void build_rows(const IslandRows& rows, double kappa, const Dense& ws, ConeQp& qp) {
    const auto n = static_cast<Eigen::Index>(ws.unknowns.size());
    int gaps = 0, limited = 0;
    for (Eigen::Index j = 0; j < n; j += 3) {
        const int row = ws.unknowns[at(j)].row;
        const Kind kind = rows.source[at(row)].kind;
        gaps += kind == Kind::kNormal || kind == Kind::kLimit;
        limited += kind == Kind::kBounded && !std::isinf(rows.qp.rows[at(row)].hi) &&
                   !std::isinf(rows.qp.rows[at(row)].lo);
    }
    const int m = gaps + 1 + limited;
    qp.C.resize(m, n);
    qp.C.reserve(static_cast<Eigen::Index>(gaps) * n + n + limited);
    qp.d.resize(m);
    int k = 0;
    const auto start = [&](double bound) {
        qp.C.startVec(k);
        qp.d[k++] = bound;
    };
    for (Eigen::Index i = 0; i < n; i += 3) {
        const Kind kind = rows.source[at(ws.unknowns[at(i)].row)].kind;
        if (kind != Kind::kNormal && kind != Kind::kLimit) continue;
        start(-ws.b[i]);
        for (Eigen::Index j = 0; j < n; ++j) {
            if (ws.A(i, j) == 0) continue;
            qp.C.insertBack(k - 1, j) = ws.A(i, j) * ws.unknowns[at(j - j % 3)].sign;
        }
    }
    start(-kappa * (1 + kKappaSlack));
    for (Eigen::Index j = 0; j < n; j += 3) {
        if (rows.source[at(ws.unknowns[at(j)].row)].kind == Kind::kNormal) {
            qp.C.insertBack(k - 1, j) = -1;
        }
    }
    for (Eigen::Index j = 0; j < n; j += 3) {
        const int row = ws.unknowns[at(j)].row;
        const QpRow& bounds = rows.qp.rows[at(row)];
        if (rows.source[at(row)].kind != Kind::kBounded || std::isinf(bounds.hi) ||
            std::isinf(bounds.lo)) {
            continue;
        }
        start(bounds.lo - bounds.hi);
        qp.C.insertBack(k - 1, j) = -1;
    }
    qp.C.finalize();
}

void build_program(const IslandTask& task, double kappa, Dense& ws) {
    const IslandRows& rows = task.workspace.rows;
    ConeQp& qp = ws.qp;
    const auto n = static_cast<Eigen::Index>(ws.unknowns.size());
    build_hessian(ws, qp.H);
    qp.c.resize(n);
    qp.mu.setZero(n / 3);
    qp.s.setZero(n / 3);
    for (Eigen::Index j = 0; j < n; ++j) qp.c[j] = ws.b[j] * ws.unknowns[at(j - j % 3)].sign;
    for (Eigen::Index a = 0; a < n / 3; ++a) {
        const RowSource& source = rows.source[at(ws.unknowns[at(3 * a)].row)];
        if (source.kind != Kind::kNormal || ws.unknowns[at(3 * a + 1)].row == kNone) continue;
        qp.mu[a] = task.problem.contacts[at(source.index)].mu_c;
        qp.s[a] = task.workspace.max_dissipation.bound(source.index);
    }
    build_rows(rows, kappa, ws, qp);
}

// Impulses of all rows, those of the equalities from E E' c_E = -(r_E + W_EU c_U).
void recover_impulses(const IslandTask& task, Dense& ws) {
    IslandRows& rows = task.workspace.rows;
    std::fill(rows.c.begin(), rows.c.end(), 0.0);
    ws.e = -ws.e;
    for (Eigen::Index j = 0; j < ws.b.size(); ++j) {
        const Dense::Unknown& unknown = ws.unknowns[at(j)];
        if (unknown.row == kNone) continue;
        const double c = unknown.base + unknown.sign * ws.result.x[j];
        rows.c[at(unknown.row)] = c;
        ws.e -= ws.Y.col(j) * c;
    }
    ws.E.transpose().triangularView<Eigen::Upper>().solveInPlace(ws.e);
    for (std::size_t i = 0; i < ws.equalities.size(); ++i) {
        rows.c[at(ws.equalities[i])] = ws.e[static_cast<Eigen::Index>(i)];
    }
}

void apply_impulses(const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    const IslandRows& rows = task.workspace.rows;
    VecX& momentum = task.shared.momentum;
    for (const int b : rows.qp.blocks) {
        momentum.segment(system.blocks[at(b)].offset, system.blocks[at(b)].size).setZero();
    }
    for (std::size_t l = 0; l < rows.qp.links.size(); ++l) {
        Vec6 F = Vec6::Zero();
        for (int r = rows.qp.row_begin[l]; r < rows.qp.row_begin[l + 1]; ++r) {
            F += rows.c[at(r)] * rows.qp.rows[at(r)].g;
        }
        add_link_impulse(system, system.links[at(rows.qp.links[l])], F, momentum);
    }
    for (const int b : rows.qp.blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        apply_inverse_inertia(system, block, momentum, task.solution.v);
        task.solution.v.segment(block.offset, block.size) +=
            task.problem.v_free.segment(block.offset, block.size);
    }
    clear_impulses(task);
    add_impulses(rows, task.solution);
}

void choose_tangential(const IslandTask& task) {
    for (const int l : links_of(task)) {
        const LinkRows& range = task.problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            const ContactRow& contact = task.problem.contacts[at(i)];
            task.shared.tangential[at(i)] = contact.mu_c > 0 || contact.mu_v > 0;
        }
    }
}

}  // namespace

PhaseTwoResult solve_phase_two_dense(const MaxDissipation& model, double kappa, int max_iterations,
                                     const IslandTask& task) {
    Dense& ws = task.workspace.max_dissipation.dense;
    choose_tangential(task);
    build_island_rows(task.problem, task.island, task.shared.tangential, task.workspace.rows);
    make_box_lcp(task, ws.rows);
    choose_equalities(task, ws);
    number_unknowns(task.workspace.rows, ws);
    eliminate(ws);
    build_program(task, kappa, ws);

    std::unique_ptr<InteriorPointWorkspace>& solver = task.workspace.cone.solvers.interior_point;
    if (!solver) solver = std::make_unique<InteriorPointWorkspace>();
    solve_interior_point(ws.qp, {model.tolerance, max_iterations, task.deadline}, *solver,
                         ws.result);
    PhaseTwoResult result;
    result.island.solver = "interior_point";
    result.island.status = ws.result.status;
    result.island.iterations = ws.result.iterations;
    result.island.residual = ws.result.residual;
    result.usable = ws.result.residual <= kUsefulResidual;
    if (result.usable) {
        recover_impulses(task, ws);
        apply_impulses(task);
    }
    return result;
}

}  // namespace stiction
