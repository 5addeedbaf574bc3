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

TEST(OutputFile, DiscardLeavesNothing) {
    const test::ScratchFolder folder("output_discarded");
    OutputFile file(folder / "x");
    file.write("half");
    file.discard();
    EXPECT_TRUE(folder.is_empty());
}

// Neither a symbolic nor a hard link that lies where NAME.part goes leads the output elsewhere.
TEST(OutputFile, DoesNotFollowWhatWasPlantedUnderItsPartName) {
    for (const bool symbolic : {true, false}) {
        const test::ScratchFolder folder("output_planted");
        test::write_text(folder / "victim", "precious");
        if (symbolic) {
            std::filesystem::create_symlink(folder / "victim", folder / "x.part");
        } else {
            std::filesystem::create_hard_link(folder / "victim", folder / "x.part");
        }
        write_file(folder / "x", "new");
        EXPECT_EQ(test::read_text(folder / "victim"), "precious");
        EXPECT_EQ(test::read_text(folder / "x"), "new");
        EXPECT_FALSE(std::filesystem::is_symlink(folder / "x"));
    }
}

TEST(OutputFile, NeverReplacesWhatScenesAreMadeOf) {
    const test::ScratchFolder folder("output_sources");
    for (const std::string name : {"a.yaml", "a.URDF", "a.stl"}) {
        EXPECT_NO_THROW(check_writable(folder / name));
        test::write_text(folder / name, "x");
        EXPECT_NE(message_of<InputError>([&] {
                      check_writable(folder / name);
                  }).find("no output replaces"),
                  std::string::npos);
    }
}

TEST(OutputFile, FilesThatAreOneAreToldByNameLinkAndPart) {
    const test::ScratchFolder folder("output_same");
    test::write_text(folder / "in", "x");
    std::filesystem::create_symlink(folder / "in", folder / "soft");
    std::filesystem::create_hard_link(folder / "in", folder / "hard");
    std::filesystem::create_directory_symlink(folder / "", folder / "loop");
    const auto refused = [&](const std::vector<std::string>& outputs,
                             const std::vector<std::string>& inputs) {
        return message_of<InputError>([&] { check_distinct(outputs, inputs); });
    };
    for (const char* name : {"in", "soft", "hard", "loop/in", "./loop/loop/in"}) {
        EXPECT_NE(refused({folder / name}, {folder / "in"}).find("this command reads"),
                  std::string::npos)
            << name;
        EXPECT_NE(refused({folder / "in", folder / name}, {}).find("the same name"),
                  std::string::npos)
            << name;
    }
    EXPECT_NE(refused({folder / "new", folder / "loop/new"}, {}).find("the same name"),
              std::string::npos);
    EXPECT_NE(refused({folder / "a", folder / "a.part"}, {}).find("the same name"),
              std::string::npos);
    EXPECT_NE(refused({folder / "a"}, {folder / "a.part"}).find("this command reads"),
              std::string::npos);
    EXPECT_NO_THROW(check_distinct({folder / "a", folder / "b", "", "", "-", "/dev/null"},
                                   {folder / "in", "/dev/null"}));
    EXPECT_NO_THROW(check_distinct({"/dev/null", "/dev/null"}));
}

TEST(OutputFile, ReportsAFullDisk) {
    OutputFile file("/dev/full");
    file.write("x");
    EXPECT_THROW(file.finish(), OutputError);
}

}  // namespace
}  // namespace stiction
