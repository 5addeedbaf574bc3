// machines_test.cpp - the engine turns, its parts held by contacts alone; the loader works as it
// should where there is nothing to load. machines_long_test.cpp has both as they are shipped.
#include "scenes/machines.h"

namespace stiction::machines {
namespace {

TEST(Engine, StartsWithoutOverlapAndWithEqualMasses) {
    for (const char* cylinders : {"1", "2", "3", "4"}) {
        const Scene scene = shipped_scene("engine", {{"cylinders", cylinders}});
        int parts = 0;
        for (const Body& body : scene.model.bodies) {
            if (body.kind != BodyKind::kDynamic) continue;
            EXPECT_NEAR(body.mass, 1, 1e-12) << body.name;
            ++parts;
        }
        EXPECT_EQ(parts, 1 + 2 * std::stoi(cylinders));
        EXPECT_TRUE(scene.model.joints.empty());
        Narrowphase narrowphase(scene.model);
        ContactSet contacts;
        narrowphase.collide(scene.model, scene.state, scene.step.h, contacts);
        for (const Contact& c : contacts.contacts) EXPECT_GT(c.phi, 0.9e-4);
    }
}

// Facets cost energy and give none; the speeds the parts start with are those the mechanism has.
TEST(Engine, OneCylinderTurns) {
    for (const char* model : {"max_dissipation", "coulomb_lcp"}) {
        const std::vector<Revolution> turns = turn_engine(1, model, 1);
        ASSERT_EQ(turns.size(), 1U) << model;
        const Work& work = turns[0].work;
        EXPECT_EQ(work.unsolved, 0) << model;
        EXPECT_NEAR(work.drive, 2 * std::numbers::pi * 0.12, 0.01) << model;  // torque 0.12 N m
        EXPECT_GT(work.facets, 0) << model;
        EXPECT_LT(work.facets, work.drive) << model;
        EXPECT_LT(work.gained, 1e-4 * work.drive) << model;
        EXPECT_LT(work.lifted, 0.02 * work.drive) << model;
        EXPECT_LT(work.overlap, 1e-4) << model;
    }
}

// Without rocks: it drives up, curls and lifts its bucket, backs off, and halts.
TEST(Loader, DrivesLiftsAndBacksOff) {
    const Scene scene = shipped_scene("loader", {{"rocks", "0"}});
    Simulation sim = simulate(scene, scene.contact);
    const std::size_t bucket = body_named(sim.model, "bucket");
    const std::size_t rear = body_named(sim.model, "rear");
    const double low = sim.state.pose[bucket].p.z();
    double furthest = 0, joint_error = 0;
    while (sim.state.time < scene.duration - 0.5 * scene.step.h) {
        take_steps(sim, 1);
        if (testing::Test::HasFatalFailure()) return;
        furthest = std::max(furthest, sim.state.pose[rear].p.x());
        joint_error = std::max(joint_error, sim.frame.joints.position);
    }
    EXPECT_GT(furthest, 5);
    EXPECT_LT(sim.state.pose[rear].p.x(), furthest - 2);
    EXPECT_GT(sim.state.pose[bucket].p.z(), low + 1.3);
    EXPECT_LT(joint_error, scene.step.joint_tolerance);
    for (int i = 0; i < 4; ++i) {
        const std::size_t wheel = body_named(sim.model, "wheel_" + std::to_string(i));
        EXPECT_NEAR(sim.state.pose[wheel].p.z(), 0.7, 0.02) << i;  // on the ground
        EXPECT_LT(sim.state.twist[wheel].v.norm(), 0.1) << i;
    }
    // The bucket is curled: its cutting edge, level at the start, points up by some 45 degrees.
    const Vec3 edge = sim.state.pose[bucket].q * Vec3::UnitX();
    EXPECT_GT(edge.z(), std::sin(30 * std::numbers::pi / 180));
}

}  // namespace
}  // namespace stiction::machines
