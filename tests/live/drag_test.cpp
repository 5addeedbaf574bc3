// drag_test.cpp - the mouse's spring holds what it pulls, whatever its mass and the step size.
#include "live/drag.h"

#include "core/error.h"
#include "live/live_scenes.h"
#include "record/ball_on_plane.h"

namespace stiction {
namespace {

// A box of 0.1 x 0.2 x 0.3 m in free space.
Scene free_box(double mass, double h) {
    Scene scene;
    scene.name = "free box";
    scene.model.materials.push_back({"default", {0.5, 0, 0}});
    Body box;
    box.name = "box";
    box.mass = mass;
    box.inertia_B = mass / 12 * Vec3(0.13, 0.10, 0.05).asDiagonal();
    scene.model.bodies = {box};
    Geom geom;
    geom.body = 0;
    geom.shape = Box{{0.05, 0.1, 0.15}};
    scene.model.geoms = {geom};
    finalize(scene.model);
    scene.state.pose.resize(1);
    scene.state.twist.resize(1);
    scene.contact = NoSlip{};
    scene.step.h = h;
    return scene;
}

class DragHolds : public testing::TestWithParam<std::tuple<double, double>> {};

// It hangs from a corner: the sag is g / w^2, a tenth of the body's radius (0.19 m), as long as the
// step does not ask for a softer spring.
TEST_P(DragHolds, NearTheTargetAgainstGravity) {
    const auto [mass, h] = GetParam();
    LiveScene live(free_box(mass, h), 1);
    const Drag drag{.body = 0, .point_B = {0.05, 0.1, 0.15}, .target = {0.5, 0.3, 0.4}};
    live.set_drag(drag);
    const int steps = static_cast<int>(3 / h);
    const double start = energy(live.simulation().model, live.simulation().state).kinetic;
    EXPECT_EQ(start, 0);
    double late = 0;
    for (int i = 0; i < steps; ++i) {
        ASSERT_TRUE(live.forward());
        const Vec3 point = live.simulation().state.pose[0] * drag.point_B;
        ASSERT_LT((point - drag.target).norm(), 1.0);
        if (i > 2 * steps / 3) late = std::max(late, (point - drag.target).norm());
    }
    EXPECT_LT(late, 0.06);  // it still swings below the held point
    const Snapshot snapshot = look_at(live);
    ASSERT_TRUE(snapshot.drag.has_value());
    EXPECT_EQ(snapshot.drag->target, drag.target);
    EXPECT_LT(snapshot.drag->force.norm(), 4 * 9.81 * mass);
    // Let go, it falls freely.
    live.set_drag({});
    const Vec3 v = live.simulation().state.twist[0].v;
    forward(live, 1);
    EXPECT_NEAR(live.simulation().state.twist[0].v.z(), v.z() - 9.81 * h, 1e-12);
    EXPECT_FALSE(look_at(live).drag.has_value());
}

INSTANTIATE_TEST_SUITE_P(MassesAndSteps, DragHolds,
                         testing::Combine(testing::Values(1e-3, 1.0, 1e3),
                                          testing::Values(1e-4, 1e-3, 1e-2)));

// At the centre of mass the sag is that of the formula in drag.h.
TEST(Drag, SagsByATenthOfTheRadius) {
    LiveScene live(free_box(2, 1e-3), 1);
    live.set_drag(Drag{.body = 0, .target = {0, 0, 0.1}});
    forward(live, 3000);
    const double radius = Vec3(0.05, 0.1, 0.15).norm();
    EXPECT_NEAR(live.simulation().state.pose[0].p.z(), 0.1 - 0.1 * radius, 1e-6);
    EXPECT_NEAR(look_at(live).drag->force.z(), 2 * 9.81, 1e-4);
    live.set_drag(Drag{.body = 0, .target = {0, 0, 0.1}, .strength = 4});
    forward(live, 3000);
    EXPECT_NEAR(live.simulation().state.pose[0].p.z(), 0.1 - 0.025 * radius, 1e-6);
}

// A hard spring is softened until the step can take it.
TEST(Drag, AnyStrengthIsStable) {
    for (const double strength : {1e2, 1e6, 1e12}) {
        LiveScene live(free_box(1, 1e-2), 1);
        live.set_drag(
            Drag{.body = 0, .point_B = {0.05, 0, 0}, .target = {1, 0, 0}, .strength = strength});
        forward(live, 1000);
        EXPECT_LT((live.simulation().state.pose[0] * Vec3(0.05, 0, 0) - Vec3(1, 0, 0)).norm(), 0.1)
            << strength;
    }
}

TEST(Drag, WorksWithEveryModelOnAPile) {
    for (const std::string_view model : kContactModelNames) {
        const Scene scene = shipped_scene("stack", {{"boxes", "4"}});
        LiveScene live(scene, 1);
        use_model(live, make_contact_model(model));
        const auto top = static_cast<int>(scene.model.bodies.size()) - 1;
        const Vec3 start = scene.state.pose[at(top)].p;
        live.set_drag(Drag{.body = top, .target = start + Vec3(0, 0, 0.3)});
        forward(live, 1000);
        EXPECT_NEAR(live.simulation().state.pose[at(top)].p.z(), start.z() + 0.3, 0.03) << model;
    }
}

TEST(Drag, IsForDynamicBodiesOnly) {
    LiveScene live(shipped_scene("ramp"), 1);
    EXPECT_THROW(live.set_drag(Drag{.body = 0}), InputError);
    EXPECT_THROW(live.set_drag(Drag{.body = 7}), InputError);
    EXPECT_THROW(live.set_drag(Drag{.body = -1}), InputError);
    EXPECT_THROW(live.set_drag(Drag{.body = 1, .strength = -1}), InputError);
    EXPECT_FALSE(look_at(live).drag.has_value());
}

}  // namespace
}  // namespace stiction
