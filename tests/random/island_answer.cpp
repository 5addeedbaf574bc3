// island_answer.cpp - rows of all kinds in one form, and sums over them.
#include "random/island_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/link_motion.h"

namespace stiction {

namespace {

using Kind = RowAnswer::Kind;

// The rows of one link.
class LinkReader {
  public:
    LinkReader(const CheckedStep& step, int link)
        : step_(step), link_(step.problem.system.links[at(link)]) {
        const LinkSystem& system = step.problem.system;
        answer_.link = link;
        answer_.u = link_velocity(system, link_, step.solution.v);
        u_free_ = link_velocity(system, link_, step.problem.v_free);
        D_ = delassus_block(system, link_, link_);
        const LinkRows& rows = step.problem.link_rows[at(link)];
        for (int i = rows.contact_begin; i < rows.contact_end; ++i) add_contact(i);
        for (int i = rows.joint_begin; i < rows.joint_end; ++i) {
            const JointRow& row = step.problem.joints[at(i)];
            add(Kind::kJoint, i, row.g, -row.bias, step.solution.c_j[at(i)]);
        }
        for (int i = rows.limit_begin; i < rows.limit_end; ++i) {
            const LimitRow& row = step.problem.limits[at(i)];
            add(Kind::kLimit, i, row.g, row.bias, step.solution.c_l[at(i)]);
        }
        for (int i = rows.bounded_begin; i < rows.bounded_end; ++i) {
            const BoundedRow& row = step.problem.bounded[at(i)];
            add(Kind::kBounded, i, row.g, -row.target, step.solution.c_b[at(i)]).weight +=
                row.compliance;
        }
    }
    [[nodiscard]] const LinkAnswer& answer() const { return answer_; }
    [[nodiscard]] double free_speed() const { return u_free_.lpNorm<Eigen::Infinity>(); }

  private:
    RowAnswer& add(Kind kind, int index, const Vec6& g, double offset, double c) {
        RowAnswer row;
        row.kind = kind;
        row.index = index;
        row.g = g;
        row.offset = offset;
        row.c = c;
        row.weight = g.dot(D_ * g);
        row.q = g.dot(u_free_) + offset;
        row.u = g.dot(answer_.u) + offset;
        return answer_.rows.emplace_back(row);
    }
    void add_contact(int i) {
        const ContactRow& row = step_.problem.contacts[at(i)];
        const ContactSolution& solution = step_.solution;
        double weight = add(Kind::kNormal, i, row.n, row.bias, solution.c_n[at(i)]).weight;
        weight += add(Kind::kS, i, row.s, 0, solution.c_s[at(i)]).weight;
        weight += add(Kind::kT, i, row.t, 0, solution.c_t[at(i)]).weight;
        for (std::size_t k = 1; k <= 3; ++k)
            answer_.rows[answer_.rows.size() - k].weight = weight / 3;
        answer_.gap = answer_.gap || row.phi > 0;
    }

    const CheckedStep& step_;
    const Link& link_;
    Vec6 u_free_ = Vec6::Zero();
    Mat6 D_ = Mat6::Zero();
    LinkAnswer answer_;
};

bool rebounds(const CheckedStep& step, const RowAnswer& row) {
    if (row.kind != Kind::kNormal) return false;
    const ContactRow& contact = step.problem.contacts[at(row.index)];
    const Link& link = step.problem.system.links[at(contact.link)];
    const double approach = -row.g.dot(link_velocity(step.problem.system, link, step.problem.v));
    return contact.eps > 0 && row.c > 0 && approach > step.restitution_threshold;
}

// What the row adds to the energy when solved exactly is at most zero.
bool dissipates(const RowAnswer& row) {
    const bool one_sided = row.kind == Kind::kNormal || row.kind == Kind::kLimit;
    return one_sided ? row.offset >= 0 : row.offset == 0;
}

// Coulomb's laws shift the normal velocity by mu times the tangential one.
double shifted(const CheckedStep& step, const RowAnswer& row) {
    const bool coulomb = std::holds_alternative<CoulombCone>(step.model) ||
                         std::holds_alternative<CoulombLcp>(step.model);
    const bool of_contact =
        row.kind == Kind::kNormal || row.kind == Kind::kS || row.kind == Kind::kT;
    return coulomb && of_contact ? 1 + step.problem.contacts[at(row.index)].mu_c : 1.0;
}

void add_to_scales(const CheckedStep& step, const RowAnswer& row, IslandAnswer& answer) {
    answer.largest_x = std::max(answer.largest_x, std::abs(row.weight * row.c));
    answer.largest_impulse = std::max(answer.largest_impulse, std::abs(row.c));
    answer.largest_weight = std::max(answer.largest_weight, row.weight);
    answer.worth += std::abs(row.c);
    if (row.weight > 0) answer.worth += shifted(step, row) * std::abs(row.u) / row.weight;
    answer.jointed = answer.jointed || row.kind == Kind::kJoint;
    answer.dissipative = answer.dissipative && dissipates(row);
    answer.rebounds = answer.rebounds || rebounds(step, row);
    const bool drives =
        row.kind == Kind::kBounded && std::isfinite(step.problem.bounded[at(row.index)].hi);
    if (drives) answer.momentum += std::abs(row.c);
}

// [kg]; of a tree what its heaviest velocity moves, angles at the shortest length there is.
double mass_of(const ContactProblem& problem, const Island& island, const InertiaBlock& block) {
    if (block.free_body) return block.mass;
    if (block.size == 0) return 0;  // fixed to the world
    double length = 1;
    for (const int l : links_of(problem, island))
        length = std::min(length, problem.system.links[at(l)].length);
    return dense_inertia(problem.system, block).diagonal().maxCoeff() / (length * length);
}

// no_slip: 1.5 times what any contact has to transmit, or any other row of the answer does.
class MostFriction {
  public:
    MostFriction(const CheckedStep& step, const Island& island) : step_(step), island_(island) {}

    [[nodiscard]] double of(const IslandAnswer& answer) {
        for (const LinkAnswer& link : answer.links) add(link);
        if (pushed_ || std::isinf(motors_)) return std::numeric_limits<double>::infinity();
        double needed = 0;
        for (const int b : blocks_of(step_.problem, island_)) {
            const InertiaBlock& block = step_.problem.system.blocks[at(b)];
            if (block.size == 0) continue;
            const double mass =
                block.free_body ? block.mass : step_.problem.system.pool[at(block.pool_M)];
            needed += 2 * momentum(block, mass, step_.problem.v_free) +
                      momentum(block, mass, step_.problem.v) + mass * asked_;
        }
        return 1.5 * std::max(needed + motors_, largest_);
    }

  private:
    void add(const LinkAnswer& link) {
        const Link& place = step_.problem.system.links[at(link.link)];
        ask(place.u0.lpNorm<Eigen::Infinity>());
        pushed_ = pushed_ || !place.u0.isZero(0.0);
        for (const RowAnswer& row : link.rows) {
            if (row.kind == Kind::kS || row.kind == Kind::kT) continue;
            largest_ = std::max(largest_, std::abs(row.c));
            const bool one_sided = row.kind == Kind::kNormal || row.kind == Kind::kLimit;
            ask(one_sided ? -row.offset : std::abs(row.offset));
            if (row.kind == Kind::kBounded)
                add_motor(step_.problem.bounded[at(row.index)], place.length);
        }
    }
    // One of a joint that turns pushes at an arm of 0.1 m.
    void add_motor(const BoundedRow& row, double length) {
        const double arms = row.g.head<3>().norm() + row.g.tail<3>().norm() * length / 0.1;
        motors_ += std::max(-row.lo, row.hi) * arms;
    }
    void ask(double speed) { asked_ = std::max(asked_, speed); }
    // Of a block: at most sqrt(2 E m), whatever its spin.
    [[nodiscard]] double momentum(const InertiaBlock& block, double mass, const VecX& v) const {
        VecX p = VecX::Zero(v.size());
        apply_inertia(step_.problem.system, block, v, p);
        return std::sqrt(
            mass * v.segment(block.offset, block.size).dot(p.segment(block.offset, block.size)));
    }

    const CheckedStep& step_;
    const Island& island_;
    bool pushed_ = false;  // by prescribed motion: friction has no limit either
    double asked_ = 0;     // largest speed that a row asks for [m/s]
    double motors_ = 0;    // what they may do, infinite without limit [N s]
    double largest_ = 0;   // impulse of a row that is no friction [N s]
};

}  // namespace

IslandAnswer answer_of(const CheckedStep& step, const Island& island) {
    IslandAnswer answer;
    double q_squared = 0;
    for (const int l : links_of(step.problem, island)) {
        const LinkReader reader(step, l);
        answer.speed = std::max(answer.speed, reader.free_speed());
        answer.links.push_back(reader.answer());
        answer.dissipative = answer.dissipative && step.problem.system.links[at(l)].u0.isZero(0.0);
        for (const RowAnswer& row : answer.links.back().rows) {
            q_squared += row.q * row.q;
            add_to_scales(step, row, answer);
        }
    }
    answer.speed = std::max(answer.speed, std::sqrt(q_squared));
    for (const int b : blocks_of(step.problem, island))
        answer.momentum +=
            answer.speed * mass_of(step.problem, island, step.problem.system.blocks[at(b)]);
    if (std::holds_alternative<NoSlip>(step.model))
        answer.most_friction = MostFriction(step, island).of(answer);
    return answer;
}

VecX rebuilt_velocity(const CheckedStep& step, const Island& island, const IslandAnswer& answer) {
    const LinkSystem& system = step.problem.system;
    VecX momentum = VecX::Zero(step.problem.v_free.size());
    VecX change = VecX::Zero(step.problem.v_free.size());
    for (const LinkAnswer& link : answer.links) {
        Vec6 F = Vec6::Zero();
        for (const RowAnswer& row : link.rows) F += row.c * row.g;
        add_link_impulse(system, system.links[at(link.link)], F, momentum);
    }
    for (const int b : blocks_of(step.problem, island))
        apply_inverse_inertia(system, system.blocks[at(b)], momentum, change);
    return step.problem.v_free + change;
}

double kinetic_energy_of(const ContactProblem& problem, const Island& island, const VecX& v) {
    VecX momentum = VecX::Zero(v.size());
    double twice = 0;
    for (const int b : blocks_of(problem, island)) {
        const InertiaBlock& block = problem.system.blocks[at(b)];
        apply_inertia(problem.system, block, v, momentum);
        twice +=
            v.segment(block.offset, block.size).dot(momentum.segment(block.offset, block.size));
    }
    return 0.5 * twice;
}

}  // namespace stiction
