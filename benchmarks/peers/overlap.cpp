// overlap.cpp - spheres by their distance; boxes by the separating axes: the least of the overlaps
// along the normals of their faces and along the products of their edges.
#include "overlap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stiction::peers {

namespace {

struct Placed {
    const Pile::Body* body = nullptr;
    Vec p;
    std::array<Vec, 3> axis;  // of a box
    double reach = 0;         // radius of a ball that holds it [m]
};

double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec minus(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec cross(const Vec& a, const Vec& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

std::array<Vec, 3> axes(const Quat& q) {
    return {Vec{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z),
                2 * (q.x * q.z - q.w * q.y)},
            Vec{2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
                2 * (q.y * q.z + q.w * q.x)},
            Vec{2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                1 - 2 * (q.x * q.x + q.y * q.y)}};
}

// How far it reaches from its centre along a unit vector.
double extent(const Placed& a, const Vec& n) {
    if (a.body->radius > 0) return a.body->radius;
    const Vec& half = a.body->half;
    return half.x * std::fabs(dot(a.axis[0], n)) + half.y * std::fabs(dot(a.axis[1], n)) +
           half.z * std::fabs(dot(a.axis[2], n));
}

double depth(const Placed& a, const Placed& b) {
    const Vec d = minus(b.p, a.p);
    if (dot(d, d) >= (a.reach + b.reach) * (a.reach + b.reach)) return 0;
    if (a.body->radius > 0 && b.body->radius > 0) return a.reach + b.reach - std::sqrt(dot(d, d));
    double least = std::numeric_limits<double>::infinity();
    const auto along = [&](Vec n) {
        const double length = std::sqrt(dot(n, n));
        constexpr double kParallel = 1e-3;  // edges whose product says nothing of its direction
        if (length < kParallel) return;
        n = {n.x / length, n.y / length, n.z / length};
        least = std::min(least, extent(a, n) + extent(b, n) - std::fabs(dot(d, n)));
    };
    for (const Vec& n : a.axis) along(n);
    for (const Vec& n : b.axis) along(n);
    for (const Vec& e : a.axis) {
        for (const Vec& f : b.axis) {
            if (least <= 0) return 0;
            along(cross(e, f));
        }
    }
    return least;
}

}  // namespace

void Overlaps::add(double percent) {
    if (percent <= 0) return;
    sum += percent;
    max = std::max(max, percent);
    ++touching;
}

void Overlaps::add(const Overlaps& other) {
    sum += other.sum;
    max = std::max(max, other.max);
    touching += other.touching;
}

Overlaps overlaps(const Sim& sim, const Pile& pile) {
    Overlaps result;
    std::vector<Placed> all;
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        const Pile::Body& body = pile.bodies[i];
        Placed placed{.body = &body,
                      .p = sim.position(static_cast<int>(i)),
                      .axis = {},
                      .reach = body.radius};
        if (body.radius <= 0) {
            placed.axis = axes(sim.orientation(static_cast<int>(i)));
            placed.reach = std::sqrt(dot(body.half, body.half));
        }
        for (const Pile::Plane& plane : pile.planes) {
            const double gap =
                dot(plane.normal, placed.p) - plane.offset - extent(placed, plane.normal);
            result.add(-100 * gap / body.size());
        }
        all.push_back(placed);
    }
    // Along x, so that only near ones are compared.
    std::sort(all.begin(), all.end(),
              [](const Placed& a, const Placed& b) { return a.p.x < b.p.x; });
    double most = 0;
    for (const Placed& placed : all) most = std::max(most, placed.reach);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = i + 1; j < all.size() && all[j].p.x - all[i].p.x < all[i].reach + most;
             ++j) {
            const double size = std::min(all[i].body->size(), all[j].body->size());
            result.add(100 * depth(all[i], all[j]) / size);
        }
    }
    return result;
}

}  // namespace stiction::peers
