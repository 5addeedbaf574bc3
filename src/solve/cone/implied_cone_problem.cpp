// implied_cone_problem.cpp - W = G M^-1 G' by a sparse factorisation of M.
#include "solve/cone/implied_cone_problem.h"

#include <Eigen/SparseLU>
#include <utility>
#include <vector>

namespace stiction {

namespace {

// M_B = M^-1 B and M_f = M^-1 f, of a diagonal M entry by entry, else by sparse LU. False if M is
// singular.
bool divide_by_mass(const Eigen::SparseMatrix<double>& M, const Eigen::SparseMatrix<double>& B,
                    const VecX& f, Eigen::SparseMatrix<double>& M_B, VecX& M_f) {
    bool is_diagonal = true;
    VecX diagonal = VecX::Zero(M.rows());
    for (int c = 0; c < M.outerSize(); ++c) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it) {
            if (it.row() == it.col()) {
                diagonal[it.row()] += it.value();
            } else if (it.value() != 0) {
                is_diagonal = false;
            }
        }
    }
    if (is_diagonal) {
        if (!(diagonal.array() != 0).all()) return false;
        const VecX inverse = diagonal.cwiseInverse();
        M_B = inverse.asDiagonal() * B;
        M_f = inverse.cwiseProduct(f);
        return true;
    }
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
    Eigen::SparseMatrix<double> compressed = M;
    compressed.makeCompressed();
    lu.compute(compressed);
    if (lu.info() != Eigen::Success) return false;
    M_B = lu.solve(B);
    M_f = lu.solve(f);
    return true;
}

}  // namespace

bool condense(const ImpliedConeProblem& implied, ConeProblem& problem) {
    const auto nc = static_cast<int>(implied.mu.size());
    const Eigen::SparseMatrix<double> Gt = implied.G.transpose();
    Eigen::SparseMatrix<double> M_Gt;
    VecX M_f;
    if (!divide_by_mass(implied.M, Gt, implied.f, M_Gt, M_f)) return false;
    const Eigen::SparseMatrix<double, Eigen::RowMajor> W = implied.G * M_Gt;
    problem.q = implied.G * M_f + implied.w;
    problem.mu = implied.mu;
    std::vector<BlockEntry> entries;
    std::vector<int> place(at(nc), -1);  // of a column's block within the row at hand
    for (int a = 0; a < nc; ++a) {
        const std::size_t first = entries.size();
        for (int i = 0; i < 3; ++i) {
            for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(W, 3 * a + i); it;
                 ++it) {
                const int b = static_cast<int>(it.col()) / 3;
                if (place[at(b)] < static_cast<int>(first)) {
                    place[at(b)] = static_cast<int>(entries.size());
                    entries.push_back({a, b, Mat3::Zero()});
                }
                entries[at(place[at(b)])].value(i, it.col() % 3) = it.value();
            }
        }
    }
    problem.W = make_block_matrix(nc, std::move(entries));
    return is_valid(problem);
}

}  // namespace stiction
