// Meshes: vertices and triangles as the files give them, whatever the format.
#include "import/mesh.h"

#include <algorithm>

#include "import/temporary_folder.h"
#include "model/shape.h"

namespace stiction {
namespace {

const std::string kData = "tests/import/data/";

bool has_vertex(const ImportedMesh& mesh, const Vec3& x) {
    return std::any_of(mesh.vertices.begin(), mesh.vertices.end(),
                       [&](const Vec3& v) { return (v - x).norm() < 1e-7; });
}

// Signed volume under the triangles: right only if all are there and turn the same way.
double volume(const ImportedMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) {
        const auto v = [&](int i) { return mesh.vertices[at(t[at(i)])]; };
        sum += v(0).dot(v(1).cross(v(2))) / 6;
    }
    return sum;
}

TEST(Mesh, StlCornersBecomeSharedVertices) {
    const ImportedMesh mesh = read_mesh(kData + "robot_description/meshes/wedge.stl");
    EXPECT_EQ(mesh.vertices.size(), 6U);
    EXPECT_EQ(mesh.triangles.size(), 8U);
    EXPECT_NEAR(volume(mesh), 0.5, 1e-12);
    EXPECT_NEAR(solid_properties(make_hull(mesh.vertices)).volume, 0.5, 1e-12);
}

TEST(Mesh, ScaleIsPerAxisAndMayMirror) {
    const ImportedMesh mesh = read_mesh(kData + "robot_description/meshes/wedge.stl", {-2, 3, 0.5});
    EXPECT_TRUE(has_vertex(mesh, {-2, 0, 0.5}));
    EXPECT_TRUE(has_vertex(mesh, {0, 3, 0}));
    EXPECT_NEAR(solid_properties(make_hull(mesh.vertices)).volume, 1.5, 1e-12);
}

TEST(Mesh, ObjPolygonsBecomeTriangles) {
    const ImportedMesh mesh = read_mesh(kData + "cube.obj");
    EXPECT_EQ(mesh.vertices.size(), 8U);
    EXPECT_EQ(mesh.triangles.size(), 12U);
    EXPECT_NEAR(volume(mesh), 1, 1e-12);
}

// The unit counts, nodes move their parts, and z stays z.
TEST(Mesh, ColladaInCentimetres) {
    const ImportedMesh mesh = read_mesh(kData + "centimetres.dae");
    ASSERT_EQ(mesh.triangles.size(), 1U);
    EXPECT_TRUE(has_vertex(mesh, {1, 0, 0}));
    EXPECT_TRUE(has_vertex(mesh, {1.5, 0, 0}));
    EXPECT_TRUE(has_vertex(mesh, {1, 0, 0.25}));
}

TEST(Mesh, FilesThatAreNoMeshes) {
    const TemporaryFolder folder;
    const auto error = [&](const std::string& name) {
        return folder.error_of([&] { (void)read_mesh(folder.path(name)); });
    };
    EXPECT_EQ(error("none.stl"), "none.stl: no such file; expected a mesh (.stl, .obj, .dae, ...)");
    folder.write("words.txt", "just words\n");
    EXPECT_TRUE(error("words.txt").starts_with("words.txt: not a mesh that can be read: "))
        << error("words.txt");
    folder.write("broken.dae", "<COLLADA><asset>");
    EXPECT_TRUE(error("broken.dae").starts_with("broken.dae: not a mesh that can be read"))
        << error("broken.dae");
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    EXPECT_TRUE(error("points.obj").starts_with("points.obj: ")) << error("points.obj");
}

}  // namespace
}  // namespace stiction
