// mesh_test.cpp - shapes on meshes of triangles against the same solids as boxes and heightfields.
#include "collide/ground_checks.h"
#include "core/error.h"

namespace stiction {
namespace {

// A box as 12 triangles, or with every face cut into cuts x cuts squares.
TriangleMesh box_mesh(const Vec3& half, int cuts) {
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            const Vec3 n = side * Vec3::Unit(axis), u = Vec3::Unit((axis + 1) % 3), v = n.cross(u);
            for (int j = 0; j < cuts; ++j) {
                for (int i = 0; i < cuts; ++i) {
                    const int first = static_cast<int>(points.size());
                    for (const auto& [a, b] : {std::pair(i, j), std::pair(i + 1, j),
                                               std::pair(i + 1, j + 1), std::pair(i, j + 1)}) {
                        const Vec3 x = n + (2.0 * a / cuts - 1) * u + (2.0 * b / cuts - 1) * v;
                        points.emplace_back(half.cwiseProduct(x));
                    }
                    triangles.push_back({first, first + 1, first + 2});
                    triangles.push_back({first, first + 2, first + 3});
                }
            }
        }
    }
    return {std::make_shared<const MeshSurface>(points, triangles)};
}

TEST(Mesh, WeldsCornersAndFindsNeighbours) {
    const TriangleMesh mesh = box_mesh({1, 2, 3}, 4);
    EXPECT_EQ(mesh.surface->triangles(), 6 * 16 * 2);
    EXPECT_EQ(mesh.surface->vertices(), 6 * 16 + 2);
    EXPECT_EQ(mesh.surface->dropped(), 0);
    for (int t = 0; t < mesh.surface->triangles(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const int other = mesh.surface->neighbour(t, k);
            ASSERT_NE(other, kNone);
            bool mutual = false;
            for (int j = 0; j < 3; ++j) mutual |= mesh.surface->neighbour(other, j) == t;
            EXPECT_TRUE(mutual);
        }
    }
}

TEST(Mesh, DropsTrianglesWithoutArea) {
    const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
    const MeshSurface mesh(points, {{0, 1, 2}, {0, 1, 3}, {1, 1, 2}});
    EXPECT_EQ(mesh.triangles(), 1);
    EXPECT_EQ(mesh.dropped(), 2);
    EXPECT_THROW(MeshSurface(points, {{0, 1, 3}}), InputError);
    EXPECT_THROW(MeshSurface(points, {}), InputError);
    EXPECT_THROW(MeshSurface(points, {{0, 1, 4}}), InputError);
    EXPECT_THROW(MeshSurface({{0, 0, 0}, {1, 0, NAN}, {0, 1, 0}}, {{0, 1, 2}}), InputError);
}

// A ball against a box of triangles: at faces, edges and corners, outside and with its centre a
// little inside, as against the box itself.
TEST(Mesh, ABallOnABoxOfTriangles) {
    Random random(6);
    const Vec3 half(0.3, 0.2, 0.25);
    double worst = 0;
    int touching = 0;
    for (const int cuts : {1, 3, 8}) {
        const TriangleMesh mesh = box_mesh(half, cuts);
        for (int trial = 0; trial < 1000; ++trial) {
            const double r = 0.05;
            const Vec3 inside = half - Vec3::Constant(0.7 * r);
            Vec3 c = random_vector(random, 0.4);
            if ((c.cwiseAbs().array() < inside.array()).all()) continue;
            World triangles, box;
            triangles.add(mesh, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
            box.add(Box{half}, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
            triangles.add(Sphere{r}, c);
            box.add(Sphere{r}, c);
            const std::vector<Contact> found = triangles.collide(5e-3);
            const std::vector<Contact> expected = box.collide(5e-3);
            ASSERT_EQ(found.size(), expected.size()) << "cuts " << cuts << " at " << c.transpose();
            if (found.empty()) continue;
            ++touching;
            worst = std::max({worst, std::abs(found[0].phi - expected[0].phi),
                              (found[0].n - expected[0].n).norm()});
        }
    }
    EXPECT_GT(touching, 500);
    EXPECT_LT(worst, 1e-11);
}

// A box laid on a smaller or larger box of triangles, turned about the vertical: every contact has
// the face's normal and gap, and they span the common part of both faces.
TEST(Mesh, ABoxLaidOnABoxOfTriangles) {
    for (const int cuts : {1, 4}) {
        for (const double size : {0.05, 0.3}) {
            for (const double angle : {0.0, 0.3, 0.7}) {
                const Vec3 half(size, size, 0.1);
                World world;
                world.add(box_mesh(half, cuts), Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
                world.add(Box{{0.1, 0.1, 0.05}}, {0.01, 0.02, 0.15 - 1e-4},
                          about(Vec3::UnitZ(), angle));
                const std::vector<Contact> contacts = world.collide(1e-3);
                ASSERT_GE(contacts.size(), 4U) << size << " " << angle << " " << cuts;
                EXPECT_LE(contacts.size(), 8U);
                Eigen::AlignedBox2d span;
                for (const Contact& c : contacts) {
                    EXPECT_NEAR(c.phi, -1e-4, 1e-12);
                    EXPECT_LT((c.n - Vec3::UnitZ()).norm(), 1e-12);
                    span.extend(Eigen::Vector2d(c.p().head<2>()));
                }
                const double least = size < 0.1 ? 2 * size : 0.2;
                EXPECT_GT(span.sizes().minCoeff(), 0.99 * least);
            }
        }
    }
}

// The same ground as a mesh and as a heightfield: the same contacts.
TEST(Mesh, IsTheHeightfieldOfItsTriangles) {
    const double size = 1;
    const Heightfield field{std::make_shared<const HeightGrid>(
        size, size, 60, 60, bumpy_heights(size, size, 60, 60, {0.03, 0.15, 4}))};
    const TriangleMesh mesh = as_mesh(field);
    Random random(12);
    const Shape shapes[] = {Sphere{0.03},
                            Capsule{0.02, 0.04},
                            Box{{0.03, 0.02, 0.04}},
                            random_hull(5, 12, 0.04),
                            Cylinder{0.03, 0.03},
                            Cone{0.03, 0.04},
                            Ellipsoid{{0.03, 0.02, 0.04}},
                            RoundedBox{{0.03, 0.02, 0.04}, 0.01}};
    std::size_t contacts = 0;
    for (int trial = 0; trial < 480; ++trial) {
        const double x = random.uniform(-0.4, 0.4), y = random.uniform(-0.4, 0.4);
        const Quat q = random_rotation(random);
        const double low = -support_point(shapes[trial % 8], {Vec3::Zero(), q}, -Vec3::UnitZ()).z();
        const Vec3 p(x, y, field.grid->height(x, y) + low + 0.004);
        World on_field, on_mesh;
        on_field.add(field, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        on_mesh.add(mesh, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        on_field.add(shapes[trial % 8], p, q);
        on_mesh.add(shapes[trial % 8], p, q);
        const std::vector<Contact> a = on_field.collide(1e-3), b = on_mesh.collide(1e-3);
        // A sheet is not solid to any depth.
        if (!a.empty() && deepest(a)->phi < -5e-3) continue;
        ASSERT_EQ(a.size(), b.size()) << trial;
        contacts += a.size();
        for (const Contact& c : a) {
            EXPECT_TRUE(std::any_of(b.begin(), b.end(), [&](const Contact& d) {
                return (c.p_A - d.p_A).norm() < 1e-12 && (c.n - d.n).norm() < 1e-12;
            })) << trial;
        }
    }
    EXPECT_GT(contacts, 50U);
}

// No part of a box or hull is deeper in the ground than its contacts say: points all over the
// shape's surface, and the ground's vertices inside the shape.
TEST(Mesh, NothingIsDeeperThanTheContactsSay) {
    const Heightfield field{std::make_shared<const HeightGrid>(
        1, 1, 100, 100, bumpy_heights(1, 1, 100, 100, {0.03, 0.1, 14}))};
    const HeightGrid& grid = *field.grid;
    Random random(31);
    const Shape shapes[] = {Box{{0.05, 0.04, 0.03}},
                            random_hull(9, 16, 0.06),
                            Capsule{0.02, 0.06},
                            Cylinder{0.04, 0.05},
                            Cone{0.04, 0.05},
                            Ellipsoid{{0.05, 0.04, 0.03}},
                            RoundedBox{{0.05, 0.04, 0.03}, 0.015}};
    double worst = 0;
    for (int trial = 0; trial < 350; ++trial) {
        const Shape& shape = shapes[trial % 7];
        const double x = random.uniform(-0.35, 0.35), y = random.uniform(-0.35, 0.35);
        World world;
        world.add(field, Vec3::Zero(), Quat::Identity(), BodyKind::kStatic);
        Pose pose{{x, y, 0}, random_rotation(random)};
        // Lowered until the deepest of the ground's vertices is 0.2 mm inside.
        const auto deepest_vertex = [&](double z) {
            pose.p.z() = z;
            double least = 1;
            for (int v = 0; v < grid.nx() * grid.ny(); ++v) {
                if ((grid.vertex(v) - pose.p).head<2>().norm() > 0.1) continue;
                least = std::min(least, surface_distance(shape, pose, grid.vertex(v)));
            }
            return least;
        };
        double lo = 0, hi = 0.2;
        for (int i = 0; i < 40; ++i)
            (deepest_vertex(0.5 * (lo + hi)) > -2e-4 ? hi : lo) = 0.5 * (lo + hi);
        pose.p.z() = hi;
        world.add(shape, pose.p, pose.q);
        const std::vector<Contact> contacts = world.collide(1e-3);
        ASSERT_FALSE(contacts.empty()) << trial;
        // Sinks no further once every contact is lifted out: the shape raised by what the contacts
        // ask for is clear of the ground's vertices.
        double lift = 0;
        for (const Contact& c : contacts) lift = std::max(lift, -c.phi / std::max(0.2, c.n.z()));
        worst = std::max(worst, -deepest_vertex(hi + lift));
    }
    std::printf("raised as the contacts ask: still %.1e m deep at worst\n", worst);
    EXPECT_LT(worst, 2e-5);
}

}  // namespace
}  // namespace stiction
