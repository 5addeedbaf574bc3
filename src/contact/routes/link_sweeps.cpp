// link_sweeps.cpp - scalar projected Gauss-Seidel on link rows.
#include "contact/routes/link_sweeps.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr int kMostSweeps = 1000;
constexpr double kEntangled = 5;    // sum of squares of the links per body, over the links
constexpr int kLeastSweeps = 10;    // before they are combined
constexpr int kPerCombination = 2;  // sweeps

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void set_side(const InertiaBlock& body, const Vec3& p, double length, double sign, const Vec6& g,
              Vec6& J, Vec6& P) {
    J.head<3>() = sign * g.head<3>();
    J.tail<3>() = sign * (p.cross(g.head<3>()) + length * g.tail<3>());
    P.head<3>() = body.inv_mass * J.head<3>();
    P.tail<3>().noalias() = body.inv_inertia * J.tail<3>();
}

void prepare(const LinkSystem& system, const LinkQp& qp, LinkSweepWorkspace& workspace) {
    workspace.rows.resize(qp.rows.size());
    for (std::size_t l = 0; l < qp.links.size(); ++l) {
        const Link& link = system.links[at(qp.links[l])];
        for (int r = qp.row_begin[l]; r < qp.row_begin[l + 1]; ++r) {
            const QpRow& source = qp.rows[at(r)];
            LinkSweepRow& row = workspace.rows[at(r)];
            row = LinkSweepRow{};
            row.offset = source.g.dot(link.u0) - source.target;
            if (link.a != kNone) {
                const InertiaBlock& body = system.blocks[at(link.a)];
                set_side(body, link.r_a, link.length, 1, source.g, row.J_a, row.P_a);
                row.v_a = body.offset;
                row.W += row.J_a.dot(row.P_a);
            }
            if (link.b != kNone) {
                const InertiaBlock& body = system.blocks[at(link.b)];
                set_side(body, link.r_b, link.length, -1, source.g, row.J_b, row.P_b);
                row.v_b = body.offset;
                row.W += row.J_b.dot(row.P_b);
            }
        }
    }
}

double row_velocity(const LinkSweepRow& row, const VecX& v) {
    double u = row.offset;
    if (row.v_a != kNone) u += row.J_a.dot(v.segment<6>(row.v_a));
    if (row.v_b != kNone) u += row.J_b.dot(v.segment<6>(row.v_b));
    return u;
}

void apply(const LinkSweepRow& row, double dc, VecX& v) {
    if (row.v_a != kNone) v.segment<6>(row.v_a) += dc * row.P_a;
    if (row.v_b != kNone) v.segment<6>(row.v_b) += dc * row.P_b;
}

// One sweep; returns the largest change as a velocity.
double pass(const LinkQp& qp, LinkSweepWorkspace& workspace, VecX& v) {
    double change = 0;
    for (std::size_t r = 0; r < qp.rows.size(); ++r) {
        const QpRow& source = qp.rows[r];
        const LinkSweepRow& row = workspace.rows[r];
        double& c = workspace.c[static_cast<Eigen::Index>(r)];
        const double W = row.W + source.compliance;
        if (!(W > 0)) continue;
        const double w = row_velocity(row, v) + source.compliance * c;
        const double next = std::clamp(c - w / W, source.lo, source.hi);
        const double dc = next - c;
        if (dc == 0) continue;
        c = next;
        apply(row, dc, v);
        change = std::max(change, std::abs(dc) * W);
    }
    return change;
}

// Anderson's combination of the last sweeps; v follows c.
void combine(const LinkSystem& system, const LinkQp& qp, LinkSweepWorkspace& workspace, VecX& v) {
    const auto each_body = [&](const auto& copy) {
        Eigen::Index place = 0;
        for (const int b : qp.blocks) {
            const InertiaBlock& block = system.blocks[at(b)];
            copy(workspace.v.segment(place, block.size), v.segment(block.offset, block.size));
            place += block.size;
        }
    };
    each_body([](auto local, auto global) { local = global; });
    accelerate(workspace.history, workspace.c_before, workspace.c, workspace.v);
    each_body([](auto local, auto global) { global = local; });
}

Eigen::Index count_velocities(const LinkSystem& system, const LinkQp& qp) {
    Eigen::Index count = 0;
    for (const int b : qp.blocks) count += system.blocks[at(b)].size;
    return count;
}

// Largest violation of the law, as a velocity; sets the states.
double judge(const LinkQp& qp, const LinkSweepWorkspace& workspace, const VecX& v,
             std::span<double> c, std::span<RowState> states) {
    std::copy(workspace.c.begin(), workspace.c.end(), c.begin());
    double worst = 0;
    for (std::size_t r = 0; r < qp.rows.size(); ++r) {
        const QpRow& row = qp.rows[r];
        const double w = row_velocity(workspace.rows[r], v) + row.compliance * c[r];
        states[r] = c[r] <= row.lo   ? RowState::kLower
                    : c[r] >= row.hi ? RowState::kUpper
                                     : RowState::kFree;
        const double wrong = states[r] == RowState::kLower   ? std::max(0.0, -w)
                             : states[r] == RowState::kUpper ? std::max(0.0, w)
                                                             : std::abs(w);
        worst = std::max(worst, row.lo == row.hi ? 0.0 : wrong);
    }
    return worst;
}

}  // namespace

bool prefers_sweeps(const LinkSystem& system, std::span<const int> links,
                    std::span<const int> blocks, int most_links, std::vector<int>& scratch) {
    if (links.size() <= at(most_links)) return false;
    scratch.assign(system.blocks.size(), 0);
    for (const int l : links) {
        const Link& link = system.links[at(l)];
        if (link.a != kNone) ++scratch[at(link.a)];
        if (link.b != kNone) ++scratch[at(link.b)];
    }
    double squares = 0;
    for (const int b : blocks) {
        if (!system.blocks[at(b)].free_body) return false;
        squares += static_cast<double>(scratch[at(b)]) * scratch[at(b)];
    }
    return squares > kEntangled * static_cast<double>(links.size());
}

LinkQpResult sweep_link_qp(const LinkSystem& system, const LinkQp& qp,
                           const LinkQpSettings& settings, const VecX& v_free,
                           std::span<RowState> states, LinkSweepWorkspace& workspace,
                           std::span<double> c, VecX& v) {
    prepare(system, qp, workspace);
    double scale = 0;
    for (const LinkSweepRow& row : workspace.rows) {
        scale = std::max(scale, std::abs(row_velocity(row, v_free)));
    }
    for (const int b : qp.blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        v.segment(block.offset, block.size) = v_free.segment(block.offset, block.size);
    }
    workspace.c.resize(static_cast<Eigen::Index>(qp.rows.size()));
    for (std::size_t r = 0; r < qp.rows.size(); ++r) {
        const double start = std::clamp(c[r], qp.rows[r].lo, qp.rows[r].hi);
        workspace.c[static_cast<Eigen::Index>(r)] = start;
        if (start != 0) apply(workspace.rows[r], start, v);
    }
    LinkQpResult result;
    result.status = SolveStatus::kIterationLimit;
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMostSweeps;
    while (result.iterations < limit) {
        const bool combining = result.iterations >= kLeastSweeps;
        if (result.iterations == kLeastSweeps) {
            workspace.v.resize(count_velocities(system, qp));
            start(workspace.history, workspace.c.size(), workspace.v.size());
        }
        if (combining && result.iterations % kPerCombination == 0) workspace.c_before = workspace.c;
        const double change = pass(qp, workspace, v);
        ++result.iterations;
        if (change <= settings.tolerance * scale) {
            result.residual = judge(qp, workspace, v, c, states);
            if (result.residual <= 10 * settings.tolerance * scale) {
                result.status = SolveStatus::kSolved;
                return result;
            }
        }
        if (settings.deadline.passed()) {
            result.status = SolveStatus::kBudget;
            break;
        }
        if (combining && result.iterations % kPerCombination == 0 && result.iterations < limit) {
            combine(system, qp, workspace, v);
        }
    }
    result.residual = judge(qp, workspace, v, c, states);
    if (!std::isfinite(result.residual)) result.status = SolveStatus::kNotFinite;
    return result;
}

}  // namespace stiction
