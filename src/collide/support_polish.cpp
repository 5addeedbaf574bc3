// support_polish.cpp - Newton's method on the gap as a function of its direction.
#include "collide/support_polish.h"

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>

#include "collide/cone.h"
#include "collide/face.h"

namespace stiction {
namespace {

using Kind = SupportFeature::Kind;

constexpr double kExact = 1e-9;   // of the shapes' size: agreement that proves a pair of features
constexpr double kNearby = 1e-2;  // of the shapes' size: corners nearly as far out as the furthest
constexpr int kMaxCorners = 6;    // every two of them make a line
constexpr double kDeep = 0.01;  // of the size: from here on the first way out may not be the least
constexpr double kWorthTrying = 1.5;  // of the gap found: what another start may be deeper
constexpr int kIterations = 40;
constexpr double kLongestStep = 0.3;   // [rad]
constexpr double kConverged = 1e-15;   // [rad]
constexpr double kStationary = 1e-10;  // of the size: what may be left of the gradient
constexpr double kSideBySide = 1e-6;   // sine: two features that fix no one n

struct SupportPoint {
    Vec3 x;
    Mat3 turns;  // how x moves with the direction
};

// False where the support point is not one but a whole circle.
bool support_point(const SupportFeature& f, const Vec3& o, SupportPoint& point) {
    point = {f.centre, Mat3::Zero()};
    if (f.kind == Kind::kCircle) {
        const Vec3 across = o - o.dot(f.axis) * f.axis;
        const double length = across.norm();
        if (length < kSideBySide) return false;
        const Vec3 out = across / length, along = f.axis.cross(out);
        point = {f.centre + f.radius * out, f.radius / length * along * along.transpose()};
    } else if (f.kind == Kind::kEllipsoid) {
        const Vec3 y = f.half_axes.transpose() * o;
        const double length = y.norm();
        const Vec3 unit = y / length;
        const Vec3 out = f.half_axes * unit;
        point = {f.centre + out,
                 (f.half_axes * f.half_axes.transpose() - out * out.transpose()) / length};
    }
    return true;
}

// n . axis = sine.
struct Constraint {
    Vec3 axis;
    double sine;
};

bool is_bound(const SupportFeature& f) {
    return f.kind == Kind::kLine || f.kind == Kind::kConeSide;
}
bool is_free(const SupportFeature& f) { return !is_bound(f) && f.kind != Kind::kFace; }

// Stationary directions of the gap of one pair of features.
class Gap {
  public:
    Gap(const SupportFeature& a, const SupportFeature& b, double size)
        : a_(a), b_(b), size_(size) {}

    bool solve(Vec3& n) {
        if (a_.kind == Kind::kFace || b_.kind == Kind::kFace) {
            n = b_.kind == Kind::kFace ? b_.axis : Vec3(-a_.axis);
            return true;
        }
        if (is_bound(a_) && is_bound(b_)) return solve_bound(n);
        if (is_bound(a_) || is_bound(b_)) return solve_on_circle(n);
        return solve_free(n);
    }
    bool evaluate(const Vec3& n) {
        if (!support_point(a_, -n, at_a_) || !support_point(b_, n, at_b_)) return false;
        d_ = at_a_.x - at_b_.x;
        return true;
    }
    [[nodiscard]] double value(const Vec3& n) const {
        return n.dot(d_) - a_.rounding - b_.rounding;
    }
    [[nodiscard]] const Vec3& x_a() const { return at_a_.x; }
    [[nodiscard]] const Vec3& x_b() const { return at_b_.x; }

  private:
    // As conditions on n, which points into A.
    [[nodiscard]] Constraint constraint_a() const { return {a_.axis, -a_.slope}; }
    [[nodiscard]] Constraint constraint_b() const { return {b_.axis, b_.slope}; }

    // Both fix an angle to their axes: two directions, of which the one near the guess is taken.
    bool solve_bound(Vec3& n) const {
        const Constraint k = constraint_a(), l = constraint_b();
        const Vec3 across = k.axis.cross(l.axis);
        const double sine2 = across.squaredNorm(), c = k.axis.dot(l.axis);
        if (sine2 < kSideBySide * kSideBySide) return false;
        const Vec3 within =
            ((k.sine - c * l.sine) * k.axis + (l.sine - c * k.sine) * l.axis) / sine2;
        const double rest2 = 1 - within.squaredNorm();
        if (rest2 < 0) return false;
        const double sign = across.dot(n) < 0 ? -1 : 1;
        n = within + sign * std::sqrt(rest2 / sine2) * across;
        return true;
    }

    bool solve_on_circle(Vec3& n) {
        const Constraint k = is_bound(a_) ? constraint_a() : constraint_b();
        Vec3 e = n - n.dot(k.axis) * k.axis;
        if (e.norm() < kSideBySide) return false;
        e.normalize();
        const double cosine = std::sqrt(1 - k.sine * k.sine);
        for (int i = 0; i < kIterations; ++i) {
            n = k.sine * k.axis + cosine * e;
            if (!evaluate(n)) return false;
            const Vec3 along = cosine * k.axis.cross(e);  // dn / d angle
            const double slope = along.dot(d_);
            const double bend =
                -cosine * e.dot(d_) - along.dot((at_a_.turns + at_b_.turns) * along);
            double step = bend < 0 ? -slope / bend : std::copysign(kLongestStep, slope);
            step = std::clamp(step, -kLongestStep, kLongestStep);
            if (std::abs(step) < kConverged || std::abs(slope) < kConverged * size_) break;
            e = (std::cos(step) * e + std::sin(step) * k.axis.cross(e)).normalized();
        }
        n = k.sine * k.axis + cosine * e;
        return evaluate(n) && std::abs(k.axis.cross(e).dot(d_)) < kStationary * size_;
    }

    // Bent the wrong way, the gap is climbed along its slope.
    bool solve_free(Vec3& n) {
        for (int i = 0; i < kIterations; ++i) {
            if (!evaluate(n)) return false;
            Eigen::Matrix<double, 3, 2> plane;
            plane.col(0) = n.unitOrthogonal();
            plane.col(1) = n.cross(plane.col(0));
            const Eigen::Vector2d slope = plane.transpose() * d_;
            Eigen::Matrix2d bend = -(plane.transpose() * (at_a_.turns + at_b_.turns) * plane);
            bend.diagonal().array() -= n.dot(d_);
            const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(bend);
            const Eigen::Vector2d along = eigen.eigenvectors().transpose() * slope;
            Eigen::Vector2d step;
            for (int k = 0; k < 2; ++k) {
                const double value = eigen.eigenvalues()[k];
                step[k] = value < 0 ? -along[k] / value : std::copysign(kLongestStep, along[k]);
                if (along[k] == 0) step[k] = 0;
            }
            if (step.norm() > kLongestStep) step *= kLongestStep / step.norm();
            if (step.norm() < kConverged || slope.norm() < kConverged * size_) break;
            n = (n + plane * (eigen.eigenvectors() * step)).normalized();
        }
        if (!evaluate(n)) return false;
        return (d_ - n.dot(d_) * n).norm() < kStationary * size_;
    }

    const SupportFeature &a_, &b_;
    double size_;
    SupportPoint at_a_, at_b_;
    Vec3 d_ = Vec3::Zero();
};

// The line along which the feature is furthest in direction o.
Segment line_of(const SupportFeature& f, const Vec3& o) {
    if (f.kind == Kind::kLine) return {f.centre, f.axis, f.half};
    const Vec3 out = (o - o.dot(f.axis) * f.axis).normalized();
    const double cosine = std::sqrt(1 - f.slope * f.slope);
    const Vec3 down = f.slope * out - cosine * f.axis;  // from the apex to the rim
    return {f.centre + 0.5 * f.half * down, down, 0.5 * f.half};
}

bool reaches(const Segment& line, const Vec3& x, double slack) {
    return std::abs(line.dir.dot(x - line.centre)) <= line.half + slack;
}

}  // namespace

SupportFeature ellipsoid_feature(const WorldGeom& g) {
    SupportFeature f;
    f.kind = Kind::kEllipsoid;
    f.centre = g.p;
    f.half_axes = g.R * g.half.asDiagonal();
    return f;
}

bool settle(const SupportFeature& a, const SupportFeature& b, double size, NearestPoints& nearest) {
    Gap gap(a, b, size);
    Vec3 n = nearest.n;
    if (!gap.solve(n) || !n.allFinite() || !gap.evaluate(n)) return false;
    const double phi = gap.value(n), slack = kExact * size;
    Vec3 p_A;
    if (is_free(a)) {
        p_A = gap.x_a() - a.rounding * n;
        if (is_bound(b) && !reaches(line_of(b, n), p_A, slack)) return false;
    } else if (is_free(b)) {
        p_A = gap.x_b() + (b.rounding + phi) * n;
        if (is_bound(a) && !reaches(line_of(a, -n), p_A, slack)) return false;
    } else if (is_bound(a) && is_bound(b)) {
        const Segment la = line_of(a, -n), lb = line_of(b, n);
        const double c = la.dir.dot(lb.dir);
        const Vec3 r = la.centre - lb.centre;
        if (1 - c * c < kSideBySide * kSideBySide) return false;
        const double s = (c * lb.dir.dot(r) - la.dir.dot(r)) / (1 - c * c);
        const Vec3 x = la.at(s);
        if (!reaches(la, x, slack) || !reaches(lb, x, slack)) return false;
        p_A = x - a.rounding * n;
    } else {
        return false;
    }
    nearest = {n, p_A, p_A - phi * n, phi};
    return true;
}

namespace {

// The features of a shape that may be what is nearest in the outward direction d.
struct Features {
    // Corners of a face, the lines between every two of them, and the face.
    std::array<SupportFeature, kMaxCorners*(kMaxCorners + 1) / 2 + 1> list;
    int count = 0;
    SupportFeature& add(Kind kind, const Vec3& centre) {
        SupportFeature& f = list[at(count++)];
        f = SupportFeature{};
        f.kind = kind;
        f.centre = centre;
        return f;
    }
    void add_line(const Vec3& centre, const Vec3& axis, double half, double rounding) {
        SupportFeature& f = add(Kind::kLine, centre);
        f.axis = axis;
        f.half = half;
        f.rounding = rounding;
    }
    void add_point(const Vec3& centre, double rounding) {
        add(Kind::kPoint, centre).rounding = rounding;
    }
    void add_circle(const Vec3& centre, const Vec3& axis, double radius) {
        SupportFeature& f = add(Kind::kCircle, centre);
        f.axis = axis;
        f.radius = radius;
    }
};

void add_corners(const WorldGeom& g, const Vec3& d, double tolerance, Features& out) {
    const double rounding = g.kind == ShapeKind::kCapsule ? g.radius : 0.0;
    const Polygon corners = support_corners(g, d, tolerance);
    const int n = std::min(corners.count, kMaxCorners);
    for (int i = 0; i < n; ++i) {
        const Vec3& p = corners.points[at(i)];
        for (int j = i + 1; j < n; ++j) {
            const Vec3 edge = corners.points[at(j)] - p;
            out.add_line(p + 0.5 * edge, edge.normalized(), 0.5 * edge.norm(), rounding);
        }
        out.add_point(p, rounding);
    }
}

void add_cone(const WorldGeom& g, Features& out) {
    const ConeSlope slope(g);
    out.add_circle(g.end(-1), g.axis(), g.radius);
    out.add_point(g.end(1), 0);
    SupportFeature& side = out.add(Kind::kConeSide, g.end(1));
    side.axis = g.axis();
    side.half = slope.slant;
    side.slope = slope.sine;
}

Features features_of(const WorldGeom& g, const Vec3& d, double tolerance) {
    Features out;
    switch (g.kind) {
        case ShapeKind::kEllipsoid:
            out.list[at(out.count++)] = ellipsoid_feature(g);
            return out;
        case ShapeKind::kSphere:
            out.add_point(g.p, g.radius);
            return out;
        case ShapeKind::kCone:
            add_cone(g, out);
            break;
        case ShapeKind::kCylinder:
            out.add_circle(g.end(d.dot(g.axis()) > 0 ? 1 : -1), g.axis(), g.radius);
            out.add_line(g.p, g.axis(), g.length, g.radius);
            break;
        default:
            add_corners(g, d, tolerance, out);
            break;
    }
    if (const std::optional<Face> face = face_towards(g, d)) {
        SupportFeature& f = out.add(Kind::kFace, face->offset * face->normal);
        f.axis = face->normal;
    }
    return out;
}

}  // namespace

namespace {

// The best of what the features near one direction give; false where none is proven.
bool polish_from(const WorldGeom& a, const WorldGeom& b, double size, const Vec3& guess,
                 NearestPoints& nearest) {
    const Features of_a = features_of(a, -guess, kNearby * size);
    const Features of_b = features_of(b, guess, kNearby * size);
    NearestPoints best = nearest;
    bool proven = false;
    for (int i = 0; i < of_a.count; ++i) {
        for (int j = 0; j < of_b.count; ++j) {
            NearestPoints found = nearest;
            found.n = guess;
            if (!settle(of_a.list[at(i)], of_b.list[at(j)], size, found)) continue;
            if (std::abs(gap_along(a, b, found.n) - found.phi) > kExact * size) continue;
            if (found.phi < best.phi - kExact * size || (proven && found.phi <= best.phi)) continue;
            best = found;
            proven = true;
        }
    }
    nearest = best;
    return proven;
}

// Calls f(n) for directions out of the shape, B's or A's turned round, in which ways out end.
template <class F>
void for_ways_out(const WorldGeom& g, const F& f) {
    if (g.kind == ShapeKind::kHull) {
        for (const Hull::Face& face : g.hull->faces) f(g.R * face.normal);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        f(g.R.col(k));
        f(-g.R.col(k));
    }
}

}  // namespace

// Deep in one another shapes have several ways out, each the least of its neighbourhood; EPA ends at one
// of them. Others are looked for from the shapes' axes and faces.
void polish_by_support(const WorldGeom& a, const WorldGeom& b, double size,
                       NearestPoints& nearest) {
    const bool proven = polish_from(a, b, size, nearest.n, nearest);
    if (nearest.phi > -kDeep * size) return;
    if (!proven) {
        nearest = search_directions(a, b, nearest);
        polish_from(a, b, size, nearest.n, nearest);
    }
    const double least = kWorthTrying * nearest.phi;
    const auto try_from = [&](const Vec3& n) {
        if (gap_along(a, b, n) > least) polish_from(a, b, size, n, nearest);
    };
    for_ways_out(b, try_from);
    for_ways_out(a, [&](const Vec3& n) { try_from(-n); });
    const Vec3 apart = a.p - b.p;
    if (apart.norm() > kExact * size) try_from(apart.normalized());
}

}  // namespace stiction
