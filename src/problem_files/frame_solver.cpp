// frame_solver.cpp - one solve of one frame.
#include "problem_files/frame_solver.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/thread_clock.h"

namespace stiction {

namespace {

// What a model may take over from the step before. Bits mean what the model says that wrote them;
// impulses serve any.
Guess start_of(const FrameProblem& from, const FrameSolveSettings& settings) {
    Guess guess;
    if (settings.warm) {
        guess = from.guess;
        if (settings.model.index() != from.model.index()) {
            guess.contacts.assign(guess.contacts.size(), kNoGuess);
            guess.joints.assign(guess.joints.size(), kNoGuess);
            guess.multipliers.clear();
        }
    } else {
        guess.joints.assign(from.guess.joints.size(), kNoGuess);
    }
    return guess;
}

// Contacts of the frame in place of rows of its problem.
void name_contacts(const FrameProblem& from, ContactQuality& quality) {
    std::vector<int> contact_of(from.problem.contacts.size(), kNone);
    for (std::size_t i = 0; i < from.row_of.size(); ++i) {
        if (from.row_of[i] != kNone) contact_of[at(from.row_of[i])] = static_cast<int>(i);
    }
    for (ErrorNorm* error :
         {&quality.penetration, &quality.gap, &quality.alignment, &quality.creep, &quality.cone,
          &quality.anomalous, &quality.natural, &quality.scaled}) {
        if (error->contact != kNone) error->contact = contact_of[at(error->contact)];
    }
}

}  // namespace

FrameAnswer FrameSolver::solve(const ProblemFrame& frame, const FrameProblem& from,
                               const FrameSolveSettings& settings) {
    Guess guess = start_of(from, settings);
    ContactWorkspace workspace;
    workspace.alone = settings.alone;
    workspace.contradicted = settings.warm && from.contradicted;
    Deadline deadline = settings.time_budget > 0 ? Deadline::in(settings.time_budget) : Deadline();
    const double start = cpu_now();
    const std::function<bool()> ended = [&] {
        return (settings.ended && settings.ended()) ||
               (settings.cpu_budget > 0 && cpu_now() - start >= settings.cpu_budget);
    };
    if (settings.ended || settings.cpu_budget > 0) deadline = deadline.or_when(ended);
    solve_contact(settings.model, from.problem, from.restitution_threshold, pool_, workspace, guess,
                  solution_, deadline);
    const double seconds = cpu_now() - start;
    FrameAnswer answer = make_answer(frame, from, solution_);
    answer.name =
        std::string(name(settings.model)) + "." + std::string(solver_name(settings.model));
    answer.seconds = seconds;
    if (answer.solver.empty()) answer.solver = "none";  // none takes rows like these
    measure_quality(from.problem, solution_, settings.thresholds, quality_, answer.quality);
    name_contacts(from, answer.quality);
    return answer;
}

double distance_from_stored(const ProblemFrame& frame, const FrameAnswer& answer) {
    if (frame.answers.empty()) return std::numeric_limits<double>::quiet_NaN();
    const FrameAnswer& stored = frame.answers.front();
    if (stored.v.size() == answer.v.size() && answer.v.size() > 0)
        return (stored.v - answer.v).cwiseAbs().maxCoeff();
    if (stored.velocities.size() != answer.velocities.size() || answer.velocities.empty())
        return std::numeric_limits<double>::quiet_NaN();
    double most = 0;
    for (std::size_t i = 0; i < stored.velocities.size(); ++i) {
        const Twist& x = stored.velocities[i];
        const Twist& y = answer.velocities[i];
        most =
            std::max({most, (x.v - y.v).cwiseAbs().maxCoeff(), (x.w - y.w).cwiseAbs().maxCoeff()});
    }
    return most;
}

}  // namespace stiction
