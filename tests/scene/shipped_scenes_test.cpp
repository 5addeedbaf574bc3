// The scenes that ship: all load, and the geometry that their published facts rest on. Runs in the
// project's root.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/error.h"
#include "scene/scene_files.h"

namespace stiction {
namespace {

TEST(ShippedScenes, AllLoadAndSayWhatTheyShow) {
    const std::vector<SceneSummary> scenes = list_scenes("scenes");
    ASSERT_GE(scenes.size(), 10U);
    for (const SceneSummary& summary : scenes) {
        const Scene scene = load_scene(summary.path);
        EXPECT_FALSE(scene.description.empty()) << summary.path;
        EXPECT_EQ(scene.description, summary.description);
        EXPECT_TRUE(is_finite(scene.state)) << summary.path;
        EXPECT_GT(scene.model.nv, 0) << summary.path;
    }
    EXPECT_TRUE(std::is_sorted(scenes.begin(), scenes.end(),
                               [](const auto& a, const auto& b) { return a.path < b.path; }));
}

TEST(ShippedScenes, ListingReportsScenesThatDoNotLoad) {
    const SceneFiles files;
    files.write("b.yaml", "version: 2\n");
    files.write("a.yaml",
                "version: 1\ndescription: Fine.\ncontact: {model: no_slip}\n"
                "bodies: [{kind: static, shape: {type: plane}}]\n");
    files.write("notes.txt", "not a scene");
    const std::vector<SceneSummary> scenes = list_scenes(files.path(""));
    ASSERT_EQ(scenes.size(), 2U);
    EXPECT_EQ(scenes[0].name, "a");
    EXPECT_EQ(scenes[0].description, "Fine.");
    EXPECT_NE(scenes[1].description.find("unsupported version '2'"), std::string::npos);
    EXPECT_THROW((void)list_scenes(files.path("nowhere")), InputError);
}

// The example of the reference page is a scene like any other.
TEST(ShippedScenes, TheDocumentedExampleLoads) {
    std::ifstream page("docs/scene-format.md");
    std::string text, line;
    while (std::getline(page, line) && line != "```yaml") {
    }
    while (std::getline(page, line) && line != "```") text += line + "\n";
    const SceneFiles files;
    const Scene scene = files.load(text, {.parameters = {{"cubes", "10"}}});
    EXPECT_EQ(scene.model.bodies.size(), 11U);
    EXPECT_EQ(scene.model.bodies[10].name, "cube_9");
}

TEST(ShippedScenes, GraspIsARowOfTouchingCubes) {
    const int boxes = 16;
    const Scene scene = load_scene("scenes/grasp.yaml",
                                   {.parameters = {{"boxes", "16"}, {"repeat_contacts", "3"}}});
    ASSERT_EQ(scene.model.bodies.size(), 18U);
    EXPECT_EQ(scene.model.bodies.front().name, "gripper_left");
    EXPECT_EQ(scene.model.bodies[1].name, "box_0");
    EXPECT_EQ(scene.model.bodies.back().name, "gripper_right");
    for (int i = 0; i < boxes + 2; ++i) {
        const auto b = at(i);
        EXPECT_EQ(scene.state.pose[b].p, Vec3((i - (boxes + 1) / 2.0) * 0.1, 0, 0)) << i;
        EXPECT_EQ(scene.model.bodies[b].mass, 1);
        EXPECT_EQ(std::get<Box>(scene.model.geoms[b].shape).half, Vec3(0.05, 0.05, 0.05));
    }
    EXPECT_EQ(scene.model.contact_repeat, 3);
    EXPECT_EQ(scene.model.surface(0, 0).mu_c, 100);
    EXPECT_EQ(scene.controls.body_forces[0].force, Vec3(1600, 0, 0));
    EXPECT_EQ(scene.controls.body_forces[1].force, Vec3(-1600, 0, 0));
    EXPECT_EQ(scene.model.joints.size(), 2U);
    EXPECT_EQ(name(scene.contact), "no_slip");
}

// The cube's lower face lies in the ramp's upper face, and +x is downhill.
TEST(ShippedScenes, RampTouchesItsCubeAtEveryAngle) {
    for (const char* angle : {"0", "20", "40"}) {
        const Scene scene = load_scene("scenes/ramp.yaml", {.parameters = {{"angle", angle}}});
        const Vec3 normal = scene.state.pose[0].q * Vec3::UnitZ();
        const double top = normal.dot(scene.state.pose[0].p) + 0.1;
        EXPECT_NEAR(top, 0, 1e-16);
        EXPECT_NEAR(normal.dot(scene.state.pose[1].p) - 0.05, top, 1e-16);
        EXPECT_LE((scene.state.pose[0].q * Vec3::UnitX()).z(), 0);
    }
}

TEST(ShippedScenes, PendulumHangsFromItsPivot) {
    const Scene scene =
        load_scene("scenes/pendulum.yaml", {.parameters = {{"angle", "90"}, {"length", "2"}}});
    EXPECT_NEAR((scene.state.pose[0].p - Vec3(-1, 0, 0)).norm(), 0, 1e-15);
    const Joint& pivot = scene.model.joints[0];
    EXPECT_NEAR((scene.state.pose[0] * pivot.frame_C.p).norm(), 0, 1e-15);
    EXPECT_NEAR(joint_coordinate(scene.state, pivot).position, std::acos(0.0), 1e-14);
    EXPECT_NEAR(scene.model.bodies[0].inertia_B(1, 1), (4 + 0.0004) / 12, 1e-14);
}

TEST(ShippedScenes, IslandsIsAGridOfStacks) {
    const Scene scene = load_scene("scenes/islands.yaml");
    ASSERT_EQ(scene.model.bodies.size(), 301U);
    EXPECT_EQ(scene.model.bodies[3].name, "box_0_0_2");
    EXPECT_NEAR((scene.state.pose[3].p - Vec3(-1.35, -1.35, 0.25)).norm(), 0, 1e-15);
    EXPECT_NEAR((scene.state.pose[300].p - Vec3(1.35, 1.35, 0.25)).norm(), 0, 1e-14);
}

TEST(ShippedScenes, BounceHasOneRestitutionPerBall) {
    const Scene scene = load_scene("scenes/bounce.yaml");
    for (std::size_t i = 0; i < 10; ++i) {
        const int ball = scene.model.geoms[i + 1].material;
        EXPECT_NEAR(scene.model.surface(ball, 0).eps, 0.1 * static_cast<double>(i), 1e-15);
    }
}

}  // namespace
}  // namespace stiction
