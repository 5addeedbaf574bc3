// ppm_test.cpp - modified principal pivoting against Lemke's method on the explicit product.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "allocation_count.h"
#include "solve/factor/independent_rows.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/random_problems.h"

namespace stiction::ppm_test {
namespace {

using test::Rng;

LcpResult solve(const PpmProblem& problem, const LcpBasis& guess = {},
                const ActiveSetSettings& settings = {}) {
    ActiveSetWorkspace workspace;
    LcpResult result;
    solve_ppm(problem, settings, guess, workspace, result);
    return result;
}

Lcp product(const PpmProblem& p) {
    const MatX Y = p.N * p.K;
    return {Y * Y.transpose(), p.N * p.v_hat + p.bias};
}

int positive(const VecX& z) { return static_cast<int>((z.array() > 0).count()); }

// n rows on m velocities of which `locked` directions are taken by joints, so rank(C) = m - locked;
// some rows are copies of others, some combinations, some lie in the locked directions.
PpmProblem random_problem(Rng& rng, int n, int m, int locked, bool bias) {
    PpmProblem p;
    p.N = test::random_matrix(rng, n, m);
    p.v_hat = test::random_vector(rng, m);
    const MatX M = test::random_spd(rng, m);
    const Eigen::LLT<MatX> llt(M);
    const MatX X = test::random_matrix(rng, locked, m);
    // C = L^-T (I - Q Q') L^-1 with Q an orthonormal basis of the whitened joint rows L^-1 X'.
    MatX free = MatX::Identity(m, m);
    if (locked > 0) {
        IndependentRowsWorkspace workspace;
        IndependentRows joints;
        const MatX whitened = llt.matrixL().solve(X.transpose());
        find_independent_rows(whitened.transpose(), kRowTolerance, workspace, joints);
        free -= joints.basis() * joints.basis().transpose();
    }
    p.K = llt.matrixU().solve(free);
    p.v_hat = p.K * (p.K.transpose() * (M * p.v_hat));
    const MatX M_inverse = llt.solve(MatX::Identity(m, m));
    for (int i = 1; i < n; ++i) {
        const int kind = test::whole(rng, 0, 7);
        if (kind == 0) p.N.row(i) = p.N.row(test::whole(rng, 0, i - 1));
        if (kind == 1) p.N.row(i) = 0.5 * (p.N.row(i - 1) + p.N.row(test::whole(rng, 0, i - 1)));
        if (kind == 2 && locked > 0) p.N.row(i) = X.row(test::whole(rng, 0, locked - 1));
    }
    p.bias = VecX::Zero(n);
    if (bias)
        for (int i = 0; i < n; ++i) p.bias[i] = std::max(0.0, test::uniform(rng, -1, 1));
    p.scale = (p.N * M_inverse * p.N.transpose()).diagonal();
    return p;
}

// z need not be unique, but C N'z, and with it w and the velocity, is.
void expect_agrees_with_lemke(const PpmProblem& p, const LcpResult& r, int k) {
    ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k << ", residual " << r.residual;
    const Lcp lcp = product(p);
    LemkeWorkspace workspace;
    LcpResult reference;
    solve_lemke(lcp, {}, {}, workspace, reference);
    ASSERT_EQ(reference.status, SolveStatus::kSolved) << "case " << k;
    const double size = 1 + lcp.b.cwiseAbs().maxCoeff();
    EXPECT_LT((r.w - reference.w).cwiseAbs().maxCoeff(), 1e-7 * size) << "case " << k;
    EXPECT_LT((lcp.A * r.z + lcp.b - r.w).cwiseAbs().maxCoeff(), 1e-9 * size) << "case " << k;
    EXPECT_GE(r.z.minCoeff(), 0.0);
    EXPECT_LT(r.residual, 1e-9 * size) << "case " << k;
    EXPECT_LT(std::abs(r.z.dot(r.w)), 1e-9 * size * (1 + r.z.sum())) << "case " << k;
}

TEST(Ppm, AgreesWithLemkeOnTheProduct) {
    Rng rng(1);
    for (int k = 0; k < 3000; ++k) {
        const int m = test::whole(rng, 1, 10), n = test::whole(rng, 1, 20);
        const PpmProblem p = random_problem(rng, n, m, 0, k % 2 == 1);
        expect_agrees_with_lemke(p, solve(p), k);
        if (HasFatalFailure()) return;
    }
}

TEST(Ppm, AgreesWithLemkeWhenJointsLockDirections) {
    Rng rng(2);
    for (int k = 0; k < 3000; ++k) {
        const int m = test::whole(rng, 2, 10), n = test::whole(rng, 1, 20);
        const int locked = test::whole(rng, 1, m - 1);
        const PpmProblem p = random_problem(rng, n, m, locked, k % 2 == 1);
        const LcpResult r = solve(p);
        expect_agrees_with_lemke(p, r, k);
        if (HasFatalFailure()) return;
        EXPECT_LE(positive(r.z), m - locked);
    }
}

TEST(Ppm, ManyRowsOnOneBody) {
    Rng rng(3);
    for (int k = 0; k < 20; ++k) {
        const PpmProblem p = random_problem(rng, 400, 6, 0, true);
        const LcpResult r = solve(p);
        expect_agrees_with_lemke(p, r, k);
        if (HasFatalFailure()) return;
        EXPECT_LE(positive(r.z), 6);
    }
}

// Bounds of every kind, from any start: w is unique, and the same as that of the active-set method on
// the explicit product.
TEST(Ppm, AgreesWithActiveSetQpBetweenBounds) {
    Rng rng(4);
    int solved = 0;
    for (int k = 0; k < 3000; ++k) {
        const int m = test::whole(rng, 2, 10), n = test::whole(rng, 1, 12);
        PpmProblem p = random_problem(rng, n, m, 0, false);
        p.lo.resize(n);
        p.hi.resize(n);
        p.start.resize(n);
        LcpBasis guess;
        for (int i = 0; i < n; ++i) {
            const double a = test::uniform(rng, -1, 1), b = test::uniform(rng, -1, 1);
            const int kind = test::whole(rng, 0, 3);
            p.lo[i] = kind == 0 ? 0 : std::min(a, b);
            p.hi[i] = kind == 0 ? std::numeric_limits<double>::infinity() : std::max(a, b);
            if (kind == 1) p.hi[i] = p.lo[i];
            p.start[i] = kind != 0 && k % 2 == 0 ? p.hi[i] : p.lo[i];
            guess.push_back(static_cast<char>(test::whole(rng, 0, 1)));
        }
        const LcpResult r = solve(p, k % 3 == 0 ? guess : LcpBasis{});
        const Lcp lcp = product(p);
        const BoxLcp box{lcp.A, lcp.b, p.lo, p.hi};
        ActiveSetWorkspace workspace;
        BoxResult reference;
        solve_active_set_qp(box, {}, {}, workspace, reference);
        ASSERT_EQ(r.status, reference.status) << "case " << k;
        if (reference.status != SolveStatus::kSolved) continue;
        ++solved;
        const double size = 1 + lcp.b.cwiseAbs().maxCoeff();
        EXPECT_LT(residual(box, r.z), 1e-8 * size) << "case " << k;
        EXPECT_NEAR(r.residual, residual(box, r.z, r.w), 1e-9 * size) << "case " << k;
        EXPECT_LT((r.w - reference.w).cwiseAbs().maxCoeff(), 1e-7 * size) << "case " << k;
        if (HasFailure()) return;
    }
    EXPECT_GT(solved, 2900);
}

TEST(Ppm, SmallProblemsWithKnownAnswers) {
    // A unit mass that falls at 1 m/s on two copies of one contact stops with impulse 1 on one.
    PpmProblem p{MatX::Ones(2, 1), MatX::Identity(1, 1), VecX::Constant(1, -1.0), VecX::Zero(2),
                 VecX::Ones(2)};
    LcpResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_DOUBLE_EQ(r.z.sum(), 1.0);
    EXPECT_EQ(positive(r.z), 1);
    EXPECT_EQ(r.pivots, 1);
    // Separating: nothing to do.
    p.v_hat[0] = 1;
    r = solve(p);
    EXPECT_EQ(r.z, VecX::Zero(2));
    EXPECT_EQ(r.pivots, 0);
    // No contact, and no velocity at all.
    EXPECT_EQ(solve({MatX(0, 3), MatX::Identity(3, 3), VecX::Zero(3), VecX(0), VecX(0)}).status,
              SolveStatus::kSolved);
    EXPECT_EQ(solve({MatX::Ones(2, 3), MatX(3, 0), VecX::Ones(3), VecX::Zero(2), VecX()}).status,
              SolveStatus::kSolved);
}

TEST(Ppm, DependentRowIsExchangedByTheRatioTest) {
    // Both rows push the same way; the deeper one (bias -2) decides: v = 2, held by row 1 alone.
    // Row 2 = 3 times row 0 with bias -5 asks for v >= 5/3 only.
    PpmProblem p{MatX(3, 1), MatX::Identity(1, 1), VecX::Constant(1, -1.0), Vec3(-1, -2, -5),
                 VecX()};
    p.N << 1, 1, 3;
    const LcpResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_NEAR(r.z[1], 3.0, 1e-14);
    EXPECT_EQ(positive(r.z), 1);
    EXPECT_LT(r.residual, 1e-14);
}

TEST(Ppm, ContradictoryRowsAreReported) {
    // v >= 1 and v <= -1.
    PpmProblem p{MatX(2, 1), MatX::Identity(1, 1), VecX::Zero(1), VecX::Constant(2, -1.0),
                 VecX::Ones(2)};
    p.N << 1, -1;
    EXPECT_EQ(solve(p).status, SolveStatus::kNoSolution);
    // A locked row (C N' = 0) that ought to open.
    p = {MatX::Identity(2, 2), MatX::Zero(2, 1), VecX::Zero(2), Eigen::Vector2d(-1, 0),
         VecX::Ones(2)};
    p.K(1, 0) = 1;
    const LcpResult r = solve(p);
    EXPECT_EQ(r.status, SolveStatus::kNoSolution);
    EXPECT_EQ(r.z[0], 0);
    // Without the demand it is solved, though its pivot is round-off.
    p.bias.setZero();
    p.K(0, 0) = 1e-12;
    p.v_hat = Eigen::Vector2d(-1e-13, -1);
    EXPECT_EQ(solve(p).status, SolveStatus::kSolved);
}

TEST(Ppm, InfeasibilityAgreesWithLemke) {
    // Random biases of either sign: some have no solution. Both must say the same. Rows of small
    // integers: a problem is then clearly feasible or clearly not.
    Rng rng(4);
    int infeasible = 0;
    for (int k = 0; k < 2000; ++k) {
        const int m = test::whole(rng, 1, 4), n = test::whole(rng, 1, 8);
        PpmProblem p;
        p.N = MatX::NullaryExpr(n, m, [&] { return test::whole(rng, -2, 2); });
        p.K = MatX::Identity(m, m);
        p.v_hat = VecX::NullaryExpr(m, [&] { return test::whole(rng, -3, 3); });
        p.bias = VecX::NullaryExpr(n, [&] { return test::whole(rng, -3, 3); });
        LemkeWorkspace workspace;
        LcpResult reference;
        LemkeSettings settings;
        settings.retry = false;
        solve_lemke(product(p), settings, {}, workspace, reference);
        const LcpResult r = solve(p);
        ASSERT_EQ(name(r.status), name(reference.status)) << "case " << k;
        infeasible += r.status == SolveStatus::kNoSolution;
        if (r.status != SolveStatus::kSolved) continue;
        EXPECT_LT((r.w - reference.w).cwiseAbs().maxCoeff(), 1e-9) << "case " << k;
    }
    EXPECT_GT(infeasible, 100);
}

TEST(Ppm, RightGuessNeedsNoPivot) {
    Rng rng(5);
    for (int k = 0; k < 1000; ++k) {
        const PpmProblem p = random_problem(rng, 20, 8, k % 4, true);
        const LcpResult cold = solve(p), warm = solve(p, cold.basic);
        ASSERT_EQ(warm.status, SolveStatus::kSolved);
        EXPECT_EQ(warm.pivots, 0);
        EXPECT_LT((warm.w - cold.w).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(Ppm, WrongGuessStillGivesTheAnswer) {
    Rng rng(6);
    for (int k = 0; k < 1000; ++k) {
        const PpmProblem p = random_problem(rng, 20, 8, k % 4, k % 2 == 0);
        LcpBasis guess(20);
        for (char& c : guess) c = static_cast<char>(test::whole(rng, 0, 1));
        expect_agrees_with_lemke(p, solve(p, guess), k);
        if (HasFatalFailure()) return;
    }
}

TEST(Ppm, WorkGrowsLinearlyWithTheRows) {
    // A pass over w costs O(m n) and a pivot O(m^2): linear in n when passes and pivots stay put.
    Rng rng(7);
    for (const int n : {50, 400, 3200}) {
        const PpmProblem p = random_problem(rng, n, 6, 0, false);
        const LcpResult r = solve(p);
        EXPECT_EQ(r.status, SolveStatus::kSolved);
        EXPECT_LE(r.pivots, 40) << n;
        EXPECT_LE(r.iterations, 40) << n;
    }
}

TEST(Ppm, PivotLimitAndNotFiniteInputAreReported) {
    PpmProblem p{MatX::Identity(4, 4), MatX::Identity(4, 4), VecX::Constant(4, -1.0), VecX::Zero(4),
                 VecX::Ones(4)};
    ActiveSetSettings settings;
    settings.stop.max_iterations = 2;
    const LcpResult r = solve(p, {}, settings);
    EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
    EXPECT_EQ(r.pivots, 2);
    EXPECT_EQ(positive(r.z), 2);
    p.v_hat[2] = std::nan("");
    EXPECT_EQ(solve(p).status, SolveStatus::kNotFinite);
}

TEST(Ppm, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(8);
    const PpmProblem first = random_problem(rng, 60, 18, 3, true);
    const PpmProblem second = random_problem(rng, 60, 18, 3, true);
    ActiveSetWorkspace workspace;
    LcpResult r;
    solve_ppm(first, {}, {}, workspace, r);
    const long before = allocation_count();
    solve_ppm(second, {}, {}, workspace, r);
    solve_ppm(second, {}, r.basic, workspace, r);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::ppm_test
