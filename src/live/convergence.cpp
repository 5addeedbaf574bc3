// convergence.cpp - solves one step's problem with growing limits on the iterations.
#include "live/convergence.h"

#include <algorithm>
#include <utility>

#include "assemble/assemble.h"
#include "contact/solve_contact.h"
#include "record/quality_record.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// What max_iterations limits, over the islands.
int iterations_of(const ContactSolution& solution) {
    int most = 0;
    for (const IslandResult& island : solution.islands)
        most = std::max({most, island.iterations, island.pivots});
    return most;
}

ContactModel limited(ContactModel model, int iterations) {
    std::visit([iterations](auto& m) { m.max_iterations = iterations; }, model);
    return model;
}

ConvergencePoint measure(int iterations, const ContactProblem& problem,
                         const ContactSolution& solution, QualityMeter& meter) {
    measure_quality(problem, solution, meter.thresholds, meter.workspace, meter.quality);
    return {iterations, meter.quality.natural.norm, meter.quality.scaled.norm, solution.residual};
}

}  // namespace

Convergence trace_convergence(Simulation& sim, const Guess& guess) {
    const ContactProblem& problem = sim.frame.problem;
    const ContactSolution& answer = sim.frame.solution;
    Convergence trace;
    if (problem.islands.empty() || at_acceleration_level(sim.contact_model)) return trace;
    trace.step = sim.state.step;
    trace.solver = std::string(answer.solver);
    const double rebound = rebound_in_solve(sim.settings, sim.model.gravity.norm());
    const int last = iterations_of(answer);
    ContactWorkspace workspace;
    ContactSolution solution;
    QualityMeter meter;
    Guess start;
    for (int k = 1, following = 2; k < last;) {  // 1, 2, 3, 5, 8: 25 of them reach 120 000
        start = guess;
        solve_contact(limited(sim.contact_model, k), problem, rebound, sim.pool, workspace, start,
                      solution);
        trace.points.push_back(measure(k, problem, solution, meter));
        k = std::exchange(following, k + following);
    }
    trace.points.push_back(measure(last, problem, answer, meter));
    return trace;
}

}  // namespace stiction
