// kills_test.cpp - run, compare and solve are killed and terminated at random moments. Killed, they
// leave what they had flushed, readable; terminated, complete files or none, and no NAME.part.
// tests/window/kills_test does the same with the window.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "app/program.h"
#include "app/slow_inputs.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;

// Each way; STICTION_KILLS in the environment for another number. With the 50 of
// tests/window/kills_test there are 200.
const int kTimes =
    std::getenv("STICTION_KILLS") != nullptr ? std::atoi(std::getenv("STICTION_KILLS")) : 150;

const int kDatasetTimes = (kTimes + 2) / 3;  // of runs that do nothing but write one

class Kills : public ProgramTest {
  protected:
    void SetUp() override {
        ProgramTest::SetUp();
        std::filesystem::create_directories(folder() / "in");
        write("in/slow.yaml", kSlowScene);
        write("in/easy.dat", "3 1  0 3 3  3 3  1 0 0  0 1 0  0 0 1  -1 1 3  0.1\n");
        write("in/hard.dat", slow_problem());
    }

    [[nodiscard]] std::vector<std::string> written() const {
        std::vector<std::string> names = files();
        std::erase(names, "in");
        return names;
    }

    // Returns the number of files that were there.
    int end_at_random(const std::string& signal) {
        static const std::vector<std::string> kCommands = {
            "run grasp --time 1e5 --csv a.csv --json a.json --trajectory t.h5 --save-state s.json",
            "run grasp --time 1e5 --csv a.csv --json a.json --trajectory t.csv --trajectory-every "
            "9",
            "run in/slow.yaml --csv a.csv --json a.json --trajectory t.h5",
            "run grasp --time 1e5 --csv a.csv --json a.json --h5 f.h5 --h5-every 500",
            "run grasp --time 1e5 --csv a.csv --json a.json --h5 f.h5 --h5-when 'time<0.05' "
            "--h5-append",
            "compare grasp --time 1e5 --models no_slip,viscous --csv a.csv --json a.json "
            "--plot a.svg",
            "solve in/easy.dat in/hard.dat --tol 1e-300 --csv a.csv --json a.json --profile p"};
        const std::string& command = kCommands[random_() % kCommands.size()];
        const double seconds = std::uniform_real_distribution<double>(0, 1.5)(random_);
        SCOPED_TRACE(command + " " + signal + " after " + std::to_string(seconds));
        (void)run(command, "",
                  "& pid=$!; sleep " + std::to_string(seconds) + "; kill -" + signal +
                      " $pid; wait $pid 2>/dev/null");
        const std::vector<std::string> found = written();
        for (const std::string& name : found) {
            if (signal == "TERM") {
                EXPECT_EQ(name.find(".part"), std::string::npos) << name;
            }
            expect_sound(name);
        }
        for (const std::string& name : found) std::filesystem::remove(folder() / name);
        return static_cast<int>(found.size());
    }

    void expect_sound(const std::string& name) const {
        const std::string text = read_text(folder() / name);
        if (text.empty()) return;
        if (name.ends_with(".csv") || name.ends_with(".csv.part")) expect_whole_lines(name, text);
        if (name.ends_with(".json")) {
            EXPECT_TRUE(Json::accept(text)) << name;
        }
        if (name == "a.json" && files().front() == "a.csv" && Json::parse(text).contains("h")) {
            const Json summary = Json::parse(text);
            if (!summary.contains("runs")) {
                EXPECT_EQ(count_lines(read_text(folder() / "a.csv")),
                          summary["steps"].get<std::size_t>() + 1);
            }
        }
        if (name == "f.h5" || name == "f.h5.part") {
            const Outcome read = run("solve " + name + " --json -");
            // Ended before the first frame.
            const bool none = read.err.find("nor frames of a dataset") != std::string::npos ||
                              read.err.find("there is no such frame") != std::string::npos ||
                              read.err.find("is neither HDF5") != std::string::npos;
            EXPECT_TRUE(read.status == 0 || none) << name << ": " << read.err;
        }
        if (name.starts_with("t.h5") || name == "t.csv") {
            const bool stepped = count_lines(read_text(folder() / "a.csv.part")) > 1;
            const int status = run("replay " + name + " --info").status;
            // Killed in the milliseconds between creating and filling it, it is no file yet.
            EXPECT_TRUE(status == 0 || (name.ends_with(".part") && !stepped)) << name;
        }
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

    std::mt19937 random_{7};
};

TEST_F(Kills, KilledAtAnyMomentWhatWasFlushedIsThere) {
    int found = 0;
    for (int i = 0; i < kTimes; ++i) found += end_at_random("KILL");
    std::printf("%d kills, %d files or parts, all sound\n", kTimes, found);
    EXPECT_GT(found, kTimes / 4);  // on a busy machine many end before they have begun
}

// Every frame that a killed run has written completely is read, and becomes a file; a dataset that is
// added to stays as it was.
TEST_F(Kills, DatasetsOfKilledRunsKeepEveryCompleteFrame) {
    ASSERT_EQ(run("run stack --set boxes=4 --steps 3 --h5 in/old.h5").status, 0);
    const std::string old = read_text(folder() / "in/old.h5");
    std::size_t frames = 0;
    int behind = 0;
    for (int i = 0; i < kDatasetTimes; ++i) {
        const double seconds = std::uniform_real_distribution<double>(0, 0.5)(random_);
        const bool appends = i % 2 == 1;
        SCOPED_TRACE(std::to_string(seconds) + (appends ? " --h5-append" : ""));
        if (appends) std::filesystem::copy_file(folder() / "in/old.h5", folder() / "f.h5");
        // From when there is more than the manifest with its picture.
        (void)run(std::string("run stack --set boxes=4 --time 1e5 --h5 f.h5 --h5-every 50") +
                      (appends ? " --h5-append" : ""),
                  "",
                  "& pid=$!; while kill -0 $pid && [ $(stat -c %s f.h5.part 2>/dev/null || echo 0) "
                  "-lt 250000 ]; do sleep 0.02; done; sleep " +
                      std::to_string(seconds) + "; kill -KILL $pid; wait $pid 2>/dev/null");
        if (appends) {
            EXPECT_EQ(read_text(folder() / "f.h5"), old);
        } else {
            EXPECT_FALSE(std::filesystem::exists(folder() / "f.h5"));
        }
        behind += std::filesystem::exists(folder() / "f.h5.part.h5") ? 1 : 0;
        const Outcome list = run("solve f.h5.part --list");
        ASSERT_EQ(list.status, 0) << list.err;
        ASSERT_EQ(run("convert f.h5.part whole.h5 --to dataset").status, 0);
        const Outcome whole = run("solve whole.h5 --list");
        EXPECT_EQ(count_lines(whole.out), count_lines(list.out));
        frames += count_lines(whole.out) - 1;
        if (i % 10 < 2) {  // the same bits
            const Outcome solved = run("solve f.h5.part --frames 1:20 --json -");
            for (const Json& row : Json::parse(solved.out)["rows"]) EXPECT_EQ(row["dv"], 0.0);
        }
        for (const std::string& name : written()) std::filesystem::remove(folder() / name);
    }
    std::printf("%d kills, %d with an unfinished HDF5 file beside the journal, %zu frames\n",
                kTimes, behind, frames);
}

// Files per hard step: each that has its name is whole.
TEST_F(Kills, FilesOfHardStepsAreWholeOrHaveAnotherName) {
    std::size_t whole = 0, parts = 0;
    for (int i = 0; i < kDatasetTimes; ++i) {
        const double seconds = std::uniform_real_distribution<double>(0, 0.3)(random_);
        SCOPED_TRACE(seconds);
        std::filesystem::create_directories(folder() / "hard");
        (void)run(
            "run stack --set boxes=4 --time 1e5 --h5 hard/ --h5-when 'contacts>0'", "",
            "& pid=$!; while kill -0 $pid && [ -z \"$(ls hard)\" ]; do sleep 0.02; done; sleep " +
                std::to_string(seconds) + "; kill -KILL $pid; wait $pid 2>/dev/null");
        std::string names;
        std::size_t found = 0;
        for (const auto& file : std::filesystem::directory_iterator(folder() / "hard")) {
            if (file.path().extension() == ".part") {
                ++parts;
                continue;
            }
            names += " hard/" + file.path().filename().string();
            ++found;
        }
        if (found > 0) {
            const Outcome solved = run("solve" + names + " --json -");
            ASSERT_EQ(solved.status, 0) << solved.err;
            const Json rows = Json::parse(solved.out)["rows"];
            EXPECT_EQ(rows.size(), found);
            for (const Json& row : rows) EXPECT_EQ(row["dv"], 0.0);
        }
        whole += found;
        std::filesystem::remove_all(folder() / "hard");
    }
    std::printf("%d kills, %zu whole files, %zu parts\n", kDatasetTimes, whole, parts);
}

TEST_F(Kills, TerminatedAtAnyMomentFilesAreWholeAndNoPartIsLeft) {
    int found = 0;
    for (int i = 0; i < kTimes; ++i) found += end_at_random("TERM");
    std::printf("%d terminations, %d files, all whole\n", kTimes, found);
    EXPECT_GT(found, kTimes / 4);
}

}  // namespace
}  // namespace stiction::test
