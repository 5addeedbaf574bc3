// dataset_test.cpp - files of frames: how they are written, added to, cut off, and told apart.
#include "problem_files/dataset.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "problem_files/dataset_hdf5.h"
#include "problem_files/frame_arrays.h"
#include "problem_files/frame_recorder.h"
#include "record/ball_on_plane.h"
#include "record/output_file.h"

namespace stiction {
namespace {

namespace dataset_test {

namespace fs = std::filesystem;

void run_steps(Simulation& sim, FrameRecorder& recorder, int steps) {
    for (int i = 0; i < steps; ++i) {
        recorder.before_step(sim);
        (void)step(sim, [&](const Simulation& s) { recorder.observe(s); });
    }
}

FrameOutput to_file(const std::string& path) {
    FrameOutput output;
    output.path = path;
    return output;
}

std::string why(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return "(nothing)";
}

TEST(Dataset, IsUnderItsNameOnlyWhenComplete) {
    const test::ScratchFolder folder("dataset_name");
    Simulation sim = test::ball_on_plane();
    DatasetManifest manifest;
    manifest.scene = "version: 1\n";
    manifest.command = "stiction run ball";
    manifest.image = {2, 1, {1, 2, 3, 4, 5, 6}};
    FrameRecorder recorder(to_file(folder / "a.h5"), manifest, sim);
    run_steps(sim, recorder, 3);
    EXPECT_FALSE(fs::exists(folder / "a.h5"));
    recorder.finish();
    EXPECT_FALSE(fs::exists(folder / "a.h5.part"));
    const Dataset dataset(folder / "a.h5");
    ASSERT_EQ(dataset.size(), 3U);
    EXPECT_EQ(dataset.name(2), "simulation_00001/mbs_frame000003");
    EXPECT_EQ(dataset.contacts(2), 1U);
    EXPECT_EQ(dataset.read(2).step->step, 3);
    const Hdf5Content stored = dataset.manifest(0);
    EXPECT_EQ(stored.values<std::string>("scene", "a text").front(), "version: 1\n");
    EXPECT_EQ(stored.values<std::string>("command", "a text").front(), "stiction run ball");
    EXPECT_EQ(stored.values<std::string>("toolkit", "a text").front(), "stiction");
    EXPECT_EQ(stored.find("image")->shape, (std::vector<std::uint64_t>{1, 2, 3}));
}

// A second run of the same name does not throw away what the first one is writing.
TEST(Dataset, IsWrittenByOneRunAtATime) {
    const test::ScratchFolder folder("dataset_lock");
    const std::string path = folder / "a.h5";
    {
        const DatasetWriter first(path, false, {});
        EXPECT_NE(dataset_test::why([&] {
                      const DatasetWriter second(path, false, {});
                  }).find("a.h5.part' is being written by another program"),
                  std::string::npos);
        EXPECT_TRUE(std::filesystem::exists(path + ".part"));
    }
    const DatasetWriter third(path, false, {});
}

TEST(Dataset, TakesFurtherSimulations) {
    const test::ScratchFolder folder("dataset_append");
    for (int run = 0; run < 3; ++run) {
        Simulation sim = test::ball_on_plane();
        FrameOutput output = to_file(folder / "a.h5");
        output.append = true;
        FrameRecorder recorder(output, {}, sim);
        run_steps(sim, recorder, 2);
        recorder.finish();
    }
    const Dataset dataset(folder / "a.h5");
    ASSERT_EQ(dataset.size(), 6U);
    EXPECT_EQ(dataset.name(5), "simulation_00003/mbs_frame000002");
    std::ofstream(folder / "b.h5") << "not a dataset";
    Simulation sim = test::ball_on_plane();
    FrameOutput output = to_file(folder / "b.h5");
    output.append = true;
    EXPECT_NE(why([&] { FrameRecorder recorder(output, {}, sim); }), "(nothing)");
    EXPECT_EQ(fs::file_size(folder / "b.h5"), 13U);
}

// A killed run leaves its journal. Cut off at any byte it gives the frames that were complete.
TEST(Dataset, JournalGivesEveryCompleteFrame) {
    const test::ScratchFolder folder("dataset_journal");
    Simulation sim = test::ball_on_plane();
    std::vector<VecX> answers;
    {
        FrameRecorder recorder(to_file(folder / "a.h5"), {}, sim);
        for (int i = 0; i < 3; ++i) {
            run_steps(sim, recorder, 1);
            answers.push_back(sim.frame.solution.v);
        }
    }  // never finished
    const std::string part = folder / "a.h5.part";
    EXPECT_TRUE(is_dataset(part));
    const std::vector<JournalRecord> records = list_journal(part);
    ASSERT_EQ(records.size(), 4U);  // with the manifest
    std::ifstream in(part, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::string cut = folder / "cut";
    for (std::size_t size = records[0].offset + records[0].length; size < bytes.size();
         size += 97) {
        std::ofstream(cut, std::ios::binary | std::ios::trunc) << bytes.substr(0, size);
        std::size_t complete = 0;
        for (const JournalRecord& record : records) {
            const bool frame = record.kind == RecordKind::kFrame;
            complete += frame && record.offset + record.length <= size ? 1 : 0;
        }
        const Dataset dataset(cut);
        ASSERT_EQ(dataset.size(), complete) << size;
        for (std::size_t k = 0; k < complete; ++k)
            EXPECT_EQ(dataset.read(k).answers[0].v, answers[k]);
    }
    // A flipped bit inside a record is told.
    std::string damaged = bytes;
    damaged[records[2].offset + 5] ^= 1;
    std::ofstream(cut, std::ios::binary | std::ios::trunc) << damaged;
    EXPECT_NE(why([&] { (void)Dataset(cut).read(1); }).find("is damaged: its checksum"),
              std::string::npos);
    EXPECT_EQ(Dataset(cut).read(0).answers[0].v, answers[0]);
    // And it can be made a file.
    finish_journal(part, folder / "b.h5", false);
    EXPECT_EQ(Dataset(folder / "b.h5").size(), 3U);
}

TEST(Dataset, FindsFramesAtTheRoot) {
    const test::ScratchFolder folder("dataset_root");
    Simulation sim = test::ball_on_plane();
    BeforeStep before;
    keep_before_step(sim, before);
    ProblemFrame frame;
    (void)step(sim, [&](const Simulation& s) { frame = record_frame(s, before); });
    DatasetHdf5Writer writer(folder / "a.h5", false);
    writer.add_group("mbs_frame000000", frame_arrays(frame));
    writer.add_group("mbs_frame000001", frame_arrays(frame));
    writer.add_group("settings", {{"h", {}, std::vector<double>{0.1}}});
    writer.close();
    const Dataset dataset(folder / "a.h5");
    ASSERT_EQ(dataset.size(), 2U);
    EXPECT_EQ(dataset.name(0), "mbs_frame000000");
    EXPECT_EQ(dataset.read(1).contacts.size(), 1U);
    EXPECT_TRUE(dataset.manifest(1).objects().empty());
}

TEST(Dataset, TellsOtherFilesApart) {
    const test::ScratchFolder folder("dataset_other");
    {
        DatasetHdf5Writer writer(folder / "other.h5", false);
        writer.add_group("tables", {{"x", {2}, std::vector<double>{1, 2}}});
        writer.close();
    }
    std::ofstream(folder / "text.h5") << "hello";
    EXPECT_FALSE(is_dataset(folder / "other.h5"));
    EXPECT_EQ(why([&] { Dataset dataset(folder / "other.h5"); }),
              (folder / "other.h5") +
                  ": has no frames: no group with 'bodies', at the root or under a group "
                  "'simulation_*'");
    EXPECT_EQ(why([&] { Dataset dataset(folder / "text.h5"); }),
              (folder / "text.h5") + ": is neither HDF5 nor what a run leaves of a dataset");
    EXPECT_EQ(why([&] { Dataset dataset(folder / "none.h5"); }),
              (folder / "none.h5") + ": no such file");
    EXPECT_NE(why([&] { Dataset dataset(folder / ""); }).find("is a folder"), std::string::npos);
    // Cut off.
    Simulation sim = test::ball_on_plane();
    FrameRecorder recorder(to_file(folder / "a.h5"), {}, sim);
    run_steps(sim, recorder, 1);
    recorder.finish();
    fs::resize_file(folder / "a.h5", fs::file_size(folder / "a.h5") / 2);
    EXPECT_EQ(
        why([&] { Dataset dataset(folder / "a.h5"); }),
        (folder / "a.h5") + ": cannot be read as an HDF5 file; is it cut off, or being written?");
}

TEST(FrameRecorder, TakesTheStepsAskedFor) {
    const test::ScratchFolder folder("frame_choice");
    const auto steps_of = [&](const FrameOutput& output) {
        Simulation sim = test::ball_on_plane();
        FrameRecorder recorder(output, {}, sim);
        run_steps(sim, recorder, 10);
        recorder.finish();
        std::vector<std::int64_t> steps;
        if (recorder.frames() == 0) return steps;
        const Dataset dataset(output.path);
        for (std::size_t k = 0; k < dataset.size(); ++k)
            steps.push_back(dataset.read(k).step->step);
        return steps;
    };
    using Steps = std::vector<std::int64_t>;
    FrameOutput output = to_file(folder / "a.h5");
    output.every = 4;
    EXPECT_EQ(steps_of(output), (Steps{4, 8}));
    output.every.reset();
    output.steps = "9:";
    EXPECT_EQ(steps_of(output), (Steps{9, 10}));
    output.steps = "2:3";
    EXPECT_EQ(steps_of(output), (Steps{2, 3}));
    output.steps = "7";
    EXPECT_EQ(steps_of(output), (Steps{7}));
    output.steps.clear();
    output.when = "time >= 0.0095, unsolved";
    EXPECT_EQ(steps_of(output), (Steps{10}));
    output.when = "contacts<1";
    EXPECT_EQ(steps_of(output), (Steps{}));
}

TEST(FrameRecorder, MakesAFilePerHardStepInAFolder) {
    const test::ScratchFolder folder("frame_files");
    Simulation sim = test::ball_on_plane();
    FrameOutput output = to_file(folder / "");
    output.when = "contacts>0";
    FrameRecorder recorder(output, {}, sim);
    run_steps(sim, recorder, 2);
    recorder.finish();
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder / "")) {
        EXPECT_TRUE(entry.path().filename().string().starts_with("contacts00001-iterations"));
        EXPECT_EQ(Dataset(entry.path().string()).size(), 1U);
        ++files;
    }
    EXPECT_EQ(files, 2);
}

TEST(FrameRecorder, RefusesWhatItCannotDo) {
    const test::ScratchFolder folder("frame_refusals");
    FrameOutput output = to_file(folder / "a.h5");
    const auto refusal = [&] { return why([&] { (void)choose_frames(output); }); };
    EXPECT_EQ(refusal(), "(nothing)");
    output.when = "residul>1";
    EXPECT_EQ(refusal(), "--h5-when: unknown quantity 'residul'; did you mean 'residual'?");
    output.when = "residual>a";
    EXPECT_EQ(refusal(), "--h5-when: found 'a' in 'residual>a'; expected a number");
    output.when.clear();
    output.steps = "5:2";
    EXPECT_EQ(refusal(), "--h5-steps: found '5:2'; expected A:B with A <= B");
    output.steps = "0:2";
    EXPECT_EQ(refusal(), "--h5-steps: found '0'; expected A:B with whole numbers from 1");
    output.every = 3;
    EXPECT_EQ(refusal(), "expected one of --h5-every, --h5-steps and --h5-when, found several");
    output.steps.clear();
    output.every = 0;
    EXPECT_EQ(refusal(), "--h5-every: must be at least 1 step");
    output = to_file("");
    output.append = true;
    EXPECT_EQ(refusal(), "--h5-every, --h5-steps, --h5-when and --h5-append need --h5 FILE");
    Simulation sim = test::ball_on_plane();
    Viscous accelerations;
    accelerations.level = ViscousLevel::kAcceleration;
    sim.contact_model = accelerations;
    EXPECT_NE(why([&] {
                  FrameRecorder recorder(to_file(folder / "a.h5"), {}, sim);
              }).find("acceleration level"),
              std::string::npos);
    EXPECT_FALSE(fs::exists(folder / "a.h5.part"));
}

}  // namespace dataset_test

}  // namespace
}  // namespace stiction
