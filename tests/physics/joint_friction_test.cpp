// Joint friction of the arm under both laws [DS10, section V]: the program of the step, QP 4, and
// the force against the present velocity, (6).
#include <cmath>

#include "scene_runs.h"

namespace stiction {
namespace {

Simulation arm(bool as_force, double friction, double damping, double h) {
    const Scene scene = shipped_scene("arm", {{"friction", exactly(friction)},
                                              {"damping", exactly(damping)},
                                              {"as_force", as_force ? "1" : "0"},
                                              {"h", exactly(h)}});
    return simulate(scene, scene.contact);
}

std::vector<double> angles(const Simulation& sim) {
    std::vector<double> q;
    for (const Joint& joint : sim.model.joints)
        q.push_back(joint_coordinate(sim.state, joint).position);
    return q;
}

double fastest_hinge(const Simulation& sim) {
    double most = 0;
    for (const Joint& joint : sim.model.joints)
        most = std::max(most, std::abs(joint_coordinate(sim.state, joint).velocity));
    return most;
}

std::vector<double> angles_at(double time, bool as_force, double h) {
    Simulation sim = arm(as_force, 0.25, 0.1, h);
    take_steps(sim, static_cast<int>(std::lround(time / h)));
    return angles(sim);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

// The force at a step a thousand times smaller moves the arm as QP 4 does, up to the error of the
// larger step: halving that halves the distance.
TEST(JointFriction, AgreesWithTheForceAtAThousandthOfTheStep) {
    constexpr double kTime = 0.4;  // [s]
    const std::vector<double> law = angles_at(kTime, true, 1e-6);
    const double coarse = distance(angles_at(kTime, false, 1e-3), law);
    const double fine = distance(angles_at(kTime, false, 5e-4), law);
    EXPECT_LT(coarse, 0.005);
    EXPECT_GT(fine, 0.45 * coarse);
    EXPECT_LT(fine, 0.55 * coarse) << coarse << " " << fine;
}

// At our step the force overshoots: light hinges swing from side to side faster and faster.
TEST(JointFriction, TheForceIsUnstableAtOurStep) {
    Simulation qp = arm(false, 0.25, 0.1, 1e-3);
    Simulation law = arm(true, 0.25, 0.1, 1e-3);
    double most_qp = 0;
    double most_law = 0;
    for (int i = 0; i < 200; ++i) {
        take_steps(qp, 1);
        most_qp = std::max(most_qp, fastest_hinge(qp));
        if (step(law) == StepOutcome::kDone) most_law = std::max(most_law, fastest_hinge(law));
    }
    EXPECT_LT(most_qp, 10);
    EXPECT_GT(most_law, 1000);
}

// Friction of 5 N m holds the arm; as a force it shakes it.
TEST(JointFriction, TheForceDoesNotHold) {
    Simulation qp = arm(false, 5, 0, 1e-3);
    Simulation law = arm(true, 5, 0, 1e-3);
    double most_law = 0;
    for (int i = 0; i < 100; ++i) {
        take_steps(qp, 1);
        EXPECT_LT(fastest_hinge(qp), 1e-9);
        if (step(law) == StepOutcome::kDone) most_law = std::max(most_law, fastest_hinge(law));
    }
    EXPECT_GT(most_law, 10);
}

}  // namespace
}  // namespace stiction
