// Shapes at one point: each pair has a direction of its own, so that many part as a cluster.
#include "collide/coincident.h"

#include <set>

#include "collide/geometry_checks.h"

namespace stiction {
namespace {

World at_one_point(const Shape& shape, int count) {
    World world;
    const Quat q = about({1, 2, 3}, 0.7);
    for (int i = 0; i < count; ++i) world.add(shape, {0.3, -0.2, 1.1}, q);
    return world;
}

// Mean of n n': with normals that are spread evenly every eigenvalue is 1/3.
Vec3 spread(const std::vector<Contact>& contacts) {
    Mat3 sum = Mat3::Zero();
    for (const Contact& k : contacts) sum += k.n * k.n.transpose();
    sum /= static_cast<double>(contacts.size());
    return Eigen::SelfAdjointEigenSolver<Mat3>(sum).eigenvalues();
}

TEST(Coincident, TheDirectionIsThatOfThePairWhicheverComesFirst) {
    WorldGeom a, b;
    for (const auto& [i, k] : {std::pair{0, 1}, {1, 2}, {0, 99}, {4, 100000}}) {
        a.body = i;
        b.body = k;
        EXPECT_NEAR(parting(a, b).norm(), 1, 1e-15);
        EXPECT_EQ(parting(a, b), Vec3(-parting(b, a)));
        const Vec3 across = parting_across(a, b, Vec3::UnitY(), Vec3::UnitX());
        EXPECT_NEAR(across.norm(), 1, 1e-15);
        EXPECT_EQ(across.y(), 0);
    }
}

// Bodies that part along u_a - u_b can all do so: were three directions to go round in a circle,
// no displacement would satisfy them.
TEST(Coincident, SpheresAtOnePointHaveNormalsInAllDirections) {
    const World world = at_one_point(Sphere{0.1}, 30);
    const std::vector<Contact> contacts = world.collide(0.01);
    ASSERT_EQ(contacts.size(), 30U * 29 / 2);
    for (const Contact& k : contacts) {
        EXPECT_NEAR(k.phi, -0.2, 1e-12);
        EXPECT_GT(k.n.dot(own_point(k.body_a) - own_point(k.body_b)), 0);
    }
    EXPECT_GT(spread(contacts).minCoeff(), 0.25);
}

// Off by rounding is no direction either.
TEST(Coincident, RoundingIsNoDirection) {
    World world = at_one_point(Sphere{0.1}, 2);
    const Vec3 n = world.collide(0.01).front().n;
    world.state.pose[0].p.z() += 2e-16;
    EXPECT_LT((world.collide(0.01).front().n - n).norm(), 1e-8);
}

// Cubes leave by faces: each of the six is taken by some of the pairs.
TEST(Coincident, CubesAtOnePointLeaveByAllFaces) {
    const World world = at_one_point(Box{Vec3(0.1, 0.1, 0.1)}, 30);
    const Mat3 R = world.state.pose[0].R();
    std::set<int> faces;
    for (const Contact& k : world.collide(0.01)) {
        const Vec3 n = R.transpose() * k.n;
        int axis = 0;
        EXPECT_NEAR(n.cwiseAbs().maxCoeff(&axis), 1, 1e-12);
        EXPECT_NEAR(k.phi, -0.2, 1e-12);
        faces.insert(2 * axis + (n[axis] > 0 ? 1 : 0));
    }
    EXPECT_EQ(faces.size(), 6U);
}

// Around one centre every pair has a way out that ends the overlap, and round shapes do not all
// take the same.
TEST(Coincident, EveryPairOfShapesParts) {
    const Shape shapes[] = {
        Sphere{0.1}, Box{Vec3(0.1, 0.12, 0.3)}, Capsule{0.1, 0.2}, Cylinder{0.1, 0.2},
        make_hull({{0, 0, 0.2}, {0.2, 0, -0.1}, {-0.1, 0.2, -0.1}, {-0.1, -0.2, -0.1}})};
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            SCOPED_TRACE(testing::Message() << a.index() << " in " << b.index());
            World world;
            world.add(b, Vec3(0.3, -0.2, 1.1), about({1, 2, 3}, 0.7));
            world.add(a, Vec3(0.3, -0.2, 1.1), about({1, 2, 3}, 0.7));
            const std::vector<Contact> contacts = world.collide(1e-3);
            ASSERT_FALSE(contacts.empty());
            const Contact& k = *deepest(contacts);
            EXPECT_NEAR(k.phi, gap(a, world.state.pose[1], b, world.state.pose[0], k.n), 1e-6);
            EXPECT_LT((k.p_A - k.p_B - k.phi * k.n).norm(), 1e-14);
        }
    }
}

TEST(Coincident, CapsulesAndCylindersLeaveInAllDirectionsAcrossTheirAxes) {
    for (const Shape& shape : {Shape(Capsule{0.1, 0.3}), Shape(Cylinder{0.1, 0.3})}) {
        const World world = at_one_point(shape, 20);
        const Vec3 parts = spread(world.collide(0.01));
        EXPECT_NEAR(parts[0], 0, 1e-6);
        EXPECT_GT(parts[1], 0.35);
    }
}

// A sphere on the axis of a capsule or cylinder, away from its middle.
TEST(Coincident, SpheresOnAnAxis) {
    for (const Shape& shape : {Shape(Capsule{0.1, 0.3}), Shape(Cylinder{0.1, 0.3})}) {
        std::vector<Contact> contacts;
        for (int others = 1; others < 12; ++others) {
            World world;
            for (int i = 0; i < others; ++i) world.add(shape, Vec3(i, 0, 0));
            world.add(Sphere{0.05}, Vec3(0, 0, 0.05));
            const std::vector<Contact> found = world.collide(0.01);
            ASSERT_EQ(found.size(), 1U);
            EXPECT_NEAR(found[0].phi, -0.15, 1e-12);
            contacts.push_back(found[0]);
        }
        const Vec3 parts = spread(contacts);
        EXPECT_NEAR(parts[0], 0, 1e-12);
        EXPECT_GT(parts[1], 0.3);
    }
}

}  // namespace
}  // namespace stiction
