// A world is the program's run of a scene, to the bit, whatever was done with it in between.
#include "world/world.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "record/trajectory.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {
namespace {

const WorldOptions kThreeBoxes{.parameters = {{"boxes", "3"}}};

std::uint64_t hash_of_run(const std::string& name, int steps) {
    Scene scene = load_scene("scenes/" + name + ".yaml");
    Simulation sim = make_simulation(std::move(scene.model), std::move(scene.state),
                                     std::move(scene.controls), scene.contact, scene.step, 1);
    for (int i = 0; i < steps; ++i) EXPECT_EQ(step(sim), StepOutcome::kDone);
    return state_hash(sim.state);
}

std::string message_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no InputError";
}

TEST(World, TakesTheStepsOfASimulation) {
    for (const std::string name : {"grasp", "chain", "granular", "quadruped"}) {
        World world("scenes/" + name + ".yaml");
        EXPECT_EQ(world.run(30), 30);
        EXPECT_EQ(world.state_hash(), hash_of_run(name, 30)) << name;
        world.reset();
        world.run(30);
        EXPECT_EQ(world.state_hash(), hash_of_run(name, 30)) << name << " after a reset";
    }
}

// What was asked for since the start is undone by reset(), but for settings.
TEST(World, ResetPutsControlsBack) {
    World world("grasp");
    world.run(20);
    const std::uint64_t plain = world.state_hash();
    world.reset();
    const std::vector<double> strong(world.controls().size(), 500.0);
    world.set_controls(strong);
    world.run(20);
    EXPECT_NE(world.state_hash(), plain);
    world.reset();
    world.run(20);
    EXPECT_EQ(world.state_hash(), plain);
}

// A parameter of a gait moves at a limited rate: a snapshot in the middle keeps where it is.
TEST(World, SnapshotsKeepControlsOnTheirWay) {
    World world("quadruped_flat");
    std::vector<double> values(world.control_values().begin(), world.control_values().end());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = 0.5 * (values[i] + world.controls()[i].high);
    world.set_controls(values);
    world.run(10);
    const WorldSnapshot snapshot = world.snapshot();
    const World twin_start = world.copy();
    world.run(40);
    const std::uint64_t first = world.state_hash();
    world.restore(snapshot);
    world.run(40);
    EXPECT_EQ(world.state_hash(), first);
    World twin = twin_start.copy();
    twin.run(40);
    EXPECT_EQ(twin.state_hash(), first);
}

// Weight of three boxes of 1 kg on the floor.
TEST(World, ContactsCarryTheWeight) {
    World world("stack", kThreeBoxes);
    EXPECT_TRUE(world.contacts().empty());
    world.run(5);
    Vec3 floor = Vec3::Zero();
    for (const WorldContact& contact : world.contacts()) {
        if (world.model().bodies[at(contact.body_b)].kind == BodyKind::kStatic)
            floor += contact.impulse();
    }
    EXPECT_LT((floor / world.settings().h - Vec3(0, 0, 3 * 9.81)).norm(), 1e-6);
    EXPECT_EQ(world.report().contacts, static_cast<int>(world.contacts().size()));
    world.set_state(State(world.state()));
    EXPECT_TRUE(world.contacts().empty()) << "no step led to a state that was set";
}

TEST(World, RunEndsWhereItIsToldTo) {
    World world("stack", kThreeBoxes);
    int asked = 0;
    EXPECT_EQ(world.run(100, [&] { return ++asked < 7; }), 7);
    EXPECT_EQ(world.state().step, 7);
}

TEST(World, BadInputLeavesItAsItWas) {
    World world("stack", kThreeBoxes);
    world.run(3);
    const std::uint64_t before = world.state_hash();
    State state = world.state();
    state.pose[0].p.x() += 1;
    EXPECT_NE(message_of([&] { world.set_state(state); }).find("is static"), std::string::npos);
    state = world.state();
    state.twist.back().w.x() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(message_of([&] { world.set_state(state); }).find("not finite"), std::string::npos);
    state = world.state();
    state.pose.back().q.coeffs() *= 1.1;
    EXPECT_NE(message_of([&] { world.set_state(state); }).find("unit length"), std::string::npos);
    EXPECT_NE(message_of([&] { world.restore(World("grasp").snapshot()); }).find("another scene"),
              std::string::npos);
    EXPECT_NE(message_of([&] { world.load_state("/nothing"); }), "no InputError");
    EXPECT_NE(message_of([&] { world.set_contact_model("{model: no_slp}"); }).find("'no_slip'"),
              std::string::npos);
    EXPECT_NE(message_of([&] { world.set_threads(0); }).find("threads"), std::string::npos);
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_EQ(name(world.contact_model()), "coulomb_lcp");
    world.run(3);
}

TEST(World, RecordsItsStepsAndGoesOnWithTheSameBits) {
    World plain("stack", kThreeBoxes), recorded("stack", kThreeBoxes);
    const std::string path = testing::TempDir() + "stiction_world_test.csv";
    WorldOutputs outputs;
    outputs.trajectory = path;
    recorded.record(outputs);
    recorded.run(10);
    EXPECT_NE(message_of([&] { recorded.set_state(plain.state()); }).find("recording is under way"),
              std::string::npos);
    EXPECT_FALSE(recorded.copy().is_recording());
    recorded.finish_recording();
    recorded.run(10);
    plain.run(20);
    EXPECT_EQ(recorded.state_hash(), plain.state_hash());
    const Trajectory trajectory = read_trajectory(path);
    EXPECT_EQ(trajectory.samples.size(), 11U);
    EXPECT_EQ(trajectory.samples.back().step, 10);
    std::filesystem::remove(path);
    EXPECT_NE(message_of([&] { recorded.finish_recording(); }).find("nothing is being recorded"),
              std::string::npos);
}

}  // namespace
}  // namespace stiction
