// dense_contact.cpp - the four methods.
#include "bench/dense_contact.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace stiction {

namespace {

constexpr double kTolerance = 1e-10;          // the same for all methods that are compared
constexpr int kSides = 4;                     // of the friction pyramid: s, t, -s, -t
constexpr int kCoulombUnknowns = kSides + 2;  // c_n, a beta per side, lambda

using Workspace = DenseContactWorkspace;
using Factor = Eigen::LLT<Eigen::Ref<MatX>>;

// L^-1 of the rows as columns, and of the momentum.
// Eigen refers to the first entry even where there is none.
void whiten_columns(const Factor& factor, MatX& X) {
    if (X.cols() > 0) factor.matrixL().solveInPlace(X);
}

void whiten(const Factor& factor, const DenseContact& contact, Workspace& ws) {
    ws.Y = contact.N.transpose();
    whiten_columns(factor, ws.Y);
    ws.nu = contact.momentum;
    factor.matrixL().solveInPlace(ws.nu);
}

void unwhiten(const Factor& factor, const VecX& nu, VecX& v) {
    v = nu;
    factor.matrixU().solveInPlace(v);
}

// A contact that was not there before presses if it touches (`fresh`).
void recall(const DenseContact& contact, int unknowns, bool fresh, Workspace& ws) {
    if (ws.cold) return ws.guess.clear();
    ws.guess.assign(contact.keys.size() * static_cast<std::size_t>(unknowns), 0);
    for (std::size_t i = 0; i < contact.keys.size(); ++i) {
        const auto known = ws.memory.find(contact.keys[i]);
        for (std::size_t k = 0; k < static_cast<std::size_t>(unknowns); ++k) {
            ws.guess[i * static_cast<std::size_t>(unknowns) + k] =
                known != ws.memory.end() ? known->second[k]
                                         : static_cast<char>(fresh && contact.touching[i]);
        }
    }
}

void remember(const DenseContact& contact, int unknowns, Workspace& ws) {
    if (ws.cold) return;
    ws.memory.clear();
    auto from = ws.result.basic.begin();
    for (const ContactKey& key : contact.keys) {
        ws.memory[key].assign(from, from + unknowns);
        from += unknowns;
    }
}

// The normals in whitened velocities; K and v_hat are set.
void pivot(const DenseContact& contact, Workspace& ws, DenseAnswer& answer) {
    ws.ppm.N = ws.Y.transpose();
    ws.ppm.bias = contact.bias;
    ws.ppm.scale = ws.ppm.N.rowwise().squaredNorm();
    recall(contact, 1, true, ws);
    ActiveSetSettings settings;
    settings.stop.tolerance = kTolerance;
    solve_ppm(ws.ppm, settings, ws.guess, ws.pivoting, ws.result);
    remember(contact, 1, ws);
    answer.status = ws.result.status;
    answer.pivots = ws.result.pivots;
    ws.nu.noalias() = ws.Y * ws.result.z;
    ws.nu = (ws.ppm.v_hat + ws.ppm.K * ws.nu).eval();
}

void run_lemke(const DenseContact& contact, int unknowns, Workspace& ws, DenseAnswer& answer) {
    recall(contact, unknowns, false, ws);
    LemkeSettings settings;
    settings.stop.tolerance = kTolerance;
    settings.retry = ws.retry;
    solve_lemke(ws.lcp, settings, ws.guess, ws.lemke, ws.result);
    remember(contact, unknowns, ws);
    answer.status = ws.result.status;
    answer.pivots = ws.result.pivots;
}

// M + h (S'mu_v S + T'mu_v T)
void add_friction(const DenseContact& contact, MatX& M) {
    for (Eigen::Index i = 0; i < contact.N.rows(); ++i) {
        if (!contact.touching[at(i)]) continue;
        const double weight = contact.h * contact.mu_v[i];
        M.selfadjointView<Eigen::Lower>().rankUpdate(contact.S.row(i).transpose(), weight);
        M.selfadjointView<Eigen::Lower>().rankUpdate(contact.T.row(i).transpose(), weight);
    }
}

Factor factor_with_friction(const DenseContact& contact, Workspace& ws) {
    ws.M = contact.M;
    add_friction(contact, ws.M);
    Eigen::Ref<MatX> M = ws.M;  // factored in place
    return Factor(M);
}

// Tangential rows of a contact: none, droppable, or pinned because it came to press without them.
enum Tangential : char { kAbsent, kDroppable, kPinned };

// K = I - Q Q', Q an orthonormal basis of the tangential rows.
void project_tangents(const Factor& factor, const DenseContact& contact, Workspace& ws) {
    const Eigen::Index m = ws.M.rows();
    Eigen::Index rows = 0;
    ws.X.resize(m, 2 * contact.N.rows());
    for (Eigen::Index i = 0; i < contact.N.rows(); ++i) {
        if (ws.tangential[at(i)] == kAbsent) continue;
        ws.X.col(rows++) = contact.S.row(i).transpose();
        ws.X.col(rows++) = contact.T.row(i).transpose();
    }
    auto X = ws.X.leftCols(rows);
    if (rows > 0) factor.matrixL().solveInPlace(X);
    find_independent_rows(X.transpose(), kRowTolerance, ws.independent_workspace, ws.independent);
    const auto Q = ws.independent.basis();
    ws.ppm.K.setIdentity(m, m);
    ws.ppm.K.noalias() -= Q * Q.transpose();
    ws.ppm.v_hat.noalias() = ws.ppm.K * ws.free;
}

// As no_slip does it (contact/models/no_slip.cpp): contacts that end apart lose their tangential
// rows; when none is left to drop, those that press without them get them back for good.
bool revise_tangents(const DenseContact& contact, Workspace& ws) {
    constexpr double kStill = 1e-12;  // [m/s], rounding of velocities about 1
    bool changed = false;
    for (Eigen::Index i = 0; i < contact.N.rows(); ++i) {
        if (ws.tangential[at(i)] != kDroppable || ws.result.basic[at(i)]) continue;
        const double scale = ws.Y.col(i).norm() * ws.nu.norm() + std::abs(contact.bias[i]);
        const double opens = ws.Y.col(i).dot(ws.nu) + contact.bias[i];
        if (opens <= std::max(kTolerance * scale, kStill)) continue;
        ws.tangential[at(i)] = kAbsent;
        changed = true;
    }
    if (changed) return true;
    for (Eigen::Index i = 0; i < contact.N.rows(); ++i) {
        if (ws.tangential[at(i)] != kAbsent || ws.result.z[i] <= 0) continue;
        ws.tangential[at(i)] = kPinned;
        changed = true;
    }
    return changed;
}

}  // namespace

DenseContact make_dense_contact(const ContactProblem& problem) {
    const DenseProblem dense_problem = dense(problem);
    DenseContact contact;
    if (!problem.joints.empty() || !problem.limits.empty() || !problem.bounded.empty() ||
        !dense_problem.N0.isZero(0) || !dense_problem.S0.isZero(0) || !dense_problem.T0.isZero(0)) {
        throw std::logic_error("make_dense_contact: rows other than those of contacts at rest");
    }
    const auto n = static_cast<Eigen::Index>(problem.contacts.size());
    contact.h = problem.h;
    contact.M = dense_problem.M;
    contact.momentum = contact.M * problem.v_free;
    contact.N = dense_problem.N;
    contact.S = dense_problem.S;
    contact.T = dense_problem.T;
    contact.bias.resize(n);
    contact.mu_c.resize(n);
    contact.mu_v.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const ContactRow& row = problem.contacts[at(i)];
        const Link& link = problem.system.links[static_cast<std::size_t>(row.link)];
        contact.bias[i] = row.bias;
        contact.mu_c[i] = row.mu_c;
        contact.mu_v[i] = row.mu_v;
        contact.touching.push_back(row.phi <= kTouching * link.length ? 1 : 0);
        contact.keys.push_back(row.key);
    }
    return contact;
}

void solve_no_slip_ppm(const DenseContact& contact, Workspace& ws, DenseAnswer& answer) {
    ws.M = contact.M;
    Eigen::Ref<MatX> M = ws.M;
    const Factor factor(M);
    whiten(factor, contact, ws);
    ws.free = ws.nu;
    ws.tangential.assign(contact.keys.size(), kDroppable);
    int pivots = 0;
    do {
        project_tangents(factor, contact, ws);
        pivot(contact, ws, answer);
        pivots += answer.pivots;
    } while (revise_tangents(contact, ws));
    answer.pivots = pivots;
    unwhiten(factor, ws.nu, answer.v);
}

void solve_coulomb_lemke(const DenseContact& contact, Workspace& ws, DenseAnswer& answer) {
    ws.M = contact.M;
    Eigen::Ref<MatX> M = ws.M;
    const Factor factor(M);
    const Eigen::Index n = contact.N.rows();
    ws.X.resize(ws.M.rows(), 3 * n);  // n, s, t contact by contact
    for (Eigen::Index i = 0; i < n; ++i) {
        ws.X.col(3 * i) = contact.N.row(i).transpose();
        ws.X.col(3 * i + 1) = contact.S.row(i).transpose();
        ws.X.col(3 * i + 2) = contact.T.row(i).transpose();
    }
    whiten_columns(factor, ws.X);
    ws.nu = contact.momentum;
    factor.matrixL().solveInPlace(ws.nu);
    ws.W.noalias() = ws.X.transpose() * ws.X;
    // Unknowns of a contact: c_n, beta along s, t, -s, -t, lambda.
    constexpr std::array<int, kSides + 1> kRow = {0, 1, 2, 1, 2};
    constexpr std::array<double, kSides + 1> kSign = {1, 1, 1, -1, -1};
    ws.lcp.A.setZero(kCoulombUnknowns * n, kCoulombUnknowns * n);
    ws.lcp.b.setZero(kCoulombUnknowns * n);
    for (Eigen::Index j = 0; j < n; ++j) {
        for (int q = 0; q <= kSides; ++q) {
            const Eigen::Index from = 3 * j + kRow[at(q)];
            const Eigen::Index column = kCoulombUnknowns * j + q;
            for (Eigen::Index i = 0; i < n; ++i) {
                for (int p = 0; p <= kSides; ++p) {
                    ws.lcp.A(kCoulombUnknowns * i + p, column) =
                        kSign[at(p)] * kSign[at(q)] * ws.W(3 * i + kRow[at(p)], from);
                }
            }
            ws.lcp.b[column] = kSign[at(q)] * ws.X.col(from).dot(ws.nu);
        }
        ws.lcp.b[kCoulombUnknowns * j] += contact.bias[j];
        const Eigen::Index lambda = kCoulombUnknowns * j + kSides + 1;
        ws.lcp.A(lambda, kCoulombUnknowns * j) = contact.mu_c[j];
        for (int q = 1; q <= kSides; ++q) {
            ws.lcp.A(kCoulombUnknowns * j + q, lambda) = 1;
            ws.lcp.A(lambda, kCoulombUnknowns * j + q) = -1;
        }
    }
    run_lemke(contact, kCoulombUnknowns, ws, answer);
    for (Eigen::Index j = 0; j < n; ++j) {
        const double* z = ws.result.z.data() + kCoulombUnknowns * j;
        ws.nu += z[0] * ws.X.col(3 * j) + (z[1] - z[3]) * ws.X.col(3 * j + 1) +
                 (z[2] - z[4]) * ws.X.col(3 * j + 2);
    }
    unwhiten(factor, ws.nu, answer.v);
}

void solve_viscous_ppm(const DenseContact& contact, Workspace& ws, DenseAnswer& answer) {
    const Factor factor = factor_with_friction(contact, ws);
    whiten(factor, contact, ws);
    ws.ppm.K.setIdentity(ws.M.rows(), ws.M.rows());
    ws.ppm.v_hat = ws.nu;
    pivot(contact, ws, answer);
    unwhiten(factor, ws.nu, answer.v);
}

void solve_viscous_lemke(const DenseContact& contact, Workspace& ws, DenseAnswer& answer) {
    const Factor factor = factor_with_friction(contact, ws);
    whiten(factor, contact, ws);
    ws.lcp.A.noalias() = ws.Y.transpose() * ws.Y;
    ws.lcp.b = contact.bias;
    ws.lcp.b.noalias() += ws.Y.transpose() * ws.nu;
    run_lemke(contact, 1, ws, answer);
    ws.nu.noalias() += ws.Y * ws.result.z;
    unwhiten(factor, ws.nu, answer.v);
}

}  // namespace stiction
