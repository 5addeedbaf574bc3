// one_contact_test.cpp - the exact solution of one contact against its law, and in closed form.
#include "solve/cone/one_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solve/cone/cone_problem.h"
#include "solve/lcp/random_problems.h"

namespace stiction::one_contact_test {
namespace {

// Distance of r from the law, in velocity units and relative to q.
double law_error(const Mat3& W, const Vec3& q, double mu, const Vec3& r) {
    Vec3 uhat = W * r + q;
    uhat[0] += mu * std::hypot(uhat[1], uhat[2]);
    const Vec3 x = W.trace() / 3 * r;
    return (x - project_on_cone(mu, x - uhat)).norm() / q.norm();
}

TEST(OneContact, SeparatingContactGetsNoImpulse) {
    double lambda = 3;
    EXPECT_EQ(solve_one_contact(Mat3::Identity(), {1e-3, -5, 2}, 0.5, lambda), Vec3::Zero());
    EXPECT_EQ(lambda, 0);
}

TEST(OneContact, SticksInsideTheCone) {
    double lambda = 0;
    const Vec3 r = solve_one_contact(2 * Mat3::Identity(), {-4, 1, 0.5}, 0.5, lambda);
    EXPECT_LT((r - Vec3(2, -0.5, -0.25)).norm(), 1e-15);
    EXPECT_EQ(lambda, 0);
}

// W = identity: r_N = 1, friction 0.5 against (3, 4) / 5; what is left of u_T is 4.5 along it.
TEST(OneContact, SlidesAgainstTheVelocity) {
    double lambda = 0;
    const Vec3 r = solve_one_contact(Mat3::Identity(), {-1, 3, 4}, 0.5, lambda);
    EXPECT_LT((r - Vec3(1, -0.3, -0.4)).norm(), 1e-12);
    EXPECT_NEAR(lambda, 4.5 / 0.5, 1e-10);
}

TEST(OneContact, WithoutFrictionOnlyTheNormalActs) {
    double lambda = 0;
    Mat3 W;
    W << 2, 0.3, 0.1, 0.3, 1, 0, 0.1, 0, 1;
    const Vec3 r = solve_one_contact(W, {-4, 1, 1}, 0, lambda);
    EXPECT_EQ(r, Vec3(2, 0, 0));
}

// Random W = Y Y' of every shape, with an unsymmetric part, friction up to 3, and a guess that may
// be far off: the law holds to rounding.
TEST(OneContact, LawHoldsForRandomContacts) {
    test::Rng rng(7);
    int slid = 0;
    for (int i = 0; i < 20000; ++i) {
        const MatX Y = test::random_matrix(rng, 3, 5);
        Mat3 W = Y * Y.transpose() + 0.01 * Mat3::Identity();
        W *= std::pow(10.0, test::uniform(rng, -6, 6));
        W(0, 1) *= 1 + 1e-3 * test::uniform(rng, -1, 1);
        Vec3 q = test::random_vector(rng, 3);
        q[0] = -std::abs(q[0]);
        const double mu = test::uniform(rng, 0, 3);
        double lambda = i % 3 == 0 ? std::pow(10.0, test::uniform(rng, -8, 8)) : 0.0;
        const Vec3 r = solve_one_contact(W, q, mu, lambda);
        slid += lambda > 0;
        ASSERT_LT(law_error(W, q, mu, r), 1e-9) << "case " << i;
    }
    EXPECT_GT(slid, 2000);
}

// r = P(r - u) on the cone |r_T| <= mu r_N + s.
double relaxed_error(const Mat3& W, const Vec3& q, double mu, double s, const Vec3& r) {
    const double weight = W.trace() / 3;
    const Vec3 x = weight * r;
    return (x - project_on_offset_cone(mu, weight * s, x - (W * r + q))).norm() / q.norm();
}

// W = identity: the nearest point of the cone to -q. Friction 0.5 against (3, 4) / 5 lifts: r_N is
// (1 + 0.5 * 5) / 1.25.
TEST(RelaxedContact, IsTheNearestPointOfTheConeForSpheres) {
    const Vec3 r = solve_relaxed_contact(Mat3::Identity(), {-1, 3, 4}, 0.5, 0, Vec3::Zero());
    EXPECT_LT((r - Vec3(2.8, -0.84, -1.12)).norm(), 1e-12);
    const Vec3 W = {2, 7, 7};  // of two spheres: 1/m each, and 5/2 of it by turning
    const Vec3 of_spheres =
        solve_relaxed_contact(W.asDiagonal(), {-1, 3, 4}, 0.5, 0.1, Vec3(5, 1, 1));
    EXPECT_LT(relaxed_error(W.asDiagonal(), {-1, 3, 4}, 0.5, 0.1, of_spheres), 1e-15);
}

// Opens where u lies in the dual cone, and friction that needs no normal impulse acts even then.
TEST(RelaxedContact, Opens) {
    EXPECT_EQ(solve_relaxed_contact(Mat3::Identity(), {2.6, -3, 4}, 0.5, 0, Vec3::Zero()),
              Vec3::Zero());
    const Vec3 r = solve_relaxed_contact(Mat3::Identity(), {4, 3, 4}, 0.5, 0.2, Vec3::Zero());
    EXPECT_LT((r - Vec3(0, -0.12, -0.16)).norm(), 1e-12);
}

// Any W: every call comes nearer, and the answer is that of the law.
TEST(RelaxedContact, CallsConvergeForAnyMatrix) {
    test::Rng rng(11);
    int slid = 0;
    for (int i = 0; i < 3000; ++i) {
        const MatX Y = test::random_matrix(rng, 3, 5);
        Mat3 W = Y * Y.transpose() + 0.05 * Mat3::Identity();
        W *= std::pow(10.0, test::uniform(rng, -6, 6));
        const Vec3 q = test::random_vector(rng, 3);
        const double mu = i % 7 == 0 ? 0.0 : test::uniform(rng, 0, 2);
        const double s = i % 3 == 0 ? test::uniform(rng, 0, 1) / W.trace() : 0.0;
        Vec3 r = Vec3::Zero();
        double first = 0;
        for (int call = 0; call < 400; ++call) {
            r = solve_relaxed_contact(W, q, mu, s, r);
            if (call == 0) first = relaxed_error(W, q, mu, s, r);
        }
        slid += first > 1e-9;
        ASSERT_LT(relaxed_error(W, q, mu, s, r), 1e-9) << "case " << i;
    }
    EXPECT_GT(slid, 500);
}

// Not positive definite: no law can hold, but the answer is finite and presses.
TEST(OneContact, IndefiniteMatrixIsFinite) {
    test::Rng rng(8);
    for (int i = 0; i < 20000; ++i) {
        const MatX Y = test::random_matrix(rng, 3, 3);
        Mat3 W = Y * Y.transpose();
        W(0, 1) *= 1 + test::uniform(rng, -1, 1);
        W(1, 2) *= 1 + test::uniform(rng, -1, 1);
        double lambda = 0;
        const Vec3 q = test::random_vector(rng, 3);
        const Vec3 r = solve_one_contact(W, q, test::uniform(rng, 0, 3), lambda);
        ASSERT_TRUE(r.allFinite()) << "case " << i;
        ASSERT_GE(r[0], 0);
    }
}

// A tangential direction in which nothing can move: it slides or sticks without a division by zero.
TEST(OneContact, SingularTangentIsFinite) {
    double lambda = 0;
    Mat3 W = Mat3::Zero();
    W(0, 0) = 1;
    W(1, 1) = 1;
    const Vec3 r = solve_one_contact(W, {-1, 0.2, 0.3}, 0.5, lambda);
    EXPECT_TRUE(r.allFinite());
    EXPECT_LE(std::hypot(r[1], r[2]), 0.5 * r[0] * (1 + 1e-12));
}

}  // namespace
}  // namespace stiction::one_contact_test
