// piles.cpp - the piles and their frames.
#include "pile_bench/piles.h"

#include <cmath>
#include <stdexcept>

#include "scene/scene.h"

namespace stiction {

namespace {

constexpr CoulombCone kRecorded = {.tolerance = 1e-4, .max_iterations = 300};

}  // namespace

const std::vector<PileCase>& pile_cases() {
    static const std::vector<PileCase> kCases = [] {
        std::vector<PileCase> cases;
        for (const char* count : {"250", "400", "1001", "4004"})
            cases.push_back({"spheres" + std::string(count),
                             STICTION_SOURCE_SCENES "/granular.yaml",
                             {{"count", count}},
                             2});
        cases.push_back({"cubes300", STICTION_PILE_SHAPES, {{"cubes", "300"}}, 1.5});
        cases.push_back({"cubes1000", STICTION_PILE_SHAPES, {{"cubes", "1000"}}, 1.5});
        cases.push_back({"capsules600", STICTION_PILE_SHAPES, {{"capsules", "600"}}, 1.5});
        return cases;
    }();
    return kCases;
}

Simulation start_pile(const PileCase& pile, const ContactModel& model, double h) {
    SceneOverrides overrides;
    overrides.parameters = pile.parameters;
    Scene scene = load_scene(pile.scene, overrides);
    if (h > 0) scene.step.h = h;
    return make_simulation(std::move(scene.model), std::move(scene.state),
                           std::move(scene.controls), model, scene.step, /*threads=*/1);
}

std::vector<PileFrame> record_fall(const PileCase& pile, double h, int stride) {
    Simulation sim = start_pile(pile, kRecorded, h);
    std::vector<PileFrame> frames;
    const auto steps = std::lround(pile.seconds / sim.settings.h);
    Guess before;
    for (long i = 0; i < steps; ++i) {
        const Guess guess = sim.guess;
        if (step(sim) != StepOutcome::kDone) throw std::runtime_error(describe_failure(sim));
        if (i % stride == 0) frames.push_back({sim.frame.problem, guess, before, sim.state.time});
        before = guess;
    }
    return frames;
}

}  // namespace stiction
