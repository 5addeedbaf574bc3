// check_run.h - steps a sketch or a scene file with every check of island_checks.h after each step.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "random/island_checks.h"
#include "random/scene_sketch.h"

namespace stiction {

struct Guess;
struct Simulation;

struct RunOptions {
    int threads = 1;
    // Steps between comparisons of max_dissipation, which cost two more solves; 0: never.
    int dissipation_every = 5;
    // Wall-clock time after which the run ends early; 0: never. For tests, which must not take
    // minutes where a solver does [s].
    double seconds = 0;
};

struct RunReport {
    int steps = 0;     // taken
    bool cut = false;  // ended early by the clock
    int unsolved =
        0;  // steps with an island that was not solved: no fault as long as it is counted
    std::array<int, kContactModelNames.size()> steps_of{};  // the same per model
    std::array<int, kContactModelNames.size()> unsolved_of{};
    CheckedIslands islands;
    double slowest = 0;             // step [s]
    std::uint64_t hash = 0;         // of the state at the end
    std::vector<Violation> faults;  // the first of each check, in the order of steps
};

// Throws InputError where the scene does not load.
[[nodiscard]] RunReport run_checked(const SceneSketch& sketch, const RunOptions& options = {});
[[nodiscard]] RunReport run_checked(const std::string& path, const RunPlan& plan,
                                    const RunOptions& options = {});

// The same with what several runs show, unless the clock cut them short: twice the same bits, and
// on two threads. Three times the cost.
[[nodiscard]] RunReport run_repeated(const SceneSketch& sketch, const RunOptions& options = {});

// What such runs are made of: the checks of one step that was taken from `guess`, and its place in
// the report. `found` keeps the violations of the step.
void check_taken_step(const Simulation& sim, const Guess& guess, bool dissipation,
                      CheckedIslands& islands, std::vector<Violation>& found);
void count_step(const Simulation& sim, std::vector<Violation>& found, RunReport& report);

[[nodiscard]] const Violation* find(const RunReport& report, Check check);

// One line.
[[nodiscard]] std::string describe(const Violation& violation);

}  // namespace stiction
