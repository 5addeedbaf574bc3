// mesh_shape_test.cpp - shapes from mesh files: hulls, concave bodies as pieces with the mass
// properties of the mesh, and what is said of meshes that are no solids.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "model/mesh_solid.h"
#include "model/part_meshes.h"
#include "scene/scene_files.h"

namespace stiction {
namespace mesh_shape_test {
namespace {

std::string scene_with(const std::string& body) {
    return "version: 1\ncontact: {model: no_slip}\nbodies:\n  - {name: part, " + body + "}\n";
}

TEST(MeshShape, AHullFromAFileIsThatOfItsPoints) {
    const SceneFiles files;
    parts::Ring{}.mesh().write_obj(files.path("ring.obj"));
    const Scene scene = files.load(
        scene_with("density: 1000, shape: {type: hull, file: ring.obj, scale: [2, 2, 1]}"));
    const auto& hull = std::get<Hull>(scene.model.geoms.at(0).shape);
    EXPECT_EQ(hull.vertices.size(), 64U);
    // The hull has no hole: a prism over 32 corners of radius 0.2 m, 2 cm high.
    const double area = 16 * std::sin(2 * std::numbers::pi / 32) * 0.04;
    EXPECT_NEAR(scene.model.bodies[0].mass, 1000 * area * 0.02, 1e-9);
    EXPECT_TRUE(scene.model.visuals.empty());
}

// Mass and inertia are the mesh's closed form, wherever the mesh has its origin; pieces are convex
// and hidden, the mesh is drawn.
TEST(MeshShape, AConcaveBodyHasTheMassOfItsMesh) {
    const SceneFiles files;
    parts::chair().mesh().write_obj(files.path("chair.obj"));
    const SolidProperties form = parts::chair().solid_form();
    const Scene scene = files.load(scene_with(
        "density: 600, position: [1, 2, 0], shape: {type: mesh, file: chair.obj, decompose: "
        "{pieces: 12, tolerance: 0.001}}"));
    const Body& body = scene.model.bodies[0];
    EXPECT_NEAR(body.mass, 600 * form.volume, 1e-9 * body.mass);
    EXPECT_LT((body.inertia_B - 600 * form.inertia).norm(), 1e-9 * body.inertia_B.norm());
    EXPECT_LT((scene.state.pose[0].p - (Vec3(1, 2, 0) + form.centroid)).norm(), 1e-12);
    EXPECT_GE(scene.model.geoms.size(), 6U);
    EXPECT_LE(scene.model.geoms.size(), 12U);
    for (const Geom& geom : scene.model.geoms) {
        EXPECT_TRUE(geom.hidden);
        EXPECT_TRUE(std::holds_alternative<Hull>(geom.shape));
        EXPECT_LT((geom.pose_BG.p + form.centroid).norm(), 1e-12);
    }
    ASSERT_EQ(scene.model.visuals.size(), 1U);
    EXPECT_EQ(std::get<TriangleMesh>(scene.model.visuals[0].shape).surface->box().max(),
              Vec3(0.2, 0.2, 0.9));
    EXPECT_TRUE(scene.warnings.empty());
}

TEST(MeshShape, CopiesShareTheirPieces) {
    const SceneFiles files;
    parts::hook().mesh().write_obj(files.path("hook.obj"));
    const Scene scene = files.load(scene_with(
        "repeat: {count: 5, spacing: [1, 0, 0]}, mass: 2, shape: {type: mesh, file: hook.obj, "
        "decompose: {}}"));
    ASSERT_EQ(scene.model.visuals.size(), 5U);
    const auto surface = [&](std::size_t i) {
        return std::get<TriangleMesh>(scene.model.visuals[i].shape).surface;
    };
    for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(surface(i), surface(0));
    for (const Body& body : scene.model.bodies) EXPECT_EQ(body.mass, 2);
}

// A cache of its own for a test.
class CacheFolder {
  public:
    explicit CacheFolder(const std::string& path) : folder_(path + "/stiction/pieces") {
        const char* before = std::getenv("XDG_CACHE_HOME");
        before_ = before == nullptr ? std::nullopt : std::optional<std::string>(before);
        setenv("XDG_CACHE_HOME", path.c_str(), 1);
    }
    ~CacheFolder() {
        if (before_) {
            setenv("XDG_CACHE_HOME", before_->c_str(), 1);
        } else {
            unsetenv("XDG_CACHE_HOME");
        }
    }
    CacheFolder(const CacheFolder&) = delete;
    CacheFolder& operator=(const CacheFolder&) = delete;
    [[nodiscard]] std::vector<std::filesystem::path> files() const {
        std::vector<std::filesystem::path> found;
        if (!std::filesystem::exists(folder_)) return found;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            found.push_back(entry.path());
        return found;
    }

  private:
    std::filesystem::path folder_;
    std::optional<std::string> before_;
};

// The pieces of a mesh are kept by its content and the settings: they are the same to the bit when they
// come from there, a damaged file is as good as none, and another tolerance is another entry.
TEST(MeshShape, PiecesAreKeptBetweenStarts) {
    const SceneFiles files;
    const CacheFolder cache(files.path("cache"));
    parts::Ring{}.mesh().write_obj(files.path("ring.obj"));
    const auto load = [&](const std::string& tolerance) {
        return files.load(
            scene_with("density: 700, shape: {type: mesh, file: ring.obj, decompose: {pieces: 64, "
                       "tolerance: " +
                       tolerance + "}}"));
    };
    const auto same = [](const Scene& a, const Scene& b) {
        ASSERT_EQ(a.model.geoms.size(), b.model.geoms.size());
        for (std::size_t i = 0; i < a.model.geoms.size(); ++i) {
            const auto& x = std::get<Hull>(a.model.geoms[i].shape);
            const auto& y = std::get<Hull>(b.model.geoms[i].shape);
            EXPECT_EQ(x.vertices, y.vertices);
            ASSERT_EQ(x.faces.size(), y.faces.size());
            for (std::size_t k = 0; k < x.faces.size(); ++k) {
                EXPECT_EQ(x.faces[k].vertices, y.faces[k].vertices);
                EXPECT_EQ(x.faces[k].normal, y.faces[k].normal);
                EXPECT_EQ(x.faces[k].offset, y.faces[k].offset);
            }
        }
    };
    const Scene made = load("0.005");
    ASSERT_EQ(cache.files().size(), 1U);
    const std::filesystem::path kept = cache.files()[0];
    const auto written = std::filesystem::last_write_time(kept);
    same(load("0.005"), made);
    EXPECT_EQ(std::filesystem::last_write_time(kept), written) << "read, not made again";
    const auto size = std::filesystem::file_size(kept);
    std::filesystem::resize_file(kept, size / 2);
    same(load("0.005"), made);
    EXPECT_EQ(std::filesystem::file_size(kept), size) << "made again";
    {
        std::fstream file(kept, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(size / 2));
        file.put('x');
    }
    same(load("0.005"), made);
    load("0.002");
    EXPECT_EQ(cache.files().size(), 2U);
}

TEST(MeshShape, InvertedAndSlightlyOpenMeshesAreUsedWithAWarning) {
    const SceneFiles files;
    const std::string text =
        scene_with("density: 1, shape: {type: mesh, file: part.obj, decompose: {tolerance: 0.01}}");
    parts::Triangles inverted = parts::chair().mesh();
    for (auto& t : inverted.triangles) std::swap(t[1], t[2]);
    inverted.write_obj(files.path("part.obj"));
    const Scene turned = files.load(text);
    const double volume = parts::chair().solid_form().volume;
    EXPECT_NEAR(turned.model.bodies[0].mass, volume, 1e-12);
    ASSERT_EQ(turned.warnings.size(), 1U);
    EXPECT_NE(turned.warnings[0].find("scene.yaml:4:"), std::string::npos) << turned.warnings[0];
    EXPECT_NE(turned.warnings[0].find("face inward (volume -0."), std::string::npos);

    parts::Ring fine;
    fine.count = 2000;
    parts::Triangles open = fine.mesh();
    open.triangles.pop_back();  // one of 16,000
    open.write_obj(files.path("part.obj"));
    const MeshClosure hole = closure(open.surface());
    EXPECT_EQ(hole.open_edges, 3);
    EXPECT_LT(hole.uncertainty, 0.01 * hole.volume);
}

TEST(MeshShape, SaysWhatIsWrongAndWhere) {
    const SceneFiles files;
    const auto message = [&](const std::string& shape, const std::string& more = "mass: 1, ") {
        return files.error_of(scene_with(more + "shape: {" + shape + "}"));
    };
    parts::Ring{}.mesh().write_obj(files.path("ring.obj"));
    EXPECT_NE(message("type: mesh, file: ring.obj")
                  .find("cannot move; expected a static or "
                        "kinematic body, or 'decompose'"),
              std::string::npos);
    EXPECT_NE(message("type: mesh, file: ring.obj, decompose: {pieces: 2, tolerance: 0.001}")
                  .find("2 pieces deviate by up to 0."),
              std::string::npos);
    const std::string scale =
        message("type: mesh, file: ring.obj, scale: [1, -1, 1], decompose: {}");
    EXPECT_NE(scale.find("shape.scale[1]: must be > 0, got -1"), std::string::npos) << scale;
    EXPECT_EQ(scale.find("shape.file"), std::string::npos) << scale;
    EXPECT_NE(message("type: mesh, file: ring.obj, decompose: {peices: 2}")
                  .find("did you mean 'pieces'?"),
              std::string::npos);
    EXPECT_NE(message("type: mesh, file: ring.obj, decompose: {}", "kind: static, ")
                  .find("expected a dynamic body"),
              std::string::npos);
    EXPECT_NE(message("type: hull, file: ring.obj, points: [[0, 0, 0]]").find("exactly one of"),
              std::string::npos);
    EXPECT_NE(message("type: hull, file: none.obj").find("'none.obj' is not a file"),
              std::string::npos);
    parts::Triangles sheet;
    sheet.add_quad({0, 0, 0}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0});
    sheet.write_obj(files.path("sheet.obj"));
    EXPECT_NE(
        message("type: mesh, file: sheet.obj, decompose: {}").find("the mesh is open: 4 of 6"),
        std::string::npos)
        << message("type: mesh, file: sheet.obj, decompose: {}");
}

}  // namespace
}  // namespace mesh_shape_test
}  // namespace stiction
