// Rows that contradict one another: a box between two walls that close, a motor without limit
// against the limit of its joint, bodies that start inside one another. The answer is that of least
// squares: bounded, named `contradiction`, and without energy of its own.
#include <cmath>
#include <cstdio>

#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace {

// Boxes of 10 cm between two walls that close at 0.5 m/s each, from a gap of 1 cm.
std::string press(const std::string& boxes, const std::string& wall) {
    return R"(version: 1
contact: {model: no_slip}
materials: {default: {friction: 0.5, viscous: 10}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: left, kind: kinematic, position: [-)" +
           wall + R"(, 0, 0.2], velocity: [0.5, 0, 0], shape: {type: box, size: [0.2, 0.6, 0.6]}}
  - {name: right, kind: kinematic, position: [)" +
           wall + R"(, 0, 0.2], velocity: [-0.5, 0, 0], shape: {type: box, size: [0.2, 0.6, 0.6]}}
)" + boxes;
}

// By symmetry the least-squares answer is the box at rest, with both walls breaking their rows by
// their own speed of 0.5 m/s, which is the residual, over the largest speed.
TEST(Contradiction, ABoxBetweenTwoWallsThatClose) {
    const SceneFiles files;
    const Scene scene = files.load(press(
        "  - {name: box, mass: 1, position: [0, 0, 0.05], shape: {type: box, size: [0.1, 0.1, "
        "0.1]}}\n",
        "0.16"));
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        Simulation sim = simulate(scene, make_contact_model(model));
        for (int i = 1; i <= 120; ++i) {
            ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
            const ContactSolution& solution = sim.frame.solution;
            // The walls touch after 10 mm / 0.5 m/s = 20 steps.
            ASSERT_EQ(solution.status, i <= 20 ? SolveStatus::kSolved : SolveStatus::kContradiction)
                << "step " << i << ": " << name(solution.status);
            ASSERT_LT(sim.state.twist[3].v.norm(), 1e-3) << "step " << i;
            ASSERT_LT((sim.state.pose[3].p - Vec3(0, 0, 0.05)).norm(), 1e-4) << "step " << i;
            if (i > 20) {
                ASSERT_NEAR(solution.residual, 1, 1e-3);
                ASSERT_EQ(solution.failures, 1);
            }
        }
    }
}

// A pile of nine: what is squeezed may be thrown, but not at more than some ten times the speed of
// the walls.
TEST(Contradiction, ACrushedPileStaysBounded) {
    std::string boxes;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            boxes += "  - {name: box_" + std::to_string(3 * i + j) + ", mass: 1, position: [" +
                     exactly(0.101 * (i - 1)) + ", " + exactly(0.03 * j) + ", " +
                     exactly(0.05 + 0.1 * j) + "], shape: {type: box, size: [0.1, 0.1, 0.1]}}\n";
        }
    }
    const SceneFiles files;
    const Scene scene = files.load(press(boxes, "0.26"));
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        Simulation sim = simulate(scene, make_contact_model(model));
        double fastest = 0;
        int contradictions = 0;
        for (int i = 0; i < 40; ++i) {
            ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
            contradictions += sim.frame.solution.status == SolveStatus::kContradiction;
            for (const Twist& twist : sim.state.twist) fastest = std::max(fastest, twist.v.norm());
        }
        std::printf("%-16s fastest %6.2f m/s, %d of 40 steps contradict\n",
                    std::string(model).c_str(), fastest, contradictions);
        EXPECT_LT(fastest, 20);
        EXPECT_GT(contradictions, 0);
    }
}

// A sphere between a wall and the ground, inside both: no velocity leaves both at the speeds that
// remove the overlap and slides along neither. The polygon's friction is at its bound then; that of
// the no-slip answer, which leaves rows out, is not.
TEST(Contradiction, StickingThatCannotBeIsNoAnswerOfThePolygon) {
    const SceneFiles files;
    const Scene scene = files.load(R"(version: 1
gravity: [0, 0, 0]
contact: {model: coulomb_lcp, sides: 8, variant: stewart_trinkle}
step: {h: 0.01}
bodies:
  - {name: ground, kind: static, material: {friction: 0.5}, shape: {type: box, size: [4, 4, 1]}, position: [0, 0, -0.5]}
  - {name: wall, kind: static, position: [-0.35, 0, 0.5], material: {friction: 0.5}, shape: {type: box, size: [0.1, 0.8, 1]}}
  - {name: ball, position: [-0.29, 0, 0.015], mass: 1, material: {friction: 0.5}, shape: {type: sphere, radius: 0.02}}
)");
    Simulation sim = simulate(scene, scene.contact);
    ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
    const ContactSolution& solution = sim.frame.solution;
    EXPECT_EQ(solution.status, SolveStatus::kSolved);
    ASSERT_EQ(solution.c_n.size(), 2);
    const double least = 0.5 * std::cos(std::numbers::pi / 8);  // of the polygon
    for (int i = 0; i < 2; ++i) {
        ASSERT_GT(solution.c_n[i], 0);
        EXPECT_GT(std::hypot(solution.c_s[i], solution.c_t[i]), 0.999 * least * solution.c_n[i]);
    }
}

// Motor and limit act on one coordinate with the same weight: each gets half of what it wants, and
// the projection puts the joint back to its limit. In both coordinates and under every model.
TEST(Contradiction, AMotorWithoutLimitAgainstTheLimitOfItsJoint) {
    const SceneFiles files;
    for (const std::string coordinates : {"maximal", "reduced"}) {
        const Scene scene =
            files.load("version: 1\ncontact: {model: no_slip}\ncoordinates: " + coordinates + R"(
bodies:
  - {name: arm, mass: 1, position: [0.5, 0, 0], shape: {type: box, size: [1, 0.05, 0.05]}}
joints:
  - {name: a, type: revolute, child: arm, anchor: [0, 0, 0], axis: [0, 1, 0], limits: [-0.5, 0.1], motor: {velocity: 2}}
)");
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(coordinates + " " + std::string(model));
            Simulation sim = simulate(scene, make_contact_model(model));
            for (int i = 1; i <= 150; ++i) {
                ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
                const JointCoordinate joint = joint_coordinate(sim.state, sim.model.joints[0]);
                ASSERT_LT(joint.position, 0.1 + 1e-6) << "step " << i;
                if (i < 50) {  // 0.1 rad at 2 rad/s
                    ASSERT_EQ(sim.frame.solution.status, SolveStatus::kSolved) << "step " << i;
                    ASSERT_NEAR(joint.velocity, 2, 1e-6);
                } else if (i > 52) {
                    ASSERT_EQ(sim.frame.solution.status, SolveStatus::kContradiction);
                    ASSERT_NEAR(joint.velocity, 1, 5e-3);
                }
            }
        }
    }
}

// A hundred at one point in the air. Of a step's way of a body all but h v is overlap that is
// removed: at most h max_depenetration, in every step and for every body, while velocities stay
// those of the fall. They end as a cluster that is no longer one way than another.
TEST(Contradiction, SpheresThatStartAtOnePointPartGently) {
    const SceneFiles files;
    const Scene scene = files.load(R"(version: 1
contact: {model: no_slip}
step: {max_depenetration: 5}
materials: {default: {friction: 0.5, viscous: 10}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: s, repeat: 100, mass: 1, position: [0, 0, 1], shape: {type: sphere, radius: 0.05}}
)");
    const double h = scene.step.h, most = h * scene.step.max_depenetration;
    const int steps = 100;
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        Simulation sim = simulate(scene, make_contact_model(model));
        double farthest = 0;
        for (int i = 1; i <= steps; ++i) {
            const State before = sim.state;
            ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
            for (std::size_t b = 1; b < sim.state.twist.size(); ++b) {
                const Vec3& v = sim.state.twist[b].v;
                ASSERT_LT((v - Vec3(0, 0, -kGravity * i * h)).norm(), 1e-9) << "step " << i;
                const Vec3 way = sim.state.pose[b].p - before.pose[b].p - h * v;
                ASSERT_LT(way.norm(), most * (1 + 1e-9)) << "step " << i << " sphere " << b;
                farthest = std::max(farthest, way.norm());
            }
        }
        Eigen::AlignedBox3d box;
        for (std::size_t b = 1; b < sim.state.pose.size(); ++b) box.extend(sim.state.pose[b].p);
        const Vec3 extents = box.sizes();
        std::printf("%-16s extents %.3f %.3f %.3f m, deepest overlap %.1e m\n",
                    std::string(model).c_str(), extents.x(), extents.y(), extents.z(),
                    deepest_overlap(sim));
        EXPECT_GT(farthest, 0.9 * most);  // they do part as fast as they may
        // 100 spheres of 5 cm as dense as a heap fill a cube of 0.44 m between their centres.
        EXPECT_LT(extents.maxCoeff(), 2 * extents.minCoeff());
        EXPECT_LT(extents.maxCoeff(), 1);
        EXPECT_GT(extents.minCoeff(), 0.3);
    }
}

// Friction of 1e6 is no slip.
TEST(Contradiction, VeryLargeFrictionSticks) {
    const SceneFiles files;
    const Scene scene = files.load(R"(version: 1
contact: {model: coulomb_cone}
materials: {default: {friction: 1e6}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: a, mass: 1, position: [0, 0, 0.08], orientation: {rpy_deg: [10, 20, 0]}, velocity: [1, 0, 0], shape: {type: box, size: [0.1, 0.1, 0.1]}}
  - {name: b, mass: 1, position: [0.02, 0, 0.25], velocity: [0, 0.5, 0], shape: {type: box, size: [0.1, 0.1, 0.1]}}
)");
    Simulation sim = simulate(scene, scene.contact);
    Simulation sticking = simulate(scene, make_contact_model("no_slip"));
    for (int i = 0; i < 200; ++i) {
        take_steps(sim, 1);
        take_steps(sticking, 1);
        ASSERT_LT(deepest_overlap(sim), 1e-4) << "step " << i;
    }
    for (std::size_t b = 1; b < 3; ++b) {
        EXPECT_LT((sim.state.pose[b].p - sticking.state.pose[b].p).norm(), 1e-3);
    }
}

}  // namespace
}  // namespace stiction
