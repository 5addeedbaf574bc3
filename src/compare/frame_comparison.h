// frame_comparison.h - frames of datasets x contact models and solvers: every frame by each of them
// from the same start, scored by metrics/contact_quality.h. Frames are read one after the other and
// solved in parallel; the rows come in the order of frames and variants and hold the same numbers for
// any number of threads, but for times.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compare/variants.h"
#include "problem_files/dataset.h"
#include "problem_files/frame_solver.h"

namespace stiction {

// One frame of a list of datasets.
struct FrameChosen {
    std::size_t file = 0;
    std::size_t frame = 0;  // from 0
};

struct ComparedFrame {
    std::size_t file = 0;
    std::size_t frame = 0;  // from 0, in its file
    std::string name;       // of its group
    int bodies = 0, contacts = 0;
    std::size_t variant = 0;
    std::string solver;  // that answered
    SolveStatus status = SolveStatus::kSolved;
    bool fallback = false;  // not the one asked for
    int iterations = 0;
    double residual = 0;     // of the model's own law
    double seconds = 0;      // CPU time, the least of all repeats [s]
    ContactQuality quality;  // without its entries per contact
    double apart = 0;        // largest difference of velocities from the stored answer; NaN: none
};

struct FrameComparisonSettings {
    std::vector<Variant> variants;  // empty: each frame by the model that made it, warm
    bool alone = true;              // no fallbacks, no net
    bool warm = false;
    bool equal_work = false;  // all get the CPU time that the first variant took
    double time_budget = 0;   // per solve [s]; 0: none
    int max_iterations = 0;   // 0: the model's own
    int repeats = 1;
    int threads = 1;
    QualityThresholds thresholds;
};

class FrameComparison {
  public:
    FrameComparison(const std::vector<Dataset>& files, FrameComparisonSettings settings);

    // Solves frames in their order until `go_on` says no; `row` gets the rows, in order. What the
    // readers had to decide goes to `remark`. Solving threads ask go_on(0); all else comes from the
    // caller's thread.
    struct Observer {
        std::function<bool(std::size_t frames_done)> go_on;
        std::function<void(const ComparedFrame&)> row;
        std::function<void(const std::string& place, const std::string& text)> remark;
    };
    void run(const std::vector<FrameChosen>& frames, const Observer& observer);

    // Residuals of a frame under a variant that is stopped after 1, 2, 5, 10 ... iterations.
    struct Convergence {
        std::vector<double> iterations, seconds, residual;
    };
    [[nodiscard]] Convergence convergence(const FrameChosen& chosen, std::size_t variant,
                                          int most) const;

    [[nodiscard]] std::size_t variants() const;
    [[nodiscard]] std::string label(std::size_t variant) const;
    [[nodiscard]] const FrameComparisonSettings& settings() const { return settings_; }
    [[nodiscard]] const std::vector<Dataset>& files() const { return files_; }

  private:
    struct Loaded {
        FrameChosen chosen;
        ProblemFrame frame;
        FrameProblem problem;
    };
    [[nodiscard]] Loaded load(const FrameChosen& chosen) const;
    [[nodiscard]] ComparedFrame solve(const Loaded& loaded, std::size_t variant, double cpu_budget,
                                      FrameSolver& solver) const;
    [[nodiscard]] FrameSolveSettings solve_settings(const Loaded& loaded, std::size_t variant,
                                                    double cpu_budget) const;

    const std::vector<Dataset>& files_;
    FrameComparisonSettings settings_;
};

// Variants of solvers by their names: each with the first model that it serves, of coulomb_cone,
// coulomb_lcp, friction_box, max_dissipation, no_slip, viscous. Throws InputError.
[[nodiscard]] std::vector<Variant> variants_of_solvers(const std::string& list);

}  // namespace stiction
