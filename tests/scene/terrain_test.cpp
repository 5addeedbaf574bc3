// terrain_test.cpp - heightfields and meshes of scene files: every source of heights, and errors.
#include <gtest/gtest.h>
#include <png.h>

#include "model/height_grid.h"
#include "model/mesh_surface.h"
#include "scene/scene_files.h"

namespace stiction {
namespace {

std::string scene_with(const std::string& shape) {
    return "version: 1\ncontact: {model: no_slip}\nbodies:\n  - {kind: static, shape: " + shape +
           "}\n";
}

const HeightGrid& grid_of(const Scene& scene) {
    return *std::get<Heightfield>(scene.model.geoms[0].shape).grid;
}

// Grey values 0, 1, 2 ... of a 16-bit picture.
void write_picture(const std::string& path, unsigned width, unsigned height, bool colour) {
    std::vector<png_uint_16> grey(static_cast<std::size_t>(width) * height * (colour ? 3 : 1));
    for (std::size_t i = 0; i < grey.size(); ++i) grey[i] = static_cast<png_uint_16>(1000 * i);
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = width;
    header.height = height;
    header.format = colour ? PNG_FORMAT_LINEAR_RGB : PNG_FORMAT_LINEAR_Y;
    ASSERT_NE(png_image_write_to_file(&header, path.c_str(), 0, grey.data(), 0, nullptr), 0);
}

TEST(SceneTerrain, ReadsAGridWithTheFirstRowAtTheLargestY) {
    const SceneFiles files;
    const Scene scene = files.load(
        scene_with("{type: heightfield, size: [2, 4], heights: {grid: [[1, 2, 3], [4, 5, 6]]}}"));
    const HeightGrid& grid = grid_of(scene);
    EXPECT_EQ(grid.nx(), 3);
    EXPECT_EQ(grid.ny(), 2);
    EXPECT_EQ(grid.height(-1, 2), 1);
    EXPECT_EQ(grid.height(1, 2), 3);
    EXPECT_EQ(grid.height(-1, -2), 4);
    EXPECT_EQ(grid.height(0, -2), 5);
}

TEST(SceneTerrain, ReadsTextAndPictures) {
    const SceneFiles files;
    files.write("t.txt", "# heights\n0.1, 0.2 0.3\n\n0.4 0.5 0.6  # end\n");
    EXPECT_EQ(
        grid_of(files.load(scene_with("{type: heightfield, size: [2, 1], heights: {file: t.txt}}")))
            .height(1, 0.5),
        0.3);
    write_picture(files.path("t.png"), 3, 2, false);
    const Scene scene = files.load(
        scene_with("{type: heightfield, size: [2, 1], heights: {file: t.png, range: [1, 2]}}"));
    EXPECT_NEAR(grid_of(scene).height(-1, 0.5), 1, 1e-15);
    EXPECT_NEAR(grid_of(scene).height(0, 0.5), 1 + 1000.0 / 65535, 1e-15);
    EXPECT_NEAR(grid_of(scene).height(1, -0.5), 1 + 5000.0 / 65535, 1e-15);
}

TEST(SceneTerrain, BumpsFollowTheSeedAlone) {
    const SceneFiles files;
    const auto height = [&](int samples, int seed) {
        const std::string n = std::to_string(samples);
        return grid_of(
                   files.load(scene_with(
                       "{type: heightfield, size: [1, 1], heights: {samples: [" + n + ", " + n +
                       "], bumps: 0.02, wavelength: 0.2, seed: " + std::to_string(seed) + "}}")))
            .height(0, 0.25);
    };
    EXPECT_EQ(height(5, 3), height(5, 3));
    EXPECT_NEAR(height(5, 3), height(9, 3), 1e-15);
    EXPECT_NE(height(5, 3), height(5, 4));
    EXPECT_GE(height(5, 3), 0);
    EXPECT_LE(height(5, 3), 0.02);
}

TEST(SceneTerrain, ReadsAnObjFile) {
    const SceneFiles files;
    files.write("m.obj", "# square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 3/3 -1\n");
    const Scene scene = files.load(scene_with("{type: mesh, file: m.obj, scale: 2}"));
    const MeshSurface& mesh = *std::get<TriangleMesh>(scene.model.geoms[0].shape).surface;
    EXPECT_EQ(mesh.triangles(), 2);
    EXPECT_EQ(mesh.vertices(), 4);
    EXPECT_EQ(mesh.box().max(), Vec3(2, 2, 0));
}

TEST(SceneTerrain, SaysWhatIsWrongAndWhere) {
    const SceneFiles files;
    files.write("bad.txt", "1 2\n3 x\n");
    files.write("short.txt", "1 2\n3\n");
    files.write("no.png", "not a picture");
    files.write("empty.obj", "v 0 0 0\n");
    files.write("bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    write_picture(files.path("colour.png"), 2, 2, true);
    const auto field = [](const std::string& heights) {
        return "{type: heightfield, size: [1, 1], heights: {" + heights + "}}";
    };
    const std::pair<std::string, std::string> cases[] = {
        {field("grid: [[1, 2]]"), "2 to 4096"},
        {field("grid: [[1, 2], [3]]"), "expected 2 as in the first row"},
        {field("grid: [[1, 2], [3, a]]"), "'a'"},
        {field("file: bad.txt"), "bad.txt:2:3: 'x' is not a finite number"},
        {field("file: short.txt"), "short.txt:2: a row of 1 heights"},
        {field("file: none.txt"), "'none.txt' is not a file"},
        {field("file: no.png, range: [0, 1]"), "not a PNG picture"},
        {field("file: colour.png, range: [0, 1]"), "expected a grey one"},
        {field("file: colour.png"), "'range' is missing"},
        {field("samples: [1, 5], bumps: 1, wavelength: 1"), "samples"},
        {field("samples: [5000, 5], bumps: 1, wavelength: 1"), "4096"},
        {field("samples: [5, 5], bumps: 1, wavelength: 1e-9"), "wavelength"},
        {field("bumps: 1"), "expected exactly one of 'grid'"},
        {"{type: heightfield, size: [1, 0], heights: {grid: [[1, 2], [3, 4]]}}", "size"},
        {"{type: mesh, file: empty.obj}",
         "empty.obj: the mesh has no triangles; expected at least one"},
        {"{type: mesh, file: bad.obj}", "bad.obj:3:7: '3' names no vertex"},
        {"{type: mesh, file: bad.txt}", "meshes of the kind '.txt' are not read"},
    };
    for (const auto& [shape, expected] : cases) {
        const std::string error = files.error_of(scene_with(shape));
        EXPECT_EQ(error.rfind("scene.yaml:4:", 0), 0U) << shape << ": " << error;
        EXPECT_NE(error.find(expected), std::string::npos) << shape << ": " << error;
    }
    EXPECT_NE(
        files
            .error_of("version: 1\ncontact: {model: no_slip}\nbodies:\n  - {mass: 1, shape: " +
                      field("grid: [[1, 2], [3, 4]]") + "}\n")
            .find("a heightfield cannot move"),
        std::string::npos);
}

}  // namespace
}  // namespace stiction
