// step_record.cpp - gathers the numbers of one step from the simulation.
#include "record/step_record.h"

#include <algorithm>

#include "step/simulation.h"

namespace stiction {

StepRecord make_step_record(const Simulation& sim) {
    const Frame& frame = sim.frame;
    StepRecord record;
    record.step = sim.state.step;
    record.t = sim.state.time;
    record.seconds = frame.seconds;
    const Energy energies = energy(sim.model, sim.state);
    record.kinetic = energies.kinetic;
    record.potential = energies.potential;
    const Momentum momenta = momentum(sim.model, sim.state);
    for (int i = 0; i < 3; ++i) {
        record.momentum[static_cast<std::size_t>(i)] = momenta.linear[i];
        record.angular[static_cast<std::size_t>(i)] = momenta.angular[i];
    }
    record.contacts = static_cast<int>(frame.contacts.contacts.size());
    record.narrowphase = name(sim.settings.narrowphase);
    record.pairs = frame.contacts.pairs;
    record.bullet_pairs = frame.contacts.bullet_pairs;
    record.islands = static_cast<int>(frame.problem.islands.size());
    for (const Contact& contact : frame.contacts.contacts) {
        const double depth = std::max(0.0, -contact.phi);
        record.penetration = std::max(record.penetration, depth);
        record.penetration_sum += depth;
    }
    const ContactSolution& solution = frame.solution;
    record.iterations = solution.iterations;
    record.pivots = solution.pivots;
    record.passes = solution.passes;
    record.failures = solution.failures;
    record.fallbacks = solution.fallbacks;
    record.residual = solution.residual;
    record.status = solution.status;
    record.model = name(sim.contact_model);
    record.solver = solution.solver;
    record.asked = solver_name(sim.contact_model);
    record.projected_islands = frame.projection.islands;
    record.projection_move = frame.projection.largest_move;
    record.projection_gain = frame.projection.potential_gain;
    record.projection_status = frame.projection.status;
    record.projection_unsolved = frame.projection.unsolved;
    record.fast_body = frame.fast_body;
    record.midpoint_fallbacks = frame.midpoint_fallbacks;
    if (sim.keep_account) record.account = frame.account;
    record.joint_error = frame.joints.position;
    record.joint_speed = frame.joints.speed;
    return record;
}

void add_step_times(const Simulation& sim, StepRecord& record) {
    record.seconds = sim.frame.seconds;
    record.step_seconds = sim.frame.step_seconds;
}

}  // namespace stiction
