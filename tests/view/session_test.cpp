// session_test.cpp - opening, reloading and switching without a window; scenes come from a loader
// of the test's own.
#include "view/session.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <set>
#include <thread>

#include "contact/contact_model.h"
#include "core/error.h"
#include "live/live_scenes.h"

namespace stiction {
namespace {

class SessionTest : public ::testing::Test {
  protected:
    void SetUp() override {
        file_ = std::filesystem::temp_directory_path() /
                ("stiction_session_" + std::to_string(getpid()) + ".yaml");
        touch(0);
    }
    void TearDown() override { std::filesystem::remove(file_); }

    // As if it had been written `seconds` later.
    void touch(int seconds) {
        std::ofstream(file_) << "content";
        std::filesystem::last_write_time(file_, start_ + std::chrono::seconds(seconds));
    }

    SceneLoader loader() {
        return [this](const std::string& path, const ParameterTexts& parameters) {
            ++loads_;
            if (!fault_.empty()) throw InputError(fault_);
            Scene scene = pushed_ball();
            scene.path = file_.string();
            scene.name = path;
            if (parameters.contains("h")) scene.step.h = std::stod(parameters.at("h"));
            return scene;
        };
    }

    // Frames of a window, until the condition holds.
    template <class Condition>
    void frames_until(Session& session, const Condition& condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!condition()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline);
            session.update(0.01);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    void step(Session& session, std::int64_t to) {
        session.runner().forward(1);
        frames_until(session, [&] { return session.now().state.step == to; });
    }

    std::filesystem::path file_;
    std::filesystem::file_time_type start_ = std::filesystem::file_time_type::clock::now();
    std::string fault_;
    int loads_ = 0;
};

TEST_F(SessionTest, AFaultLeavesTheSceneThatRuns) {
    Session session(loader(), 1);
    session.open("first");
    step(session, 1);
    step(session, 2);
    fault_ = "second.yaml:3:5: bodies: no such key";
    EXPECT_THROW(session.open("second"), InputError);
    session.try_open("second");
    session.update(0.01);
    EXPECT_EQ(session.scene().name, "first");
    EXPECT_EQ(session.serial(), 1);
    EXPECT_EQ(session.scene_error(), fault_);
    EXPECT_EQ(session.now().state.step, 2);
    frames_until(session, [&] { return session.timeline().records().size() == 2; });
    step(session, 3);  // it goes on
    fault_.clear();
    session.try_open("second");
    EXPECT_EQ(session.scene().name, "second");
    EXPECT_EQ(session.scene_error(), "");
    EXPECT_EQ(session.serial(), 2);
    EXPECT_TRUE(session.timeline().records().empty());
    frames_until(session, [&] { return session.now().state.step == 0; });
}

TEST_F(SessionTest, EveryStepIsTakenOnce) {
    Session session(loader(), 1);
    session.open("first");
    for (int i = 1; i <= 3; ++i) step(session, i);
    EXPECT_EQ(session.timeline().records().size(), 3U);
    session.timeline().clear();
    session.update(0.01);
    EXPECT_TRUE(session.timeline().records().empty());
}

// The first frame may come after the first steps: none of them is missed, and none of the scene
// before is taken for one of them.
TEST_F(SessionTest, StepsBeforeTheFirstFrameCount) {
    Session session(loader(), 1);
    for (int scene = 0; scene < 2; ++scene) {
        session.open("first");
        session.runner().forward(4);
        while (session.runner().snapshot()->scene_serial != scene ||
               session.runner().snapshot()->state.step != 4)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        session.update(0.01);
        EXPECT_EQ(session.timeline().records().size(), 4U);
        session.runner().forward(2);  // of these no frame tells before the next scene
    }
}

TEST_F(SessionTest, AFaultAtTheStartIsTheCallersMatter) {
    fault_ = "no";
    Session session(loader(), 1);
    EXPECT_THROW(session.open("first"), InputError);
}

// While the simulation is busy with a step of the old scene, the new one is shown already: what is
// shown always has the bodies of the scene.
TEST_F(SessionTest, WhatIsShownBelongsToTheScene) {
    const SceneLoader inner = loader();
    Session session(
        [&](const std::string& path, const ParameterTexts& parameters) {
            Scene scene = inner(path, parameters);
            if (path == "large") {
                scene.model.bodies.resize(5, scene.model.bodies[0]);
                finalize(scene.model);
                scene.state.pose.resize(5);
                scene.state.twist.resize(5);
            }
            return scene;
        },
        1);
    session.open("small");
    step(session, 1);
    std::atomic<bool> busy = true;
    session.runner().post([&busy](Player&) {
        while (busy) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    session.open("large");
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(session.now().state.pose.size(), 5U);
        EXPECT_EQ(session.now().state.step, 0);
        EXPECT_TRUE(session.timeline().records().empty());
        session.update(0.01);
    }
    busy = false;
    frames_until(session, [&] { return session.pace().waiting == 0; });
    session.update(0.01);
    EXPECT_EQ(session.now().state.pose.size(), 5U);
    EXPECT_TRUE(session.timeline().records().empty());  // none of the old scene's
    step(session, 1);
    EXPECT_EQ(session.timeline().records().size(), 1U);
}

TEST_F(SessionTest, ReloadsWhenTheFileChanges) {
    Session session(loader(), 1);
    session.open("first", {{"h", "0.2"}});
    session.update(1);
    EXPECT_FALSE(session.reload_if_changed());
    touch(5);
    EXPECT_FALSE(session.reload_if_changed());  // it looks twice a second
    session.update(0.6);
    EXPECT_TRUE(session.reload_if_changed());
    EXPECT_EQ(session.serial(), 2);
    EXPECT_EQ(session.scene().step.h, 0.2);  // parameters stay
    session.update(0.6);
    EXPECT_FALSE(session.reload_if_changed());
    // A fault is shown once, and gone when the file is mended.
    fault_ = "first.yaml:1:1: broken";
    touch(10);
    session.update(0.6);
    EXPECT_TRUE(session.reload_if_changed());
    EXPECT_EQ(session.scene_error(), fault_);
    const int loads = loads_;
    session.update(0.6);
    EXPECT_FALSE(session.reload_if_changed());
    EXPECT_EQ(loads_, loads);
    EXPECT_EQ(session.serial(), 2);
    fault_.clear();
    touch(15);
    session.update(0.6);
    EXPECT_TRUE(session.reload_if_changed());
    EXPECT_EQ(session.scene_error(), "");
    EXPECT_EQ(session.serial(), 3);
    // An editor that writes by renaming leaves no file for a moment.
    std::filesystem::remove(file_);
    session.update(0.6);
    EXPECT_FALSE(session.reload_if_changed());
    EXPECT_EQ(session.scene_error(), "");
}

// A file that is written while it is read is read again.
TEST_F(SessionTest, AChangeDuringLoadingIsNotMissed) {
    bool change = false;
    const SceneLoader inner = loader();
    Session session(
        [&](const std::string& path, const ParameterTexts& parameters) {
            Scene scene = inner(path, parameters);
            if (change) touch(20);
            return scene;
        },
        1);
    session.open(file_.string());
    change = true;
    touch(10);
    session.update(0.6);
    ASSERT_TRUE(session.reload_if_changed());
    change = false;
    session.update(0.6);
    EXPECT_TRUE(session.reload_if_changed());
    session.update(0.6);
    EXPECT_FALSE(session.reload_if_changed());
}

TEST_F(SessionTest, AModelKeepsItsSettingsWhileOthersRun) {
    Session session(loader(), 1);
    session.open("first");
    ASSERT_EQ(name(session.wanted().contact), "no_slip");
    constexpr std::size_t kLcp = 2;
    ASSERT_EQ(kContactModelNames[kLcp], "coulomb_lcp");
    session.choose_model(kLcp);
    LiveSettings settings = session.wanted();
    std::get<CoulombLcp>(settings.contact).sides = 12;
    settings.step.h = 0.05;
    session.ask(settings);
    session.choose_model(1);
    EXPECT_EQ(name(session.wanted().contact), "no_slip");
    EXPECT_EQ(session.wanted().step.h, 0.05);  // not a matter of the model
    session.choose_model(kLcp);
    EXPECT_EQ(std::get<CoulombLcp>(session.wanted().contact).sides, 12);
    step(session, 1);
    EXPECT_EQ(name(session.now().settings.contact), "coulomb_lcp");
    EXPECT_EQ(std::get<CoulombLcp>(session.now().settings.contact).sides, 12);
    session.choose_model(99);  // no such model: nothing
    EXPECT_EQ(name(session.wanted().contact), "coulomb_lcp");
    // And it stays over a reload.
    session.reload();
    EXPECT_EQ(name(session.wanted().contact), "coulomb_lcp");
    EXPECT_EQ(std::get<CoulombLcp>(session.wanted().contact).sides, 12);
}

TEST_F(SessionTest, SolversTakeTurns) {
    Session session(loader(), 1);
    session.open("first");
    const std::string first(solver_name(session.wanted().contact));
    std::set<std::string> seen;
    do {
        EXPECT_TRUE(seen.insert(std::string(solver_name(session.wanted().contact))).second);
        session.choose_next_solver();
    } while (solver_name(session.wanted().contact) != first);
    EXPECT_EQ(seen.size(), solver_names(session.wanted().contact).size());
    EXPECT_GT(seen.size(), 1U);
}

TEST_F(SessionTest, ErrorsOfCommandsBecomeNotices) {
    Session session(loader(), 1);
    session.open("first");
    session.runner().post([](Player&) { throw InputError("that cannot be"); });
    frames_until(session, [&] { return !session.notices().empty(); });
    EXPECT_EQ(session.notices()[0].text, "that cannot be");
    EXPECT_TRUE(session.notices()[0].error);
    session.update(100);  // stays until it is dismissed
    ASSERT_EQ(session.notices().size(), 1U);
    session.notify("wrote a file");
    EXPECT_EQ(session.notices().size(), 2U);
    session.update(100);
    EXPECT_EQ(session.notices().size(), 1U);
    session.dismiss(0);
    EXPECT_TRUE(session.notices().empty());
    for (int i = 0; i < 50; ++i) session.complain("again");
    EXPECT_LT(session.notices().size(), 10U);
    session.dismiss_errors();
    EXPECT_TRUE(session.notices().empty());
}

TEST_F(SessionTest, AGhostRunsAlongUntilAnotherSceneComes) {
    Session session(loader(), 1);
    session.open("first");
    session.set_ghost(make_contact_model("coulomb_cone"));
    session.runner().forward(1);
    frames_until(session,
                 [&] { return session.now().state.step == 1 && session.now().ghost.has_value(); });
    EXPECT_EQ(name(session.now().ghost->contact), "coulomb_cone");
    session.open("second");
    EXPECT_FALSE(session.ghost());
}

TEST_F(SessionTest, SeeksInTheHistoryAndKeepsTheTrack) {
    Session session(loader(), 1);
    session.open("ball");
    session.runner().forward(20);
    frames_until(session, [&] { return session.now().state.step == 20; });
    EXPECT_EQ(session.track().marks().size(), 20U);
    session.seek(5);
    frames_until(session, [&] { return session.now().state.step == 5; });
    EXPECT_EQ(session.track().marks().size(), 20U);
    session.seek(18);
    frames_until(session, [&] { return session.now().state.step == 18; });
    session.seek(7);
    session.seek(3);  // the last order counts
    frames_until(session, [&] { return session.now().state.step == 3; });
    session.choose_model(5);  // another future
    step(session, 4);
    frames_until(session, [&] { return session.now().model == "coulomb_cone"; });
    EXPECT_EQ(session.track().marks().size(), 4U);
    session.open("other");
    EXPECT_TRUE(session.track().marks().empty());
}

TEST_F(SessionTest, GraphsGetTheirValuesAndStayWithTheFile) {
    Session session(loader(), 1);
    session.open("ball");
    session.runner().forward(10);
    frames_until(session, [&] { return session.now().state.step == 10; });
    session.graphs().add(parse_quantity("body ball speed", session.scene().model));
    session.graphs().add_to(0, parse_quantity("step kinetic", session.scene().model));
    frames_until(session, [&] { return session.graphs().rows().size() == 11; });
    step(session, 11);
    frames_until(session, [&] { return session.graphs().rows().size() == 12; });
    const auto& last = session.graphs().rows().back();
    EXPECT_EQ(last.step, 11);
    EXPECT_NEAR(last.values[1], 0.5 * last.values[0] * last.values[0], 1e-12);
    EXPECT_TRUE(std::isfinite(session.graphs().rows()[5].values[1]));  // from the records
    session.reload();
    ASSERT_EQ(session.graphs().list().size(), 1U);
    EXPECT_EQ(session.graphs().list()[0].lines.size(), 2U);
    EXPECT_LE(session.graphs().rows().size(), 1U);
}

TEST_F(SessionTest, EditsGoBackAndForth) {
    Session session(loader(), 1);
    session.open("ball");
    session.choose_model(5);
    session.set_control(0, 7);
    const auto force = [&] { return session.now().controls[0].value; };
    frames_until(session, [&] { return force() == 7; });
    session.undo();
    frames_until(session, [&] { return force() == 1; });
    EXPECT_EQ(name(session.wanted().contact), "coulomb_cone");
    session.undo();
    EXPECT_EQ(name(session.wanted().contact), "no_slip");
    session.undo();  // there is nothing more
    session.redo();
    session.redo();
    frames_until(session, [&] { return force() == 7; });
    EXPECT_EQ(name(session.wanted().contact), "coulomb_cone");
}

TEST_F(SessionTest, ScenesSideBySideAreOfOtherModels) {
    Session session(loader(), 1);
    session.open("ball");
    for (int i = 0; i < 8; ++i) session.add_peer();
    EXPECT_EQ(session.peers().size(), 5U);
    std::set<std::size_t> models = {session.wanted().contact.index()};
    for (const PeerSettings& peer : session.peers()) models.insert(peer.contact.index());
    EXPECT_EQ(models.size(), 6U);
    step(session, 1);
    frames_until(session, [&] { return session.now().peers.size() == 5; });
    session.set_peers({});
    frames_until(session, [&] { return session.now().peers.empty(); });
}

}  // namespace
}  // namespace stiction
