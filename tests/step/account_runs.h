// account_runs.h - steps of shipped scenes under every model with the account of energy kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <set>
#include <string>

#include "scene_runs.h"

namespace stiction {

struct AccountRun {
    double unexplained = 0;  // sum of |unexplained| over the steps that are solved, per second [W]
    double largest = 0;      // kinetic energy, and what potential energy varied by [J]
    int unsolved = 0;        // steps
    double open = 0;         // largest |change of energy - sum of the terms| of a step [J]
};

inline AccountRun run_account(const Scene& scene, const ContactModel& model, int steps) {
    Simulation sim = simulate(scene, model);
    sim.settings.h = 1e-3;
    sim.keep_account = true;
    AccountRun run;
    double kinetic = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    double before = energy_with_drives(sim.model, sim.state).total();
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        const EnergyAccount& account = sim.frame.account;
        const Energy now = energy_with_drives(sim.model, sim.state);
        double sum = 0;
        for (const AccountColumn& column : kAccountColumns) sum += account.*column.value;
        run.open = std::max(run.open, std::abs(now.total() - before - (sum - account.gravity)));
        before = now.total();
        kinetic = std::max(kinetic, now.kinetic);
        low = std::min(low, now.potential);
        high = std::max(high, now.potential);
        if (sim.frame.solution.status == SolveStatus::kSolved) {
            run.unexplained += std::abs(account.unexplained);
        } else {
            ++run.unsolved;
        }
    }
    run.largest = kinetic + (high - low);
    run.unexplained /= steps * sim.settings.h;
    return run;
}

inline std::set<std::string> shipped_names() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("scenes"))
        if (entry.path().extension() == ".yaml") names.insert(entry.path().stem().string());
    return names;
}

// 1e-6 of the largest energy per second; what is all but at rest has energies of rounding, so that
// of a fall by a micrometre is the least that counts.
inline void expect_closed(const std::set<std::string>& scenes, int steps) {
    std::printf("%-20s %-16s %12s %12s %9s\n", "scene", "model", "largest [J]", "unexpl. [W]",
                "unsolved");
    for (const std::string& name : scenes) {
        const Scene scene = small_scene(name);
        double weight = 0;
        for (const Body& body : scene.model.bodies)
            if (body.kind == BodyKind::kDynamic) weight += kGravity * body.mass;
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(name + " " + std::string(model));
            const AccountRun run = run_account(scene, make_contact_model(model), steps);
            std::printf("%-20s %-16s %12.4g %12.2e %9d\n", name.c_str(), std::string(model).c_str(),
                        run.largest, run.unexplained, run.unsolved);
            const double scale = std::max(run.largest, 1e-6 * weight);
            EXPECT_LE(run.unexplained, 1e-6 * scale);
            EXPECT_LE(run.open, 1e-12 * std::max(scale, 1.0));
        }
    }
}

}  // namespace stiction
