// preferences_test.cpp - what the window remembers, and what it makes of a damaged file.
#include "view/preferences.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "view/ui.h"

namespace stiction {
namespace {

class PreferencesTest : public ::testing::Test {
  protected:
    void SetUp() override {
        root_ = std::filesystem::temp_directory_path() /
                ("stiction_preferences_" + std::to_string(getpid()));
        setenv("XDG_CONFIG_HOME", root_.c_str(), 1);
    }
    void TearDown() override { std::filesystem::remove_all(root_); }

    void write(const std::string& text) const {
        std::filesystem::create_directories(root_ / "stiction");
        std::ofstream(root_ / "stiction" / "window.json") << text;
    }

    std::filesystem::path root_;
};

void expect_defaults(const Preferences& p) {
    const Preferences defaults;
    EXPECT_EQ(p.scale, defaults.scale);
    EXPECT_EQ(p.layout.left, defaults.layout.left);
    EXPECT_EQ(p.layout.overlay, defaults.layout.overlay);
    EXPECT_EQ(p.draw.forces, defaults.draw.forces);
    EXPECT_EQ(p.draw.cones, defaults.draw.cones);
}

TEST_F(PreferencesTest, ComeBackAsTheyWere) {
    Preferences kept;
    kept.scale = 1.25F;
    kept.layout.left = false;
    kept.layout.overlay = false;
    kept.layout.help = true;  // not kept
    kept.draw.forces = false;
    kept.draw.cones = true;
    kept.draw.shadows = false;
    save_preferences(kept);
    const Preferences read = load_preferences();
    EXPECT_EQ(read.scale, 1.25F);
    EXPECT_FALSE(read.layout.left);
    EXPECT_TRUE(read.layout.right);
    EXPECT_FALSE(read.layout.overlay);
    EXPECT_FALSE(read.layout.help);
    EXPECT_FALSE(read.draw.forces);
    EXPECT_TRUE(read.draw.cones);
    EXPECT_FALSE(read.draw.shadows);
    EXPECT_TRUE(read.draw.contacts);
}

TEST_F(PreferencesTest, DefaultsWhereTheFileIsMissingOrDamaged) {
    expect_defaults(load_preferences());
    for (const char* text : {"", "{", "[1, 2]", "null", "\"text\"", "{\"scale\": }", "\xFF\xFE"}) {
        SCOPED_TRACE(text);
        write(text);
        expect_defaults(load_preferences());
    }
}

TEST_F(PreferencesTest, WhatMakesNoSenseIsLeftOutTheRestIsTaken) {
    write(R"({"scale": "large", "left_panel": 0, "cones": true, "forces": null, "other": 3})");
    const Preferences read = load_preferences();
    EXPECT_EQ(read.scale, 1);
    EXPECT_TRUE(read.layout.left);
    EXPECT_TRUE(read.draw.cones);
    EXPECT_TRUE(read.draw.forces);
    write(R"({"scale": 1e9})");
    EXPECT_EQ(load_preferences().scale, kLargestScale);
    write(R"({"scale": -3})");
    EXPECT_EQ(load_preferences().scale, kSmallestScale);
}

TEST_F(PreferencesTest, FoldersFollowTheEnvironment) {
    EXPECT_EQ(config_folder(), (root_ / "stiction").string());
    setenv("XDG_CONFIG_HOME", "relative", 1);  // the standard says: to be ignored
    setenv("HOME", "/home/someone", 1);
    EXPECT_EQ(config_folder(), "/home/someone/.config/stiction");
    unsetenv("XDG_DATA_HOME");
    EXPECT_EQ(data_folder(), "/home/someone/.local/share/stiction");
    unsetenv("HOME");
    EXPECT_EQ(config_folder(), "");
    EXPECT_FALSE(data_folder().empty());
}

}  // namespace
}  // namespace stiction
