// prox_newton_test.cpp - the cone solver that `auto` takes: closed forms, hyperstatic piles, warm
// starts, what it must refuse.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "solve/cone/prox_newton_matrix.h"
#include "solve/cone/random_cones.h"

namespace stiction::prox_newton_test {
namespace {

ConeResult solve(const ConeProblem& problem, const VecX& guess = {}, int limit = 0) {
    MatrixProxNewtonWorkspace workspace;
    ConeResult result;
    solve_prox_newton(problem, {1e-8, limit}, guess, workspace, result);
    return result;
}

// Contacts of one rigid box of mass 1, side 1, on the ground at a grid of k x k points: 3 k^2
// unknowns, 6 motions. Velocity without contact impulses: v, no spin.
ConeProblem box_on_points(int k, const Vec3& v, double mu) {
    ImpliedConeProblem implied;
    const int nc = k * k;
    MatX G = MatX::Zero(3 * nc, 6);
    for (int a = 0; a < nc; ++a) {
        const Vec3 p(-0.5 + a % k / (k - 1.0), -0.5 + a / k / (k - 1.0), -0.5);
        const Vec3 frame[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
        for (int i = 0; i < 3; ++i) {
            G.block<1, 3>(3 * a + i, 0) = frame[i].transpose();
            G.block<1, 3>(3 * a + i, 3) = p.cross(frame[i]).transpose();
        }
    }
    VecX M(6);
    M << 1, 1, 1, 1.0 / 6, 1.0 / 6, 1.0 / 6;
    implied.M = MatX(M.asDiagonal()).sparseView();
    implied.G = G.sparseView();
    implied.f = VecX::Zero(6);
    implied.f.head<3>() = v;
    implied.w = VecX::Zero(3 * nc);
    implied.mu = VecX::Constant(nc, mu);
    ConeProblem problem;
    EXPECT_TRUE(condense(implied, problem));
    return problem;
}

// Falling at 1 m/s and sliding at 0.5 m/s with mu = 0.8: stops. The impulses add up to (1, -0.5, 0)
// however they are shared.
TEST(ProxNewton, BoxOnRedundantPointsStops) {
    for (const int k : {2, 3, 6, 10}) {
        const ConeProblem problem = box_on_points(k, {0.5, 0, -1}, 0.8);
        const ConeResult result = solve(problem);
        ASSERT_EQ(result.status, SolveStatus::kSolved) << k;
        EXPECT_LT(result.u.norm(), 1e-6);
        Vec3 sum = Vec3::Zero();
        for (int a = 0; a < k * k; ++a) sum += result.r.segment<3>(3 * a);
        EXPECT_LT((sum - Vec3(1, -0.5, 0)).norm(), 1e-6);
    }
}

// At 2 m/s with mu = 0.3 it slides on: friction takes 0.3 of 1 N s. (It does not tip: the friction
// acts 0.5 below the centre, the normal impulses move forward by 0.15 < 0.5.)
TEST(ProxNewton, BoxOnRedundantPointsSlides) {
    for (const int k : {2, 4, 8}) {
        const ConeProblem problem = box_on_points(k, {2, 0, -1}, 0.3);
        const ConeResult result = solve(problem);
        ASSERT_EQ(result.status, SolveStatus::kSolved) << k;
        for (int a = 0; a < k * k; ++a) {
            EXPECT_LT((result.u.segment<3>(3 * a) - Vec3(0, 1.7, 0)).norm(), 1e-6);
        }
    }
}

// The answer does not depend on the numbering, on the tangents or on the units (u is unique here).
TEST(ProxNewton, RescaledProblemHasTheRescaledAnswer) {
    const ConeProblem problem = box_on_points(3, {2, 1, -1}, 0.3);
    const ConeResult first = solve(problem);
    ConeProblem scaled = problem;
    for (Mat3& block : scaled.W.block) block *= 1e5;
    scaled.q *= 1e-3;
    const ConeResult second = solve(scaled);
    ASSERT_EQ(second.status, SolveStatus::kSolved);
    EXPECT_LT((second.u * 1e3 - first.u).norm(), 1e-6);
}

TEST(ProxNewton, AnswerAsGuessCostsNothing) {
    const ConeProblem problem = box_on_points(4, {2, 1, -1}, 0.3);
    const ConeResult first = solve(problem);
    const ConeResult again = solve(problem, first.r);
    EXPECT_EQ(again.iterations, 0);
    EXPECT_EQ(again.r, first.r);
}

TEST(ProxNewton, SecondCallWithTheSameWorkspaceGivesTheSameBits) {
    test::Rng rng(8);
    test::ConeKind kind;
    kind.contacts = 10;
    kind.velocities = 12;
    kind.mass_ratio = 1e6;
    const ConeProblem problem = test::random_cone(rng, kind);
    MatrixProxNewtonWorkspace workspace;
    ConeResult first;
    ConeResult second;
    solve_prox_newton(problem, {}, {}, workspace, first);
    solve_prox_newton(problem, {}, {}, workspace, second);
    ASSERT_EQ(first.status, SolveStatus::kSolved);
    EXPECT_EQ(first.r, second.r);
    EXPECT_EQ(first.iterations, second.iterations);
}

TEST(ProxNewton, LimitIsKeptAndTheBestIsReturned) {
    test::Rng rng(9);
    for (int i = 0; i < 300; ++i) {
        const ConeProblem problem = test::random_cone(rng, test::cone_kind(rng, i));
        const VecX guess = test::random_vector(rng, problem.q.size());
        for (const int limit : {1, 3, 14, 20}) {
            const ConeResult result = solve(problem, guess, limit);
            EXPECT_LE(result.iterations, limit + 1);  // a failed step and its convex one
            EXPECT_LE(result.residual, residual(problem, guess).worst());
            if (result.residual > 1e-8) {
                EXPECT_EQ(result.status, SolveStatus::kIterationLimit);
            }
        }
    }
}

// A guess that is worse than nothing does not spoil the answer.
TEST(ProxNewton, SurvivesBadGuesses) {
    test::Rng rng(10);
    for (int i = 0; i < 200; ++i) {
        const ConeProblem problem = test::random_cone(rng, test::cone_kind(rng, i));
        const VecX guess = 1e6 * test::random_vector(rng, problem.q.size());
        EXPECT_EQ(solve(problem, guess).status, SolveStatus::kSolved) << i;
    }
    const ConeProblem problem = box_on_points(2, {0.5, 0, -1}, 0.8);
    VecX guess = VecX::Zero(12);
    guess[3] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(solve(problem, guess).status, SolveStatus::kSolved);
}

TEST(ProxNewton, EmptyAndRefusedProblems) {
    ConeProblem empty;
    empty.W = make_block_matrix(0, {});
    EXPECT_EQ(solve(empty).status, SolveStatus::kSolved);
    ConeProblem problem = box_on_points(2, {0.5, 0, -1}, 0.8);
    problem.q[1] = std::numeric_limits<double>::quiet_NaN();
    const ConeResult refused = solve(problem);
    EXPECT_EQ(refused.status, SolveStatus::kNotFinite);
    EXPECT_EQ(refused.r, VecX::Zero(12));
}

// Some blocks hold rows between bounds: equalities, one-sided rows, motors. The law is checked row
// by row.
TEST(ProxNewton, ContactsAndBoundedRowsTogether) {
    test::Rng rng(11);
    const double infinity = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 1000; ++i) {
        test::ConeKind kind = test::cone_kind(rng, i);
        kind.gaps = false;  // an equality cannot wait for a gap to close
        ConeProblem problem = test::random_cone(rng, kind);
        const int nc = problem.contacts();
        problem.bounded.assign(static_cast<std::size_t>(nc), 0);
        problem.lo = problem.hi = VecX::Zero(3 * nc);
        for (int a = 0; a < nc; ++a) {
            if (test::uniform(rng, 0, 1) < 0.5) continue;
            problem.bounded[static_cast<std::size_t>(a)] = 1;
            problem.mu[a] = 0;
            for (int k = 3 * a; k < 3 * a + 3; ++k) {
                const int type = test::whole(rng, 0, 2);
                problem.lo[k] = type == 0 ? -infinity : type == 1 ? 0 : -0.1;
                problem.hi[k] = type == 2 ? 0.1 : infinity;
            }
        }
        const ConeResult result = solve(problem);
        ASSERT_EQ(result.status, SolveStatus::kSolved) << i;
        const double small = 1e-7 * problem.q.norm();
        for (int k = 0; k < 3 * nc; ++k) {
            if (!problem.is_bounded(k / 3)) continue;
            EXPECT_GE(result.r[k], problem.lo[k] - 1e-6);
            EXPECT_LE(result.r[k], problem.hi[k] + 1e-6);
            if (result.r[k] > problem.lo[k] + 1e-6) {
                EXPECT_LE(result.u[k], small);
            }
            if (result.r[k] < problem.hi[k] - 1e-6) {
                EXPECT_GE(result.u[k], -small);
            }
        }
    }
}

// Whatever is tried fails: the method doubles its patience each time, for as long as it may.
TEST(ProxNewton, MatrixThatIsNeverFactoredEndsAtTheLimit) {
    struct NeverFactored final : DelassusOperator {
        void multiply(const VecX& x, VecX& W_x) override { W_x = x; }
        bool factor(const std::vector<Mat3>&, const std::vector<Mat3>&, const std::vector<char>&,
                    bool) override {
            return false;
        }
        void solve(VecX&) override {}
    };
    NeverFactored W;
    ConeLaws laws;
    laws.mu = VecX::Constant(1, 0.5);
    const VecX q = Vec3(-1, 1, 0);
    ProxNewtonSettings settings;
    settings.stop = {1e-8, 1000};
    ProxNewtonWorkspace workspace;
    workspace.r = Vec3::Zero();
    workspace.u = q;
    ConeResult result;
    result.r = workspace.r;
    result.u = workspace.u;
    result.status = SolveStatus::kIterationLimit;
    result.residual = std::numeric_limits<double>::infinity();
    solve_prox_newton(laws, q, VecX::Ones(1), W, settings, workspace, result);
    EXPECT_EQ(result.status, SolveStatus::kIterationLimit);
    EXPECT_EQ(result.iterations, 1000);
    EXPECT_TRUE(result.r.allFinite());
}

// Contacts that nothing can move (W = 0) approach for ever: no solution, a status, finite numbers.
TEST(ProxNewton, ImmovableContactIsAStatus) {
    ConeProblem problem;
    problem.W = make_block_matrix(1, {});
    problem.q = Vec3(-1, 0, 0);
    problem.mu = VecX::Constant(1, 0.5);
    const ConeResult result = solve(problem, {}, 50);
    EXPECT_NE(result.status, SolveStatus::kSolved);
    EXPECT_TRUE(result.r.allFinite());
}

}  // namespace
}  // namespace stiction::prox_newton_test
