// friction_law.cpp - enumeration of the states of one contact under polygon friction.
#include "solve/cone/friction_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/factor/block_lu.h"

namespace stiction {

namespace {

using Vec2 = Eigen::Vector2d;

double cross(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }

// i with x between direction i and the next: by halves, since directions of one half plane are in
// order by the sign of their cross product with x.
std::size_t sector(const FrictionDirections& directions, const Vec2& x) {
    const std::size_t upper = (directions.size() + 1) / 2;  // those with angles below a half turn
    std::size_t low = x[1] >= 0 ? 0 : upper - 1;
    std::size_t high = x[1] >= 0 ? upper : directions.size();
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (cross(directions[middle], x) >= 0 ? low : high) = middle;
    }
    return low;
}

// Keeps the candidate that violates the law least; offer() is true once one does not, but for
// rounding.
class Best {
  public:
    Best(const Mat3& W, const Vec3& q, const PolygonLaw& law)
        : W_(W), q_(q), law_(law), weight_(W.trace() / 3) {}

    bool offer(const Vec3& r) {
        constexpr double kRounding = 1e-14;  // some ten operations on numbers of the size of q
        const Vec3 x = weight_ * r;
        const double error = (x - law_.project(weight_, x - law_.dual(W_ * r + q_))).norm();
        if (error < error_) {
            error_ = error;
            r_ = r;
        }
        return error_ <= kRounding * (q_.norm() + x.norm());
    }
    [[nodiscard]] const Vec3& r() const { return r_; }

  private:
    const Mat3& W_;
    const Vec3& q_;
    const PolygonLaw& law_;
    double weight_;
    double error_ = std::numeric_limits<double>::infinity();
    Vec3 r_ = Vec3::Zero();
};

// What slides along direction i, u_N = 0, and along the edge from there to direction i + 1, where
// u_T has no part along the edge. A part that is negative, or not finite: there is none.
struct Slides {
    Vec3 e_i, e_j;      // of the cone
    double alone = -1;  // of e_i
    double x_i = -1, x_j = -1;

    [[nodiscard]] bool on_corner() const { return alone >= 0; }
    [[nodiscard]] bool on_edge() const { return x_i >= 0 && x_j >= 0 && std::isfinite(x_i + x_j); }
    [[nodiscard]] Vec3 corner() const { return alone * e_i; }
    [[nodiscard]] Vec3 edge() const { return x_i * e_i + x_j * e_j; }
};

Slides sliding(const Mat3& W, const Vec3& q, const PolygonLaw& law, std::size_t i) {
    const Vec2& d_i = law.directions[i];
    const Vec2& d_j = law.directions[(i + 1) % law.directions.size()];
    Slides slides;
    slides.e_i = {1, law.mu * d_i[0], law.mu * d_i[1]};
    slides.e_j = {1, law.mu * d_j[0], law.mu * d_j[1]};
    const double w_i = W.row(0).dot(slides.e_i);
    const double w_j = W.row(0).dot(slides.e_j);
    if (w_i > 0) slides.alone = -q[0] / w_i;
    const Vec2 along = d_j - d_i;
    const Vec3 along_W = W.bottomRows<2>().transpose() * along;
    const double t_i = along_W.dot(slides.e_i);
    const double t_j = along_W.dot(slides.e_j);
    const double t_q = along.dot(q.tail<2>());
    const double determinant = w_i * t_j - w_j * t_i;
    slides.x_i = (w_j * t_q - t_j * q[0]) / determinant;
    slides.x_j = (t_i * q[0] - w_i * t_q) / determinant;
    return slides;
}

// True when one of them is the answer.
bool offer_sliding(const Mat3& W, const Vec3& q, const PolygonLaw& law, std::size_t i, Best& best) {
    const Slides slides = sliding(W, q, law, i);
    if (slides.on_corner() && best.offer(slides.corner())) return true;
    return slides.on_edge() && best.offer(slides.edge());
}

// The same without a look at all of the law: u_N vanishes in both, so what is left of it is that no
// direction is more against u_T, and u_T being convex in them the next ones tell.
bool find_sliding(const Mat3& W, const Vec3& q, const PolygonLaw& law, std::size_t i, Vec3& r) {
    const Slides slides = sliding(W, q, law, i);
    const std::size_t sides = law.directions.size();
    const auto against = [&](std::size_t k, const Vec2& u) { return -law.directions[k].dot(u); };
    const auto velocity = [&](const Vec3& x) -> Vec2 {
        return W.bottomRows<2>() * x + q.tail<2>();
    };
    if (slides.on_corner()) {
        r = slides.corner();
        const Vec2 u = velocity(r);
        const double most = against(i, u);
        if (most >= 0 && most >= against((i + 1) % sides, u) &&
            most >= against((i + sides - 1) % sides, u))
            return true;
    }
    if (!slides.on_edge()) return false;
    r = slides.edge();
    return against(i, velocity(r)) >= 0;
}

// Directions from the first one outwards: first, first + 1, first - 1, ...
std::size_t outwards(std::size_t first, std::size_t k, std::size_t sides) {
    return (first + (k % 2 == 0 ? k / 2 : sides - (k + 1) / 2)) % sides;
}

}  // namespace

void set_directions(int sides, FrictionDirections& directions) {
    directions.resize(at(sides));
    for (int i = 0; i < sides; ++i) {
        constexpr double kCosine[] = {1, 0, -1, 0, 1};
        const int quarter = 4 * i / sides;
        const double angle = 2 * M_PI * i / sides;
        directions[at(i)] = 4 * i % sides == 0 ? Vec2(kCosine[quarter], kCosine[(quarter + 3) % 4])
                                               : Vec2(std::cos(angle), std::sin(angle));
    }
}

bool cone_derivative(double mu, const Vec3& x, Mat3& P) {
    const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    if (mu * t <= -x[0]) {
        P.setZero();
        return false;
    }
    if (t <= mu * x[0]) {
        P.setIdentity();
        return true;
    }
    const double k = 1 / (1 + mu * mu);
    const double s = (x[0] + mu * t) * k;
    const Vec3 along(1, mu * x[1] / t, mu * x[2] / t);
    const Vec3 across(0, -x[2] / t, x[1] / t);
    P = k * along * along.transpose() + (mu * s / t) * across * across.transpose();
    return true;
}

namespace {

// Parts of the offset cone a point may be nearest to: itself, the side, the disc x_N = 0 or its rim.
enum class OffsetPlace { kInside, kSide, kDisc, kRim };

// On the side the nearest point has x_N = n.
OffsetPlace offset_place(double mu, double s, const Vec3& x, double t, double& n) {
    if (x[0] >= 0 && t <= mu * x[0] + s) return OffsetPlace::kInside;
    if (x[0] < 0 && t <= s) return OffsetPlace::kDisc;
    n = (x[0] + mu * (t - s)) / (1 + mu * mu);
    if (n > 0) return OffsetPlace::kSide;
    n = 0;
    return OffsetPlace::kRim;
}

}  // namespace

Vec3 project_on_offset_cone(double mu, double s, const Vec3& x) {
    const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    double n = 0;
    switch (offset_place(mu, s, x, t, n)) {
        case OffsetPlace::kInside:
            return x;
        case OffsetPlace::kDisc:
            return {0, x[1], x[2]};
        case OffsetPlace::kSide:
            return {n, (mu * n + s) * x[1] / t, (mu * n + s) * x[2] / t};
        case OffsetPlace::kRim:
            break;
    }
    return t > 0 ? Vec3(0, s * x[1] / t, s * x[2] / t) : Vec3::Zero();
}

bool offset_cone_derivative(double mu, double s, const Vec3& x, Mat3& P) {
    const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    double n = 0;
    const OffsetPlace place = offset_place(mu, s, x, t, n);
    P.setZero();
    if (place == OffsetPlace::kInside) P.setIdentity();
    if (place == OffsetPlace::kDisc) P(1, 1) = P(2, 2) = 1;
    if (place == OffsetPlace::kInside || place == OffsetPlace::kDisc) return true;
    if (t == 0) return false;
    const Vec3 along(1, mu * x[1] / t, mu * x[2] / t);
    const Vec3 across(0, -x[2] / t, x[1] / t);
    if (place == OffsetPlace::kSide) P = along * along.transpose() / (1 + mu * mu);
    P += ((mu * n + s) / t) * across * across.transpose();
    return place == OffsetPlace::kSide || s > 0;
}

Vec3 cone_answer(double mu, const Vec3& z) {
    if (!(z[0] > 0)) return Vec3::Zero();
    const double t = std::sqrt(z[1] * z[1] + z[2] * z[2]);
    if (t <= mu * z[0]) return z;
    const double g = mu * z[0] / t;
    return {z[0], g * z[1], g * z[2]};
}

bool cone_answer_derivative(double mu, const Vec3& z, Mat3& P) {
    P.setZero();
    if (!(z[0] > 0)) return false;
    const double t = std::sqrt(z[1] * z[1] + z[2] * z[2]);
    if (t <= mu * z[0]) {
        P.setIdentity();
        return true;
    }
    const double c = z[1] / t, s = z[2] / t, g = mu * z[0] / t;
    P << 1, 0, 0,                       //
        mu * c, g * s * s, -g * c * s,  //
        mu * s, -g * c * s, g * c * c;
    return true;
}

namespace {

// The point of radius * conv(directions) nearest to x is x, on an edge, or a corner:
// point = A x + radius * b.
struct OnPolygon {
    Eigen::Matrix2d A = Eigen::Matrix2d::Identity();
    Vec2 b = Vec2::Zero();
};

OnPolygon nearest_in_plane(const FrictionDirections& directions, double radius, const Vec2& x) {
    OnPolygon nearest;
    const std::size_t i = sector(directions, x);
    const Vec2& a = directions[i];
    const Vec2& b = directions[(i + 1) % directions.size()];
    const Vec2 n = (a + b).normalized();
    if (n.dot(x) <= radius * n.dot(a)) return nearest;
    nearest.A -= n * n.transpose();
    nearest.b = n.dot(a) * n;
    const Vec2 p = nearest.A * x + radius * nearest.b;
    if (cross(a, p) >= 0 && cross(p, b) >= 0) return nearest;
    return {Eigen::Matrix2d::Zero(), a.dot(x) >= b.dot(x) ? a : b};
}

}  // namespace

Vec3 polygon_answer(double mu, const FrictionDirections& directions, const Vec3& z) {
    if (!(z[0] > 0)) return Vec3::Zero();
    const OnPolygon nearest = nearest_in_plane(directions, mu * z[0], z.tail<2>());
    const Vec2 t = nearest.A * z.tail<2>() + (mu * z[0]) * nearest.b;
    return {z[0], t[0], t[1]};
}

bool polygon_answer_derivative(double mu, const FrictionDirections& directions, const Vec3& z,
                               Mat3& P) {
    P.setZero();
    if (!(z[0] > 0)) return false;
    const OnPolygon nearest = nearest_in_plane(directions, mu * z[0], z.tail<2>());
    P(0, 0) = 1;
    P.block<2, 1>(1, 0) = mu * nearest.b;
    P.block<2, 2>(1, 1) = nearest.A;
    return true;
}

Vec2 polygon_slope(double mu, const FrictionDirections& directions, const Vec3& u) {
    double most = 0;
    Vec2 slope = Vec2::Zero();
    for (const Vec2& d : directions) {
        if (!(-d.dot(u.tail<2>()) > most)) continue;
        most = -d.dot(u.tail<2>());
        slope = -mu * d;
    }
    return slope;
}

double polygon_shift(double mu, const FrictionDirections& directions, const Vec3& u) {
    double most = 0;
    for (const Vec2& d : directions) most = std::max(most, -d.dot(u.tail<2>()));
    return mu * most;
}

namespace {

// Where the point of the polygon's cone nearest to x lies: x itself, on a facet with this outward
// normal, on an edge along this direction, or at the apex.
struct Nearest {
    enum Place { kInside, kFacet, kEdge, kApex } place;
    Vec3 direction;
};

// The cone is symmetric about every plane through a direction and the normal, so the nearest point
// lies in the sector of x_T, on its facet, on one of its two edges, or at the apex.
Nearest nearest_on_polygon(double mu, const FrictionDirections& directions, const Vec3& x) {
    if (mu == 0) return {x[0] > 0 ? Nearest::kEdge : Nearest::kApex, Vec3::UnitX()};
    const std::size_t i = sector(directions, x.tail<2>());
    const Vec2& a = directions[i];
    const Vec2& b = directions[(i + 1) % directions.size()];
    const Vec3 edge_a(1, mu * a[0], mu * a[1]);
    const Vec3 edge_b(1, mu * b[0], mu * b[1]);
    const Vec3 outward = edge_b.cross(edge_a);  // of the facet
    const double outside = outward.dot(x);
    // The normal part of edge_a x edge_b is positive, so that of `outward` is negative.
    if (outside <= 0) return {Nearest::kInside, Vec3::Zero()};
    const Vec3 on_facet = x - outward * (outside / outward.squaredNorm());
    if (cross(a, on_facet.tail<2>()) >= 0 && cross(on_facet.tail<2>(), b) >= 0 &&
        on_facet[0] >= 0) {
        return {Nearest::kFacet, outward};
    }
    // Both edges have the same length, so the nearer one has more of x along it.
    const double along_a = edge_a.dot(x), along_b = edge_b.dot(x);
    if (std::max(along_a, along_b) <= 0) return {Nearest::kApex, Vec3::Zero()};
    return {Nearest::kEdge, along_b > along_a ? edge_b : edge_a};
}

}  // namespace

Vec3 project_on_polygon(double mu, const FrictionDirections& directions, const Vec3& x) {
    const Nearest nearest = nearest_on_polygon(mu, directions, x);
    const Vec3& d = nearest.direction;
    switch (nearest.place) {
        case Nearest::kInside:
            return x;
        case Nearest::kFacet:
            return x - d * (d.dot(x) / d.squaredNorm());
        case Nearest::kEdge:
            return d * (d.dot(x) / d.squaredNorm());
        case Nearest::kApex:
            break;
    }
    return Vec3::Zero();
}

bool polygon_derivative(double mu, const FrictionDirections& directions, const Vec3& x, Mat3& P) {
    const Nearest nearest = nearest_on_polygon(mu, directions, x);
    const Vec3& d = nearest.direction;
    P.setZero();
    if (nearest.place == Nearest::kApex) return false;
    if (nearest.place != Nearest::kEdge) P.setIdentity();
    const double sign = nearest.place == Nearest::kEdge ? 1 : -1;
    if (nearest.place != Nearest::kInside) P += (sign / d.squaredNorm()) * d * d.transpose();
    return true;
}

Vec3 solve_polygon_contact(const Mat3& W, const Vec3& q, double mu,
                           const FrictionDirections& directions) {
    if (q[0] >= 0 || !(W(0, 0) > 0)) return Vec3::Zero();
    const double n0 = -q[0] / W(0, 0);
    if (mu == 0) return {n0, 0, 0};
    const PolygonLaw law{mu, directions};
    Mat3 inverse;
    Vec3 stuck = Vec3::Zero(), held = Vec3::Zero();
    if (invert3(W, inverse)) {
        stuck = -(inverse * q);
        const double inscribed =
            mu * stuck[0] *
            directions.front().dot((directions.front() + directions[1]).normalized());
        if (inscribed > 0 && stuck.tail<2>().squaredNorm() <= inscribed * inscribed) return stuck;
        held = law.project(1, stuck);
        if (stuck[0] > 0 && held == stuck) return stuck;
    }
    // From the direction against the velocity without friction.
    const std::size_t sides = directions.size();
    const std::size_t first = sector(directions, -q.tail<2>() - n0 * W.block<2, 1>(1, 0));
    Vec3 r;
    for (std::size_t k = 0; k < sides; ++k)
        if (find_sliding(W, q, law, outwards(first, k, sides), r)) return r;
    Best best(W, q, law);  // rounding left none: the nearest
    if (best.offer(held)) return held;
    for (std::size_t k = 0; k < sides; ++k)
        if (offer_sliding(W, q, law, outwards(first, k, sides), best)) break;
    return best.r();
}

}  // namespace stiction
