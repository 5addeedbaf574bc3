// friction_law_test.cpp - the friction polygon against its definition and its LCP, and the laws of
// a block as the yardstick uses them.
#include "solve/cone/friction_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solve/cone/one_contact.h"
#include "solve/lcp/random_problems.h"

namespace stiction::friction_law_test {
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

// Derivatives against differences, away from kinks: where those over two step sizes agree.
template <typename Law>
int count_derivatives(const Law& law, Rng& rng) {
    int compared = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3 z = 2 * random_vector(rng, 3);
        const auto difference = [&](const auto& f, double h) {
            Mat3 D;
            for (int k = 0; k < 3; ++k)
                D.col(k) = (f(z + h * Vec3::Unit(k)) - f(z - h * Vec3::Unit(k))) / (2 * h);
            return D;
        };
        const auto expect = [&](const auto& f, const auto& derivative) {
            const Mat3 coarse = difference(f, 1e-4), fine = difference(f, 1e-5);
            if ((coarse - fine).norm() > 1e-6) return;
            Mat3 P;
            const bool any = derivative(z, P);
            EXPECT_LT((P - fine).norm(), 1e-7);
            EXPECT_EQ(any, !P.isZero(0));
            ++compared;
        };
        expect([&](const Vec3& x) { return law.project(1, x); },
               [&](const Vec3& x, Mat3& P) { return law.derivative(x, P); });
        expect([&](const Vec3& x) { return law.answer(x); },
               [&](const Vec3& x, Mat3& P) { return law.answer_derivative(x, P); });
    }
    return compared;
}

TEST(FrictionLaw, DerivativesAreThoseOfDifferences) {
    Rng rng(6);
    FrictionDirections directions;
    for (const double mu : {0.0, 0.3, 1.2}) {
        EXPECT_GT(count_derivatives(ConeLaw{mu}, rng), 300);
        EXPECT_GT(count_derivatives(RelaxedLaw{mu}, rng), 300);
        for (const double s : {0.0, 0.4}) EXPECT_GT(count_derivatives(OffsetLaw{mu, s}, rng), 300);
        for (const int sides : {4, 6}) {
            set_directions(sides, directions);
            EXPECT_GT(count_derivatives(PolygonLaw{mu, directions}, rng), 300);
        }
    }
    EXPECT_GT(count_derivatives(BoundsLaw{Vec3(0, -1, -0.2), Vec3(9, 1, 0.3)}, rng), 300);
}

// r = answer(r - u / D) for any D exactly where the law holds.
TEST(FrictionLaw, TheAnswerOfALawIsItsFixedPoint) {
    Rng rng(7);
    FrictionDirections directions;
    set_directions(4, directions);
    for (int i = 0; i < 300; ++i) {
        const Mat3 W = random_spd(rng, 3);
        const Vec3 q = random_vector(rng, 3);
        const double mu = uniform(rng, 0, 1.5);
        double lambda = 0;
        const Vec3 cone = solve_one_contact(W, q, mu, lambda);
        const Vec3 polygon = solve_polygon_contact(W, q, mu, directions);
        for (const double D : {0.1, 1.0, 20.0}) {
            const auto error = [&](const auto& law, const Vec3& r) {
                return (r - law.answer(r - (W * r + q) / D)).norm();
            };
            EXPECT_LT(error(ConeLaw{mu}, cone), 1e-11 * (1 + cone.norm() + 1 / D));
            EXPECT_LT(error(PolygonLaw{mu, directions}, polygon),
                      1e-11 * (1 + polygon.norm() + 1 / D));
        }
    }
}

// The nearest point of the cone with an offset: inside, and x - p makes no acute angle with the way
// to any other point of it.
TEST(FrictionLaw, ProjectionOnAConeWithOffsetIsTheNearestPoint) {
    Rng rng(8);
    for (int i = 0; i < 500; ++i) {
        const double mu = uniform(rng, 0, 1.5), s = uniform(rng, 0, 0.5);
        const Vec3 x = 2 * random_vector(rng, 3);
        const Vec3 p = project_on_offset_cone(mu, s, x);
        EXPECT_GE(p[0], 0);
        EXPECT_LE(p.tail<2>().norm(), mu * p[0] + s + 1e-14);
        for (int k = 0; k < 20; ++k) {
            const double n = uniform(rng, 0, 3), angle = uniform(rng, 0, 2 * M_PI);
            const double t = (mu * n + s) * uniform(rng, 0, 1);
            const Vec3 y(n, t * std::cos(angle), t * std::sin(angle));
            EXPECT_LT((x - p).dot(y - p), 1e-13);
        }
    }
}

}  // namespace
}  // namespace stiction::friction_law_test
