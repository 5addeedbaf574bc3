// elimination.cpp - Cholesky of the equalities and what is left of the others.
#include "contact/island/elimination.h"

#include <Eigen/Cholesky>

#include "contact/island/whiten.h"

namespace stiction {

void choose_equalities(const LinkSystem& system, const IslandRows& rows, Elimination& x) {
    x.equalities.clear();
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (is_equality(rows.rows[r]) && !is_tangential(rows.source[r]))
            x.equalities.push_back(static_cast<int>(r));
    }
    if (x.equalities.empty()) return;
    const int m = number_velocities(system, rows.blocks, x.local);
    x.whitened.resize(static_cast<Eigen::Index>(x.equalities.size()), m);
    std::size_t link = 0;
    for (std::size_t i = 0; i < x.equalities.size(); ++i) {
        while (rows.begin[link + 1] <= x.equalities[i]) ++link;
        x.y.setZero(m);
        add_whitened_row(system, system.links[at(rows.links[link])],
                         rows.rows[at(x.equalities[i])].g, x.local, x.y);
        x.whitened.row(static_cast<Eigen::Index>(i)) = x.y.transpose();
    }
    find_independent_rows(x.whitened, kRowTolerance, x.independent_workspace, x.independent);
    keep_accepted(x.independent, x.equalities);
}

void eliminate(const BoxLcp& all, Elimination& x) {
    const auto e = static_cast<Eigen::Index>(x.equalities.size());
    const auto n = static_cast<Eigen::Index>(x.unknowns.size());
    x.L.resize(e, e);
    x.Y.setZero(e, n);
    x.e.resize(e);
    x.A.setZero(n, n);
    x.b.setZero(n);
    for (Eigen::Index j = 0; j < e; ++j) {
        const int row = x.equalities[at(j)];
        x.e[j] = all.b[row];
        for (Eigen::Index i = 0; i < e; ++i) x.L(i, j) = all.A(x.equalities[at(i)], row);
    }
    for (Eigen::Index j = 0; j < n; ++j) {
        const int row = x.unknowns[at(j)];
        if (row == kNone) continue;
        x.b[j] = all.b[row];
        for (Eigen::Index i = 0; i < e; ++i) x.Y(i, j) = all.A(x.equalities[at(i)], row);
        for (Eigen::Index i = 0; i < n; ++i) {
            if (x.unknowns[at(i)] != kNone) x.A(i, j) = all.A(x.unknowns[at(i)], row);
        }
    }
    if (e == 0) return;
    const Eigen::LLT<Eigen::Ref<MatX>> factor(x.L);  // in place
    const auto L = x.L.triangularView<Eigen::Lower>();
    L.solveInPlace(x.e);
    if (n == 0) return;  // Eigen would refer to the first entry of Y
    L.solveInPlace(x.Y);
    x.A.noalias() -= x.Y.transpose() * x.Y;
    x.b.noalias() -= x.Y.transpose() * x.e;
}

void recover_equalities(Elimination& x, IslandRows& rows) {
    if (x.equalities.empty()) return;
    x.c = -x.e;
    for (std::size_t j = 0; j < x.unknowns.size(); ++j) {
        const int row = x.unknowns[j];
        if (row != kNone) x.c -= x.Y.col(static_cast<Eigen::Index>(j)) * rows.c[at(row)];
    }
    x.L.transpose().triangularView<Eigen::Upper>().solveInPlace(x.c);
    for (std::size_t i = 0; i < x.equalities.size(); ++i)
        rows.c[at(x.equalities[i])] = x.c[static_cast<Eigen::Index>(i)];
}

}  // namespace stiction
