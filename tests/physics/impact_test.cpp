// impact_test.cpp - Painleve's rod: where accelerations have no answer, every model has one.
//
// A uniform rod of mass m and half length a slides over the ground on its lower end, which goes
// ahead of its centre, at the angle theta to the ground. With s, c = sin, cos of theta, in units of
// 1/m, a normal impulse opens the gap at the rate A_nn = 1 + 3 c^2, and friction against the
// sliding closes it at A_nt = 3 s c. For
//   mu > mu_P = (1 + 3 c^2) / (3 s c)
// sliding friction pushes the end down harder than the normal impulse lifts it, and no acceleration
// will do. A step has an answer: a tangential impact that stops the end.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "problem/link_motion.h"
#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

constexpr double kTheta = 1.0;     // [rad]
constexpr double kSpeed = 1.0;     // [m/s]
constexpr double kStep = 1e-3;     // [s]
constexpr double kFall = 9.81e-3;  // h g, and the impulse of the weight [m/s, N s]

// Rates of the end's velocity per impulse, m = 1.
const double kNormal = 1 + 3 * std::cos(kTheta) * std::cos(kTheta);
const double kTangent = 1 + 3 * std::sin(kTheta) * std::sin(kTheta);
const double kCross = 3 * std::sin(kTheta) * std::cos(kTheta);
const double kCritical = kNormal / kCross;

// A spindle with the inertia of a thin rod, so that it touches with a point. Its tip goes to -x.
constexpr const char* kRod = R"(version: 1
parameters: {mu: 1, theta: 1, speed: 1, h: 0.001}
contact: {model: coulomb_lcp}
step: {h: h}
materials: {default: {friction: mu}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - name: rod
    mass: 1
    inertia: [1e-4, 1/12, 1/12]
    com: [0, 0, 0]
    position: [0, 0, sin(theta)/2]
    orientation: {axis: [0, -1, 0], angle: theta}
    velocity: [-speed, 0, 0]
    shape:
      type: hull
      points: [[-0.5, 0, 0], [0.5, 0, 0], [0, 0.01, 0], [0, -0.01, 0], [0, 0, 0.01], [0, 0, -0.01]]
)";

Scene sliding_rod(double mu) {
    SceneOverrides overrides;
    overrides.parameters = {{"mu", exactly(mu)},
                            {"theta", exactly(kTheta)},
                            {"speed", exactly(kSpeed)},
                            {"h", exactly(kStep)}};
    return SceneFiles().load(kRod, overrides);
}

// Normal impulse of the first step over the weight's, and the speed at which the tip slides on, as
// the law of the model has them.
struct Answer {
    double normal = 0;
    double slip = 0;
};

Answer expected(std::string_view model, double mu) {
    const double frictionless = kFall / kNormal;
    double normal = frictionless, friction = 0;  // impulse along +x
    if (model == "no_slip" || (mu > kCritical && model.starts_with("coulomb"))) {
        // [kNormal -kCross; -kCross kTangent] (normal, friction) = (kFall, kSpeed)
        const double det = kNormal * kTangent - kCross * kCross;
        return {(kTangent * kFall + kCross * kSpeed) / det / kFall, 0};
    }
    if (model.starts_with("coulomb")) {  // friction = mu normal
        normal = kFall / (kNormal - mu * kCross);
        friction = mu * normal;
    }
    if (model == "friction_box") {  // bounded by the impulse without friction
        friction = mu * frictionless;
        normal = (kFall + kCross * friction) / kNormal;
    }
    // max_dissipation: the sum of normal impulses may not exceed that without friction, so there is
    // none left to hold the end up against friction.
    return {normal / kFall, kSpeed - kTangent * friction + kCross * normal};
}

Answer measured(const Simulation& sim) {
    const ContactProblem& problem = sim.frame.problem;
    EXPECT_EQ(problem.contacts.size(), 1U);
    const ContactRow& contact = problem.contacts[0];
    const Vec6 u = link_velocity(problem.system, problem.system.links[0], sim.frame.solution.v);
    EXPECT_GE(contact.n.dot(u) + contact.bias, -1e-6);  // the loosest tolerance, max_dissipation
    return {sim.frame.solution.c_n[0] / kFall, std::hypot(contact.s.dot(u), contact.t.dot(u))};
}

std::vector<std::string> solvers_of(std::string_view model) {
    const auto list = [](const auto& names) {
        return std::vector<std::string>(names.begin(), names.end());
    };
    if (model == "viscous") return list(kViscousSolverNames);
    if (model == "no_slip") return list(kNoSlipSolverNames);
    if (model == "coulomb_lcp") return list(kCoulombLcpSolverNames);
    if (model == "max_dissipation") return list(kMaxDissipationSolverNames);
    if (model == "friction_box") return list(kFrictionBoxSolverNames);
    return list(kCoulombConeSolverNames);
}

// Half and one and a half times the critical friction, every model with every solver. What was
// fallen in the step counts towards the energy there was.
TEST(PainlevesRod, EveryModelAndSolverHasTheFiniteAnswerOfItsLaw) {
    for (const double share : {0.5, 1.5}) {
        const double mu = share * kCritical;
        std::printf("Painleve's rod, mu %.3f (critical %.3f): first step\n", mu, kCritical);
        std::printf("%-16s %-15s %-8s %12s (%7s) %10s %12s\n", "model", "solver", "status",
                    "c_n/(m g h)", "law", "slip [m/s]", "energy [J]");
        for (const std::string_view model : kContactModelNames) {
            const Answer law = expected(model, mu);
            for (const std::string& solver : solvers_of(model)) {
                Simulation sim = simulate(sliding_rod(mu), model_named(std::string(model), solver));
                const double before = energy(sim.model, sim.state).total();
                ASSERT_EQ(step(sim), StepOutcome::kDone) << model << " " << solver;
                const Answer answer = measured(sim);
                const Energy after = energy(sim.model, sim.state);
                const std::string status(name(sim.frame.solution.status));
                std::printf("%-16s %-15s %-8s %12.4f (%7.4f) %10.2e %12.6f\n",
                            std::string(model).c_str(), solver.c_str(), status.c_str(),
                            answer.normal, law.normal, answer.slip, after.kinetic);
                EXPECT_EQ(status, "solved") << model << " " << solver;
                EXPECT_NEAR(answer.normal, law.normal, 1e-5 * law.normal) << model << " " << solver;
                EXPECT_NEAR(answer.slip, law.slip, 1e-5) << model << " " << solver;
                EXPECT_LE(after.total(), before) << model << " " << solver;
            }
        }
    }
}

// Until it lies on the ground: the paradox may come again, but energy never grows.
TEST(PainlevesRod, FallsOverWithoutGainingEnergy) {
    for (const std::string_view model : kContactModelNames) {
        Simulation sim = simulate(sliding_rod(1.5 * kCritical), make_contact_model(model));
        double last = energy(sim.model, sim.state).total(), gain = 0;
        for (int i = 0; i < 1000; ++i) {
            take_steps(sim, 1);
            const double now = energy(sim.model, sim.state).total();
            gain = std::max(gain, now - last);
            last = now;
        }
        std::printf("%-16s largest gain of energy in a step %8.1e J, height at the end %.4f m\n",
                    std::string(model).c_str(), gain, sim.state.pose[1].p.z());
        EXPECT_LT(gain, 1e-9) << model;
        EXPECT_LT(sim.state.pose[1].p.z(), 0.02) << model;  // it lies
    }
}

}  // namespace
}  // namespace stiction
