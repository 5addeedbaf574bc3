// part_meshes.h - concave parts as closed meshes, made of blocks or by turning a section: their
// volume and inertia have closed forms.
#pragma once

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "model/mesh_surface.h"
#include "model/shape.h"

namespace stiction::parts {

struct Triangles {
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;

    [[nodiscard]] MeshSurface surface() const { return {points, triangles}; }
    void add_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        const int first = static_cast<int>(points.size());
        points.insert(points.end(), {a, b, c, d});
        triangles.push_back({first, first + 1, first + 2});
        triangles.push_back({first, first + 2, first + 3});
    }
    void write_obj(const std::string& path) const {
        std::ofstream file(path);
        file.precision(17);
        for (const Vec3& p : points) file << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
        for (const auto& t : triangles)
            file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    }
};

// Blocks of a grid with unequal spacing; text has 'x' for solid, rows along y, layers along z.
struct Blocks {
    std::vector<double> x, y, z;                   // planes of the grid [m]
    std::vector<std::vector<std::string>> layers;  // [k][j][i]

    [[nodiscard]] bool solid(int i, int j, int k) const {
        if (i < 0 || j < 0 || k < 0) return false;
        if (at(i) + 1 >= x.size() || at(j) + 1 >= y.size() || at(k) + 1 >= z.size()) return false;
        return layers[at(k)][at(j)][at(i)] == 'x';
    }

    [[nodiscard]] Triangles mesh() const {
        Triangles mesh;
        each_solid([&](int i, int j, int k) {
            const Vec3 lo(x[at(i)], y[at(j)], z[at(k)]);
            const Vec3 hi(x[at(i + 1)], y[at(j + 1)], z[at(k + 1)]);
            for (int axis = 0; axis < 3; ++axis) {
                for (const int side : {-1, 1}) {
                    Eigen::Vector3i next(i, j, k);
                    next[axis] += side;
                    if (!solid(next.x(), next.y(), next.z())) add_face(lo, hi, axis, side, mesh);
                }
            }
        });
        return mesh;
    }

    // Closed form: the sum of the blocks.
    [[nodiscard]] SolidProperties solid_form() const {
        SolidProperties sum;
        std::vector<std::pair<SolidProperties, Vec3>> boxes;
        each_solid([&](int i, int j, int k) {
            const Vec3 lo(x[at(i)], y[at(j)], z[at(k)]);
            const Vec3 hi(x[at(i + 1)], y[at(j + 1)], z[at(k + 1)]);
            boxes.emplace_back(solid_properties(Box{0.5 * (hi - lo)}), 0.5 * (lo + hi));
            sum.volume += boxes.back().first.volume;
            sum.centroid += boxes.back().first.volume * boxes.back().second;
        });
        sum.centroid /= sum.volume;
        for (const auto& [box, centre] : boxes) {
            const Vec3 d = centre - sum.centroid;
            sum.inertia +=
                box.inertia + box.volume * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
        }
        return sum;
    }

  private:
    template <class F>
    void each_solid(F&& f) const {
        for (int k = 0; at(k) + 1 < z.size(); ++k) {
            for (int j = 0; at(j) + 1 < y.size(); ++j) {
                for (int i = 0; at(i) + 1 < x.size(); ++i) {
                    if (solid(i, j, k)) f(i, j, k);
                }
            }
        }
    }
    static void add_face(const Vec3& lo, const Vec3& hi, int axis, int side, Triangles& mesh) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;  // u x v = axis
        const auto corner = [&](double a, double b) {
            Vec3 p = side > 0 ? hi : lo;
            p[u] = a;
            p[v] = b;
            return p;
        };
        if (side > 0) {
            mesh.add_quad(corner(lo[u], lo[v]), corner(hi[u], lo[v]), corner(hi[u], hi[v]),
                          corner(lo[u], hi[v]));
        } else {
            mesh.add_quad(corner(lo[u], lo[v]), corner(lo[u], hi[v]), corner(hi[u], hi[v]),
                          corner(hi[u], lo[v]));
        }
    }
};

// Seat 0.4 m square, 0.45 m high, four legs of 4 cm and a back.
inline Blocks chair() {
    Blocks b;
    b.x = {-0.2, -0.16, 0.16, 0.2};
    b.y = {-0.2, -0.16, 0.16, 0.2};
    b.z = {0, 0.41, 0.45, 0.9};
    b.layers = {{"x.x", "...", "x.x"}, {"xxx", "xxx", "xxx"}, {"...", "...", "xxx"}};
    return b;
}

// A hook of square section: a stem above, open to the left below.
inline Blocks hook() {
    Blocks b;
    b.x = {-0.05, -0.03, 0.03, 0.05};
    b.y = {-0.01, 0.01};
    b.z = {0, 0.02, 0.08, 0.1, 0.16, 0.18};
    b.layers = {{"xxx"}, {"x.x"}, {"x.x"}, {"..x"}, {"xxx"}};
    return b;
}

// A square section turned about z, in `count` flat pieces.
struct Ring {
    double inner = 0.08, outer = 0.1, half = 0.01;  // radii, half thickness [m]
    int count = 32;

    [[nodiscard]] Triangles mesh() const {
        Triangles mesh;
        for (int i = 0; i < count; ++i) {
            const auto p = [&](double r, int k, double z) {
                const double angle = 2 * std::numbers::pi * k / count;
                return Vec3(r * std::cos(angle), r * std::sin(angle), z);
            };
            const int j = (i + 1) % count;
            mesh.add_quad(p(outer, i, -half), p(outer, j, -half), p(outer, j, half),
                          p(outer, i, half));
            mesh.add_quad(p(inner, j, -half), p(inner, i, -half), p(inner, i, half),
                          p(inner, j, half));
            mesh.add_quad(p(inner, i, half), p(outer, i, half), p(outer, j, half),
                          p(inner, j, half));
            mesh.add_quad(p(outer, i, -half), p(inner, i, -half), p(inner, j, -half),
                          p(outer, j, -half));
        }
        return mesh;
    }

    // A regular polygon of radius r has the area n/2 sin(2 pi/n) r^2 and about its axis the second
    // moment area r^2 (2 + cos(2 pi/n)) / 6.
    [[nodiscard]] SolidProperties solid_form() const {
        const double a = 2 * std::numbers::pi / count;
        const auto area = [&](double r) { return 0.5 * count * std::sin(a) * r * r; };
        const auto polar = [&](double r) { return area(r) * r * r * (2 + std::cos(a)) / 6; };
        SolidProperties s;
        s.volume = 2 * half * (area(outer) - area(inner));
        const double axial = 2 * half * (polar(outer) - polar(inner));
        const double across = 0.5 * axial + s.volume * half * half / 3;
        s.inertia = Vec3(across, across, axial).asDiagonal();
        return s;
    }
};

}  // namespace stiction::parts
