// frame_solver.h - solves a frame with a contact model and scores the answer.
#pragma once

#include <functional>

#include "contact/solve_contact.h"
#include "metrics/step_quality.h"
#include "problem_files/frame_problem.h"

namespace stiction {

struct FrameSolveSettings {
    ContactModel model;
    bool alone = false;      // no fallback and no net under the answer (contact/solve_contact.h)
    bool warm = false;       // from the start that is stored with the frame, otherwise from zero
    double time_budget = 0;  // [s]; 0: none
    double cpu_budget = 0;   // the same of CPU time, which a busy machine does not shorten
    std::function<bool()> ended = nullptr;  // asked in every iteration: yes ends the solve
    QualityThresholds thresholds = {};
};

// Keeps what solvers keep between calls; one per thread.
class FrameSolver {
  public:
    FrameSolver() : pool_(1) {}

    // The status is the solver's own; `seconds` is the CPU time of the solve. Every call begins with
    // empty workspaces, so that the order of calls does not matter.
    [[nodiscard]] FrameAnswer solve(const ProblemFrame& frame, const FrameProblem& from,
                                    const FrameSolveSettings& settings);

    [[nodiscard]] const ContactSolution& solution() const { return solution_; }  // the last one

  private:
    ThreadPool pool_;
    ContactSolution solution_;
    StepQualityWorkspace quality_;
};

// Largest difference of velocities from the first answer that the frame holds; NaN where it has none.
[[nodiscard]] double distance_from_stored(const ProblemFrame& frame, const FrameAnswer& answer);

}  // namespace stiction
