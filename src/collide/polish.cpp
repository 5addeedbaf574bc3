// polish.cpp - Newton's method on the distance of two curves.
//
// Convex shapes that do not meet face to something touch with a corner, an edge, the side of a
// cylinder (its axis, less the radius), the end or side of a capsule (likewise) or the rim of a
// cylinder. Each is a curve x(s) with a rounding radius. Nearest points of separate shapes and
// least ways out of overlapping ones are both stationary points of |x(s) - y(t)|^2 / 2; which pair
// of curves is the right one is found by trying.
#include "collide/polish.h"

#include <array>
#include <cmath>

#include "collide/cylinder.h"
#include "collide/face.h"

namespace stiction {
namespace {

constexpr double kExact = 1e-9;      // of the shapes' size: agreement that proves a pair of curves
constexpr double kTiny = 1e-9;       // of the shapes' size: points too near to have a direction
constexpr double kSameNormal = 0.1;  // [rad] or so: the guess is to be polished, not replaced
constexpr double kNearby = 1e-3;  // of the shapes' size: corners nearly as far out as the furthest
constexpr int kMaxCorners = 4;    // a face of a box; every two of them make a line
constexpr int kIterations = 12;   // Newton steps from a near guess: more would not help

struct Curve {
    enum class Kind { kPoint, kLine, kCircle } kind = Kind::kPoint;
    Vec3 centre = Vec3::Zero();
    Vec3 u = Vec3::Zero();  // line: unit direction; circle: radius times a unit vector
    Vec3 v = Vec3::Zero();  // circle: a quarter turn on
    double half = 0;        // line: parameter in [-half, half] [m]
    double rounding = 0;    // [m]
};

struct CurvePoint {
    Vec3 x, d1, d2;  // position and derivatives
};

CurvePoint point_on(const Curve& c, double s) {
    if (c.kind == Curve::Kind::kPoint) return {c.centre, Vec3::Zero(), Vec3::Zero()};
    if (c.kind == Curve::Kind::kLine) return {c.centre + s * c.u, c.u, Vec3::Zero()};
    const double cs = std::cos(s), sn = std::sin(s);
    const Vec3 arm = cs * c.u + sn * c.v;
    return {c.centre + arm, cs * c.v - sn * c.u, -arm};
}

// Parameter of the curve's point nearest to x.
double parameter(const Curve& c, const Vec3& x) {
    if (c.kind == Curve::Kind::kLine) return c.u.dot(x - c.centre);
    if (c.kind == Curve::Kind::kCircle)
        return std::atan2(c.v.dot(x - c.centre), c.u.dot(x - c.centre));
    return 0;
}

struct Curves {
    std::array<Curve, kMaxCorners + kMaxCorners*(kMaxCorners - 1) / 2> list;
    int count = 0;
    void add(const Curve& c) { list[at(count++)] = c; }
};

// Candidates on a shape whose outward direction at the contact is d.
Curves curves(const WorldGeom& g, const Vec3& d, double tolerance) {
    using enum Curve::Kind;
    Curves out;
    if (g.kind == ShapeKind::kCylinder) {
        const RimBasis rim = rim_basis(g, d);
        out.add({kCircle, g.end(d.dot(g.axis()) > 0 ? 1 : -1), rim.first, rim.second, 0, 0});
        out.add({kLine, g.p, g.axis(), Vec3::Zero(), g.length, g.radius});
        return out;
    }
    const double rounding = g.kind == ShapeKind::kCapsule ? g.radius : 0.0;
    const Polygon corners = support_corners(g, d, tolerance);
    const int n = std::min(corners.count, kMaxCorners);
    for (int i = 0; i < n; ++i) {
        const Vec3& p = corners.points[at(i)];
        for (int j = i + 1; j < n; ++j) {
            const Vec3 edge = corners.points[at(j)] - p;
            out.add({kLine, p + 0.5 * edge, edge.normalized(), Vec3::Zero(), 0.5 * edge.norm(),
                     rounding});
        }
    }
    for (int i = 0; i < n; ++i)
        out.add({kPoint, corners.points[at(i)], Vec3::Zero(), Vec3::Zero(), 0, rounding});
    return out;
}

// Stationary point of the distance from the given start; false if a line's end is passed.
bool stationary(const Curve& a, const Curve& b, double size, double& s, double& t) {
    for (int i = 0; i < kIterations; ++i) {
        const CurvePoint x = point_on(a, s), y = point_on(b, t);
        const Vec3 d = x.x - y.x;
        const double gs = d.dot(x.d1), gt = -d.dot(y.d1);
        // Points have no derivative: a one on the diagonal leaves their parameter alone.
        const double hss = a.kind == Curve::Kind::kPoint ? 1 : x.d1.squaredNorm() + d.dot(x.d2);
        const double htt = b.kind == Curve::Kind::kPoint ? 1 : y.d1.squaredNorm() - d.dot(y.d2);
        const double hst = -x.d1.dot(y.d1);
        const double det = hss * htt - hst * hst;
        if (std::abs(det) <= 1e-12 * std::abs(hss * htt)) return false;
        const double ds = (hst * gt - htt * gs) / det, dt = (hst * gs - hss * gt) / det;
        s += ds;
        t += dt;
        if (std::abs(ds) * x.d1.norm() + std::abs(dt) * y.d1.norm() < 1e-14 * size) break;
    }
    const double slack = kExact * size;
    return (a.kind != Curve::Kind::kLine || std::abs(s) <= a.half + slack) &&
           (b.kind != Curve::Kind::kLine || std::abs(t) <= b.half + slack);
}

}  // namespace

void polish(const WorldGeom& a, const WorldGeom& b, double size, NearestPoints& nearest) {
    const Vec3 guess = nearest.n;
    const Curves of_a = curves(a, -guess, kNearby * size), of_b = curves(b, guess, kNearby * size);
    bool proven = false;
    for (int i = 0; i < of_a.count; ++i) {
        for (int j = 0; j < of_b.count; ++j) {
            const Curve& ca = of_a.list[at(i)];
            const Curve& cb = of_b.list[at(j)];
            double s = parameter(ca, nearest.p_A), t = parameter(cb, nearest.p_B);
            if (!stationary(ca, cb, size, s, t)) continue;
            const CurvePoint x = point_on(ca, s), y = point_on(cb, t);
            const Vec3 d = x.x - y.x;
            Vec3 n = d.norm() > kTiny * size ? d.normalized() : x.d1.cross(y.d1).normalized();
            if (n.dot(guess) < 0) n = -n;
            if (!((n - guess).norm() < kSameNormal)) continue;
            const double phi = n.dot(d) - ca.rounding - cb.rounding;
            const double shown = gap_along(a, b, n);
            if (std::abs(shown - phi) > kExact * size) continue;
            if (shown < nearest.phi - kExact * size || (proven && shown <= nearest.phi)) continue;
            nearest = {n, x.x - ca.rounding * n, y.x + cb.rounding * n, phi};
            proven = true;
        }
    }
}

}  // namespace stiction
