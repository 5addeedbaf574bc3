// pivoting.cpp - block-sparse principal pivoting on links; pivoting.h has the method.
#include "contact/routes/pivoting.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/island/operators.h"
#include "contact/routes/pivoting_nodes.h"
#include "problem/link_motion.h"

namespace stiction {

namespace {

using Node = PivotingWorkspace::Node;

constexpr double kRest = 1e-14;  // [m/s] no motion: what rounding leaves of a body at rest
// Compliance over the mean diagonal of D by which rows share what their targets contradict.
constexpr double kSharing = 1e-10;
// Targets of dependent rows agree to this part of the velocity scale: rounding.
constexpr double kConsistent = 1e-12;
constexpr double kRefined =
    1e-14;  // part of the velocity scale at which refinement stops: rounding
constexpr int kMaxRefinements = 6;  // each removes the proximal term by a factor of 1e2 and more
constexpr int kMaxFactorisations = 100;  // sets change some ten times where they settle at all
constexpr double kHeaviest = 1e11;       // ratio of masses: five digits are left for the light one
constexpr int kPatience = 4;       // rounds without progress before changing the worst rows only
constexpr int kLongPatience = 60;  // and after that before changing one row at a time

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Impulses of rows at a non-zero bound act like external ones: momentum <- X' (their impulses).
// Returns whether there are any.
bool apply_bounds(Pivoting& call) {
    IslandRows& rows = call.rows;
    bool any = false;
    clear_momentum(call.system, rows.blocks, call.momentum);
    for (int l = 0; l < call.links(); ++l) {
        Vec6 F = Vec6::Zero();
        for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
            const BoundState state = rows.state[at(r)];
            if (state == BoundState::kFree) continue;
            const Row& row = rows.rows[at(r)];
            const double bound = state == BoundState::kLower ? row.lo : row.hi;
            rows.c[at(r)] = bound;
            if (bound != 0.0) F += bound * row.g;
        }
        if (F.isZero(0.0)) continue;
        add_link_impulse(call.system, call.link(l), F, call.momentum);
        any = true;
    }
    return any;
}

// v <- v_free + M^-1 momentum on the island's blocks, and every link's u.
void update_velocities(Pivoting& call) {
    add_momentum(call.system, call.rows.blocks, call.v_free, call.momentum, call.v);
    for (int l = 0; l < call.links(); ++l) {
        call.ws.nodes[at(l)].u = link_velocity(call.system, call.link(l), call.v);
    }
}

// Solves for F on the present set of free rows, refining on the true residual (without the proximal
// term).
void solve_free_rows(Pivoting& call) {
    PivotingWorkspace& ws = call.ws;
    if (apply_bounds(call)) {
        update_velocities(call);
    } else {
        for (Node& node : ws.nodes) node.u = node.u_free;
        copy_velocity(call.system, call.rows.blocks, call.v_free, call.v);
    }
    for (Vec6& F : ws.F) F.setZero();
    double last = std::numeric_limits<double>::infinity();
    for (int refinement = 0; refinement <= kMaxRefinements; ++refinement) {
        double largest = 0;
        for (int l = 0; l < call.links(); ++l) {
            const Node& node = ws.nodes[at(l)];
            Vec6 r = node.target - in_basis(node, node.u);
            if (node.soft) r -= node.P * ws.F[at(l)];
            ws.correction[at(l)] = r;
            largest = std::max(largest, r.lpNorm<Eigen::Infinity>());
        }
        if (largest <= kRefined * call.speed || largest > 0.5 * last) break;
        last = largest;
        ws.cholesky.solve(ws.correction);
        for (int l = 0; l < call.links(); ++l) {
            const Node& node = ws.nodes[at(l)];
            if (node.rank == 0) continue;
            ws.F[at(l)] += ws.correction[at(l)];
            add_link_impulse(call.system, call.link(l), from_basis(node, ws.correction[at(l)]),
                             call.momentum);
        }
        update_velocities(call);
    }
}

struct Verdict {
    int wrong = 0;        // rows whose impulse or velocity has the wrong sign
    double worst = 0;     // largest violation among them, as a velocity [m/s]
    double residual = 0;  // largest violation of the law by any row [m/s]
};

bool accepted(const Verdict& verdict, const Pivoting& call, const SolveSettings& settings) {
    return verdict.residual <= std::max(10 * settings.tolerance * call.speed, kRest);
}

// The state a row should have by the signs of its impulse c and velocity w; adds to the verdict.
BoundState judge(const Row& row, BoundState state, double c, double w, double scale,
                 double velocity_slack, double& violation, Verdict& verdict) {
    if (row.lo == row.hi) return BoundState::kLower;  // a prescribed impulse
    BoundState wanted = state;
    switch (state) {
        case BoundState::kFree: {
            const double below = (row.lo - c) * scale;
            const double above = (c - row.hi) * scale;
            if (below > velocity_slack) wanted = BoundState::kLower;
            if (above > velocity_slack) wanted = BoundState::kUpper;
            violation = std::max({std::abs(w), below, above});
            break;
        }
        case BoundState::kLower:
            if (w < -velocity_slack) wanted = BoundState::kFree;
            violation = -w;
            break;
        case BoundState::kUpper:
            if (w > velocity_slack) wanted = BoundState::kFree;
            violation = w;
            break;
    }
    if (wanted != state) {
        ++verdict.wrong;
        verdict.worst = std::max(verdict.worst, violation);
    }
    if (!(violation <= verdict.residual)) verdict.residual = violation;  // NaN must show
    return wanted;
}

// The common case, a rigid link that transmits all six components and wants none of them to move: u
// is the residual of its free rows, so these need their impulse's sign only.
void judge_rigid(Pivoting& call, int l, double velocity_slack, Verdict& verdict) {
    PivotingWorkspace& ws = call.ws;
    const Node& node = ws.nodes[at(l)];
    const double still = node.u.lpNorm<1>();
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        const Row& row = call.rows.rows[at(r)];
        const BoundState state = call.rows.state[at(r)];
        const double c = call.rows.c[at(r)];
        ws.wanted[at(r)] = state;
        if (state == BoundState::kFree) {
            if (row.lo == -kInfinity && row.hi == kInfinity) continue;
            ws.wanted[at(r)] =
                judge(row, state, c, 0.0, node.scale, velocity_slack, ws.violation[at(r)], verdict);
        } else {
            const double w = row.g.dot(node.u) - row.target + row.compliance * c;
            ws.wanted[at(r)] =
                judge(row, state, c, w, node.scale, velocity_slack, ws.violation[at(r)], verdict);
        }
    }
    if (!(still <= verdict.residual)) verdict.residual = still;
}

void judge_general(Pivoting& call, int l, double velocity_slack, Verdict& verdict) {
    PivotingWorkspace& ws = call.ws;
    const Node& node = ws.nodes[at(l)];
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        const Row& row = call.rows.rows[at(r)];
        const BoundState state = call.rows.state[at(r)];
        const double c = call.rows.c[at(r)];
        const double w = row.g.dot(node.u) - row.target + row.compliance * c;
        ws.wanted[at(r)] =
            judge(row, state, c, w, node.scale, velocity_slack, ws.violation[at(r)], verdict);
    }
}

template <typename Act>
void for_each_share(Pivoting& call, int l, const Act& act) {
    const bool all = call.ws.nodes[at(l)].identity;
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        if (call.rows.state[at(r)] != BoundState::kFree) continue;
        if (all || call.ws.aside[at(r)] == 0) {
            act(call.rows.rows[at(r)], call.rows.c[at(r)]);
        } else {
            call.rows.c[at(r)] = 0;
        }
    }
}

// What targets that contradict one another leave to a rigid row, in the basis: a small difference
// over a small rho. Returns whether any row has such a part.
bool share_contradiction(Pivoting& call, int l) {
    const Node& node = call.ws.nodes[at(l)];
    if (!node.has_target) return false;
    const double rho = kSharing * node.scale;
    bool any = false;
    for_each_share(call, l, [&](const Row& row, double& c) {
        if (row.compliance > 0) return;
        const double inconsistent = row.target - in_basis(node, row.g).dot(node.target);
        if (std::abs(inconsistent) <= kConsistent * call.speed) return;
        c += inconsistent / rho;
        any = true;
    });
    return any;
}

// What soft rows push by what they want beyond the node's target, in the basis.
void share_targets(Pivoting& call, int l) {
    const Node& node = call.ws.nodes[at(l)];
    if (!node.has_target) return;
    for_each_share(call, l, [&](const Row& row, double& c) {
        if (row.compliance > 0)
            c = (row.target - in_basis(node, row.g).dot(node.target)) / row.compliance;
    });
}

// What is not yet shared of F.
Vec6 rest_of(Pivoting& call, int l) {
    const Node& node = call.ws.nodes[at(l)];
    Vec6 rest = call.ws.F[at(l)];
    for_each_share(call, l, [&](const Row& row, double c) { rest -= c * in_basis(node, row.g); });
    return rest;
}

// Adds the shares of x, in the basis: of a node with soft rows those of the soft ones, or of the
// rigid ones.
void add_shares(Pivoting& call, int l, Vec6 x, bool soft) {
    const Node& node = call.ws.nodes[at(l)];
    if (node.soft) x = soft ? soft_part(node, x) : rigid_part(node, x);
    forward6(node.K, x);
    backward6(node.K, x);
    for_each_share(call, l, [&](const Row& row, double& c) {
        if (soft && row.compliance > 0) c += softness(node, row) * in_basis(node, row.g).dot(x);
        if (!soft && row.compliance == 0) c += in_basis(node, row.g).dot(x);
    });
}

// The rows' shares of a link's impulse F, least squares: c = W G y with G'W G y = F, of soft rows
// first, then of the rigid ones. Where the factor of that matrix has few digits, or contradicting
// parts are large beside F, what the shares do not add up to is shared again.
void share_impulse(Pivoting& call, int l) {
    constexpr int kRefinements = 2;
    const Node& node = call.ws.nodes[at(l)];
    for_each_share(call, l, [](const Row&, double& c) { c = 0; });
    if (node.soft) {
        share_targets(call, l);
        for (int refinement = 0; refinement <= kRefinements; ++refinement)
            add_shares(call, l, rest_of(call, l), true);
    }
    add_shares(call, l, node.soft ? rest_of(call, l) : call.ws.F[at(l)], false);
    const bool contradicts = share_contradiction(call, l);
    if (!node.uneven && !contradicts) return;
    for (int refinement = 0; refinement < kRefinements; ++refinement)
        add_shares(call, l, rest_of(call, l), false);
}

// Impulse of each free row (its share of F), the velocity of every row, and what they say.
Verdict judge_rows(Pivoting& call, double tolerance) {
    Verdict verdict;
    const double velocity_slack = tolerance * call.speed;
    for (int l = 0; l < call.links(); ++l) {
        const Node& node = call.ws.nodes[at(l)];
        share_impulse(call, l);
        if (node.identity && !node.has_target) {
            judge_rigid(call, l, velocity_slack, verdict);
        } else {
            judge_general(call, l, velocity_slack, verdict);
        }
    }
    return verdict;
}

// Which of the wrong rows change in a round.
enum class Change { kAll, kWorst, kLast };

// Changes wrong rows (all, those at least half as wrong as the worst, or only the last) and
// rebuilds their nodes. Returns how many changed.
int change_states(Pivoting& call, Change which, double worst) {
    int changed = 0;
    for (int l = call.links() - 1; l >= 0; --l) {
        bool touched = false;
        for (int r = call.row_end(l) - 1; r >= call.row_begin(l); --r) {
            if (call.ws.wanted[at(r)] == call.rows.state[at(r)]) continue;
            if (which == Change::kLast && changed > 0) continue;
            if (which == Change::kWorst && call.ws.violation[at(r)] < 0.5 * worst) continue;
            call.rows.state[at(r)] = call.ws.wanted[at(r)];
            touched = true;
            ++changed;
        }
        if (touched) build_node(call, l);
    }
    return changed;
}

// Largest free link velocity and target of the island; also sets every node's u_free.
double velocity_scale(const Pivoting& call) {
    double scale = 0;
    for (int l = 0; l < call.links(); ++l) {
        const Link& link = call.link(l);
        Vec6& u = call.ws.nodes[at(l)].u_free;
        u = link_velocity(call.system, link, call.v_free);
        scale = std::max(scale, u.lpNorm<Eigen::Infinity>());
        scale = std::max(scale, link.u0.lpNorm<Eigen::Infinity>());
    }
    for (const Row& row : call.rows.rows) scale = std::max(scale, std::abs(row.target));
    return scale;
}

// How wrong rows are changed in a round: all at once while that makes progress; then the worst ones
// for a while; then one by one.
class Patience {
  public:
    Change next(int wrong) {
        left_ = wrong < best_ ? kPatience : left_ - 1;
        best_ = std::min(best_, wrong);
        return left_ > 0 ? Change::kAll : left_ > -kLongPatience ? Change::kWorst : Change::kLast;
    }

  private:
    int best_ = std::numeric_limits<int>::max();  // fewest wrong rows so far
    int left_ = kPatience;
};

// Whether a free body weighs so many times another.
bool is_lopsided(const Pivoting& call, double times) {
    double heaviest = 0, lightest = kInfinity;
    for (const int b : call.rows.blocks) {
        const InertiaBlock& block = call.system.blocks[at(b)];
        if (!block.free_body) continue;
        heaviest = std::max(heaviest, block.mass);
        lightest = std::min(lightest, block.mass);
    }
    return heaviest > times * lightest;
}

void set_delta(Pivoting& call, double part) {
    for (Node& node : call.ws.nodes) node.delta = part * node.scale;
}

// Whether impulses may do something else than F says: rows that lie only nearly in their basis push a
// little more, and beside soft rows, which answer to the least motion, the rounding of what a heavy
// body feels moves a light one.
bool spills(const Pivoting& call) {
    const bool lopsided = is_lopsided(call, kHeaviest);
    return std::any_of(call.ws.nodes.begin(), call.ws.nodes.end(),
                       [&](const Node& node) { return node.spills || (lopsided && node.soft); });
}

// The answer's v is what the impulses do; by how much it misses the law.
double residual_of_impulses(Pivoting& call) {
    apply_impulses(call.system, call.rows, call.v_free, call.momentum, call.v);
    Verdict verdict;
    for (int l = 0; l < call.links(); ++l) {
        Node& node = call.ws.nodes[at(l)];
        node.u = link_velocity(call.system, call.link(l), call.v);
        judge_general(call, l, 0.0, verdict);
    }
    return verdict.residual;
}

// Rounds until no row is wrong, or the end of the budget.
Verdict run(Pivoting& call, const SolveSettings& settings, PivotingReport& report) {
    Patience patience;
    bool fine = is_lopsided(call, kHeavy);  // whether delta is the smaller one
    if (fine) set_delta(call, kFinestProximal);
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMaxFactorisations;
    for (;;) {
        build_matrix(call);
        call.ws.cholesky.factor();
        ++report.iterations;
        solve_free_rows(call);
        const Verdict verdict = judge_rows(call, settings.tolerance);
        if (verdict.wrong == 0) {
            if (fine || accepted(verdict, call, settings) || report.iterations >= limit)
                return verdict;
            fine = true;
            set_delta(call, kFineProximal);
            continue;
        }
        if (report.iterations >= limit || settings.deadline.passed()) {
            report.status =
                report.iterations >= limit ? SolveStatus::kIterationLimit : SolveStatus::kBudget;
            return verdict;
        }
        report.pivots += change_states(call, patience.next(verdict.wrong), verdict.worst);
    }
}

}  // namespace

PivotingReport solve_by_pivoting(const LinkSystem& system, const SolveSettings& settings,
                                 const VecX& v_free, PivotingWorkspace& workspace, IslandRows& rows,
                                 VecX& momentum, VecX& v) {
    Pivoting call{system, rows, v_free, workspace, momentum, v};
    find_structure(call);
    workspace.wanted.resize(rows.rows.size());
    workspace.violation.resize(rows.rows.size());
    workspace.aside.resize(rows.rows.size());
    workspace.left.resize(rows.rows.size());
    call.speed = velocity_scale(call);

    PivotingReport report;
    if (!std::isfinite(call.speed)) {
        report.status = SolveStatus::kNotFinite;
        return report;
    }
    set_delassus(call);
    for (int l = 0; l < call.links(); ++l) build_node(call, l);
    Verdict verdict = run(call, settings, report);
    if (spills(call)) verdict.residual = residual_of_impulses(call);
    report.residual = verdict.residual;
    for (std::size_t r = 0; r < rows.rows.size(); ++r) {  // impulses a hair outside their bounds
        rows.c[r] = std::clamp(rows.c[r], rows.rows[r].lo, rows.rows[r].hi);
    }
    if (!std::isfinite(report.residual)) {
        report.status = SolveStatus::kNotFinite;
    } else if (report.status == SolveStatus::kSolved && !accepted(verdict, call, settings)) {
        report.status = SolveStatus::kNoSolution;  // the equalities contradict one another
    } else if (report.status != SolveStatus::kSolved) {
        // The velocities were those of impulses that their bounds do not allow.
        apply_impulses(system, rows, v_free, momentum, v);
    }
    return report;
}

}  // namespace stiction
