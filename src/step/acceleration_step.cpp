// acceleration_step.cpp - impact and RK4 with the problem's rows rebuilt at each stage.
#include "step/acceleration_step.h"

#include <limits>

#include "assemble/assemble.h"
#include "core/stopwatch.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// Of h: half the width of the difference quotient. Small enough for its error, of second order in
// this, and large enough for rounding, which it multiplies by a thousand.
constexpr double kDifference = 1e-3;
constexpr double kNoRebound = std::numeric_limits<double>::infinity();  // impacts are inelastic

void gather(const Model& model, const std::vector<Twist>& twists, VecX& v) {
    v.resize(model.nv);
    for (const DofBlock& block : model.blocks) {
        v.segment<3>(block.offset) = twists[at(block.body)].v;
        v.segment<3>(block.offset + 3) = twists[at(block.body)].w;
    }
}

void scatter(const Model& model, const VecX& v, double scale, std::vector<Twist>& twists) {
    for (const DofBlock& block : model.blocks) {
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
    drift(sim.model, state, dt, ws.shifted);
    carry_contacts(ws.holding_contacts, ws.shifted, ws.carried);
    move_rows(sim.model, ws.shifted, ws.carried, ws.holding.problem);
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
    const double weight = kRk4Weights[at(stage)];
    gather(sim.model, state.twist, ws.v);
    forces_at(sim.model, sim.controls, state, ws.forces);
    kinematic_accelerations(sim.model, sim.controls, start, state.time, ws.prescribed);

    row_rates(sim, state, h, ws);
    carry_contacts(ws.holding_contacts, state, ws.carried);
    move_blocks(sim.model, state, ws.forces, problem);
    move_rows(sim.model, state, ws.carried, problem);
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
}

}  // namespace

bool at_acceleration_level(const ContactModel& model) {
    const auto* viscous = std::get_if<Viscous>(&model);
    return viscous != nullptr && viscous->level == ViscousLevel::kAcceleration;
}

void solve_impact(Simulation& sim) {
    AccelerationWorkspace& ws = sim.acceleration;
    const ContactProblem& problem = sim.frame.problem;
    clear(problem, sim.frame.solution);
    select_impact(problem, ws.island_scratch, ws.impact);
    ws.no_guess.clear();
    ws.no_guess.joints.assign(sim.model.joints.size(), kNoGuess);
    solve_contact(sim.contact_model, ws.impact.problem, kNoRebound, sim.pool, ws.impact_workspace,
                  ws.no_guess, ws.part, sim.frame.deadline);
    add_part(ws.impact, ws.part, 1.0, sim.frame.solution);
    scatter(sim.model, ws.part.v, 1.0, sim.state.twist);
}

void integrate_accelerations(Simulation& sim) {
    AccelerationWorkspace& ws = sim.acceleration;
    const ContactProblem& problem = sim.frame.problem;
    gather(sim.model, sim.state.twist, ws.v);
    select_holding(problem, ws.v, ws.island_scratch, ws.holding);
    row_errors(ws.holding.problem, ws.v, ws.errors);
    find_features(sim.model, sim.state, sim.frame.contacts, ws.contacts);
    ws.holding_contacts.clear();
    for (const int i : ws.holding.contacts) ws.holding_contacts.push_back(ws.contacts[at(i)]);

    ws.solve_seconds = 0;
    const double start = sim.state.time;
    struct Context {  // one pointer to it fits into std::function without allocation
        Simulation& sim;
        double start;
    } context{sim, start};
    rk4(
        sim.model, problem.h,
        [&context](int stage, const State& state, std::vector<Twist>& a) {
            accelerations_at(context.sim, context.start, stage, state, a);
        },
        ws.rk4, sim.state, ws.mean);

    gather(sim.model, sim.state.twist, sim.frame.solution.v);
    gather(sim.model, ws.mean, sim.frame.solution.v_move);
    carry_contacts(ws.contacts, sim.state, ws.carried);
    ws.gaps.clear();
    for (const Contact& contact : ws.carried.contacts) ws.gaps.push_back(contact.phi);
}

}  // namespace stiction
