// newton_test.cpp - Newton on the Alart-Curnier function: closed forms, few steps, both
// factorisations, redundant contacts, and what is promised about starts, stops and memory.
#include "solve/cone/newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "allocation_count.h"
#include "solve/cone/random_cones.h"
#include "solve/lcp/lemke.h"

namespace stiction::newton_test {
namespace {

using namespace test;

ConeResult solve(const ConeProblem& problem, double tolerance = 1e-8, const VecX& guess = {}) {
    NewtonWorkspace workspace;
    ConeResult result;
    SolveSettings settings;
    settings.tolerance = tolerance;
    solve_newton(problem, settings, guess, workspace, result);
    return result;
}

ConeProblem one(const Vec3& q, double mu) {
    ConeProblem problem;
    problem.W = make_block_matrix(MatX(Mat3::Identity()));
    problem.q = q;
    problem.mu = VecX::Constant(1, mu);
    return problem;
}

TEST(Newton, OneContactByHand) {
    EXPECT_EQ(solve(one(Vec3(1, 2, 0), 0.5)).r.norm(), 0);
    EXPECT_TRUE(solve(one(Vec3(-1, 2, 0), 0.5)).r.isApprox(Vec3(1, -0.5, 0), 1e-8));
    EXPECT_TRUE(solve(one(Vec3(-1, 2, 0), 3)).r.isApprox(Vec3(1, -2, 0), 1e-8));
    EXPECT_TRUE(solve(one(Vec3(-1, 2, 0), 0)).r.isApprox(Vec3(1, 0, 0), 1e-8));
}

// Corners of a square plate on the ground, more impulses than motions: 12 against 6. Plate of mass
// 1 and inertia 1/6 (in plane), 1/3; pushed sideways at speed s while it falls at 1.
ConeProblem plate(double s, double mu) {
    ImpliedConeProblem implied;
    MatX G = MatX::Zero(12, 6);
    for (int a = 0; a < 4; ++a) {
        const Vec3 p(a % 2 ? 0.5 : -0.5, a / 2 ? 0.5 : -0.5, -0.05);
        const Vec3 frame[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
        for (int i = 0; i < 3; ++i) {
            G.block<1, 3>(3 * a + i, 0) = frame[i].transpose();
            G.block<1, 3>(3 * a + i, 3) = p.cross(frame[i]).transpose();
        }
    }
    VecX mass(6), v(6);
    mass << 1, 1, 1, 1.0 / 12, 1.0 / 12, 1.0 / 6;
    v << s, 0, -1, 0, 0, 0;
    implied.M = MatX(mass.asDiagonal()).sparseView();
    implied.G = G.sparseView();
    implied.f = mass.cwiseProduct(v);
    implied.w = VecX::Zero(12);
    implied.mu = VecX::Constant(4, mu);
    ConeProblem problem;
    EXPECT_TRUE(condense(implied, problem));
    return problem;
}

TEST(Newton, RedundantContactsStickAndSlideByMomentum) {
    for (const double s : {0.0, 0.2, 0.4}) {  // sticks while s <= mu
        const ConeResult result = solve(plate(s, 0.5));
        ASSERT_EQ(result.status, SolveStatus::kSolved) << "s = " << s;
        EXPECT_LT(result.u.norm(), 1e-7);
        double normal = 0;
        for (int a = 0; a < 4; ++a) normal += result.r[3 * a];
        EXPECT_NEAR(normal, 1, 1e-7);
    }
    const ConeResult sliding = solve(plate(2, 0.5));
    ASSERT_EQ(sliding.status, SolveStatus::kSolved);
    for (int a = 0; a < 4; ++a) EXPECT_NEAR(sliding.u[3 * a + 1], 2 - 0.5, 1e-7);
}

TEST(Newton, ConvergesInFewStepsWhereTheSolutionIsRegular) {
    Rng rng(1);
    int most = 0, total = 0;
    for (int i = 0; i < 300; ++i) {
        const ConeProblem problem =
            random_cone(rng, {.contacts = whole(rng, 1, 10), .velocities = 36, .mu_max = 0.8});
        const ConeResult result = solve(problem, 1e-10);
        ASSERT_EQ(result.status, SolveStatus::kSolved) << "case " << i;
        most = std::max(most, result.iterations);
        total += result.iterations;
    }
    EXPECT_LE(most, 25);
    EXPECT_LE(total, 300 * 6);
}

// Without friction the problem is an LCP in the normal impulses.
TEST(Newton, FrictionlessProblemsAgreeWithLemke) {
    Rng rng(2);
    for (int i = 0; i < 200; ++i) {
        const int nc = whole(rng, 1, 8);
        const ConeProblem problem =
            random_cone(rng, {.contacts = nc, .velocities = 3 * nc + 3, .mu_max = 0});
        const ConeResult result = solve(problem, 1e-11);
        ASSERT_EQ(result.status, SolveStatus::kSolved);
        const MatX W = to_dense(problem.W);
        Lcp lcp;
        lcp.A.resize(nc, nc);
        lcp.b.resize(nc);
        for (int a = 0; a < nc; ++a) {
            lcp.b[a] = problem.q[3 * a];
            for (int b = 0; b < nc; ++b) lcp.A(a, b) = W(3 * a, 3 * b);
        }
        LemkeWorkspace workspace;
        LcpResult expected;
        solve_lemke(lcp, {}, {}, workspace, expected);
        ASSERT_EQ(expected.status, SolveStatus::kSolved);
        for (int a = 0; a < nc; ++a) {
            EXPECT_NEAR(result.r[3 * a], expected.z[a], 1e-7 * (1 + expected.z.norm()));
            EXPECT_EQ(result.r[3 * a + 1], 0);
        }
    }
}

// A chain of bodies, each touching the next: sparse W, factored by blocks.
ConeProblem chain(Rng& rng, int contacts) {
    const int nv = 3 * (contacts + 1);
    MatX G = MatX::Zero(3 * contacts, nv);
    for (int a = 0; a < contacts; ++a) G.block(3 * a, 3 * a, 3, 6) = random_matrix(rng, 3, 6);
    const VecX v = random_vector(rng, nv);
    ConeProblem problem;
    problem.W = make_block_matrix(MatX(G * G.transpose()));
    problem.q = G * v;
    problem.mu = VecX::Constant(contacts, 0.4);
    return problem;
}

TEST(Newton, SparseFactorsServeManyContacts) {
    Rng rng(3);
    NewtonWorkspace workspace;
    ConeSweepsWorkspace sweeps;
    for (int i = 0; i < 20; ++i) {
        const int nc = kDenseContacts + whole(rng, 1, 60);
        const ConeProblem problem = chain(rng, nc);
        ASSERT_EQ(problem.W.blocks(), 3 * nc - 2);
        ConeResult result, expected;
        solve_newton(problem, SolveSettings{}, VecX(), workspace, result);
        ASSERT_EQ(result.status, SolveStatus::kSolved) << "case " << i;
        EXPECT_LE(result.factorisations, 40);
        SolveSettings fine;
        fine.tolerance = 1e-10;
        solve_cone_sweeps(problem, {fine}, VecX(), sweeps, expected);
        ASSERT_EQ(expected.status, SolveStatus::kSolved) << "case " << i;
        EXPECT_LT((result.u - expected.u).norm(), 1e-5 * problem.q.norm()) << "case " << i;
    }
}

TEST(Newton, TheAnswerAsGuessNeedsNoStep) {
    Rng rng(4);
    const ConeProblem problem = random_cone(rng, {.contacts = 5, .velocities = 18, .mu_max = 0.5});
    const ConeResult first = solve(problem);
    const ConeResult again = solve(problem, 1e-8, first.r);
    EXPECT_EQ(again.iterations, 0);
    EXPECT_EQ(again.r, first.r);
    EXPECT_EQ(solve(problem, 1e-8, VecX::Ones(4)).r, first.r);
    VecX bad = first.r;
    bad[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(solve(problem, 1e-8, bad).r, first.r);
}

TEST(Newton, SecondCallGivesTheSameBitsWithoutAllocating) {
    Rng rng(5);
    for (const int nc : {6, 40}) {
        const ConeProblem problem = chain(rng, nc);
        NewtonWorkspace workspace;
        ConeResult result;
        const VecX none;
        solve_newton(problem, SolveSettings{}, none, workspace, result);
        const VecX r = result.r;
        const long before = allocation_count();
        solve_newton(problem, SolveSettings{}, none, workspace, result);
        EXPECT_EQ(allocation_count(), before) << nc << " contacts";
        EXPECT_EQ(result.r, r);
    }
}

}  // namespace
}  // namespace stiction::newton_test
