// row_sweeps.cpp - scalar projected Gauss-Seidel on rows.
#include "contact/routes/row_sweeps.h"

#include <algorithm>
#include <cmath>

#include "contact/island/operators.h"

namespace stiction {

namespace {

constexpr int kMaxSweeps = 1000;    // by then the rate has long said that it is no use
constexpr int kPlainSweeps = 10;    // before they are combined: the set of acting rows settles
constexpr int kPerCombination = 2;  // sweeps: consecutive ones are too much alike
constexpr double kAccepted = 10;    // times the tolerance is a change of which rounding is part

void set_side(const InertiaBlock& body, const Vec3& p, double length, double sign, const Vec6& g,
              Vec6& J, Vec6& P) {
    J.head<3>() = sign * g.head<3>();
    J.tail<3>() = sign * (p.cross(g.head<3>()) + length * g.tail<3>());
    P.head<3>() = body.inv_mass * J.head<3>();
    P.tail<3>().noalias() = body.inv_inertia * J.tail<3>();
}

void prepare(const LinkSystem& system, const IslandRows& rows, RowSweepWorkspace& workspace) {
    workspace.rows.resize(rows.rows.size());
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        const Link& link = system.links[at(rows.links[l])];
        for (int r = rows.begin[l]; r < rows.begin[l + 1]; ++r) {
            const Row& source = rows.rows[at(r)];
            SweptRow& row = workspace.rows[at(r)];
            row = SweptRow{};
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

double row_velocity(const SweptRow& row, const VecX& v) {
    double u = row.offset;
    if (row.v_a != kNone) u += row.J_a.dot(v.segment<6>(row.v_a));
    if (row.v_b != kNone) u += row.J_b.dot(v.segment<6>(row.v_b));
    return u;
}

void apply(const SweptRow& row, double dc, VecX& v) {
    if (row.v_a != kNone) v.segment<6>(row.v_a) += dc * row.P_a;
    if (row.v_b != kNone) v.segment<6>(row.v_b) += dc * row.P_b;
}

// One sweep; returns the largest change as a velocity.
double pass(const IslandRows& rows, RowSweepWorkspace& workspace, VecX& v) {
    double change = 0;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        const Row& source = rows.rows[r];
        const SweptRow& row = workspace.rows[r];
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
void combine(const LinkSystem& system, const IslandRows& rows, RowSweepWorkspace& workspace,
             VecX& v) {
    const auto each_body = [&](const auto& copy) {
        Eigen::Index place = 0;
        for (const int b : rows.blocks) {
            const InertiaBlock& block = system.blocks[at(b)];
            copy(workspace.v.segment(place, block.size), v.segment(block.offset, block.size));
            place += block.size;
        }
    };
    each_body([](auto local, auto global) { local = global; });
    accelerate(workspace.history, workspace.c_before, workspace.c, workspace.v);
    each_body([](auto local, auto global) { global = local; });
}

Eigen::Index count_velocities(const LinkSystem& system, const IslandRows& rows) {
    Eigen::Index count = 0;
    for (const int b : rows.blocks) count += system.blocks[at(b)].size;
    return count;
}

// Largest violation of the law, as a velocity; sets the impulses and the states.
double judge(const RowSweepWorkspace& workspace, const VecX& v, IslandRows& rows) {
    std::copy(workspace.c.begin(), workspace.c.end(), rows.c.begin());
    double worst = 0;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        const Row& row = rows.rows[r];
        const double w = row_velocity(workspace.rows[r], v) + row.compliance * rows.c[r];
        RowState& state = rows.state[r];
        state = rows.c[r] <= row.lo   ? RowState::kLower
                : rows.c[r] >= row.hi ? RowState::kUpper
                                      : RowState::kFree;
        const double wrong = state == RowState::kLower   ? std::max(0.0, -w)
                             : state == RowState::kUpper ? std::max(0.0, w)
                                                         : std::abs(w);
        worst = std::max(worst, row.lo == row.hi ? 0.0 : wrong);
    }
    return worst;
}

// c clamped, v of v_free and c. Returns the largest row velocity at v_free.
double set_start(const LinkSystem& system, const VecX& v_free, const IslandRows& rows,
                 RowSweepWorkspace& workspace, VecX& v) {
    double scale = 0;
    for (const SweptRow& row : workspace.rows)
        scale = std::max(scale, std::abs(row_velocity(row, v_free)));
    copy_velocity(system, rows.blocks, v_free, v);
    workspace.c.resize(static_cast<Eigen::Index>(rows.rows.size()));
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        const double start = std::clamp(rows.c[r], rows.rows[r].lo, rows.rows[r].hi);
        workspace.c[static_cast<Eigen::Index>(r)] = start;
        if (start != 0) apply(workspace.rows[r], start, v);
    }
    return scale;
}

}  // namespace

SolveReport sweep_rows(const LinkSystem& system, const SolveSettings& settings, const VecX& v_free,
                       RowSweepWorkspace& workspace, IslandRows& rows, VecX& v) {
    prepare(system, rows, workspace);
    const double scale = set_start(system, v_free, rows, workspace, v);
    SolveReport report;
    report.status = SolveStatus::kIterationLimit;
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMaxSweeps;
    while (report.iterations < limit) {
        const bool combining = report.iterations >= kPlainSweeps;
        if (report.iterations == kPlainSweeps) {
            workspace.v.resize(count_velocities(system, rows));
            start(workspace.history, workspace.c.size(), workspace.v.size());
        }
        if (combining && report.iterations % kPerCombination == 0) workspace.c_before = workspace.c;
        const double change = pass(rows, workspace, v);
        ++report.iterations;
        if (change <= settings.tolerance * scale) {
            report.residual = judge(workspace, v, rows);
            if (report.residual <= kAccepted * settings.tolerance * scale) {
                report.status = SolveStatus::kSolved;
                return report;
            }
        }
        if (settings.deadline.passed()) {
            report.status = SolveStatus::kBudget;
            break;
        }
        if (combining && report.iterations % kPerCombination == 0 && report.iterations < limit)
            combine(system, rows, workspace, v);
    }
    report.residual = judge(workspace, v, rows);
    if (!std::isfinite(report.residual)) report.status = SolveStatus::kNotFinite;
    return report;
}

}  // namespace stiction
