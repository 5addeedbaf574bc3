// budget_test.cpp - a budget in iterations or in wall-clock time: the best iterate comes back with
// status budget, whatever the model and its solver; without one nothing changes.
#include <gtest/gtest.h>

#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

const std::vector<std::string> kModels = {"viscous",         "no_slip",      "coulomb_lcp",
                                          "max_dissipation", "friction_box", "coulomb_cone"};

ContactModel with_budget(ContactModel model, int iterations) {
    std::visit([&](auto& m) { m.max_iterations = iterations; }, model);
    return model;
}

// Every model with every solver it has.
std::vector<ContactModel> all_models() {
    std::vector<ContactModel> all;
    const auto add = [&](const std::string& model, const auto& solvers) {
        for (const std::string_view solver : solvers)
            all.push_back(model_named(model, std::string(solver)));
    };
    add("viscous", kViscousSolverNames);
    add("no_slip", kNoSlipSolverNames);
    add("coulomb_lcp", kCoulombLcpSolverNames);
    add("max_dissipation", kMaxDissipationSolverNames);
    add("friction_box", kFrictionBoxSolverNames);
    add("coulomb_cone", kCoulombConeSolverNames);
    Viscous accelerations;
    accelerations.level = ViscousLevel::kAcceleration;
    all.emplace_back(accelerations);
    return all;
}

std::string label(const ContactModel& model) {
    return std::string(name(model)) + " " + std::string(solver_name(model));
}

struct Outcome {
    std::uint64_t hash = 0;
    int solved = 0, budget = 0, other = 0;  // steps by status
    int most_iterations = 0;                // of an island
};

Outcome run(const Scene& scene, const ContactModel& model, int steps, int threads = 1) {
    Simulation sim = simulate(scene, model, threads);
    Outcome result;
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        const ContactSolution& solution = sim.frame.solution;
        ++(solution.status == SolveStatus::kSolved   ? result.solved
           : solution.status == SolveStatus::kBudget ? result.budget
                                                     : result.other);
        for (const IslandResult& island : solution.islands)
            result.most_iterations = std::max(result.most_iterations, island.iterations);
    }
    result.hash = state_hash(sim.state);
    return result;
}

// Bricks fall on a floor and on one another, spheres into a box: no model gets away with one or
// two iterations.
const Scene& pile() {
    static const Scene scene = shipped_scene("granular", {{"count", "160"}, {"radius", "0.045"}});
    return scene;
}

TEST(IterationBudget, EndsEveryModelWithStatusBudget) {
    constexpr int kBudget = 2;
    for (const std::string& name : kModels) {
        const ContactModel model = with_budget(model_named(name), kBudget);
        const Outcome one = run(pile(), model, 150);
        EXPECT_GT(one.budget, 0) << name;
        EXPECT_EQ(one.other, 0) << name;
        // All rungs together, one iteration of a rung that starts with nothing left, and the safe
        // one, which has as many again.
        EXPECT_LE(one.most_iterations, 2 * kBudget + 1) << name;
        EXPECT_EQ(run(pile(), model, 150, 2).hash, one.hash) << name;
    }
}

TEST(IterationBudget, ALargeOneChangesNothing) {
    for (const std::string& name : kModels) {
        const Outcome free = run(pile(), with_budget(model_named(name), 0), 60);
        const Outcome bounded = run(pile(), with_budget(model_named(name), 1'000'000), 60);
        EXPECT_EQ(bounded.hash, free.hash) << name;
        EXPECT_EQ(bounded.budget, 0) << name;
    }
}

TEST(TimeBudget, EndsEveryModelAndSolverWithAFiniteState) {
    for (const auto& [name, parameters] : std::vector<std::pair<std::string, Parameters>>{
             {"granular", {{"count", "60"}, {"radius", "0.045"}}},
             {"wall", {}},
             {"chain", {}},
             {"motors", {}},
             {"bounce", {}}}) {
        Scene scene = shipped_scene(name, parameters);
        scene.step.time_budget = 1e-9;
        for (const ContactModel& model : all_models()) {
            const Outcome late = run(scene, model, 50);
            EXPECT_EQ(late.other, 0) << name << ", " << label(model);
        }
    }
}

TEST(TimeBudget, SaysThatItEndedTheSolve) {
    Scene scene = pile();
    scene.step.time_budget = 1e-9;
    for (const std::string& name : kModels) {
        const Outcome late = run(scene, model_named(name), 100);
        EXPECT_GT(late.budget, 0) << name;
        EXPECT_EQ(late.other, 0) << name;
    }
}

TEST(TimeBudget, OneThatIsNotReachedChangesNothing) {
    for (const std::string& name : kModels) {
        Scene scene = pile();
        const Outcome free = run(scene, model_named(name), 60);
        scene.step.time_budget = 1e6;
        EXPECT_EQ(run(scene, model_named(name), 60).hash, free.hash) << name;
    }
}

}  // namespace
}  // namespace stiction
