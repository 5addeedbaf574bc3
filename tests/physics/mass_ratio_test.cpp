// mass_ratio_test.cpp - a heavy box on a light one, up to 10 000 times its mass: the stack stands
// under every model. Up to 1e12 times: it does not sink. Residuals and creep are printed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "metrics/step_quality.h"
#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// The upper box stands 1 cm off the middle and drops the last 0.1 mm.
constexpr const char* kStack = R"(version: 1
parameters: {ratio: 1}
contact: {model: coulomb_cone}
step: {h: 0.001}
materials: {default: {friction: 0.5, viscous: 10}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: light, mass: 1, position: [0, 0, 0.05], shape: {type: box, size: [0.1, 0.1, 0.1]}}
  - {name: heavy, mass: ratio, position: [0.01, 0, 0.1501], shape: {type: box, size: [0.1, 0.1, 0.1]}}
)";

struct Standing {
    double residual = 0;  // of the model's own law, largest over the steps
    double creep = 0;     // tangential speed of resting contacts in the last step [m/s]
    double scaled = 0;    // Coulomb residual of the last step [-]
    double sideways = 0;  // largest way of a box over the ground [m]
    double sunk = 0;      // largest loss of height from the second half second on [m]
    double tilt = 0;      // largest [rad]
    int unsolved = 0;     // steps
};

Standing stand(const Scene& scene, const ContactModel& model) {
    Simulation sim = simulate(scene, model);
    Standing result;
    const int steps = 1000;
    std::vector<double> height;
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        if (sim.frame.solution.status != SolveStatus::kSolved) ++result.unsolved;
        result.residual = std::max(result.residual, sim.frame.solution.residual);
        for (std::size_t b = 1; b < 3; ++b) {
            const Pose& pose = sim.state.pose[b];
            const double level = 0.1 * static_cast<double>(b) - 0.05;
            result.sunk = std::max(result.sunk, level - pose.p.z());
            result.sideways =
                std::max(result.sideways, (pose.p - scene.state.pose[b].p).head<2>().norm());
            result.tilt =
                std::max(result.tilt, std::acos(std::min(1.0, (pose.q * Vec3::UnitZ()).z())));
        }
    }
    StepQualityWorkspace workspace;
    ContactQuality quality;
    measure_quality(sim.frame.problem, sim.frame.solution, {}, workspace, quality);
    result.creep = quality.creep.worst;
    result.scaled = quality.scaled.norm;
    return result;
}

TEST(MassRatio, AHeavyBoxStandsOnALightOne) {
    const SceneFiles files;
    std::printf("%-16s %6s %9s %9s %10s %10s %9s %9s %8s\n", "model", "ratio", "residual", "scaled",
                "creep[m/s]", "sideways", "sunk [m]", "tilt", "unsolved");
    for (const std::string_view model : kContactModelNames) {
        for (const double ratio : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
            SceneOverrides overrides;
            overrides.parameters = {{"ratio", exactly(ratio)}};
            const Standing s = stand(files.load(kStack, overrides), make_contact_model(model));
            std::printf("%-16s %6.0f %9.1e %9.1e %10.1e %10.1e %9.1e %9.1e %8d\n",
                        std::string(model).c_str(), ratio, s.residual, s.scaled, s.creep,
                        s.sideways, s.sunk, s.tilt, s.unsolved);
            EXPECT_LT(s.sunk, 1e-6) << model << " " << ratio;
            EXPECT_LT(s.tilt, 1e-4) << model << " " << ratio;
            EXPECT_EQ(s.unsolved, 0) << model << " " << ratio;
            if (model != "viscous") {
                EXPECT_LT(s.sideways, 1e-5) << model << " " << ratio;
                EXPECT_LT(s.creep, 1e-6) << model << " " << ratio;
            }
        }
    }
}

// The light box feels the difference of two impulses that are larger than its own momentum by the
// ratio: at 1e12 the spacing of doubles there, 2e-6 N s, is 2e-4 of g h, and no impulses solve the
// law to its tolerance. The heavy box does not sink under any model all the same, nor is the light
// one thrown out: where the law cannot be solved any more, sticking, or the answer without friction,
// holds it, and the step says that it is not solved.
TEST(MassRatio, AVeryHeavyBoxDoesNotSinkThroughALightOne) {
    const SceneFiles files;
    for (const std::string ratio : {"1e6", "1e9", "1e10", "1e12"}) {
        SceneOverrides overrides;
        overrides.parameters = {{"ratio", ratio}};
        const Scene scene = files.load(kStack, overrides);
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(testing::Message() << model << " " << ratio);
            Simulation sim = simulate(scene, make_contact_model(model));
            int unsolved = 0;
            double fastest = 0;  // of the light box
            for (int i = 0; i < 60; ++i) {
                ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
                const bool solved = sim.frame.solution.status == SolveStatus::kSolved;
                unsolved += solved ? 0 : 1;
                fastest = std::max(fastest, sim.state.twist[1].v.norm());
                if (!solved) continue;
                ASSERT_GT(sim.state.pose[2].p.z(), 0.15 - 1e-6) << "step " << i;
                ASSERT_GT(sim.state.pose[1].p.z(), 0.05 - 1e-6) << "step " << i;
            }
            std::printf(
                "%-5s %-16s heavy at %.9f m, light at %.9f m, fastest %.1e m/s, "
                "%d unsolved\n",
                ratio.c_str(), std::string(model).c_str(), sim.state.pose[2].p.z(),
                sim.state.pose[1].p.z(), fastest, unsolved);
            EXPECT_NEAR(sim.state.pose[2].p.z(), 0.15, 1e-6);
            EXPECT_NEAR(sim.state.pose[1].p.z(), 0.05, 1e-6);
            if (ratio == "1e6") {
                EXPECT_EQ(unsolved, 0);
            } else if (ratio == "1e12") {
                EXPECT_GT(unsolved, 50);
            }
        }
    }
}

}  // namespace
}  // namespace stiction
