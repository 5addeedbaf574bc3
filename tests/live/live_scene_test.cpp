// live_scene_test.cpp - what is changed acts from the next step on, and nothing else changes.
#include "live/live_scene.h"

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "live/live_scenes.h"
#include "record/ball_on_plane.h"
#include "step/simulation.h"

namespace stiction {
namespace {

TEST(LiveScene, RunsAsTheSimulation) {
    const Scene scene = shipped_scene("wall");
    Simulation sim = simulate(scene, scene.contact);
    LiveScene live(scene, 1);
    EXPECT_EQ(hash_of(live), state_hash(scene.state));
    for (int i = 0; i < 50; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    forward(live, 50);
    EXPECT_EQ(hash_of(live), state_hash(sim.state));
    EXPECT_EQ(live.time(), sim.state.time);
    EXPECT_EQ(live.simulation().state.step, 50);
}

// Every model follows every other, from warm starts on.
TEST(LiveScene, SwitchingTheModelEqualsSwitchContactModel) {
    const Scene scene = shipped_scene("stack", {{"boxes", "3"}});
    Simulation sim = simulate(scene, scene.contact);
    LiveScene live(scene, 1);
    std::vector<std::string_view> order;
    for (const std::string_view a : kContactModelNames) {
        for (const std::string_view b : kContactModelNames) order.insert(order.end(), {a, b});
    }
    for (const std::string_view model : order) {
        const ContactModel contact = make_contact_model(model);
        if (contact.index() != sim.contact_model.index()) switch_contact_model(sim, contact);
        use_model(live, contact);
        for (int i = 0; i < 4; ++i) {
            ASSERT_EQ(step(sim), StepOutcome::kDone);
            ASSERT_TRUE(live.forward());
            ASSERT_EQ(hash_of(live), state_hash(sim.state)) << model << ", step " << i;
        }
        EXPECT_EQ(look_at(live).model, model);
    }
}

TEST(LiveScene, AnotherModelDropsWarmStartsOtherParametersKeepThem) {
    LiveScene live(shipped_scene("stack", {{"boxes", "3"}}), 1);
    forward(live, 5);
    const Guess before = live.simulation().guess;
    ASSERT_FALSE(before.keys.empty());
    use_model(live, CoulombLcp{.tolerance = 1e-8});
    EXPECT_EQ(live.simulation().guess.keys, before.keys);  // acts at the next step
    Simulation sim = simulate(live.scene(), CoulombLcp{.tolerance = 1e-8});
    sim.state = live.simulation().state;
    sim.guess = before;
    ASSERT_EQ(step(sim), StepOutcome::kDone);
    forward(live, 1);
    EXPECT_EQ(hash_of(live), state_hash(sim.state));
    EXPECT_EQ(live.simulation().frame.solution.iterations, sim.frame.solution.iterations);
}

// Warm starts of other parameters are no trap: bits of a polygon with other sides, impulses of
// another solver.
TEST(LiveScene, ParametersMayChangeInEveryStep) {
    const auto solves = [](const std::vector<ContactModel>& models, const std::string& scene) {
        LiveScene live(shipped_scene(scene), 1);
        for (std::size_t i = 0; i < 120; ++i) {
            use_model(live, models[(i * i + i / 7) % models.size()]);
            ASSERT_TRUE(live.forward());
            const ContactSolution& solution = live.simulation().frame.solution;
            ASSERT_EQ(solution.status, SolveStatus::kSolved) << scene << ", step " << i;
            ASSERT_EQ(solution.fallbacks, 0) << scene << ", step " << i;
        }
    };
    std::vector<ContactModel> lcps;
    for (const int sides : {4, 6, 16}) {
        for (const auto solver :
             {CoulombLcpSolver::kAuto, CoulombLcpSolver::kLemke, CoulombLcpSolver::kPgs})
            lcps.emplace_back(CoulombLcp{.solver = solver, .sides = sides});
    }
    const auto with_each_solver = [](const std::string& model, auto names) {
        std::vector<ContactModel> models;
        for (const std::string_view solver : names)
            models.push_back(model_named(model, std::string(solver)));
        return models;
    };
    for (const std::string scene : {"ramp", "wall"}) {
        solves(lcps, scene);
        solves(with_each_solver("coulomb_cone", kCoulombConeSolverNames), scene);
        solves(with_each_solver("friction_box", kFrictionBoxSolverNames), scene);
        solves(with_each_solver("max_dissipation", kMaxDissipationSolverNames), scene);
        solves(with_each_solver("no_slip", kNoSlipSolverNames), scene);
        solves(with_each_solver("viscous", kViscousSolverNames), scene);
    }
}

TEST(LiveScene, StepSizeStabilisationAndThreadsActFromTheNextStepOn) {
    const Scene scene = shipped_scene("wall");
    LiveScene live(scene, 1);
    Simulation sim = simulate(scene, scene.contact);
    forward(live, 5);
    change_settings(live, [](LiveSettings& s) {
        s.step.h = 0.002;
        s.step.stabilisation = Stabilisation::kBaumgarte;
        s.threads = 3;
    });
    EXPECT_EQ(live.h(), 0.002);
    forward(live, 5);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    sim.settings.h = 0.002;
    sim.settings.stabilisation = Stabilisation::kBaumgarte;
    for (int i = 0; i < 5; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    EXPECT_EQ(hash_of(live), state_hash(sim.state));
    EXPECT_EQ(live.simulation().pool.threads(), 3);
}

TEST(LiveScene, RefusesSettingsThatMakeNoSense) {
    LiveScene live(shipped_scene("ramp"), 1);
    const auto refuses = [&live](const auto& change) {
        EXPECT_THROW(change_settings(live, change), InputError);
    };
    refuses([](LiveSettings& s) { s.step.h = 0; });
    refuses([](LiveSettings& s) { s.step.h = std::numeric_limits<double>::quiet_NaN(); });
    refuses([](LiveSettings& s) { s.threads = 0; });
    refuses([](LiveSettings& s) { s.mu_c = -1; });
    refuses([](LiveSettings& s) { s.mu_v = std::numeric_limits<double>::infinity(); });
    refuses([](LiveSettings& s) { s.eps = 1.5; });
    refuses([](LiveSettings& s) { s.contact = CoulombLcp{.sides = 5}; });
    EXPECT_EQ(live.settings().step.h, 0.001);
    forward(live, 1);
}

// The cube slides with a = g (sin - mu cos) along the ramp; with mu = 1 > tan 20 deg it stays.
TEST(LiveScene, CoefficientsAreOverriddenAndRestored) {
    const Scene scene = shipped_scene("ramp");
    LiveScene live(scene, 1);
    change_settings(live, [](LiveSettings& s) { s.mu_c = 1; });
    forward(live, 100);
    const std::size_t cube = body_named(scene.model, "cube");
    EXPECT_LT(live.simulation().state.twist[cube].v.norm(), 1e-9);
    EXPECT_EQ(look_at(live).contacts.front().mu_c, 1);
    change_settings(live, [](LiveSettings& s) { s.mu_c.reset(); });
    forward(live, 100);
    const double angle = 20 * 3.14159265358979323846 / 180;
    const double a = 9.81 * (std::sin(angle) - 0.2 * std::cos(angle));
    EXPECT_NEAR(live.simulation().state.twist[cube].v.norm(), 0.1 * a, 1e-6);
    for (std::size_t i = 0; i < scene.model.surface_pairs.size(); ++i) {
        EXPECT_EQ(live.simulation().model.surface_pairs[i].mu_c, scene.model.surface_pairs[i].mu_c);
    }
    EXPECT_EQ(live.scene().model.surface_pairs[0].mu_c, 0.2);
}

TEST(LiveScene, ResetGivesTheBitsOfTheStart) {
    LiveScene live(shipped_scene("motors"), 1);
    forward(live, 40);
    const std::uint64_t first = hash_of(live);
    live.set_control(0, -2);
    live.set_drag(Drag{.body = 1, .point_B = Vec3::Zero(), .target = {0, 0, 1}});
    forward(live, 40);
    live.reset();
    EXPECT_EQ(hash_of(live), state_hash(live.scene().state));
    EXPECT_EQ(look_at(live).history.at, 0);
    EXPECT_FALSE(look_at(live).drag.has_value());
    forward(live, 40);
    EXPECT_EQ(hash_of(live), first);
}

TEST(LiveScene, ResetKeepsTheSettings) {
    const Scene scene = shipped_scene("ramp");
    LiveScene live(scene, 1);
    use_model(live, CoulombCone{});
    forward(live, 20);
    live.reset();
    Simulation sim = simulate(scene, CoulombCone{});
    for (int i = 0; i < 20; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    forward(live, 20);
    EXPECT_EQ(hash_of(live), state_hash(sim.state));
}

// The hinge's speed follows its motor; the grippers' forces are those of the sliders.
TEST(LiveScene, ControlsReachMotorsAndScripts) {
    LiveScene motors(shipped_scene("motors"), 1);
    const std::vector<Control> list = look_at(motors).controls;
    ASSERT_GE(list.size(), 3U);
    EXPECT_EQ(list[0].name, "spinning: motor speed");
    EXPECT_EQ(list[0].unit, "rad/s");
    EXPECT_EQ(list[0].value, 3);
    EXPECT_LE(list[0].low, -6);
    EXPECT_GE(list[0].high, 6);
    EXPECT_EQ(list[1].unit, "rad");
    EXPECT_EQ(list[2].unit, "N m");
    motors.set_control(0, -1.5);
    EXPECT_THROW(motors.set_control(list.size(), 0), InputError);
    EXPECT_THROW(motors.set_control(0, std::numeric_limits<double>::infinity()), InputError);
    forward(motors, 500);
    EXPECT_NEAR(look_at(motors).joints[0].velocity, -1.5, 1e-9);

    LiveScene grasp(shipped_scene("grasp"), 1);
    ASSERT_EQ(look_at(grasp).controls.size(), 2U);
    EXPECT_EQ(look_at(grasp).controls[1].value, 200);  // its direction is -x
    grasp.set_control(1, 50);
    forward(grasp, 1);
    EXPECT_EQ(grasp.simulation().controls.body_forces[1].force, Vec3(-50, 0, 0));
    EXPECT_EQ(look_at(grasp).controls[1].value, 50);
}

TEST(LiveScene, ControlsScaleAPrescribedMotion) {
    Scene scene = shipped_scene("ramp");
    scene.model.bodies[0].kind = BodyKind::kKinematic;
    KinematicMotion motion;
    motion.body = 0;
    motion.velocity.v = {0, 0.5, 0};
    motion.velocity.w = {0, 0, 2};
    scene.controls.motions = {motion};
    LiveScene live(scene, 1);
    ASSERT_EQ(look_at(live).controls.size(), 1U);
    EXPECT_EQ(look_at(live).controls[0].name, "ramp: motion");
    EXPECT_EQ(look_at(live).controls[0].value, 1);
    forward(live, 1);
    EXPECT_EQ(live.simulation().state.twist[0].v, Vec3(0, 0.5, 0));
    live.set_control(0, -0.5);
    forward(live, 1);
    EXPECT_EQ(live.simulation().state.twist[0].v, Vec3(0, -0.25, 0));
    EXPECT_EQ(live.simulation().state.twist[0].w, Vec3(0, 0, -1));
}

TEST(LiveScene, FailureIsToldAndCanBeRecoveredFrom) {
    LiveScene live(pushed_ball(), 1);
    forward(live, 5);
    const std::uint64_t fifth = hash_of(live);
    std::size_t steps = 0;
    push_until_it_fails(live, steps);
    EXPECT_EQ(steps, 17U);
    const Snapshot failed = look_at(live);
    EXPECT_NE(failed.failure.find("not finite (first at body 'ball')"), std::string::npos)
        << failed.failure;
    EXPECT_TRUE(is_finite(failed.state));
    EXPECT_EQ(failed.state.step, 22);
    EXPECT_EQ(failed.history.at, 22);
    EXPECT_FALSE(live.forward());
    EXPECT_EQ(live.simulation().state.step, 22);
    ASSERT_TRUE(live.back());
    EXPECT_EQ(look_at(live).failure, "");
    EXPECT_EQ(live.simulation().state.step, 21);
    back(live, 16);
    EXPECT_EQ(hash_of(live), fifth);
    push_until_it_fails(live, steps);
    live.reset();
    EXPECT_EQ(look_at(live).failure, "");
    forward(live, 5);
    EXPECT_EQ(hash_of(live), fifth);
}

TEST(LiveScene, AChangeGoesOnWhereAStepFailed) {
    LiveScene live(pushed_ball(), 1);
    std::size_t steps = 0;
    push_until_it_fails(live, steps);
    live.set_control(0, -1e308);
    EXPECT_TRUE(live.forward());
    EXPECT_EQ(look_at(live).failure, "");
}

TEST(LiveScene, SavedStateGoesOnWithTheSameBits) {
    const test::ScratchFolder folder("live_state");
    LiveScene live(shipped_scene("stack"), 1);
    forward(live, 10);
    live.save_state(folder / "s.json");
    forward(live, 10);
    const std::uint64_t end = hash_of(live);
    live.load_state(folder / "s.json");
    EXPECT_EQ(live.simulation().state.step, 10);
    EXPECT_FALSE(look_at(live).stepped);
    forward(live, 10);
    EXPECT_EQ(hash_of(live), end);
    EXPECT_THROW(live.load_state(folder / "none.json"), InputError);
    EXPECT_EQ(hash_of(live), end);
    EXPECT_THROW(live.save_state(folder / "no/such/folder.json"), InputError);
}

TEST(LiveScene, RecordsEveryStepOnce) {
    LiveScene live(shipped_scene("ramp"), 1);
    forward(live, 3);
    std::vector<StepRecord> records;
    live.take_records(records);
    forward(live, 2);
    (void)look_at(live);
    live.take_records(records);
    ASSERT_EQ(records.size(), 5U);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(records[i].step, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(records[i].model, "coulomb_lcp");
        EXPECT_GT(records[i].step_seconds, 0);
    }
    EXPECT_TRUE(records[4].quality.has_value());  // measured for the snapshot
    live.take_records(records);
    EXPECT_EQ(records.size(), 5U);
}

}  // namespace
}  // namespace stiction
