// shape_mesh_test.cpp - meshes are closed, turned outwards and as large as the shapes they stand
// for.
#include "draw/shape_mesh.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;

struct Corners {
    Vec3 a, b, c;
};

Corners corners(const Mesh& mesh, std::size_t triangle) {
    const auto at = [&](std::size_t k) -> Vec3 {
        return mesh.positions[mesh.triangles[3 * triangle + k]].cast<double>();
    };
    return {at(0), at(1), at(2)};
}

struct Size {
    double area = 0, volume = 0;  // [m^2], [m^3]
};

// The volume by the divergence theorem: negative were the triangles turned inwards.
Size size(const Mesh& mesh) {
    Size size;
    for (std::size_t i = 0; i < mesh.triangles.size() / 3; ++i) {
        const auto [a, b, c] = corners(mesh, i);
        size.area += (b - a).cross(c - a).norm() / 2;
        size.volume += a.dot(b.cross(c)) / 6;
    }
    return size;
}

// Every edge is passed once in each direction: no hole, no triangle turned the wrong way.
void expect_closed(const Mesh& mesh) {
    const auto key = [](const Vec3& p) {
        return std::array<long, 3>{std::lround(p.x() * 1e4), std::lround(p.y() * 1e4),
                                   std::lround(p.z() * 1e4)};
    };
    std::map<std::pair<std::array<long, 3>, std::array<long, 3>>, int> edges;
    for (std::size_t i = 0; i < mesh.triangles.size() / 3; ++i) {
        const auto [a, b, c] = corners(mesh, i);
        ++edges[{key(a), key(b)}];
        ++edges[{key(b), key(c)}];
        ++edges[{key(c), key(a)}];
    }
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(edges.count({edge.second, edge.first}), 1U);
    }
}

// Unit normals on the side of their triangle that faces outwards; `turn`: the largest angle between
// a corner's normal and the triangle's.
void expect_normals_outward(const Mesh& mesh, double turn) {
    ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
    for (std::size_t i = 0; i < mesh.triangles.size() / 3; ++i) {
        const auto [a, b, c] = corners(mesh, i);
        const Vec3 n = (b - a).cross(c - a).normalized();
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 normal = mesh.normals[mesh.triangles[3 * i + k]].cast<double>();
            EXPECT_NEAR(normal.norm(), 1, 1e-5);
            EXPECT_GE(normal.dot(n), std::cos(turn) - 1e-5);
        }
    }
}

// Inscribed in a smooth surface with normals that turn by `turn` over a triangle, a mesh is smaller
// by a share of the order of turn squared.
void expect_like(const Mesh& mesh, const Size& true_size, double turn) {
    expect_closed(mesh);
    expect_normals_outward(mesh, turn);
    const Size measured = size(mesh);
    const double slack = turn * turn + 1e-5;
    EXPECT_LE(measured.area, true_size.area * (1 + 1e-5));
    EXPECT_GE(measured.area, true_size.area * (1 - slack));
    EXPECT_LE(measured.volume, true_size.volume * (1 + 1e-5));
    EXPECT_GE(measured.volume, true_size.volume * (1 - slack));
}

double turn(Detail detail) { return detail == Detail::kCoarse ? 0.3 : 0.12; }

TEST(ShapeMesh, BoxHasSharpEdges) {
    expect_like(unit_box(), {24, 8}, 0);
    EXPECT_EQ(unit_box().positions.size(), 24U);
}

TEST(ShapeMesh, SphereApproachesTheTrueOne) {
    for (const Detail detail : {Detail::kCoarse, Detail::kFine}) {
        const Mesh mesh = unit_sphere(detail);
        expect_like(mesh, {4 * kPi, 4 * kPi / 3}, turn(detail));
        for (const Vec3f& p : mesh.positions) EXPECT_NEAR(p.norm(), 1, 1e-5);
    }
    EXPECT_LT(unit_sphere(Detail::kCoarse).triangles.size(),
              unit_sphere(Detail::kFine).triangles.size() / 4);
}

TEST(ShapeMesh, CylinderApproachesTheTrueOne) {
    for (const Detail detail : {Detail::kCoarse, Detail::kFine}) {
        expect_like(unit_cylinder(detail), {6 * kPi, 2 * kPi}, turn(detail));
    }
}

TEST(ShapeMesh, ConeApproachesTheTrueOne) {
    for (const Detail detail : {Detail::kCoarse, Detail::kFine}) {
        const Size true_size{kPi * (1 + std::sqrt(5.0)), 2 * kPi / 3};
        expect_like(unit_cone(detail), true_size, turn(detail));
    }
}

TEST(ShapeMesh, RoundedBoxApproachesTheTrueOne) {
    const RoundedBox box{{0.5, 0.4, 0.3}, 0.1};
    const Vec3 core = 2 * box.core();
    const double r = box.radius,
                 faces = core.x() * core.y() + core.y() * core.z() + core.z() * core.x();
    for (const Detail detail : {Detail::kCoarse, Detail::kFine}) {
        expect_like(
            rounded_box_mesh(box, detail),
            {2 * faces + 2 * kPi * r * core.sum() + 4 * kPi * r * r, solid_properties(box).volume},
            turn(detail));
    }
}

TEST(ShapeMesh, CapsuleApproachesTheTrueOne) {
    const double r = 0.3, half = 0.5;
    for (const Detail detail : {Detail::kCoarse, Detail::kFine}) {
        expect_like(capsule_mesh({r, half}, detail),
                    {4 * kPi * r * r + 4 * kPi * r * half,
                     4 * kPi * r * r * r / 3 + 2 * kPi * r * r * half},
                    turn(detail));
    }
}

TEST(ShapeMesh, HullIsTheHull) {
    const Hull hull = make_hull({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}, {1, 0.5, 3}});
    const double volume = solid_properties(hull).volume;
    EXPECT_NEAR(volume, 2, 1e-12);
    const Mesh mesh = hull_mesh(hull);
    expect_closed(mesh);
    expect_normals_outward(mesh, 0);
    EXPECT_NEAR(size(mesh).volume, volume, 1e-5);
}

}  // namespace
}  // namespace stiction
