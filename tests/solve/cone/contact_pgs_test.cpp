// contact_pgs_test.cpp - Gauss-Seidel by contacts: the friction laws of one contact against their
// definitions, both forms of W, and what is promised about starts, stops and memory.
#include "solve/cone/contact_pgs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "allocation_count.h"
#include "solve/cone/random_cones.h"
#include "solve/lcp/lcp.h"

namespace stiction {
namespace {

using namespace test;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ConeProblem one(const Mat3& W, const Vec3& q, double mu) {
    ConeProblem problem;
    problem.W = make_block_matrix(MatX(W));
    problem.q = q;
    problem.mu = VecX::Constant(1, mu);
    return problem;
}

ConeResult solve(const ConeProblem& problem, const ContactPgsSettings& settings = {},
                 const VecX& bound = {}, const VecX& guess = {}) {
    ContactPgsWorkspace workspace;
    ConeResult result;
    solve_contact_pgs(problem, settings, bound, guess, workspace, result);
    return result;
}

ContactPgsSettings with_law(FrictionLaw law, int sides = 4) {
    ContactPgsSettings settings;
    settings.law = law;
    settings.sides = sides;
    settings.check_every = 1;
    return settings;
}

TEST(FrictionLaws, ProjectionOnThePolygonIsTheNearestOfManyPoints) {
    Rng rng(1);
    FrictionDirections directions;
    for (int i = 0; i < 300; ++i) {
        const int sides = 2 * whole(rng, 2, 5);
        set_directions(sides, directions);
        const double mu = uniform(rng, 0.05, 2);
        const Vec3 x = 2 * random_vector(rng, 3);
        const Vec3 p = project_on_polygon(mu, directions, x);
        // In the cone, and (y - p) . (x - p) <= 0 for y on each of its edges and at the apex.
        EXPECT_LT((project_on_polygon(mu, directions, p) - p).norm(), 1e-14);
        EXPECT_NEAR(p.dot(x - p), 0, 1e-14);
        for (const Eigen::Vector2d& d : directions) {
            EXPECT_LT(Vec3(1, mu * d[0], mu * d[1]).dot(x - p), 1e-13);
        }
    }
}

// The LCP of one contact: c_n, beta_i, lambda with their complements, from r and u alone.
void expect_polygon_lcp(const Vec3& r, const Vec3& u, double mu, int sides, double tolerance) {
    FrictionDirections directions;
    set_directions(sides, directions);
    double lambda = 0;
    for (const auto& d : directions) lambda = std::max(lambda, -d.dot(u.tail<2>()));
    EXPECT_GE(r[0], 0);
    EXPECT_GE(u[0], -tolerance);
    EXPECT_NEAR(std::min(r[0], u[0]), 0, tolerance);
    // r_T as a sum of its two neighbouring directions, whose sum is least among all ways.
    double sum = r.tail<2>().norm() < 1e-14 ? 0 : -1;
    for (std::size_t i = 0; i < directions.size() && sum < 0; ++i) {
        Eigen::Matrix2d pair;
        pair << directions[i], directions[(i + 1) % directions.size()];
        const Eigen::Vector2d beta = pair.inverse() * r.tail<2>();
        if (beta.minCoeff() < -1e-12) continue;
        sum = beta.sum();
        const Eigen::Vector2d slack =
            pair.transpose() * u.tail<2>() + Eigen::Vector2d(lambda, lambda);
        EXPECT_NEAR(std::min(beta[0], slack[0]), 0, tolerance);
        EXPECT_NEAR(std::min(beta[1], slack[1]), 0, tolerance);
    }
    ASSERT_GE(sum, 0);
    EXPECT_NEAR(std::min(lambda, mu * r[0] - sum), 0, tolerance);
}

TEST(FrictionLaws, OneContactUnderThePolygonSolvesItsLcp) {
    Rng rng(2);
    int sliding = 0;
    for (int i = 0; i < 3000; ++i) {
        const int sides = 2 * whole(rng, 2, 4);
        const Mat3 W = random_spd(rng, 3);
        const Vec3 q = random_vector(rng, 3);
        const double mu = uniform(rng, 0, 1.5);
        const ConeResult result = solve(one(W, q, mu), with_law(FrictionLaw::kPolygon, sides));
        ASSERT_EQ(result.status, SolveStatus::kSolved) << "case " << i;
        ASSERT_LE(result.iterations, 1);
        sliding += result.r[0] > 0 && result.u.tail<2>().norm() > 1e-6 ? 1 : 0;
        expect_polygon_lcp(result.r, result.u, mu, sides, 1e-12);
    }
    EXPECT_GT(sliding, 500);
}

TEST(FrictionLaws, OneContactInABoxSolvesItsBoxLcp) {
    Rng rng(3);
    for (int i = 0; i < 3000; ++i) {
        const Mat3 W = random_spd(rng, 3);
        const Vec3 q = random_vector(rng, 3);
        const double bound = i % 10 == 0 ? 0 : uniform(rng, 0, 1);
        const ConeResult result =
            solve(one(W, q, 0.5), with_law(FrictionLaw::kBox), VecX::Constant(1, bound));
        ASSERT_EQ(result.status, SolveStatus::kSolved) << "case " << i;
        ASSERT_LE(result.iterations, 1);
        const VecX& r = result.r;
        const VecX& u = result.u;
        EXPECT_NEAR(std::min(r[0], u[0]), 0, 1e-13);
        for (int k = 1; k < 3; ++k) {
            EXPECT_NEAR(r[k], std::clamp(r[k] - u[k], -bound, bound), 1e-13);
        }
    }
}

// A unit mass on a plane, q = (-1, 2, 0): sticking needs friction 2, the law allows mu.
TEST(ContactPgs, OneContactByHand) {
    const Mat3 W = Mat3::Identity();
    EXPECT_EQ(solve(one(W, Vec3(1, 2, 0), 0.5)).r.norm(), 0);
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 0.5)).r.isApprox(Vec3(1, -0.5, 0), 1e-13));
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 3)).r.isApprox(Vec3(1, -2, 0), 1e-13));
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 0)).r.isApprox(Vec3(1, 0, 0), 1e-13));
    const ConeResult box =
        solve(one(W, Vec3(-1, 2, -2), 0.5), with_law(FrictionLaw::kBox), VecX::Constant(1, 0.25));
    EXPECT_TRUE(box.r.isApprox(Vec3(1, -0.25, 0.25), 1e-13));
    // Along a direction the polygon is as strong as the cone; midway, cos(pi/4) of it.
    const auto square = with_law(FrictionLaw::kPolygon, 4);
    EXPECT_TRUE(solve(one(W, Vec3(-1, 2, 0), 0.5), square).r.isApprox(Vec3(1, -0.5, 0), 1e-13));
    const ConeResult corner = solve(one(W, Vec3(-1, 2, 2), 0.5), square);
    EXPECT_NEAR(corner.r.tail<2>().norm(), 0.5 * std::sqrt(0.5), 1e-13);
}

TEST(ContactPgs, ManySidesApproachTheCone) {
    Rng rng(4);
    for (int i = 0; i < 100; ++i) {
        const ConeProblem problem =
            random_cone(rng, {.contacts = 4, .velocities = 15, .mu_max = 0.4});
        const ConeResult cone = solve(problem);
        const ConeResult fine = solve(problem, with_law(FrictionLaw::kPolygon, 64));
        ASSERT_EQ(cone.status, SolveStatus::kSolved);
        ASSERT_EQ(fine.status, SolveStatus::kSolved);
        // The polygon lacks 1 - cos(pi/64) = 1.2e-3 of the cone; directions are off by pi/64.
        EXPECT_LT((cone.u - fine.u).norm(), 0.05 * problem.q.norm()) << "case " << i;
    }
}

TEST(ContactPgs, ImpliedAndGivenProblemsAgreeUnderEveryLaw) {
    Rng rng(5);
    for (int i = 0; i < 150; ++i) {
        ConeKind kind = cone_kind(rng, i);
        kind.mass_ratio = std::min(kind.mass_ratio, 10.0);
        kind.mu_max = 0.4;
        const ImpliedConeProblem implied = random_implied(rng, kind);
        ConeProblem given;
        ASSERT_TRUE(condense(implied, given));
        SparseContacts contacts;
        ASSERT_TRUE(prepare(implied, contacts));
        EXPECT_LT((contacts.q - given.q).norm(), 1e-12 * (1 + given.q.norm()));
        const VecX bound = VecX::Constant(kind.contacts, 0.1);
        for (const FrictionLaw law :
             {FrictionLaw::kCone, FrictionLaw::kPolygon, FrictionLaw::kBox}) {
            const ContactPgsSettings settings = with_law(law, 6);
            const ConeResult a = solve(given, settings, bound);
            ContactPgsWorkspace workspace;
            ConeResult b;
            solve_contact_pgs(contacts, settings, bound, VecX(), workspace, b);
            EXPECT_EQ(a.status, b.status) << "case " << i;
            if (a.status != SolveStatus::kSolved) continue;
            EXPECT_NEAR(a.iterations, b.iterations, settings.check_every);
            EXPECT_LT((a.u - b.u).norm(), 1e-6 * (1 + given.q.norm())) << "case " << i;
            const VecX momentum = implied.M * workspace.v - implied.G.transpose() * b.r - implied.f;
            EXPECT_LT(momentum.norm(), 1e-10 * (1 + implied.f.norm()));
        }
    }
}

TEST(ContactPgs, ResidualIsThatOfTheConeProblemAndSweepsMayAlternate) {
    Rng rng(6);
    for (int i = 0; i < 100; ++i) {
        const ConeProblem problem =
            random_cone(rng, {.contacts = 6, .velocities = 20, .mu_max = 0.5});
        ContactPgsSettings settings;
        settings.alternate = i % 2 == 1;
        const ConeResult result = solve(problem, settings);
        ASSERT_EQ(result.status, SolveStatus::kSolved);
        const ConeResidual expected = residual(problem, result.r);
        EXPECT_NEAR(result.residual.natural, expected.natural, 1e-14);
        EXPECT_NEAR(result.residual.scaled, expected.scaled, 1e-14);
    }
}

TEST(ContactPgs, FewSweepsAreNeverWorseThanTheStart) {
    Rng rng(7);
    for (int i = 0; i < 300; ++i) {
        const ConeProblem problem = random_cone(rng, cone_kind(rng, i));
        ContactPgsSettings settings;
        settings.stop.max_iterations = whole(rng, 1, 3);
        const VecX guess = 10 * random_vector(rng, problem.q.size());
        const ConeResult result = solve(problem, settings, {}, guess);
        EXPECT_LE(result.residual.worst(), residual(problem, guess).worst());
        EXPECT_LE(result.iterations, settings.stop.max_iterations);
        EXPECT_EQ(result.status, result.residual.worst() <= settings.stop.tolerance
                                     ? SolveStatus::kSolved
                                     : SolveStatus::kIterationLimit);
    }
}

TEST(ContactPgs, TheAnswerAsGuessNeedsNoSweepAndABadGuessCountsAsNone) {
    Rng rng(8);
    const ConeProblem problem = random_cone(rng, {.contacts = 5, .velocities = 18, .mu_max = 0.5});
    const ConeResult first = solve(problem);
    const ConeResult again = solve(problem, {}, {}, first.r);
    EXPECT_EQ(again.iterations, 0);
    EXPECT_EQ(again.r, first.r);
    VecX bad = first.r;
    bad[2] = kNan;
    EXPECT_EQ(solve(problem, {}, {}, bad).r, first.r);
    EXPECT_EQ(solve(problem, {}, {}, VecX::Ones(2)).r, first.r);
}

TEST(ContactPgs, RefusesWhatIsNotFiniteOrNotValid) {
    const Mat3 W = Mat3::Identity();
    for (const ConeProblem& problem :
         {one(W, Vec3(kNan, 0, 0), 0.5), one(kNan * W, Vec3(-1, 0, 0), 0.5),
          one(W, Vec3(-1, 0, 0), -0.5),
          one(W, Vec3(-std::numeric_limits<double>::infinity(), 0, 0), 0.5)}) {
        const ConeResult result = solve(problem);
        EXPECT_EQ(result.status, SolveStatus::kNotFinite);
        EXPECT_EQ(result.r, VecX::Zero(3));
    }
    const ConeProblem good = one(W, Vec3(-1, 0, 0), 0.5);
    const auto box = with_law(FrictionLaw::kBox);
    EXPECT_EQ(solve(good, box).status, SolveStatus::kNotFinite);
    EXPECT_EQ(solve(good, box, VecX::Constant(1, -1)).status, SolveStatus::kNotFinite);
    EXPECT_EQ(solve(good, box, VecX::Constant(1, 1)).status, SolveStatus::kSolved);

    Rng rng(9);
    ImpliedConeProblem implied = random_implied(rng, {.contacts = 2, .velocities = 6});
    SparseContacts contacts;
    EXPECT_TRUE(prepare(implied, contacts));
    ImpliedConeProblem singular = implied;
    singular.M = Eigen::SparseMatrix<double>(6, 6);
    EXPECT_FALSE(prepare(singular, contacts));
    implied.f[0] = kNan;
    EXPECT_FALSE(prepare(implied, contacts));
}

// Nothing can push: the contact stays violated, and the sweeps end at once because they change
// nothing.
TEST(ContactPgs, AContactWithoutMotionEndsAtOnceAndSaysSo) {
    const ConeResult result = solve(one(Mat3::Zero(), Vec3(-1, 0, 0), 0.5));
    EXPECT_EQ(result.status, SolveStatus::kIterationLimit);
    EXPECT_EQ(result.iterations, 1);
    EXPECT_EQ(result.r.norm(), 0);
}

TEST(ContactPgs, NoContactsAreSolved) {
    ConeProblem problem;
    problem.W = make_block_matrix(0, {});
    const ConeResult result = solve(problem);
    EXPECT_EQ(result.status, SolveStatus::kSolved);
    EXPECT_EQ(result.iterations, 0);
}

TEST(ContactPgs, SecondCallGivesTheSameBitsWithoutAllocating) {
    Rng rng(10);
    const ImpliedConeProblem implied =
        random_implied(rng, {.contacts = 8, .velocities = 30, .mu_max = 0.5});
    ConeProblem problem;
    ASSERT_TRUE(condense(implied, problem));
    SparseContacts contacts;
    ASSERT_TRUE(prepare(implied, contacts));
    const VecX bound = VecX::Constant(8, 0.1), none;
    for (const FrictionLaw law : {FrictionLaw::kCone, FrictionLaw::kPolygon, FrictionLaw::kBox}) {
        const ContactPgsSettings settings = with_law(law);
        ContactPgsWorkspace workspace;
        ConeResult result;
        solve_contact_pgs(problem, settings, bound, none, workspace, result);
        const VecX r = result.r;
        long before = allocation_count();
        solve_contact_pgs(problem, settings, bound, none, workspace, result);
        EXPECT_EQ(allocation_count(), before);
        EXPECT_EQ(result.r, r);
        solve_contact_pgs(contacts, settings, bound, none, workspace, result);
        before = allocation_count();
        solve_contact_pgs(contacts, settings, bound, none, workspace, result);
        EXPECT_EQ(allocation_count(), before);
    }
}

}  // namespace
}  // namespace stiction
