// visitor_test.cpp - what a visitor meets: a window in which nothing covers anything, a camera that
// does not lose what moves, and steps that were not solved are seen as such.
#include <array>

#include "view/screen_plan.h"
#include "window/window_fixture.h"

namespace stiction::test {
namespace {

using VisitorTest = WindowTest;

Rectangle rectangle(const Json& json) { return {json[0], json[1], json[2], json[3]}; }

void expect_nothing_covered(const Json& state, float width, float height) {
    const Json& plan = state["plan"];
    const Rectangle window{0, 0, width, height};
    for (const auto& [name, place] : plan.items()) {
        EXPECT_TRUE(window.holds(rectangle(place))) << name << plan;
        for (const auto& [other, there] : plan.items()) {
            const bool over_the_view = name == "view" || other == "view";
            const bool inside =
                over_the_view && plan["view"] != Json() &&
                rectangle(plan["view"]).holds(rectangle(name == "view" ? there : place));
            if (name == other || inside) continue;
            EXPECT_FALSE(rectangle(place).overlaps(rectangle(there))) << name << other << plan;
        }
    }
    // Widgets of the overlay lie inside it.
    for (const auto& [name, place] : state["widgets"].items()) {
        if (name.rfind("overlay/", 0) != 0) continue;
        EXPECT_TRUE(rectangle(plan["overlay"]).holds(rectangle(place))) << name << place << plan;
    }
}

// Middle of the subject, with its scene's surroundings where nothing lies over it.
void expect_subject_is_free(const Json& state) {
    const Rectangle free = rectangle(state["free"]), view = rectangle(state["plan"]["view"]);
    const float x = view.left + state["subject"][0].get<float>();
    const float y = view.top + state["subject"][1].get<float>();
    EXPECT_TRUE(free.left < x && x < free.right && free.top < y && y < free.bottom)
        << state["subject"] << state["free"] << state["plan"];
}

void expect_help_is_whole(const Json& state, float width) {
    const Rectangle help = rectangle(state["widgets"]["help"]);
    EXPECT_LE(help.right, width);
    int texts = 0;
    for (const auto& [name, place] : state["widgets"].items()) {
        if (name.rfind("help/", 0) != 0) continue;
        ++texts;
        EXPECT_LE(rectangle(place).right, help.right) << name << place << help.right;
    }
    EXPECT_GT(texts, 10);
}

void expect_titles_are_inside(const Json& state) {
    for (const char* i : {"0", "1", "2", "3"}) {
        const Rectangle title = rectangle(state["widgets"][std::string("title/") + i]);
        EXPECT_TRUE(rectangle(state["widgets"][std::string("picture/") + i]).holds(title))
            << state["widgets"];
    }
}

TEST_F(VisitorTest, NothingCoversAnythingAtAnySize) {
    const Display large("2560x1440x24");
    constexpr std::array<std::pair<int, int>, 3> kSizes = {
        {{1000, 700}, {1440, 900}, {2560, 1440}}};
    for (const auto& [width, height] : kSizes) {
        for (const char* scale : {"1", "1.5"}) {
            const std::string size = std::to_string(width) + "x" + std::to_string(height);
            SCOPED_TRACE(size + " at " + scale);
            WindowProgram window(large, folder(),
                                 {"view", "grasp", "--paused", "--size", size, "--scale", scale});
            window.keys("p");  // a notice
            window.wait("a notice", [](const Json& s) { return s["plan"].contains("notices"); });
            // Where the notice takes its room, the overlay folds in the frame after.
            const Json state = window.wait("the overlay in its place", [](const Json& s) {
                return s["widgets"].contains("overlay/fold") &&
                       rectangle(s["plan"]["overlay"])
                           .holds(rectangle(s["widgets"]["overlay/fold"]));
            });
            expect_nothing_covered(state, static_cast<float>(width), static_cast<float>(height));
            EXPECT_TRUE(state["plan"].contains("overlay"));
            EXPECT_GE(rectangle(state["plan"]["view"]).width(), 0.4F * static_cast<float>(width));
            expect_subject_is_free(state);
            window.key("F1");
            const Json help = window.wait_for("help", true);
            expect_help_is_whole(window.settle(), static_cast<float>(width));
            window.key("Escape");
            window.keys("ctrl+o");
            window.wait("the gallery", [](const Json& s) {
                return s["plan"].contains("gallery") && s["widgets"].contains("scene/ramp");
            });
            expect_nothing_covered(window.settle(), static_cast<float>(width),
                                   static_cast<float>(height));
            window.key("Escape");
            window.wait_for("chooser", false);
            window.keys("shift+b shift+b shift+b");
            expect_titles_are_inside(window.wait("four views", [](const Json& s) {
                return s["widgets"].contains("title/3") && s["peers"].size() == 3;
            }));
            window.quit();
        }
    }
}

TEST_F(VisitorTest, StepsNotSolvedAreSeenAsSuch) {
    std::string text = text_of(kScenes / "stack.yaml");
    const std::string model = "contact: {model: coulomb_lcp}";
    text.replace(text.find(model), model.size(),
                 "contact: {model: coulomb_cone, solver: pgs, max_iterations: 1}");
    write("hasty.yaml", text);
    const auto window = start({"view", (work() / "hasty.yaml").string(), "--paused"});
    EXPECT_EQ(window->last()->at("light"), "not measured");
    window->keys("Right Right Right");
    const Json state = window->wait_for("light", "not solved");
    const Json told = window->wait("the banner", [](const Json& s) { return s["banner"] != ""; });
    const std::string banner = told["banner"];
    EXPECT_NE(banner.find("Not solved"), std::string::npos) << banner;
    EXPECT_NE(banner.find("iterations"), std::string::npos) << banner;
    // With a solver that solves, the light and the banner go.
    window->keys("2");
    window->keys("space");
    window->wait_for("light", "solved");
    window->wait_for("banner", "");
    window->quit();
}

// The overlay stays in its corner of the view, and everything has its place in the larger window.
TEST_F(VisitorTest, FullScreenAndBack) {
    const auto window = start({"view", "grasp", "--paused"});
    window->wait("the overlay",
                 [](const Json& s) { return s["widgets"].contains("overlay/plot"); });
    for (const auto& [width, height] : {std::pair(1024.0F, 768.0F), std::pair(1000.0F, 700.0F)}) {
        window->key("F5");
        window->wait("the other size", [&](const Json& s) {
            return rectangle(s["plan"]["timeline"]).right == width &&
                   rectangle(s["plan"]["timeline"]).bottom == height;
        });
        const Json state = window->settle();
        expect_nothing_covered(state, width, height);
        const Rectangle overlay = rectangle(state["plan"]["overlay"]);
        EXPECT_EQ(overlay.left, rectangle(state["plan"]["view"]).left + kViewMargin);
        EXPECT_EQ(overlay.bottom, rectangle(state["plan"]["view"]).bottom - kViewMargin);
    }
    window->quit();
}

// Where overlay and legend have no room beside each other, the overlay opens by hand.
TEST_F(VisitorTest, TheFoldedOverlayOpens) {
    const Display large("1440x800x24");
    WindowProgram window(large, folder(),
                         {"view", "grasp", "--paused", "--size", "1440x800", "--scale", "1.5"});
    window.wait("the line", [](const Json& s) {
        return s["overlay_folded"] == true && s["plan"].contains("legend");
    });
    window.click("overlay/fold");
    window.wait("the whole of it in place of the legend", [](const Json& s) {
        return s["widgets"].contains("overlay/plot") && !s["plan"].contains("legend");
    });
    expect_nothing_covered(window.settle(), 1440, 800);
    window.key("shift+F3");
    window.wait_for("overlay_folded", true);
    window.quit();
}

// The cube leaves the ramp and falls; the run stops at the scene's duration, and goes on when asked.
TEST_F(VisitorTest, TheCameraKeepsWhatMovesAndTheRunStops) {
    const auto window = start({"view", "ramp", "--model", "coulomb_cone"});
    const auto in_view = [](const Json& s) {
        const Rectangle view = rectangle(s["plan"]["view"]);
        const double x = s["subject"][0], y = s["subject"][1];
        return s["subject"][2] > 0 && x > 0 && x < view.width() && y > 0 && y < view.height();
    };
    const Json stopped = window->wait_for("at_end", true);
    EXPECT_NEAR(stopped["t"].get<double>(), 1, 1e-9);
    EXPECT_FALSE(stopped["playing"]);
    EXPECT_NE(stopped["notices"].dump().find("duration"), std::string::npos) << stopped["notices"];
    EXPECT_TRUE(in_view(stopped)) << stopped["subject"];
    window->keys("space");
    const Json fallen = window->wait(
        "the second stop", [](const Json& s) { return s["at_end"] == true && s["t"] > 1.5; });
    EXPECT_NEAR(fallen["t"].get<double>(), 2, 1e-9);
    EXPECT_TRUE(in_view(window->settle())) << fallen["subject"];
    // Another model is to be seen: it goes on.
    window->keys("2");
    window->wait("steps of the other model",
                 [](const Json& s) { return s["model"] == "no_slip" && s["t"] > 2; });
    window->quit();
}

TEST_F(VisitorTest, FramesASceneWithoutACamera) {
    std::string text = text_of(kScenes / "stack.yaml");
    const std::size_t at = text.find("camera:");
    text.erase(at, text.find('\n', at) + 1 - at);
    write("far.yaml", text);
    const auto window = start({"view", (work() / "far.yaml").string(), "--paused"});
    const Json state = window->settle();
    const Rectangle view = rectangle(state["plan"]["view"]);
    const double x = state["subject"][0], y = state["subject"][1];
    EXPECT_NEAR(x / view.width(), 0.5, 0.26);
    EXPECT_GT(y, 0);
    EXPECT_LT(y, rectangle(state["plan"]["overlay"]).top);  // it does not hide behind the overlay
    window->quit();
}

TEST_F(VisitorTest, PanelAndOverlayAgreeAfterGoingBackPastASwitch) {
    const auto window = start({"view", "grasp", "--paused"});
    window->keys("Right Right Right Right");
    window->wait_for("step", 4);
    window->keys("3");
    window->wait_for("wanted_model", "coulomb_lcp");
    window->keys("Right Right Right");
    window->wait("steps of the other model",
                 [](const Json& s) { return s["step"] == 7 && s["model"] == "coulomb_lcp"; });
    window->keys("Left Left Left Left Left");
    const Json back = window->wait(
        "the past", [](const Json& s) { return s["step"] == 2 && s["wanted_model"] == "no_slip"; });
    EXPECT_EQ(back["model"], "no_slip");
    window->keys("Right Right Right Right Right");
    const Json again = window->wait("the same again", [](const Json& s) {
        return s["step"] == 7 && s["wanted_model"] == "coulomb_lcp";
    });
    EXPECT_EQ(again["model"], "coulomb_lcp");
    window->quit();
}

// From the list: search, select, the force of its motor; and a file from its folder.
TEST_F(VisitorTest, ListsBodiesAndJointsAndOpensFiles) {
    write("mine.yaml", text_of(kScenes / "pendulum.yaml"));
    const auto window = start({"view", shipped("motors"), "--paused"});
    window->keys("shift+Tab");
    window->click("section/record");
    window->click("section/quality");
    window->click("section/list");
    window->click("search");
    window->type("hold");
    window->wait("what was searched for, alone", [](const Json& s) {  // it moves up in the list
        return s["widgets"].contains("listed joint/holding") &&
               !s["widgets"].contains("listed joint/spinning");
    });
    window->click("listed joint/holding");
    window->wait("a body", [](const Json& s) { return s["selected"] >= 0; });
    window->keys("ctrl+o");
    window->click("chooser/folder");
    window->click("file/mine.yaml");
    window->wait_for("scene", "mine");
    window->keys("ctrl+o");
    window->click("chooser/recent");
    window->click("recent/" + shipped("motors"));
    window->wait_for("scene", "motors");
    window->keys("ctrl+o");
    window->wait_for("chooser", true);
    window->key("Escape");
    window->wait_for("chooser", false);
    window->quit();
}

// Overlay and panels stay in the window while it films, and every file is called by its name.
TEST_F(VisitorTest, FilmingLeavesTheWindowAsItIs) {
    const auto window = start({"view", "ramp", "--paused"});
    window->wait("the overlay",
                 [](const Json& s) { return s["widgets"].contains("overlay/plot"); });
    window->settle();
    const std::vector<unsigned char> before = screenshot();
    window->keys("r");
    window->wait_for("tables", true);
    window->keys("v");
    window->wait("frames", [](const Json& s) { return s["video_frames"] >= 3; });
    window->settle();
    const std::vector<unsigned char> filming = screenshot();
    // A stripe through the lower left of the view, where the overlay lies: as dark as before.
    const auto darkness = [](const std::vector<unsigned char>& pixels) {
        int dark = 0;
        for (int y = 62; y < 84; ++y) {
            for (int x = 44; x < 90; ++x) {
                const std::size_t i = 3 * static_cast<std::size_t>(128 * y + x);
                if (pixels[i] + pixels[i + 1] + pixels[i + 2] < 3 * 110) ++dark;
            }
        }
        return dark;
    };
    EXPECT_GT(darkness(before), 600);
    EXPECT_GT(darkness(filming), darkness(before) * 8 / 10);
    window->keys("v");
    window->wait_for("filming", false);
    window->keys("r");
    const Json done = window->wait_for("tables", false);
    EXPECT_NE(done["notices"].dump().find("ramp-001.csv, .json and .h5"), std::string::npos)
        << done["notices"];
    window->quit();
}

TEST_F(VisitorTest, ForcesKeepTheirScaleWhilePausedAndSwitchesOfTheSolverAreMarked) {
    const auto window = start({"view", "grasp"});
    window->wait("steps", [](const Json& s) { return s["step"] > 50; });
    window->keys("space");
    window->wait_for("playing", false);
    const Json first = window->settle();
    const Json second = window->settle();
    EXPECT_EQ(first["force_scale"], second["force_scale"]);
    EXPECT_EQ(first["step"], second["step"]);
    window->keys("shift+f");
    window->wait_for("pinned", true);
    window->keys("ctrl+Tab");
    window->keys("Right Right");
    window->wait("the other solver's steps", [](const Json& s) {
        return s["timeline_solvers"].size() == 2 && s["timeline_solvers"][0] == "auto";
    });
    window->keys("x");
    window->wait_for("axis", "real time");
    // A list that is open closes with Esc.
    window->click("model");
    window->wait("the list",
                 [](const Json& s) { return s["widgets"].contains("model/coulomb_lcp"); });
    window->key("Escape");
    window->wait("no list",
                 [](const Json& s) { return !s["widgets"].contains("model/coulomb_lcp"); });
    window->quit();
}

}  // namespace
}  // namespace stiction::test
