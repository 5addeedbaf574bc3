// prox_newton_matrix.cpp - a guess that sticks, sweeps, and W as the proximal Newton method sees it.
#include "solve/cone/prox_newton_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solve/cone/sweeps.h"

namespace stiction {

namespace {

// Sticking.
constexpr int kFewContacts = 8;      // up to which a dense factor costs less than two sweeps
constexpr double kMinPivot = 1e-10;  // of the diagonal entry: below, W is singular
// Sweeps.
constexpr int kJudgeEvery = 6;      // sweeps between judgements of their rate
constexpr int kMinSweeps = 12;      // before the first may end them
constexpr int kSweepsPerBlock = 4;  // least sweeps per block of a row of W: about what a step costs
constexpr int kSweepsAhead = 40;    // go on while this many would reach the tolerance

// (A + B W) over the pattern of W.
class MatrixOperator final : public DelassusOperator {
  public:
    MatrixOperator(const BlockMatrix& W, MatrixProxNewtonWorkspace& workspace)
        : W_(W), ws_(workspace) {
        if (ws_.start == W.start && ws_.column == W.column) return;
        ws_.lu.analyse(W);
        ws_.start = W.start;
        ws_.column = W.column;
    }

    void multiply(const VecX& x, VecX& W_x) override {
        W_x.resize(x.size());
        for (int a = 0; a < W_.rows(); ++a) W_x.segment<3>(3 * a) = row_product(W_, a, x);
    }

    bool factor(const std::vector<Mat3>& A, const std::vector<Mat3>& B,
                const std::vector<char>& open, bool) override {
        B_ = &B;
        open_ = &open;
        ws_.lu.clear();
        for (int a = 0; a < W_.rows(); ++a) {
            if (open[at(a)]) {
                ws_.lu.leave_out(a);
                continue;
            }
            for (int k = W_.start[at(a)]; k < W_.start[at(a) + 1]; ++k) {
                if (!open[at(W_.column[at(k)])])
                    ws_.lu.entry(k).noalias() = B[at(a)] * W_.block[at(k)];
            }
            ws_.lu.entry(W_.diagonal[at(a)]) += A[at(a)];
        }
        return ws_.lu.factor();
    }

    void solve(VecX& x) override {
        const std::vector<char>& open = *open_;
        ws_.given = x;
        for (int a = 0; a < W_.rows(); ++a) {
            if (open[at(a)]) continue;
            for (int k = W_.start[at(a)]; k < W_.start[at(a) + 1]; ++k) {
                const int b = W_.column[at(k)];
                if (!open[at(b)]) continue;
                const Vec3 known = W_.block[at(k)] * ws_.given.segment<3>(3 * b);
                x.segment<3>(3 * a) -= (*B_)[at(a)] * known;
            }
        }
        ws_.lu.solve(x);
        for (int a = 0; a < W_.rows(); ++a) {
            if (open[at(a)]) x.segment<3>(3 * a) = ws_.given.segment<3>(3 * a);
        }
    }

  private:
    const BlockMatrix& W_;
    MatrixProxNewtonWorkspace& ws_;
    const std::vector<Mat3>* B_ = nullptr;
    const std::vector<char>* open_ = nullptr;
};

// What comes before.
struct Start {
    const ConeProblem& problem;
    const SolveSettings& settings;
    MatrixProxNewtonWorkspace& matrix;
    ProxNewtonWorkspace& ws;
    ConeResult& result;
    int nc;
    int limit;
    double q_norm;

    [[nodiscard]] bool may_go_on() {
        if (result.status != SolveStatus::kIterationLimit || result.iterations >= limit)
            return false;
        if (settings.deadline.passed()) result.status = SolveStatus::kBudget;
        return result.status == SolveStatus::kIterationLimit;
    }

    // Measures ws.r, keeps it if it is the best; true at the tolerance.
    bool judge() {
        multiply_add(problem.W, ws.r, problem.q, ws.u);
        const ConeResidual now = residual(problem, ws.r, ws.u);
        if (now.worst() < result.residual) keep(ws.r, ws.u, now, result);
        if (result.residual <= settings.tolerance) result.status = SolveStatus::kSolved;
        return result.status == SolveStatus::kSolved;
    }

    void consider_zero();
    bool stick();
    void sweeps();
};

// No impulses, unless a better answer is known.
void Start::consider_zero() {
    ws.y.setZero(3 * nc);
    const ConeResidual now = residual(problem, ws.y, problem.q);
    if (!(result.residual <= now.worst())) keep(ws.y, problem.q, now, result);
}

bool inside_cone(double mu, const Vec3& r) {
    return r[0] > 0 && r[1] * r[1] + r[2] * r[2] <= mu * mu * r[0] * r[0];
}

// Few contacts that all stuck will mostly go on to do so: W r = -q. True when that is the answer.
bool Start::stick() {
    if (nc > kFewContacts || !problem.bounded.empty()) return false;
    for (int a = 0; a < nc; ++a) {
        if (!inside_cone(problem.mu[a], ws.r.segment<3>(3 * a))) return false;
    }
    // L D of W = L D L', by columns of even length; pairs that reach above the diagonal do no harm.
    using Pair = Eigen::Map<Eigen::Vector2d>;
    std::array<double, 9 * kFewContacts * kFewContacts + 3 * kFewContacts> L;
    const BlockMatrix& W = problem.W;
    const int n = 3 * nc;
    const int stride = n + n % 2;
    std::fill_n(L.begin(), n * stride, 0.0);
    for (int a = 0; a < nc; ++a) {
        for (int k = W.start[at(a)]; k < W.start[at(a) + 1] && W.column[at(k)] <= a; ++k) {
            double* corner = &L[at(3 * W.column[at(k)] * stride + 3 * a)];
            for (int c = 0; c < 3; ++c)
                Eigen::Map<Vec3>{corner + c* stride} = W.block[at(k)].col(c);
        }
    }
    VecX& x = ws.y;
    x = -problem.q;
    for (int k = 0; k < n; ++k) {
        double* column = &L[at(k * stride)];
        if (!(column[k] > kMinPivot * W.at_diagonal(k / 3)(k % 3, k % 3))) return false;
        const double inverse = 1 / column[k];
        for (int j = k + 1; j < n; ++j) {
            double* other = &L[at(j * stride)];
            const double factor = inverse * column[j];
            for (int i = j & ~1; i < n; i += 2) Pair{other + i} -= factor * Pair{column + i};
        }
        const double y = inverse * x[k];
        for (int i = k + 1; i < n; ++i) x[i] -= y * column[i];
        column[k] = inverse;
    }
    for (int k = n - 1; k >= 0; --k) {
        const double* column = &L[at(k * stride)];
        for (int i = k + 1; i < n; ++i) x[k] -= column[i] * x[i];
        x[k] *= column[k];
    }
    ++result.iterations;
    ++result.factorisations;
    for (int a = 0; a < nc; ++a) {
        if (!inside_cone(problem.mu[a], x.segment<3>(3 * a))) return false;
    }
    ws.r.swap(x);
    return judge();
}

void Start::sweeps() {
    const int least = std::max(kMinSweeps, kSweepsPerBlock * problem.W.blocks() / nc);
    double before = 0;  // estimate kJudgeEvery sweeps ago
    for (int k = 1; may_go_on(); ++k) {
        const double estimate = cone_sweep(problem, matrix.D, matrix.lambda, ws.r) / q_norm;
        ++result.iterations;
        const bool judged = k % kJudgeEvery == 0;
        if (k == 1 || estimate <= 2 * settings.tolerance || (judged && k >= least)) {
            if (judge()) return;
        }
        if (judged) {
            const double rate = std::log(estimate / before) / kJudgeEvery;
            const double ahead = std::log(settings.tolerance / estimate) / rate;
            if (k >= least && !(rate < 0 && ahead < kSweepsAhead)) break;
            before = estimate;
        }
    }
    if (!ws.r.allFinite()) {
        ws.r = result.r;
        ws.u = result.u;
    }
}

}  // namespace

void solve_prox_newton(const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                       MatrixProxNewtonWorkspace& workspace, ConeResult& result) {
    ProxNewtonWorkspace& ws = workspace.newton;
    if (!begin(problem, guess, ws.r, result)) return;
    const int nc = problem.contacts();
    workspace.lambda.setZero(nc);
    set_block_weights(problem.W, workspace.D);
    Start start{problem,
                settings,
                workspace,
                ws,
                result,
                nc,
                settings.max_iterations > 0 ? settings.max_iterations : kProxNewtonLimit,
                std::max(problem.q.norm(), std::numeric_limits<double>::min())};
    if (start.stick()) return;
    start.consider_zero();
    if (start.judge()) return;
    start.sweeps();
    if (!start.may_go_on()) {
        start.judge();
        return;
    }
    MatrixOperator W(problem.W, workspace);
    solve_prox_newton(problem, problem.q, workspace.D, W, {settings, settings.tolerance, true}, ws,
                      result);
}

}  // namespace stiction
