// check_run.cpp - a run with its change in the middle, checked step by step.
#include "random/check_run.h"

#include <algorithm>
#include <sstream>

#include "core/stopwatch.h"
#include "random/dissipation_check.h"
#include "random/temporary_file.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

std::string number(double x) {
    std::ostringstream text;
    text.precision(17);
    text << x;
    return text.str();
}

// As the window does it: coefficients, step size and model act at the next step. The program gets
// the same bits from a saved state, --model and --set.
void apply(const Change& change, const std::string& path, Simulation& sim) {
    SceneOverrides overrides;
    overrides.parameters = {{"h", number(change.h)}, {"friction_scale", number(change.friction)}};
    const Scene changed = load_scene(path, overrides);
    sim.model.surface_pairs = changed.model.surface_pairs;
    sim.settings = changed.step;
    const ContactModel next = make_contact_model(change.model);
    if (next.index() != sim.contact_model.index()) switch_contact_model(sim, next);
}

// Turned parts move a little farther than their rows say.
constexpr double kProjectionSlack = 1.05;

// A projection that did not converge may move no body farther than the fastest parting allows.
void check_projection(const Simulation& sim, std::vector<Violation>& violations) {
    const ProjectionResult& projection = sim.frame.projection;
    const double most = kProjectionSlack * sim.settings.max_depenetration * sim.settings.h;
    if (projection.unsolved_move <= most) return;
    Violation v;
    v.check = Check::kProjection;
    v.model = name(sim.contact_model);
    v.solver = "projection";
    v.measured = projection.unsolved_move;
    v.allowed = most;
    v.detail = "move [m] of a projection that ended as " + std::string(name(projection.status));
    violations.push_back(v);
}

class CheckedRun {
  public:
    CheckedRun(Simulation& sim, const RunOptions& options) : sim_(sim), options_(options) {}

    // False when the run cannot go on.
    bool take_step() {
        const Guess guess = sim_.guess;
        const StepOutcome outcome = step(sim_);
        found_.clear();
        if (outcome == StepOutcome::kNotFinite) {
            Violation v;
            v.model = name(sim_.contact_model);
            v.detail = describe_failure(sim_);
            found_.push_back(v);
        } else {
            check(guess);
        }
        count_step(sim_, found_, report_);
        return outcome == StepOutcome::kDone;
    }

    RunReport finish(bool cut) {
        report_.cut = cut;
        report_.hash = state_hash(sim_.state);
        return report_;
    }

  private:
    void check(const Guess& guess) {
        const bool dissipation =
            options_.dissipation_every > 0 && report_.steps % options_.dissipation_every == 0;
        check_taken_step(sim_, guess, dissipation, report_.islands, found_);
    }

    Simulation& sim_;
    const RunOptions& options_;
    RunReport report_;
    std::vector<Violation> found_;  // in this step
};

void expect_same_hash(const SceneSketch& sketch, const RunOptions& options, Check check,
                      RunReport& report) {
    const RunReport again = run_checked(sketch, options);
    if (report.cut || again.cut || again.hash == report.hash) return;
    Violation v;
    v.check = check;
    v.model = name(sketch.contact);
    v.step = report.steps;
    v.measured = 1;
    v.detail = "state hash at the end of the run";
    report.faults.push_back(v);
}

}  // namespace

void check_taken_step(const Simulation& sim, const Guess& guess, bool dissipation,
                      CheckedIslands& islands, std::vector<Violation>& found) {
    const double threshold = restitution_threshold(sim.settings, sim.model.gravity.norm());
    const CheckedStep checked{sim.contact_model, sim.frame.problem, sim.frame.solution, guess,
                              threshold};
    check_step(checked, islands, found);
    check_projection(sim, found);
    if (dissipation) check_dissipation(checked, found);
}

void count_step(const Simulation& sim, std::vector<Violation>& found, RunReport& report) {
    const bool unsolved = sim.frame.solution.status != SolveStatus::kSolved;
    const std::size_t model = sim.contact_model.index();
    report.unsolved += unsolved ? 1 : 0;
    report.unsolved_of[model] += unsolved ? 1 : 0;
    ++report.steps_of[model];
    ++report.steps;
    report.slowest = std::max(report.slowest, sim.frame.step_seconds);
    for (Violation& v : found) {
        v.step = report.steps - 1;
        if (find(report, v.check) == nullptr) report.faults.push_back(v);
    }
}

RunReport run_checked(const std::string& path, const RunPlan& plan, const RunOptions& options) {
    Scene scene = load_scene(path);
    Simulation sim = make_simulation(scene.model, scene.state, scene.controls, scene.contact,
                                     scene.step, options.threads);
    CheckedRun run(sim, options);
    const Stopwatch clock;
    for (int i = 0; i < plan.steps; ++i) {
        if (options.seconds > 0 && clock.elapsed() > options.seconds) return run.finish(true);
        if (plan.change && i == plan.change->step) apply(*plan.change, path, sim);
        if (!run.take_step()) break;
    }
    return run.finish(false);
}

RunReport run_checked(const SceneSketch& sketch, const RunOptions& options) {
    const TemporaryFile file(".yaml", to_yaml(sketch));
    return run_checked(file.path(), plan_of(sketch), options);
}

RunReport run_repeated(const SceneSketch& sketch, const RunOptions& options) {
    RunReport report = run_checked(sketch, options);
    RunOptions again = options;
    again.dissipation_every = 0;
    expect_same_hash(sketch, again, Check::kSameBits, report);
    again.threads = options.threads + 1;
    expect_same_hash(sketch, again, Check::kThreads, report);
    return report;
}

const Violation* find(const RunReport& report, Check check) {
    const auto found = std::find_if(report.faults.begin(), report.faults.end(),
                                    [&](const Violation& v) { return v.check == check; });
    return found == report.faults.end() ? nullptr : &*found;
}

std::string describe(const Violation& violation) {
    std::ostringstream text;
    text << name(violation.check) << " (" << violation.model << ", solver " << violation.solver
         << ", step " << violation.step << "): " << violation.measured << " > " << violation.allowed
         << "; " << violation.detail;
    return text.str();
}

}  // namespace stiction
