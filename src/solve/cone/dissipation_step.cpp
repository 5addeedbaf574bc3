// dissipation_step.cpp - Mehrotra's predictor and corrector on the program of dissipation.h.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/dissipation_walk.h"

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
// Defects that a step may have, of its right side and of its gaps over |b|. Far from the end the
// factors leave 1e-11 of the first; at residuals of 1e-5 they leave 1e-4, and steps that are no
// better than that are blocked. A refinement brings four digits, near the end two.
constexpr double kDefect = 1e-8;
constexpr double kGapDefect = 1e-11;
constexpr int kMaxRefinements = 6;
constexpr double kRefined = 0.5;  // of the last defect, by a refinement that pays

double longest(double value, double d) { return d < 0 ? -value / d : kFarStep; }

}  // namespace

// Proximal term of a pair's multiplier: v's units over m's.
double DissipationWalk::soft(const InteriorPair& pair) const {
    return pair.kind == Kind::kGap || pair.kind == Kind::kSum ? kProximal * pair.weight : 0.0;
}

void DissipationWalk::evaluate() {
    for (const InteriorPair& pair : ws.pairs) {
        if (pair.kind == Kind::kGap) ws.lambda[pair.row] = pair.m;
        if (pair.kind == Kind::kSum) sigma = pair.m;
    }
    A.multiply_two(ws.x, ws.lambda, ws.u, ws.product);
    ws.u += p.b;
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

bool DissipationWalk::linearise() {
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

void DissipationWalk::aim_for_the_boundary() {
    for (InteriorCone& cone : ws.cones) cone.zeta = -cone.z.p;
    for (InteriorPair& pair : ws.pairs) pair.zeta = -pair.m;
}

// y o z = target e, v m = target, with a share of the second-order terms of the step at hand.
void DissipationWalk::aim_for_the_centre(double target, double share) {
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
void DissipationWalk::set_right_side() {
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
    A.multiply(ws.d_lambda, ws.A_eased);
    ws.right += ws.A_eased - sum_part * p.counted;
    for (int a = 0; a < n; ++a) {
        if (ws.cones[at(a)].any) ws.right.segment<3>(3 * a) += times_Y(a, ws.cones[at(a)].zeta);
    }
    for (int i = 0; i < 3 * n; ++i) {
        if (p.held[at(i)] == Held::kEquality) ws.dy[i] = ws.u[i];
        if (ws.fixed[at(i)] != 0) ws.right[i] = 0;
    }
    d_sigma = sum_part;
}

// What the step at hand leaves of its equations, into ws.w and ws.product; ws.dy holds the
// infeasibilities. False if that is little enough, or no less than the last time.
bool DissipationWalk::set_defects(double& last) {
    ws.w = ws.right - ws.A_dx - ws.A_y - k * p.counted.dot(ws.dx) * p.counted;
    for (int a = 0; a < n; ++a) ws.w.segment<3>(3 * a) -= ws.S[at(a)] * ws.dx.segment<3>(3 * a);
    for (int i = 0; i < 3 * n; ++i)
        ws.product[i] = ws.L[i] > 0 ? ws.A_dx[i] + ws.dy[i] - ws.y[i] / ws.L[i] : 0.0;
    const double defect = std::max(ws.w.norm() / (kDefect * ws.right.norm()),
                                   ws.product.norm() / (kGapDefect * b_norm));
    const bool pays = defect > 1 && defect < kRefined * last;
    last = defect;
    return pays;
}

void DissipationWalk::solve_system() {
    ws.dx = ws.right;
    ws.y = ws.dy;
    A.solve(ws.dx, ws.y);
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0;; ++i) {
        A.multiply_two(ws.dx, ws.y, ws.A_dx, ws.A_y);
        if (i == kMaxRefinements || !set_defects(last)) return;
        A.solve(ws.w, ws.product);
        ws.dx += ws.w;
        ws.y += ws.product;
    }
}

// Step of z from that of x. f is the step of F but for the multipliers' part: Y dz + dm = f.
void DissipationWalk::cone_steps(int a, const Vec3& f) {
    InteriorCone& cone = ws.cones[at(a)];
    cone.dy = times_Y(a, ws.dx.segment<3>(3 * a));
    cone.dz = cone.zeta - cone.scaling.P * cone.dy;
    if (!(cone.scaling.P.norm() > p.D[a])) return;
    // Where P is stiff, the equation of motion is the more accurate one.
    cone.dz.tail<2>() = f.tail<2>();
    if (mu(a) > 0 && offset(a) == 0) cone.dz[0] = f[0] / mu(a);
}

// Steps of the pairs; returns the longest that keeps them positive.
double DissipationWalk::pair_steps() {
    double far = kFarStep;
    for (InteriorPair& pair : ws.pairs) {
        if (pair.kind == Kind::kLower || pair.kind == Kind::kUpper) {
            pair.dv = pair.kind == Kind::kLower ? ws.dx[pair.row] : -ws.dx[pair.row];
            pair.dm = pair.zeta - pair.m / pair.v * pair.dv;
        } else {
            const bool gap = pair.kind == Kind::kGap;
            const double change = gap ? ws.A_dx[pair.row] : -p.counted.dot(ws.dx);
            pair.dm = gap ? ws.d_lambda[pair.row] : d_sigma;
            // A small v is the difference of large velocities: where it is, its multiplier is the
            // more accurate one.
            pair.dv = pair.m * pair.weight > pair.v
                          ? (pair.zeta - pair.dm) * pair.v / pair.m
                          : change + pair.infeasibility + soft(pair) * pair.dm;
        }
        far = std::min({far, longest(pair.v, pair.dv), longest(pair.m, pair.dm)});
    }
    return far;
}

// All steps, with the matrix factored; returns the longest that stays inside.
double DissipationWalk::solve_steps() {
    set_right_side();
    solve_system();
    for (int i = 0; i < 3 * n; ++i) {
        if (ws.fixed[at(i)] != 0) ws.dx[i] = 0;
    }
    ws.d_lambda -= ws.y;
    d_sigma += k * p.counted.dot(ws.dx);
    ws.right = ws.F + ws.A_dx - (ws.A_eased - ws.A_y) + d_sigma * p.counted;
    double far = pair_steps();
    for (int a = 0; a < n; ++a) {
        InteriorCone& cone = ws.cones[at(a)];
        if (!cone.any) continue;
        cone_steps(a, ws.right.segment<3>(3 * a) + kProximal * p.D[a] * ws.dx.segment<3>(3 * a));
        far = std::min({far, longest_step(cone.y, cone.dy), longest_step(cone.z, cone.dz)});
    }
    return far;
}

double DissipationWalk::mean_after(double length) const {
    double sum = 0, count = 0;
    for (const InteriorCone& cone : ws.cones) {
        if (!cone.any) continue;
        sum += length == 0 ? product(cone.y, cone.z)
                           : (cone.y.p + length * cone.dy).dot(cone.z.p + length * cone.dz);
        ++count;
    }
    for (const InteriorPair& pair : ws.pairs) {
        sum += (pair.v + length * pair.dv) * (pair.m + length * pair.dm);
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

double DissipationWalk::least_product() const {
    double least = kFarStep;
    for (const InteriorCone& cone : ws.cones) {
        if (cone.any) least = std::min(least, std::sqrt(determinant(cone.y) * determinant(cone.z)));
    }
    for (const InteriorPair& pair : ws.pairs) least = std::min(least, pair.v * pair.m);
    return least;
}

// What the residual would be with multipliers that make the point central.
double DissipationWalk::centred_residual() {
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

bool DissipationWalk::take_step(double residual) {
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
    step = std::min(1.0, fraction * solve_steps());
    if (!std::isfinite(step) || !std::isfinite(ws.dx.sum())) return false;
    advance();
    return true;
}

void DissipationWalk::advance() {
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

}  // namespace stiction
