// Every joint row is the derivative of its position error: checked by finite differences, also with
// joints apart.
#include "dynamics/joint_geometry.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "dynamics/free_body.h"
#include "dynamics/random_rotation.h"

namespace stiction {
namespace {

Vec3 random_vector(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

// Two bodies with random poses and joint frames; `apart` is how far the joint is from closed.
struct Pair {
    State state;
    Joint joint;
};

Pair random_pair(JointKind kind, double apart, std::uint64_t seed) {
    Random random(seed);
    Pair pair;
    pair.state.pose = {{random_vector(random, 1), random_rotation(random)},
                       {random_vector(random, 1), random_rotation(random)}};
    pair.state.twist.resize(2);
    pair.joint.kind = kind;
    pair.joint.parent = 0;
    pair.joint.child = 1;
    pair.joint.frame_C = {random_vector(random, 1), random_rotation(random)};
    Pose frame_W = pair.state.pose[1] * pair.joint.frame_C;
    if (kind == JointKind::kUniversal)
        frame_W.q = frame_W.q * Quat(Eigen::AngleAxisd(0.3, Vec3::UnitX()));
    frame_W.p += random_vector(random, apart);
    frame_W.q = rotated(frame_W.q, random_vector(random, apart));
    pair.joint.frame_P = pair.state.pose[0].inverse() * frame_W;
    set_axis(pair.joint);
    return pair;
}

State moved(const State& state, const std::array<Twist, 2>& twist, double dt) {
    State next = state;
    for (std::size_t i = 0; i < 2; ++i) {
        next.pose[i].p += dt * twist[i].v;
        next.pose[i].q = rotated(next.pose[i].q, dt * twist[i].w);
    }
    return next;
}

Vec6 relative_velocity(const State& state, const std::array<Twist, 2>& twist, const Vec3& point,
                       double length) {
    Vec6 u;
    u.head<3>() = twist[1].v + twist[1].w.cross(point - state.pose[1].p) - twist[0].v -
                  twist[0].w.cross(point - state.pose[0].p);
    u.tail<3>() = length * (twist[1].w - twist[0].w);
    return u;
}

TEST(JointGeometry, RowsAreDerivativesOfTheErrors) {
    constexpr double kLength = 0.37;
    constexpr double dt = 1e-6;
    for (const JointKind kind : {JointKind::kFixed, JointKind::kRevolute, JointKind::kPrismatic,
                                 JointKind::kSpherical, JointKind::kUniversal}) {
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            const double apart = seed % 2 == 0 ? 0.0 : 1e-5;
            const Pair pair = random_pair(kind, apart, seed);
            Random random(seed + 77);
            const std::array<Twist, 2> twist{
                Twist{random_vector(random, 1), random_vector(random, 1)},
                Twist{random_vector(random, 1), random_vector(random, 1)}};
            const JointGeometry now = joint_geometry(pair.state, pair.joint, kLength);
            const JointGeometry ahead =
                joint_geometry(moved(pair.state, twist, dt), pair.joint, kLength);
            const JointGeometry back =
                joint_geometry(moved(pair.state, twist, -dt), pair.joint, kLength);
            const Vec6 u = relative_velocity(pair.state, twist, now.point, kLength);
            for (int k = 0; k < now.rows; ++k) {
                const auto i = static_cast<std::size_t>(k);
                const double rate = (ahead.error[i] - back.error[i]) / (2 * dt);
                // Rotational errors are exact to first order in the misalignment (1e-5) only.
                EXPECT_NEAR(now.g[i].dot(u), rate, 1e-7 + 10 * apart)
                    << "kind " << static_cast<int>(kind) << " row " << k;
            }
            if (!now.has_coordinate) continue;
            const double q_ahead =
                joint_coordinate(moved(pair.state, twist, dt), pair.joint).position;
            const double q_back =
                joint_coordinate(moved(pair.state, twist, -dt), pair.joint).position;
            EXPECT_NEAR(now.g_coordinate.dot(u) / now.unit, (q_ahead - q_back) / (2 * dt),
                        1e-6 + 10 * apart);
        }
    }
}

TEST(JointGeometry, NumberOfRowsLeavesTheRightFreedom) {
    const std::pair<JointKind, int> rows[] = {{JointKind::kFixed, 6},
                                              {JointKind::kRevolute, 5},
                                              {JointKind::kPrismatic, 5},
                                              {JointKind::kUniversal, 4},
                                              {JointKind::kSpherical, 3}};
    for (const auto& [kind, count] : rows) {
        const Pair pair = random_pair(kind, 0, 5);
        EXPECT_EQ(joint_geometry(pair.state, pair.joint, 1).rows, count);
    }
}

}  // namespace
}  // namespace stiction
