// phase_two_first_order.cpp - phase II without matrices: an augmented Lagrangian for the rows
// (A x + b)_N >= 0, minimised over the other constraints by accelerated projected gradients.
//
//   L(x) = 1/2 x'Ax + b'x + sum_j (lambda_hat_j^2 - lambda_j^2) / (2 rho_j),
//   lambda_hat = max(0, lambda - rho o (A x + b)_N),   gradient  A (x - E lambda_hat) + b
//
// over K = { x in the cones and bounds, sum of c_n <= kappa }. The gradient takes two passes over
// the rows: velocities of x, then those of x - E lambda_hat. The projection on K, in the metric of
// the weights w_a = tr W_aa / 3, is that of each triple with nu / w_a taken off its normal,
// nu >= 0 the one number for which the sum is kappa. Momentum is dropped when it points uphill.
// rho_j = tau / (w_j Lambda), Lambda the largest eigenvalue of W^-1 A (W = diag w), so that the
// curvature of L is at most (1 + tau) Lambda; steps are by what is met of it. tau grows while
// lambda converges slowly. Joint rows are triples without bounds whose row velocity is zero: they
// have a lambda of either sign.
//
// An answer that has not converged is repaired (phase_two_repair.cpp).
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/island/operators.h"
#include "contact/routes/ladder.h"
#include "contact/routes/phase_two.h"
#include "problem/link_motion.h"
#include "solve/cone/cone_problem.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;
using Workspace = PhaseTwoFirstOrder;

constexpr int kDefaultIterations = 6000;    // what the hardest of the tested islands takes to 1e-6
constexpr int kPowerIterations = 30;        // bring the eigenvalue to a few percent
constexpr double kEigenvalueMargin = 1.05;  // for these percent
constexpr int kInnerIterations = 200;       // then the multipliers are worth a step
constexpr int kJudgeEvery = 10;             // inner iterations between measurements
constexpr double kInnerShare = 0.3;         // of the last residual: accuracy of the inner problem
constexpr double kSlowRows = 0.5;           // rows' residual must fall by this per outer step
// tau doubles where it does not, up to where the inner problem would get ten times harder.
constexpr double kTauGrowth = 2, kMaxTau = 100;
// Of the curvature met, for what the next step may meet; and how fast a large one is forgotten.
constexpr double kCurvatureMargin = 1.5, kCurvatureDecay = 0.98;

Eigen::Index place(std::size_t triple) { return 3 * static_cast<Eigen::Index>(triple); }

struct Solve {
    const IslandTask& task;
    const IslandRows& rows;
    Triples& triples;
    Workspace& ws;
    double kappa = 0;
    double size = 1;        // |b| [m/s]
    double eigenvalue = 1;  // Lambda
    double tau = 1;
    double curvature = 1;  // of L in the metric of the weights
    int iterations = 0;    // gradients

    [[nodiscard]] bool late() const { return task.stop.deadline.passed(); }
};

// u = A x + b, row velocities of impulses x.
void row_velocities(Solve& s, const VecX& x, VecX& u) {
    const LinkSystem& system = s.task.problem.system;
    VecX& v = s.task.shared.v_other;
    s.triples.r = x;
    apply_impulses(system, s.rows, s.triples, s.task.problem.v_free, s.task.shared.momentum, v);
    for (std::size_t l = 0; l < s.triples.links.size(); ++l) {
        const Vec6 u_link = link_velocity(system, system.links[at(s.triples.links[l])], v);
        for (int a = s.triples.first[l]; a < s.triples.first[l + 1]; ++a) {
            auto u_a = u.segment<3>(3 * a);
            u_a.noalias() = s.ws.G[at(a)] * u_link;
            u_a += s.ws.shift.segment<3>(3 * a) +
                   s.ws.compliance.segment<3>(3 * a).cwiseProduct(x.segment<3>(3 * a));
        }
    }
}

// The answer of phase I with as much of last step's friction as it bears.
void set_start(const Solve& s) {
    Workspace& ws = s.ws;
    ws.x.setZero(s.triples.r.size());
    for (std::size_t a = 0; a < s.triples.all.size(); ++a) {
        const Triple& triple = s.triples.all[a];
        auto x = ws.x.segment<3>(place(a));
        for (int k = 0; k < 3; ++k) {
            const int row = triple.row[at(k)];
            if (row != kNone) x[k] = impulse_of(s.rows.source[at(row)], s.task.solution);
        }
        if (triple.contact == kNone) continue;
        const Vec3 guess = ws.G[a].leftCols<3>() * s.task.shared.impulse_guess[at(triple.contact)];
        x.tail<2>() = guess.tail<2>();
        const double most = triple.mu * x[0] + ws.offset[static_cast<Eigen::Index>(a)];
        const double tangential = std::hypot(x[1], x[2]);
        if (tangential > most) x.tail<2>() *= most / tangential;
    }
}

// Rows of N and J.
void add_gaps(const Solve& s, int a) {
    const Triple& triple = s.triples.all[at(a)];
    if (triple.contact != kNone) {
        s.ws.gaps.push_back({a, 0});
        s.ws.offset[a] = s.task.workspace.phase_two().bound(triple.contact);
        return;
    }
    for (int k = 0; k < 3 && triple.row[at(k)] != kNone; ++k) {
        const bool equality = is_equality(s.rows.rows[at(triple.row[at(k)])]);
        if (equality || s.rows.source[at(triple.row[at(k)])].kind == Kind::kLimit)
            s.ws.gaps.push_back({a, k, equality});
    }
}

void read_triples(Solve& s) {
    const LinkSystem& system = s.task.problem.system;
    Workspace& ws = s.ws;
    const auto count = static_cast<Eigen::Index>(s.triples.all.size());
    for (VecX* x : {&ws.shift, &ws.compliance, &ws.lo, &ws.hi}) x->resize(3 * count);
    ws.G.resize(s.triples.all.size());
    ws.weight.resize(count);
    ws.offset.setZero(count);
    ws.gaps.clear();
    for (std::size_t l = 0; l < s.triples.links.size(); ++l) {
        const Link& link = system.links[at(s.triples.links[l])];
        const Mat6 D = delassus_block(system, link, link);
        for (int a = s.triples.first[l]; a < s.triples.first[l + 1]; ++a) {
            const Triple& triple = s.triples.all[at(a)];
            ws.G[at(a)] = jacobian(s.rows, triple);
            ws.shift.segment<3>(3 * a) = offset(s.rows, triple);
            ws.compliance.segment<3>(3 * a) = compliance(s.rows, triple);
            ws.lo.segment<3>(3 * a) = lower_bound(s.rows, triple);
            ws.hi.segment<3>(3 * a) = upper_bound(s.rows, triple);
            const double trace = (ws.G[at(a)] * D * ws.G[at(a)].transpose()).trace() +
                                 ws.compliance.segment<3>(3 * a).sum();
            ws.weight[a] = trace > 0 ? trace / 3 : 1.0;
            add_gaps(s, a);
        }
    }
}

void prepare(Solve& s) {
    Workspace& ws = s.ws;
    build_rows(s.task, {.all_tangential = true});
    build_triples(s.task.problem, s.rows, s.triples);
    read_triples(s);
    const Eigen::Index size = s.triples.r.size();
    for (VecX* x : {&ws.x_old, &ws.y, &ws.u, &ws.g, &ws.b, &ws.trial}) x->setZero(size);
    ws.lambda.setZero(static_cast<Eigen::Index>(ws.gaps.size()));
    ws.lambda_hat = ws.lambda;
    ws.nu = 0;
    row_velocities(s, ws.x_old, ws.b);
    s.size = ws.b.norm();
    if (!(s.size > 0)) s.size = 1;
    set_start(s);
}

// Lambda by power iteration on W^-1 A.
void find_eigenvalue(Solve& s) {
    Workspace& ws = s.ws;
    VecX& z = ws.y;
    for (Eigen::Index i = 0; i < z.size(); ++i) z[i] = std::sin(1.0 + 2.4 * static_cast<double>(i));
    for (int k = 0; k < kPowerIterations && !(k > 0 && s.late()); ++k) {
        row_velocities(s, z, ws.u);
        ws.u -= ws.b;
        double zz = 0, uu = 0;
        for (Eigen::Index b = 0; b < ws.weight.size(); ++b) {
            zz += ws.weight[b] * z.segment<3>(3 * b).squaredNorm();
            ws.u.segment<3>(3 * b) /= ws.weight[b];
            uu += ws.weight[b] * ws.u.segment<3>(3 * b).squaredNorm();
        }
        if (!(uu > 0)) break;
        s.eigenvalue = kEigenvalueMargin * std::sqrt(uu / zz);
        z = ws.u / std::sqrt(uu);
    }
}

// Gradient of L at x into g, u and lambda_hat on the way.
void gradient(Solve& s, const VecX& x) {
    Workspace& ws = s.ws;
    row_velocities(s, x, ws.u);
    ws.trial = x;
    bool any = false;
    for (std::size_t j = 0; j < ws.gaps.size(); ++j) {
        const Workspace::Gap& gap = ws.gaps[j];
        const auto k = static_cast<Eigen::Index>(j);
        const Eigen::Index i = 3 * gap.triple + gap.row;
        const double rho = s.tau / (ws.weight[gap.triple] * s.eigenvalue);
        ws.lambda_hat[k] = ws.lambda[k] - rho * ws.u[i];
        if (!gap.equality) ws.lambda_hat[k] = std::max(0.0, ws.lambda_hat[k]);
        ws.trial[i] -= ws.lambda_hat[k];
        any = any || ws.lambda_hat[k] != 0;
    }
    if (any) {
        row_velocities(s, ws.trial, ws.g);
    } else {
        ws.g = ws.u;
    }
    ++s.iterations;
}

Vec3 project_contact(const Solve& s, Eigen::Index b, const Vec3& x) {
    const double mu = s.triples.all[at(b)].mu;
    const double offset = s.ws.offset[b];
    return offset > 0 ? project_on_cone(mu, offset, x) : project_on_cone(mu, x);
}

// Sum of normals after projection with nu / (scale w) taken off each.
double projected_sum(const Solve& s, const VecX& x, double scale, double nu) {
    double sum = 0;
    for (Eigen::Index b = 0; b < s.ws.weight.size(); ++b) {
        if (s.triples.all[at(b)].contact == kNone) continue;
        Vec3 t = x.segment<3>(3 * b);
        t[0] -= nu / (scale * s.ws.weight[b]);
        sum += project_contact(s, b, t)[0];
    }
    return sum;
}

// The least nu for which the sum is at most kappa: false position (Illinois) between two bounds.
double find_nu(const Solve& s, const VecX& x, double scale) {
    double low = 0, f_low = projected_sum(s, x, scale, 0) - s.kappa;
    if (f_low <= 0) return 0;
    double high = s.ws.nu > 0 ? 1.01 * s.ws.nu : 1e-3 * s.size;
    double f_high = projected_sum(s, x, scale, high) - s.kappa;
    for (int k = 0; k < 60 && f_high > 0; ++k) {
        low = high;
        f_low = f_high;
        high *= 4;
        f_high = projected_sum(s, x, scale, high) - s.kappa;
    }
    int side = 0;
    double w_low = f_low, w_high = f_high;
    for (int k = 0; k < 60; ++k) {
        if (-f_high <= 1e-14 * s.kappa || high - low <= 1e-15 * high) break;
        double nu = (low * w_high - high * w_low) / (w_high - w_low);
        if (!(nu > low && nu < high)) nu = 0.5 * (low + high);
        const double f = projected_sum(s, x, scale, nu) - s.kappa;
        if (f > 0) {
            low = nu;
            w_low = f;
            if (side == 1) w_high *= 0.5;
            side = 1;
        } else {
            high = nu;
            f_high = w_high = f;
            if (side == -1) w_low *= 0.5;
            side = -1;
        }
    }
    return high;
}

// x <- the point of K nearest to it, in the metric scale * w.
void project(Solve& s, double scale, VecX& x) {
    s.ws.nu = find_nu(s, x, scale);
    for (Eigen::Index b = 0; b < s.ws.weight.size(); ++b) {
        Vec3 t = x.segment<3>(3 * b);
        if (s.triples.all[at(b)].contact == kNone) {
            x.segment<3>(3 * b) =
                t.cwiseMax(s.ws.lo.segment<3>(3 * b)).cwiseMin(s.ws.hi.segment<3>(3 * b));
            continue;
        }
        t[0] -= s.ws.nu / (scale * s.ws.weight[b]);
        x.segment<3>(3 * b) = project_contact(s, b, t);
    }
}

// x - P(x - g / w) and min(lambda, gap speed), as velocities, relative to |b|: after gradient(x),
// with lambda_hat as multipliers. Overwrites trial.
struct Residual {
    double triples = 0, gaps = 0;
    [[nodiscard]] double norm() const { return std::hypot(triples, gaps); }
};
Residual measure(Solve& s, const VecX& x) {
    Workspace& ws = s.ws;
    for (Eigen::Index b = 0; b < ws.weight.size(); ++b) {
        ws.trial.segment<3>(3 * b) = x.segment<3>(3 * b) - ws.g.segment<3>(3 * b) / ws.weight[b];
    }
    const double nu = ws.nu;  // the guess for the steps is another
    project(s, 1.0, ws.trial);
    ws.nu = nu;
    Residual result;
    for (Eigen::Index b = 0; b < ws.weight.size(); ++b) {
        result.triples +=
            (ws.weight[b] * (x.segment<3>(3 * b) - ws.trial.segment<3>(3 * b))).squaredNorm();
    }
    for (std::size_t j = 0; j < ws.gaps.size(); ++j) {
        const Workspace::Gap& gap = ws.gaps[j];
        const double u = ws.u[3 * gap.triple + gap.row];
        const double lambda = ws.lambda_hat[static_cast<Eigen::Index>(j)];
        const double e = gap.equality ? u : std::min(ws.weight[gap.triple] * lambda, u);
        result.gaps += e * e;
    }
    result.triples = std::sqrt(result.triples) / s.size;
    result.gaps = std::sqrt(result.gaps) / s.size;
    return result;
}

// The curvature met between the last two points y, if it is more than was reckoned with; else a
// little less than that: the bound is far too high where few rows are active.
void update_curvature(Solve& s) {
    Workspace& ws = s.ws;
    double along = 0, length = 0;
    for (Eigen::Index b = 0; b < ws.weight.size(); ++b) {
        const Vec3 dy = ws.y.segment<3>(3 * b) - ws.y_old.segment<3>(3 * b);
        along += dy.dot(ws.g.segment<3>(3 * b) - ws.g_old.segment<3>(3 * b));
        length += ws.weight[b] * dy.squaredNorm();
    }
    if (along > s.curvature * length) {
        s.curvature = std::min(kCurvatureMargin * along / length, (1 + s.tau) * s.eigenvalue);
    } else {
        s.curvature *= kCurvatureDecay;
    }
}

// Accelerated projected gradients on L from x; returns the residual at the end, with u, g and
// lambda_hat of x.
Residual minimise(Solve& s, double tolerance, int most) {
    Workspace& ws = s.ws;
    bool started = false;
    const int end = s.iterations + most;
    double t = 1;
    ws.y = ws.x;
    while (true) {
        for (int k = 0; k < kJudgeEvery && s.iterations < end && !s.late(); ++k) {
            gradient(s, ws.y);
            if (started) update_curvature(s);
            started = true;
            ws.y_old = ws.y;
            ws.g_old = ws.g;
            ws.x_old = ws.x;
            ws.x = ws.y;
            for (Eigen::Index b = 0; b < ws.weight.size(); ++b) {
                ws.x.segment<3>(3 * b) -= ws.g.segment<3>(3 * b) / (s.curvature * ws.weight[b]);
            }
            project(s, s.curvature, ws.x);
            double uphill = 0;
            for (Eigen::Index b = 0; b < ws.weight.size(); ++b) {
                uphill +=
                    ws.weight[b] * (ws.y.segment<3>(3 * b) - ws.x.segment<3>(3 * b))
                                       .dot(ws.x.segment<3>(3 * b) - ws.x_old.segment<3>(3 * b));
            }
            if (uphill > 0) {
                t = 1;
                ws.y = ws.x;
                continue;
            }
            const double t_next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
            ws.y = ws.x + ((t - 1) / t_next) * (ws.x - ws.x_old);
            t = t_next;
        }
        gradient(s, ws.x);
        const Residual residual = measure(s, ws.x);
        if (!(residual.triples > tolerance) || s.iterations >= end || s.late()) return residual;
    }
}

Residual iterate(Solve& s, double tolerance, int most) {
    Workspace& ws = s.ws;
    double inner = 1e-2;
    double rows_before = std::numeric_limits<double>::infinity();
    while (true) {
        const Residual residual =
            minimise(s, inner, std::min(kInnerIterations, most - s.iterations));
        if (!(residual.norm() > tolerance) || s.iterations >= most || s.late()) return residual;
        ws.lambda = ws.lambda_hat;
        if (residual.gaps > kSlowRows * rows_before && residual.gaps > 0.5 * residual.triples) {
            s.tau = std::min(s.tau * kTauGrowth, kMaxTau);
        }
        rows_before = residual.gaps;
        inner = std::max(0.3 * tolerance, kInnerShare * residual.norm());
    }
}

}  // namespace

IslandResult solve_phase_two_first_order(const IslandTask& task) {
    PhaseTwoWorkspace& ws = task.workspace.phase_two();
    Solve s{task, task.workspace.rows, task.workspace.triples, ws.first_order};
    s.kappa = ws.kappa;
    prepare(s);
    find_eigenvalue(s);
    s.curvature = 2 * s.eigenvalue;
    const double tolerance = ws.first_order_stop.tolerance;
    const int own = ws.first_order_stop.max_iterations;
    const int most = task.stop.max_iterations > 0 ? task.stop.max_iterations
                     : own > 0                    ? own
                                                  : kDefaultIterations;
    const Residual residual = iterate(s, tolerance, most);
    IslandResult result =
        island_result("first_order", {SolveStatus::kSolved, s.iterations, residual.norm()});
    s.triples.r = s.ws.x;
    bool usable = std::isfinite(result.residual);
    if (!usable) {
        result.status = SolveStatus::kNotFinite;
    } else if (result.residual <= tolerance) {
        commit_triples(task);
    } else {
        result.status = s.late() ? SolveStatus::kBudget : SolveStatus::kIterationLimit;
        usable = repair_phase_two(task);
    }
    if (!usable) result.residual = no_answer().residual;
    return result;
}

}  // namespace stiction
