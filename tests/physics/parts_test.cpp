// parts_test.cpp - concave bodies from files: a chair stands, a ring and a hook hang on a bar where
// the closed form puts them, and a part that falls lands on its surface.
#include "model/part_meshes.h"
#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace parts_test {
namespace {

constexpr double kTolerance = 1e-3;  // of the pieces [m]

std::string scene_with(const std::string& model, const std::string& bodies) {
    return "version: 1\ncontact: {model: " + model +
           "}\nstep: {h: 0.002}\nmaterials: {default: {friction: 0.6, viscous: 5}}\nbodies:\n" +
           bodies;
}

std::string part(const std::string& file, const std::string& more) {
    return "  - {name: part, density: 700, " + more + ", shape: {type: mesh, file: " + file +
           ", decompose: {pieces: 64, tolerance: 0.001}}}\n";
}

Simulation after(const Scene& scene, double time) {
    Simulation sim = simulate(scene, scene.contact);
    const auto steps = static_cast<int>(std::lround(time / scene.step.h));
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        EXPECT_LT(deepest_overlap(sim), kTolerance);
    }
    return sim;
}

// Dropped from 2 mm. Its feet are at the mesh's z = 0, so it ends as high as its centre of mass is
// in the mesh: blocks are taken apart exactly.
TEST(Parts, AChairStands) {
    const SceneFiles files;
    parts::chair().mesh().write_obj(files.path("chair.obj"));
    for (const std::string_view model : kContactModelNames) {
        SCOPED_TRACE(model);
        const Scene scene = files.load(scene_with(
            std::string(model), "  - {name: ground, kind: static, shape: {type: plane}}\n" +
                                    part("chair.obj", "position: [0, 0, 0.002]")));
        const Simulation sim = after(scene, 0.5);
        const double height = parts::chair().solid_form().centroid.z();
        EXPECT_NEAR(sim.state.pose[1].p.z(), height, 1e-5);
        EXPECT_GT(sim.state.pose[1].R()(2, 2), 1 - 1e-8);
        EXPECT_LT(sim.state.twist[1].v.norm(), 1e-3);
    }
}

// A ring whose axis is that of a bar through it: it hangs with the flat in the middle of its inside
// on the bar, its centre below the bar's by what the radii differ.
TEST(Parts, ARingHangsOnABar) {
    const SceneFiles files;
    const parts::Ring ring;
    ring.mesh().write_obj(files.path("ring.obj"));
    const double bar = 0.01, apothem = ring.inner * std::cos(std::numbers::pi / ring.count);
    const Scene scene = files.load(scene_with(
        "coulomb_cone",
        "  - {name: bar, kind: static, orientation: {axis: [1, 0, 0], angle: 90 deg}, shape: "
        "{type: capsule, radius: 0.01, length: 0.2}}\n" +
            part("ring.obj",
                 "position: [0, 0, -0.068], orientation: {axis: [1, 0, 0], angle: 90 deg}")));
    const Simulation sim = after(scene, 2);
    const double below = -sim.state.pose[1].p.z();
    std::printf("ring: hangs %.5f m below the bar, the mesh %.5f to %.5f m; %zu pieces\n", below,
                apothem - bar, ring.inner - bar, scene.model.geoms.size() - 1);
    EXPECT_LT(below, ring.inner - bar + 1e-6);
    EXPECT_GT(below, apothem - bar - kTolerance);
    EXPECT_LT(sim.state.twist[1].v.norm(), 0.05);
}

// The hook's crossbar at the top rests on the bar from above: the underside of its upper arm, at
// z = 0.16 of the mesh, touches the bar's top.
TEST(Parts, AHookHangsOnABar) {
    const SceneFiles files;
    parts::hook().mesh().write_obj(files.path("hook.obj"));
    const SolidProperties form = parts::hook().solid_form();
    const Scene scene = files.load(scene_with(
        "coulomb_cone",
        "  - {name: bar, kind: static, orientation: {axis: [1, 0, 0], angle: 90 deg}, shape: "
        "{type: capsule, radius: 0.005, length: 0.2}}\n" +
            part("hook.obj", "position: [" + exactly(-form.centroid.x()) + ", 0, -0.154]")));
    const Simulation sim = after(scene, 2);
    // Straight over its centre of mass the hook may swing about the bar, not fall off it.
    const Pose mesh = sim.state.pose[1] * Pose{-form.centroid, Quat::Identity()};
    const Vec3 bar_in_mesh = mesh.inverse() * Vec3::Zero();
    std::printf("hook: the bar is at x %.4f, z %.5f of the mesh\n", bar_in_mesh.x(),
                bar_in_mesh.z());
    EXPECT_NEAR(bar_in_mesh.z(), 0.16 - 0.005, kTolerance);
    EXPECT_GT(bar_in_mesh.x(), -0.05);
    EXPECT_LT(bar_in_mesh.x(), 0.03);
}

// A ring that falls flat lands on its own thickness; a ball dropped through its hole touches only
// the ground.
TEST(Parts, ABallFallsThroughARing) {
    const SceneFiles files;
    parts::Ring{}.mesh().write_obj(files.path("ring.obj"));
    const Scene scene = files.load(scene_with(
        "coulomb_lcp",
        "  - {name: ground, kind: static, shape: {type: plane}}\n" +
            part("ring.obj", "position: [0, 0, 0.015]") +
            "  - {name: ball, mass: 0.1, position: [0.03, 0, 0.2], shape: {type: sphere, radius: "
            "0.04}}\n"));
    const Simulation sim = after(scene, 0.6);
    EXPECT_NEAR(sim.state.pose[1].p.z(), 0.01, 1e-6);
    EXPECT_NEAR(sim.state.pose[2].p.z(), 0.04, 1e-6);
    EXPECT_LT(std::hypot(sim.state.pose[2].p.x(), sim.state.pose[2].p.y()), 0.041);
}

}  // namespace
}  // namespace parts_test
}  // namespace stiction
