// safety.cpp - what an answer does to energy and gaps; copies of answers.
#include "contact/island/safety.h"

#include <algorithm>
#include <cmath>

#include "contact/island/operators.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

constexpr double kEnergySlack = 1e-6;    // relative: rounding, and what a residual may explain
constexpr double kSmallApproach = 1e-2;  // of the fastest link: an overlap that is soon mended

// Whether every law gives at most the energy of v_free.
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
    }
    return worst;
}

double fastest_link(const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    double speed = 0;
    for (const int l : links_of(task)) {
        const Vec6 u = link_velocity(system, system.links[at(l)], task.problem.v_free);
        speed = std::max(speed, u.lpNorm<Eigen::Infinity>());
    }
    return speed;
}

// Calls act(first, last) for the impulses of every kind of row and link.
template <typename Solution, typename Act>
void for_each_range(const IslandTask& task, Solution& solution, const Act& act) {
    const auto range = [&](auto& c, int begin, int end) {
        act(c.begin() + begin, c.begin() + end);
    };
    for (const int l : links_of(task)) {
        const LinkRows& rows = task.problem.link_rows[at(l)];
        range(solution.c_n, rows.contact_begin, rows.contact_end);
        range(solution.c_s, rows.contact_begin, rows.contact_end);
        range(solution.c_t, rows.contact_begin, rows.contact_end);
        range(solution.c_j, rows.joint_begin, rows.joint_end);
        range(solution.c_l, rows.limit_begin, rows.limit_end);
        range(solution.c_b, rows.bounded_begin, rows.bounded_end);
    }
}

}  // namespace

AnswerQuality quality_of(const IslandTask& task) {
    const LinkSystem& system = task.problem.system;
    const std::span<const int> blocks = blocks_of(task);
    VecX& momentum = task.shared.momentum;
    const double energy = kinetic_energy(system, blocks, task.solution.v, momentum);
    AnswerQuality quality;
    quality.finite = std::isfinite(energy);
    quality.energy = 1;
    if (!quality.finite) return quality;
    const double free = kinetic_energy(system, blocks, task.problem.v_free, momentum);
    if (is_passive(task) && energy > free) quality.energy = free > 0 ? energy / free : energy;
    quality.approach = worst_approach(task);
    return quality;
}

bool is_better(const AnswerQuality& a, const AnswerQuality& b) {
    if (a.finite != b.finite) return a.finite;
    const bool a_gains = a.energy > 1 + kEnergySlack, b_gains = b.energy > 1 + kEnergySlack;
    if (a_gains != b_gains) return b_gains;
    return a_gains ? a.energy < b.energy : a.approach < b.approach;
}

bool is_sound(const IslandTask& task, const AnswerQuality& quality, bool cut_short) {
    if (!quality.finite || quality.energy > 1 + kEnergySlack) return false;
    return cut_short || quality.approach <= kSmallApproach * fastest_link(task);
}

void keep_answer(const IslandTask& task, KeptAnswer& kept) {
    kept.v.resize(task.solution.v.size());
    copy_velocity(task.problem.system, blocks_of(task), task.solution.v, kept.v);
    kept.impulses.clear();
    for_each_range(task, task.solution, [&](auto begin, auto end) {
        kept.impulses.insert(kept.impulses.end(), begin, end);
    });
}

void put_back(const IslandTask& task, const KeptAnswer& kept) {
    copy_velocity(task.problem.system, blocks_of(task), kept.v, task.solution.v);
    auto from = kept.impulses.begin();
    for_each_range(task, task.solution, [&](auto begin, auto end) {
        for (auto to = begin; to != end; ++to) *to = *from++;
    });
}

}  // namespace stiction
