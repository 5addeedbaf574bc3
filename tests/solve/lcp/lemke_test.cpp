// lemke_test.cpp - Lemke's method against enumeration, closed forms and random contact problems.
#include "solve/lcp/lemke.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "allocation_count.h"
#include "solve/lcp/random_problems.h"

namespace stiction::lemke_test {
namespace {

using test::Coulomb;
using test::random_coulomb;
using test::Rng;

LcpResult solve(const Lcp& lcp, const LcpBasis& guess = {}, const LemkeSettings& settings = {}) {
    LemkeWorkspace workspace;
    LcpResult result;
    solve_lemke(lcp, settings, guess, workspace, result);
    return result;
}

Lcp make_lcp(const MatX& A, const VecX& b) { return {A, b}; }

// The unique solution of a problem with positive definite A: the one basic set of 2^n that gives
// z >= 0 and w >= 0.
VecX enumerate(const Lcp& lcp) {
    const int n = static_cast<int>(lcp.b.size());
    for (int set = 0; set < 1 << n; ++set) {
        std::vector<int> in;
        for (int i = 0; i < n; ++i)
            if (set >> i & 1) in.push_back(i);
        VecX z = VecX::Zero(n);
        if (!in.empty()) {
            const MatX A = lcp.A(in, in);
            z(in) = A.fullPivLu().solve(-lcp.b(in));
        }
        const VecX w = lcp.A * z + lcp.b;
        if (z.minCoeff() >= -1e-12 && w.minCoeff() >= -1e-12) return z;
    }
    return VecX::Constant(n, std::nan(""));
}

TEST(Lemke, SolvesSmallProblemsWithKnownAnswers) {
    // One unknown: z = max(0, -b / a).
    EXPECT_DOUBLE_EQ(solve(make_lcp(MatX::Constant(1, 1, 2.0), VecX::Constant(1, -3.0))).z[0], 1.5);
    EXPECT_DOUBLE_EQ(solve(make_lcp(MatX::Constant(1, 1, 2.0), VecX::Constant(1, 3.0))).z[0], 0.0);
    // 2 z1 + z2 = 5, z1 + 2 z2 = 6 at z = (4/3, 7/3).
    MatX A(2, 2);
    A << 2, 1, 1, 2;
    const LcpResult r = solve(make_lcp(A, Eigen::Vector2d(-5, -6)));
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_NEAR(r.z[0], 4.0 / 3, 1e-15);
    EXPECT_NEAR(r.z[1], 7.0 / 3, 1e-15);
    EXPECT_LT(r.residual, 1e-15);
    EXPECT_EQ(r.basic, (LcpBasis{1, 1}));
}

TEST(Lemke, EmptyProblemIsSolved) {
    const LcpResult r = solve({});
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_EQ(r.z.size(), 0);
    EXPECT_EQ(r.residual, 0);
}

TEST(Lemke, AgreesWithEnumerationOnPositiveDefiniteProblems) {
    Rng rng(1);
    for (int k = 0; k < 3000; ++k) {
        const int n = test::whole(rng, 1, 6);
        Lcp lcp{test::random_spd(rng, n), test::random_vector(rng, n)};
        if (k % 2) {  // not symmetric, still positive definite
            const MatX X = test::random_matrix(rng, n, n);
            lcp.A += X - X.transpose();
        }
        const LcpResult r = solve(lcp);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k;
        const VecX expected = enumerate(lcp);
        EXPECT_LT((r.z - expected).cwiseAbs().maxCoeff(), 1e-9) << "case " << k;
    }
}

// Every one of them has a solution: A is copositive and v_hat makes b lie where Lemke cannot end in
// a ray (Stewart and Trinkle; Anitescu and Potra), gaps only add to b_n >= 0.
void expect_all_solved(const char* what, const Coulomb& kind, int cases) {
    Rng rng(11);
    LemkeWorkspace workspace;
    LcpResult r;
    double worst = 0;
    for (int k = 0; k < cases; ++k) {
        const Lcp lcp = random_coulomb(rng, kind);
        solve_lemke(lcp, {}, {}, workspace, r);
        ASSERT_EQ(r.status, SolveStatus::kSolved)
            << what << ", case " << k << ", residual " << r.residual;
        ASSERT_GE(r.z.minCoeff(), 0.0);
        ASSERT_EQ(r.residual, residual(r.z, r.w));
        worst = std::max(worst, relative_residual(lcp, r.z));
        ASSERT_LE(worst, 1e-9) << what << ", case " << k;
    }
}

TEST(Lemke, SolvesEveryRandomCoulombProblem) {
    expect_all_solved("few contacts", {.bodies = 2, .contacts = 4}, 1000);
    expect_all_solved("single contact", {.bodies = 1, .contacts = 1}, 500);
    expect_all_solved("more contacts", {.bodies = 3, .contacts = 12}, 500);
    expect_all_solved("gaps", {.bodies = 3, .contacts = 12, .gaps = true}, 500);
    expect_all_solved("mass ratio", {.bodies = 3, .contacts = 9, .mass_ratio = 1e4}, 500);
    expect_all_solved("large", {.bodies = 10, .contacts = 60}, 5);
}

TEST(Lemke, SolvesEverySingularCoulombProblem) {
    expect_all_solved("copies", {.bodies = 1, .contacts = 12, .copies = 6}, 1000);
    expect_all_solved("a copy of each", {.bodies = 2, .contacts = 6, .copies = 5}, 1000);
    expect_all_solved("faces on the ground", {.bodies = 2, .contacts = 12, .flat = true}, 1000);
    expect_all_solved("both", {.bodies = 2, .contacts = 12, .copies = 6, .flat = true}, 1000);
    expect_all_solved("large", {.bodies = 4, .contacts = 40, .copies = 10}, 10);
    expect_all_solved("large, gaps", {.bodies = 4, .contacts = 40, .copies = 10, .gaps = true}, 10);
}

TEST(Lemke, ScaleOfMassesDoesNotMatter) {
    // With masses times s, impulses are times s: z_n, z_b scale, z_l does not, nor does the path.
    Rng rng(3);
    const int nc = 5;
    for (int k = 0; k < 200; ++k) {
        const Lcp lcp = random_coulomb(rng, {.bodies = 2, .contacts = nc});
        const LcpResult r = solve(lcp);
        for (const double s : {0x1p-20, 0x1p20}) {
            Lcp scaled = lcp;
            scaled.A.topLeftCorner(5 * nc, 5 * nc) /= s;
            const LcpResult q = solve(scaled);
            ASSERT_EQ(q.status, SolveStatus::kSolved);
            EXPECT_EQ(q.pivots, r.pivots);
            EXPECT_LT((q.z.head(5 * nc) / s - r.z.head(5 * nc)).cwiseAbs().maxCoeff(),
                      1e-9 * (1 + r.z.cwiseAbs().maxCoeff()));
        }
    }
}

TEST(Lemke, SecondaryRayMeansNoSolution) {
    // w1 = -1 - z2, w2 = -1 + z1: w1 < 0 for every z >= 0. A is skew, hence copositive-plus.
    MatX A(2, 2);
    A << 0, -1, 1, 0;
    const LcpResult r = solve(make_lcp(A, Eigen::Vector2d(-1, -1)));
    EXPECT_EQ(r.status, SolveStatus::kNoSolution);
    EXPECT_TRUE(std::isfinite(r.residual));
    // w = -1 for every z.
    EXPECT_EQ(solve(make_lcp(MatX::Zero(1, 1), VecX::Constant(1, -1.0))).status,
              SolveStatus::kNoSolution);
    // Two contacts that squeeze one body: v >= 1 and -v >= 1.
    A << 1, -1, -1, 1;
    EXPECT_EQ(solve(make_lcp(A, Eigen::Vector2d(-1, -1))).status, SolveStatus::kNoSolution);
}

TEST(Lemke, EndsOnDegenerateCyclingExample) {
    // A P-matrix on which principal pivoting without a rule against it goes round in circles. All
    // of b is equal, so every first ratio ties. Solution z = (1, 1, 1) / 3.
    MatX A(3, 3);
    A << 1, 2, 0, 0, 1, 2, 2, 0, 1;
    const LcpResult r = solve(make_lcp(A, VecX::Constant(3, -1.0)));
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_LT((r.z - VecX::Constant(3, 1.0 / 3)).cwiseAbs().maxCoeff(), 1e-14);
}

// Beale's linear programme, on which the simplex method cycles with the plain rule:
//   min c'x, G x <= g, x >= 0   as the LCP  A = [0 G'; -G 0], b = (c, g).
TEST(Lemke, EndsOnBealesProgramme) {
    MatX G(3, 4);
    G << 0.25, -60, -1.0 / 25, 9, 0.5, -90, -1.0 / 50, 3, 0, 0, 1, 0;
    const Eigen::Vector4d c(-0.75, 150, -1.0 / 50, 6);
    const Eigen::Vector3d g(0, 0, 1);
    Lcp lcp{MatX::Zero(7, 7), VecX(7)};
    lcp.A.topRightCorner(4, 3) = G.transpose();
    lcp.A.bottomLeftCorner(3, 4) = -G;
    lcp.b << c, g;
    const LcpResult r = solve(lcp);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
    EXPECT_NEAR(c.dot(r.z.head(4)), -0.05, 1e-12);
}

TEST(Lemke, PivotLimitIsReported) {
    Rng rng(5);
    const Lcp lcp = random_coulomb(rng, {.bodies = 2, .contacts = 6});
    LemkeSettings settings;
    settings.stop.max_iterations = 1;
    const LcpResult r = solve(lcp, {}, settings);
    EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
    EXPECT_EQ(r.pivots, 1);
    // The answer is the best seen, never worse than z = 0.
    EXPECT_LE(r.residual, residual(lcp, VecX::Zero(lcp.b.size())));
}

TEST(Lemke, NotFiniteInputIsReported) {
    Lcp lcp{MatX::Identity(3, 3), VecX::Constant(3, -1.0)};
    lcp.b[1] = std::nan("");
    EXPECT_EQ(solve(lcp).status, SolveStatus::kNotFinite);
    lcp.b[1] = 0;
    lcp.A(2, 0) = std::numeric_limits<double>::infinity();
    EXPECT_EQ(solve(lcp).status, SolveStatus::kNotFinite);
}

TEST(Lemke, RightGuessNeedsNoPivot) {
    Rng rng(7);
    for (int k = 0; k < 500; ++k) {
        const int n = test::whole(rng, 2, 20);
        const Lcp lcp{test::random_spd(rng, n), test::random_vector(rng, n)};
        const LcpResult cold = solve(lcp);
        const LcpResult warm = solve(lcp, cold.basic);
        ASSERT_EQ(warm.status, SolveStatus::kSolved);
        EXPECT_EQ(warm.pivots, 0);
        EXPECT_LT((warm.z - cold.z).cwiseAbs().maxCoeff(), 1e-12 * (1 + cold.z.maxCoeff()));
        EXPECT_EQ(warm.basic, cold.basic);
    }
}

TEST(Lemke, WrongGuessStillGivesTheAnswer) {
    Rng rng(8);
    for (int k = 0; k < 1000; ++k) {
        const int n = test::whole(rng, 2, 12);
        const Lcp lcp{test::random_spd(rng, n), test::random_vector(rng, n)};
        LcpBasis guess(static_cast<size_t>(n));
        for (char& c : guess) c = static_cast<char>(test::whole(rng, 0, 1));
        const LcpResult cold = solve(lcp), warm = solve(lcp, guess);
        ASSERT_EQ(warm.status, SolveStatus::kSolved);
        EXPECT_LT((warm.z - cold.z).cwiseAbs().maxCoeff(), 1e-9 * (1 + cold.z.maxCoeff()));
    }
    // Also where A_BB is singular for the guess, and with a guess of another size.
    const Lcp lcp{MatX::Ones(3, 3), VecX::Constant(3, -1.0)};
    EXPECT_EQ(solve(lcp, {1, 1, 1}).status, SolveStatus::kSolved);
    EXPECT_EQ(solve(lcp, {1, 1}).status, SolveStatus::kSolved);
}

TEST(Lemke, GuessOfTheLastStepHelpsInSequence) {
    // Velocities change a little from problem to problem, as from step to step.
    Rng rng(9);
    LemkeWorkspace workspace;
    LcpResult cold, warm;
    int cold_pivots = 0, warm_pivots = 0;
    for (int k = 0; k < 50; ++k) {
        Lcp lcp = random_coulomb(rng, {.bodies = 3, .contacts = 10, .copies = 3, .gaps = true});
        const VecX change = 1e-3 * lcp.A.leftCols(50) * test::random_vector(rng, 50);
        for (int step = 0; step < 5; ++step) {
            solve_lemke(lcp, {}, {}, workspace, cold);
            solve_lemke(lcp, {}, step == 0 ? LcpBasis{} : warm.basic, workspace, warm);
            ASSERT_EQ(warm.status, SolveStatus::kSolved);
            if (step > 0) {
                cold_pivots += cold.pivots;
                warm_pivots += warm.pivots;
            }
            lcp.b.head(50) += change.head(50);
        }
    }
    EXPECT_LT(warm_pivots, cold_pivots / 4);
}

TEST(Lemke, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(10);
    const Coulomb kind{.bodies = 3, .contacts = 12, .copies = 3};
    const Lcp first = random_coulomb(rng, kind), second = random_coulomb(rng, kind);
    LemkeWorkspace workspace;
    LcpResult r;
    const long before = allocation_count();
    solve_lemke(first, {}, {}, workspace, r);
    const long between = allocation_count();
    EXPECT_GT(between, before);  // the counter counts
    solve_lemke(second, {}, {}, workspace, r);
    solve_lemke(second, {}, r.basic, workspace, r);
    solve_lemke(first, {}, r.basic, workspace, r);
    EXPECT_EQ(allocation_count(), between);
}

TEST(Lemke, SameProblemGivesSameBits) {
    Rng rng(12);
    const Lcp lcp = random_coulomb(rng, {.bodies = 3, .contacts = 12, .copies = 4});
    const LcpResult a = solve(lcp), b = solve(lcp);
    EXPECT_EQ(a.z, b.z);
    EXPECT_EQ(a.pivots, b.pivots);
}

}  // namespace
}  // namespace stiction::lemke_test
