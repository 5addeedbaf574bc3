// friction_law_test.cpp - the friction polygon against its definition and its LCP, and the laws of
// a block as the yardstick uses them.
#include "solve/cone/friction_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solve/cone/one_contact.h"
#include "solve/lcp/random_problems.h"

namespace stiction {
namespace {

using namespace test;

TEST(FrictionLaw, ProjectionOnThePolygonIsTheNearestOfManyPoints) {
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

TEST(FrictionLaw, OneContactUnderThePolygonSolvesItsLcp) {
    Rng rng(2);
    FrictionDirections directions;
    int sliding = 0;
    for (int i = 0; i < 3000; ++i) {
        const int sides = 2 * whole(rng, 2, 4);
        const Mat3 W = random_spd(rng, 3);
        const Vec3 q = random_vector(rng, 3);
        const double mu = uniform(rng, 0, 1.5);
        set_directions(sides, directions);
        const Vec3 r = solve_polygon_contact(W, q, mu, directions);
        const Vec3 u = W * r + q;
        sliding += r[0] > 0 && u.tail<2>().norm() > 1e-6 ? 1 : 0;
        expect_polygon_lcp(r, u, mu, sides, 1e-12);
    }
    EXPECT_GT(sliding, 500);
}

// A unit mass on a plane. Along a direction the polygon is as strong as the cone; midway, cos(pi/4)
// of it.
TEST(FrictionLaw, OneContactUnderThePolygonByHand) {
    FrictionDirections square;
    set_directions(4, square);
    const Mat3 W = Mat3::Identity();
    const Vec3 along = solve_polygon_contact(W, Vec3(-1, 2, 0), 0.5, square);
    EXPECT_TRUE(along.isApprox(Vec3(1, -0.5, 0), 1e-13));
    const Vec3 midway = solve_polygon_contact(W, Vec3(-1, 2, 2), 0.5, square);
    EXPECT_NEAR(midway.tail<2>().norm(), 0.5 * std::sqrt(0.5), 1e-13);
}

TEST(FrictionLaw, ManySidesApproachTheCone) {
    Rng rng(4);
    FrictionDirections directions;
    set_directions(64, directions);
    for (int i = 0; i < 300; ++i) {
        const Mat3 W = random_spd(rng, 3);
        const Vec3 q = random_vector(rng, 3);
        const double mu = uniform(rng, 0, 0.4);
        double lambda = 0;
        const Vec3 cone = solve_one_contact(W, q, mu, lambda);
        const Vec3 fine = solve_polygon_contact(W, q, mu, directions);
        // The polygon lacks 1 - cos(pi/64) = 1.2e-3 of the cone; directions are off by pi/64.
        EXPECT_LT((W * (cone - fine)).norm(), 0.05 * q.norm()) << "case " << i;
    }
}

// r = P(r - d(u)) at a solution, whatever the weight; K scaled by it is what project() takes.
template <typename Law>
void expect_solves(const Law& law, const Vec3& r, const Vec3& u) {
    for (const double weight : {0.1, 1.0, 30.0}) {
        const Vec3 x = weight * r;
        EXPECT_LT((x - law.project(weight, x - law.dual(u))).norm(), 1e-12 * (1 + x.norm()));
    }
}

TEST(FrictionLaw, SolutionsOfOneBlockSatisfyItsLaw) {
    Rng rng(5);
    FrictionDirections directions;
    set_directions(6, directions);
    for (int i = 0; i < 500; ++i) {
        const Mat3 W = random_spd(rng, 3);
        const Vec3 q = random_vector(rng, 3);
        const double mu = uniform(rng, 0, 1.5);
        double lambda = 0;
        const Vec3 cone = solve_one_contact(W, q, mu, lambda);
        expect_solves(ConeLaw{mu}, cone, W * cone + q);
        const Vec3 polygon = solve_polygon_contact(W, q, mu, directions);
        expect_solves(PolygonLaw{mu, directions}, polygon, W * polygon + q);
        // A diagonal matrix: each row by itself.
        const Vec3 w = W.diagonal(), lo = Vec3::Constant(-0.1), hi = Vec3::Constant(0.2);
        const Vec3 bounded = (-q.cwiseQuotient(w)).cwiseMax(lo).cwiseMin(hi);
        expect_solves(BoundsLaw{lo, hi}, bounded, w.cwiseProduct(bounded) + q);
        // The relaxation of what sticks is the law itself.
        if (cone[0] > 0 && lambda == 0) expect_solves(RelaxedLaw{mu}, cone, W * cone + q);
    }
}

}  // namespace
}  // namespace stiction
