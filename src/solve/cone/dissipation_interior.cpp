// dissipation_interior.cpp - Mehrotra's predictor and corrector on the program of dissipation.h.
#include "solve/cone/dissipation_interior.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/dissipation.h"

namespace stiction {

namespace {

// As in interior_point.cpp, with its reasons.
constexpr double kMinSigma = 1e-3;
constexpr double kOffCentre = 0.03;
constexpr double kCentringRatio = 3;
constexpr double kFeasible = 0.3;
constexpr double kFractionToBoundary = 0.99;
// Proximal terms of dx and of the multipliers, over D. They do not change the answer, only the way:
// with 1e-9 rounding ends it at residuals of 1e-5 (26 cards that collapse), with 1e-6 it takes too
// many iterations along directions that are nearly flat.
constexpr double kProximal = 1e-7;
constexpr double kEquality = 1e-8;  // the same of the multipliers of equalities
constexpr double kFixed = 1e12;     // over D: rows that cannot move
constexpr int kRefinements = 2;     // of a step: each brings four digits or more
constexpr double kGain = 0.9;       // of the mean product, by an iteration that pays
constexpr int kPatience = 7;        // iterations that do not: with 4 some end far too early

using Kind = InteriorPair::Kind;

double longest(double value, double d) { return d < 0 ? -value / d : kFarStep; }

struct Walk {
    const DissipationProgram& p;
    DissipationMatrix& A;
    const SolveSettings& stop;
    const InteriorSlack& slack;
    DissipationInterior& ws;
    DissipationResult& result;
    int n;
    double b_norm;
    double sigma = 0, d_sigma = 0, k = 0, sum_weight = 0;
    double mean = 0;
    double velocity = 0, impulse = 0;  // of the start, for a contact with D = 1

    [[nodiscard]] double offset(int a) const {
        return p.laws.offset == nullptr || p.laws.is_bounded(a) ? 0.0 : (*p.laws.offset)[a];
    }
    [[nodiscard]] double mu(int a) const { return p.laws.mu[a]; }
    [[nodiscard]] double weight(int i) const { return p.D[i / 3]; }
    [[nodiscard]] Vec3 times_Y(int a, const Vec3& x) const { return {mu(a) * x[0], x[1], x[2]}; }
    // Proximal term of a pair's multiplier: v's units over m's.
    [[nodiscard]] double soft(const InteriorPair& pair) const {
        return pair.kind == Kind::kGap || pair.kind == Kind::kSum ? kProximal * pair.weight : 0.0;
    }

    void add_pair(Kind kind, int row, double v, double weight);
    void start_row(int i, double lo, double hi);
    void start();
    void evaluate();
    double measure();
    bool linearise();
    void aim_for_the_boundary();
    void aim_for_the_centre(double target, double share);
    void set_right_side();
    void refine();
    double solve_steps();
    void cone_steps(int a, const Vec3& f);
    double mean_after(double step) const;
    double least_product() const;
    double centred_residual();
    bool take_step(double residual);
    void advance(double step);
};

void Walk::add_pair(Kind kind, int row, double v, double w) {
    InteriorPair pair;
    pair.kind = kind;
    pair.row = row;
    pair.v = v;
    pair.m = mean / v;
    pair.weight = w;
    ws.pairs.push_back(pair);
}

void Walk::start_row(int i, double lo, double hi) {
    const double size = impulse / std::sqrt(weight(i));
    if (lo == hi) {
        ws.fixed[at(i)] = 1;
        ws.x[i] = lo;
        return;
    }
    const bool low = std::isfinite(lo), high = std::isfinite(hi);
    ws.x[i] = low && high ? lo + std::min(size, 0.5 * (hi - lo))
              : low       ? lo + size
              : high      ? hi - size
                          : 0.0;
    if (low) add_pair(Kind::kLower, i, ws.x[i] - lo, weight(i));
    if (high) add_pair(Kind::kUpper, i, hi - ws.x[i], weight(i));
}

// All products v m and y.z are the same. Velocities are of the size of b, impulses of that or of
// half of kappa, which says how much of the weight of a structure goes through each contact.
void Walk::start() {
    double energy = 0, roots = 0;
    sum_weight = 0;
    for (int a = 0; a < n; ++a) {
        energy += p.b.segment<3>(3 * a).squaredNorm() / p.D[a];
        sum_weight += p.counted[3 * a] / p.D[a];
        roots += p.counted[3 * a] / std::sqrt(p.D[a]);
    }
    velocity = std::sqrt(energy / std::max(1, n));
    impulse = roots > 0 ? std::max(velocity, 0.5 * p.kappa / roots) : velocity;
    mean = velocity * impulse;
    constexpr double kInf = std::numeric_limits<double>::infinity();
    ws.pairs.clear();
    ws.cones.assign(at(n), {});
    ws.fixed.assign(at(3 * n), 0);
    ws.x.setZero(3 * n);
    for (int a = 0; a < n; ++a) {
        if (p.laws.is_bounded(a)) {
            for (int i = 3 * a; i < 3 * a + 3; ++i) start_row(i, p.laws.lo[i], p.laws.hi[i]);
            continue;
        }
        InteriorCone& cone = ws.cones[at(a)];
        const double s = offset(a);
        cone.any = mu(a) > 0 || s > 0;
        if (s > 0 || mu(a) == 0) {
            start_row(3 * a, 0, kInf);
        } else {
            ws.x[3 * a] = impulse / std::sqrt(p.D[a]);
        }
        for (int i = 3 * a + 1; i < 3 * a + 3; ++i) ws.fixed[at(i)] = cone.any ? 0 : 1;
        if (!cone.any) continue;
        cone.y.p = Vec3(mu(a) * ws.x[3 * a] + s, 0, 0);
        cone.y.gap = cone.y.p[0];
        cone.z.p = Vec3(mean / cone.y.p[0], 0, 0);
        cone.z.gap = cone.z.p[0];
    }
    A.multiply(ws.x, ws.u);
    ws.u += p.b;
    ws.lambda.setZero(3 * n);
    for (int i = 0; i < 3 * n; ++i) {
        if (p.held[at(i)] == Held::kGap)
            add_pair(Kind::kGap, i, std::max(ws.u[i], velocity * std::sqrt(weight(i))), weight(i));
    }
    if (sum_weight > 0) {
        const double least = 0.5 * p.kappa + impulse * std::sqrt(sum_weight);
        add_pair(Kind::kSum, 0, std::max(slack.kappa - p.counted.dot(ws.x), least), sum_weight);
    }
}

void Walk::evaluate() {
    A.multiply(ws.x, ws.u);
    ws.u += p.b;
    for (const InteriorPair& pair : ws.pairs) {
        if (pair.kind == Kind::kGap) ws.lambda[pair.row] = pair.m;
        if (pair.kind == Kind::kSum) sigma = pair.m;
    }
    A.multiply(ws.lambda, ws.product);
    ws.w = ws.u - ws.product + sigma * p.counted;
    ws.F = ws.w;
    for (int a = 0; a < n; ++a) {
        const InteriorCone& cone = ws.cones[at(a)];
        if (cone.any) ws.F.segment<3>(3 * a) -= times_Y(a, cone.z.p);
    }
    for (InteriorPair& pair : ws.pairs) {
        if (pair.kind == Kind::kLower) ws.F[pair.row] -= pair.m;
        if (pair.kind == Kind::kUpper) ws.F[pair.row] += pair.m;
        if (pair.kind == Kind::kGap) pair.infeasibility = ws.u[pair.row] + slack.gap - pair.v;
        if (pair.kind == Kind::kSum)
            pair.infeasibility = slack.kappa - p.counted.dot(ws.x) - pair.v;
    }
    for (int i = 0; i < 3 * n; ++i) {
        if (ws.fixed[at(i)] != 0) ws.F[i] = 0;
    }
}

// Residual of the iterate, which is kept where it is the best.
double Walk::measure() {
    const double now = residual(p, ws.x, ws.lambda, sigma, ws.u, ws.w);
    if (now < result.residual) {
        result.x = ws.x;
        result.lambda = ws.lambda;
        result.sigma = sigma;
        result.residual = now;
    }
    return now;
}

bool Walk::linearise() {
    for (int a = 0; a < n; ++a) {
        InteriorCone& cone = ws.cones[at(a)];
        Mat3& S = ws.S[at(a)];
        S = kProximal * p.D[a] * Mat3::Identity();
        if (!cone.any) continue;
        if (!nesterov_todd(cone.y, cone.z, cone.scaling)) return false;
        Mat3 P = cone.scaling.P;
        P.row(0) *= mu(a);
        P.col(0) *= mu(a);
        S += P;
    }
    ws.L.setZero(3 * n);
    k = 0;
    for (const InteriorPair& pair : ws.pairs) {
        if (pair.kind == Kind::kGap) {
            ws.L[pair.row] = 1 / (pair.v / pair.m + soft(pair));
        } else if (pair.kind == Kind::kSum) {
            k = 1 / (pair.v / pair.m + soft(pair));
        } else {
            ws.S[at(pair.row / 3)](pair.row % 3, pair.row % 3) += pair.m / pair.v;
        }
    }
    for (int i = 0; i < 3 * n; ++i) {
        if (p.held[at(i)] == Held::kEquality) ws.L[i] = 1 / (kEquality * weight(i));
        if (ws.fixed[at(i)] != 0) ws.S[at(i / 3)](i % 3, i % 3) += kFixed * weight(i);
    }
    return A.factor(ws.S, ws.L, k, p.counted);
}

void Walk::aim_for_the_boundary() {
    for (InteriorCone& cone : ws.cones) cone.zeta = -cone.z.p;
    for (InteriorPair& pair : ws.pairs) pair.zeta = -pair.m;
}

// y o z = target e, v m = target, with a share of the second-order terms of the step at hand.
void Walk::aim_for_the_centre(double target, double share) {
    for (InteriorCone& cone : ws.cones) {
        if (!cone.any) continue;
        const Vec3 second =
            jordan_product(cone.scaling.S_inverse * cone.dy, cone.scaling.S * cone.dz);
        cone.zeta = target * inverse(cone.y) - cone.z.p -
                    share * (cone.scaling.S_inverse * jordan_divide(cone.scaling.lambda, second));
    }
    for (InteriorPair& pair : ws.pairs)
        pair.zeta = (target - share * pair.dv * pair.dm) / pair.v - pair.m;
}

// With d lambda = zeta' - y, y = L (A dx + infeasibility):
//   (A + S + k e e') dx + A y = -F + A zeta' - e (zeta'_sigma - k infeasibility) + Y zeta + ...
void Walk::set_right_side() {
    ws.d_lambda.setZero(3 * n);
    ws.dy.setZero(3 * n);
    double sum_part = 0;
    ws.right = -ws.F;
    for (InteriorPair& pair : ws.pairs) {
        const double eased = pair.zeta * (pair.v / pair.m) / (pair.v / pair.m + soft(pair));
        switch (pair.kind) {
            case Kind::kLower:
                ws.right[pair.row] += pair.zeta;
                break;
            case Kind::kUpper:
                ws.right[pair.row] -= pair.zeta;
                break;
            case Kind::kGap:
                ws.d_lambda[pair.row] = eased;
                ws.dy[pair.row] = pair.infeasibility;
                break;
            case Kind::kSum:
                sum_part = eased - k * pair.infeasibility;
                break;
        }
    }
    A.multiply(ws.d_lambda, ws.product);
    ws.right += ws.product - sum_part * p.counted;
    for (int a = 0; a < n; ++a) {
        if (ws.cones[at(a)].any) ws.right.segment<3>(3 * a) += times_Y(a, ws.cones[at(a)].zeta);
    }
    for (int i = 0; i < 3 * n; ++i) {
        if (p.held[at(i)] == Held::kEquality) ws.dy[i] = ws.u[i];
        if (ws.fixed[at(i)] != 0) ws.right[i] = 0;
    }
    d_sigma = sum_part;
}

// ws.dy holds the infeasibilities.
void Walk::refine() {
    A.multiply(ws.y, ws.product);
    ws.w = ws.right - ws.A_dx - ws.product - k * p.counted.dot(ws.dx) * p.counted;
    for (int a = 0; a < n; ++a) ws.w.segment<3>(3 * a) -= ws.S[at(a)] * ws.dx.segment<3>(3 * a);
    for (int i = 0; i < 3 * n; ++i)
        ws.product[i] = ws.L[i] > 0 ? ws.A_dx[i] + ws.dy[i] - ws.y[i] / ws.L[i] : 0.0;
    A.solve(ws.w, ws.product);
    ws.dx += ws.w;
    ws.y += ws.product;
    A.multiply(ws.dx, ws.A_dx);
}

// Step of z from that of x. f is the step of F but for the multipliers' part: Y dz + dm = f.
void Walk::cone_steps(int a, const Vec3& f) {
    InteriorCone& cone = ws.cones[at(a)];
    cone.dy = times_Y(a, ws.dx.segment<3>(3 * a));
    cone.dz = cone.zeta - cone.scaling.P * cone.dy;
    if (!(cone.scaling.P.norm() > p.D[a])) return;
    // Where P is stiff, the equation of motion is the more accurate one.
    cone.dz.tail<2>() = f.tail<2>();
    if (mu(a) > 0 && offset(a) == 0) cone.dz[0] = f[0] / mu(a);
}

// All steps, with the matrix factored; returns the longest that stays inside.
double Walk::solve_steps() {
    set_right_side();
    ws.dx = ws.right;
    ws.y = ws.dy;
    A.solve(ws.dx, ws.y);
    A.multiply(ws.dx, ws.A_dx);
    for (int i = 0; i < kRefinements; ++i) refine();
    for (int i = 0; i < 3 * n; ++i) {
        if (ws.fixed[at(i)] != 0) ws.dx[i] = 0;
    }
    ws.d_lambda -= ws.y;
    d_sigma += k * p.counted.dot(ws.dx);
    A.multiply(ws.d_lambda, ws.product);
    ws.right = ws.F + ws.A_dx - ws.product + d_sigma * p.counted;
    double step = kFarStep;
    for (InteriorPair& pair : ws.pairs) {
        switch (pair.kind) {
            case Kind::kLower:
            case Kind::kUpper:
                pair.dv = pair.kind == Kind::kLower ? ws.dx[pair.row] : -ws.dx[pair.row];
                pair.dm = pair.zeta - pair.m / pair.v * pair.dv;
                break;
            case Kind::kGap:
                pair.dm = ws.d_lambda[pair.row];
                pair.dv = ws.A_dx[pair.row] + pair.infeasibility + soft(pair) * pair.dm;
                break;
            case Kind::kSum:
                pair.dm = d_sigma;
                pair.dv = pair.infeasibility - p.counted.dot(ws.dx) + soft(pair) * pair.dm;
                break;
        }
        step = std::min({step, longest(pair.v, pair.dv), longest(pair.m, pair.dm)});
    }
    for (int a = 0; a < n; ++a) {
        InteriorCone& cone = ws.cones[at(a)];
        if (!cone.any) continue;
        cone_steps(a, ws.right.segment<3>(3 * a) + kProximal * p.D[a] * ws.dx.segment<3>(3 * a));
        step = std::min({step, longest_step(cone.y, cone.dy), longest_step(cone.z, cone.dz)});
    }
    return step;
}

double Walk::mean_after(double step) const {
    double sum = 0, count = 0;
    for (const InteriorCone& cone : ws.cones) {
        if (!cone.any) continue;
        sum += step == 0 ? product(cone.y, cone.z)
                         : (cone.y.p + step * cone.dy).dot(cone.z.p + step * cone.dz);
        ++count;
    }
    for (const InteriorPair& pair : ws.pairs) {
        sum += (pair.v + step * pair.dv) * (pair.m + step * pair.dm);
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

double Walk::least_product() const {
    double least = kFarStep;
    for (const InteriorCone& cone : ws.cones) {
        if (cone.any) least = std::min(least, std::sqrt(determinant(cone.y) * determinant(cone.z)));
    }
    for (const InteriorPair& pair : ws.pairs) least = std::min(least, pair.v * pair.m);
    return least;
}

// What the residual would be with multipliers that make the point central.
double Walk::centred_residual() {
    ws.centred.setZero(3 * n);
    ws.centred_lambda = ws.lambda;
    double centred_sigma = 0;
    for (int a = 0; a < n; ++a) {
        const InteriorCone& cone = ws.cones[at(a)];
        if (cone.any) ws.centred.segment<3>(3 * a) = times_Y(a, mean * inverse(cone.y));
    }
    for (const InteriorPair& pair : ws.pairs) {
        const double m = mean / pair.v;
        if (pair.kind == Kind::kLower) ws.centred[pair.row] += m;
        if (pair.kind == Kind::kUpper) ws.centred[pair.row] -= m;
        if (pair.kind == Kind::kGap) ws.centred_lambda[pair.row] = m;
        if (pair.kind == Kind::kSum) centred_sigma = m;
    }
    return residual(p, ws.x, ws.centred_lambda, centred_sigma, ws.u, ws.centred);
}

bool Walk::take_step(double residual) {
    const double centred = centred_residual();
    aim_for_the_boundary();
    const double reach = std::min(1.0, solve_steps());
    const double ratio = std::max(0.0, mean_after(reach) / mean);
    double target = std::clamp(ratio * ratio * ratio, kMinSigma, 1.0);
    const bool feasible = ws.F.norm() < kFeasible * residual * b_norm;
    if ((feasible && residual > kCentringRatio * centred) || least_product() < kOffCentre * mean)
        target = 1;
    aim_for_the_centre(target * mean, reach * (1 - target) * (1 - target));
    const double fraction = std::max(kFractionToBoundary, 1 - target);
    const double step = std::min(1.0, fraction * solve_steps());
    if (!std::isfinite(step) || !std::isfinite(ws.dx.sum())) return false;
    advance(step);
    return true;
}

void Walk::advance(double step) {
    for (InteriorPair& pair : ws.pairs) {
        pair.v += step * pair.dv;
        pair.m += step * pair.dm;
    }
    for (int i = 0; i < 3 * n; ++i) {
        if (p.held[at(i)] == Held::kEquality) ws.lambda[i] += step * ws.d_lambda[i];
    }
    ws.x += step * ws.dx;
    for (int a = 0; a < n; ++a) {
        InteriorCone& cone = ws.cones[at(a)];
        if (!cone.any) continue;
        cone.y = advanced(cone.y, cone.dy, step);
        cone.z = advanced(cone.z, cone.dz, step);
        ws.x.segment<2>(3 * a + 1) = cone.y.p.tail<2>();
        if (offset(a) == 0) ws.x[3 * a] = cone.y.p[0] / mu(a);
    }
}

}  // namespace

void walk_interior(const DissipationProgram& p, DissipationMatrix& A, const SolveSettings& stop,
                   const InteriorSlack& slack, DissipationInterior& ws, DissipationResult& result) {
    const int n = p.laws.contacts();
    ws.S.resize(at(n));
    if (!(p.b.squaredNorm() > 0)) return;
    Walk walk{p, A, stop, slack, ws, result, n, p.b.norm()};
    walk.start();
    double best = std::numeric_limits<double>::infinity();
    int idle = 0;
    for (int i = 0;; ++i) {
        walk.evaluate();
        const double now = walk.measure();
        walk.mean = walk.mean_after(0);
        idle = walk.mean < kGain * best ? 0 : idle + 1;
        if (idle == 0) best = walk.mean;
        if (result.residual <= stop.tolerance || i >= stop.max_iterations || idle >= kPatience)
            return;
        if (!std::isfinite(now) || stop.deadline.passed()) return;
        ++result.factorisations;
        ++result.iterations;
        if (!walk.linearise() || !walk.take_step(now)) return;
    }
}

}  // namespace stiction
