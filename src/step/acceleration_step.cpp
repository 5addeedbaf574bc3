// acceleration_step.cpp - impact and RK4 with the problem's rows rebuilt at each stage.
#include "step/acceleration_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assemble/assemble.h"
#include "core/stopwatch.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// Of h: half the width of the difference quotient. Small enough for its error, of second order in
// this, and large enough for rounding, which it multiplies by a thousand.
constexpr double kDifference = 1e-3;
// Events: a gap that small is closed [m]; regula falsi doubles the digits in three rounds.
constexpr double kGapTolerance = 1e-12;
constexpr int kMostRoundsOfEvent = 60;
constexpr double kNoRebound = std::numeric_limits<double>::infinity();  // impacts are inelastic

// Free bodies alone, as the next one.
void gather_free(const Model& model, const std::vector<Twist>& twists, VecX& v) {
    for (const DofBlock& block : model.blocks) {
        if (block.tree != kNone) continue;
        v.segment<3>(block.offset) = twists[at(block.body)].v;
        v.segment<3>(block.offset + 3) = twists[at(block.body)].w;
    }
}

void gather(const Model& model, const State& state, VecX& v) {
    v.resize(model.nv);
    gather_free(model, state.twist, v);
    for (const Tree& tree : model.trees) {
        const DofBlock& block = model.blocks[at(tree.block)];
        tree_velocities(model, tree, state, v.segment(block.offset, block.size));
    }
}

void scatter(const Model& model, const VecX& v, double scale, std::vector<Twist>& twists) {
    for (const DofBlock& block : model.blocks) {
        if (block.tree != kNone) continue;
        twists[at(block.body)].v = scale * v.segment<3>(block.offset);
        twists[at(block.body)].w = scale * v.segment<3>(block.offset + 3);
    }
}

void clear(const ContactProblem& problem, ContactSolution& solution) {
    solution.islands.clear();
    solution.status = SolveStatus::kSolved;
    solution.solver = "none";
    solution.iterations = solution.pivots = solution.passes = solution.failures =
        solution.fallbacks = 0;
    solution.residual = 0;
    set_zero_impulses(problem, solution);
}

// Row velocities of the holding rows at v where the bodies are after moving on for dt.
void velocities_after(const Simulation& sim, const State& state, double dt,
                      AccelerationWorkspace& ws, RowValues& values) {
    drift(sim.model, state, ws.v, dt, ws.shifted);
    carry_contacts(ws.holding_contacts, ws.shifted, ws.carried);
    for (std::size_t t = 0; t < sim.model.trees.size(); ++t)
        find_motion(sim.model, sim.model.trees[t], ws.shifted, ws.trees[t]);
    move_rows(sim.model, ws.shifted, ws.carried, ws.trees, ws.holding.problem);
    row_velocities(ws.holding.problem, ws.v, values);
}

// values <- (ahead - values) / width
void difference(const std::vector<double>& ahead, double width, std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (ahead[i] - values[i]) / width;
}

// Rates of the row velocities along v, into ws.behind.
void row_rates(const Simulation& sim, const State& state, double h, AccelerationWorkspace& ws) {
    velocities_after(sim, state, kDifference * h, ws, ws.ahead);
    velocities_after(sim, state, -kDifference * h, ws, ws.behind);
    const double width = 2 * kDifference * h;
    difference(ws.ahead.contacts, width, ws.behind.contacts);
    difference(ws.ahead.joints, width, ws.behind.joints);
    difference(ws.ahead.limits, width, ws.behind.limits);
    difference(ws.ahead.bounded, width, ws.behind.bounded);
}

// One stage: accelerations of all bodies at `state`.
void accelerations_at(Simulation& sim, double start, int stage, const State& state,
                      std::vector<Twist>& accelerations) {
    AccelerationWorkspace& ws = sim.acceleration;
    ContactProblem& problem = ws.holding.problem;
    const double h = problem.h;
    const double weight = ws.share * kRk4Weights[at(stage)];
    gather(sim.model, state, ws.v);
    forces_at(sim.model, sim.controls, state, ws.forces);
    kinematic_accelerations(sim.model, sim.controls, start, state.time, ws.prescribed);

    row_rates(sim, state, h, ws);
    carry_contacts(ws.holding_contacts, state, ws.carried);
    move_blocks(sim.model, state, ws.forces, ws.trees, problem);
    move_rows(sim.model, state, ws.carried, ws.trees, problem);
    refresh_responses(problem.system);
    set_free_acceleration(sim.frame.problem, weight, ws.holding, ws.momentum, sim.frame.solution);
    set_acceleration_targets(ws.errors, ws.behind, problem);
    accelerations = ws.prescribed;
    for (Twist& twist : ws.prescribed) twist = {h * twist.v, h * twist.w};
    set_prescribed_motion(sim.model, ws.prescribed, ws.carried, problem);

    Stopwatch watch;
    solve_contact(sim.contact_model, problem, kNoRebound, sim.pool, sim.contact_workspace,
                  sim.guess, ws.part, sim.frame.deadline);
    ws.solve_seconds += watch.lap();
    add_part(ws.holding, ws.part, weight, sim.frame.solution);
    scatter(sim.model, ws.part.v, 1.0 / h, accelerations);
    if (!sim.model.trees.empty()) ws.rk4.tree_acceleration = ws.part.v / h;
}

// RK4 from the state for a time; of the step's h it is ws.share, or on trial none.
void move_by(Simulation& sim, double time, bool trial = false) {
    AccelerationWorkspace& ws = sim.acceleration;
    ws.share = trial ? 0 : time / sim.frame.problem.h;
    struct Context {  // one pointer to it fits into std::function without allocation
        Simulation& sim;
        double start;
    } context{sim, sim.state.time};
    rk4(
        sim.model, time,
        [&context](int stage, const State& state, std::vector<Twist>& a) {
            accelerations_at(context.sim, context.start, stage, state, a);
        },
        ws.rk4, sim.state, ws.mean);
}

// Of all contacts and limits of the problem, at the state.
void measure_gaps(Simulation& sim) {
    AccelerationWorkspace& ws = sim.acceleration;
    carry_contacts(ws.contacts, sim.state, ws.carried);
    ws.gaps.clear();
    for (const Contact& contact : ws.carried.contacts) ws.gaps.push_back(contact.phi);
    ws.limit_gaps.clear();
    for (const LimitRow& row : sim.frame.problem.limits) {
        const Joint& joint = sim.model.joints[at(row.joint)];
        const double position = joint_coordinate(sim.state, joint).position;
        ws.limit_gaps.push_back(row.upper ? joint.upper - position : position - joint.lower);
    }
}

// The least of those that were open at the start of the step.
double lowest_gap(const Simulation& sim) {
    const AccelerationWorkspace& ws = sim.acceleration;
    const ContactProblem& problem = sim.frame.problem;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ws.gaps.size(); ++i)
        if (!touching(problem, problem.contacts[i])) lowest = std::min(lowest, ws.gaps[i]);
    for (std::size_t i = 0; i < ws.limit_gaps.size(); ++i)
        if (!touches(problem, problem.limits[i])) lowest = std::min(lowest, ws.limit_gaps[i]);
    return lowest;
}

// The time at which the first of them closes, by regula falsi (Illinois) from the end of the step.
double find_event(Simulation& sim) {
    AccelerationWorkspace& ws = sim.acceleration;
    double high = sim.frame.problem.h, gap_high = lowest_gap(sim);
    sim.state = ws.start;
    measure_gaps(sim);
    double low = 0, gap_low = lowest_gap(sim);
    double time = high;
    int side = 0;
    for (int round = 0; round < kMostRoundsOfEvent; ++round) {
        time = low + (high - low) * gap_low / (gap_low - gap_high);
        if (!(time > low && time < high)) break;
        sim.state = ws.start;
        move_by(sim, time, true);
        measure_gaps(sim);
        const double gap = lowest_gap(sim);
        if (std::abs(gap) <= kGapTolerance) break;
        const int now = gap > 0 ? 1 : -1;
        (gap > 0 ? low : high) = time;
        (gap > 0 ? gap_low : gap_high) = gap;
        if (now == side) (gap > 0 ? gap_high : gap_low) *= 0.5;
        side = now;
    }
    return time;
}

}  // namespace

bool at_acceleration_level(const ContactModel& model) {
    const auto* viscous = std::get_if<Viscous>(&model);
    return viscous != nullptr && viscous->level == ViscousLevel::kAcceleration;
}

void solve_impact(Simulation& sim, bool events) {
    AccelerationWorkspace& ws = sim.acceleration;
    ContactProblem& problem = sim.frame.problem;
    clear(problem, sim.frame.solution);
    ws.trees.resize(sim.model.trees.size());
    if (!sim.model.trees.empty()) {  // without what the velocity level takes implicitly
        move_blocks(sim.model, sim.state, sim.frame.forces, ws.trees, problem);
        refresh_responses(problem.system);
    }
    select_impact(problem, events, ws.island_scratch, ws.impact);
    ws.no_guess.clear();
    ws.no_guess.joints.assign(sim.model.joints.size(), kNoGuess);
    solve_contact(sim.contact_model, ws.impact.problem, kNoRebound, sim.pool, ws.impact_workspace,
                  ws.no_guess, ws.part, sim.frame.deadline);
    add_part(ws.impact, ws.part, 1.0, sim.frame.solution);
    scatter(sim.model, ws.part.v, 1.0, sim.state.twist);
    for (std::size_t t = 0; t < sim.model.trees.size(); ++t) {
        const DofBlock& block = sim.model.blocks[at(sim.model.trees[t].block)];
        set_tree_twists(sim.model.trees[t], ws.trees[t],
                        ws.part.v.segment(block.offset, block.size), sim.state);
    }
}

double integrate_accelerations(Simulation& sim, bool events) {
    AccelerationWorkspace& ws = sim.acceleration;
    const ContactProblem& problem = sim.frame.problem;
    gather(sim.model, sim.state, ws.v);
    select_holding(problem, ws.v, ws.island_scratch, ws.holding);
    row_errors(ws.holding.problem, ws.v, ws.errors);
    find_features(sim.model, sim.state, sim.frame.contacts, ws.contacts);
    ws.holding_contacts.clear();
    for (const int i : ws.holding.contacts) ws.holding_contacts.push_back(ws.contacts[at(i)]);
    ws.solve_seconds = 0;

    double time = problem.h;
    if (events) {
        ws.start = sim.state;
        ws.impact_solution = sim.frame.solution;
        move_by(sim, time);
        measure_gaps(sim);
        if (lowest_gap(sim) < -kGapTolerance) time = find_event(sim);
        if (time < problem.h) {
            sim.frame.solution = ws.impact_solution;
            sim.state = ws.start;
            move_by(sim, time);
        }
    } else {
        move_by(sim, time);
    }
    gather(sim.model, sim.state, sim.frame.solution.v);
    sim.frame.solution.v_move = ws.rk4.tree_mean;
    gather_free(sim.model, ws.mean, sim.frame.solution.v_move);
    measure_gaps(sim);
    return time;
}

}  // namespace stiction
