// drive.h - steps a Sim through each scene with the clock on, and measures it with the clock off.
#pragma once

#include <atomic>

#include "bench.h"

namespace stiction::peers {

// What a run tells the process that waits for it, which ends it where a step goes on for too long.
struct Progress {
    std::atomic<int> steps = 0;
    std::atomic<double> cpu = 0;       // [s]
    std::atomic<double> deadline = 0;  // CPU clock at which stepping should be over [s]; 0: it is
};

// One repeat of one config.
struct Run {
    double cap = 60;             // CPU time after which the run is cut [s]
    double span = 0;             // simulated time in place of the scene's [s]; 0: the scene's
    Progress* shared = nullptr;  // kept up to date
    double cpu = 0, wall = 0;    // of the stepping alone [s]
    int steps = 0, samples = 0;
    int total = 0;  // steps of a complete run
    std::vector<double> curve =
        {};               // CPU time after every 50th part of them: compares runs that are cut [s]
    double contacts = 0;  // sum over the samples
    bool capped = false;
    Metrics metrics = {};

    void set(const std::string& key, double value) { metrics.emplace_back(key, value); }
};

void drive_grasp(Sim& sim, int k, Run& run);
void drive_ramp(Sim& sim, double mu, Run& run);
void drive_robot(Sim& sim, Run& run);
void drive_pile(Sim& sim, const Pile& pile, double span, Run& run);

}  // namespace stiction::peers
