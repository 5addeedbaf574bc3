// friction_checks.cpp - the laws of friction, contact by contact.
#include "random/friction_checks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

using Vec2 = Eigen::Vector2d;

double tangential_speed(const ContactAnswer& contact) { return contact.u.tail<2>().norm(); }
double tangential_impulse(const ContactAnswer& contact) {
    return contact.weight * contact.c.tail<2>().norm();
}

Vec2 corner(int k, int sides) {
    const double angle = 2 * std::numbers::pi * k / sides;
    return {std::cos(angle), std::sin(angle)};
}

bool in_polygon_cone(double mu, int sides, const Vec3& y) {
    if (y[0] < 0) return false;  // all that matters where mu is 0
    const double inner = std::cos(std::numbers::pi / sides);
    for (int k = 0; k < sides; ++k) {
        const double angle = (2 * k + 1) * std::numbers::pi / sides;
        const Vec2 out(std::cos(angle), std::sin(angle));
        if (out.dot(y.tail<2>()) > mu * inner * y[0]) return false;
    }
    return true;
}

double largest_against(int sides, const Vec3& u) {  // max_k d_k . u_T
    double most = 0;
    for (int k = 0; k < sides; ++k) most = std::max(most, corner(k, sides).dot(u.tail<2>()));
    return most;
}

// The law of a row between known bounds: x - clamp(x - w).
double interval_error(double weight, double c, double w, double bound) {
    const double x = weight * c;
    return std::abs(x - std::clamp(x - w, -weight * bound, weight * bound));
}

// Bounds that are not known: it may be held, or pushed against its motion.
double unbounded_error(double weight, double c, double w) {
    return std::max(0.0, std::min(std::abs(w), weight * c * (w > 0 ? 1 : -1)));
}

}  // namespace

// y itself, the tip, or a point of the mantle, on which the
// best multiple of the ray (1, mu y_T/|y_T|) lies.
Vec3 nearest_in_cone(double mu, const Vec3& y) {
    const double length = y.tail<2>().norm();
    if (y[0] >= 0 && length <= mu * y[0]) return y;
    Vec3 ray(1, 0, 0);
    if (length > 0) ray.tail<2>() = (mu / length) * y.tail<2>();
    return std::max(0.0, ray.dot(y)) / ray.squaredNorm() * ray;
}

// y itself, or the nearest of all candidates on its
// rays and between neighbouring ones; each of them lies in the cone.
Vec3 nearest_in_polygon_cone(double mu, int sides, const Vec3& y) {
    if (in_polygon_cone(mu, sides, y)) return y;
    const auto ray = [&](int k) {
        const Vec2 d = mu * corner(k, sides);
        return Vec3(1, d.x(), d.y());
    };
    Vec3 best = Vec3::Zero();
    const auto offer = [&](const Vec3& candidate) {
        if ((candidate - y).squaredNorm() < (best - y).squaredNorm()) best = candidate;
    };
    for (int k = 0; k < sides; ++k) {
        const Vec3 a = ray(k), b = ray(k + 1);
        offer(std::max(0.0, a.dot(y)) / a.squaredNorm() * a);
        const double aa = a.dot(a), ab = a.dot(b), bb = b.dot(b), ay = a.dot(y), by = b.dot(y);
        const double determinant = aa * bb - ab * ab;
        const double s = (bb * ay - ab * by) / determinant, t = (aa * by - ab * ay) / determinant;
        if (s >= 0 && t >= 0) offer(s * a + t * b);  // a NaN (mu = 0) offers nothing
    }
    return best;
}

double cone_error(const ContactAnswer& contact) {
    const Vec3 x = contact.weight * contact.c;
    Vec3 d = contact.u;
    d[0] += contact.mu * tangential_speed(contact);
    return (x - nearest_in_cone(contact.mu, x - d)).norm();
}

double natural_cone_error(const ContactAnswer& contact) {
    ContactAnswer plain = contact;
    plain.weight = 1;
    return cone_error(plain);
}

double polygon_error(const ContactAnswer& contact, int sides) {
    const Vec3 x = contact.weight * contact.c;
    Vec3 d = contact.u;
    d[0] += contact.mu * largest_against(sides, contact.u);
    return (x - nearest_in_polygon_cone(contact.mu, sides, x - d)).norm();
}

// c_T = -h mu_v u_T; divided so that a stiff law gives a velocity and a soft one an impulse.
double friction_error(const Viscous&, const ContactAnswer& contact) {
    const double drag = contact.touching ? contact.drag : 0.0;
    const Vec2 wrong = contact.c.tail<2>() + drag * contact.u.tail<2>();
    return contact.weight * wrong.norm() / (1 + contact.weight * drag);
}

namespace {

// Of a contact that is held: the velocity along s and t that its friction should have stopped. With
// as much of it as there is it may slip, but is not pushed along.
double held_slip(const ContactAnswer& contact) {
    Vec2 slip = contact.u.tail<2>();
    for (int k = 0; k < 2; ++k) {
        const double c = contact.c[k + 1];
        const bool at_most = contact.at_most || std::abs(c) >= contact.most;
        if (at_most) slip[k] = unbounded_error(contact.weight, c, slip[k]);
    }
    return std::max(0.0, slip.norm() - contact.leeway);
}

}  // namespace

// What presses does not slip; what parts has no friction, or is held: it would press without.
double friction_error(const NoSlip& model, const ContactAnswer& contact) {
    const double slip = held_slip(contact);
    if (!model.release_separating) return contact.touching ? slip : tangential_impulse(contact);
    const double presses = std::max(0.0, contact.weight * contact.c[0]);
    const double parts = std::max(0.0, contact.u[0]);
    return std::max(std::min(presses, slip), std::min({parts, slip, tangential_impulse(contact)}));
}

double friction_error(const CoulombLcp& model, const ContactAnswer& contact) {
    return polygon_error(contact, model.sides);
}

double friction_error(const FrictionBox& model, const ContactAnswer& contact) {
    double worst = 0;
    for (int k = 1; k <= 2; ++k) {
        const double w = contact.u[k] + model.cfm * contact.c[k];
        const bool known = contact.last.has_value() || contact.mu == 0;
        const double bound = contact.mu * contact.last.value_or(0.0);
        worst = std::max(worst, known ? interval_error(contact.weight, contact.c[k], w, bound)
                                      : unbounded_error(contact.weight, contact.c[k], w));
    }
    return worst;
}

double friction_error(const CoulombCone&, const ContactAnswer& contact) {
    return cone_error(contact);
}

double friction_error(const MaxDissipation&, const ContactAnswer& contact) {
    const double bound = contact.mu * contact.c[0] + contact.leeway;
    return contact.weight * std::max(0.0, contact.c.tail<2>().norm() - bound);
}

}  // namespace stiction
