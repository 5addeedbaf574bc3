// What scenes are meant to show, under both narrowphases: the grasp holds, the cube slides as the
// closed form says, the stack stands, the robot walks, spheres stay in their box, the hand lifts
// its glass. Where Bullet's contacts do not hold what the exact ones hold, that is here too.
#include "scenes/hands.h"
#include "scenes/walking.h"

namespace stiction {
namespace narrowphases_test {
namespace {

constexpr std::array kBoth = {NarrowphaseKind::kExact, NarrowphaseKind::kBullet};

Scene scene_with(const std::string& scene_name, NarrowphaseKind narrowphase,
                 const Parameters& parameters = {}) {
    Scene scene = shipped_scene(scene_name, parameters);
    scene.step.narrowphase = narrowphase;
    return scene;
}

// How far the dynamic bodies have gone from where they started, at most [m].
double moved(const Simulation& sim, const State& start) {
    double most = 0;
    for (std::size_t b = 0; b < sim.model.bodies.size(); ++b)
        most = std::max(most, (sim.state.pose[b].p - start.pose[b].p).norm());
    return most;
}

double moved_after(const Scene& scene, double time) {
    Simulation sim = simulate(scene, scene.contact);
    take_steps(sim, static_cast<int>(std::lround(time / scene.step.h)));
    return moved(sim, scene.state);
}

TEST(Narrowphases, GraspStackAndWallStand) {
    for (const NarrowphaseKind kind : kBoth) {
        SCOPED_TRACE(name(kind));
        EXPECT_LT(moved_after(scene_with("grasp", kind, {{"boxes", "8"}}), 1), 1e-9);
        EXPECT_LT(moved_after(scene_with("stack", kind), 1), 1e-9);
        EXPECT_LT(moved_after(scene_with("wall", kind), 1), 1e-9);
    }
}

// mu = 0.2 on 20 degrees. GJK has no normal at gaps of rounding; where btBoxBox does not help, a step
// of a wrong normal costs some parts in a thousand of the speed.
TEST(Narrowphases, TheCubeSlidesDownTheRamp) {
    const double angle = 20 * std::acos(-1.0) / 180, time = 0.5;
    const double speed = time * kGravity * (std::sin(angle) - 0.2 * std::cos(angle));
    for (const NarrowphaseKind kind : kBoth) {
        const Scene scene = scene_with("ramp", kind);
        Simulation sim = simulate(scene, scene.contact);
        take_steps(sim, static_cast<int>(std::lround(time / scene.step.h)));
        const double error = sim.state.twist.back().v.norm() - speed;
        std::printf("ramp, %s: speed off by %.1e m/s of %.3g\n", std::string(name(kind)).c_str(),
                    error, speed);
        EXPECT_NEAR(error, 0, kind == NarrowphaseKind::kExact ? 1e-6 : 2e-3 * speed);
    }
}

TEST(Narrowphases, TheRobotWalks) {
    for (const NarrowphaseKind kind : kBoth) {
        SCOPED_TRACE(name(kind));
        const Walk result = walk(scene_with("quadruped", kind), model_named("coulomb_lcp"), 1.5);
        print(std::string(name(kind)), result);
        expect_on_its_feet(result);
        EXPECT_GT(result.distance, 0.03);
    }
}

TEST(Narrowphases, SpheresStayInTheirBox) {
    for (const NarrowphaseKind kind : kBoth) {
        SCOPED_TRACE(name(kind));
        Scene scene = scene_with("granular", kind, {{"count", "120"}});
        Simulation sim = simulate(scene, scene.contact);
        double depth = 0;
        while (sim.state.time < 0.6) {
            ASSERT_EQ(step(sim), StepOutcome::kDone);
            depth = std::max(depth, deepest_overlap(sim));
        }
        EXPECT_LT(depth, 1e-3);
        EXPECT_EQ(sim.frame.contacts.bullet_pairs,
                  kind == NarrowphaseKind::kBullet ? sim.frame.contacts.pairs : 0);
        for (std::size_t b = 0; b < sim.model.bodies.size(); ++b)
            EXPECT_GT(sim.state.pose[b].p.z(), -0.5) << sim.model.bodies[b].name;
    }
}

double lift(const std::string& hand, NarrowphaseKind kind) {
    const Scene scene = scene_with(hand, kind);
    Simulation sim = simulate(scene, scene.contact);
    const std::size_t glass = glass_of(scene.model);
    const auto steps = static_cast<int>(std::lround(scene.duration / scene.step.h));
    for (int i = 0; i < steps; ++i) {
        if (step(sim) != StepOutcome::kDone) {
            ADD_FAILURE() << describe_failure(sim);
            break;
        }
    }
    return sim.state.pose[glass].p.z() - scene.state.pose[glass].p.z();
}

TEST(Narrowphases, HandsLiftTheirGlass) {
    for (const NarrowphaseKind kind : kBoth) {
        EXPECT_NEAR(lift("hand3", kind), kHandLift, 0.003) << name(kind);
        EXPECT_NEAR(lift("hand5", kind), kHandLift, 0.003) << name(kind);
    }
}

// Two hulls that meet with their faces have one point in each step under Bullet: an arch of stones,
// which stands on whole faces, falls.
TEST(Narrowphases, AnArchNeedsWholeFaces) {
    const Parameters five = {{"stones", "5"}, {"thickness", "0.3"}};
    EXPECT_LT(moved_after(scene_with("arch", NarrowphaseKind::kExact, five), 0.3), 1e-4);
    const Scene scene = scene_with("arch", NarrowphaseKind::kBullet, five);
    Simulation sim = simulate(scene, scene.contact);
    while (sim.state.time < 0.3) ASSERT_EQ(step(sim), StepOutcome::kDone);
    std::printf("arch of five stones under Bullet's contacts: moved %.2g m in 0.3 s\n",
                moved(sim, scene.state));
    EXPECT_GT(moved(sim, scene.state), 1e-3);
}

}  // namespace
}  // namespace narrowphases_test
}  // namespace stiction
