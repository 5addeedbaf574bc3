// hands.h - runs a grasping hand to its end and says how far it has lifted the glass.
#pragma once

#include <string>

#include "scene_runs.h"

namespace stiction {

inline constexpr double kHandLift = 0.1;  // of the hand, parameter `lift` [m]

// friction: of hand and glass. All steps must be solved, and nothing may overlap by more than two
// tenths of a millimetre.
inline double lift_glass(const std::string& hand, const std::string& model, double friction,
                         const Parameters& more = {}) {
    Parameters parameters = more;
    parameters.emplace_back("friction", exactly(friction));
    const Scene scene = shipped_scene(hand, parameters);
    const ContactModel contact =
        name(scene.contact) == model ? scene.contact : make_contact_model(model);
    Simulation sim = simulate(scene, contact);
    const std::size_t glass = glass_of(scene.model);
    const double before = sim.state.pose[glass].p.z();
    double depth = 0;
    for (int i = 0; i < static_cast<int>(scene.duration / scene.step.h + 0.5); ++i) {
        take_steps(sim, 1);
        if (testing::Test::HasFatalFailure()) break;
        depth = std::max(depth, deepest_overlap(sim));
    }
    EXPECT_LT(depth, 2e-4);
    return sim.state.pose[glass].p.z() - before;
}

// Rubber holds, plastic slips; the glass may end tilted against a finger.
inline void expect_rubber_holds_and_plastic_slips(const std::string& hand, const std::string& model,
                                                  const Parameters& more = {}) {
    SCOPED_TRACE(hand + " with " + model);
    EXPECT_NEAR(lift_glass(hand, model, 1.0, more), kHandLift, 0.002);
    EXPECT_NEAR(lift_glass(hand, model, 0.2, more), 0, 0.01);
}

}  // namespace stiction
