// workbench_test.cpp - what a visitor works with: gallery, timeline, graphs, contact microscope, scenes
// side by side, the tree of bodies, undo, and a camera that follows what it is about.
#include <array>

#include "view/screen_plan.h"
#include "window/window_fixture.h"

namespace stiction::test {
namespace {

using WorkbenchTest = WindowTest;

Rectangle place_of(const Json& json) { return {json[0], json[1], json[2], json[3]}; }

bool subject_in_view(const Json& s) {
    const Rectangle view = place_of(s["plan"]["view"]);
    const double x = s["subject"][0], y = s["subject"][1];
    return s["subject"][2] > 0 && x > 0 && x < view.width() && y > 0 && y < view.height();
}

// Moves the mouse to a part of a widget's width.
void go_to_part(WindowProgram& window, const std::string& widget, double part) {
    const auto [x, y] = window.place(widget);
    const Rectangle where = place_of(window.last()->at("widgets").at(widget));
    window.move_to(static_cast<int>(where.left + part * where.width()), y);
}

TEST_F(WorkbenchTest, AVisitorPicksASceneAndTriesTheKeys) {
    const auto window = start({"view"});
    const Json first = window->wait("the gallery", [](const Json& s) {
        return s["chooser"] == true && s["plan"].contains("gallery") && s["step"] > 0;
    });
    EXPECT_EQ(first["scene"], "quadruped_flat");
    EXPECT_TRUE(subject_in_view(first));
    EXPECT_TRUE(first["widgets"].contains("scene/ramp"));
    EXPECT_NE(first["notices"].dump().find("No graphics card"), std::string::npos);
    window->wait("the hint", [](const Json& s) { return s["widgets"].contains("keys to try"); });
    window->click("gallery search");
    window->type("hill ramp");
    window->wait("nothing", [](const Json& s) { return !s["widgets"].contains("scene/ramp"); });
    for (int i = 0; i < 9; ++i) window->key("BackSpace");
    window->type("slides down a ramp");
    window->wait("the ramp alone", [](const Json& s) {
        return s["widgets"].contains("scene/ramp") && !s["widgets"].contains("scene/arch");
    });
    window->click("scene/ramp");
    window->wait_for("scene", "ramp");
    window->wait_for("chooser", false);
    window->keys("2");
    window->wait_for("model", "no_slip");
    window->key("F1");
    window->wait_for("help", true);
    window->key("Escape");
    window->wait("no hint", [](const Json& s) { return !s["widgets"].contains("keys to try"); });
    window->click("right tab");
    window->click("video");
    window->wait("frames", [](const Json& s) { return s["video_frames"] >= 3; });
    window->click("video");
    const Json done = window->wait_for("filming", false);
    EXPECT_GE(probe(done["last_file"].get<std::string>()).frames, 3);
    window->quit();
}

TEST_F(WorkbenchTest, TheTimelineScrubsAndZooms) {
    const auto window = start({"view", "ramp"});
    window->wait("steps", [](const Json& s) { return s["step"] > 100; });
    window->keys("2");
    const Json end = window->wait_for("at_end", true);
    const std::int64_t steps = end["step"];
    EXPECT_EQ(end["track"], steps);
    EXPECT_GE(end["touches"][0], 0);
    go_to_part(*window, "track", 0.25);
    window->press_button();
    const Json back = window->wait("a quarter", [steps](const Json& s) {
        return std::abs(s["step"].get<double>() - 0.25 * static_cast<double>(steps)) <
               0.02 * static_cast<double>(steps);
    });
    EXPECT_EQ(back["playing"], false);
    EXPECT_EQ(back["track"], steps);  // what lies ahead is still there
    go_to_part(*window, "track", 0.9);
    const Json ahead = window->wait("most of it", [steps](const Json& s) {
        return s["step"].get<double>() > 0.88 * static_cast<double>(steps);
    });
    EXPECT_EQ(ahead["model"], "no_slip");
    window->release_button();
    for (int i = 0; i < 4; ++i) {
        display().tool("click 4");
        window->settle();
    }
    window->wait("a part of the range", [steps](const Json& s) {
        const double width = s["track_range"][1].get<double>() - s["track_range"][0].get<double>();
        return width < 0.6 * static_cast<double>(steps);
    });
    // The same place plays on as another future.
    window->key("h");
    window->wait("no timeline", [](const Json& s) { return !s["plan"].contains("timeline"); });
    window->key("h");
    window->wait("the timeline", [](const Json& s) { return s["plan"].contains("timeline"); });
    window->quit();
}

TEST_F(WorkbenchTest, ARecordingHasItsTimelineAndGraphsFromTheStart) {
    std::filesystem::create_directories(out());
    const std::string file = (out() / "t.h5").string();
    output_of("'" STICTION_PROGRAM "' run pendulum --steps 150 --trajectory '" + file + "'");
    const auto window = start({"replay", file, "--paused"});
    const Json state = window->wait("values", [](const Json& s) {
        return s["graphs"].size() == 2 && s["graphs"][1].value("joint pivot velocity", 0) > 140;
    });
    EXPECT_GE(state["track"], 150);
    EXPECT_TRUE(state["plan"].contains("graphs"));
    go_to_part(*window, "track", 0.5);
    window->press_button();
    window->release_button();
    window->wait("the middle", [](const Json& s) { return s["step"] > 60 && s["step"] < 90; });
    window->quit();
}

TEST_F(WorkbenchTest, ARightClickPlotsANumber) {
    const auto window = start({"view", "ramp", "--paused"});
    window->keys("Right Right Right");
    window->wait_for("step", 3);
    window->keys("shift+Tab");
    window->click("section/record");
    window->click("section/quality");
    window->click("section/list");
    window->click("body/cube");
    window->wait_for("selected", 1);
    const auto [x, y] = window->place("inspector/velocity");
    window->move_to(x, y);
    display().tool("mousedown 3");
    window->settle();
    display().tool("mouseup 3");
    window->click("plot/body cube speed");
    const Json graph = window->wait("a graph with the steps taken", [](const Json& s) {
        return s["graphs"].size() == 1 && s["graphs"][0].value("body cube speed", 0) == 4;
    });
    EXPECT_TRUE(graph["plan"].contains("graphs"));
    window->keys("Right Right");
    window->wait("more values",
                 [](const Json& s) { return s["graphs"][0].value("body cube speed", 0) == 6; });
    // A second number in the same graph; the wheel zooms, a drag moves.
    window->keys("Tab");
    const auto [a, b] = window->place("answer/residual");
    window->move_to(a, b);
    display().tool("mousedown 3");
    window->settle();
    display().tool("mouseup 3");
    const auto [c, d] = window->place("plot into/0");
    window->move_to(c, d);
    window->click("plot into/0/step residual");
    window->wait("two lines", [](const Json& s) {
        return s["graphs"].size() == 1 && s["graphs"][0].value("step residual", 0) > 4;
    });
    window->click("graph/0/csv");
    const Json csv = window->wait("a table", [](const Json& s) {
        return s["last_file"].get<std::string>().find("-graph.csv") != std::string::npos;
    });
    const std::string table = text_of(csv["last_file"].get<std::string>());
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 7) << table;
    window->click("graph/0/svg");
    window->wait("a picture", [](const Json& s) {
        return s["last_file"].get<std::string>().find("-graph.svg") != std::string::npos;
    });
    const auto [left, top] = window->place("graph/0");
    window->move_to(left, top);
    display().tool("click 4");
    const Json zoomed = window->wait("a part of the time", [](const Json& s) {
        return s["graph_ranges"][0][1] > s["graph_ranges"][0][0];
    });
    window->press_button();
    window->move_to(left + 40, top);
    window->wait("an earlier part", [&](const Json& s) {
        return s["graph_ranges"][0][0] < zoomed["graph_ranges"][0][0];
    });
    window->release_button();
    window->key("y");
    window->wait("two graphs", [](const Json& s) { return s["graphs"].size() == 2; });
    window->key("shift+y");
    window->wait(
        "none", [](const Json& s) { return s["graphs"].empty() && !s["plan"].contains("graphs"); });
    window->quit();
}

TEST_F(WorkbenchTest, TheMicroscopeHoldsOnToAContact) {
    const auto window = start({"view", "ramp", "--model", "coulomb_cone", "--paused"});
    window->keys("Right Right Right");
    const Json three = window->wait(
        "contacts", [](const Json& s) { return s["step"] == 3 && s["contacts"] == 4; });
    const Json& seen = three["contacts_seen"];
    window->click(seen[2][0].get<int>(), seen[2][1].get<int>());
    window->wait("a contact", [](const Json& s) {
        return s["contact"] >= 0 && s["anchored"] == true &&
               s["widgets"].contains("contact/side") && s["widgets"].contains("contact/plane");
    });
    window->keys("space");
    window->wait("steps", [](const Json& s) {
        return s["step"] > 60 && s["anchored"] == true && s["contact"] >= 0;
    });
    window->keys("space");
    window->wait_for("playing", false);
    const int contact = window->settle()["contact"];
    window->keys("o");
    window->wait("the next one",
                 [contact](const Json& s) { return s["contact"] >= 0 && s["contact"] != contact; });
    window->key("Escape");
    window->wait("none", [](const Json& s) {
        return s["anchored"] == false && s["contact"] == -1 &&
               !s["widgets"].contains("contact/side");
    });
    window->quit();
}

TEST_F(WorkbenchTest, ScenesSideBySideAndWhereTheyPart) {
    const auto window = start({"view", "ramp", "--model", "coulomb_cone", "--paused"});
    window->keys("shift+b shift+b");
    const Json three = window->wait("three views", [](const Json& s) {
        return s["peers"].size() == 2 && s["widgets"].contains("picture/2");
    });
    std::array<Rectangle, 3> pictures;
    for (std::size_t i = 0; i < 3; ++i)
        pictures[i] = place_of(three["widgets"]["picture/" + std::to_string(i)]);
    const Rectangle view = place_of(three["plan"]["view"]);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(view.holds(pictures[i])) << three["widgets"];
        for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(pictures[i].overlaps(pictures[k]));
        if (three["plan"].contains("overlay")) {
            EXPECT_FALSE(place_of(three["plan"]["overlay"]).overlaps(pictures[i]));
        }
    }
    window->keys("space");
    const Json parted = window->wait(
        "a parting", [](const Json& s) { return !s["partings"].empty() && s["step"] > 200; });
    EXPECT_EQ(parted["peers"][0]["model"], "no_slip");
    EXPECT_NEAR(parted["peers"][0]["t"].get<double>(), parted["t"].get<double>(), 1e-9);
    std::int64_t first = parted["step"];
    for (const Json& p : parted["partings"]) first = std::min(first, p[2].get<std::int64_t>());
    window->keys("shift+q");
    const Json there = window->wait("the parting", [first](const Json& s) {
        return s["step"] == first && s["selected"] == 1 && s["contact"] >= 0;
    });
    EXPECT_EQ(there["playing"], false);
    window->keys("ctrl+b");
    window->wait("one view", [](const Json& s) {
        return s["peers"].empty() && !s["widgets"].contains("picture/0");
    });
    window->quit();
}

TEST_F(WorkbenchTest, EditsAreTakenBackAndMadeAgain) {
    const auto window = start({"view", shipped("motors"), "--paused"});
    const std::string model = window->settle()["wanted_model"];
    window->keys("3");
    window->wait_for("wanted_model", "coulomb_lcp");
    window->click("section/contact");
    window->click("section/joints");
    window->click("joint/holding");
    const std::string gain = "holding: kp";
    const double kp = window->settle()["controls"][gain];
    const auto [x, y] = window->place("control/" + gain);
    window->click(x - 30, y);
    const Json changed =
        window->wait("another gain", [&](const Json& s) { return s["controls"][gain] != kp; });
    window->keys("ctrl+z");
    window->wait("the gain as before", [&](const Json& s) { return s["controls"][gain] == kp; });
    window->keys("ctrl+z");
    window->wait_for("wanted_model", model);
    window->keys("ctrl+y ctrl+y");
    window->wait("both again", [&](const Json& s) {
        return s["wanted_model"] == "coulomb_lcp" &&
               s["controls"][gain] == changed["controls"][gain];
    });
    window->quit();
}

// The tree of a robot folds; its search finds a joint below what is folded.
TEST_F(WorkbenchTest, TheTreeOfARobotFoldsAndIsSearched) {
    const auto window = start({"view", shipped("quadruped_flat"), "--paused"});
    window->keys("shift+Tab");
    window->click("section/record");
    window->click("section/quality");
    window->click("section/inspector");
    window->click("section/list");
    std::string trunk;  // the first body on which something hangs
    const Json tree = window->wait("the tree", [&](const Json& s) {
        for (const auto& [key, place] : s["widgets"].items()) {
            if (trunk.empty() && key.rfind("fold/", 0) == 0) trunk = key.substr(5);
        }
        return !trunk.empty();
    });
    const auto joints = [](const Json& s) {
        int count = 0;
        for (const auto& [key, place] : s["widgets"].items())
            count += key.rfind("listed joint/", 0) == 0 ? 1 : 0;
        return count;
    };
    const int all = joints(tree);
    EXPECT_GT(all, 3);
    window->click("fold/" + trunk);
    window->wait("the tree folded", [&](const Json& s) { return joints(s) < all; });
    window->click("search");
    window->type("knee_2");
    window->wait("the joint and what it hangs on", [](const Json& s) {
        return s["widgets"].contains("listed joint/knee_2") &&
               !s["widgets"].contains("listed joint/knee_1");
    });
    window->click("listed joint/knee_2");
    window->wait("its body", [](const Json& s) { return s["selected"] >= 0; });
    window->quit();
}

TEST_F(WorkbenchTest, TheCameraFollowsRobotsAndWhatFalls) {
    for (const char* scene : {"quadruped_large", "quadruped_flat"}) {
        const auto window = start({"view", shipped(scene)});
        const Json first = window->settle();
        EXPECT_TRUE(subject_in_view(first)) << scene << first["subject"];
        const Json later = window->wait("steps", [](const Json& s) { return s["t"] > 0.5; });
        EXPECT_TRUE(subject_in_view(later)) << scene << later["subject"];
        window->quit();
    }
    // Without friction to hold them the boxes fall out of the grasp.
    const auto window = start({"view", "grasp"});
    window->keys("1");
    const Json fallen = window->wait("the end", [](const Json& s) { return s["at_end"] == true; });
    EXPECT_TRUE(subject_in_view(window->settle())) << fallen["subject"];
    window->quit();
}

TEST_F(WorkbenchTest, LightAndDarkAreTwoThings) {
    const auto window = start({"view", "ramp", "--paused"});
    window->settle();
    // The upper left, where a panel is.
    const auto brightness = [this] {
        const std::vector<unsigned char> pixels = screenshot();
        int sum = 0;
        for (std::size_t y = 4; y < 60; ++y) {
            for (std::size_t x = 2; x < 36; ++x) sum += pixels[3 * (128 * y + x)];
        }
        return sum / (56 * 34);
    };
    const int dark = brightness();
    EXPECT_LT(dark, 90);
    window->keys("F4");
    window->settle();
    EXPECT_GT(brightness(), 170);
    window->quit();
    const auto again = start({"view", "ramp", "--paused"});
    again->settle();
    EXPECT_GT(brightness(), 170);  // remembered
    again->quit();
}

}  // namespace
}  // namespace stiction::test
