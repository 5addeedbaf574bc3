// Every pair of shapes over random poses, against facts that hold for any two convex shapes.
#include <sstream>

#include "collide/geometry_checks.h"

namespace stiction {
namespace {

struct PairCase {
    const char* name;
    Shape a, b;
    double accuracy;    // of the gap [m]: round-off, or GJK's where a curved surface is left to it
    double surface;     // of the witness points [m]
    double face_bias;   // a face may be preferred to an axis that is better by so much [m]
    bool corner_exact;  // exact also where the nearest features are corner and corner or corner and
                        // edge
};

void PrintTo(const PairCase& c, std::ostream* out) { *out << c.name; }

class Pairs : public ::testing::TestWithParam<PairCase> {};

std::string describe(const std::vector<Contact>& contacts) {
    std::ostringstream out;
    for (const Contact& k : contacts) {
        out << "\n  feature " << std::hex << k.feature << std::dec << " phi " << k.phi << " n "
            << k.n.transpose() << " p_A " << k.p_A.transpose() << " p_B " << k.p_B.transpose();
    }
    return out.str();
}

double radius_of(const Shape& s) { return bounding_radius(s); }

// B at the origin's neighbourhood, A at a distance where about half of the poses overlap.
World random_pair(const PairCase& c, Random& random) {
    World world;
    const bool plane = std::holds_alternative<Plane>(c.b);
    const Pose pb{random_vector(random, 1), random_rotation(random)};
    const double reach = plane ? radius_of(c.a) : radius_of(c.a) + radius_of(c.b);
    const Vec3 away =
        plane ? Vec3(pb.q * Vec3::UnitZ() + random_direction(random)) : random_direction(random);
    world.add(c.b, pb.p, pb.q, plane ? BodyKind::kStatic : BodyKind::kDynamic);
    world.add(c.a, pb.p + reach * random.uniform(0.15, 1.05) * away, random_rotation(random));
    return world;
}

TEST_P(Pairs, NormalsGapsAndWitnessPointsAgree) {
    const PairCase& c = GetParam();
    Random random(11);
    int contacts = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const World world = random_pair(c, random);
        const std::vector<Contact> found = world.collide(0.1);
        for (const Contact& k : found) {
            ++contacts;
            ASSERT_EQ(k.body_a, 1);
            ASSERT_EQ(k.body_b, 0);
            ASSERT_NEAR(k.n.norm(), 1, 1e-14);
            ASSERT_LE(k.phi, 0.1);
            ASSERT_LT((k.p_A - k.p_B - k.phi * k.n).norm(), 1e-14) << "trial " << trial;
            ASSERT_LE(surface_distance(c.a, world.state.pose[1], k.p_A), c.surface)
                << "trial " << trial << " " << describe(found);
            ASSERT_LE(surface_distance(c.b, world.state.pose[0], k.p_B), c.surface)
                << "trial " << trial << " " << describe(found);
        }
        // Further points may lie inside, as the upper end of a leaning capsule; the deepest must be
        // on both surfaces.
        if (const Contact* k = deepest(found)) {
            ASSERT_GE(surface_distance(c.a, world.state.pose[1], k->p_A), -c.surface)
                << "trial " << trial << " " << describe(found);
            ASSERT_GE(surface_distance(c.b, world.state.pose[0], k->p_B), -c.surface)
                << "trial " << trial << " " << describe(found);
        }
    }
    EXPECT_GT(contacts, 250);
}

// Random directions, then small steps from the best: reaches the largest gap to about 1e-4 of the
// size.
template <typename Gap>
double largest_gap(const Gap& gap_along, Random& random) {
    Vec3 n = Vec3::UnitZ();
    for (int i = 0; i < 200; ++i) {
        const Vec3 other = random_direction(random);
        if (gap_along(other) > gap_along(n)) n = other;
    }
    for (double step = 0.2; step > 1e-4; step *= 0.97) {
        const Vec3 other = (n + step * random_direction(random)).normalized();
        if (gap_along(other) > gap_along(n)) n = other;
    }
    return gap_along(n);
}

// The gap along n is a lower bound of the distance and the witness points' distance an upper one:
// where both equal phi it is the distance. For overlapping shapes phi must be the largest gap over
// directions.
TEST_P(Pairs, DeepestContactIsTheDistance) {
    const PairCase& c = GetParam();
    Random random(12);
    int separated = 0, overlapping = 0, missed = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const World world = random_pair(c, random);
        const Pose &pb = world.state.pose[0], &pa = world.state.pose[1];
        const bool plane = std::holds_alternative<Plane>(c.b);
        const auto gap_along = [&](const Vec3& n) { return gap(c.a, pa, c.b, pb, n); };
        const std::vector<Contact> contacts = world.collide(0.1);
        const Contact* k = deepest(contacts);
        const double best =
            plane ? gap_along(pb.q * Vec3::UnitZ()) : largest_gap(gap_along, random);
        if (k == nullptr) {
            if (best < (c.corner_exact ? 0.099 : 0.0)) ++missed;
            continue;
        }
        const double along = gap_along(k->n);
        if (c.corner_exact) {
            ASSERT_NEAR(along, k->phi, c.accuracy + c.face_bias) << "trial " << trial;
        } else {
            ASSERT_LE(along, k->phi + c.accuracy) << "trial " << trial;
        }
        ASSERT_GE(std::max(along, k->phi), best - c.face_bias - c.accuracy) << "trial " << trial;
        (k->phi > 0 ? separated : overlapping) += 1;
    }
    EXPECT_GT(overlapping, 100);
    EXPECT_GT(separated, 10);
    EXPECT_EQ(missed, 0);
}

TEST_P(Pairs, SwappingTheBodiesReversesTheNormal) {
    const PairCase& c = GetParam();
    if (std::holds_alternative<Plane>(c.b)) GTEST_SKIP() << "a plane is always B";
    Random random(13);
    for (int trial = 0; trial < 1000; ++trial) {
        const World world = random_pair(c, random);
        World swapped;
        swapped.add(c.a, world.state.pose[1].p, world.state.pose[1].q);
        swapped.add(c.b, world.state.pose[0].p, world.state.pose[0].q);
        const std::vector<Contact> one = world.collide(0.1), two = swapped.collide(0.1);
        ASSERT_EQ(one.empty(), two.empty()) << "trial " << trial;
        if (one.empty()) continue;
        const Contact &k = *deepest(one), &l = *deepest(two);
        ASSERT_NEAR(k.phi, l.phi, 2 * (c.accuracy + c.face_bias)) << "trial " << trial;
        if (c.face_bias > 0) continue;
        ASSERT_LT((k.n + l.n).norm(), 1e-6) << "trial " << trial;
    }
}

TEST_P(Pairs, ACommonMotionMovesTheContactsAlong) {
    const PairCase& c = GetParam();
    Random random(14);
    for (int trial = 0; trial < 1000; ++trial) {
        const World world = random_pair(c, random);
        World moved = world;
        const Pose motion{random_vector(random, 2), random_rotation(random)};
        for (Pose& pose : moved.state.pose) pose = motion * pose;
        const std::vector<Contact> before = world.collide(0.1), after = moved.collide(0.1);
        ASSERT_EQ(before.size(), after.size()) << "trial " << trial;
        const double tol = std::max(1e-11, 10 * c.accuracy);
        // Of a round surface the normal is off by the root of what the gap is off by, over its size.
        const double tilt = c.accuracy > 1e-6 ? std::sqrt(2 * tol / 0.1) : 1e-5;
        for (std::size_t i = 0; i < before.size(); ++i) {
            ASSERT_EQ(before[i].feature, after[i].feature) << "trial " << trial;
            ASSERT_NEAR(before[i].phi, after[i].phi, tol) << "trial " << trial;
            ASSERT_LT((motion.q * before[i].n - after[i].n).norm(), tilt) << "trial " << trial;
        }
    }
}

TEST_P(Pairs, MovingAlongTheNormalChangesTheGapByThatMuch) {
    const PairCase& c = GetParam();
    Random random(15);
    int compared = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        World world = random_pair(c, random);
        const std::vector<Contact> before = world.collide(0.1);
        if (before.empty()) continue;
        const Contact k = *deepest(before);
        const double d = 1e-5;
        world.state.pose[1].p += d * k.n;
        for (const Contact& l : world.collide(0.1)) {
            if (l.feature != k.feature || (l.n - k.n).norm() > 1e-6) continue;
            ++compared;
            // Where the nearest point slides over a curved surface the change differs in second
            // order.
            ASSERT_NEAR(l.phi - k.phi, d, 1e-9 + c.accuracy) << "trial " << trial;
        }
    }
    EXPECT_GT(compared, 150);
}

const Box kBox{{0.3, 0.2, 0.15}};
const Box kLargeBox{{0.5, 0.4, 0.6}};
const Sphere kSphere{0.25};
const Capsule kCapsule{0.1, 0.3};
const Capsule kStubby{0.2, 0.1};
const Cylinder kCylinder{0.2, 0.25};
const Cone kCone{0.2, 0.25};
const Cone kPointed{0.1, 0.3};
const Ellipsoid kEllipsoid{{0.3, 0.2, 0.15}};
const Ellipsoid kDisc{{0.3, 0.25, 0.06}};
const RoundedBox kRounded{{0.3, 0.2, 0.15}, 0.05};
const RoundedBox kSoap{{0.2, 0.12, 0.08}, 0.07};
const double kBias = 1e-4 * 0.15;

INSTANTIATE_TEST_SUITE_P(
    All, Pairs,
    ::testing::Values(
        PairCase{"sphere_plane", kSphere, Plane{}, 1e-14, 1e-14, 0, true},
        PairCase{"box_plane", kBox, Plane{}, 1e-14, 1e-14, 0, true},
        PairCase{"capsule_plane", kCapsule, Plane{}, 1e-14, 1e-14, 0, true},
        PairCase{"cylinder_plane", kCylinder, Plane{}, 1e-14, 1e-14, 0, true},
        PairCase{"hull_plane", random_hull(1, 30, 0.3), Plane{}, 1e-14, 1e-14, 0, true},
        PairCase{"sphere_sphere", kSphere, Sphere{0.4}, 1e-14, 1e-14, 0, true},
        PairCase{"sphere_box", kSphere, kBox, 1e-14, 1e-14, 0, true},
        PairCase{"sphere_capsule", kSphere, kCapsule, 1e-14, 1e-14, 0, true},
        PairCase{"sphere_cylinder", kSphere, kCylinder, 1e-14, 1e-14, 0, true},
        PairCase{"sphere_hull", kSphere, random_hull(2, 40, 0.3), 1e-14, 1e-14, 0, true},
        PairCase{"capsule_capsule", kCapsule, kStubby, 1e-12, 1e-7, 0, true},
        PairCase{"capsule_box", kCapsule, kBox, 1e-13, 1e-6, 1e-6, true},
        PairCase{"box_box", kBox, kLargeBox, 1e-13, 1e-13, kBias, false},
        PairCase{"capsule_cylinder", kCapsule, kCylinder, 1e-6, 1e-6, 1e-5, true},
        PairCase{"capsule_hull", kCapsule, random_hull(3, 20, 0.3), 1e-6, 1e-6, 1e-5, true},
        PairCase{"box_cylinder", kBox, kCylinder, 1e-6, 1e-6, 1e-5, false},
        PairCase{"box_hull", kBox, random_hull(4, 20, 0.3), 1e-6, 1e-6, 1e-5, false},
        PairCase{"cylinder_cylinder", kCylinder, Cylinder{0.1, 0.4}, 1e-6, 1e-6, 1e-5, false},
        PairCase{"cylinder_hull", kCylinder, random_hull(5, 20, 0.3), 1e-6, 1e-6, 1e-5, false},
        PairCase{"hull_hull", random_hull(6, 12, 0.3), random_hull(7, 24, 0.3), 1e-6, 1e-6, 1e-5,
                 false},
        PairCase{"cone_plane", kCone, Plane{}, 1e-14, 1e-14, 0, true},
        PairCase{"ellipsoid_plane", kEllipsoid, Plane{}, 1e-14, 1e-14, 0, true},
        PairCase{"rounded_box_plane", kRounded, Plane{}, 1e-14, 1e-14, 0, true},
        PairCase{"sphere_cone", kSphere, kCone, 1e-13, 1e-13, 0, true},
        PairCase{"sphere_ellipsoid", kSphere, kEllipsoid, 1e-13, 1e-13, 0, true},
        PairCase{"sphere_disc", kSphere, kDisc, 1e-13, 1e-13, 0, true},
        PairCase{"sphere_rounded_box", kSphere, kRounded, 1e-14, 1e-14, 0, true},
        PairCase{"capsule_cone", kCapsule, kCone, 1e-6, 1e-6, 1e-5, true},
        PairCase{"capsule_ellipsoid", kCapsule, kEllipsoid, 1e-9, 1e-9, 0, true},
        PairCase{"capsule_rounded_box", kCapsule, kRounded, 1e-13, 1e-6, 1e-6, true},
        PairCase{"box_cone", kBox, kCone, 1e-6, 1e-6, 1e-5, false},
        PairCase{"box_ellipsoid", kBox, kEllipsoid, 1e-9, 1e-9, 0, true},
        PairCase{"box_rounded_box", kBox, kRounded, 1e-6, 1e-6, 1e-5, false},
        PairCase{"cylinder_cone", kCylinder, kPointed, 1e-6, 1e-6, 1e-5, false},
        // In one pose of a thousand a rim deep in a disc leaves EPA's answer, 2e-5 m off.
        PairCase{"cylinder_ellipsoid", kCylinder, kDisc, 5e-6, 1e-5, 0, true},
        PairCase{"cylinder_rounded_box", kCylinder, kSoap, 1e-6, 1e-6, 1e-5, false},
        PairCase{"cone_cone", kCone, kPointed, 1e-6, 1e-6, 1e-5, false},
        PairCase{"cone_ellipsoid", kCone, kEllipsoid, 1e-9, 1e-9, 0, true},
        PairCase{"cone_rounded_box", kCone, kSoap, 1e-6, 1e-6, 1e-5, false},
        PairCase{"cone_hull", kPointed, random_hull(8, 20, 0.3), 1e-6, 1e-6, 1e-5, false},
        PairCase{"ellipsoid_ellipsoid", kEllipsoid, kDisc, 1e-9, 1e-9, 0, true},
        PairCase{"ellipsoid_rounded_box", kEllipsoid, kRounded, 1e-9, 1e-9, 0, true},
        PairCase{"ellipsoid_hull", kDisc, random_hull(9, 20, 0.3), 1e-9, 1e-9, 0, true},
        PairCase{"rounded_box_rounded_box", kRounded, kSoap, 1e-6, 1e-6, 1e-5, false},
        // Where a face is clipped off its corners the core is not what is lowest there.
        PairCase{"rounded_box_hull", kSoap, random_hull(10, 20, 0.3), 1e-6, 1e-3, 1e-5, false}),
    [](const ::testing::TestParamInfo<PairCase>& pair) { return std::string(pair.param.name); });

}  // namespace
}  // namespace stiction
