// interior_point_system.cpp - assembles and factors the linear system in the form that suits it.
#include <algorithm>

#include "solve/cone/interior_point_workspace.h"

namespace stiction::interior_point {

namespace {

constexpr int kDenseLimit = 60;  // unknowns and rows up to which dense LU is taken: as fast there
// Tried where factoring fails, relative to the weights, and then a hundred times more each time: up
// to 1e-6, beyond which steps would be those of another problem.
constexpr double kRegularisation = 1e-10, kMoreRegularisation = 100;
constexpr int kAttempts = 4;

bool same_pattern(const Problem& problem, const Workspace& ws) {
    const InteriorPointSystem& system = ws.system;
    if (problem.H.start != system.start || problem.H.column != system.column) return false;
    if (problem.rows() == 0) return system.row_start.empty();
    const SparseRows& C = *problem.C;
    return std::equal(C.outerIndexPtr(), C.outerIndexPtr() + C.rows() + 1, system.row_start.begin(),
                      system.row_start.end()) &&
           std::equal(C.innerIndexPtr(), C.innerIndexPtr() + C.nonZeros(),
                      system.row_column.begin(), system.row_column.end());
}

bool is_dense(const Problem& problem) {
    return problem.rows() > 0 && 3 * problem.contacts() + problem.rows() <= kDenseLimit;
}

// Calls visit(row, column, value) for the lower triangle of (K C'; C -g/v), K = H + D.
template <typename Visit>
void visit_quasi_definite(const Problem& problem, double regularisation, const Workspace& ws,
                          Visit&& visit) {
    const BlockMatrix& H = problem.H;
    const int n = 3 * problem.contacts();
    const auto is_fixed = [&](int i) { return i % 3 != 0 && !ws.contact[at(i / 3)].has_cone; };
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& contact = ws.contact[at(a)];
        for (int k = H.start[at(a)]; k < H.start[at(a) + 1]; ++k) {
            const int b = H.column[at(k)];
            if (b > a) continue;
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < (a == b ? i + 1 : 3); ++j) {
                    double value = H.block[at(k)](i, j);
                    if (a == b) value += contact.D(i, j);
                    if (is_fixed(3 * a + i) || is_fixed(3 * b + j)) value = 0;
                    if (a == b && i == j) {
                        value = is_fixed(3 * a + i)
                                    ? contact.weight
                                    : value + contact.proximal + regularisation * contact.weight;
                    }
                    visit(3 * a + i, 3 * b + j, value);
                }
            }
        }
    }
    for (int j = 0; j < problem.rows(); ++j) {
        for (SparseRows::InnerIterator it(*problem.C, j); it; ++it) {
            const auto column = static_cast<int>(it.col());
            visit(n + j, column, is_fixed(column) ? 0.0 : it.value());
        }
        visit(n + j, n + j, -ws.g[j] / ws.v[j] - ws.proximal_row[j]);
    }
}

bool factor_blocks(const Problem& problem, double regularisation, Workspace& ws) {
    InteriorPointSystem& system = ws.system;
    const BlockMatrix& H = problem.H;
    system.lu.clear();
    for (int k = 0; k < H.blocks(); ++k) system.lu.entry(k) = H.block[at(k)];
    for (int a = 0; a < problem.contacts(); ++a) {
        const Contact& contact = ws.contact[at(a)];
        Mat3& diagonal = system.lu.entry(H.diagonal[at(a)]);
        diagonal += contact.D;
        diagonal.diagonal().array() += contact.proximal + regularisation * contact.weight;
        if (contact.has_cone) continue;
        for (int k = H.start[at(a)]; k < H.start[at(a) + 1]; ++k) {
            system.lu.entry(k).bottomRows<2>().setZero();
        }
        diagonal(1, 1) = diagonal(2, 2) = contact.weight;
    }
    return system.lu.factor();
}

void factor_dense(const Problem& problem, double regularisation, Workspace& ws) {
    InteriorPointSystem& system = ws.system;
    const Eigen::Index size = 3 * problem.contacts() + problem.rows();
    system.dense.setZero(size, size);
    visit_quasi_definite(problem, regularisation, ws, [&](int row, int column, double value) {
        system.dense(row, column) = system.dense(column, row) = value;
    });
    system.dense_lu.compute(system.dense);
}

bool factor_quasi_definite(const Problem& problem, double regularisation, Workspace& ws) {
    InteriorPointSystem& system = ws.system;
    std::size_t next = 0;
    visit_quasi_definite(problem, regularisation, ws, [&](int, int, double value) {
        system.quasi.valuePtr()[system.quasi_place[next++]] = value;
    });
    system.ldlt.factorize(system.quasi);
    return system.ldlt.info() == Eigen::Success;
}

}  // namespace

void analyse(const Problem& problem, Workspace& ws) {
    InteriorPointSystem& system = ws.system;
    if (same_pattern(problem, ws)) return;
    system.start = problem.H.start;
    system.column = problem.H.column;
    system.row_start.clear();
    system.row_column.clear();
    if (problem.rows() == 0) {
        system.lu.analyse(problem.H);
        return;
    }
    const SparseRows& C = *problem.C;
    system.row_start.assign(C.outerIndexPtr(), C.outerIndexPtr() + C.rows() + 1);
    system.row_column.assign(C.innerIndexPtr(), C.innerIndexPtr() + C.nonZeros());
    if (is_dense(problem)) return;
    // Entries are numbered in the order of the visit; the matrix built from the numbers tells where
    // each one went.
    std::vector<Eigen::Triplet<double>> entries;
    visit_quasi_definite(problem, 0, ws, [&](int row, int column, double) {
        entries.emplace_back(row, column, static_cast<double>(entries.size()));
    });
    const Eigen::Index size = 3 * problem.contacts() + problem.rows();
    system.quasi.resize(size, size);
    system.quasi.setFromTriplets(entries.begin(), entries.end());
    system.quasi_place.resize(entries.size());
    for (int k = 0; k < system.quasi.nonZeros(); ++k) {
        system.quasi_place[static_cast<std::size_t>(system.quasi.valuePtr()[k])] = k;
    }
    system.ldlt.analyzePattern(system.quasi);
}

bool factor(const Problem& problem, Workspace& ws) {
    double regularisation = 0;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        if (problem.rows() == 0) {
            if (factor_blocks(problem, regularisation, ws)) return true;
        } else if (is_dense(problem)) {
            factor_dense(problem, regularisation, ws);
            return true;
        } else if (factor_quasi_definite(problem, regularisation, ws)) {
            return true;
        }
        regularisation = attempt == 0 ? kRegularisation : kMoreRegularisation * regularisation;
    }
    return false;
}

void back_substitute(const Problem& problem, Workspace& ws) {
    if (problem.rows() == 0) {
        ws.system.lu.solve(ws.full);
    } else if (is_dense(problem)) {
        ws.rhs = ws.system.dense_lu.solve(ws.full);
        ws.full.swap(ws.rhs);
    } else {
        ws.rhs = ws.system.ldlt.solve(ws.full);
        ws.full.swap(ws.rhs);
    }
}

}  // namespace stiction::interior_point
