// Edges and corners that just meet are contacts at once: the ridge of two leaning cards, a card on
// its lower edge, corner against corner. What is left out on purpose: diagonal neighbours.
#include <numbers>

#include "collide/geometry_checks.h"

namespace stiction {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kAhead = 1e-4;          // [m]
constexpr double kReach = 3e-4 * 0.076;  // of meeting_edges.h, for a card [m]
const Vec3 kCard(0.045, 0.03, 0.001);    // half extents [m]

Shape hull_of(const Vec3& half) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.emplace_back((i & 1) != 0 ? half.x() : -half.x(),
                            (i & 2) != 0 ? half.y() : -half.y(),
                            (i & 4) != 0 ? half.z() : -half.z());
    return make_hull(points);
}

// Two cards that lean on one another at an angle with the ground, their inner upper edges along y
// and a gap apart along x; the first is on the left, and `turn` turns it all.
struct Pair {
    double angle = 65 * kDegree;
    double gap = 0;
    Vec3 shift = Vec3::Zero();  // of the right one
    Quat turn = Quat::Identity();
};

World leaning(const Pair& pair, bool left_hull = false, bool right_hull = false) {
    const double half = kCard.x() * std::cos(pair.angle) + kCard.z() * std::sin(pair.angle);
    const auto card = [](bool hull) { return hull ? hull_of(kCard) : Shape(Box{kCard}); };
    World world;
    world.add(card(left_hull), pair.turn * Vec3(-half, 0, 0),
              pair.turn * about(Vec3::UnitY(), -pair.angle));
    world.add(card(right_hull), pair.turn * (Vec3(half + pair.gap, 0, 0) + pair.shift),
              pair.turn * about(Vec3::UnitY(), pair.angle));
    return world;
}

// Two contacts at the ends y = -0.03 m and 0.03 m of the ridge with a horizontal normal. A is the
// right card.
void expect_ridge(const std::vector<Contact>& contacts, const Pair& pair, double tolerance) {
    ASSERT_EQ(contacts.size(), 2U);
    const double height = kCard.x() * std::sin(pair.angle) - kCard.z() * std::cos(pair.angle);
    std::vector<double> ends;
    for (const Contact& k : contacts) {
        EXPECT_NEAR(k.phi, pair.gap, tolerance);
        EXPECT_LT((k.n - pair.turn * Vec3::UnitX()).norm(), tolerance);
        const Vec3 p = pair.turn.conjugate() * k.p_B;
        EXPECT_NEAR(p.x(), 0, tolerance);
        EXPECT_NEAR(p.z(), height, tolerance);
        ends.push_back(p.y());
    }
    std::sort(ends.begin(), ends.end());
    EXPECT_NEAR(ends[0], -kCard.y(), tolerance);
    EXPECT_NEAR(ends[1], kCard.y(), tolerance);
}

struct Kinds {
    bool left_hull, right_hull;
};
constexpr Kinds kKinds[] = {{false, false}, {false, true}, {true, false}, {true, true}};

TEST(MeetingEdges, TheRidgeOfTwoCardsHasTwoContactsWithAHorizontalNormal) {
    Random random(31);
    for (const Kinds kinds : kKinds) {
        for (const double angle : {52, 60, 65, 70, 80, 84}) {
            for (const double gap : {-1e-5, -1e-7, -1e-12, 0.0, 1e-15, 1e-12, 1e-7, 1e-5, 9e-5}) {
                SCOPED_TRACE(testing::Message() << kinds.left_hull << kinds.right_hull << ' '
                                                << angle << " degrees, gap " << gap);
                const Pair pair{angle * kDegree, gap, Vec3::Zero(), random_rotation(random)};
                const World world = leaning(pair, kinds.left_hull, kinds.right_hull);
                expect_ridge(world.collide(kAhead), pair, 1e-12);
            }
        }
    }
}

// The contacts keep their names and their normal while rounding and drift move the cards.
TEST(MeetingEdges, TheRidgeKeepsStillUnderRounding) {
    Random random(32);
    for (const Kinds kinds : kKinds) {
        const Pair pair{};
        const auto first = leaning(pair, kinds.left_hull, kinds.right_hull).collide(kAhead);
        ASSERT_EQ(first.size(), 2U);
        for (const double noise : {1e-16, 1e-13, 1e-10, 1e-7}) {
            for (int trial = 0; trial < 500; ++trial) {
                World world = leaning(pair, kinds.left_hull, kinds.right_hull);
                for (Pose& pose : world.state.pose) {
                    const Vec3 turn = random_vector(random, noise);
                    pose.p += random_vector(random, noise);
                    pose.q = (Quat(1, turn.x(), turn.y(), turn.z()) * pose.q).normalized();
                }
                const auto contacts = world.collide(kAhead);
                ASSERT_EQ(features(contacts), features(first)) << "noise " << noise;
                for (std::size_t k = 0; k < 2; ++k) {
                    // d is off by a few times the noise, and turns the normal by d / (2 reach).
                    ASSERT_LT((contacts[k].n - first[k].n).norm(), 1e-12 + 5 * noise / kReach);
                    ASSERT_LT((contacts[k].p_A - first[k].p_A).norm(), 1e-12 + 5 * noise);
                    ASSERT_NEAR(contacts[k].phi, 0, 1e-15 + 5 * noise);
                }
            }
        }
    }
}

// Cards that are shifted along the ridge touch along what their edges have in common.
TEST(MeetingEdges, ContactsAreTheEndsOfTheCommonStretch) {
    for (const Kinds kinds : kKinds) {
        for (const double shift : {-0.05, -0.01, 0.02, 0.059}) {
            const Pair pair{65 * kDegree, 0, {0, shift, 0}, Quat::Identity()};
            const auto contacts = leaning(pair, kinds.left_hull, kinds.right_hull).collide(kAhead);
            ASSERT_EQ(contacts.size(), 2U) << shift;
            const double least = std::min(contacts[0].p().y(), contacts[1].p().y());
            const double most = std::max(contacts[0].p().y(), contacts[1].p().y());
            EXPECT_NEAR(least, std::max(-0.03, shift - 0.03), 1e-12);
            EXPECT_NEAR(most, std::min(0.03, shift + 0.03), 1e-12);
        }
    }
}

// One card is pushed up along the other, touching: the normal turns from that of the one's face,
// 25 degrees below the horizontal, through the horizontal to that of the other's, and never jumps.
TEST(MeetingEdges, TheNormalTurnsSteadilyWhileOneEdgePassesTheOther) {
    double before = -25 * kDegree;
    for (double lift = -10 * kReach; lift <= 10 * kReach; lift += kReach / 100) {
        Pair pair;
        pair.shift = {-std::abs(lift) / std::tan(pair.angle), 0, lift};
        const auto contacts = leaning(pair).collide(kAhead);
        ASSERT_GE(contacts.size(), 2U) << lift;
        const Vec3& n = contacts[0].n;
        const double angle = std::atan2(n.z(), n.x());
        ASSERT_GE(angle, before - 1e-9) << lift;
        ASSERT_LE(angle, std::max(before + 0.02, -25 * kDegree + 1e-9)) << lift;
        ASSERT_NEAR(deepest(contacts)->phi, 0, kReach) << lift;
        before = angle;
    }
    EXPECT_NEAR(before, 25 * kDegree, 1e-9);
}

// Edges that cross touch where they cross, with the normal across both. At an angle of less than
// 1e-3 the contacts are at the ends of both instead, which does not jump when the angle changes.
TEST(MeetingEdges, ATwistedRidgeIsOnePointWhereTheEdgesCross) {
    for (const double twist : {-5e-3, -5e-4, 5e-4, 5e-3}) {
        World world = leaning(Pair{});
        const Vec3 ridge(0, 0.01, 0.045 * std::sin(65 * kDegree) - 0.001 * std::cos(65 * kDegree));
        const Quat q = about(Vec3::UnitX(), twist);
        Pose& right = world.state.pose[1];
        right = {ridge + q * (right.p - ridge), q * right.q};
        const auto contacts = world.collide(1e-6);
        ASSERT_EQ(contacts.size(), std::abs(twist) < 1e-3 ? 2U : 1U) << twist;
        for (const Contact& k : contacts) {
            EXPECT_NEAR(k.phi, 0, 1e-9) << twist;
            EXPECT_LT((k.n - Vec3::UnitX()).norm(), 1e-4) << twist;
            if (std::abs(twist) > 1e-3) {
                EXPECT_LT((k.p() - ridge).norm(), 1e-12);
            }
        }
    }
}

// A ridge that has opened at one end: its two gaps are the true ones.
TEST(MeetingEdges, ARidgeThatOpensHasTwoDifferentGaps) {
    const double open = 1e-5;  // over the ridge [m]
    World world = leaning(Pair{});
    const Vec3 end(0, -0.03, 0);
    const Quat q = about(-Vec3::UnitZ(), open / 0.06);
    Pose& right = world.state.pose[1];
    right = {end + q * (right.p - end), q * right.q};
    const auto contacts = world.collide(kAhead);
    ASSERT_EQ(contacts.size(), 2U);
    for (const Contact& k : contacts) {
        EXPECT_LT((k.n - Vec3::UnitX()).norm(), 1e-3);
        EXPECT_NEAR(k.phi, k.p().y() > 0 ? open : 0, 1e-9);
    }
}

TEST(MeetingEdges, ACardOnItsLowerEdgeStandsOnTwoPoints) {
    for (const bool hull : {false, true}) {
        for (const double angle : {50, 65, 80}) {
            for (const double gap : {-1e-9, 0.0, 1e-9}) {
                const double a = angle * kDegree;
                World world;
                world.add(Box{{0.04, 0.03, 0.001}}, {0, 0, -0.001});
                world.add(hull ? hull_of(kCard) : Shape(Box{kCard}),
                          {0, 0, kCard.x() * std::sin(a) + kCard.z() * std::cos(a) + gap},
                          about(Vec3::UnitY(), -a));
                const auto contacts = world.collide(kAhead);
                ASSERT_EQ(contacts.size(), 2U) << hull << angle;
                for (const Contact& k : contacts) {
                    EXPECT_NEAR(k.phi, gap, 1e-14);
                    EXPECT_LT((k.n - Vec3::UnitZ()).norm(), 1e-12);
                    EXPECT_NEAR(k.p().x(), -kCard.x() * std::cos(a) + kCard.z() * std::sin(a),
                                1e-12);
                    EXPECT_NEAR(std::abs(k.p().y()), kCard.y(), 1e-12);
                }
            }
        }
    }
}

// Bricks one course apart share an edge. Turned a little they still have no contact, which would
// keep the upper one from sliding over the lower one.
TEST(MeetingEdges, DiagonalNeighboursDoNotTouchWhenTilted) {
    for (const bool hulls : {false, true}) {
        for (const double tilt : {0.0, 1e-9, 1e-4, 0.01, 0.05}) {
            const Shape cube = hulls ? cube_hull(0.05) : Shape(Box{Vec3::Constant(0.05)});
            const Quat q = about(Vec3::UnitY(), tilt);
            World world;
            world.add(cube, {0, 0, 0});
            world.add(cube, Vec3(0.05, 0, 0.05) + q * Vec3(0.05, 0, 0.05), q);
            EXPECT_TRUE(world.collide(1e-7).empty()) << hulls << ' ' << tilt;
        }
    }
}

// A corner of each box, the furthest along a direction: where they are apart in that direction
// there is a contact, whatever the gap, and none that is further than the corners.
TEST(MeetingEdges, CornersThatMeetAreAContactAtOnce) {
    Random random(33);
    const Vec3 half(0.1, 0.15, 0.2);
    for (const double gap : {0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3}) {
        for (int trial = 0; trial < 500; ++trial) {
            const Quat qa = random_rotation(random), qb = random_rotation(random);
            if ((qa.conjugate() * qb).toRotationMatrix().cwiseAbs().maxCoeff() > 0.99) continue;
            const Vec3 d = random_direction(random);
            const Vec3 corner_a = support_point(Box{half}, {Vec3::Zero(), qa}, -d);
            const Vec3 corner_b = support_point(Box{half}, {Vec3::Zero(), qb}, d);
            World world;
            world.add(Box{half}, -corner_b, qb);
            world.add(Box{half}, gap * d - corner_a, qa);
            const auto contacts = world.collide(2e-3);
            const Contact* k = deepest(contacts);
            ASSERT_NE(k, nullptr) << "trial " << trial << ", gap " << gap;
            // A face is preferred to what is better by 1e-4 of the least half extent.
            ASSERT_NEAR(k->phi, gap, 1e-5) << "trial " << trial;
        }
    }
}

}  // namespace
}  // namespace stiction
