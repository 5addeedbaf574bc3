// Box against box where the answer is known by construction, and the cases that are left out on
// purpose.
#include <algorithm>
#include <numbers>

#include "collide/geometry_checks.h"

namespace stiction {
namespace {

// Pose of a box that touches with the middle part of its edge along local axis k: the edge runs
// along `edge` through `point`, `along` from the edge's middle, and the direction `out` leaves the
// box there, at `lean` from one face normal.
Pose pose_by_edge(const Vec3& half, int k, const Vec3& edge, const Vec3& point, double along,
                  const Vec3& out, double lean) {
    const Vec3 side = edge.cross(out);
    Mat3 R;
    R.col(k) = edge;
    R.col((k + 1) % 3) = std::cos(lean) * out - std::sin(lean) * side;
    R.col((k + 2) % 3) = edge.cross(R.col((k + 1) % 3));
    // The edge whose two face normals have `out` between them.
    Vec3 corner = Vec3::Zero();
    corner[k] = along;
    for (const int i : {(k + 1) % 3, (k + 2) % 3})
        corner[i] = std::copysign(half[i], R.col(i).dot(out));
    const Quat q = Quat(R).normalized();
    return {point - q * corner, q};
}

TEST(BoxBox, CrossingEdgesAreExact) {
    Random random(21);
    int alone = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec3 ha(random.uniform(0.1, 0.4), random.uniform(0.1, 0.4), random.uniform(0.1, 0.4));
        const Vec3 hb(random.uniform(0.1, 0.4), random.uniform(0.1, 0.4), random.uniform(0.1, 0.4));
        const Vec3 n = random_direction(random);
        const Vec3 a = n.cross(random_direction(random)).normalized();
        const Vec3 b = about(n, random.uniform(0.4, 2.7)) * a;
        const double phi = random.uniform(-5e-3, 5e-3);
        const Vec3 p_B = random_vector(random, 1), p_A = p_B + phi * n;
        const int i = static_cast<int>(random.bits() % 3), j = static_cast<int>(random.bits() % 3);
        World world;
        const Pose pb = pose_by_edge(hb, j, b, p_B, random.uniform(-0.8, 0.8) * hb[j], n,
                                     random.uniform(0.5, 1.0));
        const Pose pa = pose_by_edge(ha, i, a, p_A, random.uniform(-0.8, 0.8) * ha[i], -n,
                                     random.uniform(0.5, 1.0));
        world.add(Box{hb}, pb.p, pb.q);
        world.add(Box{ha}, pa.p, pa.q);
        auto contacts = world.collide(0.01);
        ASSERT_GE(contacts.size(), 1U) << "trial " << trial;
        std::sort(contacts.begin(), contacts.end(), [&](const Contact& x, const Contact& y) {
            return (x.p_B - p_B).norm() < (y.p_B - p_B).norm();
        });
        alone += contacts.size() == 1;
        ASSERT_NEAR(contacts[0].phi, phi, 1e-12) << "trial " << trial;
        ASSERT_LT((contacts[0].n - n).norm(), 1e-12) << "trial " << trial;
        ASSERT_LT((contacts[0].p_A - p_A).norm(), 1e-12) << "trial " << trial;
        ASSERT_LT((contacts[0].p_B - p_B).norm(), 1e-12) << "trial " << trial;
        // Where a face lies nearly flat there are others, no deeper.
        for (std::size_t k = 1; k < contacts.size(); ++k) {
            ASSERT_GT(contacts[k].phi, std::min(phi, 0.0) - 1e-4) << "trial " << trial;
            ASSERT_GT((contacts[k].p_B - p_B).norm(), 0.01) << "trial " << trial;
        }
    }
    EXPECT_GT(alone, 4900);
}

// A long edge over a face, a little nearer to one side of it than to the other: it crosses two
// edges of the face, 10 cm apart, and touches at both within a step.
TEST(BoxBox, AnEdgeAcrossAFaceTouchesAtBothSides) {
    for (const double tilt : {0.01, -0.01, 0.02}) {
        World world;
        world.add(Box{Vec3(0.025, 0.05, 0.08)}, Vec3::Zero(), Quat::Identity());
        const Quat q = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ())) *
                       Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
        const Vec3 half(0.025, 0.2, 0.02);
        // Its edge that lies furthest in -x passes the middle of the face at 1 mm.
        const Vec3 edge = q * Vec3(-half.x(), 0, -half.z());
        world.add(Box{half}, Vec3(0.026, 0, 0) - edge, q);
        const auto contacts = world.collide(0.005);
        ASSERT_GE(contacts.size(), 2U) << tilt;
        double least = 1, most = -1;
        for (const Contact& contact : contacts) {
            least = std::min(least, contact.p().y());
            most = std::max(most, contact.p().y());
            EXPECT_NEAR(contact.phi, 1e-3, 1.2e-3);
        }
        EXPECT_NEAR(least, -0.05, 1e-3);
        EXPECT_NEAR(most, 0.05, 1e-3);
    }
}

TEST(BoxBox, ACornerOverAFaceIsExact) {
    Random random(22);
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec3 half(0.1, 0.15, 0.2);
        const Quat q = random_rotation(random);
        Vec3 lowest = Vec3::Zero();
        for (int k = 0; k < 3; ++k)
            lowest[k] = -std::copysign(half[k], (q.conjugate() * Vec3::UnitZ())[k]);
        const double phi = random.uniform(-0.01, 0.01);
        const Vec3 tip(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), phi);
        World world;
        world.add(Box{{1, 1, 1}}, {0, 0, -1}, Quat::Identity(), BodyKind::kStatic);
        world.add(Box{half}, tip - q * lowest, q);
        const auto contacts = world.collide(0.01);
        const Contact* k = deepest(contacts);
        ASSERT_NE(k, nullptr) << "trial " << trial;
        ASSERT_NEAR(k->phi, phi, 1e-14);
        ASSERT_LT((k->n - Vec3::UnitZ()).norm(), 1e-14);
        ASSERT_LT((k->p_A - tip).norm(), 1e-14);
    }
}

// Two corners pass one another: slow bodies are left alone until they overlap, fast ones are not.
TEST(BoxBox, CornersFacingOneAnotherCountOnlyWhenFast) {
    World world;
    world.add(Box{Vec3::Constant(0.1)}, {0, 0, 0});
    world.add(Box{Vec3::Constant(0.1)}, {0.21, 0.21, 0.21});
    EXPECT_TRUE(world.collide(0.02).empty());
    world.state.twist[1].v = Vec3::Constant(-30);  // 0.5 m in the step
    const auto contacts = world.collide(0.02, 0.01);
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_NEAR(contacts[0].phi, 0.01 * std::sqrt(3.0), 1e-6);
    EXPECT_LT((contacts[0].n - Vec3::Constant(1).normalized()).norm(), 1e-6);
}

TEST(BoxBox, AThinPlateOnALargeBoxTouchesWithTheNearFace) {
    World world;
    world.add(Box{{1, 1, 1}}, {0, 0, -1}, Quat::Identity(), BodyKind::kStatic);
    world.add(Box{{0.3, 0.3, 1e-3}}, {0, 0, 1e-3 - 1e-4}, about(Vec3::UnitZ(), 0.2));
    const auto contacts = world.collide(1e-5);
    ASSERT_EQ(contacts.size(), 4U);
    for (const Contact& k : contacts) {
        EXPECT_NEAR(k.phi, -1e-4, 1e-15);
        EXPECT_NEAR(k.p_A.z(), -1e-4, 1e-15);
    }
}

}  // namespace
}  // namespace stiction
