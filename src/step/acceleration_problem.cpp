// acceleration_problem.cpp - which rows take part, and what is asked of them.
#include "step/acceleration_problem.h"

#include <algorithm>
#include <cmath>

#include "problem/link_motion.h"

namespace stiction {

namespace {

// A contact that opens more slowly than this holds: the larger part is what forces change in a
// hundredth of the step, the smaller what rounding leaves at its speed.
constexpr double kSlowShare = 1e-2;  // of g h
constexpr double kSlowSpeed = 1e-9;  // of the link's velocity

// Copies the rows that are kept, as rows of `link`.
template <class Row, class Keep>
void copy_rows(const std::vector<Row>& from, int begin, int end, int link, const Keep& keep,
               std::vector<Row>& to, std::vector<int>& index) {
    for (int i = begin; i < end; ++i) {
        if (!keep(from[at(i)])) continue;
        to.push_back(from[at(i)]);
        to.back().link = link;
        index.push_back(i);
    }
}

template <class KeepContact, class KeepLimit>
void select(const ContactProblem& whole, const KeepContact& keep_contact,
            const KeepLimit& keep_limit, bool keep_bounded, std::vector<int>& scratch,
            RowSubset& subset) {
    ContactProblem& part = subset.problem;
    part.h = whole.h;
    part.gravity = whole.gravity;
    part.system.nv = whole.system.nv;
    part.system.blocks = whole.system.blocks;
    part.system.pool = whole.system.pool;
    part.system.columns = whole.system.columns;
    part.system.links.clear();
    part.v = whole.v;
    part.f = whole.f;
    part.v_free = whole.v_free;
    part.contacts.clear();
    part.joints = whole.joints;
    part.limits.clear();
    part.bounded.clear();
    part.link_rows.clear();
    subset.contacts.clear();
    subset.limits.clear();
    subset.bounded.clear();
    for (std::size_t l = 0; l < whole.link_rows.size(); ++l) {
        const LinkRows& old = whole.link_rows[l];
        const auto link = static_cast<int>(part.system.links.size());
        LinkRows rows;
        rows.contact_begin = static_cast<int>(part.contacts.size());
        copy_rows(whole.contacts, old.contact_begin, old.contact_end, link, keep_contact,
                  part.contacts, subset.contacts);
        rows.contact_end = static_cast<int>(part.contacts.size());
        rows.joint_begin = old.joint_begin;
        rows.joint_end = old.joint_end;
        for (int i = old.joint_begin; i < old.joint_end; ++i) part.joints[at(i)].link = link;
        rows.limit_begin = static_cast<int>(part.limits.size());
        copy_rows(whole.limits, old.limit_begin, old.limit_end, link, keep_limit, part.limits,
                  subset.limits);
        rows.limit_end = static_cast<int>(part.limits.size());
        rows.bounded_begin = static_cast<int>(part.bounded.size());
        copy_rows(
            whole.bounded, old.bounded_begin, old.bounded_end, link,
            [&](const BoundedRow&) { return keep_bounded; }, part.bounded, subset.bounded);
        rows.bounded_end = static_cast<int>(part.bounded.size());
        const bool none =
            rows.contact_begin == rows.contact_end && rows.joint_begin == rows.joint_end &&
            rows.limit_begin == rows.limit_end && rows.bounded_begin == rows.bounded_end;
        if (none) continue;
        part.system.links.push_back(whole.system.links[l]);
        part.link_rows.push_back(rows);
    }
    find_islands(part, scratch);
}

// Calls act(row, u, value) for every row of the problem at velocity v.
template <class Act>
void for_each_row(const ContactProblem& problem, const VecX& v, RowValues& values, const Act& act) {
    values.contacts.resize(problem.contacts.size());
    values.joints.resize(problem.joints.size());
    values.limits.resize(problem.limits.size());
    values.bounded.resize(problem.bounded.size());
    for (std::size_t l = 0; l < problem.link_rows.size(); ++l) {
        const LinkRows& rows = problem.link_rows[l];
        const Vec6 u = link_velocity(problem.system, problem.system.links[l], v);
        for (int i = rows.contact_begin; i < rows.contact_end; ++i)
            values.contacts[at(i)] = act(problem.contacts[at(i)], problem.contacts[at(i)].n.dot(u));
        for (int i = rows.joint_begin; i < rows.joint_end; ++i)
            values.joints[at(i)] = act(problem.joints[at(i)], problem.joints[at(i)].g.dot(u));
        for (int i = rows.limit_begin; i < rows.limit_end; ++i)
            values.limits[at(i)] = act(problem.limits[at(i)], problem.limits[at(i)].g.dot(u));
        for (int i = rows.bounded_begin; i < rows.bounded_end; ++i)
            values.bounded[at(i)] = act(problem.bounded[at(i)], problem.bounded[at(i)].g.dot(u));
    }
}

double error_of(const ContactRow& row, double velocity) { return velocity + row.bias; }
double error_of(const LimitRow& row, double velocity) { return velocity + row.bias; }
double error_of(const JointRow& row, double velocity) { return velocity - row.bias; }
double error_of(const BoundedRow& row, double velocity) { return velocity - row.target; }

void add_weighted(const std::vector<int>& index, const std::vector<double>& part, double weight,
                  std::vector<double>& whole) {
    for (std::size_t i = 0; i < index.size(); ++i) whole[at(index[i])] += weight * part[i];
}

}  // namespace

bool touches(const ContactProblem& problem, const LimitRow& limit) {
    ContactRow at_limit;
    at_limit.link = limit.link;
    at_limit.phi = limit.phi;
    return touching(problem, at_limit);
}

void select_impact(const ContactProblem& whole, bool now, std::vector<int>& scratch,
                   RowSubset& impact) {
    select(
        whole, [&](const ContactRow& row) { return !now || touching(whole, row); },
        [&](const LimitRow& row) { return !now || touches(whole, row); }, false, scratch, impact);
    ContactProblem& problem = impact.problem;
    problem.v_free = problem.v;
    // What touches may not come nearer, however small the gap that rounding leaves.
    for (ContactRow& row : problem.contacts)
        if (touching(problem, row)) row.bias = std::min(row.bias, 0.0);
    for (LimitRow& row : problem.limits)
        if (touches(problem, row)) row.bias = std::min(row.bias, 0.0);
}

void select_holding(const ContactProblem& whole, const VecX& v, std::vector<int>& scratch,
                    RowSubset& holding) {
    const auto slow = [&](int link, const Vec6& g, double bias) {
        const Vec6 u = link_velocity(whole.system, whole.system.links[at(link)], v);
        const double speed = u.lpNorm<Eigen::Infinity>();
        return g.dot(u) + std::min(bias, 0.0) <=
               kSlowShare * whole.gravity * whole.h + kSlowSpeed * speed;
    };
    const auto contact = [&](const ContactRow& row) {
        return touching(whole, row) && slow(row.link, row.n, row.bias);
    };
    const auto limit = [&](const LimitRow& row) {
        return touches(whole, row) && slow(row.link, row.g, row.bias);
    };
    select(whole, contact, limit, true, scratch, holding);
}

void row_velocities(const ContactProblem& problem, const VecX& v, RowValues& velocities) {
    for_each_row(problem, v, velocities, [](const auto&, double velocity) { return velocity; });
}

void row_errors(const ContactProblem& problem, const VecX& v, RowValues& errors) {
    for_each_row(problem, v, errors,
                 [](const auto& row, double velocity) { return error_of(row, velocity); });
}

void set_acceleration_targets(const RowValues& errors, const RowValues& rates,
                              ContactProblem& problem) {
    const double h = problem.h;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i)
        problem.contacts[i].bias = errors.contacts[i] + h * rates.contacts[i];
    for (std::size_t i = 0; i < problem.joints.size(); ++i)
        problem.joints[i].bias = -(errors.joints[i] + h * rates.joints[i]);
    for (std::size_t i = 0; i < problem.limits.size(); ++i)
        problem.limits[i].bias = errors.limits[i] + h * rates.limits[i];
    for (std::size_t i = 0; i < problem.bounded.size(); ++i)
        problem.bounded[i].target = -(errors.bounded[i] + h * rates.bounded[i]);
}

void set_free_acceleration(const ContactProblem& whole, double weight, RowSubset& holding,
                           VecX& momentum, ContactSolution& solution) {
    ContactProblem& problem = holding.problem;
    momentum = problem.h * problem.f;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const ContactRow& row = problem.contacts[i];
        if (row.mu_v <= 0) continue;
        const Link& link = problem.system.links[at(row.link)];
        const Vec6 u = link_velocity(problem.system, link, problem.v);
        const double c_s = -problem.h * row.mu_v * row.s.dot(u);
        const double c_t = -problem.h * row.mu_v * row.t.dot(u);
        add_link_impulse(problem.system, link, c_s * row.s + c_t * row.t, momentum);
        const int id = holding.contacts[i];
        const Vec3 drag = weight * (c_s * row.s.head<3>() + c_t * row.t.head<3>());
        solution.c_s[at(id)] += drag.dot(whole.contacts[at(id)].s.head<3>());
        solution.c_t[at(id)] += drag.dot(whole.contacts[at(id)].t.head<3>());
    }
    for (const InertiaBlock& block : problem.system.blocks)
        apply_inverse_inertia(problem.system, block, momentum, problem.v_free);
}

void add_part(const RowSubset& subset, const ContactSolution& part, double weight,
              ContactSolution& solution) {
    add_weighted(subset.contacts, part.c_n, weight, solution.c_n);
    add_weighted(subset.limits, part.c_l, weight, solution.c_l);
    add_weighted(subset.bounded, part.c_b, weight, solution.c_b);
    for (std::size_t i = 0; i < part.c_j.size(); ++i) solution.c_j[i] += weight * part.c_j[i];
    solution.status = worse(solution.status, part.status);
    if (part.solver != "none") solution.solver = part.solver;
    solution.iterations += part.iterations;
    solution.pivots += part.pivots;
    solution.passes = std::max(solution.passes, part.passes);
    solution.failures += part.failures;
    solution.fallbacks += part.fallbacks;
    solution.residual = std::max(solution.residual, part.residual);
}

}  // namespace stiction
