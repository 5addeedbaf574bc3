// The laws of friction as the checks have them, against answers known beforehand.
#include "random/friction_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"

namespace stiction {
namespace {

constexpr double kExact = 1e-15;  // rounding of a few sums of numbers around 1

ContactAnswer contact_with(const Vec3& c, const Vec3& u, double mu) {
    ContactAnswer answer;
    answer.c = c;
    answer.u = u;
    answer.mu = mu;
    answer.weight = 2;
    answer.touching = true;
    return answer;
}

Vec3 random_vector(Random& random) {
    return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

// A random point of the cone over the polygon: a convex combination of its rays, scaled.
Vec3 point_of_cone(double mu, int sides, Random& random) {
    const int k = static_cast<int>(random.unit() * sides);
    const double share = random.unit();
    Vec3 point(1, 0, 0);
    for (const auto& [corner, part] : {std::pair(k, share), std::pair(k + 1, 1 - share)}) {
        const double angle = 2 * std::numbers::pi * corner / sides;
        point.tail<2>() += part * mu * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    }
    point.tail<2>() *= random.unit();
    return 2 * random.unit() * point;
}

// How far y_T is beyond an edge of the polygon of size mu y_n.
double out_of_polygon(double mu, int sides, const Vec3& y) {
    double worst = -y[0];
    for (int k = 0; k < sides; ++k) {
        const double angle = (2 * k + 1) * std::numbers::pi / sides;
        const double across = std::cos(angle) * y[1] + std::sin(angle) * y[2];
        worst = std::max(worst, across - mu * std::cos(std::numbers::pi / sides) * y[0]);
    }
    return worst;
}

// p is the nearest point of a convex set exactly where (y - p).(k - p) <= 0 for all its points k.
TEST(FrictionChecks, ProjectionsAreTheNearestPoints) {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const double mu = i % 3 == 0 ? 0.0 : 3 * random.unit();
        const int sides = 4 + 2 * (i % 5);
        const Vec3 y = random_vector(random);
        const Vec3 p = nearest_in_cone(mu, y), q = nearest_in_polygon_cone(mu, sides, y);
        EXPECT_LE(p.tail<2>().norm(), mu * p[0] + kExact);
        EXPECT_LE(out_of_polygon(mu, sides, q), kExact);
        for (int k = 0; k < 20; ++k) {
            const Vec3 of_disc = point_of_cone(mu, 1000, random);
            const Vec3 of_polygon = point_of_cone(mu, sides, random);
            EXPECT_LE((y - p).dot(of_disc - p), 10 * kExact);
            EXPECT_LE((y - q).dot(of_polygon - q), 10 * kExact);
        }
    }
}

TEST(FrictionChecks, CoulombAnswersHaveNoError) {
    const double mu = 0.5;
    const Vec3 open(0.1, 0.3, -0.2);
    EXPECT_LT(cone_error(contact_with(Vec3::Zero(), open, mu)), kExact);
    EXPECT_LT(polygon_error(contact_with(Vec3::Zero(), open, mu), 4), kExact);
    EXPECT_LT(cone_error(contact_with({1, 0.3, 0.2}, Vec3::Zero(), mu)), kExact);  // sticks
    EXPECT_LT(polygon_error(contact_with({1, 0.3, 0.2}, Vec3::Zero(), mu), 4),
              kExact);                                                                // on its edge
    EXPECT_LT(cone_error(contact_with({1, -0.3, 0.4}, {0, 0.6, -0.8}, mu)), kExact);  // slides
    // The polygon slides along a corner's direction wherever that one is nearest.
    EXPECT_LT(polygon_error(contact_with({1, -0.5, 0}, {0, 0.6, -0.5}, mu), 4), kExact);
}

TEST(FrictionChecks, ErrorsAreThoseOfTheNaturalMap) {
    // x = 0, d = u = (-1, 0, 0): P(-d) = (1, 0, 0).
    EXPECT_DOUBLE_EQ(cone_error(contact_with(Vec3::Zero(), {-1, 0, 0}, 0.5)), 1);
    EXPECT_DOUBLE_EQ(polygon_error(contact_with(Vec3::Zero(), {-1, 0, 0}, 0.5), 4), 1);
    // x = (2, 0, 0), d = (0.5 * 0.1, 0.1, 0): x - d is inside the cone, so the error is |d|.
    const ContactAnswer creeps = contact_with({1, 0, 0}, {0, 0.1, 0}, 0.5);
    EXPECT_NEAR(cone_error(creeps), std::hypot(0.05, 0.1), kExact);
    EXPECT_NEAR(polygon_error(creeps, 4), std::hypot(0.05, 0.1), kExact);
    // Friction that pushes is as wrong as it can be: 2 mu times the normal impulse, or the speed.
    EXPECT_GT(cone_error(contact_with({1, 0.5, 0}, {0, 0.6, 0}, 0.5)), 0.5);
}

TEST(FrictionChecks, ModelsHaveTheirOwnLaws) {
    ContactAnswer viscous = contact_with({1, -0.3, 0}, {0, 0.1, 0}, 0);
    viscous.drag = 3;
    EXPECT_LT(friction_error(Viscous(), viscous), kExact);
    viscous.touching = false;
    EXPECT_NEAR(friction_error(Viscous(), viscous), 2 * 0.3, kExact);

    EXPECT_LT(friction_error(NoSlip(), contact_with({1, 9, 9}, Vec3::Zero(), 0)), kExact);
    EXPECT_NEAR(friction_error(NoSlip(), contact_with({1, 0, 0}, {0, 0.1, 0}, 0)), 0.1, kExact);
    EXPECT_NEAR(friction_error(NoSlip(), contact_with({0, 1, 0}, {0.1, 0, 9}, 0)), 0.1, kExact);
    EXPECT_LT(friction_error(NoSlip(), contact_with({0, 1, 0}, {0.1, 0, 0}, 0)), kExact);  // held
    ContactAnswer most = contact_with({1, -5, 0}, {0, 0.1, 0}, 0);
    EXPECT_NEAR(friction_error(NoSlip(), most), 0.1, kExact);
    most.most = 5;  // lets go along s, where it slips
    EXPECT_LT(friction_error(NoSlip(), most), kExact);
    most.u[2] = 0.2;  // along t it could do more
    EXPECT_NEAR(friction_error(NoSlip(), most), 0.2, kExact);
    most.at_most = true;  // another contact does
    EXPECT_LT(friction_error(NoSlip(), most), kExact);
    most.c[1] = 5;  // pushes along
    EXPECT_NEAR(friction_error(NoSlip(), most), 0.1, kExact);

    ContactAnswer box = contact_with({1, -0.2, 0.1}, {0, 0.3, 0}, 0.5);
    box.last = 0.4;  // bound 0.2: slides along s, held along t
    EXPECT_LT(friction_error(FrictionBox(), box), 1e-10);  // cfm
    box.last = 0.3;
    EXPECT_NEAR(friction_error(FrictionBox(), box), 2 * (0.2 - 0.15), 1e-10);
    box.last.reset();  // a new contact: only the sign is known
    EXPECT_LT(friction_error(FrictionBox(), box), 1e-10);
    box.c[1] = 0.2;
    EXPECT_NEAR(friction_error(FrictionBox(), box), 0.3, 1e-10);

    ContactAnswer offset = contact_with({1, 0.5, 0}, Vec3::Zero(), 0.3);
    EXPECT_NEAR(friction_error(MaxDissipation(), offset), 2 * 0.2, kExact);
    offset.leeway = 0.2;
    EXPECT_LT(friction_error(MaxDissipation(), offset), kExact);
}

}  // namespace
}  // namespace stiction
