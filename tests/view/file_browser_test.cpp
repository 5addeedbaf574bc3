// file_browser_test.cpp - what the list of files shows.
#include "view/file_browser.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace stiction {
namespace {

TEST(FileBrowser, ListsFoldersAndScenesAndLeadsUp) {
    const std::filesystem::path root =
        std::filesystem::temp_directory_path() / ("stiction_files_" + std::to_string(getpid()));
    std::filesystem::create_directories(root / "robots");
    std::filesystem::create_directories(root / ".hidden");
    for (const char* name : {"b.yaml", "a.yml", "notes.txt", ".c.yaml"}) std::ofstream(root / name);
    FileBrowser files;
    files.go_to(root.string());
    std::vector<std::string> names;
    for (const FolderEntry& entry : files.entries) names.push_back(entry.name);
    EXPECT_EQ(names, (std::vector<std::string>{"..", "robots", "a.yml", "b.yaml"}));
    EXPECT_TRUE(files.entries[1].folder);
    EXPECT_FALSE(files.entries[2].folder);
    files.go_to(files.entries[1].path);
    ASSERT_EQ(files.entries.size(), 1U);
    files.go_to(files.entries[0].path);
    EXPECT_EQ(files.entries.size(), 4U);
    files.go_to((root / "nowhere").string());
    EXPECT_LE(files.entries.size(), 1U);
    EXPECT_FALSE(list_folder("/").empty());
    EXPECT_NE(list_folder("/").front().name, "..");
    std::filesystem::remove_all(root);
}

TEST(FileBrowser, RemembersTheLastFilesOnceEach) {
    std::vector<std::string> recent;
    for (int i = 0; i < 15; ++i) remember_file("scene" + std::to_string(i), recent);
    EXPECT_EQ(recent.size(), kMostRecent);
    EXPECT_EQ(recent.front(), "scene14");
    remember_file("scene10", recent);
    EXPECT_EQ(recent.size(), kMostRecent);
    EXPECT_EQ(recent[0], "scene10");
    EXPECT_EQ(recent[1], "scene14");
    remember_file("", recent);
    EXPECT_EQ(recent[0], "scene10");
}

TEST(FileBrowser, SearchWantsAllWordsInAnyCase) {
    EXPECT_TRUE(matches("front_left_KNEE", ""));
    EXPECT_TRUE(matches("front_left_KNEE", "knee left"));
    EXPECT_FALSE(matches("front_left_KNEE", "knee right"));
}

}  // namespace
}  // namespace stiction
