// output_file_test.cpp - outputs are refused before anything is created, and get their name only
// when complete.
#include "record/output_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "record/ball_on_plane.h"

namespace stiction {
namespace {

using test::message_of;

TEST(OutputFile, RefusesWhatCannotBeWrittenAndCreatesNothing) {
    const test::ScratchFolder folder("output");
    EXPECT_NE(message_of<InputError>([&] {
                  check_writable(folder / "missing/x.csv");
              }).find("there is no folder"),
              std::string::npos);
    EXPECT_NE(message_of<InputError>([&] { check_writable(folder / ""); }).find("is a folder"),
              std::string::npos);
    EXPECT_THROW(check_writable(""), InputError);
    EXPECT_THROW(check_writable("/dev/null", true), InputError);
    EXPECT_NO_THROW(check_writable(folder / "fine.csv"));
    EXPECT_TRUE(folder.is_empty());
    test::write_text(folder / "file", "x");
    EXPECT_NE(message_of<InputError>([&] {
                  check_writable(folder / "file/x.csv");
              }).find("is not a folder"),
              std::string::npos);
}

TEST(OutputFile, IsUnderItsNameOnlyWhenComplete) {
    const test::ScratchFolder folder("output_part");
    const std::string path = folder / "x.txt";
    test::write_text(path, "old");
    {
        OutputFile file(path);
        file.write("new");
        file.flush();
        EXPECT_EQ(test::read_text(part_path(path)), "new");
        EXPECT_EQ(test::read_text(path), "old");
        file.finish();
    }
    EXPECT_EQ(test::read_text(path), "new");
    EXPECT_FALSE(std::filesystem::exists(part_path(path)));
}

TEST(OutputFile, KeepsPartOfWhatWasNotFinishedUnlessEmpty) {
    const test::ScratchFolder folder("output_kept");
    { const OutputFile file(folder / "empty"); }
    EXPECT_TRUE(folder.is_empty());
    {
        OutputFile file(folder / "half");
        file.write("half");
    }
    EXPECT_EQ(test::read_text(folder / "half.part"), "half");
}

TEST(OutputFile, ReportsAFullDisk) {
    OutputFile file("/dev/full");
    file.write("x");
    EXPECT_THROW(file.finish(), OutputError);
}

}  // namespace
}  // namespace stiction
