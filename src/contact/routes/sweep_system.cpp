// sweep_system.cpp - the sweep itself, and the residual.
#include "contact/routes/sweep_system.h"

#include <algorithm>
#include <cmath>

#include "solve/cone/cone_problem.h"
#include "solve/cone/one_contact.h"

namespace stiction {

namespace {

// In scalars: three doubles at a time suit no vector register.
inline Vec3 velocity(const SweepPlace& place, const SweepContact& c, const LaneVector& v) {
    const double* a = v.data() + kBodyRow * at(place.a);
    const double* b = v.data() + kBodyRow * at(place.b);
    const Vec3& p = c.p_a;
    const Vec3& q = c.p_b;
    const double x = a[0] - b[0] + (a[5] * p[2] - a[6] * p[1]) - (b[5] * q[2] - b[6] * q[1]);
    const double y = a[1] - b[1] + (a[6] * p[0] - a[4] * p[2]) - (b[6] * q[0] - b[4] * q[2]);
    const double z = a[2] - b[2] + (a[4] * p[1] - a[5] * p[0]) - (b[4] * q[1] - b[5] * q[0]);
    return {c.offset[0] + (c.n[0] * x + c.n[1] * y + c.n[2] * z),
            c.offset[1] + (c.s[0] * x + c.s[1] * y + c.s[2] * z),
            c.offset[2] + (c.t[0] * x + c.t[1] * y + c.t[2] * z)};
}

Eigen::Map<const Vec3> linear(const LaneVector& v, int body) {
    return Eigen::Map<const Vec3>{v.data() + kBodyRow * at(body)};
}
Eigen::Map<const Vec3> angular(const LaneVector& v, int body) {
    return Eigen::Map<const Vec3>{v.data() + kBodyRow * at(body) + 4};
}

Vec3 velocity(const SweepPlace& place, const SweepBounded& block, const Vec3& r,
              const LaneVector& v) {
    Vec3 u = block.offset + block.compliance.cwiseProduct(r);
    u.noalias() += block.D * (linear(v, place.a) - linear(v, place.b));
    u.noalias() += block.A_a * angular(v, place.a);
    u.noalias() += block.A_b * angular(v, place.b);
    return u;
}

inline Vec3 velocity(const SweepSystem& sweeps, std::size_t b, const Vec3& r) {
    const SweepPlace& place = sweeps.places[b];
    if (place.bounded == kNone) return velocity(place, sweeps.contacts[b], sweeps.v);
    return velocity(place, sweeps.bounded[at(place.bounded)], r, sweeps.v);
}

// v += sign inv_mass f,  w += sign I^-1 (p x f)
inline void push(const SweepSystem& sweeps, int body, double sign, double inv_mass,
                 double inv_inertia, const Vec3& p, const Vec3& f, double* v) {
    const double m = sign * inv_mass;
    v[0] += m * f[0];
    v[1] += m * f[1];
    v[2] += m * f[2];
    const double x = p[1] * f[2] - p[2] * f[1];
    const double y = p[2] * f[0] - p[0] * f[2];
    const double z = p[0] * f[1] - p[1] * f[0];
    if (inv_inertia >= 0) {
        const double i = sign * inv_inertia;
        v[4] += i * x;
        v[5] += i * y;
        v[6] += i * z;
        return;
    }
    const Mat3& I = sweeps.inv_inertia[at(body)];
    v[4] += sign * (I(0, 0) * x + I(0, 1) * y + I(0, 2) * z);
    v[5] += sign * (I(1, 0) * x + I(1, 1) * y + I(1, 2) * z);
    v[6] += sign * (I(2, 0) * x + I(2, 1) * y + I(2, 2) * z);
}

inline void apply(const SweepPlace& place, const SweepContact& c, const Vec3& dr,
                  SweepSystem& sweeps) {
    const Vec3 f(c.n[0] * dr[0] + c.s[0] * dr[1] + c.t[0] * dr[2],
                 c.n[1] * dr[0] + c.s[1] * dr[1] + c.t[1] * dr[2],
                 c.n[2] * dr[0] + c.s[2] * dr[1] + c.t[2] * dr[2]);
    double* v = sweeps.v.data();
    push(sweeps, place.a, 1, c.inv_mass_a, c.inv_inertia_a, c.p_a, f, v + kBodyRow * at(place.a));
    if (c.inv_mass_b > 0) {
        push(sweeps, place.b, -1, c.inv_mass_b, c.inv_inertia_b, c.p_b, f,
             v + kBodyRow * at(place.b));
    }
}

void apply(const SweepPlace& place, const SweepBounded& block, const Vec3& dr, LaneVector& v) {
    const Vec3 p = block.D.transpose() * dr;
    double* const a = v.data() + kBodyRow * at(place.a);
    double* const b = v.data() + kBodyRow * at(place.b);
    Eigen::Map<Vec3>{a} += block.inv_mass_a * p;
    Eigen::Map<Vec3>{b} -= block.inv_mass_b * p;
    Eigen::Map<Vec3>{a + 4}.noalias() += block.P_a * dr;
    Eigen::Map<Vec3>{b + 4}.noalias() += block.P_b * dr;
}

// r of a contact under the cone. Most of a pile stick, and then dr = -W^-1 u is all there is.
inline Vec3 solve_cone_contact(const SweepContact& c, SweepLaw& law, const Vec3& u,
                               const Vec3& old) {
    const double n = old[0] - (c.inverse[0] * u[0] + c.across[0] * u[1] + c.across[1] * u[2]);
    const double s = old[1] - (c.across[0] * u[0] + c.inverse[1] * u[1] + c.across[2] * u[2]);
    const double t = old[2] - (c.across[1] * u[0] + c.across[2] * u[1] + c.inverse[2] * u[2]);
    const double q_n = u[0] - (c.W_n[0] * old[0] + c.W_n[1] * old[1] + c.W_n[2] * old[2]);
    const double most = c.mu * n;
    const bool sticks = n > 0 && s * s + t * t <= most * most;  // no if W is nearly singular
    if (q_n >= 0 || sticks) {
        law.lambda = 0;
        return q_n >= 0 ? Vec3::Zero() : Vec3(n, s, t);
    }
    return solve_one_contact(law.W, u - law.W * old, c.mu, law.lambda);
}

}  // namespace

Vec3 solve_triple(std::size_t b, SweepSystem& sweeps) {
    const double* r = sweeps.r.data() + sweeps.first_place() + 3 * b;
    const Vec3 old(r[0], r[1], r[2]);
    SweepLaw& law = sweeps.laws[b];
    const Vec3 u = velocity(sweeps, b, old);
    if (sweeps.places[b].bounded != kNone) {
        SweepBounded& bounded = sweeps.bounded[at(sweeps.places[b].bounded)];
        if (!bounded.inverted) bounded.inverse = bounded_inverse(law.W);
        bounded.inverted = true;
        return solve_bounded_rows(law.W, bounded.inverse, u - law.W * old, bounded.lo, bounded.hi,
                                  old);
    }
    const SweepContact& contact = sweeps.contacts[b];
    if (sweeps.places[b].normal_only) {
        const double W_nn = contact.W_n[0];
        return {W_nn > 0 ? std::max(0.0, old[0] - u[0] / W_nn) : old[0], 0, 0};
    }
    if (sweeps.law.relaxed)
        return solve_relaxed_contact(law.W, u - law.W * old, contact.mu, law.s, old);
    if (sweeps.law.polygon)
        return solve_polygon_contact(law.W, u - law.W * old, contact.mu, *sweeps.law.polygon);
    return solve_cone_contact(contact, law, u, old);
}

double set_triple(std::size_t b, const Vec3& now, SweepSystem& sweeps) {
    const SweepPlace& place = sweeps.places[b];
    double* r = sweeps.r.data() + sweeps.first_place() + 3 * b;
    const Vec3 dr(now[0] - r[0], now[1] - r[1], now[2] - r[2]);
    const double size = dr[0] * dr[0] + dr[1] * dr[1] + dr[2] * dr[2];
    if (size == 0) return 0;
    r[0] = now[0];
    r[1] = now[1];
    r[2] = now[2];
    if (place.bounded == kNone) {
        apply(place, sweeps.contacts[b], dr, sweeps);
    } else {
        apply(place, sweeps.bounded[at(place.bounded)], dr, sweeps.v);
    }
    return place.weight * place.weight * size;
}

namespace {

void add_errors(const SweepSystem& sweeps, std::size_t b, SquaredErrors& errors) {
    const SweepPlace& place = sweeps.places[b];
    const Vec3 r = Eigen::Map<const Vec3>{sweeps.r.data() + sweeps.first_place() + 3 * b};
    const Vec3 u = velocity(sweeps, b, r);
    if (place.bounded != kNone) {
        const SweepBounded& bounded = sweeps.bounded[at(place.bounded)];
        errors.add(BoundsLaw{bounded.lo, bounded.hi}, place.weight, r, u);
        return;
    }
    const double mu = sweeps.contacts[b].mu;
    if (sweeps.law.polygon && !place.normal_only) {
        errors.add(PolygonLaw{mu, *sweeps.law.polygon}, place.weight, r, u);
    } else if (sweeps.law.relaxed) {
        errors.add(OffsetLaw{mu, sweeps.laws[b].s}, place.weight, r, u);
    } else {
        errors.add(ConeLaw{mu}, place.weight, r, u);
    }
}

}  // namespace

double free_speed(SweepSystem& sweeps) {
    double sum = wide_speed(lanes_of(sweeps), sweeps.wide);
    for (std::size_t b = 0; b < sweeps.places.size(); ++b)
        sum += velocity(sweeps, b, Vec3::Zero()).squaredNorm();
    return std::sqrt(sum);
}

double sweep_once(SweepSystem& sweeps) {
    double change = sweep_wide(lanes_of(sweeps), sweeps.wide);
    for (std::size_t b = 0; b < sweeps.places.size(); ++b) {
        const Vec3 now = solve_triple(b, sweeps);
        change += set_triple(b, now, sweeps);
    }
    return std::sqrt(change);
}

double measure_sweeps(SweepSystem& sweeps) {
    SquaredErrors errors;
    measure_wide(lanes_of(sweeps), sweeps.wide, errors.natural, errors.scaled);
    for (std::size_t b = 0; b < sweeps.places.size(); ++b) add_errors(sweeps, b, errors);
    return errors.residual(sweeps.q_norm).worst();
}

}  // namespace stiction
