// journal_hdf5_test.cpp - the HDF5 file that is made while its journal grows, and a journal on a full disk.
#include "problem_files/journal_hdf5.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/error.h"
#include "problem_files/dataset.h"
#include "problem_files/dataset_writer.h"
#include "record/ball_on_plane.h"
#include "record/output_file.h"

namespace stiction {
namespace {

namespace journal_hdf5_test {

namespace fs = std::filesystem;

constexpr int kRecords = 20;

// The manifest, then arrays that say which frame they are.
DatasetGroup group_of(int record) {
    DatasetGroup group;
    if (record == 0) return {{"scene", {}, std::string("version: 1")}};
    group.push_back({"bodies/positions", {1, 3}, std::vector<double>(3, record)});
    group.push_back({"contacts/normals", {100, 3}, std::vector<double>(300, record)});
    return group;
}

void add(JournalWriter& journal, int record) {
    journal.add(record == 0 ? RecordKind::kManifest : RecordKind::kFrame, group_of(record));
}

void expect_frames(const std::string& path, std::size_t first, std::size_t frames) {
    const Dataset dataset(path);
    ASSERT_EQ(dataset.size(), first + frames);
    for (std::size_t k = 0; k < frames; ++k) {
        EXPECT_EQ(dataset.contacts(first + k), 100U);
        EXPECT_EQ(dataset.content(first + k).values<double>("bodies/positions", "numbers")[2],
                  static_cast<double>(k + 1));
    }
}

void wait_until_even(const JournalFollower& follower) {
    for (int i = 0; i < 5000 && follower.behind() > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(follower.behind(), 0);
}

TEST(JournalFollower, MakesTheFileWhileTheJournalGrows) {
    const test::ScratchFolder folder("follower");
    const std::string part = folder / "a.h5.part";
    JournalWriter journal(part);
    JournalFollower follower(part, folder / "a.h5", false);
    for (int k = 0; k <= kRecords; ++k) {
        add(journal, k);
        follower.record_written();
    }
    wait_until_even(follower);
    EXPECT_TRUE(fs::exists(part + ".h5"));
    EXPECT_FALSE(fs::exists(folder / "a.h5"));
    follower.finish();
    EXPECT_FALSE(fs::exists(part + ".h5"));
    expect_frames(folder / "a.h5", 0, kRecords);
    // As long as one that is made of the whole journal.
    finish_journal(part, folder / "b.h5", false);
    EXPECT_EQ(fs::file_size(folder / "a.h5"), fs::file_size(folder / "b.h5"));
}

TEST(JournalFollower, AddsToWhatIsThere) {
    const test::ScratchFolder folder("follower_append");
    const std::string part = folder / "a.h5.part";
    for (int run = 0; run < 2; ++run) {
        JournalWriter journal(part);
        JournalFollower follower(part, folder / "a.h5", true);
        for (int k = 0; k <= kRecords; ++k) {
            add(journal, k);
            follower.record_written();
        }
        if (run == 1) {
            wait_until_even(follower);
            expect_frames(folder / "a.h5", 0, kRecords);  // as it was, until the end
        }
        follower.finish();
        fs::remove(part);
    }
    expect_frames(folder / "a.h5", kRecords, kRecords);
}

// Given up, or taken away under its hands: the journal has all frames still.
TEST(JournalFollower, MakesTheFileAnewWhereItHadToStop) {
    const test::ScratchFolder folder("follower_stop");
    const std::string part = folder / "a.h5.part";
    for (const bool given_up : {true, false}) {
        JournalWriter journal(part);
        JournalFollower follower(part, folder / "a.h5", false);
        for (int k = 0; k <= kRecords; ++k) {
            add(journal, k);
            follower.record_written();
            if (k == kRecords / 2) wait_until_even(follower);
            if (k != kRecords / 2) continue;
            if (given_up) {
                follower.give_up();
                EXPECT_FALSE(fs::exists(part + ".h5"));
                EXPECT_EQ(follower.behind(), k + 1);
            } else {
                fs::remove(part + ".h5");
            }
        }
        follower.finish();
        expect_frames(folder / "a.h5", 0, kRecords);
        fs::remove(part);
    }
    {
        JournalWriter journal(part);
        JournalFollower follower(part, folder / "b.h5", false);
        add(journal, 0);
        follower.record_written();
        wait_until_even(follower);
    }  // never finished
    EXPECT_FALSE(fs::exists(folder / "b.h5.part.h5"));
    EXPECT_FALSE(fs::exists(folder / "b.h5"));
}

// A record that does not fit leaves the journal as it was, and fits when there is room.
TEST(JournalWriter, EndsWithAWholeRecordOnAFullDisk) {
    const test::ScratchFolder folder("journal_full");
    const std::string part = folder / "a.h5.part";
    JournalWriter journal(part);
    add(journal, 0);
    add(journal, 1);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit little{fs::file_size(part) + 1000, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
    EXPECT_THROW(add(journal, 2), OutputError);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)std::signal(SIGXFSZ, handler);
    EXPECT_EQ(fs::file_size(part), little.rlim_cur - 1000);
    add(journal, 2);
    EXPECT_EQ(list_journal(part).size(), 3U);
    finish_journal(part, folder / "a.h5", false);
    expect_frames(folder / "a.h5", 0, 2);
}

TEST(JournalReader, ReadsARecordWhenItIsComplete) {
    const test::ScratchFolder folder("journal_reader");
    const std::string part = folder / "a.h5.part";
    JournalWriter journal(part);
    JournalReader reader(part);
    EXPECT_FALSE(reader.next());
    add(journal, 0);
    const std::optional<JournalRecord> manifest = reader.next();
    ASSERT_TRUE(manifest);
    EXPECT_EQ(manifest->kind, RecordKind::kManifest);
    EXPECT_FALSE(reader.next());
    const auto size = fs::file_size(part);
    add(journal, 1);
    const auto whole = fs::file_size(part);
    for (const auto cut :
         {size + 10, size + 24, whole - 1}) {  // in the head, behind it, in the end
        fs::copy_file(part, folder / "cut", fs::copy_options::overwrite_existing);
        fs::resize_file(folder / "cut", cut);
        EXPECT_EQ(list_journal(folder / "cut").size(), 1U) << cut;
    }
    EXPECT_EQ(reader.next()->kind, RecordKind::kFrame);
    EXPECT_FALSE(reader.next());
}

// The picture is drawn by the thread that writes, once.
TEST(DatasetWriter, DrawsWhileTheRunGoesOn) {
    const test::ScratchFolder folder("draw");
    DatasetManifest manifest;
    int drawn = 0;
    const std::thread::id here = std::this_thread::get_id();
    manifest.draw = [&] {
        ++drawn;
        EXPECT_NE(std::this_thread::get_id(), here);
        return DatasetManifest::Image{2, 1, {1, 2, 3, 4, 5, 6}};
    };
    DatasetWriter writer(folder / "a.h5", false, manifest);
    writer.finish();
    EXPECT_EQ(drawn, 1);
    const Hdf5Content stored(folder / "a.h5", "simulation_00001/manifest");
    EXPECT_EQ(stored.find("image")->shape, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(FrameQueue, EndsWithTheFirstFault) {
    int written = 0;
    FrameQueue queue(
        "a", [] {},
        [&written](ProblemFrame&) {
            if (++written == 3) throw OutputError("the disk is full");
        });
    for (int i = 0; i < 10; ++i) queue.add({});
    queue.stop();
    EXPECT_EQ(queue.failure(), "the disk is full");
    EXPECT_EQ(written, 3);
    queue.add({});  // returns
    FrameQueue never(
        "a", [] { throw InputError("no such folder"); }, [](ProblemFrame&) { FAIL(); });
    never.add({});
    never.stop();
    EXPECT_EQ(never.failure(), "no such folder");
    FrameQueue small(
        "a", [] { throw std::bad_alloc(); }, [](ProblemFrame&) { FAIL(); });
    small.stop();
    EXPECT_EQ(small.failure(), "out of memory while 'a' was written");
}

}  // namespace journal_hdf5_test

}  // namespace
}  // namespace stiction
