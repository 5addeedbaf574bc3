// shapes_test.cpp - cones, ellipsoids and rounded boxes as bodies: they come to rest where the closed
// form says, on a plane and on triangles, under both narrowphases.
#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace shapes_test {
namespace {

const char* const kGrounds[] = {"{type: plane}",
                                "{type: heightfield, size: [2, 2], heights: {grid: [[0, 0, 0, 0], "
                                "[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}}"};

Scene scene_with(const SceneFiles& files, const char* ground, NarrowphaseKind kind,
                 const std::string& body, const std::string& friction = "0.5") {
    Scene scene = files.load(
        "version: 1\ncontact: {model: coulomb_cone}\nstep: {h: 0.002}\n"
        "materials: {default: {friction: " +
        friction + "}}\nbodies:\n  - {name: ground, kind: static, shape: " + ground +
        "}\n  - {name: body, density: 1000, " + body + "}\n");
    scene.step.narrowphase = kind;
    return scene;
}

template <class Test>
void on_all_grounds(const Test& test) {
    for (const char* ground : kGrounds) {
        for (const NarrowphaseKind kind : {NarrowphaseKind::kExact, NarrowphaseKind::kBullet}) {
            SCOPED_TRACE(std::string(ground) + ", " + std::string(name(kind)));
            test(ground, kind);
        }
    }
}

Simulation after(const Scene& scene, double time) {
    Simulation sim = simulate(scene, scene.contact);
    while (sim.state.time < time - 0.5 * scene.step.h) {
        EXPECT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        if (::testing::Test::HasFailure()) break;
    }
    return sim;
}

// Its centre of mass is a quarter of the height above the base. One point in each step, as Bullet's
// narrowphase has, lets it rock.
TEST(Shapes, AConeStandsOnItsBase) {
    const SceneFiles files;
    on_all_grounds([&](const char* ground, NarrowphaseKind kind) {
        const Simulation sim = after(scene_with(files, ground, kind,
                                                "position: [0.1, 0.05, 0.101], shape: {type: cone, "
                                                "radius: 0.1, length: 0.2}"),
                                     0.3);
        const bool exact = kind == NarrowphaseKind::kExact;
        EXPECT_NEAR(sim.state.pose[1].p.z(), 0.05, exact ? 1e-9 : 2e-3);
        EXPECT_GT(sim.state.pose[1].R()(2, 2), exact ? 1 - 1e-12 : 0.999);
        if (exact) {
            EXPECT_EQ(sim.frame.contacts.contacts.size(), 4U);
        }
    });
}

// On its side it touches along a line: two contacts, apex and rim.
TEST(Shapes, AConeLiesOnItsSide) {
    const SceneFiles files;
    // The side is level when the axis is turned by 90 degrees and half the opening angle.
    const std::string lying =
        "position: [0.1, 0.05, 0.0448], orientation: {axis: [0, 1, 0], angle: pi/2 + atan(0.5)}, "
        "angular_damping: 5, shape: {type: cone, radius: 0.1, length: 0.2}";
    for (const char* ground : kGrounds) {
        const Simulation sim =
            after(scene_with(files, ground, NarrowphaseKind::kExact, lying), 0.3);
        // The apex is 0.15 m from the centre of mass along the axis.
        EXPECT_NEAR(sim.state.pose[1].p.z(), 0.15 * std::sin(std::atan(0.5)), 1e-6) << ground;
        EXPECT_EQ(sim.frame.contacts.contacts.size(), 2U) << ground;
    }
}

TEST(Shapes, AnEllipsoidComesToRestOnItsFlatSide) {
    const SceneFiles files;
    on_all_grounds([&](const char* ground, NarrowphaseKind kind) {
        const Simulation sim = after(
            scene_with(files, ground, kind,
                       "position: [0.1, 0.05, 0.11], orientation: {axis: [1, 2, 0], angle: 0.4}, "
                       "angular_damping: 6, shape: {type: ellipsoid, half: [0.15, 0.1, 0.08]}"),
            4);  // it rocks for 3 s
        EXPECT_NEAR(sim.state.pose[1].p.z(), 0.08, 1e-5);
        EXPECT_GT(std::abs(sim.state.pose[1].R()(2, 2)), 1 - 1e-4);
    });
}

// Slides as a block does: mu g is what it loses, whatever its corners.
TEST(Shapes, ARoundedBoxSlidesAsABox) {
    const SceneFiles files;
    on_all_grounds([&](const char* ground, NarrowphaseKind kind) {
        const Simulation sim =
            after(scene_with(files, ground, kind,
                             "position: [-0.3, 0.05, 0.05], velocity: [1, 0, 0], shape: {type: "
                             "rounded_box, half: [0.15, 0.1, 0.05], radius: 0.02}",
                             "0.2"),
                  0.2);
        const bool exact = kind == NarrowphaseKind::kExact;
        EXPECT_NEAR(sim.state.twist[1].v.x(), 1 - 0.2 * kGravity * 0.2, exact ? 1e-6 : 0.02);
        EXPECT_NEAR(sim.state.pose[1].p.z(), 0.05, exact ? 1e-9 : 1e-3);
    });
}

// Heaps of all three stay above the ground, and nothing sinks into anything.
TEST(Shapes, AHeapDoesNotSink) {
    const SceneFiles files;
    std::string bodies;
    const char* const shapes[] = {
        "{type: cone, radius: 0.05, length: 0.1}", "{type: ellipsoid, half: [0.07, 0.05, 0.03]}",
        "{type: rounded_box, half: [0.06, 0.04, 0.03], radius: 0.015}",
        "{type: cylinder, radius: 0.04, length: 0.08}", "{type: box, half: [0.05, 0.04, 0.03]}"};
    for (int i = 0; i < 25; ++i) {
        bodies += "  - {name: b" + std::to_string(i) + ", density: 1000, position: [" +
                  exactly(0.15 * (i % 2) - 0.07) + ", " + exactly(0.13 * (i / 2 % 2)) + ", " +
                  exactly(0.1 + 0.15 * (i / 4)) + "], orientation: {axis: [1, " +
                  std::to_string(i % 5) + ", 3], angle: " + std::to_string(i) +
                  "}, shape: " + shapes[i % 5] + "}\n";
    }
    const Scene scene = files.load(
        "version: 1\ncontact: {model: coulomb_cone}\nstep: {h: 0.002}\nbodies:\n"
        "  - {name: ground, kind: static, shape: {type: heightfield, size: [3, 3], heights: "
        "{samples: [151, 151], bumps: 0.03, wavelength: 0.2, seed: 4}}}\n" +
        bodies);
    Simulation sim = simulate(scene, scene.contact);
    double deepest = 0;
    while (sim.state.time < 1.2) {
        ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
        deepest = std::max(deepest, deepest_overlap(sim));
    }
    std::printf("heap: %zu contacts, deepest overlap %.1e m\n", sim.frame.contacts.contacts.size(),
                deepest);
    EXPECT_LT(deepest, 6e-3);  // a tenth of a body, while it lands on bumps
    for (std::size_t b = 1; b < sim.state.pose.size(); ++b)
        EXPECT_GT(sim.state.pose[b].p.z(), 0) << sim.model.bodies[b].name;
}

}  // namespace
}  // namespace shapes_test
}  // namespace stiction
