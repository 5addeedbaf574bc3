// kills_test.cpp - the window is killed and terminated at random moments while it films and writes
// tables and datasets. Killed, it leaves what it had flushed, readable; terminated, complete files
// and no NAME.part. tests/app/kills_test does the same with the commands that open no window.
#include <cstdlib>
#include <random>
#include <sstream>

#include "app/slow_inputs.h"
#include "window/window_fixture.h"

namespace stiction::test {
namespace {

// Each way; STICTION_KILLS in the environment for another number.
const int kWindows =
    std::getenv("STICTION_KILLS") != nullptr ? std::atoi(std::getenv("STICTION_KILLS")) : 50;

class WindowKills : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        write("slow.yaml", kSlowScene);
    }

    // Returns the number of files that were there.
    int end_at_random(int signal) {
        const std::vector<std::string> scenes = {shipped("grasp"), shipped("stack"),
                                                 (work() / "slow.yaml").string()};
        static const std::vector<std::string> kKeys = {
            "r", "r v", "r shift+d", "shift+d", "v", "r Left Right space", "r 3 v 5", "r v r v"};
        const std::string scene = scenes[random_() % scenes.size()];
        const std::string keys = kKeys[random_() % kKeys.size()];
        const double seconds = std::uniform_real_distribution<double>(0, 1.5)(random_);
        SCOPED_TRACE(scene + " " + keys + ", signal " + std::to_string(signal) + " after " +
                     std::to_string(seconds));
        {
            const auto window = start({"view", scene});
            window->keys(keys);
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
            window->send(signal);
            const int status = window->wait_for_end();
            if (signal == SIGTERM) {
                EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1) << status;
            }
        }
        const std::set<std::string> found = files_in("out");
        for (const std::string& name : found) {
            if (signal == SIGTERM) {
                EXPECT_EQ(name.find(".part"), std::string::npos) << name;
            }
            expect_sound(name);
        }
        std::filesystem::remove_all(out());
        return static_cast<int>(found.size());
    }

    void expect_sound(const std::string& name) const {
        const std::filesystem::path path = out() / name;
        const std::string text = text_of(path);
        // NAME.part.h5 is made beside the journal NAME.part while a dataset is recorded, and is of no
        // use without its end.
        const bool whole = !name.ends_with(".part") && !name.ends_with(".part.h5");
        if (text.empty()) return;
        if (name.find(".csv") != std::string::npos) expect_whole_lines(name, text);
        if (name.ends_with(".json")) {
            EXPECT_TRUE(Json::accept(text)) << name;
            std::filesystem::path table = path;
            const std::string rows = text_of(table.replace_extension(".csv"));
            if (!rows.empty()) {
                EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'),
                          Json::parse(text)["steps"].get<std::ptrdiff_t>() + 1);
            }
        }
        // A trajectory or a dataset. Killed in the milliseconds between creating and filling it, it
        // is neither yet; a dataset that ended before its first frame says that it has none.
        if (name.find(".h5") != std::string::npos && whole) {
            EXPECT_TRUE(succeeds("replay --info", path) || succeeds("solve --list", path) ||
                        answer("solve --list", path).find("nor frames of a dataset") !=
                            std::string::npos)
                << name << answer("solve --list", path);
        }
        if (name.ends_with(".mp4")) {
            EXPECT_GT(probe(path).frames, 0) << name;
        }
    }

    [[nodiscard]] static bool succeeds(const std::string& command,
                                       const std::filesystem::path& path) {
        return std::system(
                   ("'" STICTION_PROGRAM "' " + command + " '" + path.string() + "' >/dev/null")
                       .c_str()) == 0;
    }

    [[nodiscard]] std::string answer(const std::string& command,
                                     const std::filesystem::path& path) const {
        const std::string file = (folder() / "answer").string();
        (void)succeeds(command + " 2>" + file, path);
        return text_of(file);
    }

    // The kernel may cut the last write of a process that is killed in the middle of a line.
    static void expect_whole_lines(const std::string& name, const std::string& text) {
        if (!name.ends_with(".part")) {
            EXPECT_EQ(text.back(), '\n') << name;
        }
        const auto commas = [](const std::string& line) { return std::ranges::count(line, ','); };
        std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
        std::string header;
        std::getline(lines, header);
        for (std::string line; std::getline(lines, line);)
            ASSERT_EQ(commas(line), commas(header)) << name << ": " << line;
    }

    std::mt19937 random_{11};
};

TEST_F(WindowKills, KilledAtAnyMomentWhatWasFlushedIsThere) {
    int found = 0;
    for (int i = 0; i < kWindows; ++i) found += end_at_random(SIGKILL);
    std::printf("%d kills, %d files or parts, all sound\n", kWindows, found);
    EXPECT_GT(found, kWindows / 2);
}

TEST_F(WindowKills, TerminatedAtAnyMomentFilesAreWholeAndNoPartIsLeft) {
    int found = 0;
    for (int i = 0; i < kWindows; ++i) found += end_at_random(SIGTERM);
    std::printf("%d terminations, %d files, all whole\n", kWindows, found);
    EXPECT_GT(found, kWindows / 2);
}

}  // namespace
}  // namespace stiction::test
