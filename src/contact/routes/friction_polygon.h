// friction_polygon.h - the friction polygon of coulomb_lcp: `sides` directions in the tangent plane
// of a contact.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace stiction {

struct FrictionPolygon {  // direction d of a contact is cosine s + sine t
    explicit FrictionPolygon(int count) : sides(count) {}
    [[nodiscard]] double cosine(int d) const { return direction(d, 0); }
    // sin x = cos(x - quarter turn)
    [[nodiscard]] double sine(int d) const { return direction(d, 3 * sides); }
    int sides;

  private:
    // cos of the angle 2 pi (4 d + offset) / (4 sides), exact at multiples of a quarter turn.
    [[nodiscard]] double direction(int d, int offset) const {
        const int quarters = (4 * d + offset) % (4 * sides);
        if (quarters % sides == 0) {
            constexpr double kExact[] = {1, 0, -1, 0};
            return kExact[quarters / sides];
        }
        return std::cos(2.0 * M_PI * quarters / (4.0 * sides));
    }
};

// Least sum of beta >= 0 with sum of beta_d d = (c_s, c_t): the force lies between two neighbouring
// directions.
[[nodiscard]] inline double polygon_gauge(const FrictionPolygon& polygon, double c_s, double c_t) {
    double gauge = 0;
    for (int d = 0; d < polygon.sides; ++d) {
        // The edge between d and d + 1 has its normal at the half angle.
        const int next = (d + 1) % polygon.sides;
        const Eigen::Vector2d edge_normal(polygon.cosine(d) + polygon.cosine(next),
                                          polygon.sine(d) + polygon.sine(next));
        const double support = edge_normal.dot(Eigen::Vector2d(polygon.cosine(d), polygon.sine(d)));
        gauge = std::max(gauge, edge_normal.dot(Eigen::Vector2d(c_s, c_t)) / support);
    }
    return gauge;
}

}  // namespace stiction
