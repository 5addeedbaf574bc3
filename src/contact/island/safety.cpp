// safety.cpp - what an answer does to energy and gaps; copies of answers.
#include "contact/island/safety.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/island/operators.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

constexpr double kEnergySlack = 1e-6;    // relative: rounding, and what a residual may explain
constexpr double kSmallApproach = 1e-2;  // of the fastest link: an overlap that is soon mended
// Of the fastest link: what no tolerance of a solver explains, and no softness of least squares.
constexpr double kClearApproach = 1e-3;
constexpr double kContradicting = 1e-2;
constexpr double kStill = 1e-12;  // [m/s] no motion: rounding of the speeds of everyday things
// Times the speeds asked for: levers between prescribed motion and a body are shorter as a rule.
constexpr double kLongLever = 10;
// Over most_needed(): wedges and levers multiply what there is to transmit, but not by this much;
// absurd shares of rows that depend on one another do.
constexpr double kAbsurdImpulse = 1e4;
// The same of an answer that obeys all rows, and where something may push as hard as it likes: no_slip
// between faces that are parallel but for a tilt of 1e-8 needs it.
constexpr double kAbsurdSolution = 1e8;
// And what is this much larger is noise, whatever it says of energy and gaps: its rounding is as
// large as all that there is to transmit.
constexpr double kNoiseImpulse = 1e15;
// Residual of an answer in a lopsided island: beyond, friction on the light body is noise.
constexpr double kDoubtful = 1e-4;
// Times the fastest link at v_free: so fast nothing leaves that is held, but a light body under a
// heavy one does where its faces are parallel but for rounding and friction is not believed.
constexpr double kThrown = 10;

bool is_rigid(const BoundedRow& row) {
    return row.compliance == 0 && std::isinf(row.lo) && std::isinf(row.hi);
}

}  // namespace

double asked_energy(const ContactProblem& problem, std::span<const int> links,
                    const ContactSolution& x) {
    double sum = 0;
    for (const int l : links) {
        const LinkRows& range = problem.link_rows[at(l)];
        Vec6 F = Vec6::Zero();  // all impulses of the link
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            const ContactRow& row = problem.contacts[at(i)];
            F += x.c_n[at(i)] * row.n + x.c_s[at(i)] * row.s + x.c_t[at(i)] * row.t;
            sum -= x.c_n[at(i)] * row.bias;
        }
        for (int i = range.joint_begin; i < range.joint_end; ++i) {
            F += x.c_j[at(i)] * problem.joints[at(i)].g;
            sum += x.c_j[at(i)] * problem.joints[at(i)].bias;
        }
        for (int i = range.limit_begin; i < range.limit_end; ++i) {
            F += x.c_l[at(i)] * problem.limits[at(i)].g;
            sum -= x.c_l[at(i)] * problem.limits[at(i)].bias;
        }
        for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
            F += x.c_b[at(i)] * problem.bounded[at(i)].g;
            sum += x.c_b[at(i)] * problem.bounded[at(i)].target;
        }
        sum -= F.dot(problem.system.links[at(l)].u0);
    }
    return sum;
}

bool is_lopsided(const IslandTask& task) {
    constexpr double kHeavy = 1e6;
    double heaviest = 0, lightest = std::numeric_limits<double>::infinity();
    for (const int b : blocks_of(task)) {
        const InertiaBlock& block = task.problem.system.blocks[at(b)];
        if (!block.free_body) continue;
        heaviest = std::max(heaviest, block.mass);
        lightest = std::min(lightest, block.mass);
    }
    return heaviest > kHeavy * lightest;
}

bool is_passive(const IslandTask& task) {
    const ContactProblem& problem = task.problem;
    for (const int l : links_of(task)) {
        if (!problem.system.links[at(l)].u0.isZero(0.0)) return false;
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i)
            if (problem.contacts[at(i)].bias < 0) return false;
        for (int i = range.limit_begin; i < range.limit_end; ++i)
            if (problem.limits[at(i)].bias < 0) return false;
        for (int i = range.joint_begin; i < range.joint_end; ++i)
            if (problem.joints[at(i)].bias != 0) return false;
        for (int i = range.bounded_begin; i < range.bounded_end; ++i)
            if (problem.bounded[at(i)].target != 0) return false;
    }
    return true;
}

namespace {

// Largest speed that a row asks for, or that is prescribed [m/s].
double asked_speed(const IslandTask& task) {
    const ContactProblem& problem = task.problem;
    double speed = 0;
    for (const int l : links_of(task)) {
        speed = std::max(speed, problem.system.links[at(l)].u0.lpNorm<Eigen::Infinity>());
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i)
            speed = std::max(speed, -problem.contacts[at(i)].bias);
        for (int i = range.limit_begin; i < range.limit_end; ++i)
            speed = std::max(speed, -problem.limits[at(i)].bias);
        for (int i = range.joint_begin; i < range.joint_end; ++i)
            speed = std::max(speed, std::abs(problem.joints[at(i)].bias));
        for (int i = range.bounded_begin; i < range.bounded_end; ++i)
            speed = std::max(speed, std::abs(problem.bounded[at(i)].target));
    }
    return speed;
}

// Energy of the island's links at kLongLever times the speeds asked for [J].
double most_asked(const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    const double speed = kLongLever * asked_speed(task);
    double mass = 0;
    for (const int l : links_of(task)) {
        const Link& link = system.links[at(l)];
        const double response = delassus_block(system, link, link).trace() / 6;
        if (response > 0) mass += 1 / response;
    }
    return 0.5 * mass * speed * speed;
}

// Kinetic, over that of v_free and what was asked for, which `bounded` limits to what levers make of
// it [-]; at least 1. Not finite where the answer is not.
double energy_ratio(const IslandTask& task, bool bounded) {
    const LinkSystem& system = task.problem.system;
    const std::span<const int> blocks = blocks_of(task);
    VecX& momentum = task.shared.momentum;
    const double energy = kinetic_energy(system, blocks, task.solution.v, momentum);
    const double free = kinetic_energy(system, blocks, task.problem.v_free, momentum);
    if (!std::isfinite(energy) || energy <= free) return std::isfinite(energy) ? 1 : energy;
    double asked = 0;
    if (!is_passive(task)) {
        asked = std::max(0.0, asked_energy(task.problem, links_of(task), task.solution));
        if (bounded) asked = std::min(asked, most_asked(task));
    }
    if (energy <= free + asked) return 1;
    return free + asked > 0 ? energy / (free + asked) : 1 + energy;
}

double worst_approach(const IslandTask& task) {
    const ContactProblem& problem = task.problem;
    double worst = 0;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(l)], task.solution.v);
        for (int i = range.contact_begin; i < range.contact_end; ++i)
            worst =
                std::max(worst, -(problem.contacts[at(i)].n.dot(u) + problem.contacts[at(i)].bias));
        for (int i = range.limit_begin; i < range.limit_end; ++i)
            worst = std::max(worst, -(problem.limits[at(i)].g.dot(u) + problem.limits[at(i)].bias));
        for (int i = range.joint_begin; i < range.joint_end; ++i)
            worst = std::max(worst,
                             std::abs(problem.joints[at(i)].g.dot(u) - problem.joints[at(i)].bias));
        for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
            const BoundedRow& row = problem.bounded[at(i)];
            if (is_rigid(row)) worst = std::max(worst, std::abs(row.g.dot(u) - row.target));
        }
    }
    return worst;
}

// Fastest link at velocities v, by prescribed motion too [m/s].
double fastest_link(const IslandTask& task, const VecX& v) {
    const LinkSystem& system = task.problem.system;
    double speed = 0;
    for (const int l : links_of(task)) {
        const Vec6 u = link_velocity(system, system.links[at(l)], v);
        speed = std::max(speed, u.lpNorm<Eigen::Infinity>());
    }
    return speed;
}

// By which broken rows are judged: the fastest link, free or in the answer [m/s].
double speed_scale(const IslandTask& task) {
    return std::max(fastest_link(task, task.problem.v_free), fastest_link(task, task.solution.v));
}

double mass_of(const LinkSystem& system, const InertiaBlock& block) {
    if (block.size == 0) return 0;  // a tree whose joints are all fixed
    return block.free_body ? block.mass : system.pool[at(block.pool_M)];
}

// Momentum of the island at v, added up over its blocks without regard to direction [N s]: of a
// block with energy E and mass m at most sqrt(2 E m), where spin counts as much as it can do at the
// body's own radius. Of a tree m is the first entry of its inertia, the mass on a floating base.
double momentum_of(const IslandTask& task, const VecX& v, std::span<const int> blocks) {
    const LinkSystem& system = task.problem.system;
    double sum = 0;
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        if (block.size == 0) continue;
        const double E = kinetic_energy(system, {&b, 1}, v, task.shared.momentum);
        sum += std::sqrt(2 * E * mass_of(system, block));
    }
    return sum;
}

double momentum_of(const IslandTask& task, const VecX& v) {
    return momentum_of(task, v, blocks_of(task));
}

// Momentum of the island at the fastest speed that a row asks for, out of an overlap, back from an
// impact, into a joint, or that is prescribed [N s].
double asked_momentum(const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    double mass = 0;
    for (const int b : blocks_of(task)) mass += mass_of(system, system.blocks[at(b)]);
    return mass * asked_speed(task);
}

// What a motor may do to a contact in the step [N s]. One without limit does what it takes to reach
// its speed, which asked_momentum() has, or, where it yields, to be left behind by `speed`.
double push_of(const BoundedRow& row, double length, double speed) {
    constexpr double kArm = 0.1;  // [m] of a joint that turns
    double most = std::max(-row.lo, row.hi);
    if (std::isinf(most)) most = row.compliance > 0 ? speed / row.compliance : 0;
    return most * (row.g.head<3>().norm() + row.g.tail<3>().norm() * length / kArm);
}

double largest_impulse(const IslandTask& task) {
    double largest = 0;
    for_each_range(task, [&](auto begin, auto end) {
        for (auto c = begin; c != end; ++c) largest = std::max(largest, std::abs(*c));
    });
    return largest;
}

}  // namespace

double most_needed(const IslandTask& task) {
    const ContactProblem& problem = task.problem;
    const double speed = asked_speed(task) + fastest_link(task, problem.v_free);
    double motors = 0;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.bounded_begin; i < range.bounded_end; ++i)
            motors += push_of(problem.bounded[at(i)], problem.system.links[at(l)].length, speed);
    }
    return 2 * momentum_of(task, problem.v_free) + momentum_of(task, problem.v) +
           asked_momentum(task) + motors;
}

bool is_pushed(const IslandTask& task) {
    const ContactProblem& problem = task.problem;
    for (const int l : links_of(task)) {
        if (!problem.system.links[at(l)].u0.isZero(0.0)) return true;
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.bounded_begin; i < range.bounded_end; ++i)
            if (std::isinf(std::max(-problem.bounded[at(i)].lo, problem.bounded[at(i)].hi)))
                return true;
    }
    return false;
}

namespace {

// Whether an impulse is more than `times` what the motion needs.
bool is_absurd(const IslandTask& task, double times) {
    const double largest = largest_impulse(task);
    // As a rule one body has momentum enough.
    if (largest <= times * momentum_of(task, task.problem.v_free, blocks_of(task).first(1)))
        return false;
    return largest > times * most_needed(task);
}

}  // namespace

AnswerQuality quality_of(const IslandTask& task) {
    AnswerQuality quality;
    quality.energy = energy_ratio(task, true);
    quality.finite = std::isfinite(quality.energy) &&
                     largest_impulse(task) <= kNoiseImpulse * most_needed(task) + kStill;
    if (!quality.finite) return quality;
    quality.approach = worst_approach(task);
    quality.closes = quality.approach > kSmallApproach * speed_scale(task);
    quality.thrown = is_passive(task) && is_lopsided(task) &&
                     fastest_link(task, task.solution.v) >
                         kThrown * fastest_link(task, task.problem.v_free) + kStill;
    quality.absurd = is_absurd(task, is_pushed(task) ? kAbsurdSolution : kAbsurdImpulse);
    return quality;
}

namespace {

// By how much a motor or the friction of a joint that could do more misses its speed [m/s].
double worst_drive(const IslandTask& task) {
    constexpr double kAtBound = 1e-6;  // of the width of the bounds: it does all it can
    const ContactProblem& problem = task.problem;
    double worst = 0;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        if (range.bounded_begin == range.bounded_end) continue;
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(l)], task.solution.v);
        for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
            const BoundedRow& row = problem.bounded[at(i)];
            const double c = task.solution.c_b[at(i)];
            const double w = row.g.dot(u) - row.target + row.compliance * c;
            const double near = std::isinf(row.hi - row.lo) ? 0 : kAtBound * (row.hi - row.lo);
            const bool could = w < 0 ? c < row.hi - near : c > row.lo + near;
            if (could) worst = std::max(worst, std::abs(w));
        }
    }
    return worst;
}

// Whether a link is as fast as that, free or in the answer: speed_scale() to its first one that is.
bool any_link_reaches(const IslandTask& task, double speed) {
    const LinkSystem& system = task.problem.system;
    for (const int l : links_of(task)) {
        const Link& link = system.links[at(l)];
        if (link_velocity(system, link, task.problem.v_free).lpNorm<Eigen::Infinity>() >= speed ||
            link_velocity(system, link, task.solution.v).lpNorm<Eigen::Infinity>() >= speed)
            return true;
    }
    return false;
}

// Whether |q| of the residuals of cone_problem.h, velocities of all contacts without impulses, is as
// large as that [m/s].
bool free_speed_reaches(const IslandTask& task, double speed) {
    const ContactProblem& problem = task.problem;
    double sum = 0;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        if (range.contact_begin == range.contact_end) continue;
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(l)], problem.v_free);
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            const ContactRow& row = problem.contacts[at(i)];
            const Vec3 q(row.n.dot(u) + row.bias, row.s.dot(u), row.t.dot(u));
            sum += q.squaredNorm();
        }
        if (sum >= speed * speed) return true;
    }
    return false;
}

// What a tolerance that was asked for explains is no fault of the answer: its residual adds up the
// contacts of a pile, so one of them may have a share that is clear beside the speeds.
bool is_clear(const IslandTask& task, double broken) {
    if (broken <= kStill || any_link_reaches(task, (broken - kStill) / kClearApproach))
        return false;
    return !free_speed_reaches(task, broken / task.stop.tolerance);
}

bool obeys(const IslandTask& task, Drives drives, bool bounded) {
    if (!(energy_ratio(task, bounded) <= 1 + kEnergySlack)) return false;
    const double drive = drives == Drives::kReachTheirSpeed ? worst_drive(task) : 0.0;
    if (is_clear(task, std::max(worst_approach(task), drive))) return false;
    return !is_absurd(task, kAbsurdSolution);
}

}  // namespace

bool is_doubtful(const IslandTask& task, const IslandResult& result) {
    const bool good = result.residual <= kDoubtful && result.solver != "frictionless";
    return !good && is_lopsided(task);
}

bool holds_by_friction(const IslandTask& task) {
    const ContactProblem& problem = task.problem;
    const ContactSolution& x = task.solution;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        double friction = 0, most = 0;
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            friction += std::hypot(x.c_s[at(i)], x.c_t[at(i)]);
            most += problem.contacts[at(i)].mu_c * x.c_n[at(i)];
        }
        if (!(friction <= most)) return false;
    }
    return true;
}

bool is_credible(const IslandTask& task, Drives drives) { return obeys(task, drives, true); }
bool is_lawful(const IslandTask& task, Drives drives) { return obeys(task, drives, false); }

bool breaks_no_row(const IslandTask& task) {
    return worst_approach(task) <= kClearApproach * speed_scale(task) + kStill;
}

double violation(const IslandTask& task) {
    const double speed = std::max(fastest_link(task, task.problem.v_free), asked_speed(task));
    return worst_approach(task) / (speed + kStill);
}
bool is_contradiction(const IslandTask& task) { return violation(task) > kContradicting; }

bool is_better(const AnswerQuality& a, const AnswerQuality& b) {
    if (a.finite != b.finite) return a.finite;
    const bool a_gains = a.energy > 1 + kEnergySlack, b_gains = b.energy > 1 + kEnergySlack;
    if (a_gains != b_gains) return b_gains;
    if (a_gains) return a.energy < b.energy;
    if (a.thrown != b.thrown) return b.thrown;
    if (a.closes != b.closes) return b.closes;
    if (a.absurd != b.absurd) return b.absurd;
    return a.approach < b.approach;
}

bool is_sound(const AnswerQuality& quality, bool cut_short) {
    if (!quality.finite || quality.energy > 1 + kEnergySlack) return false;
    if (quality.thrown || quality.absurd) return false;
    return cut_short || !quality.closes;
}

void keep_answer(const IslandTask& task, KeptAnswer& kept) {
    kept.v.resize(task.solution.v.size());
    copy_velocity(task.problem.system, blocks_of(task), task.solution.v, kept.v);
    kept.impulses.clear();
    for_each_range(
        task, [&](auto begin, auto end) { kept.impulses.insert(kept.impulses.end(), begin, end); });
}

void put_back(const IslandTask& task, const KeptAnswer& kept) {
    copy_velocity(task.problem.system, blocks_of(task), kept.v, task.solution.v);
    auto from = kept.impulses.begin();
    for_each_range(task, [&](auto begin, auto end) {
        for (auto to = begin; to != end; ++to) *to = *from++;
    });
}

}  // namespace stiction
