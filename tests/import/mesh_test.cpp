// Meshes: vertices and triangles as the files give them, whatever the format.
#include "import/mesh.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "import/mesh_formats.h"
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
    EXPECT_EQ(error("none.stl"),
              "none.stl: no such file; expected a mesh (.obj, .stl, .ply, .dae, "
              ".gltf, .glb)");
    folder.write("words.txt", "just words\n");
    EXPECT_EQ(
        error("words.txt"),
        "words.txt: meshes of the kind '.txt' are not read; expected a mesh (.obj, .stl, .ply, "
        ".dae, .gltf, .glb)");
    folder.write("broken.dae", "<COLLADA><asset>");
    EXPECT_TRUE(error("broken.dae").starts_with("broken.dae: not a mesh that can be read"))
        << error("broken.dae");
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    EXPECT_TRUE(error("points.obj").starts_with("points.obj: ")) << error("points.obj");
}

const char* const kPlyHead =
    "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nproperty uchar red\nelement face 1\nproperty list uchar int vertex_indices\n"
    "end_header\n";
const char* const kPlySquare = "0 0 0 1\n2 0 0 1\n2 2 0 1\n0 2 0 1\n";

TEST(Mesh, PlyAsText) {
    const std::string text = std::string(kPlyHead) + kPlySquare + "4 0 1 2 3\n";
    const ImportedMesh mesh = parse_ply(text, "a.ply");
    ASSERT_EQ(mesh.vertices.size(), 4U);
    EXPECT_EQ(mesh.vertices[2], Vec3(2, 2, 0));
    ASSERT_EQ(mesh.triangles.size(), 2U);
    EXPECT_EQ(mesh.triangles[1], (std::array<int, 3>{0, 2, 3}));
}

// One triangle, both ways round, with a property of every size before the corners.
TEST(Mesh, PlyAsBytes) {
    for (const bool big : {false, true}) {
        std::string bytes = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                            "_endian 1.0\nelement vertex 3\nproperty double x\nproperty float y\n"
                            "property short z\nelement face 1\nproperty uint16 tag\n"
                            "property list int8 uint32 vertex_index\nend_header\n";
        const auto put = [&](auto value) {
            std::string raw(sizeof value, '\0');
            std::memcpy(raw.data(), &value, sizeof value);
            if (big) std::reverse(raw.begin(), raw.end());
            bytes += raw;
        };
        for (int i = 0; i < 3; ++i) {
            put(0.5 * i);
            put(static_cast<float>(i * i));
            put(static_cast<std::int16_t>(-i));
        }
        put(std::uint16_t{9});
        put(std::int8_t{3});
        for (const std::uint32_t corner : {2U, 0U, 1U}) put(corner);
        const ImportedMesh mesh = parse_ply(bytes, "b.ply");
        ASSERT_EQ(mesh.vertices.size(), 3U);
        EXPECT_EQ(mesh.vertices[2], Vec3(1, 4, -2)) << big;
        ASSERT_EQ(mesh.triangles.size(), 1U);
        EXPECT_EQ(mesh.triangles[0], (std::array<int, 3>{2, 0, 1}));
    }
}

std::string ply_error(const std::string& text) {
    try {
        (void)parse_ply(text, "a.ply");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Mesh, PlyThatLies) {
    const std::string head = kPlyHead;
    EXPECT_EQ(ply_error(head + kPlySquare + "4 0 1 2 7\n"),
              "a.ply:16:9: a corner names vertex 7.000000; expected 0 to 3");
    EXPECT_EQ(ply_error(head + "0 0 0 1\n"),
              "a.ply:11:11: the file ends too early; expected 4 elements 'vertex'");
    EXPECT_EQ(ply_error("ply\nformat binary_little_endian 1.0\nelement vertex 900000000000\n"
                        "property float x\nend_header\nabc"),
              "a.ply: the file ends too early; expected 900000000000 elements 'vertex'");
    EXPECT_EQ(
        ply_error("ply\nelement vertex 1\nproperty quad x\n"),
        "a.ply:3:10: found 'quad'; expected the type of a property (char, uchar, short, ushort, "
        "int, uint, float, double)");
    EXPECT_EQ(ply_error("ply\nformat ascii 1.0\n"),
              "a.ply:2:13: the file ends in its header; expected end_header");
}

TEST(Mesh, StlAsText) {
    const std::string text =
        "solid a wedge, perhaps\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n"
        "   vertex +1 0 0\n   vertex 0 1e0 0\n  endloop\n endfacet\nendsolid a wedge, perhaps\n";
    const ImportedMesh mesh = parse_stl(text, "a.stl");
    ASSERT_EQ(mesh.triangles.size(), 1U);
    EXPECT_EQ(mesh.vertices[1], Vec3(1, 0, 0));
    EXPECT_THROW((void)parse_stl(text.substr(0, 80), "a.stl"), InputError);
}

TEST(Mesh, StlCutOff) {
    std::string bytes(84, ' ');
    const std::uint32_t count = 4'000'000'000U;
    std::memcpy(bytes.data() + 80, &count, sizeof count);
    try {
        (void)parse_stl(bytes, "a.stl");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(
            error.what(),
            "a.stl: the file ends too early; expected 4000000000 triangles of an STL file, "
            "found 0");
    }
}

// assimp follows nodes by recursion.
TEST(Mesh, ColladaNestedTooDeep) {
    const TemporaryFolder folder;
    std::string text = "<COLLADA version=\"1.4.1\"><library_visual_scenes><visual_scene id=\"s\">";
    for (int i = 0; i < 50'000; ++i) text += "<node>";
    for (int i = 0; i < 50'000; ++i) text += "</node>";
    text +=
        "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/>"
        "</scene></COLLADA>";
    folder.write("deep.dae", text);
    const std::string error = folder.error_of([&] { (void)read_mesh(folder.path("deep.dae")); });
    EXPECT_EQ(error, "deep.dae:1:1588: more than 256 nested elements");
}

// A file is what its name says, or nothing: assimp knows fifty other kinds.
TEST(Mesh, AnotherKindOfFileNamedAsGltf) {
    const TemporaryFolder folder;
    folder.write("a.gltf", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    const std::string error = folder.error_of([&] { (void)read_mesh(folder.path("a.gltf")); });
    EXPECT_TRUE(error.starts_with("a.gltf: not a mesh that can be read")) << error;
}

// What happens to assimp happens in a process of its own.
TEST(Mesh, GltfThatBreaksItsReader) {
    const TemporaryFolder folder;
    folder.write("deep.gltf", "{\"a\":" + std::string(1'000'000, '['));
    const std::string error = folder.error_of([&] { (void)read_mesh(folder.path("deep.gltf")); });
    EXPECT_TRUE(error.starts_with("deep.gltf: its reader ended on it")) << error;
}

}  // namespace
}  // namespace stiction
