// A capsule pinched between two pads: how fast it sinks under each model, at both ends of the range
// of grips. Models with dry friction hold it; viscous friction cannot.
#include <cstdio>

#include "scene_runs.h"

namespace stiction {
namespace {

constexpr double kMaxCreep = 1e-9;  // [m/s]; other engines have 1e-6 to 2e-3

// Mean speed of the capsule from 1 s to 5 s, over which rounding can add up [m/s].
double creep(const std::string& model, const std::string& grip) {
    Scene scene = shipped_scene("creep", {{"grip", grip}});
    // The scene's own settings are those of its own model.
    const ContactModel chosen = model == name(scene.contact) ? scene.contact : model_named(model);
    Simulation sim = simulate(scene, chosen);
    const std::size_t capsule = body_named(sim.model, "capsule");
    const auto second = static_cast<int>(std::lround(1 / scene.step.h));
    take_steps(sim, second);
    const Vec3 from = sim.state.pose[capsule].p;
    take_steps(sim, 4 * second);
    return (sim.state.pose[capsule].p - from).norm() / 4;
}

TEST(Creep, DryFrictionHoldsTheCapsule) {
    for (const char* grip : {"12", "60"}) {
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(model);
            const double speed = creep(std::string(model), grip);
            std::printf("%s N, %-16s %.2e um/s\n", grip, std::string(model).c_str(), 1e6 * speed);
            if (model == "viscous") {
                EXPECT_GT(speed, 1);
            } else {
                EXPECT_LT(speed, kMaxCreep);
            }
        }
    }
}

}  // namespace
}  // namespace stiction
