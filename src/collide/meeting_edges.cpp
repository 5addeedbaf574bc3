// meeting_edges.cpp - normals that part two wedges, and the ends of their common edge.
#include "collide/meeting_edges.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stiction {
namespace {

constexpr double kParallelFaces =
    0.1;                               // [rad]: faces at a smaller angle may come to lie on another
constexpr double kSinglePoint = 1e-6;  // of the edges' length: a shorter stretch is one contact

// Unit vectors middle cos(angle) + across sin(angle) with |angle| <= half.
struct Fan {
    Vec3 middle, across;
    double half;  // [rad]

    [[nodiscard]] double angle(const Vec3& d) const {
        return std::atan2(across.dot(d), middle.dot(d));
    }
};

// The normals, from B into A, that both edges have.
std::optional<Fan> common_normals(const Edge& a, const Edge& b) {
    const Vec3& e = a.line.dir;
    const Vec3 sum = b.normal_1 + b.normal_2;
    const Vec3 x = (sum - sum.dot(e) * e).normalized(), y = e.cross(x);
    const auto angle = [&](const Vec3& d) { return std::atan2(y.dot(d), x.dot(d)); };
    const auto [b_low, b_high] = std::minmax({angle(b.normal_1), angle(b.normal_2)});
    const double a_middle = angle(-(a.normal_1 + a.normal_2));
    const double a_half = 0.5 * std::acos(std::clamp(a.normal_1.dot(a.normal_2), -1.0, 1.0));
    const double a_low = a_middle - a_half, a_high = a_middle + a_half;
    if (std::abs(a_low - b_low) < kParallelFaces || std::abs(a_high - b_high) < kParallelFaces)
        return std::nullopt;
    const double low = std::max(a_low, b_low), high = std::min(a_high, b_high);
    if (high - low < kParallelFaces) return std::nullopt;
    const double middle = 0.5 * (low + high);
    const Vec3 n = std::cos(middle) * x + std::sin(middle) * y;
    return Fan{n, e.cross(n), 0.5 * (high - low)};
}

// The stretch that two edges have in common, by the parameter of A's, and the way from B's edge to
// A's along it.
struct Stretch {
    const Segment &a, &b;
    double low, high;  // [m]

    [[nodiscard]] Vec3 from_b(double s) const {
        const Vec3 p_A = a.at(s);
        return p_A - b.at(b.nearest(p_A));
    }
};

Stretch common_stretch(const Segment& a, const Segment& b) {
    const double from = a.dir.dot(b.centre - a.centre);
    return {a, b, std::max(-a.half, from - b.half), std::min(a.half, from + b.half)};
}

// The way from B to A where edges rounded with radius r around c are nearest to one another. Edges
// that are parallel are so everywhere: what they turn against each other counts from kParallel on.
Vec3 nearest_way(const Stretch& stretch, const Vec3& c, double r) {
    constexpr double kParallel = 1e-3;  // of r
    const double middle = 0.5 * (stretch.low + stretch.high);
    const double half = 0.5 * (stretch.high - stretch.low);
    Vec3 d = stretch.from_b(middle);
    if (!(half > 0)) return d;
    const Vec3 change = 0.5 * (stretch.from_b(stretch.high) - stretch.from_b(stretch.low));
    const double least = kParallel * r;
    const double t = -change.dot(d + r * c) / (change.squaredNorm() + least * least);
    d += std::clamp(t, -1.0, 1.0) * change;
    return d;
}

}  // namespace

bool add_meeting_edges(const Edge& a, const Edge& b, double reach, double margin, std::uint32_t low,
                       std::uint32_t high, Manifold& m) {
    if (a.line.dir.cross(b.line.dir).norm() > kParallelSine) return false;
    const Stretch stretch = common_stretch(a.line, b.line);
    const double single = kSinglePoint * (a.line.half + b.line.half);
    if (stretch.high < stretch.low - single) return false;
    const std::optional<Fan> normals = common_normals(a, b);
    if (!normals) return false;

    // Twice the reach: within it d turns n by 30 degrees at most, also where the edges overlap.
    const Vec3 rounding = 2 * reach * normals->middle;
    const Vec3 d = nearest_way(stretch, normals->middle, 2 * reach);
    if (d.norm() > reach && std::abs(normals->angle(d)) > normals->half) return false;
    const double angle = std::clamp(normals->angle(d + rounding), -normals->half, normals->half);
    const Vec3 n = std::cos(angle) * normals->middle + std::sin(angle) * normals->across;
    const auto add = [&](double s, std::uint32_t name) {
        const double phi = n.dot(stretch.from_b(s));
        if (phi <= margin) m.add_on_A(a.line.at(s), n, phi, name);
    };
    add(stretch.low, low);
    if (stretch.high - stretch.low > single) add(stretch.high, high);
    return true;
}

}  // namespace stiction
