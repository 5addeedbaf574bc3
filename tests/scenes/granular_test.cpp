// The granular scene with every model: the spheres stay in their box and hardly overlap.
#include "scenes/settling.h"

namespace stiction {
namespace {

TEST(Granular, FewSpheresFallWithEveryModel) {
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        expect_inside(settle(std::string(model), 120, 0.6));
    }
}

// Key after key in the window: whatever law is chosen, its answers are solved at the tolerance that the
// scene states, also while the pile falls and comes to rest.
TEST(Granular, AtTheStatedToleranceEveryStepIsSolved) {
    const Scene scene = shipped_scene("granular", {{"count", "400"}});
    const double stated = std::get<CoulombCone>(scene.contact).tolerance;
    ASSERT_NE(stated, CoulombCone{}.tolerance);
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        Simulation sim = simulate(scene, make_contact_model(model, scene.contact));
        const double start = energy(sim.model, sim.state).total();
        int unsolved = 0;
        double residual = 0, most = 0;
        for (int k = 0; k < 400; ++k) {
            ASSERT_EQ(step(sim), StepOutcome::kDone);
            unsolved += sim.frame.solution.status != SolveStatus::kSolved;
            residual = std::max(residual, sim.frame.solution.residual);
            most = std::max(most, energy(sim.model, sim.state).total());
        }
        EXPECT_EQ(unsolved, 0);
        EXPECT_LE(residual, stated);
        EXPECT_LE(most, start * (1 + 1e-9));
    }
}

}  // namespace
}  // namespace stiction
