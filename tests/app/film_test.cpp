// film_test.cpp - stiction run --video --png --overlay on a computer without a display.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/program.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kNoDisplay = "env -u DISPLAY -u WAYLAND_DISPLAY";

struct Pixels {
    int width = 0, height = 0;
    std::string rgb;

    [[nodiscard]] std::string at(int x, int y) const {
        return rgb.substr(3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                               static_cast<std::size_t>(x)),
                          3);
    }
};

class FilmTest : public ProgramTest {
  protected:
    [[nodiscard]] Outcome film(const std::string& arguments) const {
        return run("run " + arguments, kNoDisplay);
    }

    // Size, rate and number of frames; all frames are decoded for it.
    [[nodiscard]] Json probe(const std::string& name) const {
        const std::string report = (folder() / "../probe").string();
        const std::string command =
            "ffprobe -v error -count_frames -select_streams v:0 -of json -show_entries "
            "stream=width,height,nb_read_frames,r_frame_rate '" +
            (folder() / name).string() + "' >'" + report + "'";
        EXPECT_EQ(std::system(command.c_str()), 0);
        return Json::parse(read_text(report)).at("streams").at(0);
    }

    [[nodiscard]] Pixels pixels(const std::string& name) const {
        const std::string raw = (folder() / "../raw.ppm").string();
        const std::string command =
            "convert '" + (folder() / name).string() + "' -depth 8 ppm:'" + raw + "'";
        EXPECT_EQ(std::system(command.c_str()), 0);
        const std::string text = read_text(raw);
        std::istringstream head(text);
        std::string magic;
        int most = 0;
        Pixels image;
        head >> magic >> image.width >> image.height >> most;
        EXPECT_EQ(magic, "P6");
        image.rgb = text.substr(static_cast<std::size_t>(head.tellg()) + 1);
        return image;
    }
};

// Share of the pixels of a rectangle (in shares of the picture) that differ.
double difference(const Pixels& a, const Pixels& b, double left, double top, double right,
                  double bottom) {
    int all = 0;
    int other = 0;
    for (int y = static_cast<int>(top * a.height); y < static_cast<int>(bottom * a.height); ++y) {
        for (int x = static_cast<int>(left * a.width); x < static_cast<int>(right * a.width); ++x) {
            ++all;
            other += a.at(x, y) == b.at(x, y) ? 0 : 1;
        }
    }
    return static_cast<double>(other) / all;
}

TEST_F(FilmTest, HasTheSizeAskedForAndOneFramePerTime) {
    const Outcome outcome =
        film("ramp --time 0.5 --video run.mp4 --png end.png --overlay --size 320x180 --fps 20");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(files(), (std::vector<std::string>{"end.png", "run.mp4"}));
    const Json video = probe("run.mp4");
    EXPECT_EQ(video["width"], 320);
    EXPECT_EQ(video["height"], 180);
    EXPECT_EQ(video["r_frame_rate"], "20/1");
    EXPECT_EQ(video["nb_read_frames"], "11");  // the start, and every twentieth of a second
    const Pixels end = pixels("end.png");
    EXPECT_EQ(end.width, 320);
    EXPECT_EQ(end.height, 180);
    std::set<std::string> colours;
    for (int y = 0; y < end.height; ++y) {
        for (int x = 0; x < end.width; ++x) colours.insert(end.at(x, y));
    }
    EXPECT_GT(colours.size(), 200U);
}

TEST_F(FilmTest, SlowMotionAndStepsLongerThanAFrame) {
    ASSERT_EQ(film("ramp --time 0.1 --video slow.mkv --size 64x64 --speed 0.25").status, 0);
    EXPECT_EQ(probe("slow.mkv")["nb_read_frames"], "13");  // 0.4 s of 30 frames
    ASSERT_EQ(film("ramp --time 0.5 --step 0.05 --video coarse.mp4 --size 64x64").status, 0);
    const int frames = std::stoi(probe("coarse.mp4")["nb_read_frames"].get<std::string>());
    EXPECT_NEAR(frames, 16, 1);  // time runs right though there are only eleven states
}

TEST_F(FilmTest, TheOverlayIsInItsCornerAndNowhereElse) {
    const std::string common = "ramp --steps 60 --size 960x540 --png ";
    ASSERT_EQ(film(common + "plain.png").status, 0);
    ASSERT_EQ(film(common + "again.png").status, 0);
    ASSERT_EQ(film(common + "overlay.png --overlay").status, 0);
    const Pixels plain = pixels("plain.png");
    const Pixels overlay = pixels("overlay.png");
    EXPECT_EQ(pixels("again.png").rgb, plain.rgb);  // the same run gives the same picture
    EXPECT_GT(difference(plain, overlay, 0.02, 0.6, 0.3, 0.95), 0.9);
    EXPECT_EQ(difference(plain, overlay, 0, 0, 1, 0.3), 0);
    EXPECT_EQ(difference(plain, overlay, 0.5, 0, 1, 1), 0);
}

TEST_F(FilmTest, LeavesTheRunAsItIs) {
    const auto hash = [](const Outcome& outcome) {
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return Json::parse(outcome.out).at("state_hash").get<std::string>();
    };
    const std::string plain = hash(film("stack --steps 80 --json -"));
    EXPECT_EQ(hash(film("stack --steps 80 --json - --csv run.csv --video run.mp4 --overlay "
                        "--size 160x90")),
              plain);
    EXPECT_EQ(count_lines(read_text(folder() / "run.csv")), 81U);
}

TEST_F(FilmTest, RefusesWhatCannotBeFilmed) {
    struct Case {
        const char* arguments;
        const char* named;  // what the message has to name
    };
    const Case cases[] = {{"--video run.avi", "run.avi"},
                          {"--video run", "run"},
                          {"--video none/run.mp4", "none"},
                          {"--png end.jpg", ".png"},
                          {"--png none/end.png", "none"},
                          {"--video run.mp4 --size 10x10", "--size"},
                          {"--video run.mp4 --size 10000x100", "--size"},
                          {"--video run.mp4 --size large", "--size large"},
                          {"--video run.mp4 --size 640", "--size 640"},
                          {"--video run.mp4 --size 640x", "--size 640x"},
                          {"--video run.mp4 --size 640x360x2", "--size 640x360x2"},
                          {"--video run.mp4 --fps 0", "--fps"},
                          {"--video run.mp4 --fps 1000", "--fps"},
                          {"--video run.mp4 --fps nan", "--fps"},
                          {"--video run.mp4 --fps many", "--fps"},
                          {"--video run.mp4 --speed 0", "--speed"},
                          {"--video run.mp4 --speed -1", "--speed"},
                          {"--video run.mp4 --speed inf", "--speed"}};
    for (const Case& c : cases) {
        SCOPED_TRACE(c.arguments);
        const Outcome outcome = film("ramp --steps 5 --csv table.csv " + std::string(c.arguments));
        EXPECT_EQ(outcome.status, 2);
        EXPECT_NE(outcome.err.find(c.named), std::string::npos) << outcome.err;
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_TRUE(outcome.err.starts_with("error: ")) << outcome.err;
        EXPECT_TRUE(files().empty()) << "a file was begun: " << files()[0];
    }
}

// A video's colours come in blocks of two by two pixels: it loses the odd row and column.
TEST_F(FilmTest, OddSizes) {
    const Outcome outcome = film("ramp --steps 5 --png odd.png --video odd.mp4 --size 321x181");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(pixels("odd.png").width, 321);
    EXPECT_EQ(pixels("odd.png").height, 181);
    EXPECT_EQ(probe("odd.mp4")["width"], 320);
    EXPECT_EQ(probe("odd.mp4")["height"], 180);
}

TEST_F(FilmTest, AnInterruptedRunLeavesAPlayableVideo) {
    const Outcome outcome = run("run stack --time 1000 --video run.mp4 --size 64x64",
                                std::string(kNoDisplay) + " timeout --signal=TERM 3");
    EXPECT_EQ(outcome.status, 124) << outcome.err;  // of timeout
    EXPECT_EQ(files(), (std::vector<std::string>{"run.mp4"}));
    EXPECT_GE(std::stoi(probe("run.mp4")["nb_read_frames"].get<std::string>()), 1);
}

}  // namespace
}  // namespace stiction::test
