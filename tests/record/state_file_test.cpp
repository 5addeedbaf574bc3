// state_file_test.cpp - a saved state continues with the same bits; wrong files are refused and
// change nothing.
#include "record/state_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/hash.h"
#include "record/ball_on_plane.h"
#include "record/run_summary.h"
#include "record/sealed_state.h"
#include "scene_runs.h"

namespace stiction {
namespace {

using test::ball_on_plane;
using test::message_of;

void take(Simulation& sim, int steps) {
    for (int i = 0; i < steps; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
}

std::string saved(const test::ScratchFolder& folder) {
    Simulation sim = ball_on_plane();
    take(sim, 20);
    save_state(folder / "state.json", "ball", sim);
    return test::read_text(folder / "state.json");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(StateFile, ARunGoesOnAsIfItHadNotStopped) {
    const test::ScratchFolder folder("state");
    Simulation whole = ball_on_plane();
    take(whole, 20);
    save_state(folder / "state.json", "ball", whole);
    Simulation second = ball_on_plane();
    EXPECT_TRUE(load_state(folder / "state.json", "ball", second));
    EXPECT_EQ(second.state.step, 20);
    EXPECT_EQ(second.state.time, whole.state.time);
    EXPECT_EQ(second.guess.keys, whole.guess.keys);
    EXPECT_EQ(second.guess.contacts, whole.guess.contacts);
    EXPECT_EQ(state_hash(second.state), state_hash(whole.state));
    take(whole, 30);
    take(second, 30);
    EXPECT_EQ(state_hash(second.state), state_hash(whole.state));
}

// A slender body in the air, whose spin in principal axes counts to the last bit.
TEST(StateFile, KeepsTheSpinOfATumblingBody) {
    const test::ScratchFolder folder("state_spin");
    const auto tumbling = [] {
        Simulation sim = ball_on_plane();
        sim.model.bodies[1].inertia_B = Vec3(1e-4, 1, 1.00005).asDiagonal();
        finalize(sim.model);
        sim.state.pose[1].p.z() += 100;
        sim.state.twist[1].w = Vec3(50, 20, 30);
        return sim;
    };
    Simulation whole = tumbling();
    take(whole, 20);
    save_state(folder / "state.json", "ball", whole);
    Simulation second = tumbling();
    EXPECT_TRUE(load_state(folder / "state.json", "ball", second));
    EXPECT_EQ(second.state.spin_P, whole.state.spin_P);
    EXPECT_FALSE(whole.state.spin_P[1].isZero());
    take(whole, 30);
    take(second, 30);
    EXPECT_EQ(state_hash(second.state), state_hash(whole.state));
}

// Files of version 2 that an earlier build wrote after five steps. A run that loads one goes on as
// one from the start does; 1e-6 m leaves room for solvers that end elsewhere within their
// tolerance. The names of contacts are those of today, or warm starts would not find them.
TEST(StateFile, FilesOfEarlierBuildsStillLoad) {
    constexpr int kSaved = 5, kMore = 20;
    for (const auto& [scene_name, parameters] :
         {std::pair{"stack", Parameters{{"boxes", "2"}}}, std::pair{"motors", Parameters{}}}) {
        const Scene scene = shipped_scene(scene_name, parameters);
        for (const char* model : {"coulomb_lcp", "no_slip"}) {
            const std::string file = std::string(scene_name) + "_" + model + ".json";
            SCOPED_TRACE(file);
            Simulation loaded = simulate(scene, model_named(model));
            ASSERT_TRUE(load_state("tests/record/data/" + file, scene_name, loaded));
            Simulation whole = simulate(scene, model_named(model));
            take_steps(whole, kSaved);
            EXPECT_EQ(loaded.state.step, kSaved);
            EXPECT_EQ(loaded.guess.keys, whole.guess.keys);
            EXPECT_EQ(loaded.guess.joint_impulses.size(), whole.guess.joint_impulses.size());
            EXPECT_EQ(loaded.guess.bounded_impulses.size(), whole.guess.bounded_impulses.size());
            take_steps(loaded, kMore);
            take_steps(whole, kMore);
            for (std::size_t b = 0; b < scene.model.bodies.size(); ++b)
                EXPECT_LT((loaded.state.pose[b].p - whole.state.pose[b].p).norm(), 1e-6);
        }
    }
}

TEST(StateFile, WarmStartsOfAnotherModelAreNotTaken) {
    const test::ScratchFolder folder("state_model");
    saved(folder);
    Simulation sim = ball_on_plane();
    switch_contact_model(sim, NoSlip{});
    EXPECT_FALSE(load_state(folder / "state.json", "ball", sim));
    EXPECT_TRUE(sim.guess.keys.empty());
    EXPECT_EQ(sim.state.step, 20);
}

TEST(StateFile, WarmStartsOfAnotherNarrowphaseAreNotTaken) {
    const test::ScratchFolder folder("state_narrowphase");
    saved(folder);
    Simulation sim = ball_on_plane();
    switch_narrowphase(sim, NarrowphaseKind::kBullet);
    EXPECT_FALSE(load_state(folder / "state.json", "ball", sim));
    EXPECT_TRUE(sim.guess.keys.empty());
    take(sim, 1);
    save_state(folder / "bullet.json", "ball", sim);
    EXPECT_TRUE(load_state(folder / "bullet.json", "ball", sim));
    EXPECT_FALSE(sim.guess.keys.empty());
    switch_narrowphase(sim, NarrowphaseKind::kExact);
    EXPECT_TRUE(sim.guess.keys.empty());
    EXPECT_FALSE(load_state(folder / "bullet.json", "ball", sim));
}

TEST(StateFile, RefusesOtherScenesDamageAndOldVersions) {
    const test::ScratchFolder folder("state_refused");
    const std::string text = saved(folder);
    const std::string path = folder / "state.json";
    Simulation sim = ball_on_plane();
    const std::uint64_t before = state_hash(sim.state);
    const auto refusal = [&](const std::string& content, const std::string& scene = "ball") {
        test::write_text(path, content);
        return message_of<InputError>([&] { (void)load_state(path, scene, sim); });
    };
    EXPECT_NE(refusal(text, "other").find("is of scene 'ball', not of 'other'"), std::string::npos);
    EXPECT_NE(refusal(replaced(text, "\"step\": 20", "\"step\": 21")).find("is damaged"),
              std::string::npos);
    EXPECT_NE(refusal(replaced(text, "\"version\": 3", "\"version\": 0")).find("version 0"),
              std::string::npos);
    EXPECT_NE(refusal(text.substr(0, text.size() / 2)).find("not valid JSON"), std::string::npos);
    EXPECT_NE(refusal("{}").find("is not a state file"), std::string::npos);
    EXPECT_NE(refusal("[1, 2]").find("is not a state file"), std::string::npos);
    EXPECT_NE(refusal("{\n\"a\": }").find(path + ":2:6: "), std::string::npos);
    sim.model.bodies[1].name = "cube";
    EXPECT_NE(refusal(text).find("'ball' where the scene has 'cube'"), std::string::npos);
    sim.model.bodies.emplace_back().name = "third";
    sim.model.bodies[1].name = "ball";
    EXPECT_NE(refusal(text).find("has no body 'third'"), std::string::npos);
    EXPECT_EQ(state_hash(sim.state), before);
    EXPECT_EQ(sim.state.step, 0);
    std::filesystem::remove(path);
    EXPECT_THROW((void)load_state(path, "ball", sim), InputError);
}

// A checksum that fits, so that only the fault itself is found.
std::string sealed(const std::string& text) {
    return test::sealed_state(nlohmann::json::parse(text));
}

// Every value of a good file in turn becomes something else: whatever is refused names the file.
TEST(StateFile, EveryFaultNamesTheFileAndChangesNothing) {
    const test::ScratchFolder folder("state_faults");
    const nlohmann::json good = nlohmann::json::parse(saved(folder));
    const std::vector<nlohmann::json> wrongs = {nullptr,
                                                true,
                                                -1,
                                                1.5,
                                                1e308,
                                                "",
                                                "x",
                                                nlohmann::json::array(),
                                                nlohmann::json::object(),
                                                nlohmann::json::array({1, 2})};
    const std::string path = folder / "bad.json";
    int refused = 0;
    const nlohmann::json values = good.flatten();
    for (const auto& [place, value] : values.items()) {
        for (const nlohmann::json& wrong : wrongs) {
            nlohmann::json bad = good;
            bad[nlohmann::json::json_pointer(place)] = wrong;
            test::write_text(path, place == "/checksum" ? bad.dump() : sealed(bad.dump()));
            Simulation sim = ball_on_plane();
            const std::uint64_t before = state_hash(sim.state);
            try {
                load_state(path, "ball", sim);
            } catch (const InputError& error) {
                ++refused;
                EXPECT_TRUE(std::string(error.what()).starts_with(path)) << error.what();
                EXPECT_EQ(state_hash(sim.state), before);
            }
        }
    }
    EXPECT_GT(refused, 300);
    for (const std::string text :
         {"", "[1e999]", "{\"format\": 1e999}", "\xff", "[", "null", "0"}) {
        test::write_text(path, text);
        Simulation sim = ball_on_plane();
        EXPECT_TRUE(
            message_of<InputError>([&] { load_state(path, "ball", sim); }).starts_with(path))
            << text;
    }
}

TEST(StateFile, RefusesQuaternionsThatAreNone) {
    const test::ScratchFolder folder("state_quaternion");
    const nlohmann::json good = nlohmann::json::parse(saved(folder));
    for (const nlohmann::json& q : {nlohmann::json({0, 0, 0, 0}), nlohmann::json({2, 0, 0, 0}),
                                    nlohmann::json({1, 1, 0, 0})}) {
        nlohmann::json bad = good;
        bad["bodies"][1]["quaternion"] = q;
        test::write_text(folder / "bad.json", sealed(bad.dump()));
        Simulation sim = ball_on_plane();
        EXPECT_NE(message_of<InputError>([&] {
                      load_state(folder / "bad.json", "ball", sim);
                  }).find("body 'ball' is not of unit length"),
                  std::string::npos);
    }
}

// Readers of JSON go as deep as its text.
TEST(StateFile, RefusesNestingAndSaysWhere) {
    const test::ScratchFolder folder("state_nested");
    const std::string path = folder / "deep.json";
    Simulation sim = ball_on_plane();
    const auto refusal = [&](const std::string& text) {
        test::write_text(path, text);
        return message_of<InputError>([&] { load_state(path, "ball", sim); });
    };
    EXPECT_EQ(refusal(std::string(200'000, '[')),
              path + ":1:17: nested deeper than 16 levels; no state file is");
    std::string objects = "{\"a\\\"[[[[[[[[[[[[[[[[[[[[\":\n";  // a key with a quote in it
    for (int i = 0; i < 200'000; ++i) objects += "{\"a\":";
    EXPECT_EQ(refusal(objects), path + ":2:76: nested deeper than 16 levels; no state file is");
}

TEST(StateFile, RefusesWhatIsNoPlainFile) {
    Simulation sim = ball_on_plane();
    for (const std::string path : {"/dev/zero", "/tmp"}) {
        EXPECT_NE(message_of<InputError>([&] {
                      load_state(path, "ball", sim);
                  }).find(path + ": is not a plain file"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace stiction
