// phase_two_dense.cpp - phase II on dense matrices of one island, by interior_point. Equalities are
// eliminated (elimination.h), which leaves A = G C G' and b = G v_hat - target for the others.
#include <cmath>
#include <memory>

#include "contact/island/delassus.h"
#include "contact/island/operators.h"
#include "contact/island/safety.h"
#include "contact/routes/coupled.h"
#include "contact/routes/ladder.h"
#include "contact/routes/phase_two.h"
#include "solve/cone/interior_point.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;

constexpr double kKappaSlack = 1e-9;  // relative; without it the program has no interior

void choose_tangential(const IslandTask& task) {
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        task.shared.tangential[at(i)] = contact.mu_c > 0 || contact.mu_v > 0;
    });
}

void add_unknown(PhaseTwoDense& ws, int row, double base, double sign) {
    ws.elimination.unknowns.push_back(row);
    ws.measures.push_back({base, sign});
}

// Blocks of three unknowns; a bounded row is measured from a finite bound.
void number_unknowns(const IslandTask& task, PhaseTwoDense& ws) {
    const IslandRows& rows = task.workspace.rows;
    ws.elimination.unknowns.clear();
    ws.measures.clear();
    build_triples(task.problem, rows, task.workspace.triples);
    for (const Triple& triple : task.workspace.triples.all) {
        if (triple.contact != kNone) {
            for (const int row : triple.row) add_unknown(ws, row, 0, 1);
            continue;
        }
        for (const int r : triple.row) {
            if (r == kNone || is_equality(rows.rows[at(r)])) continue;
            const Row& row = rows.rows[at(r)];
            const bool from_above = std::isinf(row.lo);
            add_unknown(ws, r, from_above ? row.hi : row.lo, from_above ? -1 : 1);
            add_unknown(ws, kNone, 0, 1);
            add_unknown(ws, kNone, 0, 1);
        }
    }
}

// Velocities that the bases' impulses bring about.
void add_bases(PhaseTwoDense& ws) {
    Elimination& e = ws.elimination;
    for (std::size_t j = 0; j < ws.measures.size(); ++j) {
        if (ws.measures[j].base != 0)
            e.b += e.A.col(static_cast<Eigen::Index>(j)) * ws.measures[j].base;
    }
}

void build_hessian(const PhaseTwoDense& ws, BlockMatrix& H) {
    const int blocks = static_cast<int>(ws.measures.size() / 3);
    H.start.assign(1, 0);
    H.column.clear();
    H.block.clear();
    H.diagonal.resize(at(blocks));
    for (int i = 0; i < blocks; ++i) {
        for (int j = 0; j < blocks; ++j) {
            Mat3 block = ws.elimination.A.block<3, 3>(3 * i, 3 * j);
            if (i != j && block.isZero(0)) continue;
            if (i == j) H.diagonal[at(i)] = H.blocks();
            block *= ws.measures[at(3 * i)].sign * ws.measures[at(3 * j)].sign;
            H.column.push_back(j);
            H.block.push_back(block);
        }
        H.start.push_back(H.blocks());
    }
}

bool is_gap(const RowSource& source) {
    return source.kind == Kind::kNormal || source.kind == Kind::kLimit;
}
bool has_far_bound(const IslandRows& rows, int row) {
    return rows.source[at(row)].kind == Kind::kBounded && !std::isinf(rows.rows[at(row)].hi) &&
           !std::isinf(rows.rows[at(row)].lo);
}

// The rows C x >= d one after the other.
class RowWriter {
  public:
    RowWriter(int rows, Eigen::Index columns, Eigen::Index entries, ConeQp& qp) : qp_(qp) {
        qp.C.resize(rows, columns);
        qp.C.reserve(entries);
        qp.d.resize(rows);
    }
    void start(double bound) {
        qp_.C.startVec(++row_);
        qp_.d[row_] = bound;
    }
    void set(Eigen::Index column, double value) { qp_.C.insertBack(row_, column) = value; }

  private:
    ConeQp& qp_;
    int row_ = -1;
};

// (A x + b)_N >= 0, the sum of the normals, and the far bounds of bounded rows.
void build_rows(const IslandRows& rows, double kappa, const PhaseTwoDense& ws, ConeQp& qp) {
    const auto n = static_cast<Eigen::Index>(ws.measures.size());
    int gaps = 0, limited = 0;
    for (Eigen::Index j = 0; j < n; j += 3) {
        gaps += is_gap(rows.source[at(ws.row(j))]);
        limited += has_far_bound(rows, ws.row(j));
    }
    RowWriter C(gaps + 1 + limited, n, gaps * n + n + limited, qp);
    for (Eigen::Index i = 0; i < n; i += 3) {
        if (!is_gap(rows.source[at(ws.row(i))])) continue;
        C.start(-ws.elimination.b[i]);
        for (Eigen::Index j = 0; j < n; ++j) {
            const double value = ws.elimination.A(i, j);
            if (value != 0) C.set(j, value * ws.measures[at(j - j % 3)].sign);
        }
    }
    C.start(-kappa * (1 + kKappaSlack));
    for (Eigen::Index j = 0; j < n; j += 3) {
        if (rows.source[at(ws.row(j))].kind == Kind::kNormal) C.set(j, -1);
    }
    for (Eigen::Index j = 0; j < n; j += 3) {
        if (!has_far_bound(rows, ws.row(j))) continue;
        const Row& bounds = rows.rows[at(ws.row(j))];
        C.start(bounds.lo - bounds.hi);
        C.set(j, -1);
    }
    qp.C.finalize();
}

void build_program(const IslandTask& task, PhaseTwoDense& ws) {
    const IslandRows& rows = task.workspace.rows;
    ConeQp& qp = ws.qp;
    const auto n = static_cast<Eigen::Index>(ws.measures.size());
    build_hessian(ws, qp.H);
    qp.c.resize(n);
    qp.mu.setZero(n / 3);
    qp.s.setZero(n / 3);
    for (Eigen::Index j = 0; j < n; ++j)
        qp.c[j] = ws.elimination.b[j] * ws.measures[at(j - j % 3)].sign;
    for (Eigen::Index a = 0; a < n / 3; ++a) {
        const RowSource& source = rows.source[at(ws.row(3 * a))];
        if (source.kind != Kind::kNormal || ws.row(3 * a + 1) == kNone) continue;
        qp.mu[a] = task.problem.contacts[at(source.index)].mu_c;
        qp.s[a] = task.workspace.phase_two().bound(source.index);
    }
    build_rows(rows, task.workspace.phase_two().kappa, ws, qp);
}

void recover_impulses(IslandRows& rows, PhaseTwoDense& ws) {
    std::fill(rows.c.begin(), rows.c.end(), 0.0);
    for (Eigen::Index j = 0; j < ws.result.x.size(); ++j) {
        const PhaseTwoDense::Measure& measure = ws.measures[at(j)];
        if (ws.row(j) != kNone)
            rows.c[at(ws.row(j))] = measure.base + measure.sign * ws.result.x[j];
    }
    recover_equalities(ws.elimination, rows);
}

}  // namespace

IslandResult solve_phase_two_dense(const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    PhaseTwoDense& ws = task.workspace.phase_two().dense;
    IslandRows& rows = task.workspace.rows;
    choose_tangential(task);
    build_rows(task, {.tangential = task.shared.tangential});
    make_box_lcp(system, rows, task.problem.v_free, ws.rows);
    choose_equalities(system, rows, ws.elimination);
    number_unknowns(task, ws);
    eliminate(ws.rows, ws.elimination);
    add_bases(ws);
    build_program(task, ws);

    std::unique_ptr<InteriorPointWorkspace>& solver =
        task.workspace.newton().solvers.interior_point;
    if (!solver) solver = std::make_unique<InteriorPointWorkspace>();
    solve_interior_point(ws.qp, task.stop, *solver, ws.result);
    IslandResult result = island_result("interior_point", ws.result);
    if (!(ws.result.residual <= std::max(kUsefulResidual, task.stop.tolerance))) {
        result.residual = no_answer().residual;
        return result;
    }
    recover_impulses(rows, ws);
    apply_impulses(system, rows, task.problem.v_free, task.shared.momentum, task.solution.v);
    set_impulses(task, rows);
    if (result.status == SolveStatus::kSolved && !breaks_no_row(task))
        result.status = SolveStatus::kIterationLimit;
    return result;
}

}  // namespace stiction
