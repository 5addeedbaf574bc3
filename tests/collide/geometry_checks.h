// geometry_checks.h - shapes in the world and facts about them, written independently of
// src/collide.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "collide/collide.h"
#include "core/random.h"

namespace stiction {

inline Vec3 random_vector(Random& random, double size) {
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

inline Vec3 random_direction(Random& random) {
    for (;;) {
        const Vec3 v = random_vector(random, 1);
        if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
}

inline Quat random_rotation(Random& random) {
    for (;;) {
        const Quat q(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                     random.uniform(-1, 1));
        if (q.norm() > 0.1 && q.norm() < 1) return q.normalized();
    }
}

inline Quat about(const Vec3& axis, double angle) {
    return Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}

// Bodies with one geom each.
struct World {
    Model model;
    State state;

    int add(const Shape& shape, const Vec3& p, const Quat& q = Quat::Identity(),
            BodyKind kind = BodyKind::kDynamic) {
        Body body;
        body.kind = kind;
        body.mass = kind == BodyKind::kDynamic ? 1 : 0;
        model.bodies.push_back(body);
        Geom geom;
        geom.body = static_cast<int>(model.bodies.size()) - 1;
        geom.shape = shape;
        model.geoms.push_back(geom);
        state.pose.push_back({p, q});
        state.twist.push_back({});
        return geom.body;
    }
    [[nodiscard]] std::vector<Contact> collide(
        double lookahead, double h = 0, NarrowphaseKind kind = NarrowphaseKind::kExact) const {
        Narrowphase narrowphase(model, {lookahead});
        ContactSet set;
        narrowphase.collide(model, state, h, set, kind);
        return set.contacts;
    }
};

// Furthest point of a shape in direction d, both in the shape's frame.
struct Support {
    Vec3 d;
    Vec3 operator()(const Plane&) const { return Vec3::Zero(); }
    Vec3 operator()(const Heightfield&) const { return Vec3::Zero(); }
    Vec3 operator()(const TriangleMesh&) const { return Vec3::Zero(); }
    Vec3 operator()(const Sphere& s) const { return s.radius * d.normalized(); }
    Vec3 operator()(const Box& b) const {
        return {std::copysign(b.half.x(), d.x()), std::copysign(b.half.y(), d.y()),
                std::copysign(b.half.z(), d.z())};
    }
    Vec3 operator()(const Capsule& c) const {
        return Vec3(0, 0, std::copysign(c.half_length, d.z())) + c.radius * d.normalized();
    }
    Vec3 operator()(const Cylinder& c) const {
        const double across = std::hypot(d.x(), d.y());
        const double s = across > 0 ? c.radius / across : 0;
        return {s * d.x(), s * d.y(), std::copysign(c.half_length, d.z())};
    }
    Vec3 operator()(const Cone& c) const {
        const double across = std::hypot(d.x(), d.y());
        const Vec3 apex(0, 0, c.half_length);
        const Vec3 rim(across > 0 ? c.radius * d.x() / across : c.radius,
                       across > 0 ? c.radius * d.y() / across : 0, -c.half_length);
        return apex.dot(d) > rim.dot(d) ? apex : rim;
    }
    Vec3 operator()(const Ellipsoid& e) const {  // the sphere's, in the measure of the axes
        return e.half.cwiseProduct(e.half.cwiseProduct(d).normalized());
    }
    Vec3 operator()(const RoundedBox& b) const {
        return (*this)(Box{b.core()}) + b.radius * d.normalized();
    }
    Vec3 operator()(const Hull& h) const {
        return *std::max_element(h.vertices.begin(), h.vertices.end(),
                                 [&](const Vec3& a, const Vec3& b) { return a.dot(d) < b.dot(d); });
    }
};

inline Vec3 support_point(const Shape& shape, const Pose& pose, const Vec3& d) {
    return pose * std::visit(Support{pose.q.conjugate() * d}, shape);
}

// Gap of two shapes along n: at most their distance, equal to it along the right n.
inline double gap(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, const Vec3& n) {
    return n.dot(support_point(a, pa, -n) - support_point(b, pb, n));
}

// Distance of a point to a shape's surface, negative inside; the hull's is a lower bound outside.
// Shape's frame.
struct SurfaceDistance {
    Vec3 x;
    double operator()(const Plane&) const { return x.z(); }
    double operator()(const Heightfield&) const { return 0; }  // ground has its own tests
    double operator()(const TriangleMesh&) const { return 0; }
    double operator()(const Sphere& s) const { return x.norm() - s.radius; }
    double operator()(const Box& b) const {
        const Vec3 q = x.cwiseAbs() - b.half;
        return q.cwiseMax(0).norm() + std::min(0.0, q.maxCoeff());
    }
    double operator()(const Capsule& c) const {
        const double z = std::clamp(x.z(), -c.half_length, c.half_length);
        return (x - Vec3(0, 0, z)).norm() - c.radius;
    }
    double operator()(const Cylinder& c) const {
        const double out = std::hypot(x.x(), x.y()) - c.radius,
                     up = std::abs(x.z()) - c.half_length;
        return std::hypot(std::max(out, 0.0), std::max(up, 0.0)) + std::min(0.0, std::max(out, up));
    }
    double operator()(const Cone& c) const {
        const double rho = std::hypot(x.x(), x.y()), height = 2 * c.half_length;
        const double slant = std::hypot(height, c.radius);
        const double base = -c.half_length - x.z();
        const double side = (height * rho + c.radius * (x.z() - c.half_length)) / slant;
        return std::max(base, side);  // outside a lower bound
    }
    double operator()(const Ellipsoid& e) const {  // to first order
        const double r = x.cwiseQuotient(e.half).norm();
        return (r - 1) * r / x.cwiseQuotient(e.half.cwiseAbs2()).norm();
    }
    double operator()(const RoundedBox& b) const { return (*this)(Box{b.core()}) - b.radius; }
    double operator()(const Hull& h) const {
        double z = -std::numeric_limits<double>::infinity();
        for (const Hull::Face& f : h.faces) z = std::max(z, f.normal.dot(x) - f.offset);
        return z;
    }
};

inline double surface_distance(const Shape& shape, const Pose& pose, const Vec3& x) {
    return std::visit(SurfaceDistance{pose.inverse() * x}, shape);
}

inline const Contact* deepest(const std::vector<Contact>& contacts) {
    const auto it =
        std::min_element(contacts.begin(), contacts.end(),
                         [](const Contact& a, const Contact& b) { return a.phi < b.phi; });
    return it == contacts.end() ? nullptr : &*it;
}

inline std::vector<std::uint32_t> features(const std::vector<Contact>& contacts) {
    std::vector<std::uint32_t> f;
    for (const Contact& k : contacts) f.push_back(k.feature);
    return f;
}

inline Shape cube_hull(double half) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.emplace_back((i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half,
                            (i & 4) != 0 ? half : -half);
    return make_hull(points);
}

inline Shape random_hull(std::uint64_t seed, int n, double size) {
    Random random(seed);
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i)
        points.push_back(size * random.uniform(0.6, 1) * random_direction(random));
    return make_hull(points);
}

}  // namespace stiction
