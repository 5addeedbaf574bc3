// max_dissipation.cpp - phase I, kappa, and which solver takes phase II [DS10].
#include "contact/models/max_dissipation.h"

#include <algorithm>
#include <cmath>

#include "contact/routes/block_solve.h"
#include "contact/routes/max_dissipation_phase_two.h"
#include "contact/solve_contact.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;

constexpr double kPileTolerance = 1e-4;   // of large piles
constexpr double kUsableSweeps = 0.02;    // residual up to which their friction is of use
constexpr int kLargestDense = 300;        // contacts; beyond it the factors get too large
constexpr double kClosing = 1e-6;         // of the fastest link: speed e of seek_least_sum
constexpr double kLesser = 1e-3;          // share by which a sum must be less to be sought
constexpr double kSameVelocity = 1e-8;    // relative to the same
constexpr double kCertificate = 1e-8;     // residual of phase II that the Coulomb solution may have
constexpr double kSweepTolerance = 1e-9;  // of that solution

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class F>
void for_each_contact(const IslandTask& task, F f) {
    for (const int l : links_of(task)) {
        const LinkRows& range = task.problem.link_rows[at(l)];
        for (int i = range.contact_begin; i < range.contact_end; ++i) f(i);
    }
}

template <class F>
void for_each_block(const IslandTask& task, F f) {
    for (const int b : blocks_of(task)) f(task.problem.system.blocks[at(b)]);
}

// ---- phase I

LinkQpResult solve_rows(const IslandTask& task, IslandRows& rows, VecX& v) {
    return solve_normal_rows(task, task.problem.v_free, rows, v);
}

double fastest_link(const IslandTask& task) {
    double speed = 0;
    for (const int l : links_of(task)) {
        const Vec6 u = link_velocity(task.problem.system, task.problem.system.links[at(l)],
                                     task.problem.v_free);
        speed = std::max(speed, u.lpNorm<Eigen::Infinity>());
    }
    return speed;
}

double sum_of_normals(const IslandRows& rows) {
    double sum = 0;
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind == Kind::kNormal) sum += rows.c[r];
    }
    return sum;
}

// Rows that a drift correction made contradictory: joints hold, gaps do not close, and that is all.
void drop_biases(IslandRows& rows) {
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        QpRow& row = rows.qp.rows[r];
        const Kind kind = rows.source[r].kind;
        if (kind == Kind::kJoint) row.target = 0;
        if (kind == Kind::kNormal || kind == Kind::kLimit) row.target = std::min(row.target, 0.0);
    }
}

// The same velocity with the least sum of normal impulses. Where every gap may close at a speed e,
// the objective has e 1'c_n more, so that the set of rows that press is the one of least sum; if it
// brings about the velocity of phase I with e = 0, its impulses are taken, else rows.c stays.
void seek_least_sum(const IslandTask& task, IslandRows& rows) {
    MaxDissipationWorkspace& ws = task.workspace.max_dissipation;
    ws.c_one.assign(rows.c.begin(), rows.c.end());
    ws.state_one.assign(rows.state.begin(), rows.state.end());
    const double sum = sum_of_normals(rows);
    const double speed = fastest_link(task);
    const auto shift_gaps = [&](double by) {
        for (std::size_t r = 0; r < rows.source.size(); ++r) {
            if (rows.source[r].kind == Kind::kNormal) rows.qp.rows[r].target += by;
        }
    };
    const auto restore = [&] {
        std::copy(ws.c_one.begin(), ws.c_one.end(), rows.c.begin());
        std::copy(ws.state_one.begin(), ws.state_one.end(), rows.state.begin());
    };
    VecX& v = task.shared.v_rebound;
    shift_gaps(-kClosing * speed);
    const bool found = solve_rows(task, rows, v).status == SolveStatus::kSolved;
    shift_gaps(kClosing * speed);
    if (!found || sum_of_normals(rows) > sum * (1 - kLesser)) return restore();

    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        if (rows.source[r].kind == Kind::kNormal && rows.state[r] != RowState::kFree) {
            rows.qp.rows[r].hi = 0;
        }
    }
    bool same =
        solve_rows(task, rows, v).status == SolveStatus::kSolved && sum_of_normals(rows) < sum;
    for_each_block(task, [&](const InertiaBlock& block) {
        const auto difference =
            v.segment(block.offset, block.size) - task.solution.v.segment(block.offset, block.size);
        same = same && difference.norm() <= kSameVelocity * speed;
    });
    if (!same) restore();
}

// Velocities and impulses without friction into the solution, and kappa.
IslandResult solve_phase_one(const IslandTask& task, double& kappa) {
    IslandRows& rows = task.workspace.rows;
    build_island_rows(task.problem, task.island, {}, rows);
    guess_row_states(task, task.shared.contact_guess, task.guess.joints, rows);
    const bool pile = is_large_pile(task);
    if (pile) guess_impulses(task, rows);
    LinkQpResult qp = solve_rows(task, rows, task.solution.v);
    IslandResult result;
    result.solver = "phase_one";
    result.iterations = qp.iterations;
    result.pivots = qp.pivots;
    if (qp.status != SolveStatus::kSolved && !pile && !spent(task, result.iterations)) {
        build_island_rows(task.problem, task.island, {}, rows);
        qp = solve_rows(task, rows, task.solution.v);
    }
    result.status = qp.status;
    result.residual = qp.residual;
    if (pile || spent(task, result.iterations)) {
        // As good as the sweeps were, or as far as it got; its sum is not the least one.
        keep_row_states(task, rows);
    } else if (qp.status != SolveStatus::kSolved) {
        drop_biases(rows);
        qp = solve_rows(task, rows, task.solution.v);
        result.fallback = true;
    } else {
        keep_row_states(task, rows);
        seek_least_sum(task, rows);
    }
    kappa = sum_of_normals(rows);
    task.workspace.max_dissipation.c_one.assign(rows.c.begin(), rows.c.end());
    clear_impulses(task);
    add_impulses(rows, task.solution);
    for_each_block(task, [&](const InertiaBlock& block) {
        task.shared.v_plus.segment(block.offset, block.size) =
            task.solution.v.segment(block.offset, block.size);
    });
    return result;
}

// ---- what phase II needs to know

bool any_friction(const IslandTask& task) {
    bool any = false;
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        any = any || contact.mu_c > 0 || contact.mu_v > 0;
    });
    return any;
}

// v_hat: the velocity with joints alone, in v_rebound.
void solve_joints(const IslandTask& task) {
    IslandRows& rows = task.workspace.rebound_rows;
    build_island_rows(task.problem, task.island, {}, rows);
    for (std::size_t r = 0; r < rows.source.size(); ++r) {
        QpRow& row = rows.qp.rows[r];
        if (std::isinf(row.lo) && std::isinf(row.hi)) continue;
        row.lo = row.hi = 0;
        rows.state[r] = RowState::kLower;
    }
    (void)solve_rows(task, rows, task.shared.v_rebound);
}

// h mu_v |b_T| where a contact touches or presses in phase I.
void set_viscous_bounds(const IslandTask& task) {
    MaxDissipationWorkspace& ws = task.workspace.max_dissipation;
    const ContactProblem& problem = task.problem;
    ws.viscous_bound.clear();
    bool any = false;
    for_each_contact(task, [&](int i) { any = any || problem.contacts[at(i)].mu_v > 0; });
    if (!any) return;
    ws.viscous_bound.assign(problem.contacts.size(), 0.0);
    solve_joints(task);
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = problem.contacts[at(i)];
        if (!touching(problem, contact) && task.solution.c_n[at(i)] <= 0) return;
        const Vec6 u = link_velocity(problem.system, problem.system.links[at(contact.link)],
                                     task.shared.v_rebound);
        ws.viscous_bound[at(i)] =
            problem.h * contact.mu_v * std::hypot(contact.s.dot(u), contact.t.dot(u));
    });
}

// ---- phase II from a Coulomb solution

// The phase I answer into the solution again.
void restore_phase_one(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    const std::vector<double>& c_one = task.workspace.max_dissipation.c_one;
    build_island_rows(task.problem, task.island, {}, rows);
    std::copy(c_one.begin(), c_one.end(), rows.c.begin());
    clear_impulses(task);
    add_impulses(rows, task.solution);
    for_each_block(task, [&](const InertiaBlock& block) {
        task.solution.v.segment(block.offset, block.size) =
            task.shared.v_plus.segment(block.offset, block.size);
    });
}

// One contact of the solution: impulse, velocity with bias, and tr W_aa / 3.
struct ContactPoint {
    Vec3 c, u;
    double weight;
};
ContactPoint contact_point(const IslandTask& task, int i, const Mat6& D, const Vec6& u) {
    const ContactRow& contact = task.problem.contacts[at(i)];
    const ContactSolution& solution = task.solution;
    const double trace =
        contact.n.dot(D * contact.n) + contact.s.dot(D * contact.s) + contact.t.dot(D * contact.t);
    return {Vec3(solution.c_n[at(i)], solution.c_s[at(i)], solution.c_t[at(i)]),
            Vec3(contact.n.dot(u) + contact.bias, contact.s.dot(u), contact.t.dot(u)),
            trace > 0 ? trace / 3 : 1.0};
}

// Residual of the conditions of phase II at the solution, a Coulomb solution, with lambda = 0 and
// the least nu that leaves no contact outside its dual cone:
//   u + nu e_N in K*,  c . (u + nu e_N) = 0,  nu >= 0,  sum of c_n <= kappa, = kappa if nu > 0.
double certificate(const IslandTask& task, double kappa) {
    const ContactProblem& problem = task.problem;
    double nu = 0, sum = 0, size = 0, weight = 0, error = 0;
    int contacts = 0;
    const auto for_each_point = [&](const auto& act) {
        for (const int l : links_of(task)) {
            const LinkRows& range = problem.link_rows[at(l)];
            if (range.contact_begin == range.contact_end) continue;
            const Link& link = problem.system.links[at(l)];
            const Mat6 D = delassus_block(problem.system, link, link);
            const Vec6 u = link_velocity(problem.system, link, task.solution.v);
            for (int i = range.contact_begin; i < range.contact_end; ++i) {
                act(problem.contacts[at(i)], contact_point(task, i, D, u));
            }
        }
    };
    for_each_point([&](const ContactRow& contact, const ContactPoint& point) {
        nu = std::max(nu, contact.mu_c * point.u.tail<2>().norm() - point.u[0]);
        sum += point.c[0];
        weight += point.weight;
        ++contacts;
        const Vec6 u =
            link_velocity(problem.system, problem.system.links[at(contact.link)], problem.v_free);
        size += std::pow(contact.n.dot(u) + contact.bias, 2) + std::pow(contact.s.dot(u), 2) +
                std::pow(contact.t.dot(u), 2);
    });
    for_each_point([&](const ContactRow& contact, const ContactPoint& point) {
        const Vec3 x = point.weight * point.c;
        const Vec3 u = point.u + Vec3(nu, 0, 0);
        error += (x - project_on_cone(contact.mu_c, x - u)).squaredNorm();
        error += std::pow(std::min(point.u[0], 0.0), 2);
    });
    weight /= std::max(contacts, 1);
    // The sum may be short of kappa only by as much as nu is zero.
    const double sum_error =
        sum > kappa ? weight * (sum - kappa) : std::min(weight * (kappa - sum), nu);
    return std::sqrt(error + sum_error * sum_error) / (size > 0 ? std::sqrt(size) : 1.0);
}

// True where the solution, found by `found`, is one of phase II; else it is phase I's again.
bool accept(const IslandTask& task, double kappa, const IslandResult& found, IslandResult& result) {
    result.iterations += found.iterations;
    result.pivots += found.pivots;
    const double residual = certificate(task, kappa);
    if (found.status == SolveStatus::kSolved && residual <= kCertificate) {
        result.solver = found.solver;
        result.residual = std::max(found.residual, residual);
        return true;
    }
    restore_phase_one(task);
    return false;
}

// Nothing slides: the no-slip answer, if friction can bring it about.
bool try_sticking(const IslandTask& task, double kappa, IslandResult& result) {
    clear_impulses(task);
    IslandTask rest = task;
    rest.max_iterations = iterations_left(task, result.iterations);
    IslandResult stuck = solve_sticking(NoSlip{}, rest, true);
    stuck.solver = "stick";
    return accept(task, kappa, stuck, result);
}

// The sweeps of coulomb_cone, from the last step's impulses, into the solution.
IslandResult sweep_coulomb(const BlockSettings& settings, bool to_the_end, const IslandTask& task) {
    build_warm_row_blocks(task);
    const IslandResult swept = sweep_blocks(settings, to_the_end, task);
    const RowBlocks& rows = task.workspace.cone.rows;
    apply_row_impulses(task.problem, task.island, rows, task.shared.momentum, task.solution.v);
    clear_impulses(task);
    add_impulses(rows, task.solution);
    return swept;
}

// All slides alike: the answer of the sweeps of coulomb_cone.
bool try_sweeps(const IslandTask& task, double kappa, IslandResult& result) {
    if (!can_sweep(task.problem, task.island)) return false;
    const int left = iterations_left(task, result.iterations);
    const IslandResult swept = sweep_coulomb({kSweepTolerance, left, nullptr}, false, task);
    return accept(task, kappa, swept, result);
}

bool try_coulomb(const IslandTask& task, double kappa, IslandResult& result) {
    if (!task.workspace.max_dissipation.viscous_bound.empty()) return false;
    if (try_sticking(task, kappa, result)) return true;
    return !spent(task, result.iterations) && try_sweeps(task, kappa, result);
}

double sum_of_normals(const IslandTask& task) {
    double sum = 0;
    for_each_contact(task, [&](int i) { sum += task.solution.c_n[at(i)]; });
    return sum;
}

// A pile so large that phase II would take thousands of iterations: the sweeps of coulomb_cone,
// where they keep to kappa, else as much of their friction as does, else none. The answer lies in
// the cones and closes no gap, so that all constraints of phase II hold to the accuracy of the
// sweeps; how far it is from the least energy is its residual.
bool sweep_pile(const IslandTask& task, double kappa, IslandResult& result) {
    if (!task.workspace.max_dissipation.viscous_bound.empty()) return false;
    const int left = iterations_left(task, result.iterations);
    const int most = left > 0 ? std::min(left, kPileSweeps) : kPileSweeps;
    const IslandResult swept = sweep_coulomb({kPileTolerance, most, nullptr}, true, task);
    result.iterations += swept.iterations;
    const double residual = std::max(swept.residual, certificate(task, kappa));
    const bool keeps = sum_of_normals(task) <= kappa * (1 + kPileTolerance);
    if (swept.residual > kUsableSweeps || !(keeps || repair_phase_two(kappa, task))) {
        restore_phase_one(task);
        result.status = SolveStatus::kIterationLimit;
        result.fallback = true;
        return true;
    }
    result.solver = swept.solver;
    result.residual = residual;
    result.status = residual <= kPileTolerance             ? SolveStatus::kSolved
                    : swept.status == SolveStatus::kSolved ? SolveStatus::kIterationLimit
                                                           : swept.status;
    return true;
}

int count_contacts(const IslandTask& task) {
    int count = 0;
    for_each_contact(task, [&](int) { ++count; });
    return count;
}

// `used`: iterations before it.
PhaseTwoResult solve_phase_two(const MaxDissipation& model, double kappa, const IslandTask& task,
                               int used) {
    const bool automatic = model.solver == MaxDissipationSolver::kAuto;
    if (model.solver == MaxDissipationSolver::kFirstOrder ||
        (automatic && count_contacts(task) > kLargestDense)) {
        return solve_phase_two_first_order(model, kappa, iterations_left(task, used), task);
    }
    PhaseTwoResult dense = solve_phase_two_dense(model, kappa, iterations_left(task, used), task);
    used += dense.island.iterations;
    if (dense.usable || spent(task, used)) return dense;
    PhaseTwoResult other =
        solve_phase_two_first_order(model, kappa, iterations_left(task, used), task);
    other.island.fallback = !automatic;
    other.island.iterations += dense.island.iterations;
    return other;
}

}  // namespace

IslandResult solve_island(const MaxDissipation& model, const IslandTask& task) {
    double kappa = 0;
    IslandResult one = solve_phase_one(task, kappa);
    const bool swept = one.status == SolveStatus::kIterationLimit && is_large_pile(task);
    if (one.status != SolveStatus::kSolved && !swept) return one;
    if (!any_friction(task)) return one;
    set_viscous_bounds(task);
    if (kappa <= 0 && task.workspace.max_dissipation.viscous_bound.empty()) return one;

    PhaseTwoResult two;
    two.island.status = SolveStatus::kIterationLimit;
    if (spent(task, one.iterations)) {
        two.island.status = SolveStatus::kBudget;
    } else if (!model.fail_phase_two) {
        IslandResult coulomb = one;
        const bool automatic = model.solver == MaxDissipationSolver::kAuto;
        if (automatic && (is_large_pile(task) ? sweep_pile(task, kappa, coulomb)
                                              : try_coulomb(task, kappa, coulomb))) {
            return coulomb;
        }
        one.iterations = coulomb.iterations;
        if (spent(task, one.iterations)) {
            two.island.status = SolveStatus::kBudget;
        } else {
            two = solve_phase_two(model, kappa, task, one.iterations);
        }
    }
    two.island.iterations += one.iterations;
    two.island.pivots += one.pivots;
    two.island.status = worse(two.island.status, one.status);
    if (two.usable) return two.island;
    restore_phase_one(task);  // safe: it dissipates, and no gap closes
    one.status = worse(two.island.status, SolveStatus::kIterationLimit);
    one.fallback = true;
    one.iterations = two.island.iterations;
    return one;
}

}  // namespace stiction
