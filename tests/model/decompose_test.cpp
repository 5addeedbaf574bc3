// decompose_test.cpp - concave meshes as solids and as convex pieces: mass properties against closed
// forms, pieces that cover the solid and little else.
#include "model/decompose.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "core/error.h"
#include "core/random.h"
#include "model/mesh_solid.h"
#include "model/part_meshes.h"

namespace stiction {
namespace {

void expect_same(const SolidProperties& a, const SolidProperties& b) {
    EXPECT_NEAR(a.volume, b.volume, 1e-12 * b.volume);
    EXPECT_LT((a.centroid - b.centroid).norm(), 1e-12);
    EXPECT_LT((a.inertia - b.inertia).norm(), 1e-12 * b.inertia.norm());
}

TEST(MeshSolid, HasTheMassPropertiesOfItsClosedForm) {
    for (const parts::Blocks& blocks : {parts::chair(), parts::hook()})
        expect_same(mesh_solid(blocks.mesh().surface()), blocks.solid_form());
    expect_same(mesh_solid(parts::Ring{}.mesh().surface()), parts::Ring{}.solid_form());
    parts::Triangles far = parts::chair().mesh();
    for (Vec3& p : far.points) p += Vec3(100, -50, 20);
    EXPECT_NEAR(mesh_solid(far.surface()).volume, parts::chair().solid_form().volume, 1e-12);
}

TEST(MeshSolid, TellsOpenAndInvertedMeshesWithNumbers) {
    const parts::Triangles good = parts::chair().mesh();
    EXPECT_EQ(describe_faults(closure(good.surface())), "");
    const double volume = parts::chair().solid_form().volume;

    const MeshClosure inverted = closure(turned_round(good.surface()));
    EXPECT_TRUE(inverted.closed());
    EXPECT_NEAR(inverted.volume, -volume, 1e-12);
    EXPECT_NE(describe_faults(inverted).find("face inward (volume -0.0"), std::string::npos)
        << describe_faults(inverted);

    parts::Triangles open = good;
    open.triangles.pop_back();
    const MeshClosure hole = closure(open.surface());
    EXPECT_EQ(hole.open_edges, 3);
    EXPECT_GT(hole.uncertainty, 0);
    EXPECT_LE(std::abs(hole.volume - volume), hole.uncertainty);
    EXPECT_NE(describe_faults(hole).find("3 of "), std::string::npos) << describe_faults(hole);
}

bool contains(const Hull& hull, const Vec3& x, double slack) {
    for (const Hull::Face& face : hull.faces) {
        if (face.normal.dot(x) - face.offset > slack) return false;
    }
    return true;
}

// Points of the solid are in a piece: nothing is lost at the cuts. `in_solid` says which are.
template <class InSolid>
void expect_covered(const Decomposition& d, const MeshSurface& mesh, const InSolid& in_solid) {
    Random random(3);
    int inside = 0, missing = 0;
    for (int i = 0; i < 20000; ++i) {
        Vec3 x;
        for (int k = 0; k < 3; ++k) x[k] = random.uniform(mesh.box().min()[k], mesh.box().max()[k]);
        if (!in_solid(x)) continue;
        ++inside;
        const bool found = std::any_of(d.pieces.begin(), d.pieces.end(),
                                       [&](const Hull& hull) { return contains(hull, x, 1e-9); });
        missing += found ? 0 : 1;
    }
    EXPECT_GT(inside, 500);
    EXPECT_EQ(missing, 0);
}

double volume_of(const Decomposition& d) {
    double sum = 0;
    for (const Hull& hull : d.pieces) sum += solid_properties(hull).volume;
    return sum;
}

TEST(Decompose, AConvexMeshIsOnePiece) {
    parts::Blocks box;
    box.x = {0, 0.3};
    box.y = {0, 0.2};
    box.z = {0, 0.1};
    box.layers = {{"x"}};
    const Decomposition d = decompose(box.mesh().surface(), {32, 1e-6});
    ASSERT_EQ(d.pieces.size(), 1U);
    EXPECT_LT(d.deviation, 1e-12);
    EXPECT_EQ(d.pieces[0].vertices.size(), 8U);
}

// The planes of concave edges part blocks exactly.
TEST(Decompose, BlocksAreTakenApartExactly) {
    for (const parts::Blocks& blocks : {parts::chair(), parts::hook()}) {
        const MeshSurface mesh = blocks.mesh().surface();
        const Decomposition d = decompose(mesh, {16, 1e-6});
        std::printf("%zu pieces, deviation %.1e m\n", d.pieces.size(), d.deviation);
        EXPECT_LE(d.deviation, 1e-6);
        EXPECT_LE(d.pieces.size(), 9U);
        EXPECT_NEAR(volume_of(d), blocks.solid_form().volume, 1e-9);
        expect_covered(d, mesh, [&](const Vec3& x) {
            const auto cell = [](const std::vector<double>& planes, double p) {
                return static_cast<int>(std::upper_bound(planes.begin(), planes.end(), p) -
                                        planes.begin()) -
                       1;
            };
            return blocks.solid(cell(blocks.x, x.x()), cell(blocks.y, x.y()),
                                cell(blocks.z, x.z()));
        });
    }
}

// The tolerance decides how many pieces a ring needs, and pieces are within it of the surface.
TEST(Decompose, ARingWithinItsTolerance) {
    const parts::Ring ring;
    const MeshSurface mesh = ring.mesh().surface();
    std::size_t before = 0;
    for (const double tolerance : {0.02, 0.005, 0.001}) {
        const Decomposition d = decompose(mesh, {64, tolerance});
        std::printf("tolerance %g m: %zu pieces, deviation %.2e m, volume %.3f of the ring's\n",
                    tolerance, d.pieces.size(), d.deviation,
                    volume_of(d) / ring.solid_form().volume);
        EXPECT_LE(d.deviation, tolerance);
        EXPECT_LE(d.pieces.size(), 40U);
        EXPECT_GT(d.pieces.size(), before);
        before = d.pieces.size();
        const double apothem = std::cos(std::numbers::pi / ring.count);
        expect_covered(d, mesh, [&](const Vec3& x) {
            const double r = std::hypot(x.x(), x.y());
            return r > ring.inner && r < apothem * ring.outer;
        });
        // No corner of a piece reaches into the hole by more than the tolerance.
        for (const Hull& hull : d.pieces) {
            EXPECT_FALSE(contains(hull, {0, 0, 0}, 0));
            const double least = apothem * ring.inner - tolerance;
            for (int k = 0; k < 64; ++k) {
                const double angle = 2 * std::numbers::pi * k / 64;
                EXPECT_FALSE(contains(
                    hull, {0.99 * least * std::cos(angle), 0.99 * least * std::sin(angle), 0}, 0));
            }
        }
    }
}

// Where pieces run out the deviation says so.
TEST(Decompose, SaysHowFarItGot) {
    const Decomposition d = decompose(parts::Ring{}.mesh().surface(), {3, 1e-4});
    EXPECT_EQ(d.pieces.size(), 3U);
    EXPECT_GT(d.deviation, 0.01);
}

// Cuts that cross inside the solid leave corners there that no part of the surface has.
TEST(Decompose, CornersOfCellsInsideTheSolidCount) {
    parts::Blocks b;  // a block with notches at three of its sides
    b.x = b.y = b.z = {0, 0.1, 0.2, 0.3, 0.4, 0.5};
    b.layers.assign(5, std::vector<std::string>(5, "xxxxx"));
    b.layers[2][2][0] = b.layers[2][0][2] = b.layers[0][2][2] = '.';
    const MeshSurface mesh = b.mesh().surface();
    const Decomposition d = decompose(mesh, {32, 1e-6});
    std::printf("%zu pieces, deviation %.1e m\n", d.pieces.size(), d.deviation);
    EXPECT_LE(d.deviation, 1e-6);
    EXPECT_NEAR(volume_of(d), b.solid_form().volume, 1e-9);
    expect_covered(d, mesh, [&](const Vec3& x) {
        return b.solid(static_cast<int>(x.x() / 0.1), static_cast<int>(x.y() / 0.1),
                       static_cast<int>(x.z() / 0.1));
    });
}

}  // namespace
}  // namespace stiction
