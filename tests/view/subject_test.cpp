// subject_test.cpp - the camera frames what moves, and does not lose it.
#include "view/subject.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

constexpr double kViewWidth = 670, kViewHeight = 700;
constexpr Rectangle kFree{0, 0, 670, 360};  // above the overlay

bool is_free(const Vec3& seen) {
    return seen.z() > 0 && seen.x() >= kFree.left && seen.x() <= kFree.right &&
           seen.y() >= kFree.top && seen.y() <= kFree.bottom;
}

Model balls(int count, State& state) {
    Model model;
    for (int i = 0; i < count; ++i) {
        Body body;
        body.name = "ball" + std::to_string(i);
        body.kind = BodyKind::kDynamic;
        body.mass = 1;
        body.inertia_B = Mat3::Identity();
        model.bodies.push_back(body);
        Geom geom;
        geom.body = i;
        geom.shape = Sphere{0.1};
        model.geoms.push_back(geom);
        state.pose.push_back({Vec3(0.2 * i, 0, 1), Quat::Identity()});
        state.twist.emplace_back();
    }
    return model;
}

TEST(Subject, IsWhatMovesWithoutWhatHasLeft) {
    State state;
    Model model = balls(9, state);
    Body wall;
    wall.kind = BodyKind::kStatic;
    model.bodies.push_back(wall);
    Geom wide;
    wide.body = 9;
    wide.shape = Box{{50, 50, 1}};
    model.geoms.push_back(wide);
    state.pose.emplace_back();
    const Extent all = subject(model, state);
    EXPECT_LT((all.centre - Vec3(0.8, 0, 1)).norm(), 1e-12);
    EXPECT_LT(all.radius, 1.1);
    state.pose[3].p.z() = -500;  // one that fell
    const Extent rest = subject(model, state);
    EXPECT_LT(rest.radius, 1.1);
    EXPECT_GT(rest.centre.z(), 0.9);
    for (int i = 0; i < 9; ++i) state.pose[static_cast<std::size_t>(i)].p.z() = -500;
    EXPECT_NEAR(subject(model, state).centre.z(), -500, 1);  // all of them: it is still they
}

// Grippers that stay and boxes that fall between them: the middle of all would show nothing.
TEST(Subject, OfPartsFarApartIsOneOfThem) {
    State state;
    const Model model = balls(4, state);
    const Extent start = subject(model, state);
    for (const std::size_t i : {1U, 2U}) state.pose[i].p.z() = -20;
    const Extent stayed = subject(model, state, start);
    EXPECT_GT(stayed.centre.z(), 0.9);
    EXPECT_LT(stayed.radius, 1);
    state.pose[0].p.z() = -20;  // most of them fell
    const Extent fallen = subject(model, state, start);
    EXPECT_NEAR(fallen.centre.z(), -20, 0.1);
    EXPECT_LT(fallen.radius, 1);
}

TEST(Subject, FramedItLiesWholeInTheFreePart) {
    OrbitCamera camera;
    const Extent ball{{3, -2, 7}, 2.5};
    frame_in(camera, ball, kFree, kViewWidth, kViewHeight);
    const Vec3 seen = camera.project(ball.centre, kViewWidth, kViewHeight);
    EXPECT_NEAR(seen.x(), 335, 2);
    EXPECT_NEAR(seen.y(), 180, 2);
    const double share = share_of(camera, ball, kFree, kViewWidth, kViewHeight);
    EXPECT_GT(share, 0.7);
    EXPECT_LT(share, 1.05);
}

TEST(Subject, StaysInViewHoweverItMoves) {
    OrbitCamera camera;
    Extent ball{{0, 0, 0}, 0.2};
    frame_in(camera, {ball.centre, 1}, kFree, kViewWidth, kViewHeight);
    const OrbitCamera before = camera;
    const double share = share_of(camera, ball, kFree, kViewWidth, kViewHeight);
    keep_in_view(camera, ball, kFree, kViewWidth, kViewHeight, share);
    EXPECT_LT((camera.target - before.target).norm(), 1e-9) << "what is in view is left alone";
    for (int i = 0; i < 200; ++i) {  // falls, walks off, comes behind the camera
        ball.centre += Vec3(0.3, -0.2, -0.5);
        keep_in_view(camera, ball, kFree, kViewWidth, kViewHeight, share);
        ASSERT_TRUE(is_free(camera.project(ball.centre, kViewWidth, kViewHeight))) << i;
    }
    EXPECT_NEAR(camera.distance, before.distance, 1e-9);
    EXPECT_GT(share_of(camera, ball, kFree, kViewWidth, kViewHeight), 0.4 * share);
    ball.radius = 20;  // a pile that falls apart
    for (int i = 0; i < 20; ++i) keep_in_view(camera, ball, kFree, kViewWidth, kViewHeight, share);
    EXPECT_LT(share_of(camera, ball, kFree, kViewWidth, kViewHeight), 1.05);
    EXPECT_TRUE(is_free(camera.project(ball.centre, kViewWidth, kViewHeight)));
}

// All of it, not its middle alone: neither behind the overlay nor outside.
TEST(Subject, ComesIntoTheFreePartAsAWhole) {
    OrbitCamera camera;
    const Extent ball{{0, 0, 0}, 1};
    frame_in(camera, ball, {0, 0, 670, 700}, kViewWidth, kViewHeight);  // the whole view
    fit_in(camera, ball, kFree, kViewWidth, kViewHeight, 1);
    EXPECT_LE(share_of(camera, ball, kFree, kViewWidth, kViewHeight), 1.01);
    keep_in_view(camera, ball, kFree, kViewWidth, kViewHeight, 1);
    const Vec3 top = ball.centre + Vec3(0, 0, 0.8), foot = ball.centre - Vec3(0, 0, 0.8);
    EXPECT_TRUE(is_free(camera.project(top, kViewWidth, kViewHeight)));
    EXPECT_TRUE(is_free(camera.project(foot, kViewWidth, kViewHeight)));
    const double distance = camera.distance;
    fit_in(camera, ball, kFree, kViewWidth, kViewHeight, 2);  // there is room: nothing moves
    EXPECT_EQ(camera.distance, distance);
}

// Every scene that ships, as it opens and after half a second of nothing but falling.
TEST(Subject, OfEveryShippedSceneIsSeen) {
    for (const SceneSummary& listed : list_scenes("scenes")) {
        SCOPED_TRACE(listed.name);
        const Scene scene = load_scene(listed.path);
        EXPECT_TRUE(scene.camera.given);
        OrbitCamera camera = make_camera(scene.camera, extent(scene.model, scene.state).radius);
        State state = scene.state;
        const double share =
            share_of(camera, subject(scene.model, state), kFree, kViewWidth, kViewHeight);
        keep_in_view(camera, subject(scene.model, state), kFree, kViewWidth, kViewHeight, share);
        EXPECT_TRUE(
            is_free(camera.project(subject(scene.model, state).centre, kViewWidth, kViewHeight)));
        for (Pose& pose : state.pose) pose.p.z() -= 1.2;
        keep_in_view(camera, subject(scene.model, state), kFree, kViewWidth, kViewHeight, share);
        EXPECT_TRUE(
            is_free(camera.project(subject(scene.model, state).centre, kViewWidth, kViewHeight)));
    }
}

TEST(Around, HoldsBothUnlessOneIsFarOff) {
    const Extent a{{0, 0, 0}, 1}, b{{4, 0, 0}, 0.5};
    const Extent both = around(a, b);
    EXPECT_NEAR(both.centre.x(), 1.75, 1e-12);
    EXPECT_NEAR(both.radius, 2.75, 1e-12);
    EXPECT_EQ(around(a, {{0.2, 0, 0}, 0.3}).radius, 1);
    EXPECT_EQ(around(a, {{0.2, 0, 0}, 3}).radius, 3);
    EXPECT_EQ(around(a, {{100, 0, 0}, 1}).radius, 1);
    EXPECT_EQ(around(a, {{NAN, 0, 0}, 1}).radius, 1);
}

}  // namespace
}  // namespace stiction
