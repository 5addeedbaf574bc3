// drive.h - steps a Sim through each scene with the clock on, and measures it with the clock off.
#pragma once

#include "bench.h"

namespace stiction::peers {

// What a run leaves behind even if it has to be killed inside one step.
struct Progress {
    int steps = 0;
    double cpu = 0, wall = 0;  // [s]
};

// One repeat of one config.
struct Run {
    double cap = 60;             // CPU time after which the run is cut [s]
    Progress* shared = nullptr;  // kept up to date
    double cpu = 0, wall = 0;    // of the stepping alone [s]
    int steps = 0, samples = 0;
    double contacts = 0;  // sum over the samples
    bool capped = false;
    Metrics metrics = {};

    void set(const std::string& key, double value) { metrics.emplace_back(key, value); }
};

void drive_grasp(Sim& sim, int k, Run& run);
void drive_ramp(Sim& sim, double mu, Run& run);
void drive_robot(Sim& sim, Run& run);
void drive_granular(Sim& sim, const granular::Variant& variant, Run& run);

}  // namespace stiction::peers
