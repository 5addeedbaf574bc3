// recording_test.cpp - recordings that are started and stopped while a scene runs.
#include "live/recording.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "live/live_scenes.h"
#include "record/ball_on_plane.h"

namespace stiction {
namespace {

using nlohmann::json;
using test::ScratchFolder;

std::vector<std::vector<std::string>> table(const std::string& path) {
    std::vector<std::vector<std::string>> rows;
    std::stringstream text(test::read_text(path));
    for (std::string line; std::getline(text, line);) {
        std::stringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

std::size_t column(const std::vector<std::vector<std::string>>& rows, const std::string& name) {
    const auto it = std::find(rows[0].begin(), rows[0].end(), name);
    EXPECT_NE(it, rows[0].end()) << name;
    return static_cast<std::size_t>(it - rows[0].begin());
}

OutputPaths all(const ScratchFolder& folder) {
    OutputPaths paths;
    paths.csv = folder / "run.csv";
    paths.json = folder / "run.json";
    paths.trajectory = folder / "run.h5";
    return paths;
}

TEST(Recording, HasAllRowsAndTheSwitches) {
    const ScratchFolder folder("recording_rows");
    LiveScene live(shipped_scene("ramp"), 1);
    forward(live, 5);
    live.start_recording(all(folder));
    EXPECT_EQ(look_at(live).writing, "run.csv, run.h5, run.json");
    use_model(live, NoSlip{});
    forward(live, 10);
    use_model(live, CoulombCone{});
    forward(live, 7);
    use_model(live, CoulombCone{.tolerance = 1e-6});  // of the same model: no switch
    forward(live, 3);
    const std::uint64_t end = hash_of(live);
    const std::vector<ShownContact> shown = look_at(live).contacts;
    live.stop_recording();
    EXPECT_EQ(look_at(live).writing, "");
    EXPECT_EQ(look_at(live).write_error, "");
    ASSERT_EQ(look_at(live).contacts.size(), shown.size());

    const auto rows = table(folder / "run.csv");
    ASSERT_EQ(rows.size(), 21U);
    const std::size_t model = column(rows, "model");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][0], std::to_string(5 + i));
        EXPECT_EQ(rows[i][model], i <= 10 ? "no_slip" : "coulomb_cone");
        EXPECT_EQ(rows[i].size(), rows[0].size());
    }
    const json summary = json::parse(test::read_text(folder / "run.json"));
    EXPECT_EQ(summary["model"], "no_slip");
    EXPECT_EQ(summary["steps"], 20);
    EXPECT_EQ(summary["h"], 0.001);
    EXPECT_EQ(summary["status"], "done");
    EXPECT_EQ(summary["state_hash"], hash_text(end));
    ASSERT_EQ(summary["switches"].size(), 1U);
    EXPECT_EQ(summary["switches"][0]["step"], 16);
    EXPECT_NEAR(summary["switches"][0]["t"].get<double>(), 0.016, 1e-12);
    EXPECT_EQ(summary["switches"][0]["from"], "no_slip");
    EXPECT_EQ(summary["switches"][0]["to"], "coulomb_cone");
    EXPECT_EQ(read_trajectory(folder / "run.h5").samples.size(), 21U);
}

// The overlay shows the very numbers that the table has, to the last digit.
TEST(Recording, TheTableHasTheNumbersOfTheOverlay) {
    const ScratchFolder folder("recording_numbers");
    LiveScene live(shipped_scene("ramp"), 1);
    live.start_recording(all(folder));
    forward(live, 12);
    std::vector<StepRecord> records;
    live.take_records(records);
    EXPECT_EQ(look_at(live).record.step_seconds, records.back().step_seconds);
    live.stop_recording();
    const auto rows = table(folder / "run.csv");
    ASSERT_EQ(rows.size(), 13U);
    ASSERT_EQ(records.size(), 12U);
    const std::size_t first = column(rows, std::string(kStageNames[0]) + "[s]");
    const std::size_t whole = column(rows, "step_time[s]");
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::vector<std::string>& row = rows[i + 1];
        for (std::size_t s = 0; s < kStageNames.size(); ++s)
            EXPECT_EQ(std::stod(row[first + s]), records[i].seconds[s]) << kStageNames[s];
        EXPECT_EQ(std::stod(row[whole]), records[i].step_seconds);
        EXPECT_EQ(std::stod(row[column(rows, "kinetic[J]")]), records[i].kinetic);
        EXPECT_EQ(std::stoi(row[column(rows, "contacts")]), records[i].contacts);
        EXPECT_EQ(std::stod(row[column(rows, "residual")]), records[i].residual);
    }
}

TEST(Recording, DoesNotChangeTheRun) {
    const ScratchFolder folder("recording_bits");
    LiveScene live(shipped_scene("wall"), 1);
    LiveScene plain(shipped_scene("wall"), 1);
    OutputPaths paths = all(folder);
    paths.quality = true;
    live.start_recording(paths);
    forward(live, 20);
    live.stop_recording();
    forward(live, 20);
    forward(plain, 40);
    EXPECT_EQ(hash_of(live), hash_of(plain));
    const auto rows = table(folder / "run.csv");
    EXPECT_EQ(std::count(rows[0].begin(), rows[0].end(), "unexplained[J]"), 1);
}

TEST(Recording, EndsCompleteWithTheScene) {
    const ScratchFolder folder("recording_end");
    {
        LiveScene live(shipped_scene("ramp"), 1);
        live.start_recording(all(folder));
        forward(live, 12);
    }
    EXPECT_EQ(table(folder / "run.csv").size(), 13U);
    EXPECT_EQ(json::parse(test::read_text(folder / "run.json"))["steps"], 12);
    EXPECT_EQ(read_trajectory(folder / "run.h5").samples.size(), 13U);
    EXPECT_FALSE(std::filesystem::exists(part_path(folder / "run.csv")));
}

TEST(Recording, StopsCleanlyBeforeGoingBackAndBeforeReset) {
    const ScratchFolder folder("recording_back");
    LiveScene live(shipped_scene("ramp"), 1);
    live.start_recording(all(folder));
    forward(live, 8);
    back(live, 3);
    EXPECT_EQ(look_at(live).writing, "");
    EXPECT_NE(look_at(live).write_error, "");  // says why it ended
    EXPECT_EQ(table(folder / "run.csv").size(), 9U);
    EXPECT_EQ(json::parse(test::read_text(folder / "run.json"))["steps"], 8);
    live.start_recording(all(folder));
    EXPECT_EQ(look_at(live).write_error, "");
    forward(live, 2);
    live.reset();
    EXPECT_EQ(look_at(live).writing, "");
    EXPECT_EQ(table(folder / "run.csv").size(), 3U);
    live.start_recording(all(folder));
    forward(live, 4);
    live.start_recording(all(folder));  // one ends where the next begins
    EXPECT_EQ(table(folder / "run.csv").size(), 5U);
}

TEST(Recording, KeepsWhatWasRecordedBeforeAFailure) {
    const ScratchFolder folder("recording_failure");
    LiveScene live(pushed_ball(), 1);
    live.start_recording(all(folder));
    std::size_t steps = 0;
    push_until_it_fails(live, steps);
    EXPECT_EQ(look_at(live).writing, "");
    EXPECT_EQ(table(folder / "run.csv").size(), steps + 1);
    const json summary = json::parse(test::read_text(folder / "run.json"));
    EXPECT_EQ(summary["status"], "failed");
    EXPECT_EQ(summary["message"], look_at(live).failure);
}

TEST(Recording, AChangedStepSizeGivesItsMean) {
    const ScratchFolder folder("recording_h");
    LiveScene live(shipped_scene("ramp"), 1);
    live.start_recording(all(folder));
    forward(live, 10);
    change_settings(live, [](LiveSettings& s) { s.step.h = 0.003; });
    forward(live, 10);
    live.stop_recording();
    EXPECT_NEAR(json::parse(test::read_text(folder / "run.json"))["h"].get<double>(), 0.002, 1e-15);
}

TEST(Recording, RefusesWhatCannotBeWritten) {
    const ScratchFolder folder("recording_refuse");
    LiveScene live(shipped_scene("ramp"), 1);
    EXPECT_THROW(live.start_recording({}), InputError);
    OutputPaths paths;
    paths.csv = folder / "no/such/folder.csv";
    EXPECT_THROW(live.start_recording(paths), InputError);
    paths = all(folder);
    paths.trajectory_every = 0;
    EXPECT_THROW(live.start_recording(paths), InputError);
    EXPECT_EQ(look_at(live).writing, "");
    forward(live, 1);
}

// /dev/full opens, and every write to it fails as on a full disk.
TEST(Recording, AFullDiskEndsTheRecordingNotTheRun) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    LiveScene live(shipped_scene("ramp"), 1);
    LiveScene plain(shipped_scene("ramp"), 1);
    OutputPaths paths;
    paths.csv = "/dev/full";
    try {
        live.start_recording(paths);  // the header may already meet the full disk
    } catch (const std::exception&) {
    }
    forward(live, 5);
    live.stop_recording();
    EXPECT_NE(look_at(live).write_error, "");
    EXPECT_EQ(look_at(live).writing, "");
    forward(live, 5);
    forward(plain, 10);
    EXPECT_EQ(hash_of(live), hash_of(plain));
}

TEST(Recording, AFolderThatVanishesEndsTheRecordingNotTheRun) {
    const ScratchFolder folder("recording_vanish");
    LiveScene live(shipped_scene("ramp"), 1);
    std::filesystem::create_directory(folder / "inner");
    OutputPaths paths;
    paths.csv = folder / "inner/run.csv";
    live.start_recording(paths);
    forward(live, 3);
    std::filesystem::remove_all(folder / "inner");
    forward(live, 3);
    live.stop_recording();
    EXPECT_NE(look_at(live).write_error, "");
    forward(live, 1);
}

}  // namespace
}  // namespace stiction
