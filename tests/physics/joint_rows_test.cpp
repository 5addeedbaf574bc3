// Joints that are hard to hold: four-bars with a mimic, with doubled and with contradictory hinges,
// chains with large mass ratios, joints that start apart. They stay together under every model, or
// the status says that they do not.
#include <cmath>
#include <cstdio>

#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace {

// A square of three bars in the plane y = 0, hinged to the ground at its lower corners.
std::string four_bar(const std::string& coordinates, const std::string& last_hinge,
                     const std::string& more_joints) {
    return "version: 1\ncontact: {model: no_slip}\ncoordinates: " + coordinates + R"(
bodies:
  - {name: ab, mass: 1, position: [0, 0, 0.5], shape: {type: box, size: [0.05, 0.05, 1]}, mask: none}
  - {name: bc, mass: 1, position: [0.5, 0, 1], shape: {type: box, size: [1, 0.05, 0.05]}, mask: none}
  - {name: cd, mass: 1, position: [1, 0, 0.5], shape: {type: box, size: [0.05, 0.05, 1]}, mask: none}
joints:
  - {name: a, type: revolute, child: ab, anchor: [0, 0, 0], axis: [0, 1, 0]}
  - {name: b, type: revolute, child: bc, parent: ab, anchor: [0, 0, 1], axis: [0, 1, 0]}
  - {name: d, type: revolute, child: cd, anchor: [1, 0, 0], axis: [0, 1, 0])" +
           last_hinge + R"(}
  - {name: c, type: revolute, child: cd, parent: bc, anchor: [1, 0, 1], axis: [0, 1, 0]}
)" + more_joints;
}

// Largest total energy over the run less that at the start [J].
double most_gained(Simulation& sim, int steps, bool all_solved) {
    const double start = energy(sim.model, sim.state).total();
    double gained = 0;
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        gained = std::max(gained, energy(sim.model, sim.state).total() - start);
        if (all_solved) {
            EXPECT_EQ(sim.frame.solution.status, SolveStatus::kSolved) << "step " << i;
            EXPECT_LT(sim.frame.joints.position, 1e-6) << "step " << i;
        }
        if (testing::Test::HasFailure()) break;
    }
    return gained;
}

void expect_held(const std::string& text) {
    const SceneFiles files;
    const Scene scene = files.load(text);
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        Simulation sim = simulate(scene, make_contact_model(model));
        // Upright the square stands on its edge: 1e-6 J is what rounding tips it by in this time.
        EXPECT_LT(most_gained(sim, 300, true), 1e-6);
    }
}

// The angles at both feet are one by the loop and one by the mimic: a row that depends on others. A
// multiplier of 2 locks the mechanism.
TEST(JointRows, FourBarWithAMimic) {
    for (const std::string multiplier : {"1", "2", "-1"}) {
        SCOPED_TRACE("multiplier " + multiplier);
        expect_held(four_bar("reduced", ", mimic: {joint: a, multiplier: " + multiplier + "}", ""));
    }
}

TEST(JointRows, FourBarWithDoubledHinges) {
    for (const std::string coordinates : {"reduced", "maximal"}) {
        SCOPED_TRACE(coordinates);
        expect_held(four_bar(coordinates, "", R"(
  - {name: a2, type: revolute, child: ab, anchor: [0, 0, 0], axis: [0, 1, 0]}
  - {name: b2, type: revolute, child: bc, parent: ab, anchor: [0, 0, 1], axis: [0, 1, 0]}
  - {name: c2, type: revolute, child: cd, parent: bc, anchor: [1, 0, 1], axis: [0, 1, 0]}
)"));
    }
}

// Two hinges between the same two bars, at other points or about other axes: nothing can turn.
TEST(JointRows, FourBarWithContradictoryHinges) {
    for (const std::string coordinates : {"reduced", "maximal"}) {
        for (const std::string second :
             {"anchor: [1, 0, 0.9], axis: [0, 1, 0]", "anchor: [1, 0, 1], axis: [1, 1, 0]"}) {
            SCOPED_TRACE(coordinates + ": " + second);
            expect_held(four_bar(
                coordinates, "",
                "  - {name: c2, type: revolute, child: cd, parent: bc, " + second + "}\n"));
        }
    }
}

// Hinges that cannot both hold: the bar between them is 10 cm too short. Nothing gains energy, and
// no step says that it is solved.
TEST(JointRows, HingesThatCannotBothHoldAreReportedAsTorn) {
    const SceneFiles files;
    const Scene scene = files.load(R"(version: 1
contact: {model: no_slip}
bodies:
  - {name: bar, mass: 1, shape: {type: box, size: [1, 0.05, 0.05]}}
joints:
  - {name: left, type: revolute, child: bar, anchor: [-0.5, 0, 0], axis: [0, 1, 0]}
  - {name: right, type: revolute, child: bar, anchor: [0.5, 0, 0], axis: [0, 1, 0]}
)");
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        Simulation sim = simulate(scene, make_contact_model(model));
        sim.model.joints[1].frame_P.p.x() += 0.1;
        const double start = energy(sim.model, sim.state).total();
        for (int i = 0; i < 100; ++i) {
            ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
            ASSERT_EQ(sim.frame.solution.status, SolveStatus::kTorn) << "step " << i;
            ASSERT_EQ(sim.frame.solution.failures, 1);
            ASSERT_GT(sim.frame.joints.position, 0.04);
            ASSERT_LT(sim.frame.joints.position, 0.11);
            ASSERT_LT(energy(sim.model, sim.state).total() - start, 1e-6);
        }
    }
}

// Ten links of 10 cm let go from the horizontal, the masses as `mass` says of link i.
std::string chain(const std::string& mass) {
    return R"(version: 1
contact: {model: no_slip}
bodies:
  - {name: "l{i}", repeat: 10, mass: ")" +
           mass +
           R"y(", position: [0.05 + 0.1*i, 0, 0], shape: {type: box, size: [0.1, 0.02, 0.02]}, mask: none}
joints:
  - {name: first, type: revolute, child: l0, anchor: [0, 0, 0], axis: [0, 1, 0]}
  - {name: "j{i}", repeat: 9, type: revolute, child: "l{i+1}", parent: "l{i}", anchor: ["0.1*(i+1)", 0, 0], axis: [0, 1, 0]}
)y";
}

// Rows are solved to 1e-9 of the speeds and joints hold to a micrometre, under tension by a heavy end
// too.
TEST(JointRows, ChainsWithLargeMassRatiosHold) {
    const SceneFiles files;
    std::printf("%-12s %-16s %10s %12s %8s\n", "ratio", "model", "apart [m]", "left [m/s]",
                "unsolved");
    for (const std::string ratio : {"1e3", "1e6"}) {
        for (const std::string which : {"heavy end", "light end", "alternating"}) {
            const std::string heavy = which == "heavy end"   ? "max(0, i - 8)"
                                      : which == "light end" ? "max(0, 1 - i)"
                                                             : "mod(i, 2)";
            const Scene scene = files.load(chain("1 + (" + ratio + " - 1)*" + heavy));
            for (const std::string_view model : kContactModelNames) {
                SCOPED_TRACE(ratio + " " + which + " " + std::string(model));
                Simulation sim = simulate(scene, make_contact_model(model));
                double apart = 0, left = 0;
                int unsolved = 0;
                for (int i = 0; i < 5000; ++i) {
                    ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
                    const JointError& joints = sim.frame.joints;
                    if (sim.frame.solution.status != SolveStatus::kSolved) {
                        ++unsolved;
                        continue;
                    }
                    ASSERT_LE(joints.position, scene.step.joint_tolerance) << "step " << i;
                    apart = std::max(apart, joints.position);
                    left = std::max(left, joints.speed);
                }
                std::printf("%-3s %-11s %-16s %7.1e %12.1e %8d\n", ratio.c_str(), which.c_str(),
                            std::string(model).c_str(), apart, left, unsolved);
                EXPECT_EQ(unsolved, 0);
                EXPECT_LT(apart, 1e-6);
                EXPECT_LT(left, 1e-5);
            }
        }
    }
}

// Baumgarte's bias takes a tenth of the error in each step. Until it is below the tolerance the
// joint is torn, from then on solved.
TEST(JointRows, AJointThatIsPulledApartIsTornUntilItIsMended) {
    const SceneFiles files;
    const Scene scene = files.load(R"(version: 1
contact: {model: no_slip}
step: {stabilisation: baumgarte, baumgarte: 0.1, joint_tolerance: 0.002}
gravity: [0, 0, 0]
bodies: [{name: bar, mass: 1, shape: {type: box, size: [1, 0.05, 0.05]}}]
joints: [{name: left, type: revolute, child: bar, anchor: [-0.5, 0, 0], axis: [0, 1, 0]}]
)");
    Simulation sim = simulate(scene, scene.contact);
    sim.state.pose[0].p.z() += 0.01;
    // The error falls by a tenth each step: below 2 mm after 16 steps, ln 5 / ln (1 / 0.9) = 15.3.
    for (int i = 1; i <= 30; ++i) {
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_NEAR(sim.frame.joints.position, 0.01 * std::pow(0.9, i), 1e-6) << i;
        EXPECT_EQ(sim.frame.solution.status, i < 16 ? SolveStatus::kTorn : SolveStatus::kSolved);
    }
}

}  // namespace
}  // namespace stiction
