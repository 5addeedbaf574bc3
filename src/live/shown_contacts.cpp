// shown_contacts.cpp - impulses become forces; thresholds decide what sticks.
#include "live/shown_contacts.h"

#include <algorithm>

#include "problem/link_motion.h"
#include "step/simulation.h"

namespace stiction {

namespace {

// States by the rule of metrics/contact_quality.h, from forces instead of impulses.
void set_states(const QualityThresholds& thresholds, std::vector<ShownContact>& contacts) {
    double largest = 0;
    const auto pressure = [](const ShownContact& c) { return c.normal_force.dot(c.normal); };
    for (const ShownContact& c : contacts) largest = std::max(largest, pressure(c));
    for (ShownContact& c : contacts) {
        if (!(pressure(c) > thresholds.rest * largest)) {
            c.state = ContactState::kOpen;
        } else {
            c.state =
                c.slip.norm() > thresholds.slide ? ContactState::kSliding : ContactState::kSticking;
        }
    }
}

void set_islands(const ContactProblem& problem, std::vector<ShownContact>& contacts) {
    for (std::size_t i = 0; i < problem.islands.size(); ++i) {
        const Island& island = problem.islands[i];
        for (int k = island.link_begin; k < island.link_end; ++k) {
            const LinkRows& rows = problem.link_rows[at(problem.island_links[at(k)])];
            for (int c = rows.contact_begin; c < rows.contact_end; ++c)
                contacts[at(c)].island = static_cast<int>(i);
        }
    }
}

// Velocity of a body's point that is at `point` [m/s].
Vec3 velocity_at(const TrajectorySample& sample, const std::vector<Pose>& before, int body,
                 const Vec3& point) {
    const Twist& twist = sample.twist[at(body)];
    return twist.v + twist.w.cross(point - before[at(body)].p);
}

// The same of a frame; the world does not move.
Vec3 velocity_at(const ProblemFrame& frame, const FrameAnswer& answer, int body,
                 const Vec3& point) {
    if (body == kNone || at(body) >= answer.velocities.size()) return Vec3::Zero();
    const Twist& twist = answer.velocities[at(body)];
    return twist.v + twist.w.cross(point - frame.bodies[at(body)].p);
}

}  // namespace

void find_island_of(const Simulation& sim, std::vector<int>& island_of) {
    const ContactProblem& problem = sim.frame.problem;
    island_of.assign(sim.model.bodies.size(), kNone);
    for (std::size_t i = 0; i < problem.islands.size(); ++i) {
        const int island = static_cast<int>(i);
        for (int k = problem.islands[i].block_begin; k < problem.islands[i].block_end; ++k) {
            const DofBlock& block = sim.model.blocks[at(problem.island_blocks[at(k)])];
            if (block.body != kNone) island_of[at(block.body)] = island;
            if (block.tree == kNone) continue;
            for (const Tree::Node& node : sim.model.trees[at(block.tree)].nodes)
                island_of[at(node.body)] = island;
        }
    }
}

void show_contacts(const Simulation& sim, const ContactQuality& quality,
                   std::vector<ShownContact>& contacts) {
    const ContactProblem& problem = sim.frame.problem;
    const ContactSolution& solution = sim.frame.solution;
    contacts.resize(problem.contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const ContactRow& row = problem.contacts[i];
        const Contact& found = sim.frame.contacts.contacts[i];
        const Vec3 n = row.n.head<3>(), s = row.s.head<3>(), t = row.t.head<3>();
        const Vec6 u =
            link_velocity(problem.system, problem.system.links[at(row.link)], solution.v);
        ShownContact& shown = contacts[i];
        shown.body_a = found.body_a;
        shown.body_b = found.body_b;
        shown.point = found.p();
        shown.normal = n;
        shown.normal_force = solution.c_n[i] / problem.h * n;
        shown.friction_force = (solution.c_s[i] * s + solution.c_t[i] * t) / problem.h;
        shown.slip = row.s.dot(u) * s + row.t.dot(u) * t;
        shown.gap = row.phi;
        shown.mu_c = row.mu_c;
        shown.island = kNone;
        shown.errors = i < quality.each.size() ? quality.each[i] : ContactErrors{};
    }
    set_states(quality.thresholds, contacts);
    set_islands(problem, contacts);
}

void show_contacts(const TrajectorySample& sample, const std::vector<Pose>& before,
                   const QualityThresholds& thresholds, std::vector<ShownContact>& contacts) {
    contacts.assign(sample.contacts.size(), ShownContact{});
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const ContactForce& found = sample.contacts[i];
        ShownContact& shown = contacts[i];
        shown.body_a = found.body_a;
        shown.body_b = found.body_b;
        shown.point = found.point;
        shown.normal = found.normal;
        shown.normal_force = found.force.dot(found.normal) * found.normal;
        shown.friction_force = found.force - shown.normal_force;
        const Vec3 u = velocity_at(sample, before, found.body_a, found.point) -
                       velocity_at(sample, before, found.body_b, found.point);
        shown.slip = u - u.dot(found.normal) * found.normal;
        shown.gap = found.gap;
    }
    set_states(thresholds, contacts);
}

void show_contacts(const ProblemFrame& frame, const FrameAnswer& answer,
                   const std::vector<int>& bodies, int world, std::vector<ShownContact>& contacts) {
    contacts.assign(frame.contacts.size(), ShownContact{});
    const auto place = [&](int body) { return body == kNone ? world : bodies[at(body)]; };
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const FrameContact& found = frame.contacts[i];
        ShownContact& shown = contacts[i];
        shown.body_a = place(found.a);
        shown.body_b = place(found.b);
        shown.point = found.p;
        shown.normal = found.n;
        shown.gap = found.gap;
        shown.mu_c = found.mu;
        if (i >= answer.c_n.size()) continue;
        shown.normal_force = answer.c_n[i] / frame.h * found.n;
        shown.friction_force =
            (answer.c_s[i] * answer.s[i] + answer.c_t[i] * answer.t[i]) / frame.h;
        const Vec3 u = velocity_at(frame, answer, found.a, found.p) -
                       velocity_at(frame, answer, found.b, found.p);
        shown.slip = u - u.dot(found.n) * found.n;
        if (i < answer.quality.each.size()) shown.errors = answer.quality.each[i];
    }
    set_states(answer.quality.thresholds, contacts);
}

}  // namespace stiction
