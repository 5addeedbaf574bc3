// wide_sweeps.cpp - from colours to packs, and the kernels over them.
#include "contact/routes/wide/wide_sweeps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/routes/wide/kernel_sets.h"
#include "solve/cone/cone_problem.h"
#include "solve/cone/one_contact.h"

namespace stiction {

namespace {

constexpr int kKinds = 3;
constexpr int kLeastOfColour = kLanes / 2;  // contacts: fewer are as quick one by one

// An idle lane: no body, and rows that are solved by nothing.
void set_idle(int prescribed, std::size_t l, SweepPack& pack) {
    for (std::size_t k = 0; k < 3; ++k) {
        pack.n[k][l] = pack.s[k][l] = pack.t[k][l] = 0;
        pack.p_a[k][l] = pack.p_b[k][l] = pack.offset[k][l] = 0;
        pack.W[k][l] = pack.inverse[k][l] = 1;
        pack.W[k + 3][l] = pack.inverse[k + 3][l] = 0;
    }
    pack.mu[l] = pack.weight[l] = 0;
    pack.a[l] = pack.b[l] = prescribed;
}

// Radius of the circle within the polygon of radius 1.
double inscribed_in(const FrictionDirections& polygon) {
    return polygon[0].dot((polygon[0] + polygon[1]).normalized());
}

// Packs for the lanes of wide.triple, of which those with a triple are still to be set.
void lay_out(PackLaw law, const FrictionDirections* polygon, WideSweeps& wide) {
    const std::size_t packs = wide.triple.size() / kLanes;
    const double inscribed = law == PackLaw::kPolygon ? inscribed_in(*polygon) : 1.0;
    wide.packs.resize(packs);
    for (std::size_t k = 0; k < packs; ++k) {
        SweepPack& pack = wide.packs[k];
        pack.law = law;
        pack.isotropic = true;
        pack.inscribed = inscribed;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            pack.lambda[lane] = pack.s_free[lane] = 0;
            if (wide.triple[kLanes * k + lane] == kNone) set_idle(wide.prescribed, lane, pack);
        }
    }
    wide.bounds.assign(law == PackLaw::kBounds ? packs : 0, SweepPackBounds{});
    wide.squares.set_zero(kLanes * packs);
    wide.more_squares.set_zero(kLanes * packs);
}

Mat3 matrix_of(const SweepPack& pack, int lane) {
    Mat3 W;
    W << pack.W[0][lane], pack.W[3][lane], pack.W[4][lane],  //
        pack.W[3][lane], pack.W[1][lane], pack.W[5][lane],   //
        pack.W[4][lane], pack.W[5][lane], pack.W[2][lane];
    return W;
}

const FrictionDirections& polygon_of(const SweepLanes& lanes) {
    return *static_cast<const FrictionDirections*>(lanes.polygon);
}

void solve_scalar(const SweepLanes& lanes, SweepPack& pack, int lane, const double u[3],
                  const double old[3], double out[3]) {
    const Mat3 W = matrix_of(pack, lane);
    const Vec3 q = Eigen::Map<const Vec3>(u) - W * Eigen::Map<const Vec3>(old);
    Eigen::Map<Vec3> r(out);
    if (pack.law == PackLaw::kPolygon) {
        r = solve_polygon_contact(W, q, pack.mu[lane], polygon_of(lanes));
    } else {
        r = solve_one_contact(W, q, pack.mu[lane], pack.lambda[lane]);
    }
}

void measure_scalar(const SweepLanes& lanes, const SweepPack& pack, int lane, const double u[3],
                    const double r[3], double out[2]) {
    SquaredErrors errors;
    const PolygonLaw law{pack.mu[lane], polygon_of(lanes)};
    errors.add(law, pack.weight[lane], Eigen::Map<const Vec3>(r), Eigen::Map<const Vec3>(u));
    out[0] = errors.natural;
    out[1] = errors.scaled;
}

constexpr SweepScalars kScalars = {solve_scalar, measure_scalar};

// Where each contact goes: by colours, which start a new pack, and within them by kinds.
void place_lanes(int colours, WideSweeps& wide) {
    std::vector<int>& next = wide.next;
    next.assign(at(kKinds * colours), 0);
    const auto slot = [&](std::size_t e) {
        return at(kKinds * wide.colour_of_edge[e] + wide.kind[at(wide.which[e])]);
    };
    for (std::size_t e = 0; e < wide.edges.size(); ++e) {
        if (wide.colour_of_edge[e] != kNone) ++next[slot(e)];
    }
    wide.colour_begin.assign(1, 0);
    int lane = 0;
    for (int c = 0; c < colours; ++c) {
        for (int k = 0; k < kKinds; ++k) {
            const int count = next[at(kKinds * c + k)];
            next[at(kKinds * c + k)] = lane;
            lane += count;
        }
        lane = (lane + kLanes - 1) / kLanes * kLanes;
        wide.colour_begin.push_back(lane / kLanes);
    }
    wide.triple.assign(at(lane), kNone);
    for (std::size_t e = 0; e < wide.edges.size(); ++e) {
        if (wide.colour_of_edge[e] != kNone) wide.triple[at(next[slot(e)]++)] = wide.which[e];
    }
}

// Lane by lane, pack by pack: the same sum whatever the width of the vectors.
double add_lanes(const LaneVector& squares, std::size_t packs) {
    std::array<double, kLanes> sum{};
    const double* x = squares.data();
    for (std::size_t k = 0; k < packs; ++k) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) sum[lane] += x[kLanes * k + lane];
    }
    double total = 0;
    for (const double s : sum) total += s;
    return total;
}

// Packs from which on they are shared out, in one part per thread: some five microseconds of work. With
// less, what one thread moved and the next one reads costs more than is gained.
constexpr int kWorthSharing = 48;

// act(first, last) for packs that no thread minds which other takes.
template <typename Act>
void share_out(const WideSweeps& wide, int first, int last, const Act& act) {
    const int count = last - first;
    if (wide.pool == nullptr || wide.pool->threads() == 1 || count < kWorthSharing) {
        act(first, last);
        return;
    }
    const int parts = std::min(wide.pool->threads(), 2 * count / kWorthSharing);
    const auto begin = [&](int i) { return first + static_cast<int>(long{count} * i / parts); };
    wide.pool->for_each(parts, [&](int i, int) { act(begin(i), begin(i + 1)); });
}

// The packs of one colour after the other.
template <typename Act>
void for_each_colour(const WideSweeps& wide, const Act& act) {
    for (std::size_t c = 0; c + 1 < wide.colour_begin.size(); ++c)
        share_out(wide, wide.colour_begin[c], wide.colour_begin[c + 1], act);
}

template <typename Act>
void for_all_packs(const WideSweeps& wide, const Act& act) {
    share_out(wide, 0, static_cast<int>(wide.packs.size()), act);
}

}  // namespace

void clear_packs(std::size_t triples, WideSweeps& wide) {
    wide.packs.clear();
    wide.triple.clear();
    wide.colour_begin.assign(1, 0);
    wide.colour.assign(triples, kNone);
}

void make_packs(PackLaw law, const FrictionDirections* polygon,
                const std::vector<Mat3>& inv_inertia, WideSweeps& wide) {
    wide.prescribed = static_cast<int>(inv_inertia.size()) - 1;
    wide.kernels = &kernels_of(chosen_simd());
    wide.edges.clear();
    wide.which.clear();
    wide.colour.assign(wide.kind.size(), kNone);
    for (std::size_t i = 0; i < wide.kind.size(); ++i) {
        if (wide.kind[i] == kNone) continue;
        const auto moved = [&](int body) { return body == wide.prescribed ? kNone : body; };
        wide.edges.push_back({moved(wide.bodies[i].a), moved(wide.bodies[i].b)});
        wide.which.push_back(static_cast<int>(i));
    }
    const int colours = colour_edges(wide.edges, wide.prescribed, kLeastOfColour, wide.colouring,
                                     wide.colour_of_edge);
    for (std::size_t e = 0; e < wide.edges.size(); ++e)
        wide.colour[at(wide.which[e])] = wide.colour_of_edge[e];
    place_lanes(colours, wide);
    lay_out(law, polygon, wide);
}

void set_lane(const SweepContact& c, const Mat3& W, double weight, const ColourEdge& bodies,
              std::size_t lane, WideSweeps& wide) {
    SweepPack& pack = wide.packs[lane / kLanes];
    const std::size_t l = lane % kLanes;
    for (int k = 0; k < 3; ++k) {
        pack.n[k][l] = c.n[k];
        pack.s[k][l] = c.s[k];
        pack.t[k][l] = c.t[k];
        pack.p_a[k][l] = c.p_a[k];
        pack.p_b[k][l] = c.p_b[k];
        pack.offset[k][l] = c.offset[k];
        pack.inverse[k][l] = c.inverse[k];
        pack.inverse[k + 3][l] = c.across[k];
        pack.W[k][l] = W(k, k);
    }
    pack.W[3][l] = W(0, 1);
    pack.W[4][l] = W(0, 2);
    pack.W[5][l] = W(1, 2);
    pack.mu[l] = c.mu;
    pack.weight[l] = weight;
    pack.a[l] = bodies.a;
    pack.b[l] = bodies.b;
    if (c.inv_inertia_a < 0 || c.inv_inertia_b < 0) pack.isotropic = false;
    if (!wide.bounds.empty())  // unless set_lane_bounds says more: a normal
        wide.bounds[lane / kLanes].hi[0][l] = std::numeric_limits<double>::infinity();
}

void set_lane_bounds(const Vec3& lo, const Vec3& hi, const Vec3& compliance, std::size_t lane,
                     WideSweeps& wide) {
    SweepPackBounds& bounds = wide.bounds[lane / kLanes];
    const std::size_t l = lane % kLanes;
    for (int k = 0; k < 3; ++k) {
        bounds.lo[k][l] = lo[k];
        bounds.hi[k][l] = hi[k];
        bounds.compliance[k][l] = compliance[k];
    }
}

void set_lane_offset(double s, std::size_t lane, WideSweeps& wide) {
    wide.packs[lane / kLanes].s_free[lane % kLanes] = s;
}

void set_alone(Mat3& W, SweepContact& contact) {
    W(1, 1) = W(2, 2) = 1;
    const double inverse = W(0, 0) > 0 ? 1 / W(0, 0) : std::numeric_limits<double>::quiet_NaN();
    contact.inverse = Vec3(inverse, 1, 1);
    contact.across.setZero();
}

void finish_packs(const std::vector<Mat3>& inv_inertia, WideSweeps& wide) {
    bool all_isotropic = true;
    for (const SweepPack& pack : wide.packs) all_isotropic = all_isotropic && pack.isotropic;
    wide.inertia.set_zero(all_isotropic ? 0 : kBodyRow * inv_inertia.size());
    if (all_isotropic) return;
    for (std::size_t body = 0; body < inv_inertia.size(); ++body) {
        const Mat3& I = inv_inertia[body];
        double* const row = wide.inertia.data() + kBodyRow * body;
        row[0] = I(0, 0);
        row[1] = I(0, 1);
        row[2] = I(0, 2);
        row[3] = I(1, 1);
        row[4] = I(1, 2);
        row[5] = I(2, 2);
    }
}

double sweep_wide(const SweepLanes& lanes, WideSweeps& wide) {
    if (wide.packs.empty()) return 0;
    for_each_colour(wide, [&](int first, int last) {
        wide.kernels->sweep(lanes, kScalars, first, last, wide.squares.data());
    });
    return add_lanes(wide.squares, wide.packs.size());
}

void measure_wide(const SweepLanes& lanes, WideSweeps& wide, double& natural, double& scaled) {
    if (wide.packs.empty()) return;
    for_all_packs(wide, [&](int first, int last) {
        wide.kernels->measure(lanes, kScalars, first, last, wide.squares.data(),
                              wide.more_squares.data());
    });
    natural += add_lanes(wide.squares, wide.packs.size());
    scaled += add_lanes(wide.more_squares, wide.packs.size());
}

double wide_speed(const SweepLanes& lanes, WideSweeps& wide) {
    if (wide.packs.empty()) return 0;
    for_all_packs(wide, [&](int first, int last) {
        wide.kernels->speed(lanes, first, last, wide.squares.data());
    });
    return add_lanes(wide.squares, wide.packs.size());
}

void extrapolate_wide(const SweepLanes& lanes, double most, double* x, const double* before,
                      double* t, WideSweeps& wide) {
    for_each_colour(wide, [&](int first, int last) {
        wide.kernels->extrapolate(lanes, most, x, before, t, first, last);
    });
}

}  // namespace stiction
