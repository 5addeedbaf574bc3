// A warm step allocates nothing, whatever the model: buffers are kept from step to step.
#include <gtest/gtest.h>

#include "allocation_count.h"
#include "physics/chain.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

void expect_no_allocation(const std::string& what, Simulation sim, int warm_up) {
    if (!kCountsAllocations) GTEST_SKIP() << "sanitizers bring their own malloc";
    for (int i = 0; i < warm_up; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    const long before = allocation_count();
    for (int i = 0; i < 50; ++i) (void)step(sim);
    EXPECT_EQ(allocation_count() - before, 0)
        << what << " with " << name(sim.contact_model) << " " << solver_name(sim.contact_model);
}

void expect_no_allocation(const std::string& scene, const Parameters& parameters,
                          const ContactModel& model, int warm_up) {
    expect_no_allocation(scene, simulate(shipped_scene(scene, parameters), model), warm_up);
}

TEST(Allocation, AWarmStepOfNoSlipAllocatesNothing) {
    expect_no_allocation("grasp", {{"boxes", "16"}}, NoSlip{}, 5);
    expect_no_allocation("stack", {}, NoSlip{}, 5);
    expect_no_allocation("islands", {}, NoSlip{}, 5);
    expect_no_allocation("pendulum", {}, NoSlip{}, 5);
    expect_no_allocation("motors", {}, NoSlip{}, 50);
}

TEST(Allocation, AWarmStepOfCoulombLcpAllocatesNothing) {
    expect_no_allocation("grasp", {}, CoulombLcp{}, 5);
    expect_no_allocation("ramp", {}, CoulombLcp{}, 5);  // slides: Lemke at every step
    expect_no_allocation("islands", {}, CoulombLcp{}, 5);
}

TEST(Allocation, AWarmStepOfSweepsAllocatesNothing) {
    expect_no_allocation("stack", {}, model_named("coulomb_cone", "pgs"), 20);
    expect_no_allocation("ramp", {}, model_named("coulomb_cone", "pgs"), 5);
}

TEST(Allocation, AWarmStepOfTheDenseRoutesAllocatesNothing) {
    expect_no_allocation("grasp", {}, model_named("no_slip", "ppm"), 5);
    expect_no_allocation("grasp", {}, model_named("coulomb_lcp", "lemke"), 20);
}

TEST(Allocation, AWarmStepAtTheAccelerationLevelAllocatesNothing) {
    Viscous model;
    model.level = ViscousLevel::kAcceleration;
    expect_no_allocation("grasp", {}, model, 5);
    expect_no_allocation("stack", {}, model, 5);
    expect_no_allocation("ramp", {}, model, 5);
    expect_no_allocation("pendulum", {}, model, 200);
    expect_no_allocation("motors", {}, model, 50);
    expect_no_allocation("arm", {}, model, 50);
    expect_no_allocation("stand", {}, model, 50);
}

TEST(Allocation, AWarmStepOfTreesAllocatesNothing) {
    for (const char* model :
         {"viscous", "no_slip", "coulomb_lcp", "max_dissipation", "friction_box", "coulomb_cone"}) {
        expect_no_allocation("stand", {}, model_named(model), 50);
        expect_no_allocation("arm", {}, model_named(model), 50);
        expect_no_allocation("quadruped_flat", {}, model_named(model), 2000);
    }
}

// Fast, under tension that is taken implicitly, and by halves of a step.
TEST(Allocation, AWarmStepOfAChainAllocatesNothing) {
    for (const bool reduced : {true, false}) {
        for (const Integrator integrator : {Integrator::kSymplecticEuler, Integrator::kMidpoint}) {
            Chain chain{.links = 10, .reduced = reduced, .integrator = integrator};
            expect_no_allocation("chain", hanging(chain), 50);
            chain.h = 1e-2;
            chain.last_mass = 100;
            expect_no_allocation("heavy chain", hanging(chain), 50);
        }
    }
}

TEST(Allocation, TheCounterCounts) {
    if (!kCountsAllocations) GTEST_SKIP() << "sanitizers bring their own malloc";
    const long before = allocation_count();
    const VecX x = VecX::Zero(100);
    const std::vector<int> y(100);
    EXPECT_EQ(allocation_count() - before, 2);
    EXPECT_EQ(x.size(), 100);
    EXPECT_EQ(y.size(), 100U);
}

}  // namespace
}  // namespace stiction
