// The account of energy against closed forms, and that it closes; energy_account.h has the
// identity.
#include <cmath>
#include <numbers>

#include "allocation_count.h"
#include "scene/scene_files.h"
#include "step/account_runs.h"

namespace stiction {
namespace {

Simulation with_account(const Scene& scene, const ContactModel& model) {
    Simulation sim = simulate(scene, model);
    sim.keep_account = true;
    return sim;
}

// Symplectic Euler: v+ = v - g h, z+ = z + h v+, so a step loses exactly m g^2 h^2 / 2.
TEST(EnergyAccount, FreeFallLosesWhatTheIntegratorLoses) {
    const Scene scene = SceneFiles().load(R"(version: 1
contact: {model: no_slip}
bodies: [{name: ball, mass: 2, position: [0, 0, 5], velocity: [1, 0, 3], shape: {type: sphere, radius: 0.1}}]
)");
    Simulation sim = with_account(scene, scene.contact);
    const double h = scene.step.h, loss = 0.5 * 2 * kGravity * kGravity * h * h;
    for (int i = 0; i < 20; ++i) {
        const double z = sim.state.pose[0].p.z();
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_NEAR(sim.frame.account.gravity, 2 * kGravity * (z - sim.state.pose[0].p.z()), 1e-12);
        EXPECT_NEAR(sim.frame.account.integrator, -loss, 1e-12);
        EXPECT_NEAR(sim.frame.account.integrator_excess, 0, 1e-12);  // by its formula
        EXPECT_NEAR(sim.frame.account.unexplained, 0, 1e-12);
    }
}

// A pendulum in maximal coordinates swings: T + V does too, by h/2 of the power of gravity, and every
// step of it is the formula's. The midpoint rule has none: all of its own counts.
TEST(EnergyAccount, WhatTheIntegratorMakesBeyondItsFormula) {
    Scene scene = shipped_scene("pendulum");
    Simulation sim = with_account(scene, scene.contact);
    double swing = 0, sum = 0, excess = 0;
    for (int i = 0; i < 500; ++i) {
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        sum += sim.frame.account.integrator;
        swing = std::max(swing, std::abs(sum));
        excess += std::abs(sim.frame.account.integrator_excess);
        EXPECT_EQ(sim.frame.account.mover, 0);
    }
    EXPECT_GT(swing, 1e-3);
    EXPECT_LT(excess, 1e-10);
    scene.step.integrator = Integrator::kMidpoint;
    Simulation second = with_account(scene, scene.contact);
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(step(second), StepOutcome::kDone);
        EXPECT_EQ(second.frame.account.integrator_excess, second.frame.account.integrator);
    }
}

// A box slides: friction does mu m g times the way by the mean of the velocities, and what falls is
// stopped by the ground: contact takes back the weight's impulse at half the speed it gives.
TEST(EnergyAccount, SlidingBox) {
    const Scene scene = SceneFiles().load(R"(version: 1
contact: {model: coulomb_cone}
materials: {default: {friction: 0.3}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: box, mass: 2, position: [0, 0, 0.05], velocity: [1, 0, 0], shape: {type: box, size: [0.1, 0.1, 0.1]}}
)");
    Simulation sim = with_account(scene, scene.contact);
    const double h = scene.step.h, a = 0.3 * kGravity;
    for (int i = 0; i < 100; ++i) {
        const double mean = 1 - a * h * (i + 0.5);
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        EXPECT_NEAR(sim.frame.account.contact, -2 * a * h * mean, 1e-8);
        EXPECT_NEAR(sim.frame.account.unexplained, 0, 1e-12);
    }
}

// A kinematic wall pushes a box over a smooth floor: the wall does m v^2 of work, of which half is
// lost in the inelastic impact. A spring of the scene, drag and a motor pay for the rest.
TEST(EnergyAccount, EveryTermIsWhatItSays) {
    const Scene scene = SceneFiles().load(R"(version: 1
contact: {model: no_slip}
gravity: [0, 0, 0]
bodies:
  - {name: wall, kind: kinematic, velocity: [0.5, 0, 0], shape: {type: box, size: [0.1, 1, 1]}}
  - {name: box, mass: 3, position: [0.1, 0, 0], shape: {type: box, size: [0.1, 0.1, 0.1]}}
  - {name: dragged, mass: 1, position: [0, 5, 0], velocity: [2, 0, 0], linear_damping: 0.7, shape: {type: sphere, radius: 0.1}}
  - {name: pushed, mass: 1, position: [0, 9, 0], shape: {type: sphere, radius: 0.1}}
  - {name: wheel, mass: 1, position: [0, 12, 0], shape: {type: cylinder, radius: 0.2, length: 0.1}}
joints: [{name: axle, type: revolute, child: wheel, axis: [0, 0, 1], motor: {velocity: 3}}]
forces: [{body: pushed, force: [4, 0, 0]}]
)");
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        Simulation sim = with_account(scene, make_contact_model(model));
        const double h = scene.step.h;
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        const EnergyAccount& x = sim.frame.account;
        EXPECT_NEAR(x.prescribed, 3 * 0.5 * 0.5, 1e-6);
        EXPECT_NEAR(x.contact, -0.5 * 3 * 0.5 * 0.5, 1e-6);
        EXPECT_NEAR(x.motors, 0.5 * (0.5 * 0.2 * 0.2) * 3 * 3, 1e-6);
        EXPECT_NEAR(x.scripts, 0.5 * (4 * h) * (4 * h), 1e-12);
        EXPECT_NEAR(x.damping, 0.5 * 4 * std::expm1(-2 * 0.7 * h), 1e-12);
        EXPECT_NEAR(x.unexplained, 0, 1e-9);
    }
}

// Joint friction stops a wheel within one step: all of its energy.
TEST(EnergyAccount, JointFriction) {
    const Scene scene = SceneFiles().load(R"(version: 1
contact: {model: no_slip}
gravity: [0, 0, 0]
bodies: [{name: wheel, mass: 1, angular_velocity: [0, 0, 2], shape: {type: cylinder, radius: 0.2, length: 0.1}}]
joints: [{name: axle, type: revolute, child: wheel, axis: [0, 0, 1], friction: 1000}]
)");
    Simulation sim = with_account(scene, scene.contact);
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    EXPECT_NEAR(sim.frame.account.joint_friction, -0.5 * (0.5 * 0.2 * 0.2) * 4, 1e-9);
    EXPECT_NEAR(sim.frame.account.unexplained, 0, 1e-12);
}

// Impulses and velocities that do not belong together are found, and the body is named; so is energy
// that an answer has beyond its law.
TEST(EnergyAccount, WhatDoesNotFitIsUnexplained) {
    const Scene scene = SceneFiles().load(R"(version: 1
contact: {model: no_slip}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: still, mass: 1, position: [1, 0, 0.1], shape: {type: sphere, radius: 0.1}}
  - {name: falling, mass: 1, position: [0, 0, 0.1], velocity: [0, 0, -2], shape: {type: sphere, radius: 0.1}}
)");
    Simulation sim = with_account(scene, scene.contact);
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    EXPECT_NEAR(sim.frame.account.unexplained, 0, 1e-12);
    const double c = sim.frame.solution.c_n[1];
    ASSERT_NEAR(c, 2 + kGravity * scene.step.h, 1e-9);
    sim.frame.solution.c_n[1] = 1.5 * c;  // a push that the velocity knows nothing of
    const EnergyAccount more = account_energy(sim, sim.account_workspace);
    EXPECT_NEAR(more.unexplained, 0.5 * c * 1, 1e-9);  // against the mean velocity of -1 m/s
    EXPECT_EQ(sim.model.bodies[at(more.body)].name, "falling");
    sim.frame.solution.c_n[1] =
        3 * c;  // thrown back at twice the speed, impulse and velocity agree
    sim.frame.solution.v[8] += 2 * c;
    const EnergyAccount thrown = account_energy(sim, sim.account_workspace);
    EXPECT_NEAR(thrown.unexplained, 0.5 * (4 - 1) * c * c, 1e-9);
    EXPECT_EQ(sim.model.bodies[at(thrown.body)].name, "falling");
}

TEST(EnergyAccount, ClosesOverSomeScenesAndAllModels) {
    expect_closed({"stack", "ramp", "chain", "arm", "grasp", "motors", "stand"}, 40);
}

TEST(EnergyAccount, AllocatesNothingOnceWarm) {
    if (!kCountsAllocations) GTEST_SKIP() << "sanitizers bring their own malloc";
    const Scene scene = shipped_scene("arm");
    Simulation sim = with_account(scene, scene.contact);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    const long before = allocation_count();
    for (int i = 0; i < 50; ++i) (void)step(sim);
    EXPECT_EQ(allocation_count() - before, 0);
}

}  // namespace
}  // namespace stiction
