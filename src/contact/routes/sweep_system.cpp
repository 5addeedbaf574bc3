// sweep_system.cpp - what a sweep reads, the sweep itself, and the residual.
#include "contact/routes/sweep_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/cone_problem.h"
#include "solve/cone/one_contact.h"

namespace stiction {

namespace {

// A = sign * (p x linear + length * angular) row by row, P = I^-1 A'.
void set_side(const InertiaBlock& body, const Vec3& p, double length, double sign, const Mat36& G,
              Mat3& A, Mat3& P) {
    for (int k = 0; k < 3; ++k) {
        const Vec3 linear = G.row(k).head<3>();
        const Vec3 angular = G.row(k).tail<3>();
        A.row(k) = (sign * (p.cross(linear) + length * angular)).transpose();
    }
    P.noalias() = body.inv_inertia * A.transpose();
}

void prepare_bounded(const LinkSystem& system, const IslandRows& rows, const Triple& triple,
                     SweepBounded& block, Mat3& W) {
    const Link& link = system.links[at(triple.link)];
    const Mat36 G = jacobian(rows, triple);
    block.D = G.leftCols<3>();
    block.A_a = block.A_b = block.P_a = block.P_b = Mat3::Zero();
    block.inv_mass_a = block.inv_mass_b = 0;
    block.offset = G * link.u0;
    for (int k = 0; k < 3; ++k) {
        const bool exists = triple.row[at(k)] != kNone;
        const Row& row = rows.rows[at(triple.row[exists ? at(k) : 0])];
        block.offset[k] += exists ? 0.0 - row.target : 0.0;
        block.compliance[k] = exists ? row.compliance : rows.filler;
        block.lo[k] = exists ? row.lo : 0.0;
        block.hi[k] = exists ? row.hi : 0.0;
    }
    W = block.compliance.asDiagonal();
    if (link.a != kNone) {
        const InertiaBlock& body = system.blocks[at(link.a)];
        set_side(body, link.r_a, link.length, 1, G, block.A_a, block.P_a);
        block.inv_mass_a = body.inv_mass;
        W.noalias() += block.A_a * block.P_a;
    }
    if (link.b != kNone) {
        const InertiaBlock& body = system.blocks[at(link.b)];
        set_side(body, link.r_b, link.length, -1, G, block.A_b, block.P_b);
        block.inv_mass_b = body.inv_mass;
        W.noalias() += block.A_b * block.P_b;
    }
    W.noalias() += (block.inv_mass_a + block.inv_mass_b) * block.D * block.D.transpose();
    block.inverted = false;
}

// Adds the body's part of W.
void add_angular(const InertiaBlock& body, const Vec3& p, const SweepContact& c, Mat3& W) {
    Mat3 A;  // columns p x n, p x s, p x t
    A << p.cross(c.n), p.cross(c.s), p.cross(c.t);
    if (body.isotropic) {
        W.noalias() += body.inv_inertia(0, 0) * (A.transpose() * A);
    } else {
        W.noalias() += A.transpose() * (body.inv_inertia * A);
    }
}

void set_inverse(const Mat3& W, SweepContact& c) {
    constexpr double kNearlySingular = 1e-12;  // determinant, of the trace cubed
    const double c00 = W(1, 1) * W(2, 2) - W(1, 2) * W(1, 2);
    const double c01 = W(0, 2) * W(1, 2) - W(0, 1) * W(2, 2);
    const double c02 = W(0, 1) * W(1, 2) - W(0, 2) * W(1, 1);
    const double determinant = W(0, 0) * c00 + W(0, 1) * c01 + W(0, 2) * c02;
    const double trace = W.trace();
    const double scale = determinant > kNearlySingular * trace * trace * trace
                             ? 1 / determinant
                             : std::numeric_limits<double>::quiet_NaN();
    c.inverse << c00, W(0, 0) * W(2, 2) - W(0, 2) * W(0, 2), W(0, 0) * W(1, 1) - W(0, 1) * W(0, 1);
    c.across << c01, c02, W(0, 1) * W(0, 2) - W(0, 0) * W(1, 2);
    c.inverse *= scale;
    c.across *= scale;
}

// From the link's reference point. Row d of a contact there is (d, x x d / length), and over three
// orthonormal rows d x (x x d) adds up to 2 x.
Vec3 contact_point(const Mat36& G, const Link& link) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3 linear = G.row(k).head<3>();
        const Vec3 angular = G.row(k).tail<3>();
        sum += linear.cross(angular);
    }
    return 0.5 * link.length * sum;
}

// Levers and inverse inertias of a contact at `point` from the link's reference point; calls
// add(body, lever) for what each body adds to W.
template <typename Add>
void set_sides(const LinkSystem& system, const Link& link, const Vec3& point, SweepContact& c,
               const Add& add) {
    c.p_a = c.p_b = Vec3::Zero();
    c.inv_mass_a = c.inv_mass_b = c.inv_inertia_a = c.inv_inertia_b = 0;
    const auto set = [&](int block, const Vec3& r, Vec3& p, double& inv_mass, double& inv_inertia) {
        if (block == kNone) return;
        const InertiaBlock& body = system.blocks[at(block)];
        p = r + point;
        inv_mass = body.inv_mass;
        inv_inertia = body.isotropic ? body.inv_inertia(0, 0) : -1;
        add(body, p);
    };
    set(link.a, link.r_a, c.p_a, c.inv_mass_a, c.inv_inertia_a);
    set(link.b, link.r_b, c.p_b, c.inv_mass_b, c.inv_inertia_b);
}

// A contact without friction: the point may lie anywhere along the normal.
void prepare_normal(const LinkSystem& system, const IslandRows& rows, const Triple& triple,
                    SweepContact& c, Mat3& W) {
    const Link& link = system.links[at(triple.link)];
    const Row& row = rows.rows[at(triple.row[0])];
    c.n = row.g.head<3>();
    c.s = c.t = Vec3::Zero();
    c.mu = 0;
    c.offset = Vec3(row.g.dot(link.u0) - row.target, 0, 0);
    const Vec3 angular = row.g.tail<3>();
    const Vec3 point = link.length * c.n.cross(angular);
    double W_nn = row.compliance;
    set_sides(system, link, point, c, [&](const InertiaBlock& body, const Vec3& p) {
        const Vec3 lever = p.cross(c.n);
        W_nn += body.inv_mass + lever.dot(body.inv_inertia * lever);
    });
    W.setZero();
    W(0, 0) = W_nn;
    c.W_n = Vec3(W_nn, 0, 0);
}

void prepare_contact(const LinkSystem& system, const IslandRows& rows, const Triple& triple,
                     SweepContact& c, Mat3& W) {
    const Link& link = system.links[at(triple.link)];
    const Mat36 G = jacobian(rows, triple);
    c.n = G.row(0).head<3>();
    c.s = G.row(1).head<3>();
    c.t = G.row(2).head<3>();
    c.offset = G * link.u0 + offset(rows, triple);
    const Vec3 point = contact_point(G, link);
    c.mu = triple.mu;
    W.setZero();
    set_sides(system, link, point, c,
              [&](const InertiaBlock& body, const Vec3& p) { add_angular(body, p, c, W); });
    W.diagonal().array() += c.inv_mass_a + c.inv_mass_b;  // n, s, t are orthonormal
    c.W_n = W.row(0).transpose();
    set_inverse(W, c);
}

// A contact that has its normal alone, free to press as much as it takes.
bool is_plain_normal(const IslandRows& rows, const Triple& triple) {
    if (triple.contact == kNone || triple.row[1] != kNone) return false;
    const Row& row = rows.rows[at(triple.row[0])];
    return row.lo == 0 && row.hi == std::numeric_limits<double>::infinity() && row.compliance == 0;
}

void prepare_bodies(const ContactProblem& problem, const Island& island, SweepSystem& sweeps) {
    const int bodies = island.block_end - island.block_begin;
    sweeps.inv_inertia.resize(at(bodies + 1));
    for (int k = 0; k < bodies; ++k) {
        const auto block = at(problem.island_blocks[at(island.block_begin + k)]);
        sweeps.inv_inertia[at(k)] = problem.system.blocks[block].inv_inertia;
    }
    sweeps.inv_inertia.back().setZero();
}

void prepare(const ContactProblem& problem, const Island& island, const IslandRows& rows,
             const Triples& triples, SweepSystem& sweeps) {
    const LinkSystem& system = problem.system;
    const int prescribed = island.block_end - island.block_begin;
    const auto body_of = [&](int block) {
        return block == kNone ? prescribed : problem.block_place[at(block)] - island.block_begin;
    };
    prepare_bodies(problem, island, sweeps);
    sweeps.places.resize(triples.all.size());
    sweeps.contacts.resize(triples.all.size());
    sweeps.laws.resize(triples.all.size());
    sweeps.bounded.clear();
    for (std::size_t i = 0; i < triples.all.size(); ++i) {
        const Triple& triple = triples.all[i];
        const Link& link = system.links[at(triple.link)];
        SweepPlace& place = sweeps.places[i];
        SweepLaw& law = sweeps.laws[i];
        place.a = body_of(link.a);
        place.b = body_of(link.b);
        place.bounded = kNone;
        place.normal_only = is_plain_normal(rows, triple);
        if (place.normal_only) {
            prepare_normal(system, rows, triple, sweeps.contacts[i], law.W);
        } else if (triple.cone) {
            prepare_contact(system, rows, triple, sweeps.contacts[i], law.W);
        } else {
            place.bounded = static_cast<int>(sweeps.bounded.size());
            prepare_bounded(system, rows, triple, sweeps.bounded.emplace_back(), law.W);
        }
        const double trace = law.W.trace();
        place.weight = trace > 0 ? trace / 3 : 1.0;
        law.lambda = 0;
    }
}

template <class Copy>
void for_each_body(const ContactProblem& problem, const Island& island, const Copy& copy) {
    for (int k = island.block_begin; k < island.block_end; ++k) {
        const auto block = at(problem.island_blocks[at(k)]);
        copy(6 * (k - island.block_begin), problem.system.blocks[block].offset);
    }
}

void gather(const ContactProblem& problem, const Island& island, const VecX& v, VecX& local) {
    local.resize(6 * (island.block_end - island.block_begin + 1));
    for_each_body(problem, island,
                  [&](int to, int from) { local.segment<6>(to) = v.segment<6>(from); });
    local.tail<6>().setZero();
}

// In scalars: three doubles at a time suit no vector register.
inline Vec3 velocity(const SweepPlace& place, const SweepContact& c, const VecX& v) {
    const double* a = v.data() + 6 * at(place.a);
    const double* b = v.data() + 6 * at(place.b);
    const Vec3& p = c.p_a;
    const Vec3& q = c.p_b;
    const double x = a[0] - b[0] + (a[4] * p[2] - a[5] * p[1]) - (b[4] * q[2] - b[5] * q[1]);
    const double y = a[1] - b[1] + (a[5] * p[0] - a[3] * p[2]) - (b[5] * q[0] - b[3] * q[2]);
    const double z = a[2] - b[2] + (a[3] * p[1] - a[4] * p[0]) - (b[3] * q[1] - b[4] * q[0]);
    return {c.offset[0] + (c.n[0] * x + c.n[1] * y + c.n[2] * z),
            c.offset[1] + (c.s[0] * x + c.s[1] * y + c.s[2] * z),
            c.offset[2] + (c.t[0] * x + c.t[1] * y + c.t[2] * z)};
}

Vec3 velocity(const SweepPlace& place, const SweepBounded& block, const Vec3& r, const VecX& v) {
    const Eigen::Index a = 6 * place.a;
    const Eigen::Index b = 6 * place.b;
    Vec3 u = block.offset + block.compliance.cwiseProduct(r);
    u.noalias() += block.D * (v.segment<3>(a) - v.segment<3>(b));
    u.noalias() += block.A_a * v.segment<3>(a + 3);
    u.noalias() += block.A_b * v.segment<3>(b + 3);
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
        v[3] += i * x;
        v[4] += i * y;
        v[5] += i * z;
        return;
    }
    const Mat3& I = sweeps.inv_inertia[at(body)];
    v[3] += sign * (I(0, 0) * x + I(0, 1) * y + I(0, 2) * z);
    v[4] += sign * (I(1, 0) * x + I(1, 1) * y + I(1, 2) * z);
    v[5] += sign * (I(2, 0) * x + I(2, 1) * y + I(2, 2) * z);
}

inline void apply(const SweepPlace& place, const SweepContact& c, const Vec3& dr,
                  SweepSystem& sweeps) {
    const Vec3 f(c.n[0] * dr[0] + c.s[0] * dr[1] + c.t[0] * dr[2],
                 c.n[1] * dr[0] + c.s[1] * dr[1] + c.t[1] * dr[2],
                 c.n[2] * dr[0] + c.s[2] * dr[1] + c.t[2] * dr[2]);
    double* v = sweeps.v.data();
    push(sweeps, place.a, 1, c.inv_mass_a, c.inv_inertia_a, c.p_a, f, v + 6 * at(place.a));
    if (c.inv_mass_b > 0) {
        push(sweeps, place.b, -1, c.inv_mass_b, c.inv_inertia_b, c.p_b, f, v + 6 * at(place.b));
    }
}

void apply(const SweepPlace& place, const SweepBounded& block, const Vec3& dr, VecX& v) {
    const Vec3 p = block.D.transpose() * dr;
    const Eigen::Index a = 6 * place.a;
    const Eigen::Index b = 6 * place.b;
    v.segment<3>(a) += block.inv_mass_a * p;
    v.segment<3>(b) -= block.inv_mass_b * p;
    v.segment<3>(a + 3).noalias() += block.P_a * dr;
    v.segment<3>(b + 3).noalias() += block.P_b * dr;
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

Vec3 solve_triple(const Triples& triples, std::size_t b, SweepSystem& sweeps) {
    const double* r = triples.r.data() + 3 * b;
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
    if (sweeps.places[b].normal_only) {
        const double W_nn = sweeps.contacts[b].W_n[0];
        return {W_nn > 0 ? std::max(0.0, old[0] - u[0] / W_nn) : old[0], 0, 0};
    }
    if (sweeps.polygon) {
        return solve_polygon_contact(law.W, u - law.W * old, triples.all[b].mu, *sweeps.polygon);
    }
    return solve_cone_contact(sweeps.contacts[b], law, u, old);
}

double set_triple(std::size_t b, const Vec3& now, SweepSystem& sweeps, Triples& triples) {
    const SweepPlace& place = sweeps.places[b];
    double* r = triples.r.data() + 3 * b;
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

double velocity_norm(const SweepSystem& sweeps) {
    double sum = 0;
    for (std::size_t b = 0; b < sweeps.places.size(); ++b) {
        sum += velocity(sweeps, b, Vec3::Zero()).squaredNorm();
    }
    return std::sqrt(sum);
}

}  // namespace

void prepare_sweeps(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                    const Triples& triples, const FrictionDirections* polygon, const VecX& v_from,
                    const VecX& v, SweepSystem& sweeps) {
    sweeps.polygon = polygon;
    prepare(problem, island, rows, triples, sweeps);
    gather(problem, island, v_from, sweeps.v);
    sweeps.v_from = sweeps.v;
    sweeps.q_norm = velocity_norm(sweeps);
    gather(problem, island, v, sweeps.v);
}

void take_velocities(const ContactProblem& problem, const Island& island, const SweepSystem& sweeps,
                     VecX& v) {
    for_each_body(problem, island,
                  [&](int from, int to) { v.segment<6>(to) = sweeps.v.segment<6>(from); });
}

double sweep_once(SweepSystem& sweeps, Triples& triples) {
    double change = 0;
    for (std::size_t b = 0; b < sweeps.places.size(); ++b) {
        const Vec3 now = solve_triple(triples, b, sweeps);
        change += set_triple(b, now, sweeps, triples);
    }
    return std::sqrt(change);
}

double measure_sweeps(const SweepSystem& sweeps, const Triples& triples) {
    SquaredErrors errors;
    for (std::size_t b = 0; b < triples.all.size(); ++b) {
        const SweepPlace& place = sweeps.places[b];
        const double mu = place.normal_only ? 0 : triples.all[b].mu;
        const Vec3 r = triples.r.segment<3>(3 * static_cast<Eigen::Index>(b));
        const Vec3 u = velocity(sweeps, b, r);
        if (place.bounded != kNone) {
            const SweepBounded& bounded = sweeps.bounded[at(place.bounded)];
            errors.add(BoundsLaw{bounded.lo, bounded.hi}, place.weight, r, u);
        } else if (sweeps.polygon && !place.normal_only) {
            errors.add(PolygonLaw{mu, *sweeps.polygon}, place.weight, r, u);
        } else {
            errors.add(ConeLaw{mu}, place.weight, r, u);
        }
    }
    return errors.residual(sweeps.q_norm).worst();
}

}  // namespace stiction
