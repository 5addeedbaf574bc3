// sweep_preparation.cpp - what a sweep reads, from the rows of an island; and its numbers in and
// out.
#include <limits>

#include "contact/routes/sweep_system.h"

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

template <class Copy>
void for_each_body(const ContactProblem& problem, const Island& island, const Copy& copy) {
    for (int k = island.block_begin; k < island.block_end; ++k) {
        const auto block = at(problem.island_blocks[at(k)]);
        copy(kBodyRow * (k - island.block_begin), problem.system.blocks[block]);
    }
}

// Rows of bodies, at the velocities v.
void gather(const ContactProblem& problem, const Island& island, const VecX& v, LaneVector& rows) {
    rows.set_zero(at(kBodyRow * (island.block_end - island.block_begin + 1)));
    for_each_body(problem, island, [&](int to, const InertiaBlock& body) {
        double* const row = rows.data() + to;
        Eigen::Map<Vec3>{row} = v.segment<3>(body.offset);
        row[3] = body.inv_mass;
        Eigen::Map<Vec3>{row + 4} = v.segment<3>(body.offset + 3);
        row[7] = body.isotropic ? body.inv_inertia(0, 0) : 0;
    });
}

// A contact under its law of friction, or one without friction.
void prepare_law(const LinkSystem& system, const IslandRows& rows, const Triple& triple,
                 bool normal_only, SweepContact& contact, Mat3& W) {
    if (normal_only) {
        prepare_normal(system, rows, triple, contact, W);
    } else {
        prepare_contact(system, rows, triple, contact, W);
    }
}

double weight_of(const Mat3& W) {
    const double trace = W.trace();
    return trace > 0 ? trace / 3 : 1.0;
}

// s of a relaxed cone.
double offset_of(const ContactLaw& law, int triple) {
    return law.offset == nullptr ? 0.0 : (*law.offset)[triple];
}

void add_place(const LinkSystem& system, const IslandRows& rows, const Triples& triples, int i,
               const ColourEdge& bodies, bool normal_only, SweepSystem& sweeps) {
    const Triple& triple = triples.all[at(i)];
    SweepPlace& place = sweeps.places.emplace_back();
    SweepContact& contact = sweeps.contacts.emplace_back();
    SweepLaw& law = sweeps.laws.emplace_back();
    place.triple = i;
    place.a = bodies.a;
    place.b = bodies.b;
    place.bounded = kNone;
    place.normal_only = normal_only;
    if (normal_only || triple.cone) {
        prepare_law(system, rows, triple, normal_only, contact, law.W);
    } else {
        place.bounded = static_cast<int>(sweeps.bounded.size());
        prepare_bounded(system, rows, triple, sweeps.bounded.emplace_back(), law.W);
    }
    place.weight = weight_of(law.W);
    law.lambda = 0;
    law.s = offset_of(sweeps.law, i);
}

// The law of all packs of an island: that of its contacts with friction.
PackLaw law_of_packs(const Triples& triples, const ContactLaw& law) {
    bool cone = false, bounds = false;
    for (const Triple& triple : triples.all) {
        if (triple.contact == kNone) continue;
        cone = cone || triple.cone;
        bounds = bounds || (!triple.cone && triple.row[1] != kNone);
    }
    if (bounds && !cone) return PackLaw::kBounds;
    if (law.relaxed) return PackLaw::kRelaxed;
    return law.polygon == nullptr ? PackLaw::kCone : PackLaw::kPolygon;
}

// Whether three rows between bounds are those of a contact: orthonormal, and at a point.
bool meets_at_a_point(const LinkSystem& system, const IslandRows& rows, const Triple& triple) {
    constexpr double kRounding = 1e-13;
    if (triple.row[1] == kNone || triple.row[2] == kNone) return false;
    const double length = system.links[at(triple.link)].length;
    const Mat36 G = jacobian(rows, triple);
    const Mat3 D = G.leftCols<3>();
    if (!((D * D.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff() <= kRounding)) return false;
    const Vec3 point = contact_point(G, system.links[at(triple.link)]);
    const double size = kRounding * (1 + point.norm() / length);
    for (int k = 0; k < 3; ++k) {
        const Vec3 linear = G.row(k).head<3>();
        const Vec3 angular = G.row(k).tail<3>();
        if (!((point.cross(linear) - length * angular).norm() <= size * length)) return false;
    }
    return true;
}

bool fits_lanes(const LinkSystem& system, const IslandRows& rows, const Triple& triple,
                PackLaw law) {
    if (triple.contact == kNone) return false;
    if (is_plain_normal(rows, triple)) return true;
    return triple.cone || (law == PackLaw::kBounds && meets_at_a_point(system, rows, triple));
}

// How the contact ended before: sliding, sticking or open. Those of one kind share packs, since
// the lanes of a pack take the steps of all of them.
int kind_of(const Triple& triple, const VecX& r, int i) {
    constexpr double kAtTheBound = 1 - 1e-9;
    const Vec3 x = r.segment<3>(3 * i);
    const double most = kAtTheBound * triple.mu * x[0];
    if (!(x[0] > 0)) return 2;
    return x[1] * x[1] + x[2] * x[2] >= most * most ? 0 : 1;
}

void fill_lane(const LinkSystem& system, const IslandRows& rows, const Triple& triple,
               const ColourEdge& bodies, PackLaw law, std::size_t lane, WideSweeps& wide) {
    SweepContact contact;
    Mat3 W;
    const bool normal_only = is_plain_normal(rows, triple);
    prepare_law(system, rows, triple, normal_only, contact, W);
    const double weight = weight_of(W);
    if (law == PackLaw::kBounds && !normal_only) {
        const Vec3 soft = compliance(rows, triple);
        W.diagonal() += soft;
        set_inverse(W, contact);
        set_lane(contact, W, weight_of(W), bodies, lane, wide);
        set_lane_bounds(lower_bound(rows, triple), upper_bound(rows, triple), soft, lane, wide);
        return;
    }
    if (normal_only) set_alone(W, contact);
    set_lane(contact, W, weight, bodies, lane, wide);
}

void fill_packs(const LinkSystem& system, const IslandRows& rows, const Triples& triples,
                std::span<const ColourEdge> bodies, PackLaw law, const ContactLaw& friction,
                WideSweeps& wide) {
    for (std::size_t lane = 0; lane < wide.triple.size(); ++lane) {
        const int i = wide.triple[lane];
        if (i == kNone) continue;
        fill_lane(system, rows, triples.all[at(i)], bodies[at(i)], law, lane, wide);
        if (law == PackLaw::kRelaxed) set_lane_offset(offset_of(friction, i), lane, wide);
    }
}

// The bodies of every triple.
void set_bodies(const ContactProblem& problem, const Island& island, const Triples& triples,
                std::vector<ColourEdge>& bodies) {
    const int prescribed = island.block_end - island.block_begin;
    const auto body_of = [&](int block) {
        return block == kNone ? prescribed : problem.block_place[at(block)] - island.block_begin;
    };
    bodies.resize(triples.all.size());
    for (std::size_t i = 0; i < triples.all.size(); ++i) {
        const Link& link = problem.system.links[at(triples.all[i].link)];
        bodies[i] = {body_of(link.a), body_of(link.b)};
    }
}

void prepare_packs(const LinkSystem& system, const IslandRows& rows, const Triples& triples,
                   SweepSystem& sweeps) {
    WideSweeps& wide = sweeps.wide;
    const PackLaw law = law_of_packs(triples, sweeps.law);
    wide.kind.resize(triples.all.size());
    for (std::size_t i = 0; i < triples.all.size(); ++i) {
        const Triple& triple = triples.all[i];
        wide.kind[i] = fits_lanes(system, rows, triple, law)
                           ? kind_of(triple, triples.r, static_cast<int>(i))
                           : kNone;
    }
    make_packs(law, sweeps.law.polygon, sweeps.inv_inertia, wide);
    fill_packs(system, rows, triples, wide.bodies, law, sweeps.law, wide);
    finish_packs(sweeps.inv_inertia, wide);
}

void prepare(const ContactProblem& problem, const Island& island, const IslandRows& rows,
             const Triples& triples, bool wide, SweepSystem& sweeps) {
    const LinkSystem& system = problem.system;
    WideSweeps& w = sweeps.wide;
    prepare_bodies(problem, island, sweeps);
    set_bodies(problem, island, triples, w.bodies);
    if (wide) {
        prepare_packs(system, rows, triples, sweeps);
    } else {
        clear_packs(triples.all.size(), w);
    }
    sweeps.places.clear();
    sweeps.contacts.clear();
    sweeps.laws.clear();
    sweeps.bounded.clear();
    for (std::size_t i = 0; i < triples.all.size(); ++i) {
        if (w.colour[i] != kNone) continue;
        add_place(system, rows, triples, static_cast<int>(i), w.bodies[i],
                  is_plain_normal(rows, triples.all[i]), sweeps);
    }
}

// Copies the impulses of every triple between r and those of the sweeps: copy(of r, of the
// sweeps, how far apart those are).
template <typename Copy>
void for_each_impulse(const SweepSystem& sweeps, const Copy& copy) {
    for (std::size_t lane = 0; lane < sweeps.wide.triple.size(); ++lane) {
        if (sweeps.wide.triple[lane] == kNone) continue;
        copy(3 * at(sweeps.wide.triple[lane]), 3 * (lane - lane % kLanes) + lane % kLanes, kLanes);
    }
    for (std::size_t b = 0; b < sweeps.places.size(); ++b)
        copy(3 * at(sweeps.places[b].triple), sweeps.first_place() + 3 * b, 1);
}

void put(const VecX& r, SweepSystem& sweeps) {
    double* const to = sweeps.r.data();
    for_each_impulse(sweeps, [&](std::size_t i, std::size_t k, std::size_t stride) {
        for (std::size_t c = 0; c < 3; ++c)
            to[k + c * stride] = r[static_cast<Eigen::Index>(i + c)];
    });
}

}  // namespace

void prepare_sweeps(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                    const Triples& triples, const ContactLaw& law, const VecX& v_from,
                    const VecX& v, bool wide, SweepSystem& sweeps) {
    sweeps.law = law;
    prepare(problem, island, rows, triples, wide, sweeps);
    sweeps.r.set_zero(sweeps.first_place() + 3 * sweeps.places.size());
    put(triples.r, sweeps);
    gather(problem, island, v_from, sweeps.v);
    sweeps.v_from = sweeps.v;
    sweeps.q_norm = free_speed(sweeps);
    gather(problem, island, v, sweeps.v);
}

void take_velocities(const ContactProblem& problem, const Island& island, const SweepSystem& sweeps,
                     VecX& v) {
    for_each_body(problem, island, [&](int from, const InertiaBlock& body) {
        v.segment<3>(body.offset) = Eigen::Map<const Vec3>{sweeps.v.data() + from};
        v.segment<3>(body.offset + 3) = Eigen::Map<const Vec3>{sweeps.v.data() + from + 4};
    });
}

void take_impulses(const SweepSystem& sweeps, VecX& r) {
    const double* const from = sweeps.r.data();
    for_each_impulse(sweeps, [&](std::size_t i, std::size_t k, std::size_t stride) {
        for (std::size_t c = 0; c < 3; ++c)
            r[static_cast<Eigen::Index>(i + c)] = from[k + c * stride];
    });
}

void put_impulses(const VecX& r, const VecX& dv, SweepSystem& sweeps) {
    put(r, sweeps);
    sweeps.v = sweeps.v_from;
    for (Eigen::Index body = 0; 6 * body < dv.size(); ++body) {
        double* const row = sweeps.v.data() + kBodyRow * body;
        Eigen::Map<Vec3>{row} += dv.segment<3>(6 * body);
        Eigen::Map<Vec3>{row + 4} += dv.segment<3>(6 * body + 3);
    }
}

void take_body_velocities(const LaneVector& rows, VecX& v) {
    for (Eigen::Index body = 0; 6 * body < v.size(); ++body) {
        const double* const row = rows.data() + kBodyRow * body;
        v.segment<3>(6 * body) = Eigen::Map<const Vec3>{row};
        v.segment<3>(6 * body + 3) = Eigen::Map<const Vec3>{row + 4};
    }
}

void put_body_velocities(const VecX& v, LaneVector& rows) {
    for (Eigen::Index body = 0; 6 * body < v.size(); ++body) {
        double* const row = rows.data() + kBodyRow * body;
        Eigen::Map<Vec3>{row} = v.segment<3>(6 * body);
        Eigen::Map<Vec3>{row + 4} = v.segment<3>(6 * body + 3);
    }
}

namespace {

// copy(of the triple's numbers, where it stands): of packs and of other places.
template <typename Sweeps, typename OfLane, typename OfPlace>
void for_each_offset(Sweeps& sweeps, const OfLane& of_lane, const OfPlace& of_place) {
    for (std::size_t lane = 0; lane < sweeps.wide.triple.size(); ++lane) {
        if (sweeps.wide.triple[lane] != kNone)
            of_lane(3 * sweeps.wide.triple[lane], sweeps.wide.packs[lane / kLanes].offset,
                    lane % kLanes);
    }
    for (std::size_t b = 0; b < sweeps.places.size(); ++b) {
        const SweepPlace& place = sweeps.places[b];
        of_place(3 * place.triple, place.bounded == kNone
                                       ? sweeps.contacts[b].offset
                                       : sweeps.bounded[at(place.bounded)].offset);
    }
}

}  // namespace

void take_offsets(const SweepSystem& sweeps, VecX& offset) {
    for_each_offset(
        sweeps,
        [&](int i, const double(&from)[3][kLanes], std::size_t lane) {
            for (int k = 0; k < 3; ++k) offset[i + k] = from[k][lane];
        },
        [&](int i, const Vec3& from) { offset.segment<3>(i) = from; });
}

void put_offsets(const VecX& offset, SweepSystem& sweeps) {
    for_each_offset(
        sweeps,
        [&](int i, double(&to)[3][kLanes], std::size_t lane) {
            for (int k = 0; k < 3; ++k) to[k][lane] = offset[i + k];
        },
        [&](int i, Vec3& to) { to = offset.segment<3>(i); });
}

void renew_sweeps(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                  const Triples& triples, const VecX& v, SweepSystem& sweeps) {
    WideSweeps& wide = sweeps.wide;
    for (std::size_t lane = 0; lane < wide.triple.size(); ++lane) {
        if (wide.triple[lane] == kNone || wide.packs[lane / kLanes].law != PackLaw::kBounds)
            continue;
        const Triple& triple = triples.all[at(wide.triple[lane])];
        if (is_plain_normal(rows, triple)) continue;
        set_lane_bounds(lower_bound(rows, triple), upper_bound(rows, triple),
                        compliance(rows, triple), lane, wide);
    }
    for (const SweepPlace& place : sweeps.places) {
        if (place.bounded == kNone) continue;
        SweepBounded& bounded = sweeps.bounded[at(place.bounded)];
        bounded.lo = lower_bound(rows, triples.all[at(place.triple)]);
        bounded.hi = upper_bound(rows, triples.all[at(place.triple)]);
    }
    put(triples.r, sweeps);
    gather(problem, island, v, sweeps.v);
}

void set_weights(const SweepSystem& sweeps, VecX& weight) {
    weight.setZero(static_cast<Eigen::Index>(sweeps.r.size()));
    const auto set = [&](std::size_t k, std::size_t stride, double w) {
        for (std::size_t c = 0; c < 3; ++c) weight[static_cast<Eigen::Index>(k + c * stride)] = w;
    };
    for (std::size_t lane = 0; lane < sweeps.wide.triple.size(); ++lane)
        set(3 * (lane - lane % kLanes) + lane % kLanes, kLanes,
            sweeps.wide.packs[lane / kLanes].weight[lane % kLanes]);
    for (std::size_t b = 0; b < sweeps.places.size(); ++b)
        set(sweeps.first_place() + 3 * b, 1, sweeps.places[b].weight);
}

SweepLanes lanes_of(SweepSystem& sweeps) {
    WideSweeps& wide = sweeps.wide;
    return {wide.packs.data(),   wide.bounds.data(), sweeps.r.data(),   sweeps.v.data(),
            wide.inertia.data(), wide.prescribed,    sweeps.law.polygon};
}

}  // namespace stiction
