// Projection on cones with an offset, and the residual of convex programs over them.
#include "solve/cone/cone_qp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solve/lcp/random_problems.h"

namespace stiction::cone_qp_test {
namespace {

using test::random_matrix;
using test::random_vector;
using test::Rng;
using test::uniform;
using test::whole;

Vec3 random_member(Rng& rng, double mu, double s) {
    const double normal = uniform(rng, 0, 3);
    const double reach = (mu * normal + s) * uniform(rng, 0, 1);
    const double angle = uniform(rng, 0, 7);
    return {normal, reach * std::cos(angle), reach * std::sin(angle)};
}

// The projection p of x lies in the set, and (x - p).(k - p) <= 0 for every k of the set: that
// defines it.
TEST(ConeQp, ProjectionIsTheNearestPoint) {
    Rng rng(1);
    for (int i = 0; i < 5000; ++i) {
        const double mu = whole(rng, 0, 4) == 0 ? 0.0 : uniform(rng, 0, 2);
        const double s = whole(rng, 0, 2) == 0 ? 0.0 : uniform(rng, 0, 1);
        Vec3 x = 3 * random_vector(rng, 3);
        if (whole(rng, 0, 4) == 0) x.tail<2>().setZero();
        const Vec3 p = project_on_cone(mu, s, x);
        EXPECT_GE(p[0], 0);
        EXPECT_LE(p.tail<2>().norm(), mu * p[0] + s + 1e-14);
        for (int k = 0; k < 5; ++k) {
            EXPECT_LE((x - p).dot(random_member(rng, mu, s) - p), 1e-13) << i;
        }
    }
}

// One contact, H = w I, pushed against the ground and sideways: x = -c / w while that is in the
// cone. A row x_N <= k below it takes the multiplier y = -c_N - w k.
TEST(ConeQp, ResidualVanishesAtClosedFormSolutionsOnly) {
    const double w = 4;
    ConeQp qp;
    qp.H = make_block_matrix(w * Mat3::Identity());
    qp.c = Vec3(-2, 0.3, 0);
    qp.mu = VecX::Constant(1, 0.5);
    EXPECT_LT(residual(qp, -qp.c / w, VecX()), 1e-15);
    EXPECT_GT(residual(qp, -1.01 * qp.c / w, VecX()), 1e-3);

    const double k = 0.4;
    MatX row = MatX::Zero(1, 3);
    row(0, 0) = -1;
    qp.C = row.sparseView();
    qp.d = VecX::Constant(1, -k);
    const VecX x = Vec3(k, -0.3 / w, 0);
    EXPECT_LT(residual(qp, x, VecX::Constant(1, 2 - w * k)), 1e-15);
    EXPECT_GT(residual(qp, x, VecX::Zero(1)), 1e-2);
    EXPECT_GT(residual(qp, -qp.c / w, VecX::Zero(1)), 1e-2);
}

// Changing the units of impulse and velocity, and those of each row, leaves the number as it is.
TEST(ConeQp, ResidualHasNoUnit) {
    Rng rng(2);
    for (int i = 0; i < 200; ++i) {
        const int nc = whole(rng, 1, 4), m = whole(rng, 0, 3);
        const MatX X = random_matrix(rng, 3 * nc, 3 * nc);
        const MatX C = random_matrix(rng, m, 3 * nc);
        ConeQp qp;
        qp.H = make_block_matrix(X * X.transpose());
        qp.c = random_vector(rng, 3 * nc);
        qp.mu = random_vector(rng, nc).cwiseAbs();
        qp.s = random_vector(rng, nc).cwiseAbs();
        qp.C = C.sparseView();
        qp.d = random_vector(rng, m);
        const VecX x = random_vector(rng, 3 * nc), y = random_vector(rng, m);
        const double before = residual(qp, x, y);
        const double impulse = std::pow(10, uniform(rng, -6, 6));
        const double speed = std::pow(10, uniform(rng, -6, 6));
        const double row = std::pow(10, uniform(rng, -3, 3));
        qp.H = make_block_matrix(X * X.transpose() * speed / impulse);
        qp.c *= speed;
        qp.s *= impulse;
        qp.C = (C * row / impulse).sparseView();
        qp.d *= row;
        EXPECT_NEAR(residual(qp, x * impulse, y * speed * impulse / row), before, 1e-9 * before);
    }
}

TEST(ConeQp, RefusesWhatIsNotAProblem) {
    ConeQp qp;
    qp.H = make_block_matrix(Mat3::Identity());
    qp.c = VecX::Zero(3);
    qp.mu = VecX::Zero(1);
    EXPECT_TRUE(is_valid(qp));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    ConeQp bad = qp;
    bad.c[1] = nan;
    EXPECT_FALSE(is_valid(bad));
    bad = qp;
    bad.H.block[0](2, 1) = nan;
    EXPECT_FALSE(is_valid(bad));
    bad = qp;
    bad.mu[0] = -0.1;
    EXPECT_FALSE(is_valid(bad));
    bad = qp;
    bad.s = VecX::Constant(1, -1.0);
    EXPECT_FALSE(is_valid(bad));
    bad = qp;
    bad.d = VecX::Zero(1);
    EXPECT_FALSE(is_valid(bad));
    EXPECT_TRUE(std::isnan(residual(qp, VecX::Constant(3, nan), VecX())));
}

}  // namespace
}  // namespace stiction::cone_qp_test
