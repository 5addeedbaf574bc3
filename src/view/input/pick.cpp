// pick.cpp - closed forms of a ray with each shape.
#include "view/input/pick.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Smaller root of |o + t d - c| = r with unit d.
std::optional<double> hit_ball(const Ray& ray, const Vec3& centre, double radius) {
    const Vec3 m = ray.origin - centre;
    const double b = m.dot(ray.direction);
    const double c = m.squaredNorm() - radius * radius;
    const double discriminant = b * b - c;
    if (c < 0 || discriminant < 0) return std::nullopt;
    const double t = -b - std::sqrt(discriminant);
    return t >= 0 ? std::optional(t) : std::nullopt;
}

// Side of a tube around z, |z| <= half.
std::optional<double> hit_tube(const Ray& ray, double radius, double half) {
    const Vec3& o = ray.origin;
    const Vec3& d = ray.direction;
    const double a = d.x() * d.x() + d.y() * d.y();
    const double b = o.x() * d.x() + o.y() * d.y();
    const double c = o.x() * o.x() + o.y() * o.y() - radius * radius;
    const double discriminant = b * b - a * c;
    if (a <= 0 || discriminant < 0) return std::nullopt;
    const double t = (-b - std::sqrt(discriminant)) / a;
    if (t < 0 || std::abs(o.z() + t * d.z()) > half) return std::nullopt;
    return t;
}

// The ray between planes n.x <= offset: entry and exit so far.
struct Span {
    double enter = -kInfinity, exit = kInfinity;

    void cut(const Ray& ray, const Vec3& n, double offset) {
        const double speed = n.dot(ray.direction);
        const double gap = offset - n.dot(ray.origin);
        if (speed == 0) {
            if (gap < 0) exit = -kInfinity;
        } else if (speed < 0) {
            enter = std::max(enter, gap / speed);
        } else {
            exit = std::min(exit, gap / speed);
        }
    }
    [[nodiscard]] std::optional<double> hit() const {
        return enter <= exit && enter >= 0 ? std::optional(enter) : std::nullopt;
    }
};

std::optional<double> nearer(std::optional<double> a, std::optional<double> b) {
    if (!a) return b;
    if (!b) return a;
    return std::min(*a, *b);
}

struct Hit {
    const Ray& ray;

    std::optional<double> operator()(const Plane& /*plane*/) const {
        if (ray.direction.z() >= 0 || ray.origin.z() < 0) return std::nullopt;
        return -ray.origin.z() / ray.direction.z();
    }
    std::optional<double> operator()(const Sphere& sphere) const {
        return hit_ball(ray, Vec3::Zero(), sphere.radius);
    }
    std::optional<double> operator()(const Box& box) const {
        Span span;
        for (int k = 0; k < 3; ++k) {
            span.cut(ray, Vec3::Unit(k), box.half[k]);
            span.cut(ray, -Vec3::Unit(k), box.half[k]);
        }
        return span.hit();
    }
    std::optional<double> operator()(const Capsule& capsule) const {
        const Vec3 top(0, 0, capsule.half_length);
        return nearer(
            hit_tube(ray, capsule.radius, capsule.half_length),
            nearer(hit_ball(ray, top, capsule.radius), hit_ball(ray, -top, capsule.radius)));
    }
    std::optional<double> operator()(const Cylinder& cylinder) const {
        Span span;
        span.cut(ray, Vec3::UnitZ(), cylinder.half_length);
        span.cut(ray, -Vec3::UnitZ(), cylinder.half_length);
        std::optional<double> cap = span.hit();
        if (cap && (ray.origin + *cap * ray.direction).head<2>().norm() > cylinder.radius)
            cap.reset();
        return nearer(cap, hit_tube(ray, cylinder.radius, cylinder.half_length));
    }
    // Of the double cone rho = k (top - z) the part below the top; and the base.
    std::optional<double> operator()(const Cone& cone) const {
        const Vec3& o = ray.origin;
        const Vec3& d = ray.direction;
        const double k = cone.radius / (2 * cone.half_length), k2 = k * k;
        const double top = cone.half_length - o.z();
        const double a = d.x() * d.x() + d.y() * d.y() - k2 * d.z() * d.z();
        const double b = o.x() * d.x() + o.y() * d.y() + k2 * top * d.z();
        const double c = o.x() * o.x() + o.y() * o.y() - k2 * top * top;
        if (c < 0 && std::abs(o.z()) < cone.half_length) return std::nullopt;  // from inside
        std::optional<double> side;
        const double discriminant = b * b - a * c;
        if (discriminant >= 0 && a != 0) {
            for (const double sign : {-1.0, 1.0}) {
                const double t = (-b + sign * std::sqrt(discriminant)) / a;
                if (t >= 0 && std::abs(o.z() + t * d.z()) <= cone.half_length)
                    side = nearer(side, t);
            }
        }
        std::optional<double> base;
        if (d.z() > 0) base = (-cone.half_length - o.z()) / d.z();
        if (base && (*base < 0 || (o + *base * d).head<2>().norm() > cone.radius)) base.reset();
        return nearer(side, base);
    }
    // A ball of radius 1 in the measure of its axes.
    std::optional<double> operator()(const Ellipsoid& ellipsoid) const {
        const Vec3 d = ray.direction.cwiseQuotient(ellipsoid.half);
        const Ray scaled{ray.origin.cwiseQuotient(ellipsoid.half), d.normalized()};
        const std::optional<double> t = hit_ball(scaled, Vec3::Zero(), 1);
        return t ? std::optional(*t / d.norm()) : std::nullopt;
    }
    // The core made larger along one axis at a time, capsules along its edges.
    std::optional<double> operator()(const RoundedBox& box) const {
        const Vec3 core = box.core();
        const Vec3 outside = (ray.origin.cwiseAbs() - core).cwiseMax(0.0);
        if (outside.norm() < box.radius) return std::nullopt;  // from inside
        std::optional<double> first;
        for (int k = 0; k < 3; ++k) {
            first = nearer(first, (*this)(Box{core + box.radius * Vec3::Unit(k)}));
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            const auto turned = [&](const Vec3& x) { return Vec3(x[u], x[v], x[k]); };
            for (const double su : {-1.0, 1.0}) {
                for (const double sv : {-1.0, 1.0}) {
                    const Vec3 middle = su * core[u] * Vec3::Unit(u) + sv * core[v] * Vec3::Unit(v);
                    const Ray along{turned(ray.origin - middle), turned(ray.direction)};
                    first = nearer(first, Hit{along}(Capsule{box.radius, core[k]}));
                }
            }
        }
        return first;
    }
    std::optional<double> operator()(const Hull& hull) const {
        Span span;
        for (const Hull::Face& face : hull.faces) span.cut(ray, face.normal, face.offset);
        return span.hit();
    }
    std::optional<double> operator()(const Heightfield& field) const {
        return field.grid->ray_hit(ray.origin, ray.direction);
    }
    std::optional<double> operator()(const TriangleMesh& mesh) const {
        return mesh.surface->ray_hit(ray.origin, ray.direction);
    }
};

}  // namespace

std::optional<double> ray_hit(const Shape& shape, const Ray& ray) {
    return std::visit(Hit{ray}, shape);
}

std::optional<Picked> pick(const Model& model, const State& state, const Ray& ray) {
    std::optional<Picked> best;
    bool best_is_plane = false;
    for (const Geom& geom : model.geoms) {
        const Pose pose = state.pose[at(geom.body)] * geom.pose_BG;
        const Pose inverse = pose.inverse();
        const std::optional<double> t =
            ray_hit(geom.shape, {inverse * ray.origin, inverse.q * ray.direction});
        if (!t) continue;
        const bool plane = std::holds_alternative<Plane>(geom.shape);
        const bool better =
            !best || (plane == best_is_plane ? *t < best->distance : best_is_plane && !plane);
        if (!better) continue;
        best = Picked{geom.body, ray.origin + *t * ray.direction, *t};
        best_is_plane = plane;
    }
    return best;
}

int pick_contact(const std::vector<ShownContact>& contacts, const OrbitCamera& camera, double x,
                 double y, double width, double height, double reach) {
    int found = kNone;
    double least = reach;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const Vec3 seen = camera.project(contacts[i].point, width, height);
        const double distance = std::hypot(seen.x() - x, seen.y() - y);
        if (seen.z() <= 0 || distance > least) continue;
        least = distance;
        found = static_cast<int>(i);
    }
    return found;
}

}  // namespace stiction
