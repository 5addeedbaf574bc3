// faults_test.cpp - every write, close and rename in turn fails as on a full disk, and allocations
// fail: the program says so and ends, what it could write is whole, and no file under its name is
// half a file.
#include <nlohmann/json.hpp>
#include <set>

#include "app/program.h"

namespace stiction::test {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

const std::string kOutputs =
    " --csv a.csv --json a.json --save-state s.json --trajectory-every 3 --trajectory ";

class Faults : public ProgramTest {
  protected:
    void SetUp() override {
        if (std::string(STICTION_FAULTS).empty()) GTEST_SKIP() << "not with sanitizers";
        ProgramTest::SetUp();
    }

    [[nodiscard]] Outcome run_with(const std::string& fault, const std::string& arguments) const {
        return run(arguments, "LD_PRELOAD='" STICTION_FAULTS "' STICTION_FAULT=" + fault);
    }

    void clear() const {
        for (const std::string& name : files()) std::filesystem::remove_all(folder() / name);
    }

    // Whatever is there under its name is all of it.
    void expect_whole_files() const {
        for (const std::string& name : files()) {
            if (name.ends_with(".part")) continue;
            const std::string text = read_text(folder() / name);
            if (name.ends_with(".csv")) {
                ASSERT_FALSE(text.empty()) << name;
                EXPECT_EQ(text.back(), '\n') << name;
            } else if (name == "a.json") {
                EXPECT_TRUE(Json::accept(text));
            } else if (name == "t.h5") {
                EXPECT_EQ(run("replay t.h5 --info").status, 0);
            } else if (name == "s.json") {
                EXPECT_EQ(run("run grasp --steps 0 --load-state s.json").status, 0);
            }
        }
    }
};

// A call whose failure is of no consequence (HDF5 has some) leaves everything whole and status 0;
// many in a row lie beyond the last call.
TEST_F(Faults, AFullDiskAtEveryCallCostsOneOutputAtMost) {
    constexpr int kBeyond = 6;
    for (const std::string trajectory : {"t.csv", "t.h5"}) {
        int failures = 0, without = 0;
        for (int k = 0; without < kBeyond; ++k) {
            ASSERT_LT(k, 500) << "no end of calls";
            const std::string fault = "disk:" + std::to_string(k);
            SCOPED_TRACE(trajectory + " " + fault);
            const Outcome outcome = run_with(fault, "run grasp --steps 20" + kOutputs + trajectory);
            expect_whole_files();
            std::set<std::string> left;  // outputs of which something is left
            for (const std::string& name : files()) {
                if (name.ends_with(".part"))
                    left.insert(name.substr(0, name == "a.json.part" ? 3 : 2));
            }
            clear();
            without = outcome.status == 0 ? without + 1 : 0;
            EXPECT_EQ(left.empty(), outcome.status == 0) << outcome.err;
            if (outcome.status == 0) continue;
            ++failures;
            EXPECT_EQ(outcome.status, 1) << outcome.err;
            EXPECT_EQ(left.size(), 1U);
            EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
            EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos)
                << outcome.err;
            for (const std::string& output : left)
                EXPECT_NE(outcome.err.find("'" + output), std::string::npos) << outcome.err;
        }
        EXPECT_GT(failures, 10);
        std::printf("%s: %d calls failed in turn\n", trajectory.c_str(), failures);
    }
}

TEST_F(Faults, ADiskThatStaysFullIsTold) {
    for (int k = 0; k < 60; k += 3) {
        SCOPED_TRACE(k);
        const Outcome outcome =
            run_with("disk:" + std::to_string(k) + "+", "run grasp --steps 20" + kOutputs + "t.h5");
        if (outcome.status == 0) break;
        EXPECT_EQ(outcome.status, 1);
        EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos) << outcome.err;
        expect_whole_files();
        clear();
    }
}

struct DatasetFault {
    std::string command;
    std::string output;
    int frames = 0;  // in it; 0: not a dataset
};

// A dataset is whole or has another name, one that is added to stays as it was, and what is said names
// file and fault. A call that fails once while a run goes on is made up for: the journal is there.
TEST_F(Faults, AFullDiskAtEveryCallOfADatasetCostsNoCompleteFrame) {
    constexpr int kFrames = 2;
    // Arrays of all sizes: in headers, in HDF5's buffers until they are closed, and written at once.
    const std::string start = "run stack --set boxes=40 --steps 2 --h5 ";
    const std::vector<DatasetFault> cases = {
        {start + "a.h5", "a.h5", kFrames},
        {start + "a.h5 --h5-append", "a.h5", 2 * kFrames},
        {"convert kept/a.h5 a.h5 --to dataset", "a.h5", kFrames},
        {"convert kept/a.h5 a.hdf5 --to fclib", "a.hdf5"},
        {"export kept/a.h5 --lcp 4 m.h5", "m.h5"},
        {"export kept/a.h5 --lcp 4 m.npz", "m.npz"},
    };
    std::filesystem::create_directories(folder() / "kept");
    ASSERT_EQ(run(start + "kept/a.h5").status, 0);
    const auto expect_sound = [&](const std::string& name, int frames) {
        const Outcome solved = run("solve " + name + " --json -");
        ASSERT_EQ(solved.status, 0) << solved.err;
        const Json rows = Json::parse(solved.out)["rows"];
        EXPECT_EQ(static_cast<int>(rows.size()), frames);
        for (const Json& row : rows) EXPECT_EQ(row["dv"], 0.0);
    };
    for (const std::string onward : {"", "+"}) {
        for (const DatasetFault& c : cases) {
            const bool appends = c.frames > kFrames;
            const bool recovers = onward.empty() && c.command.starts_with(start);
            const int beyond = recovers ? 14 : 8;
            int failures = 0, without = 0;
            for (int k = 0; without < beyond; k += recovers ? 5 : onward.empty() ? 1 : 7) {
                ASSERT_LT(k, 2000) << "no end of calls";
                const std::string fault = "disk:" + std::to_string(k) + onward;
                SCOPED_TRACE(c.command + " " + fault);
                if (appends) std::filesystem::copy(folder() / "kept/a.h5", folder() / "a.h5");
                const Outcome outcome = run_with(fault, c.command);
                const Names left = files();
                const bool there = std::filesystem::exists(folder() / c.output);
                if (there && c.frames > 0) {
                    expect_sound(c.output, outcome.status == 0 ? c.frames : kFrames);
                }
                for (const std::string& name : left) {
                    EXPECT_TRUE(name == "kept" || name == c.output || name == c.output + ".part")
                        << name;
                    if (name != "kept") std::filesystem::remove(folder() / name);
                }
                without = outcome.status == 0 ? without + 1 : 0;
                if (outcome.status == 0) {
                    EXPECT_EQ(left.size(), 2U);
                    EXPECT_TRUE(there);
                    continue;
                }
                ++failures;
                EXPECT_EQ(there, appends);
                EXPECT_EQ(outcome.status, 1) << outcome.err;
                EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
                EXPECT_NE(outcome.err.find("'" + c.output), std::string::npos) << outcome.err;
                EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos)
                    << outcome.err;
            }
            std::printf("%s, %s: %d failures\n", c.command.c_str(),
                        onward.empty() ? "one call" : "all from one on", failures);
        }
    }
}

// Rows that were written count, a table is whole or not there, and the same command goes on.
TEST_F(Faults, AFullDiskAtEveryCallOfASweepLosesNothing) {
    constexpr int kBeyond = 3;
    const Names tables = {"table.csv", "table.h5", "map.svg"};
    const std::string command = "sweep sweep.yaml --workers 1 --quiet --out ";
    write("sweep.yaml",
          "version: 1\nscene: stack\nsteps: 2\nparameters: {boxes: [1, 2]}\n"
          "keep: {hash: state_hash, contacts: contacts.max}\n"
          "plots: [{file: map.svg, type: lines, x: boxes, value: contacts}]\n");
    ASSERT_EQ(run(command + "whole").status, 0);
    int failures = 0, without = 0;
    for (int k = 0; without < kBeyond; ++k) {
        ASSERT_LT(k, 200) << "no end of calls";
        SCOPED_TRACE(k);
        Outcome outcome = run_with("disk:" + std::to_string(k), command + "full");
        without = outcome.status == 0 ? without + 1 : 0;
        if (outcome.status != 0) {
            ++failures;
            EXPECT_EQ(outcome.status, 1) << outcome.err;
            EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
            EXPECT_NE(outcome.err.find("No space left on device"), std::string::npos)
                << outcome.err;
            for (const std::string& name : tables) {
                const std::string text = read_text(folder() / "full" / name);
                EXPECT_TRUE(text.empty() || text == read_text(folder() / "whole" / name)) << name;
            }
            outcome = run(command + "full");
        }
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        for (const std::string& name : tables)
            EXPECT_TRUE(read_text(folder() / "full" / name) == read_text(folder() / "whole" / name))
                << name;
        std::filesystem::remove_all(folder() / "full");
    }
    EXPECT_GT(failures, 10);
    std::printf("sweep: %d calls failed in turn\n", failures);
}

// A run asks for memory some ten thousand times: the first calls, and then a sample of all.
TEST_F(Faults, WithoutMemoryItSaysSoAndEnds) {
    std::map<std::string, int> ways;
    for (const std::string& command :
         {"run grasp --steps 5" + kOutputs + "t.h5", "run grasp --steps 5" + kOutputs + "t.csv",
          std::string("check stack --json -"),
          std::string(
              "compare grasp --steps 3 --models no_slip,viscous --csv a.csv --json a.json")}) {
        int status = 1;
        for (long k = 0; k < 10'000'000; k += 1 + k / 8) {
            SCOPED_TRACE(command + " memory:" + std::to_string(k));
            const Outcome outcome = run_with("memory:" + std::to_string(k), command);
            status = outcome.status;
            ++ways[status == 0                                              ? "done"
                   : outcome.err.find("out of memory") != std::string::npos ? "out of memory"
                                                                            : "other"];
            if (status != 0 && outcome.err.find("out of memory") == std::string::npos)
                std::printf("%s", outcome.err.c_str());
            EXPECT_TRUE(status == 0 || status == 1 || status == 2) << status << outcome.err;
            if (status != 0) {
                EXPECT_GE(count_lines(outcome.err), 1U);
                EXPECT_TRUE(outcome.err.starts_with("error: ")) << outcome.err;
            }
            expect_whole_files();
            clear();
        }
        EXPECT_EQ(status, 0) << "the last of them lies beyond the last call";
    }
    for (const auto& [way, count] : ways) std::printf("%s: %d\n", way.c_str(), count);
}

}  // namespace
}  // namespace stiction::test
