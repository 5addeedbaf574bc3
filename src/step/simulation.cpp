// simulation.cpp - the step: one line per stage.
#include "step/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "assemble/tension.h"
#include "core/stopwatch.h"
#include "integrate/integrate.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

// Stewart-Trinkle's variant of the Coulomb LCP brings its own bias and switches the projection off.
// Impacts at the acceleration level are inelastic.
StepSettings effective_settings(const Simulation& sim) {
    StepSettings settings = sim.settings;
    const auto* coulomb = std::get_if<CoulombLcp>(&sim.contact_model);
    if (coulomb != nullptr && coulomb->variant == CoulombLcpVariant::kStewartTrinkle) {
        settings.stabilisation = Stabilisation::kStewartTrinkle;
    }
    if (at_acceleration_level(sim.contact_model))
        settings.restitution_threshold = std::numeric_limits<double>::infinity();
    return settings;
}

// RK4 solves problems too: their time counts as that of the solve stage.
void move_time(double seconds, Stage from, Stage to, StageTimes& times) {
    times[static_cast<std::size_t>(from)] -= seconds;
    times[static_cast<std::size_t>(to)] += seconds;
}

void assemble_step(Simulation& sim, const StepSettings& settings, bool accelerations) {
    Frame& frame = sim.frame;
    sim.midpoint.half.clear();
    if (settings.integrator == Integrator::kMidpoint && !accelerations) {
        assemble_at_midpoint(sim, settings);
        return;
    }
    assemble(sim.model, sim.state, frame.forces, frame.contacts, settings, sim.assemble_workspace,
             frame.problem);
    if (!accelerations)
        add_joint_tension(sim.guess.joint_impulses, sim.assemble_workspace.tension,
                          sim.assemble_workspace.stiff, frame.problem);
}

void solve_velocities(Simulation& sim, const StepSettings& settings) {
    Frame& frame = sim.frame;
    const double gravity = sim.model.gravity.norm();
    const bool sequential = settings.impacts == Impacts::kSequential;
    if (sequential)
        take_impacts(restitution_threshold(settings, gravity), sim.impacts, frame.problem);
    solve_contact(sim.contact_model, frame.problem, rebound_in_solve(settings, gravity), sim.pool,
                  sim.contact_workspace, sim.guess, frame.solution, frame.deadline);
    if (sequential) add_impact_impulses(sim.impacts, frame.solution);
}

void report_motion(Simulation& sim, double h) {
    Frame& frame = sim.frame;
    frame.midpoint_fallbacks = sim.midpoint.half.empty() ? 0 : sim.midpoint.fallbacks;
    frame.fast_body = too_fast(sim.model, h, sim.state);
    sim.motion.midpoint_fallbacks += frame.midpoint_fallbacks;
    if (frame.fast_body == kNone) return;
    if (sim.motion.fast_steps++ > 0) return;
    sim.motion.first_fast_step = sim.state.step;
    sim.motion.first_fast_body = frame.fast_body;
}

// Of one link's joint rows, which are off by `errors`: adds to `error`.
void add_joint_rows(const ContactProblem& problem, std::size_t l, const VecX& v,
                    std::span<const double> errors, JointError& error) {
    const Vec6 u = link_velocity(problem.system, problem.system.links[l], v);
    for (std::size_t k = 0; k < errors.size(); ++k) {
        const JointRow& row = problem.joints[at(problem.link_rows[l].joint_begin) + k];
        const double position = std::abs(errors[k]);
        const double speed = std::abs(row.g.dot(u) - row.bias);
        if (!(position <= error.position)) {
            error.position = position;
            error.joint = row.joint;
        }
        if (!(speed <= error.speed)) error.speed = speed;
    }
}

// How well the joints of an island hold; `known`: errors of all rows, as the projection has measured
// them last, or empty.
JointError joint_error(const Model& model, const State& state, const ContactProblem& problem,
                       const Island& island, const VecX& v, std::span<const double> known) {
    JointError error;
    std::array<double, 6> measured{};
    for (const int l : links_of(problem, island)) {
        const LinkRows& range = problem.link_rows[at(l)];
        const std::size_t count = at(range.joint_end - range.joint_begin);
        if (count == 0) continue;
        const std::span<double> here = std::span(measured).first(count);
        if (known.empty()) joint_row_errors(model, problem, at(l), state, here);
        add_joint_rows(problem, at(l), v,
                       known.empty() ? here : known.subspan(at(range.joint_begin), count), error);
    }
    return error;
}

// How well the joints hold. An island with a torn one is not solved, whatever its solver says.
void judge_joints(const Model& model, const State& state, const StepSettings& settings,
                  std::span<const double> known, Frame& frame) {
    const ContactProblem& problem = frame.problem;
    ContactSolution& solution = frame.solution;
    frame.joints = {};
    if (problem.joints.empty()) return;
    const bool by_island = solution.islands.size() == problem.islands.size();
    for (std::size_t i = 0; i < problem.islands.size(); ++i) {
        JointError error =
            joint_error(model, state, problem, problem.islands[i], solution.v, known);
        if (!by_island) error.speed = 0;  // RK4 has other rows at the end of the step
        if (error.torn(settings.joint_tolerance, settings.h)) {
            if (!by_island || solution.islands[i].status == SolveStatus::kSolved)
                ++solution.failures;
            if (by_island)
                solution.islands[i].status = worse(solution.islands[i].status, SolveStatus::kTorn);
            solution.status = worse(solution.status, SolveStatus::kTorn);
        }
        if (!(error.position <= frame.joints.position)) {
            frame.joints.position = error.position;
            frame.joints.joint = error.joint;
        }
        if (!(error.speed <= frame.joints.speed)) frame.joints.speed = error.speed;
    }
}

// A step in one part, or in several where events cut it: each has its own start, contacts and problem,
// and what its solves took adds up.
class StepParts {
  public:
    StepParts(Simulation& sim, const StepSettings& whole, bool cut)
        : settings(whole), events(cut), sim_(sim), end_(sim.state.time + whole.h) {}

    void took(double time) {
        time_ = time;
        add_counts();
    }

    // Whether there is more of the step; sets out for it.
    bool left() {
        if (!events && count_ == 0) return false;
        sim_.state.step = sim_.before.step + 1;
        const double rest = settings.h - time_;
        if (rest <= kNoTime * (end_ - sim_.before.time)) {
            sim_.state.time = end_;
            return false;
        }
        start_ = sim_.state;
        settings.h = rest;
        events = ++count_ < kMostEvents;
        return true;
    }

    [[nodiscard]] const State& start() const { return count_ == 0 ? sim_.before : start_; }

    StepSettings settings;  // h: of the part
    bool events;

  private:
    static constexpr double kNoTime = 1e-9;  // of the step

    void add_counts() {
        ContactSolution& solution = sim_.frame.solution;
        if (count_ > 0) {
            solution.status = worse(solution.status, status_);
            solution.iterations += iterations_;
            solution.pivots += pivots_;
            solution.failures += failures_;
            solution.fallbacks += fallbacks_;
            solution.residual = std::max(solution.residual, residual_);
        }
        status_ = solution.status;
        iterations_ = solution.iterations;
        pivots_ = solution.pivots;
        failures_ = solution.failures;
        fallbacks_ = solution.fallbacks;
        residual_ = solution.residual;
    }

    Simulation& sim_;
    double end_ = 0, time_ = 0;
    int count_ = 0;
    State start_;
    SolveStatus status_ = SolveStatus::kSolved;
    int iterations_ = 0, pivots_ = 0, failures_ = 0, fallbacks_ = 0;
    double residual_ = 0;
};

void drop_warm_starts(Simulation& sim) {
    sim.guess.clear();
    sim.guess.joints.assign(sim.model.joints.size(), kNoGuess);
}

}  // namespace

Simulation make_simulation(Model model, State state, Controls controls, ContactModel contact_model,
                           const StepSettings& settings, int threads) {
    Narrowphase narrowphase(model);
    Guess guess;
    guess.joints.assign(model.joints.size(), kNoGuess);
    return Simulation{.model = std::move(model),
                      .state = std::move(state),
                      .controls = std::move(controls),
                      .contact_model = std::move(contact_model),
                      .settings = settings,
                      .threads = threads,
                      .keep_account = false,
                      .frame = {},
                      .guess = std::move(guess),
                      .narrowphase = std::move(narrowphase),
                      .pool = ThreadPool(threads),
                      .contact_workspace = {},
                      .impacts = {},
                      .projection_workspace = {},
                      .acceleration = {},
                      .assemble_workspace = {},
                      .integrate_workspace = {},
                      .midpoint = {},
                      .motion = {},
                      .account_workspace = {},
                      .before = {},
                      .failed = {}};
}

void switch_contact_model(Simulation& sim, const ContactModel& contact_model) {
    sim.contact_model = contact_model;
    drop_warm_starts(sim);
}

void switch_narrowphase(Simulation& sim, NarrowphaseKind narrowphase) {
    if (narrowphase == sim.settings.narrowphase) return;
    sim.settings.narrowphase = narrowphase;
    drop_warm_starts(sim);
}

StepOutcome step(Simulation& sim, const Observer& observe) {
    Frame& frame = sim.frame;
    const StepSettings settings = effective_settings(sim);
    const bool accelerations = at_acceleration_level(sim.contact_model);
    Stopwatch stage;
    const auto timed = [&](Stage s) { frame.seconds[static_cast<std::size_t>(s)] += stage.lap(); };

    sim.before = sim.state;
    std::fill_n(frame.seconds.begin(), static_cast<std::size_t>(Stage::kRecord), 0.0);
    frame.deadline = settings.time_budget > 0 ? Deadline::in(settings.time_budget) : Deadline();
    // The whole step, unless events cut it.
    StepParts parts(sim, settings, accelerations && settings.events);
    do {
        apply_forces(sim.model, sim.controls, parts.settings.h, sim.state, frame.forces);
        timed(Stage::kForces);
        sim.narrowphase.collide(sim.model, sim.state, parts.settings.h, frame.contacts,
                                settings.narrowphase, &sim.pool);
        timed(Stage::kCollide);
        assemble_step(sim, parts.settings, accelerations);
        timed(Stage::kAssemble);
        if (accelerations) {
            solve_impact(sim, parts.events);
        } else {
            solve_velocities(sim, settings);
        }
        timed(Stage::kSolve);
        if (accelerations) {
            parts.took(integrate_accelerations(sim, parts.events));
        } else {
            integrate(sim.model, frame.problem, frame.forces, sim.assemble_workspace.trees,
                      frame.solution, sim.midpoint.half, sim.integrate_workspace, sim.state);
        }
        timed(Stage::kIntegrate);
        if (accelerations)
            move_time(sim.acceleration.solve_seconds, Stage::kIntegrate, Stage::kSolve,
                      frame.seconds);
    } while (accelerations && parts.left());
    if (sim.keep_account) sim.account_workspace.moved = energy_with_drives(sim.model, sim.state);
    frame.projection = project_positions(
        sim.model, frame.contacts, frame.problem, frame.solution.v_move,
        accelerations ? std::span<const double>(sim.acceleration.gaps) : std::span<const double>(),
        parts.settings, parts.start(), sim.projection_workspace, sim.state, frame.deadline);
    judge_joints(sim.model, sim.state, settings, sim.projection_workspace.joint_errors, frame);
    timed(Stage::kStabilise);
    const bool finite = is_finite(sim.state);
    if (finite) report_motion(sim, settings.h);
    if (finite && sim.keep_account) frame.account = account_energy(sim, sim.account_workspace);
    if (finite && observe) observe(sim);
    frame.seconds[static_cast<std::size_t>(Stage::kRecord)] = 0;
    timed(Stage::kRecord);
    frame.step_seconds = std::accumulate(frame.seconds.begin(), frame.seconds.end(), 0.0);
    if (finite) return StepOutcome::kDone;
    sim.failed = sim.state;
    sim.state = sim.before;
    return StepOutcome::kNotFinite;
}

std::string describe_failure(const Simulation& sim) {
    std::string text = "step " + std::to_string(sim.state.step + 1) + " with model " +
                       std::string(name(sim.contact_model)) + " gives a state that is not finite";
    for (std::size_t i = 0; i < sim.failed.pose.size(); ++i) {
        const bool finite = sim.failed.pose[i].p.allFinite() &&
                            sim.failed.pose[i].q.coeffs().allFinite() &&
                            sim.failed.twist[i].v.allFinite() && sim.failed.twist[i].w.allFinite();
        if (!finite) return text + " (first at body '" + sim.model.bodies[i].name + "')";
    }
    return text;
}

}  // namespace stiction
