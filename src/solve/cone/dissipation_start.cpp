// dissipation_start.cpp - where a way through the interior begins: far from all boundaries, or
// beside an answer to a problem like it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/dissipation_walk.h"

namespace stiction {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
// Residual of a warm start that is counted at least: closer to the boundary than that, steps are
// blocked by the few constraints that change.
constexpr double kNearest = 1e-4;

// The larger root of x^2 - q x - t: x - t / x = q, without cancellation.
double smoothed(double q, double t) {
    const double root = std::sqrt(q * q + 4 * t);
    return q > 0 ? 0.5 * (q + root) : 2 * t / (root - q);
}

}  // namespace

// Velocities are of the size of b, impulses of that or of half of kappa, which says how much of the
// weight of a structure goes through each contact.
void DissipationWalk::measure_program() {
    double energy = 0, roots = 0;
    sum_weight = 0;
    for (int a = 0; a < n; ++a) {
        energy += p.b.segment<3>(3 * a).squaredNorm() / p.D[a];
        sum_weight += p.counted[3 * a] / p.D[a];
        roots += p.counted[3 * a] / std::sqrt(p.D[a]);
    }
    velocity = std::sqrt(energy / std::max(1, n));
    impulse = roots > 0 ? std::max(velocity, 0.5 * p.kappa / roots) : velocity;
}

void DissipationWalk::clear() {
    ws.pairs.clear();
    ws.cones.assign(at(n), {});
    ws.fixed.assign(at(3 * n), 0);
    sigma = 0;
    step = 1;
}

void DissipationWalk::add_pair(Kind kind, int row, double v) {
    InteriorPair pair;
    pair.kind = kind;
    pair.row = row;
    pair.v = v;
    pair.m = mean / v;
    pair.weight = kind == Kind::kSum ? sum_weight : weight(row);
    ws.pairs.push_back(pair);
}

void DissipationWalk::start_row(int i, double lo, double hi) {
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
    if (low) add_pair(Kind::kLower, i, ws.x[i] - lo);
    if (high) add_pair(Kind::kUpper, i, hi - ws.x[i]);
}

// All products v m and y.z are the same.
void DissipationWalk::start_cold() {
    measure_program();
    mean = velocity * impulse;
    clear();
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
            add_pair(Kind::kGap, i, std::max(ws.u[i], velocity * std::sqrt(weight(i))));
    }
    if (sum_weight > 0) {
        const double least = 0.5 * p.kappa + impulse * std::sqrt(sum_weight);
        add_pair(Kind::kSum, 0, std::max(slack.kappa - p.counted.dot(ws.x), least));
    }
}

// ---- beside an answer

void DissipationWalk::add_warm_pair(Kind kind, int row, double v, double m, double beta) {
    add_pair(kind, row, smoothed(v - m / beta, mean / beta));
}

// x_i between its bounds with the velocity w; between two of them x - w / D decides.
void DissipationWalk::start_row_warm(int i, double lo, double hi, double w) {
    if (lo == hi) {
        ws.fixed[at(i)] = 1;
        ws.x[i] = lo;
    } else if (std::isfinite(lo) && std::isfinite(hi)) {
        const double room = std::min(std::sqrt(mean / weight(i)), 0.5 * (hi - lo));
        ws.x[i] = std::clamp(ws.x[i] - w / weight(i), lo + room, hi - room);
        add_pair(Kind::kLower, i, ws.x[i] - lo);
        add_pair(Kind::kUpper, i, hi - ws.x[i]);
    } else if (std::isfinite(lo)) {
        add_warm_pair(Kind::kLower, i, ws.x[i] - lo, w, weight(i));
        ws.x[i] = lo + ws.pairs.back().v;
    } else if (std::isfinite(hi)) {
        add_warm_pair(Kind::kUpper, i, hi - ws.x[i], -w, weight(i));
        ws.x[i] = hi - ws.pairs.back().v;
    }
}

// y and z of a cone by the eigenvalues low <= high of y along a direction, products being the mean.
void DissipationWalk::set_cone(int a, double low, double high, const Vec3& along) {
    InteriorCone& cone = ws.cones[at(a)];
    cone.y.p = 0.5 * (high + low) * Vec3::UnitX() + 0.5 * (high - low) * along;
    cone.y.gap = low;
    cone.z.p = 0.5 * mean * ((1 / low + 1 / high) * Vec3::UnitX() - (1 / low - 1 / high) * along);
    cone.z.gap = mean / high;
    ws.x.segment<2>(3 * a + 1) = cone.y.p.tail<2>();
}

// A cone with an offset, or without friction, has a bound of its normal beside it: z takes what is
// needed of w_T, that bound the rest of w_n, and y_0 is what the normal makes it.
void DissipationWalk::start_cone_warm(int a) {
    InteriorCone& cone = ws.cones[at(a)];
    const double s = offset(a), beta = p.D[a];
    cone.any = mu(a) > 0 || s > 0;
    const bool bounded = s > 0 || mu(a) == 0;
    Vec3 z(0, ws.w[3 * a + 1], ws.w[3 * a + 2]);
    z[0] = bounded ? tangential_norm(z) : ws.w[3 * a] / mu(a);
    if (bounded) start_row_warm(3 * a, 0, kInf, ws.w[3 * a] - mu(a) * z[0]);
    for (int i = 3 * a + 1; i < 3 * a + 3; ++i) ws.fixed[at(i)] = cone.any ? 0 : 1;
    if (!cone.any) {
        ws.x.segment<2>(3 * a + 1).setZero();
        return;
    }
    const Vec3 q = times_Y(a, ws.x.segment<3>(3 * a)) - z / beta;
    const double t = tangential_norm(q);
    const Vec3 along = t > 0 ? Vec3(0, q[1] / t, q[2] / t) : Vec3::Zero();
    if (bounded) {
        const double y_0 = mu(a) * ws.x[3 * a] + s;
        const double inside = std::min(t, y_0 - std::min(std::sqrt(mean / beta), 0.5 * y_0));
        set_cone(a, y_0 - inside, y_0 + inside, along);
    } else {
        set_cone(a, smoothed(q[0] - t, mean / beta), smoothed(q[0] + t, mean / beta), along);
        ws.x[3 * a] = cone.y.p[0] / mu(a);
    }
}

void DissipationWalk::start_warm() {
    measure_program();
    const double size = std::max(kNearest, result.residual) * velocity;
    mean = size * size;
    clear();
    ws.x = result.x;
    ws.lambda = result.lambda;
    A.multiply_two(ws.x, ws.lambda, ws.u, ws.product);
    ws.u += p.b;
    ws.w = ws.u - ws.product + result.sigma * p.counted;
    for (int a = 0; a < n; ++a) {
        if (p.laws.is_bounded(a)) {
            for (int i = 3 * a; i < 3 * a + 3; ++i)
                start_row_warm(i, p.laws.lo[i], p.laws.hi[i], ws.w[i]);
        } else {
            start_cone_warm(a);
        }
    }
    for (int i = 0; i < 3 * n; ++i) {
        if (p.held[at(i)] == Held::kNo) ws.lambda[i] = 0;
        if (p.held[at(i)] == Held::kGap)
            add_warm_pair(Kind::kGap, i, ws.u[i] + slack.gap, ws.lambda[i], 1 / weight(i));
    }
    if (sum_weight > 0)
        add_warm_pair(Kind::kSum, 0, slack.kappa - p.counted.dot(result.x), result.sigma,
                      1 / sum_weight);
}

}  // namespace stiction
