// video_test.cpp - what ffmpeg makes of the frames, also when something dies on the way.
#include "draw/video.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "core/error.h"
#include "record/ball_on_plane.h"
#include "record/output_file.h"

namespace stiction {
namespace {

using test::message_of;

std::string output_of(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        text += static_cast<char>(c);
    }
    pclose(pipe);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

// "width,height,frames per second as a fraction,frames that can be decoded"
std::string probe(const std::string& path) {
    return output_of(
        "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
        "stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 '" +
        path + "' 2>&1");
}

Image frame(int width, int height, int number) {
    Image image{width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool bar = x / 8 == number % (width / 8);
            image.rgb.insert(image.rgb.end(), {static_cast<std::uint8_t>(bar ? 230 : 30),
                                               static_cast<std::uint8_t>(bar ? 40 : 90), 60});
        }
    }
    return image;
}

TEST(Video, HoldsEveryFrame) {
    const test::ScratchFolder folder("video");
    for (const char* name : {"x.mp4", "x.mkv"}) {
        const std::string path = folder / name;
        VideoWriter video(path, 128, 96, 25);
        for (int i = 0; i < 30; ++i) video.add(frame(128, 96, i));
        EXPECT_FALSE(std::filesystem::exists(path));
        video.finish();
        video.finish();
        EXPECT_EQ(video.frames(), 30);
        EXPECT_GT(video.bytes(), 0);
        EXPECT_EQ(video.bytes(), static_cast<std::int64_t>(std::filesystem::file_size(path)));
        EXPECT_FALSE(std::filesystem::exists(part_path(path)));
        EXPECT_EQ(probe(path), "128,96,25/1,30");
        EXPECT_THROW(video.add(frame(128, 96, 0)), OutputError);
    }
}

// Decoded colours differ by the encoder's loss only, not by a wrong colour matrix.
TEST(Video, KeepsColours) {
    const test::ScratchFolder folder("video_colours");
    const std::string path = folder / "x.mp4";
    Image image{64, 64, {}};
    for (int i = 0; i < 64 * 64; ++i) image.rgb.insert(image.rgb.end(), {210, 60, 40});
    {
        VideoWriter video(path, 64, 64, 30);
        for (int i = 0; i < 5; ++i) video.add(image);
    }  // finishes
    const std::string raw = output_of("ffmpeg -v error -i '" + path +
                                      "' -frames:v 1 -vf scale=in_color_matrix=bt709 -f rawvideo "
                                      "-pix_fmt rgb24 - 2>/dev/null");
    ASSERT_GE(raw.size(), 3U * 64 * 63);
    const std::size_t middle = 3 * (32 * 64 + 32);
    EXPECT_NEAR(static_cast<std::uint8_t>(raw[middle]), 210, 8);
    EXPECT_NEAR(static_cast<std::uint8_t>(raw[middle + 1]), 60, 8);
    EXPECT_NEAR(static_cast<std::uint8_t>(raw[middle + 2]), 40, 8);
}

TEST(Video, OddSizesLoseOneRowOrColumn) {
    const test::ScratchFolder folder("video_odd");
    const std::string path = folder / "x.mp4";
    VideoWriter video(path, 129, 97, 30);
    for (int i = 0; i < 3; ++i) video.add(frame(129, 97, i));
    video.finish();
    EXPECT_EQ(probe(path), "128,96,30/1,3");
}

TEST(Video, RefusesWhatCannotBeWrittenAndCreatesNothing) {
    const test::ScratchFolder folder("video_refused");
    const auto refusal = [](const std::string& path) {
        return message_of<InputError>([&] { check_video_path(path); });
    };
    EXPECT_NE(refusal(folder / "x.avi").find(".mp4 or .mkv"), std::string::npos);
    EXPECT_NE(refusal(folder / "missing/x.mp4").find("there is no folder"), std::string::npos);
    EXPECT_NO_THROW(check_video_path(folder / "x.mp4"));
    const std::string path = std::getenv("PATH");
    setenv("PATH", folder.operator/("").c_str(), 1);
    EXPECT_NE(refusal(folder / "x.mp4").find("ffmpeg is not installed"), std::string::npos);
    setenv("PATH", path.c_str(), 1);
    EXPECT_TRUE(folder.is_empty());
    { const VideoWriter unused(folder / "x.mp4", 64, 64, 30); }
    EXPECT_TRUE(folder.is_empty());
}

// A program in the place of ffmpeg that fails: its words reach the user, and no SIGPIPE kills us.
TEST(Video, SaysWhyFfmpegFailed) {
    const test::ScratchFolder folder("video_failing");
    test::write_text(folder / "ffmpeg", "#!/bin/sh\necho 'disk on fire' >&2\nexit 3\n");
    std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (folder.operator/("") + ":" + path).c_str(), 1);
    VideoWriter video(folder / "x.mp4", 640, 480, 30);
    setenv("PATH", path.c_str(), 1);
    const std::string message = message_of<OutputError>([&] {
        for (int i = 0; i < 50; ++i) video.add(frame(640, 480, i));
    });
    EXPECT_NE(message.find("disk on fire"), std::string::npos) << message;
    EXPECT_NE(message.find("status 3"), std::string::npos) << message;
    EXPECT_THROW(video.add(frame(640, 480, 0)), OutputError);
    EXPECT_FALSE(std::filesystem::exists(folder / "x.mp4"));
}

// The program is killed in the middle of a recording: ffmpeg ends the file by itself, with every
// frame it was given.
TEST(Video, PartCanBePlayedAfterTheProgramWasKilled) {
    const test::ScratchFolder folder("video_killed");
    for (const char* name : {"x.mp4", "x.mkv"}) {
        const std::string path = folder / name;
        const pid_t child = fork();
        if (child == 0) {
            VideoWriter video(path, 128, 96, 30);
            for (int i = 0; i < 40; ++i) video.add(frame(128, 96, i));
            raise(SIGKILL);
        }
        ASSERT_GT(child, 0);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        std::string seen;
        for (int i = 0; i < 200 && seen != "128,96,30/1,40"; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            seen = probe(part_path(path));
        }
        EXPECT_EQ(seen, "128,96,30/1,40");
        EXPECT_FALSE(std::filesystem::exists(path));
    }
}

}  // namespace
}  // namespace stiction
