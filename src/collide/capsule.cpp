// capsule.cpp - a capsule against a capsule and a box: nearest points of its axis segment, less the
// radius. Exact. A segment that runs along another one, an edge or a face gives two contacts, at
// the ends of the common stretch.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collide/coincident.h"
#include "collide/feature_id.h"
#include "collide/pairs.h"
#include "collide/segment.h"

namespace stiction {
namespace {

constexpr double kTolerance = 1e-6;  // of the shapes' size: a shorter stretch is one point
constexpr double kTiny = kCoincident;
constexpr double kFaceBias = 1e-6;  // of the box's size: a face, with two points, is preferred

// Two rounded segments at given parameters; fallback() is the normal where they meet.
template <typename Fallback>
void add_pair(const Segment& a, double ra, double s, const Segment& b, double rb, double t,
              const Fallback& fallback, double margin, std::uint32_t feature, Manifold& m) {
    const Vec3 p = a.at(s), q = b.at(t), d = p - q;
    const double distance = d.norm();
    const Vec3 n = distance > kTiny * (a.half + b.half + ra + rb) ? Vec3(d / distance) : fallback();
    const double phi = n.dot(d) - ra - rb;
    if (phi <= margin) m.add_on_A(p - ra * n, n, phi, feature);
}

template <typename Fallback>
void add_segments(const Segment& a, double ra, const Segment& b, double rb,
                  const Fallback& fallback, std::uint32_t tag, double margin, Manifold& m) {
    const Vec3 normal = a.dir.cross(b.dir);
    const double sine = normal.norm();
    if (sine < kParallelSine) {
        const double from = a.dir.dot(b.centre - a.centre),
                     reach = b.half * std::abs(a.dir.dot(b.dir));
        const double lo = std::max(-a.half, from - reach), hi = std::min(a.half, from + reach);
        if (hi - lo > kTolerance * (a.half + b.half)) {
            add_pair(a, ra, lo, b, rb, b.nearest(a.at(lo)), fallback, margin,
                     feature_id(tag, 0, kLowEnd), m);
            add_pair(a, ra, hi, b, rb, b.nearest(a.at(hi)), fallback, margin,
                     feature_id(tag, 0, kHighEnd), m);
            return;
        }
    }
    const SegmentPair at = closest(a, b);
    const auto across = [&] { return sine >= kParallelSine ? Vec3(normal / sine) : fallback(); };
    add_pair(a, ra, at.s, b, rb, at.t, across, margin, feature_id(tag, 0, kSingle), m);
}

// The segment in the box's frame.
struct BoxSegment {
    Segment axis;
    Vec3 half;    // of the box
    double size;  // [m]
};

// Edge e of a box: 4 k + bits for the signs of the coordinates after k.
Segment box_edge(const Vec3& half, int e) {
    const int k = e / 4, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    Vec3 centre = Vec3::Zero();
    centre[k1] = (e & 1) != 0 ? half[k1] : -half[k1];
    centre[k2] = (e & 2) != 0 ? half[k2] : -half[k2];
    return {centre, Vec3::Unit(k), half[k]};
}

bool meets_box(const BoxSegment& pair) {
    double lo = -pair.axis.half, hi = pair.axis.half;
    for (int k = 0; k < 3; ++k) {
        const double c = pair.axis.centre[k], d = pair.axis.dir[k];
        if (std::abs(d) < kTiny) {
            if (std::abs(c) > pair.half[k]) return false;
            continue;
        }
        const double t1 = (-pair.half[k] - c) / d, t2 = (pair.half[k] - c) / d;
        lo = std::max(lo, std::min(t1, t2));
        hi = std::min(hi, std::max(t1, t2));
    }
    return lo <= hi;
}

// What the segment is nearest to: a direction in the box's frame from the box to the segment, and
// an edge or none.
struct Nearest {
    Vec3 n = Vec3::Zero();
    double distance = std::numeric_limits<double>::infinity();  // negative: depth of the axis
    int edge = kNone;
    double s = 0;  // on the segment
};

Nearest nearest_outside(const BoxSegment& pair) {
    Nearest best;
    double best_d2 = std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vec3& d, int edge, double s) {
        const double d2 = d.squaredNorm();
        if (d2 >= best_d2) return;
        best_d2 = d2;
        best = {d, 0, edge, s};
    };
    for (const double s : {-pair.axis.half, pair.axis.half}) {
        const Vec3 x = pair.axis.at(s);
        consider(x - x.cwiseMin(pair.half).cwiseMax(-pair.half), kNone, s);
    }
    for (int e = 0; e < 12; ++e) {
        const Segment edge = box_edge(pair.half, e);
        const SegmentPair at = closest(pair.axis, edge);
        consider(pair.axis.at(at.s) - edge.at(at.t), e, at.s);
    }
    best.distance = std::sqrt(best_d2);
    best.n /= best.distance;
    return best;
}

// The axis cuts through the box: least way out over the box's face normals and their products with
// the axis.
Nearest nearest_inside(const BoxSegment& pair) {
    Nearest best;
    best.distance = -std::numeric_limits<double>::infinity();
    const Segment& a = pair.axis;
    for (int k = 0; k < 3; ++k) {
        const double gap = std::abs(a.centre[k]) - pair.half[k] - a.half * std::abs(a.dir[k]);
        if (gap > best.distance)
            best = {std::copysign(1.0, a.centre[k]) * Vec3::Unit(k), gap, kNone, 0};
    }
    for (int k = 0; k < 3; ++k) {
        Vec3 n = a.dir.cross(Vec3::Unit(k));
        if (n.norm() < kParallelSine) continue;
        n.normalize();
        if (n.dot(a.centre) < 0) n = -n;
        const double gap = n.dot(a.centre) - pair.half.dot(n.cwiseAbs());
        if (gap <= best.distance + kFaceBias * pair.size) continue;
        const int edge = 4 * k + (n[(k + 1) % 3] > 0 ? 1 : 0) + (n[(k + 2) % 3] > 0 ? 2 : 0);
        best = {n, gap, edge, closest(a, box_edge(pair.half, edge)).s};
    }
    return best;
}

// Contacts over the face that n is nearly normal to, if it is nearly as good a direction as n; at
// the ends of the stretch of the segment that lies over the face.
bool add_over_face(const BoxSegment& pair, const Nearest& nearest, const WorldGeom& a,
                   const WorldGeom& b, double margin, Manifold& m) {
    const Segment& axis = pair.axis;
    int k = 0;
    nearest.n.cwiseAbs().maxCoeff(&k);
    const double side = nearest.n[k] > 0 ? 1.0 : -1.0;
    const double gap = side * axis.centre[k] - axis.half * std::abs(axis.dir[k]) - pair.half[k];
    if (gap < nearest.distance - kFaceBias * pair.size) return false;

    double lo = -axis.half, hi = axis.half;
    for (const int i : {(k + 1) % 3, (k + 2) % 3}) {
        const double c = axis.centre[i], d = axis.dir[i];
        const double bound = pair.half[i] + kTolerance * pair.size;
        if (std::abs(d) < kTiny) {
            if (std::abs(c) > bound) return false;
            continue;
        }
        const double t1 = (-bound - c) / d, t2 = (bound - c) / d;
        lo = std::max(lo, std::min(t1, t2));
        hi = std::min(hi, std::max(t1, t2));
    }
    if (lo > hi) return false;

    const bool level = std::abs(axis.dir[k]) < kParallelSine;
    const Vec3 n = side * b.R.col(k);
    const int before = m.count;
    const auto add_at = [&](double s, std::uint32_t end) {
        if (!level && std::abs(s) < axis.half) return;  // not on the capsule's surface
        const double phi = side * axis.at(s)[k] - pair.half[k] - a.radius;
        const Vec3 p_A = a.p + s * a.axis() - a.radius * n;
        if (phi <= margin) m.add_on_A(p_A, n, phi, feature_id(kCapsuleOnBoxFace, 0, end));
    };
    add_at(lo, kLowEnd);
    if (hi - lo > kTolerance * axis.half) add_at(hi, kHighEnd);
    return m.count > before;
}

}  // namespace

void collide_capsule_capsule(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const auto aside = [&] { return parting_across(a, b, b.axis(), b.R.col(0)); };
    add_segments({a.p, a.axis(), a.length}, a.radius, {b.p, b.axis(), b.length}, b.radius, aside, 0,
                 margin, m);
}

void collide_capsule_box(const WorldGeom& a, const WorldGeom& b, double margin, Manifold& m) {
    const BoxSegment pair{
        {b.R.transpose() * (a.p - b.p), b.R.transpose() * a.axis(), a.length}, b.half, b.size};
    const Vec3 gaps = pair.axis.centre.cwiseAbs() - pair.half - a.length * pair.axis.dir.cwiseAbs();
    if (gaps.maxCoeff() > a.radius + margin) return;

    Nearest nearest = meets_box(pair) ? nearest_inside(pair) : nearest_outside(pair);
    if (nearest.distance < kTiny * pair.size) nearest = nearest_inside(pair);
    if (nearest.distance > a.radius + margin) return;
    if (add_over_face(pair, nearest, a, b, margin, m)) return;

    const Vec3 n = b.R * nearest.n;
    const double phi = nearest.distance - a.radius;
    if (nearest.edge != kNone && nearest.distance > 0) {
        const Segment edge = box_edge(b.half, nearest.edge);
        if (pair.axis.dir.cross(edge.dir).norm() < kParallelSine) {
            add_segments(
                {a.p, a.axis(), a.length}, a.radius,
                {b.p + b.R * edge.centre, b.R * edge.dir, edge.half}, 0, [&] { return n; },
                static_cast<std::uint32_t>(nearest.edge), margin, m);
            return;
        }
    }
    if (phi <= margin) {
        m.add_on_A(a.p + nearest.s * a.axis() - a.radius * n, n, phi,
                   feature_id(kCapsuleOnBoxPoint, 0, kSingle));
    }
}

}  // namespace stiction
