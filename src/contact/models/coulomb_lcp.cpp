// coulomb_lcp.cpp - polygonal Coulomb friction as one LCP per island, solved by Lemke's method.
// In: the rows of one island. Out: its velocities and impulses. coulomb_lcp.h has the equations.
//
// The Delassus matrix of all rows is built link by link; equality rows (joints) are eliminated by
// Cholesky, which leaves G C G' and G v_hat for the others. Per contact with friction the unknowns
// are (c_n, beta_1 .. beta_k, lambda), without friction c_n alone. A bounded row lo <= c <= hi is c
// = lo + x with 0 <= x _|_ g.u - target + y >= 0 and 0 <= y _|_ hi - lo - x >= 0. Impulses are in
// units that make the mean diagonal 1, so that all of the LCP is in m/s.
#include "contact/models/coulomb_lcp.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "contact/island/whiten.h"
#include "contact/routes/block_solve.h"
#include "contact/routes/friction_polygon.h"
#include "contact/solve_contact.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;
using Workspace = CoulombLcpWorkspace;

// Guess bits per joint: lower limit, upper limit, then (x, y) of motor and of friction.
constexpr int kLimitBits = 2;

bool is_equality(const BoundedRow& row) { return std::isinf(row.lo) && std::isinf(row.hi); }

Workspace::Row& add_row(Workspace& ws, Kind kind, int index, int link, const Vec6& g,
                        double wanted) {
    Workspace::Row& row = ws.rows.emplace_back();
    row.source = {kind, index};
    row.link = link;
    row.g = g;
    row.wanted = wanted;
    return row;
}

// ---- equalities: joint rows that are independent, and drives without force limit

// J is kept at full row rank the way FIND-INDICES does, so loops and redundant joints work; dropped
// rows get no impulse.
void keep_independent(const IslandTask& task, Workspace& ws) {
    if (ws.rows.empty()) return;
    const LinkSystem& system = task.problem.system;
    const int m = number_velocities(system, blocks_of(task), ws.local);
    ws.whitened.resize(static_cast<Eigen::Index>(ws.rows.size()), m);
    for (std::size_t i = 0; i < ws.rows.size(); ++i) {
        ws.y.setZero(m);
        add_whitened_row(system, system.links[at(ws.rows[i].link)], ws.rows[i].g, ws.local, ws.y);
        ws.whitened.row(static_cast<Eigen::Index>(i)) = ws.y.transpose();
    }
    find_independent_rows(ws.whitened, kRowTolerance, ws.independent_workspace, ws.independent);
    keep_accepted(ws.independent, ws.rows);
}

void collect_equalities(const IslandTask& task, Workspace& ws) {
    const ContactProblem& problem = task.problem;
    ws.rows.clear();
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.joint_begin; i < range.joint_end; ++i) {
            add_row(ws, Kind::kJoint, i, l, problem.joints[at(i)].g, problem.joints[at(i)].bias);
        }
        for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
            const BoundedRow& row = problem.bounded[at(i)];
            if (is_equality(row))
                add_row(ws, Kind::kBounded, i, l, row.g, row.target).compliance = row.compliance;
        }
    }
    keep_independent(task, ws);
    ws.equalities = static_cast<int>(ws.rows.size());
}

// ---- the other rows, with their place among the LCP's unknowns

Eigen::Index collect_unilateral(const CoulombLcp& model, const IslandTask& task, Workspace& ws) {
    const ContactProblem& problem = task.problem;
    int variables = 0;
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i) {
            const ContactRow& contact = problem.contacts[at(i)];
            add_row(ws, Kind::kNormal, i, l, contact.n, -contact.bias).variable = variables;
            ++variables;
            if (contact.mu_c <= 0) continue;
            add_row(ws, Kind::kS, i, l, contact.s, 0).variable = variables - 1;
            add_row(ws, Kind::kT, i, l, contact.t, 0).variable = variables - 1;
            variables += model.sides + 1;
        }
    }
    for (const int l : links_of(task)) {
        const LinkRows& range = problem.link_rows[at(l)];
        for (int i = range.limit_begin; i < range.limit_end; ++i) {
            const LimitRow& limit = problem.limits[at(i)];
            add_row(ws, Kind::kLimit, i, l, limit.g, -limit.bias).variable = variables++;
        }
        for (int i = range.bounded_begin; i < range.bounded_end; ++i) {
            const BoundedRow& bounded = problem.bounded[at(i)];
            if (is_equality(bounded)) continue;
            Workspace::Row& row = add_row(ws, Kind::kBounded, i, l, bounded.g, bounded.target);
            row.compliance = bounded.compliance;
            row.lo = bounded.lo;
            row.hi = bounded.hi;
            row.variable = variables;
            variables += 2;
        }
    }
    return variables;
}

bool coupled(const Link& i, const Link& j) {
    return (i.a != kNone && (i.a == j.a || i.a == j.b)) ||
           (i.b != kNone && (i.b == j.a || i.b == j.b));
}

void build_delassus(const IslandTask& task, Workspace& ws) {
    const LinkSystem& system = task.problem.system;
    const auto n = static_cast<Eigen::Index>(ws.rows.size());
    ws.W.setZero(n, n);
    ws.r.resize(n);
    for (Eigen::Index j = 0; j < n; ++j) {
        const Workspace::Row& row = ws.rows[at(j)];
        const Link& link = system.links[at(row.link)];
        ws.r[j] = row.g.dot(link_velocity(system, link, task.problem.v_free)) - row.wanted;
        int last = kNone;  // rows of one link are neighbours: D g is formed once per link
        Vec6 Dg = Vec6::Zero();
        for (Eigen::Index i = j; i < n; ++i) {
            const Workspace::Row& other = ws.rows[at(i)];
            if (other.link != last) {
                last = other.link;
                const Link& other_link = system.links[at(last)];
                if (coupled(other_link, link)) {
                    Dg.noalias() = delassus_block(system, other_link, link) * row.g;
                } else {
                    Dg.setZero();
                }
            }
            ws.W(i, j) = other.g.dot(Dg);
        }
        ws.W(j, j) += row.compliance;
    }
}

// W = [E H'; H G] -> E = L L', Y = L^-1 H', G <- G - Y'Y, and the same for r.
void eliminate_equalities(Workspace& ws) {
    const Eigen::Index e = ws.equalities;
    const Eigen::Index u = ws.W.rows() - e;
    if (e == 0) return;
    Eigen::Ref<MatX> E = ws.W.topLeftCorner(e, e);
    const Eigen::LLT<Eigen::Ref<MatX>> factor(E);  // in place
    auto H = ws.W.bottomLeftCorner(u, e);          // becomes Y'
    E.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(H);
    ws.W.bottomRightCorner(u, u).selfadjointView<Eigen::Lower>().rankUpdate(H, -1.0);
    auto r_E = ws.r.head(e);
    E.triangularView<Eigen::Lower>().solveInPlace(r_E);
    ws.r.tail(u).noalias() -= H * r_E;
}

// ---- the LCP

// Row i of the reduced problem has weights on LCP unknowns: a normal on c_n, s and t on the
// polygon's directions. Calls f(unknown, weight).
template <class F>
void for_unknowns(const FrictionPolygon& polygon, const Workspace::Row& row, F f) {
    switch (row.source.kind) {
        case Kind::kS:
            for (int d = 0; d < polygon.sides; ++d) f(row.variable + 1 + d, polygon.cosine(d));
            break;
        case Kind::kT:
            for (int d = 0; d < polygon.sides; ++d) f(row.variable + 1 + d, polygon.sine(d));
            break;
        default:
            f(row.variable, 1.0);
    }
}

void build_lcp(const CoulombLcp& model, const IslandTask& task, Eigen::Index variables,
               Workspace& ws) {
    const FrictionPolygon polygon(model.sides);
    const Eigen::Index e = ws.equalities;
    const auto n = static_cast<Eigen::Index>(ws.rows.size());
    double diagonal = 0;
    for (Eigen::Index i = e; i < n; ++i) diagonal += ws.W(i, i);
    ws.unit = diagonal > 0 ? static_cast<double>(n - e) / diagonal : 1.0;

    ws.lcp.A.setZero(variables, variables);
    ws.lcp.b.setZero(variables);
    for (Eigen::Index j = e; j < n; ++j) {
        const Workspace::Row& column = ws.rows[at(j)];
        for (Eigen::Index i = e; i < n; ++i) {
            const double value = ws.unit * (i >= j ? ws.W(i, j) : ws.W(j, i));
            if (value == 0) continue;
            for_unknowns(polygon, column, [&](int q, double weight_q) {
                for_unknowns(polygon, ws.rows[at(i)], [&](int p, double weight_p) {
                    ws.lcp.A(p, q) += weight_p * weight_q * value;
                });
            });
        }
        for_unknowns(polygon, column,
                     [&](int q, double weight) { ws.lcp.b[q] += weight * ws.r[j]; });
    }
    for (Eigen::Index i = e; i < n; ++i) {
        const Workspace::Row& row = ws.rows[at(i)];
        const int first = row.variable;
        if (row.source.kind == Kind::kS) {
            const int lambda = first + polygon.sides + 1;
            ws.lcp.A(lambda, first) = task.problem.contacts[at(row.source.index)].mu_c;
            for (int d = 1; d <= polygon.sides; ++d) {
                ws.lcp.A(first + d, lambda) = 1;
                ws.lcp.A(lambda, first + d) = -1;
            }
        } else if (row.source.kind == Kind::kBounded) {
            // The lower bound's impulse acts on every row, the slack y on this one alone.
            for (Eigen::Index k = e; k < n; ++k) {
                const double value = k >= i ? ws.W(k, i) : ws.W(i, k);
                for_unknowns(polygon, ws.rows[at(k)],
                             [&](int p, double weight) { ws.lcp.b[p] += weight * value * row.lo; });
            }
            ws.lcp.A(first, first + 1) = 1;
            ws.lcp.A(first + 1, first) = -1;
            ws.lcp.b[first + 1] = (row.hi - row.lo) / ws.unit;
        }
    }
}

// ---- warm start

int joint_bit(const ContactProblem& problem, const RowSource& source) {
    if (source.kind == Kind::kLimit) return problem.limits[at(source.index)].upper ? 1 : 0;
    return kLimitBits + (problem.bounded[at(source.index)].friction ? 2 : 0);
}

int joint_of(const ContactProblem& problem, const RowSource& source) {
    return source.kind == Kind::kLimit ? problem.limits[at(source.index)].joint
                                       : problem.bounded[at(source.index)].joint;
}

int unknowns_of(const CoulombLcp& model, const IslandTask& task, const Workspace::Row& row) {
    switch (row.source.kind) {
        case Kind::kNormal:
            return task.problem.contacts[at(row.source.index)].mu_c > 0 ? model.sides + 2 : 1;
        case Kind::kLimit:
            return 1;
        case Kind::kBounded:
            return 2;
        default:
            return 0;
    }
}

void guess_basis(const CoulombLcp& model, const IslandTask& task, Workspace& ws) {
    ws.guess.assign(at(ws.lcp.b.size()), 0);
    bool known = false;
    for (std::size_t i = at(ws.equalities); i < ws.rows.size(); ++i) {
        const Workspace::Row& row = ws.rows[i];
        const int count = unknowns_of(model, task, row);
        if (count == 0) continue;
        std::uint64_t bits = kNoGuess;
        int shift = 0;
        if (row.source.kind == Kind::kNormal) {
            bits = task.shared.contact_guess[at(row.source.index)];
        } else {
            const int joint = joint_of(task.problem, row.source);
            if (at(joint) < task.guess.joints.size()) bits = task.guess.joints[at(joint)];
            shift = joint_bit(task.problem, row.source);
        }
        if (bits == kNoGuess || (bits & kStuck) != 0) continue;
        known = true;
        for (int k = 0; k < count; ++k) ws.guess[at(row.variable + k)] = (bits >> (shift + k)) & 1U;
    }
    if (!known) ws.guess.clear();
}

void keep_basis(const CoulombLcp& model, const IslandTask& task, const Workspace& ws) {
    for (std::size_t i = at(ws.equalities); i < ws.rows.size(); ++i) {
        const Workspace::Row& row = ws.rows[i];
        const int count = unknowns_of(model, task, row);
        if (count == 0) continue;
        std::uint64_t bits = 0;
        for (int k = 0; k < count; ++k) {
            bits |= static_cast<std::uint64_t>(ws.result.basic[at(row.variable + k)] != 0) << k;
        }
        if (row.source.kind == Kind::kNormal) {
            task.shared.next_contacts[at(row.source.index)] = bits;
            continue;
        }
        const int joint = joint_of(task.problem, row.source);
        if (at(joint) >= task.shared.next_joints.size()) continue;
        std::uint64_t& all = task.shared.next_joints[at(joint)];
        if (all == kNoGuess) all = 0;
        all |= bits << joint_bit(task.problem, row.source);
    }
}

// ---- back to impulses and velocities

void recover_impulses(const CoulombLcp& model, Workspace& ws) {
    const FrictionPolygon polygon(model.sides);
    const Eigen::Index e = ws.equalities;
    const auto n = static_cast<Eigen::Index>(ws.rows.size());
    ws.c.setZero(n);
    for (Eigen::Index i = e; i < n; ++i) {
        const Workspace::Row& row = ws.rows[at(i)];
        for_unknowns(polygon, row,
                     [&](int q, double weight) { ws.c[i] += weight * ws.unit * ws.result.z[q]; });
        if (row.source.kind == Kind::kBounded) ws.c[i] += row.lo;
    }
    if (e == 0) return;
    auto c_E = ws.c.head(e);
    c_E = -ws.r.head(e);
    c_E.noalias() -= ws.W.bottomLeftCorner(n - e, e).transpose() * ws.c.tail(n - e);
    ws.W.topLeftCorner(e, e).transpose().triangularView<Eigen::Upper>().solveInPlace(c_E);
}

void apply_impulses(const IslandTask& task, const Workspace& ws) {
    const LinkSystem& system = task.problem.system;
    for (const int b : blocks_of(task)) {
        task.shared.momentum.segment(system.blocks[at(b)].offset, system.blocks[at(b)].size)
            .setZero();
    }
    for (std::size_t i = 0; i < ws.rows.size(); ++i) {
        const Workspace::Row& row = ws.rows[i];
        const double c = ws.c[static_cast<Eigen::Index>(i)];
        const std::size_t k = at(row.source.index);
        switch (row.source.kind) {
            case Kind::kJoint:
                task.solution.c_j[k] = c;
                break;
            case Kind::kNormal:
                task.solution.c_n[k] = c;
                break;
            case Kind::kS:
                task.solution.c_s[k] = c;
                break;
            case Kind::kT:
                task.solution.c_t[k] = c;
                break;
            case Kind::kLimit:
                task.solution.c_l[k] = c;
                break;
            case Kind::kBounded:
                task.solution.c_b[k] = c;
                break;
        }
        if (c != 0)
            add_link_impulse(system, system.links[at(row.link)], c * row.g, task.shared.momentum);
    }
    for (const int b : blocks_of(task)) {
        const InertiaBlock& block = system.blocks[at(b)];
        apply_inverse_inertia(system, block, task.shared.momentum, task.solution.v);
        task.solution.v.segment(block.offset, block.size) +=
            task.problem.v_free.segment(block.offset, block.size);
    }
}

}  // namespace

namespace {

int count_contacts(const IslandTask& task) {
    int count = 0;
    for (const int l : links_of(task)) {
        const LinkRows& range = task.problem.link_rows[at(l)];
        count += range.contact_end - range.contact_begin;
    }
    return count;
}

// `used`: iterations that went into the attempt without sliding.
IslandResult sweep_polygons(const CoulombLcp& model, const IslandTask& task, int used) {
    FrictionDirections& directions = task.workspace.cone.directions;
    set_directions(model.sides, directions);
    build_warm_row_blocks(task);
    int most = iterations_left(task, used);
    if (most == 0 && is_pile(task)) most = kPileSweeps;
    IslandResult result = sweep_blocks({model.tolerance, most, &directions}, true, task);
    result.iterations += used;
    return finish_blocks(result, task);
}

}  // namespace

IslandResult solve_island(const CoulombLcp& model, const IslandTask& task) {
    const bool sweepable = can_sweep(task.problem, task.island);
    if (sweepable && model.solver == CoulombLcpSolver::kPgs) return sweep_polygons(model, task, 0);
    IslandResult stuck;
    if (model.solver == CoulombLcpSolver::kAuto) {
        if (sweepable && is_pile(task)) return sweep_polygons(model, task, 0);
        if (try_sticking(model, task, stuck)) return stuck;
        if (sweepable && (count_contacts(task) > kLargestLcp || spent(task, stuck.iterations)))
            return sweep_polygons(model, task, stuck.iterations);
    }
    Workspace& ws = task.workspace.coulomb_lcp;
    collect_equalities(task, ws);
    const Eigen::Index variables = collect_unilateral(model, task, ws);
    build_delassus(task, ws);
    eliminate_equalities(ws);
    build_lcp(model, task, variables, ws);
    guess_basis(model, task, ws);
    LemkeSettings settings;
    settings.stop = {model.tolerance, iterations_left(task, stuck.iterations), task.deadline};
    solve_lemke(ws.lcp, settings, ws.guess, ws.lemke, ws.result);

    if (ws.result.status != SolveStatus::kSolved) {
        IslandResult safe = solve_frictionless(task);
        safe.status = ws.result.status;
        safe.iterations += stuck.iterations + ws.result.iterations;
        safe.pivots += stuck.pivots + ws.result.pivots;
        return safe;
    }
    recover_impulses(model, ws);
    apply_impulses(task, ws);
    keep_basis(model, task, ws);
    IslandResult result;
    result.solver = "lemke";
    result.iterations = stuck.iterations + ws.result.iterations;
    result.pivots = stuck.pivots + ws.result.pivots;
    result.residual = ws.result.residual;
    result.fallback = ws.result.regularisation > 0;
    return result;
}

}  // namespace stiction
