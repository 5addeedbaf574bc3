// step_arrays.cpp - the group `stiction` of a frame: the step as it was solved. Rows have six
// columns, on the velocity of their link (problem/link_system.h); trees have their matrices in `M`.
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

#include "problem_files/frame_arrays.h"
#include "problem_files/model_json.h"

namespace stiction {

namespace {

using Reals = std::vector<double>;
using Whole = std::vector<std::int32_t>;

template <class Vector>
void put_all(const Vector& x, Reals& values) {
    values.insert(values.end(), x.data(), x.data() + x.size());
}

void put_key(const ContactKey& key, std::vector<std::int64_t>& values) {
    values.insert(values.end(),
                  {key.body_a, key.body_b, key.geom_a, key.geom_b, std::int64_t{key.feature}});
}

std::vector<std::int64_t> signed_bits(const std::vector<std::uint64_t>& bits) {
    std::vector<std::int64_t> out;
    for (const std::uint64_t x : bits) out.push_back(std::bit_cast<std::int64_t>(x));
    return out;
}

void add_blocks(const LinkSystem& system, GroupBuilder& out) {
    Whole ints;
    Reals reals;
    for (const InertiaBlock& block : system.blocks) {
        ints.insert(ints.end(),
                    {block.offset, block.size, block.free_body ? 1 : 0, block.isotropic ? 1 : 0,
                     block.ways, block.pool_M, block.pool_root});
        reals.insert(reals.end(), {block.mass, block.inv_mass});
        put_all(block.inertia, reals);
        put_all(block.inv_inertia, reals);
    }
    out.table("stiction/blocks", 7, std::move(ints));
    out.table("stiction/inertia", 20, std::move(reals));
    if (!system.pool.empty()) out.list("stiction/M", system.pool);
    if (!system.columns.empty())
        out.list("stiction/columns", Whole(system.columns.begin(), system.columns.end()));
}

void add_links(const ContactProblem& problem, GroupBuilder& out) {
    if (problem.system.links.empty()) return;
    Whole ints;
    Reals reals;
    for (std::size_t l = 0; l < problem.system.links.size(); ++l) {
        const Link& link = problem.system.links[l];
        const LinkRows& rows = problem.link_rows[l];
        ints.insert(ints.end(), {link.a, link.b});
        for (const GeneralSide& side : {link.general_a, link.general_b})
            ints.insert(ints.end(), {side.columns, side.count, side.X, side.Z});
        ints.insert(ints.end(),
                    {rows.contact_begin, rows.contact_end, rows.joint_begin, rows.joint_end,
                     rows.limit_begin, rows.limit_end, rows.bounded_begin, rows.bounded_end});
        reals.push_back(link.length);
        put_all(link.r_a, reals);
        put_all(link.r_b, reals);
        put_all(link.u0, reals);
    }
    out.table("stiction/links", 18, std::move(ints));
    out.table("stiction/levers", 13, std::move(reals));
}

void add_contact_rows(const std::vector<ContactRow>& contacts, GroupBuilder& out) {
    if (contacts.empty()) return;
    Whole link;
    Reals N, S, T, phi, bias, mu_c, mu_v, restitution;
    std::vector<std::int64_t> features;
    for (const ContactRow& row : contacts) {
        link.push_back(row.link);
        put_all(row.n, N);
        put_all(row.s, S);
        put_all(row.t, T);
        phi.push_back(row.phi);
        bias.push_back(row.bias);
        mu_c.push_back(row.mu_c);
        mu_v.push_back(row.mu_v);
        restitution.push_back(row.eps);
        put_key(row.key, features);
    }
    out.table("stiction/contact_links", 1, std::move(link));
    out.table("stiction/N", 6, std::move(N));
    out.table("stiction/S", 6, std::move(S));
    out.table("stiction/T", 6, std::move(T));
    out.table("stiction/phi", 1, std::move(phi));
    out.table("stiction/bias", 1, std::move(bias));
    out.table("stiction/mu_c", 1, std::move(mu_c));
    out.table("stiction/mu_v", 1, std::move(mu_v));
    out.table("stiction/restitution", 1, std::move(restitution));
    out.table("stiction/features", 5, std::move(features));
}

void add_joint_rows(const ContactProblem& problem, GroupBuilder& out) {
    Whole ints;
    Reals g, first, second;
    for (const JointRow& row : problem.joints) {
        ints.insert(ints.end(), {row.link, row.joint});
        put_all(row.g, g);
        first.push_back(row.bias);
        second.push_back(row.error);
    }
    if (ints.empty()) return;
    out.table("stiction/joint_links", 2, std::move(ints));
    out.table("stiction/J", 6, std::move(g));
    out.table("stiction/bJ", 1, std::move(first));
    out.table("stiction/joint_errors", 1, std::move(second));
}

void add_limit_rows(const ContactProblem& problem, GroupBuilder& out) {
    Whole ints;
    Reals g, phi, bias;
    for (const LimitRow& row : problem.limits) {
        ints.insert(ints.end(), {row.link, row.joint, row.upper ? 1 : 0});
        put_all(row.g, g);
        phi.push_back(row.phi);
        bias.push_back(row.bias);
    }
    if (ints.empty()) return;
    out.table("stiction/limit_links", 3, std::move(ints));
    out.table("stiction/L", 6, std::move(g));
    out.table("stiction/limit_gaps", 1, std::move(phi));
    out.table("stiction/bL", 1, std::move(bias));
}

void add_bounded_rows(const ContactProblem& problem, GroupBuilder& out) {
    Whole ints;
    Reals g, target, compliance, lo, hi;
    for (const BoundedRow& row : problem.bounded) {
        ints.insert(ints.end(), {row.link, row.joint, row.friction ? 1 : 0});
        put_all(row.g, g);
        target.push_back(row.target);
        compliance.push_back(row.compliance);
        lo.push_back(row.lo);
        hi.push_back(row.hi);
    }
    if (ints.empty()) return;
    out.table("stiction/bounded_links", 3, std::move(ints));
    out.table("stiction/B", 6, std::move(g));
    out.table("stiction/bB", 1, std::move(target));
    out.table("stiction/compliance", 1, std::move(compliance));
    out.table("stiction/lo", 1, std::move(lo));
    out.table("stiction/hi", 1, std::move(hi));
}

void add_guess(const Guess& guess, GroupBuilder& out) {
    std::vector<std::int64_t> keys;
    Reals impulses, multipliers;
    for (const ContactKey& key : guess.keys) put_key(key, keys);
    for (const Vec3& impulse : guess.impulses) put_all(impulse, impulses);
    for (const Eigen::Vector2d& m : guess.multipliers) put_all(m, multipliers);
    if (!guess.keys.empty()) {
        out.table("stiction/guess/features", 5, std::move(keys));
        out.table("stiction/guess/impulses", 3, std::move(impulses));
        out.list("stiction/guess/contacts", signed_bits(guess.contacts));
        if (!multipliers.empty()) out.table("stiction/guess/multipliers", 2, multipliers);
    }
    if (!guess.joints.empty()) out.list("stiction/guess/joints", signed_bits(guess.joints));
    if (!guess.joint_impulses.empty())
        out.list("stiction/guess/joint_impulses", guess.joint_impulses);
    if (!guess.bounded_impulses.empty())
        out.list("stiction/guess/bounded_impulses", guess.bounded_impulses);
}

Reals numbers_of(const VecX& x) { return {x.data(), x.data() + x.size()}; }

}  // namespace

void add_step_arrays(const RecordedStep& step, DatasetGroup& group) {
    GroupBuilder out(group);
    const ContactProblem& problem = step.problem;
    out.value("stiction/step", step.step);
    out.value("stiction/time", step.time);
    out.value("stiction/gravity", problem.gravity);
    out.value("stiction/restitution_threshold", step.restitution_threshold);
    out.value("stiction/contradicted", static_cast<std::int32_t>(step.contradicted ? 1 : 0));
    out.text("stiction/settings", model_json(step.model));
    out.text("stiction/narrowphase", std::string(name(step.narrowphase)));
    out.table("stiction/v", 1, numbers_of(problem.v));
    out.table("stiction/f", 1, numbers_of(problem.f));
    out.table("stiction/v_free", 1, numbers_of(problem.v_free));
    add_blocks(problem.system, out);
    add_links(problem, out);
    add_contact_rows(problem.contacts, out);
    add_joint_rows(problem, out);
    add_limit_rows(problem, out);
    add_bounded_rows(problem, out);
    add_guess(step.guess, out);
}

}  // namespace stiction
