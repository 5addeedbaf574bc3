// window_test.cpp - works the real window with mouse and keys, as a person does, and looks at what
// it shows and writes.
#include <sys/stat.h>

#include <cstdio>
#include <set>
#include <sstream>

#include "app/slow_inputs.h"
#include "view/orbit_camera.h"
#include "window/window_fixture.h"
#include "window/x_messages.h"

namespace stiction::test {
namespace {

std::size_t colours_in(const std::vector<unsigned char>& pixels) {
    std::set<int> colours;
    for (std::size_t i = 0; i + 2 < pixels.size(); i += 3)
        colours.insert(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
    return colours.size();
}

std::size_t differences(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        count += std::abs(int{a[i]} - int{b[i]}) > 8 ? 1 : 0;
    return count;
}

TEST_F(WindowTest, StartsOnTheGraspAndSwitchesTheModelByMouse) {
    const auto window = start({"view", "grasp"});
    window->wait("steps", [](const Json& s) { return s["step"] > 0 && s["model"] == "no_slip"; });
    EXPECT_EQ(window->last()->at("scene"), "grasp");
    window->click("model");
    window->click("model/coulomb_lcp");
    window->wait_for("wanted_model", "coulomb_lcp");
    const Json after = window->wait("the new model's steps in the overlay", [](const Json& s) {
        return s["model"] == "coulomb_lcp" &&
               s["timeline_models"] == Json({"no_slip", "coulomb_lcp"});
    });
    EXPECT_EQ(after["serial"], 1);  // the same run goes on
    // Folded while notices take its room.
    window->wait("the plot", [](const Json& s) { return s["widgets"].contains("overlay/plot"); });
    // What each stage cost before, until that is dismissed.
    window->click("overlay/dismiss");
    window->wait("no costs before",
                 [](const Json& s) { return !s["widgets"].contains("overlay/dismiss"); });
    // By key as well.
    window->keys("2");
    window->wait_for("model", "no_slip");
    window->keys("ctrl+Tab");
    window->wait("another solver", [](const Json& s) { return s["wanted_solver"] != "auto"; });
    window->quit();
}

TEST_F(WindowTest, SwitchesTheNarrowphaseByMouseAndGivesTheGhostAnother) {
    const auto window = start({"view", "grasp"});
    window->wait("steps",
                 [](const Json& s) { return s["step"] > 0 && s["narrowphase"] == "exact"; });
    window->click("narrowphase");
    window->click("narrowphase/bullet");
    const Json after = window->wait("Bullet's steps in the overlay", [](const Json& s) {
        return s["narrowphase"] == "bullet" &&
               s["timeline_narrowphases"] == Json({"exact", "bullet"});
    });
    EXPECT_EQ(after["serial"], 1);  // the same run goes on
    EXPECT_EQ(after["model"], "no_slip");
    EXPECT_GT(after["contacts"], 0);
    window->keys("b");
    window->wait("a ghost", [](const Json& s) { return !s["ghost"].is_null(); });
    window->wait_for("ghost_narrowphase", "bullet");
    window->keys("shift+Tab");        // in place of the left panel
    window->click("section/record");  // to make room
    window->click("section/quality");
    window->click("section/compare");
    window->click("ghost narrowphase");
    window->click("ghost narrowphase/exact");
    window->wait("contacts of both", [](const Json& s) {
        return s["ghost_narrowphase"] == "exact" && s["ghost_contacts_compared"] == true;
    });
    window->quit();
}

TEST_F(WindowTest, PausesStepsGoesBackAndResets) {
    const auto window = start({"view", shipped("stack"), "--set", "boxes=2", "--paused"});
    EXPECT_EQ(window->resting_step(), 0);
    window->keys("Right Right Right");
    window->wait_for("step", 3);
    window->keys("Left");
    window->wait_for("step", 2);
    window->keys("space");
    window->wait("it to play",
                 [](const Json& s) { return s["playing"] == true && s["step"] > 20; });
    window->keys("space");
    const std::int64_t step = window->resting_step();
    window->keys("Right");
    window->wait_for("step", step + 1);
    window->keys("Left Left");
    window->wait_for("step", step - 1);
    window->keys("BackSpace");
    const Json start = window->wait_for("step", 0);
    EXPECT_EQ(start["t"], 0);
    EXPECT_EQ(window->resting_step(), 0);
    // The same by mouse.
    window->click("forward");
    window->wait_for("step", 1);
    window->click("back");
    window->wait_for("step", 0);
    window->click("play");
    window->wait("it to play",
                 [](const Json& s) { return s["playing"] == true && s["step"] > 20; });
    window->click("play");
    EXPECT_GT(window->resting_step(), 20);
    window->click("reset");
    window->wait_for("step", 0);
    window->quit();
}

TEST_F(WindowTest, OpensOtherScenesFromTheChooser) {
    const auto window = start({"view", "ramp", "--paused"});
    window->keys("ctrl+o");
    window->wait_for("chooser", true);
    window->click("gallery search");
    window->type("stack");
    window->click("scene/stack");
    const Json stack = window->wait_for("scene", "stack");
    EXPECT_EQ(stack["serial"], 2);
    EXPECT_EQ(stack["step"], 0);
    window->wait_for("chooser", false);
    // A file that is dropped.
    drop_file(display().name(), shipped("islands"));
    window->wait_for("scene", "islands");
    // A path that is typed.
    write("mine.yaml", text_of(kScenes / "pendulum.yaml"));
    window->click("open");
    window->click("scene path");
    window->type((work() / "mine.yaml").string());
    window->settle();
    window->key("Return");
    window->wait_for("scene", "mine");
    window->wait_for("chooser", false);
    // One that is not there: what runs goes on.
    window->keys("ctrl+o");
    window->click("scene path");
    window->type((work() / "none.yaml").string());
    window->settle();
    window->key("Return");
    const Json error =
        window->wait("the error", [](const Json& s) { return !s["scene_error"].empty(); });
    EXPECT_NE(error["scene_error"].get<std::string>().find("none.yaml"), std::string::npos);
    EXPECT_EQ(error["scene"], "mine");
    window->quit();
}

TEST_F(WindowTest, AScenesFaultIsShownWhileTheOldOneRunsOn) {
    std::string text = text_of(kScenes / "stack.yaml");
    write("mine.yaml", text);
    const auto window = start({"view", (work() / "mine.yaml").string(), "--set", "boxes=3"});
    window->wait("steps", [](const Json& s) { return s["step"] > 0; });
    std::string broken = text;
    const std::size_t at = broken.find("mass: 1");
    ASSERT_NE(at, std::string::npos);
    broken.replace(at, 4, "mas");
    const auto line = 1 + std::count(broken.begin(), broken.begin() + static_cast<long>(at), '\n');
    const std::size_t column = at - broken.rfind('\n', at);
    write("mine.yaml", broken);
    const std::string expected =
        "mine.yaml:" + std::to_string(line) + ":" + std::to_string(column) + ":";
    const Json error = window->wait("the error at " + expected, [&](const Json& s) {
        return s["scene_error"].get<std::string>().find(expected) != std::string::npos;
    });
    EXPECT_EQ(error["serial"], 1);
    window->wait("the old scene to go on", [&](const Json& s) {
        return s["step"] > error["step"].get<std::int64_t>() + 50 && s["serial"] == 1;
    });
    write("mine.yaml", text);
    const Json mended = window->wait_for("scene_error", "");
    EXPECT_EQ(mended["serial"], 2);
    window->wait("the new one to play",
                 [](const Json& s) { return s["playing"] == true && s["step"] > 0; });
    // Ctrl+L reads it again though it is the same.
    window->keys("ctrl+l");
    window->wait_for("serial", 3);
    window->quit();
}

TEST_F(WindowTest, SlidersOfGaitAndJointsActAtOnce) {
    const auto window = start({"view", shipped("quadruped_flat")});
    window->wait("steps", [](const Json& s) { return s["step"] > 0; });
    window->click("section/contact");  // room for the sections below
    const double forward = window->settle()["controls"]["gait: forward"];
    EXPECT_GT(forward, 0);
    const auto [x, y] = window->place("control/gait: forward");
    window->click(x - 80, y);
    window->wait("a slower gait", [](const Json& s) { return s["controls"]["gait: forward"] < 0; });
    window->click("control/gait: kind");
    window->click("control/gait: kind/walk");
    window->wait("a walk", [](const Json& s) { return s["controls"]["gait: kind"] == 1; });
    window->click("section/gait");
    window->click("section/joints");
    std::string joint;  // the first one listed
    window->wait("the joints", [&](const Json& s) {
        for (const auto& [key, place] : s["widgets"].items()) {
            if (joint.empty() && key.rfind("joint/", 0) == 0) joint = key.substr(6);
        }
        return !joint.empty();
    });
    const std::string gain = joint + ": kp";
    const double kp = window->settle()["controls"][gain];
    window->click("joint/" + joint);
    const auto [left, height] = window->place("control/" + gain);
    window->click(left, height);
    window->wait("another gain", [&](const Json& s) { return s["controls"][gain] != kp; });
    window->quit();
}

// Where a body is seen when no panel covers the view.
std::pair<int, int> seen_at(const Json& state, std::size_t body) {
    const Json& p = state["positions"][body];
    const Json& seen = state["camera"];
    OrbitCamera camera;
    camera.target = Vec3(seen["target"][0], seen["target"][1], seen["target"][2]);
    camera.distance = seen["distance"];
    camera.azimuth = seen["azimuth"];
    camera.elevation = seen["elevation"];
    const Vec3 pixel =
        camera.project(Vec3(p[0], p[1], p[2]), WindowProgram::kWidth, state["plan"]["view"][3]);
    return {static_cast<int>(pixel.x()), static_cast<int>(pixel.y())};
}

TEST_F(WindowTest, SelectsABodyAndDragsIt) {
    const auto window = start({"view", shipped("stack"), "--set", "boxes=2"});
    window->keys("Tab F3");
    window->wait("a view with the right panel",
                 [](const Json& s) { return s["widgets"].contains("video"); });
    window->keys("shift+Tab z");  // and the camera stays where it is
    window->wait("a view without panels", [](const Json& s) {
        return !s["widgets"].contains("play") && !s["widgets"].contains("video") && !s["overlay"];
    });
    const Json before = window->settle();
    const auto [x, y] = seen_at(before, 2);
    window->click(x, y);
    window->wait_for("selected", 2);
    window->keys("Escape");
    window->wait_for("selected", -1);

    display().tool("keydown ctrl");
    window->press_button();
    window->wait_for("dragging", true);
    window->move_to(x, y - 60);
    window->move_to(x, y - 150);
    const double height = before["positions"][2][2];
    const Json lifted = window->wait("the box to be lifted", [height](const Json& s) {
        return s["dragging"] == true && s["drag_force"] > 1 &&
               s["positions"][2][2].get<double>() > height + 0.05;
    });
    EXPECT_EQ(lifted["selected"], 2);
    window->release_button();
    display().tool("keyup ctrl");
    const Json free = window->wait_for("dragging", false);
    EXPECT_EQ(free["drag_force"], 0);
    window->wait("the box to fall", [&](const Json& s) {
        return s["positions"][2][2].get<double>() < lifted["positions"][2][2].get<double>() - 0.02;
    });
    window->quit();
}

TEST_F(WindowTest, RecordsAVideoOfThreeSimulatedSeconds) {
    const auto window = start({"view", "ramp", "--paused"});
    window->keys("shift+Tab");
    window->click("tree/video");
    window->click("video size");
    window->click("video size/640 x 360");
    window->click("section/record");  // leaves the combo, gives the room back
    window->keys("v");
    const Json long_enough =
        window->wait("90 frames", [](const Json& s) { return s["video_frames"] >= 90; });
    EXPECT_GE(long_enough["t"], 89 / 30.0 - 1e-9);
    window->keys("v");
    const Json done = window->wait_for("filming", false);
    const std::filesystem::path file = done["last_file"].get<std::string>();
    EXPECT_EQ(file, out() / "ramp-001.mp4");
    EXPECT_EQ(files_in("out"), std::set<std::string>{"ramp-001.mp4"});
    const Video video = probe(file);
    EXPECT_EQ(video.width, 640);
    EXPECT_EQ(video.height, 360);
    EXPECT_GE(video.frames, 90);
    // One frame per thirtieth of a second of simulated time, from the start to when the key was seen.
    EXPECT_GE(video.frames - 1, long_enough["t"].get<double>() * 30 - 1.01);
    EXPECT_LE(video.frames - 1, done["t"].get<double>() * 30 + 1.01);
    window->quit();
}

// The video shows the run from the start again, from there on in simulated time.
TEST_F(WindowTest, AVideoGoesOnOverAResetAndAnotherScene) {
    const auto window = start({"view", "ramp", "--paused"});
    window->keys("F3 v");
    const auto at_least = [](std::int64_t frames) {
        return [frames](const Json& s) { return s["video_frames"] >= frames; };
    };
    const Json first = window->wait("frames", at_least(12));
    window->keys("BackSpace");
    const Json second = window->wait("the start again", [&](const Json& s) {
        return s["t"] < first["t"] && s["video_frames"] > first["video_frames"];
    });
    const Json third = window->wait("frames", at_least(second["video_frames"].get<int>() + 8));
    EXPECT_NEAR(third["t"].get<double>() - second["t"].get<double>(),
                (third["video_frames"].get<double>() - second["video_frames"].get<double>()) / 30,
                1.5 / 30);
    window->keys("ctrl+l");
    const Json reloaded = window->wait("the scene anew", [&](const Json& s) {
        return s["serial"] == 2 && s["video_frames"] > third["video_frames"];
    });
    EXPECT_LT(reloaded["t"], third["t"]);
    const Json last = window->wait("frames", at_least(reloaded["video_frames"].get<int>() + 4));
    EXPECT_NEAR(last["t"].get<double>() - reloaded["t"].get<double>(),
                (last["video_frames"].get<double>() - reloaded["video_frames"].get<double>()) / 30,
                1.5 / 30);
    window->keys("v");
    const Json done = window->wait_for("filming", false);
    EXPECT_GE(probe(done["last_file"].get<std::string>()).frames, last["video_frames"]);
    window->quit();
}

// What a table cannot follow ends it, and the window says so.
TEST_F(WindowTest, AResetEndsTheTables) {
    const auto window = start({"view", "ramp", "--paused"});
    window->keys("r");
    window->wait_for("tables", true);
    window->keys("Right Right Right");
    window->wait_for("step", 3);
    window->keys("BackSpace");
    window->wait_for("step", 0);
    const Json ended = window->wait_for("tables", false);
    EXPECT_NE(ended["notices"].dump().find("reset"), std::string::npos) << ended["notices"];
    EXPECT_EQ(files_in("out"),
              (std::set<std::string>{"ramp-001.csv", "ramp-001.json", "ramp-001.h5"}));
    const std::string csv = text_of(out() / "ramp-001.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
    // The next one overwrites nothing, though the table itself was moved away.
    std::filesystem::remove(out() / "ramp-001.csv");
    window->keys("r");
    window->wait_for("tables", true);
    window->keys("Right");
    window->wait_for("step", 1);
    window->keys("r");
    window->wait_for("tables", false);
    window->quit();
    EXPECT_EQ(files_in("out"),
              (std::set<std::string>{"ramp-001.json", "ramp-001.h5", "ramp-002.csv",
                                     "ramp-002.json", "ramp-002.h5"}));
}

class ClosedWhileRecording : public WindowTest,
                             public ::testing::WithParamInterface<const char*> {};

TEST_P(ClosedWhileRecording, LeavesCompleteFiles) {
    const auto window = start({"view", shipped("stack"), "--set", "boxes=2", "--paused"});
    window->keys("r");
    window->wait_for("tables", true);
    window->keys("v");
    window->wait("frames", [](const Json& s) { return s["video_frames"] >= 4 && s["step"] > 80; });
    const std::string way = GetParam();
    if (way == "key") window->keys("ctrl+q");
    if (way == "button") ask_to_close(display().name());
    if (way == "signal") window->terminate();
    window->expect_clean_end();
    EXPECT_EQ(files_in("out"), (std::set<std::string>{"stack-001.mp4", "stack-001.csv",
                                                      "stack-001.json", "stack-001.h5"}));
    EXPECT_GE(probe(out() / "stack-001.mp4").frames, 4);

    std::istringstream csv(text_of(out() / "stack-001.csv"));
    std::string head;
    std::string line;
    std::getline(csv, head);
    std::int64_t rows = 0;
    while (std::getline(csv, line)) {
        ++rows;
        EXPECT_EQ(std::stoll(line), rows) << "steps are numbered from 1";
        EXPECT_EQ(std::count(line.begin(), line.end(), ','),
                  std::count(head.begin(), head.end(), ','));
    }
    EXPECT_GT(rows, 80);
    const Json summary = Json::parse(text_of(out() / "stack-001.json"));
    EXPECT_EQ(summary["steps"], rows);
    const std::string overview = output_of("'" STICTION_PROGRAM "' replay --info '" +
                                           (out() / "stack-001.h5").string() + "'");
    EXPECT_NE(overview.find("steps 0 to " + std::to_string(rows)), std::string::npos) << overview;
}

// The step takes minutes.
TEST_P(ClosedWhileRecording, LeavesCompleteFilesInsideAStepToo) {
    const auto scene = out() / "slow.yaml";
    std::filesystem::create_directories(out());
    std::ofstream(scene) << kSlowScene;
    const auto window = start({"view", scene.string(), "--paused"});
    window->keys("r");
    window->wait_for("tables", true);
    window->keys("space");
    window->wait_for("playing", true);
    const std::string way = GetParam();
    if (way == "key") window->keys("ctrl+q");
    if (way == "button") ask_to_close(display().name());
    if (way == "signal") window->terminate();
    window->expect_clean_end();
    EXPECT_EQ(files_in("out"),
              (std::set<std::string>{"slow.yaml", "slow-001.csv", "slow-001.json", "slow-001.h5"}));
    const Json summary = Json::parse(text_of(out() / "slow-001.json"));
    EXPECT_EQ(summary["status"], "interrupted");
    EXPECT_EQ(summary["steps"], 0);
}

// A pipe that nobody writes to is never read to its end.
TEST_P(ClosedWhileRecording, LeavesCompleteFilesWhileASceneIsRead) {
    const auto scene = out() / "moving.yaml";
    std::filesystem::create_directories(out());
    std::filesystem::copy_file(shipped("ramp"), scene);
    const auto window = start({"view", scene.string(), "--paused"});
    window->keys("r");
    window->wait_for("tables", true);
    window->keys("Right Right");
    window->wait_for("step", 2);
    std::filesystem::remove(scene);
    ASSERT_EQ(mkfifo(scene.c_str(), 0600), 0);
    window->wait_for_stillness();  // the file has changed, and is read again
    const std::string way = GetParam();
    if (way == "key") window->keys("ctrl+q");
    if (way == "button") ask_to_close(display().name());
    if (way == "signal") window->terminate();
    window->expect_clean_end();
    std::filesystem::remove(scene);
    EXPECT_EQ(files_in("out"),
              (std::set<std::string>{"moving-001.csv", "moving-001.json", "moving-001.h5"}));
    EXPECT_EQ(Json::parse(text_of(out() / "moving-001.json"))["steps"], 2);
}

INSTANTIATE_TEST_SUITE_P(Window, ClosedWhileRecording, ::testing::Values("key", "button", "signal"),
                         [](const auto& way) { return std::string(way.param); });

TEST_F(WindowTest, ShowsAndHidesHelpOverlayAndPanels) {
    const auto window = start({"view", "ramp", "--paused"});
    window->key("F1");
    window->wait_for("help", true);
    window->key("Escape");
    window->wait_for("help", false);
    window->key("F3");
    window->wait("no overlay", [](const Json& s) {
        return s["overlay"] == false && !s["widgets"].contains("overlay/plot");
    });
    window->key("F3");
    window->wait("the overlay",
                 [](const Json& s) { return s["widgets"].contains("overlay/plot"); });
    window->key("shift+F3");
    window->wait("one line of it", [](const Json& s) {
        return s["overlay_folded"] == true && !s["widgets"].contains("overlay/plot");
    });
    window->click("overlay/fold");
    window->wait("the whole of it",
                 [](const Json& s) { return s["widgets"].contains("overlay/plot"); });
    // There is room for one panel alone; the other is a tab.
    EXPECT_FALSE(window->settle()["widgets"].contains("video"));
    window->click("right tab");
    window->wait("the right panel instead", [](const Json& s) {
        return s["widgets"].contains("video") && !s["widgets"].contains("play");
    });
    window->key("shift+Tab");
    window->wait("the left one again", [](const Json& s) {
        return !s["widgets"].contains("video") && s["widgets"].contains("play");
    });
    window->click("reset");  // the left panel has the attention
    // Tab has not put the cursor into one of the panel's text fields: keys are keys.
    window->key("space");
    window->wait_for("playing", true);
    window->key("space");
    window->wait_for("playing", false);
    window->key("Tab");
    window->wait("no left panel", [](const Json& s) { return !s["widgets"].contains("play"); });
    window->quit();
    // What was shown is remembered.
    const auto again = start({"view", "ramp", "--paused"});
    const Json state = again->settle();
    EXPECT_FALSE(state["widgets"].contains("play"));
    EXPECT_FALSE(state["widgets"].contains("video"));
    EXPECT_TRUE(state["widgets"].contains("overlay/plot"));
    again->quit();
}

TEST_F(WindowTest, AGhostShowsHowAnotherModelMoves) {
    const auto window = start({"view", "ramp", "--model", "no_slip"});
    window->keys("b");
    window->wait_for("ghost", "coulomb_cone");
    window->wait("the cube to slide away from the one that sticks",
                 [](const Json& s) { return s["ghost_distance"] > 0.01; });
    window->keys("b");
    const Json alone = window->wait_for("ghost", nullptr);
    window->wait_for("ghost_distance", 0);
    EXPECT_EQ(alone["model"], "no_slip");
    window->quit();
}

TEST_F(WindowTest, SavesStateAndPictureAndGoesBackToTheState) {
    const auto window = start({"view", "ramp", "--paused"});
    window->keys("Right Right Right Right");
    window->wait_for("step", 4);
    window->keys("ctrl+s");
    const Json saved = window->wait_for("last_file", (out() / "ramp-001.state").string());
    window->keys("Right Right");
    window->wait_for("step", 6);
    window->keys("ctrl+r");
    const Json back = window->wait_for("step", 4);
    EXPECT_EQ(back["positions"], saved["positions"]);
    EXPECT_EQ(back["t"], saved["t"]);

    window->keys("p");
    window->wait_for("last_file", (out() / "ramp-001.png").string());
    EXPECT_EQ(output_of("identify -format '%m %wx%h' '" + (out() / "ramp-001.png").string() + "'"),
              "PNG 1000x700");
    EXPECT_GT(
        std::stoi(output_of("identify -format '%k' '" + (out() / "ramp-001.png").string() + "'")),
        100);
    window->quit();
}

TEST_F(WindowTest, TheScreenShowsSomethingThatMoves) {
    const auto window = start({"view", "ramp", "--paused"});
    const Json resting = window->settle();
    const std::vector<unsigned char> before = screenshot();
    EXPECT_GT(colours_in(before), 100U);
    window->keys("space");
    window->wait("the cube to slide", [&](const Json& s) {
        return s["positions"][1][0].get<double>() > resting["positions"][1][0].get<double>() + 0.05;
    });
    window->settle();
    EXPECT_GT(differences(before, screenshot()), 100U);
    window->quit();
}

TEST_F(WindowTest, OpensADatasetAndSolvesAFrameAgain) {
    std::filesystem::create_directories(out());
    const std::string file = (out() / "d.h5").string();
    output_of("'" STICTION_PROGRAM "' run grasp --steps 40 --h5 '" + file + "' --h5-every 10");
    output_of("'" STICTION_PROGRAM "' run ramp --steps 20 --h5 '" + file +
              "' --h5-every 10 --h5-append");
    const auto window = start({"view", file});
    const Json first = window->wait_for("metrics_read", 6);
    EXPECT_EQ(first["frames"], 6);
    EXPECT_EQ(first["scene"], "grasp");
    EXPECT_EQ(first["playing"], false);
    EXPECT_EQ(first["dataset_frame"], 0);
    EXPECT_EQ(first["answers"], Json({"no_slip.auto"}));
    window->keys("shift+Tab");  // in place of the left panel
    window->click("frame/3");
    window->wait_for("step", 30);
    window->keys("Tab");
    window->click("model");
    window->click("model/coulomb_cone");
    window->wait_for("wanted_model", "coulomb_cone");
    window->settle();
    const std::vector<unsigned char> stored = screenshot();
    window->click("solve frame");
    const Json both =
        window->wait("a second answer", [](const Json& s) { return s["answers"].size() == 2; });
    EXPECT_EQ(both["answers"][1], "coulomb_cone.auto");
    EXPECT_EQ(both["answer_shown"], 1);
    EXPECT_EQ(both["model"], "coulomb_cone");
    window->settle();
    EXPECT_GT(differences(stored, screenshot()), stored.size() / 10);  // half of the view each
    window->keys("shift+Tab");
    window->click("side by side");
    window->click("answer/0");
    window->wait_for("answer_shown", 0);
    window->keys("Right");
    window->wait_for("step", 40);
    window->click("frame/5");  // of the other simulation, with its own bodies
    window->wait_for("scene", "ramp");
    EXPECT_EQ(window->last()->at("step"), 10);
    window->quit();
}

TEST_F(WindowTest, SavesContactProblemsByKey) {
    const auto window = start({"view", shipped("ramp"), "--paused"});
    window->keys("Right Right Right");
    window->wait_for("step", 3);
    window->keys("d");
    window->wait_for("last_file", (out() / "ramp-001.h5").string());
    window->settle();
    window->key("shift+d");
    window->wait_for("writing_frames", true);
    window->keys("Right Right");
    window->wait_for("step", 5);
    window->key("shift+d");
    window->wait_for("writing_frames", false);
    window->quit();
    for (const auto& [name, frames] : {std::pair("ramp-001.h5", 1), std::pair("ramp-002.h5", 2)}) {
        const std::string path = "'" + (out() / name).string() + "'";
        const std::string list = output_of("'" STICTION_PROGRAM "' solve --list " + path);
        EXPECT_NE(list.find(": " + std::to_string(frames) + " frames"), std::string::npos) << list;
        const std::string solved = output_of("'" STICTION_PROGRAM "' solve --json - " + path);
        const Json table = Json::parse(solved);
        EXPECT_FALSE(table["rows"].empty());
        for (const Json& row : table["rows"]) EXPECT_EQ(row["dv"], 0.0);
    }
}

TEST_F(WindowTest, ReplaysARecordedRun) {
    std::filesystem::create_directories(out());
    const std::string file = (out() / "t.h5").string();
    output_of("'" STICTION_PROGRAM "' run grasp --steps 200 --trajectory '" + file + "'");
    const auto window = start({"replay", file, "--paused"});
    EXPECT_EQ(window->last()->at("replay"), true);
    EXPECT_EQ(window->resting_step(), 0);
    window->keys("Right Right");
    const Json second = window->wait_for("step", 2);
    EXPECT_EQ(second["scene"], "grasp");
    EXPECT_GT(second["contacts"], 0);
    EXPECT_EQ(second["model"], "no_slip");
    EXPECT_EQ(second["light"], "not measured");
    EXPECT_TRUE(second["widgets"].contains("overlay/not measured"));
    EXPECT_FALSE(second["widgets"].contains("overlay/plot"));
    window->keys("3");  // nothing is solved, so there is no model to switch
    window->keys("space");
    const Json end = window->wait(
        "the end", [](const Json& s) { return s["step"] == 200 && s["playing"] == false; });
    EXPECT_NEAR(end["t"].get<double>(), 0.2, 1e-9);
    EXPECT_EQ(end["model"], "no_slip");
    window->keys("BackSpace");
    window->wait_for("step", 0);
    window->quit();
}

TEST_F(WindowTest, SaysSoWhereThereIsNoDisplay) {
    const std::string err = (work() / "../err").string();
    const int raw =
        std::system(("env -u DISPLAY -u WAYLAND_DISPLAY '" STICTION_PROGRAM "' view grasp 2>" +
                     err + " </dev/null")
                        .c_str());
    EXPECT_EQ(WEXITSTATUS(raw), 1);
    const std::string text = text_of(err);
    EXPECT_NE(text.find("no window can be opened here"), std::string::npos) << text;
    EXPECT_NE(text.find("stiction run SCENE --video"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

}  // namespace
}  // namespace stiction::test
