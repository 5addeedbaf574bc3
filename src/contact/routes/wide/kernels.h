// kernels.h - the visit of a contact (sweep_system.h), its momentum and its errors, W contacts at a
// time. Each source that includes this is compiled for one instruction set, and makes one set of
// kernels of it: make_kernels<W>().
//
// Whatever W, a contact takes the same operations in the same order (and nothing is contracted), so
// all sets give the same bits. What a lane does hangs on itself alone: a step that others take
// and it does not leaves its numbers as they are.
#pragma once

#include "contact/routes/wide/lanes.h"
#include "contact/routes/wide/sweep_pack.h"

namespace stiction {
namespace {

template <int W>
struct Three {
    Real<W> x, y, z;
};

template <int W>
inline Three<W> load3(const double (&from)[3][kLanes], int lane) {
    return {load<W>(from[0] + lane), load<W>(from[1] + lane), load<W>(from[2] + lane)};
}
template <int W>
inline Three<W> load3(const double* from, int lane) {
    return {load<W>(from + lane), load<W>(from + kLanes + lane), load<W>(from + 2 * kLanes + lane)};
}
template <int W>
inline void store3(const Three<W>& from, double* to, int lane) {
    store<W>(from.x, to + lane);
    store<W>(from.y, to + kLanes + lane);
    store<W>(from.z, to + 2 * kLanes + lane);
}

template <int W>
inline Three<W> operator-(const Three<W>& a, const Three<W>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <int W>
inline Three<W> operator+(const Three<W>& a, const Three<W>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <int W>
inline Real<W> dot(const Three<W>& a, const Three<W>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <int W>
inline Three<W> choose(const Mask<W>& m, const Three<W>& a, const Three<W>& b) {
    return {m ? a.x : b.x, m ? a.y : b.y, m ? a.z : b.z};
}
template <int W>
inline Three<W> cross(const Three<W>& a, const Three<W>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Of a symmetric matrix: 11 22 33 12 13 23.
template <int W>
inline Three<W> multiply(const double (&A)[6][kLanes], int lane, const Three<W>& x) {
    const Real<W> a12 = load<W>(A[3] + lane);
    const Real<W> a13 = load<W>(A[4] + lane);
    const Real<W> a23 = load<W>(A[5] + lane);
    return {load<W>(A[0] + lane) * x.x + a12 * x.y + a13 * x.z,
            a12 * x.x + load<W>(A[1] + lane) * x.y + a23 * x.z,
            a13 * x.x + a23 * x.y + load<W>(A[2] + lane) * x.z};
}
template <int W>
inline Real<W> largest(const Real<W>& a, const Real<W>& b) {
    return a > b ? a : b;
}
template <int W>
inline Real<W> smallest(const Real<W>& a, const Real<W>& b) {
    return a < b ? a : b;
}
template <int W>
inline Real<W> size_of(const Real<W>& a) {
    return a < Real<W>{} ? -a : a;
}

// W contacts of a pack, from `lane` on, with their bodies.
template <int W>
struct Visit {
    const SweepLanes& lanes;
    SweepPack& pack;
    int lane;
    Three<W> n, s, t, p_a, p_b;
    Real<W> a[kBodyRow], b[kBodyRow];

    Visit(const SweepLanes& in, SweepPack& of, int first)
        : lanes(in),
          pack(of),
          lane(first),
          n(load3<W>(of.n, first)),
          s(load3<W>(of.s, first)),
          t(load3<W>(of.t, first)),
          p_a(load3<W>(of.p_a, first)),
          p_b(load3<W>(of.p_b, first)) {
        load_rows(lanes.v, pack.a + lane, a);
        load_rows(lanes.v, pack.b + lane, b);
    }

    [[nodiscard]] Three<W> velocity() const {
        const Real<W> x =
            a[0] - b[0] + (a[5] * p_a.z - a[6] * p_a.y) - (b[5] * p_b.z - b[6] * p_b.y);
        const Real<W> y =
            a[1] - b[1] + (a[6] * p_a.x - a[4] * p_a.z) - (b[6] * p_b.x - b[4] * p_b.z);
        const Real<W> z =
            a[2] - b[2] + (a[4] * p_a.y - a[5] * p_a.x) - (b[4] * p_b.y - b[5] * p_b.x);
        return {load<W>(pack.offset[0] + lane) + (n.x * x + n.y * y + n.z * z),
                load<W>(pack.offset[1] + lane) + (s.x * x + s.y * y + s.z * z),
                load<W>(pack.offset[2] + lane) + (t.x * x + t.y * y + t.z * z)};
    }

    void push_body(double sign, const Three<W>& p, const Three<W>& f, const int* row,
                   Real<W>* v) const {
        const Real<W> m = sign * v[3];
        v[0] += m * f.x;
        v[1] += m * f.y;
        v[2] += m * f.z;
        const Three<W> torque = cross<W>(p, f);
        if (pack.isotropic) {
            const Real<W> i = sign * v[7];
            v[4] += i * torque.x;
            v[5] += i * torque.y;
            v[6] += i * torque.z;
        } else {
            Real<W> I[kBodyRow];
            load_rows(lanes.inertia, row, I);
            v[4] += sign * (I[0] * torque.x + I[1] * torque.y + I[2] * torque.z);
            v[5] += sign * (I[1] * torque.x + I[3] * torque.y + I[4] * torque.z);
            v[6] += sign * (I[2] * torque.x + I[4] * torque.y + I[5] * torque.z);
        }
        store_rows(v, row, lanes.prescribed, lanes.v);
    }

    void push(const Three<W>& dr) {
        const Three<W> f = {n.x * dr.x + s.x * dr.y + t.x * dr.z,
                            n.y * dr.x + s.y * dr.y + t.y * dr.z,
                            n.z * dr.x + s.z * dr.y + t.z * dr.z};
        push_body(1, p_a, f, pack.a + lane, a);
        push_body(-1, p_b, f, pack.b + lane, b);
    }
};

// Scalars for the lanes of the mask.
template <int W>
inline void solve_scalars(const SweepLanes& lanes, const SweepScalars& scalars, SweepPack& pack,
                          int lane, const Mask<W>& these, const Three<W>& u, const Three<W>& old,
                          Three<W>& now) {
    for (int i = 0; i < W; ++i) {
        if (these[i] == 0) continue;
        const double u_i[3] = {u.x[i], u.y[i], u.z[i]};
        const double old_i[3] = {old.x[i], old.y[i], old.z[i]};
        double r[3];
        scalars.solve(lanes, pack, lane + i, u_i, old_i, r);
        now.x[i] = r[0];
        now.y[i] = r[1];
        now.z[i] = r[2];
    }
}

constexpr int kSlideSteps = 6;  // of Newton's method: after the first sweep one or two are usual
constexpr double kSlideAccuracy = 1e-12;  // of |r_T| = mu r_N

// Contacts that slide, of the mask `slide`: one_contact.h with |r_T| = mu r_N as
//
//   mu N(lambda) = T(lambda),   N = det r_N, T = det |r_T|, det = det(S + lambda I)
//
// whose sides are polynomials but for one root, and Newton's method on their quotient. Returns
// the lanes whose answer is not found so.
template <int W>
inline Mask<W> slide_on_cone(SweepPack& pack, int lane, const Mask<W>& slide, const Real<W>& mu,
                             const Three<W>& q, Three<W>& now) {
    const Real<W> zero = {};
    const Real<W> w11 = load<W>(pack.W[0] + lane), w22 = load<W>(pack.W[1] + lane),
                  w33 = load<W>(pack.W[2] + lane), w12 = load<W>(pack.W[3] + lane),
                  w13 = load<W>(pack.W[4] + lane), w23 = load<W>(pack.W[5] + lane);
    const Real<W> inverse = 1.0 / w11;
    const Real<W> n0 = -q.x * inverse;
    const Real<W> w0 = w12 * inverse, w1 = w13 * inverse;
    const Real<W> s00 = w22 - w12 * w0, s01 = w23 - w12 * w1, s11 = w33 - w13 * w1;
    const Real<W> b0 = q.y + w12 * n0, b1 = q.z + w13 * n0;
    const Real<W> size = s00 + s11;
    const Real<W> last = load<W>(pack.lambda + lane);
    Real<W> x = last;
    const Mask<W> cold = slide & ~(last > zero);
    if (any(cold)) {
        Real<W> first = root(b0 * b0 + b1 * b1) / (mu * n0) - 0.5 * size;
        first = first > 1e-3 * size ? first : 0.1 * size;
        x = cold ? first : last;
    }
    const Real<W> c0 = s01 * b1 - s11 * b0, c1 = s01 * b0 - s00 * b1;  // T_i = c_i - lambda b_i
    const Real<W> s_det = s00 * s11 - s01 * s01;
    Real<W> N = zero, T = zero, t0 = zero, t1 = zero, det = zero;
    Mask<W> open = slide & (mu != zero);
    for (int step = 0;; ++step) {
        t0 = c0 - x * b0;
        t1 = c1 - x * b1;
        const Real<W> TT = t0 * t0 + t1 * t1;
        T = root(TT);
        det = s_det + x * (size + x);
        N = n0 * det - w0 * t0 - w1 * t1;
        const Real<W> over = mu * N - T;
        const Real<W> close = kSlideAccuracy * T;
        open &= (over > close) | (over < -close);
        if (step == kSlideSteps || !any(open)) break;
        const Real<W> dN = n0 * (size + 2.0 * x) + w0 * b0 + w1 * b1;
        const Real<W> dTT = -(t0 * b0 + t1 * b1);  // T T'
        Real<W> next = x - over * TT / (mu * (dN * TT - N * dTT));
        next = next > 0.1 * x ? next : 0.1 * x;
        x = open ? next : x;
    }
    const Real<W> r_N = N / det;
    const Real<W> onto = mu * r_N / T;
    const Mask<W> found = slide & ~open & (r_N > zero) & (T > zero);
    const Mask<W> smooth = slide & (mu == zero);  // nothing to hold it
    now = choose<W>(found, {r_N, onto * t0, onto * t1}, now);
    now = choose<W>(smooth, {n0, zero, zero}, now);
    const Real<W> lambda = found ? x : zero;
    store<W>(lambda, pack.lambda + lane);
    return slide & ~(found | smooth);
}

template <int W>
inline Three<W> solve_cone(const SweepLanes& lanes, const SweepScalars& scalars, SweepPack& pack,
                           int lane, const Three<W>& u, const Three<W>& old) {
    const Real<W> zero = {};
    const Three<W> stuck = old - multiply<W>(pack.inverse, lane, u);
    const Three<W> q = u - multiply<W>(pack.W, lane, old);
    const Real<W> mu = load<W>(pack.mu + lane);
    const Real<W> most = pack.inscribed * (mu * stuck.x);
    const Mask<W> opens = q.x >= zero;
    const Mask<W> sticks =
        (stuck.x > zero) & (stuck.y * stuck.y + stuck.z * stuck.z <= most * most);
    Three<W> now = choose<W>(opens, {zero, zero, zero}, stuck);
    Mask<W> slides = ~(opens | sticks);
    if (!any(slides)) {
        store<W>(zero, pack.lambda + lane);
        return now;
    }
    if (pack.law == PackLaw::kCone) {
        slides = slide_on_cone<W>(pack, lane, slides, mu, q, now);
        if (!any(slides)) return now;
    }
    solve_scalars<W>(lanes, scalars, pack, lane, slides, u, old, now);
    return now;
}

// The nearest point of the cone (friction_law.h), and of that with an offset.
template <int W>
inline Three<W> onto_cone(const Real<W>& mu, const Three<W>& x) {
    const Real<W> zero = {};
    const Real<W> t = root(x.y * x.y + x.z * x.z);
    const Real<W> n = (x.x + mu * t) / (1.0 + mu * mu);
    const Real<W> per_t = mu * n / t;
    const Three<W> side = {n, per_t * x.y, per_t * x.z};
    const Three<W> answer = choose<W>(t <= mu * x.x, x, side);
    return choose<W>(mu * t <= -x.x, {zero, zero, zero}, answer);
}
template <int W>
inline Three<W> onto_offset_cone(const Real<W>& mu, const Real<W>& s, const Three<W>& x) {
    const Real<W> zero = {};
    const Real<W> t = root(x.y * x.y + x.z * x.z);
    const Mask<W> inside = (x.x >= zero) & (t <= mu * x.x + s);
    const Real<W> n = largest<W>((x.x + mu * (t - s)) / (1.0 + mu * mu), zero);
    const Real<W> most = mu * n + s;
    const Real<W> per_t = t > most ? most / t : all<W>(1.0);
    return choose<W>(inside, x, {n, per_t * x.y, per_t * x.z});
}

// The relaxed law. Where the contact does not stick, steps to the nearest point of the cone in a
// diagonal metric that is at least W: exact for W = diag(a, c, c), as spheres have it, else they
// converge.
template <int W>
inline Three<W> solve_relaxed(const SweepPack& pack, int lane, const Three<W>& u,
                              const Three<W>& old) {
    constexpr int kPasses = 4;
    const Real<W> zero = {};
    const Three<W> stuck = old - multiply<W>(pack.inverse, lane, u);
    const Three<W> q = u - multiply<W>(pack.W, lane, old);
    const Real<W> mu = load<W>(pack.mu + lane), s = load<W>(pack.s_free + lane);
    const Real<W> most = mu * stuck.x + s;
    const Mask<W> sticks =
        (stuck.x > zero) & (stuck.y * stuck.y + stuck.z * stuck.z <= most * most);
    const Mask<W> opens =
        (s == zero) & (q.x >= zero) & (mu * mu * (q.y * q.y + q.z * q.z) <= q.x * q.x);
    const Three<W> now = choose<W>(opens, {zero, zero, zero}, stuck);
    if (!any(~(opens | sticks))) return now;
    const Real<W> w11 = load<W>(pack.W[0] + lane), w22 = load<W>(pack.W[1] + lane),
                  w33 = load<W>(pack.W[2] + lane), w12 = load<W>(pack.W[3] + lane),
                  w13 = load<W>(pack.W[4] + lane), w23 = load<W>(pack.W[5] + lane);
    const Real<W> b12 = size_of<W>(w12), b13 = size_of<W>(w13), b23 = size_of<W>(w23);
    const Real<W> a = w11 + b12 + b13;
    const Real<W> c = largest<W>(w22 + b12 + b23, w33 + b13 + b23);
    const Real<W> ratio = root(c / a);
    Three<W> r = old;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Three<W> g = {w11 * r.x + w12 * r.y + w13 * r.z + q.x,
                            w12 * r.x + w22 * r.y + w23 * r.z + q.y,
                            w13 * r.x + w23 * r.y + w33 * r.z + q.z};
        const Three<W> p =
            onto_offset_cone<W>(mu * ratio, s * ratio,
                                {r.x - g.x / a, ratio * (r.y - g.y / c), ratio * (r.z - g.z / c)});
        r = {p.x, p.y / ratio, p.z / ratio};
    }
    const Three<W> smooth = {-q.x / w11, zero, zero};
    r = choose<W>((mu == zero) & (s == zero), smooth, r);
    return choose<W>(opens | sticks, now, r);
}

template <int W>
inline Three<W> clamp3(const Three<W>& x, const Three<W>& lo, const Three<W>& hi) {
    return {smallest<W>(largest<W>(x.x, lo.x), hi.x), smallest<W>(largest<W>(x.y, lo.y), hi.y),
            smallest<W>(largest<W>(x.z, lo.z), hi.z)};
}

// Row i between its bounds while the others stand; a row that nothing moves keeps its impulse.
template <int W>
inline Real<W> bound_row(const Real<W>& w, const Real<W>& u, const Real<W>& r, const Real<W>& lo,
                         const Real<W>& hi) {
    const Real<W> next = smallest<W>(largest<W>(r - u / w, lo), hi);
    return w > Real<W>{} ? next : r;
}

// solve_bounded_rows of one_contact.h.
template <int W>
inline Three<W> solve_bounds(const SweepPack& pack, const SweepPackBounds& bounds, int lane,
                             const Three<W>& u, const Three<W>& old) {
    constexpr int kPasses = 8;
    const Three<W> lo = load3<W>(bounds.lo, lane);
    const Three<W> hi = load3<W>(bounds.hi, lane);
    const Three<W> free = old - multiply<W>(pack.inverse, lane, u);
    const Mask<W> inside = (free.x >= lo.x) & (free.x <= hi.x) & (free.y >= lo.y) &
                           (free.y <= hi.y) & (free.z >= lo.z) & (free.z <= hi.z);
    if (!any(~inside)) return free;
    const Three<W> q = u - multiply<W>(pack.W, lane, old);
    const Real<W> w11 = load<W>(pack.W[0] + lane), w22 = load<W>(pack.W[1] + lane),
                  w33 = load<W>(pack.W[2] + lane), w12 = load<W>(pack.W[3] + lane),
                  w13 = load<W>(pack.W[4] + lane), w23 = load<W>(pack.W[5] + lane);
    Three<W> r = clamp3<W>(old, lo, hi);
    for (int pass = 0; pass < kPasses; ++pass) {
        const Three<W> before = r;
        r.x = bound_row<W>(w11, w11 * r.x + w12 * r.y + w13 * r.z + q.x, r.x, lo.x, hi.x);
        r.y = bound_row<W>(w22, w12 * r.x + w22 * r.y + w23 * r.z + q.y, r.y, lo.y, hi.y);
        r.z = bound_row<W>(w33, w13 * r.x + w23 * r.y + w33 * r.z + q.z, r.z, lo.z, hi.z);
        if (!any((r.x != before.x) | (r.y != before.y) | (r.z != before.z))) break;
    }
    return choose<W>(inside, free, r);
}

// u of the visit with the impulses r, which soft rows answer to.
template <int W>
inline Three<W> velocity_of(const Visit<W>& visit, const SweepPackBounds* bounds,
                            const Three<W>& r) {
    Three<W> u = visit.velocity();
    if (visit.pack.law != PackLaw::kBounds) return u;
    const Three<W> soft = load3<W>(bounds->compliance, visit.lane);
    return {u.x + soft.x * r.x, u.y + soft.y * r.y, u.z + soft.z * r.z};
}

inline const SweepPackBounds* bounds_of(const SweepLanes& lanes, int k) {
    return lanes.bounds == nullptr ? nullptr : lanes.bounds + k;
}

template <int W>
void sweep_packs(const SweepLanes& lanes, const SweepScalars& scalars, int first, int last,
                 double* squares) {
    for (int k = first; k < last; ++k) {
        SweepPack& pack = lanes.packs[k];
        const SweepPackBounds* const bounds = bounds_of(lanes, k);
        double* const r = lanes.r + 3L * kLanes * k;
        for (int lane = 0; lane < kLanes; lane += W) {
            Visit<W> visit(lanes, pack, lane);
            const Three<W> old = load3<W>(r, lane);
            const Three<W> u = velocity_of<W>(visit, bounds, old);
            const Three<W> now =
                pack.law == PackLaw::kBounds    ? solve_bounds<W>(pack, *bounds, lane, u, old)
                : pack.law == PackLaw::kRelaxed ? solve_relaxed<W>(pack, lane, u, old)
                                                : solve_cone<W>(lanes, scalars, pack, lane, u, old);
            const Three<W> dr = now - old;
            store3<W>(now, r, lane);
            const Real<W> weight = load<W>(pack.weight + lane);
            store<W>(weight * weight * dot<W>(dr, dr), squares + kLanes * k + lane);
            visit.push(dr);
        }
    }
}

template <int W>
void extrapolate_packs(const SweepLanes& lanes, double most, double* x, const double* before,
                       double* t, int first, int last) {
    constexpr double kKept = 0.5;  // of t, where a contact turns back
    for (int k = first; k < last; ++k) {
        const long at = 3L * kLanes * k;
        for (int lane = 0; lane < kLanes; lane += W) {
            const Three<W> now = load3<W>(lanes.r + at, lane);
            const Three<W> way = now - load3<W>(x + at, lane);
            store3<W>(now, x + at, lane);
            Real<W> t_now = load<W>(t + kLanes * k + lane);
            const Real<W> one = all<W>(1.0);
            const Mask<W> back = dot<W>(way, now - load3<W>(before + at, lane)) < Real<W>{};
            t_now = back ? largest<W>(one, kKept * t_now) : t_now;
            const Real<W> next = 0.5 * (1.0 + root(1.0 + 4.0 * t_now * t_now));
            const Real<W> beta = smallest<W>(all<W>(most), (t_now - 1.0) / next);
            store<W>(next, t + kLanes * k + lane);
            const Three<W> dr = {beta * way.x, beta * way.y, beta * way.z};
            store3<W>(now + dr, lanes.r + at, lane);
            Visit<W> visit(lanes, lanes.packs[k], lane);
            visit.push(dr);
        }
    }
}

template <int W>
inline Real<W> square_of(const Three<W>& x) {
    return dot<W>(x, x);
}

template <int W>
void measure_packs(const SweepLanes& lanes, const SweepScalars& scalars, int first, int last,
                   double* natural, double* scaled) {
    for (int k = first; k < last; ++k) {
        SweepPack& pack = lanes.packs[k];
        const SweepPackBounds* const bounds = bounds_of(lanes, k);
        for (int lane = 0; lane < kLanes; lane += W) {
            const Visit<W> visit(lanes, pack, lane);
            const Three<W> r = load3<W>(lanes.r + 3L * kLanes * k, lane);
            const Three<W> u = velocity_of<W>(visit, bounds, r);
            const Real<W> weight = load<W>(pack.weight + lane);
            const Three<W> x = {weight * r.x, weight * r.y, weight * r.z};
            double* const to = natural + kLanes * k + lane;
            double* const to_scaled = scaled + kLanes * k + lane;
            if (pack.law == PackLaw::kRelaxed) {
                const Real<W> mu = load<W>(pack.mu + lane), s = load<W>(pack.s_free + lane);
                store<W>(square_of<W>(r - onto_offset_cone<W>(mu, s, r - u)), to);
                store<W>(square_of<W>(x - onto_offset_cone<W>(mu, weight * s, x - u)), to_scaled);
            } else if (pack.law == PackLaw::kCone) {
                const Real<W> mu = load<W>(pack.mu + lane);
                const Three<W> d = {u.x + mu * root(u.y * u.y + u.z * u.z), u.y, u.z};
                store<W>(square_of<W>(r - onto_cone<W>(mu, r - d)), to);
                store<W>(square_of<W>(x - onto_cone<W>(mu, x - d)), to_scaled);
            } else if (pack.law == PackLaw::kBounds) {
                const Three<W> lo = load3<W>(bounds->lo, lane);
                const Three<W> hi = load3<W>(bounds->hi, lane);
                store<W>(square_of<W>(r - clamp3<W>(r - u, lo, hi)), to);
                const Three<W> low = {weight * lo.x, weight * lo.y, weight * lo.z};
                const Three<W> high = {weight * hi.x, weight * hi.y, weight * hi.z};
                store<W>(square_of<W>(x - clamp3<W>(x - u, low, high)), to_scaled);
            } else {
                for (int i = 0; i < W; ++i) {
                    const double u_i[3] = {u.x[i], u.y[i], u.z[i]};
                    const double r_i[3] = {r.x[i], r.y[i], r.z[i]};
                    double errors[2];
                    scalars.errors(lanes, pack, lane + i, u_i, r_i, errors);
                    to[i] = errors[0];
                    to_scaled[i] = errors[1];
                }
            }
        }
    }
}

template <int W>
void speed_packs(const SweepLanes& lanes, int first, int last, double* squares) {
    for (int k = first; k < last; ++k) {
        for (int lane = 0; lane < kLanes; lane += W) {
            const Visit<W> visit(lanes, lanes.packs[k], lane);
            store<W>(square_of<W>(visit.velocity()), squares + kLanes * k + lane);
        }
    }
}

template <int W>
constexpr SweepKernels make_kernels() {
    return {sweep_packs<W>, extrapolate_packs<W>, measure_packs<W>, speed_packs<W>};
}

}  // namespace
}  // namespace stiction
