// friction_law.cpp - enumeration of the states of one contact under polygon and box friction.
#include "solve/cone/friction_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/factor/block_lu.h"

namespace stiction {

namespace {

using Vec2 = Eigen::Vector2d;

double cross(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }

// i with x between direction i and the next.
std::size_t sector(const FrictionDirections& directions, const Vec2& x) {
    const auto sides = static_cast<double>(directions.size());
    double turn = std::atan2(x[1], x[0]) / (2 * M_PI);
    if (turn < 0) turn += 1;
    return std::min(static_cast<std::size_t>(turn * sides), directions.size() - 1);
}

// Keeps the candidate that violates its law least; done() once one does not, but for rounding.
class Best {
  public:
    explicit Best(const Mat3& W, const Vec3& q) : W_(W), q_(q), weight_(W.trace() / 3) {}

    // dual and project are those of the law.
    template <typename Dual, typename Project>
    bool offer(const Vec3& r, const Dual& dual, const Project& project) {
        constexpr double kRounding = 1e-14;
        const Vec3 x = weight_ * r;
        const double error = (x - project(weight_, Vec3(x - dual(Vec3(W_ * r + q_))))).norm();
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
    double weight_;
    double error_ = std::numeric_limits<double>::infinity();
    Vec3 r_ = Vec3::Zero();
};

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

Vec3 polygon_dual(double mu, const FrictionDirections& directions, const Vec3& u) {
    double most = 0;
    for (const Vec2& d : directions) most = std::max(most, -d.dot(u.tail<2>()));
    return {u[0] + mu * most, u[1], u[2]};
}

// The cone is symmetric about every plane through a direction and the normal, so the nearest point
// lies in the sector of x_T, on its facet, on one of its two edges, or at the apex.
Vec3 project_on_polygon(double mu, const FrictionDirections& directions, const Vec3& x) {
    if (mu == 0) return {std::max(0.0, x[0]), 0, 0};
    const std::size_t i = sector(directions, x.tail<2>());
    const Vec2& a = directions[i];
    const Vec2& b = directions[(i + 1) % directions.size()];
    const Vec3 edge_a(1, mu * a[0], mu * a[1]);
    const Vec3 edge_b(1, mu * b[0], mu * b[1]);
    const Vec3 outward = edge_b.cross(edge_a);  // of the facet
    const double outside = outward.dot(x);
    // The normal part of edge_a x edge_b is positive, so that of `outward` is negative.
    if (outside <= 0) return x;
    const Vec3 on_facet = x - outward * (outside / outward.squaredNorm());
    if (cross(a, on_facet.tail<2>()) >= 0 && cross(on_facet.tail<2>(), b) >= 0 &&
        on_facet[0] >= 0) {
        return on_facet;
    }
    Vec3 best = Vec3::Zero();
    for (const Vec3& edge : {edge_a, edge_b}) {
        const Vec3 on_edge = edge * (std::max(0.0, edge.dot(x)) / edge.squaredNorm());
        if ((x - on_edge).squaredNorm() < (x - best).squaredNorm()) best = on_edge;
    }
    return best;
}

Vec3 project_on_box(double bound, const Vec3& x) {
    return {std::max(0.0, x[0]), std::clamp(x[1], -bound, bound), std::clamp(x[2], -bound, bound)};
}

Vec3 solve_polygon_contact(const Mat3& W, const Vec3& q, double mu,
                           const FrictionDirections& directions) {
    if (q[0] >= 0 || !(W(0, 0) > 0)) return Vec3::Zero();
    const double n0 = -q[0] / W(0, 0);
    if (mu == 0) return {n0, 0, 0};
    const auto dual = [&](const Vec3& u) { return polygon_dual(mu, directions, u); };
    const auto project = [&](double, const Vec3& x) {
        return project_on_polygon(mu, directions, x);
    };
    Best best(W, q);
    Mat3 inverse;
    if (invert3(W, inverse)) {
        const Vec3 stuck = -(inverse * q);
        const double inscribed =
            mu * stuck[0] *
            directions.front().dot((directions.front() + directions[1]).normalized());
        if (inscribed > 0 && stuck.tail<2>().squaredNorm() <= inscribed * inscribed) return stuck;
        if (best.offer(project(1, stuck), dual, project)) return best.r();
    }
    const auto edge = [&](std::size_t i) {
        return Vec3(1, mu * directions[i][0], mu * directions[i][1]);
    };
    // Sliding: from the direction against the velocity without friction outwards, first the
    // corner, u_N = 0; then the edge to the next corner, where u_T has no part along the edge.
    const std::size_t sides = directions.size();
    const std::size_t first = sector(directions, -q.tail<2>() - n0 * W.block<2, 1>(1, 0));
    for (std::size_t k = 0; k < sides; ++k) {
        const std::size_t i = (first + (k % 2 == 0 ? k / 2 : sides - (k + 1) / 2)) % sides;
        const std::size_t j = (i + 1) % sides;
        const Vec3 e_i = edge(i);
        const Vec3 e_j = edge(j);
        const double w_i = W.row(0).dot(e_i);
        const double w_j = W.row(0).dot(e_j);
        if (w_i > 0 && best.offer(e_i * (-q[0] / w_i), dual, project)) break;
        const Vec2 along = directions[j] - directions[i];
        const Vec3 along_W = W.bottomRows<2>().transpose() * along;
        const double t_i = along_W.dot(e_i);
        const double t_j = along_W.dot(e_j);
        const double t_q = along.dot(q.tail<2>());
        const double determinant = w_i * t_j - w_j * t_i;
        const double x_i = (w_j * t_q - t_j * q[0]) / determinant;
        const double x_j = (t_i * q[0] - w_i * t_q) / determinant;
        if (x_i >= 0 && x_j >= 0 && std::isfinite(x_i + x_j) &&
            best.offer(x_i * e_i + x_j * e_j, dual, project)) {
            break;
        }
    }
    return best.r();
}

Vec3 solve_box_contact(const Mat3& W, const Vec3& q, double bound) {
    const auto dual = [](const Vec3& u) { return u; };
    // In units of velocity, as Best asks for, the bound grows with the impulse.
    const auto project = [&](double weight, const Vec3& x) {
        return project_on_box(weight * bound, x);
    };
    Best best(W, q);
    constexpr int kStates[] = {0, -1, 1};  // free, at the lower bound, at the upper bound
    for (const bool presses : {true, false}) {
        for (const int s : kStates) {
            for (const int t : kStates) {
                Mat3 A = Mat3::Identity();
                Vec3 rhs(0, s * bound, t * bound);
                const bool is_free[] = {presses, s == 0, t == 0};
                for (int i = 0; i < 3; ++i) {
                    if (!is_free[i]) continue;
                    A.row(i) = W.row(i);
                    rhs[i] = -q[i];
                }
                Mat3 inverse;
                if (!invert3(A, inverse)) continue;
                if (best.offer(project_on_box(bound, inverse * rhs), dual, project)) {
                    return best.r();
                }
            }
        }
    }
    return best.r();
}

}  // namespace stiction
