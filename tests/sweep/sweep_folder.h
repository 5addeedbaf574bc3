// sweep_folder.h - a folder for the files of a test, with a small scene in it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "sweep/sweep_file.h"

namespace stiction::test {

inline constexpr const char* kSlideScene =
    "version: 1\n"
    "parameters:\n"
    "  mu: {default: 0.5, min: 0}\n"
    "  v: 1\n"
    "  boxes: {default: 1, min: 1, max: 9, integer: true}\n"
    "duration: 0.1\n"
    "step: {h: 0.01}\n"
    "contact: {model: coulomb_cone}\n"
    "materials: {default: {friction: mu}}\n"
    "bodies:\n"
    "  - {name: ground, kind: static, shape: {type: plane}}\n"
    "  - name: box_{i}\n"
    "    repeat: boxes\n"
    "    mass: 1\n"
    "    position: [3*i, 0, 0.5]\n"
    "    velocity: [v, 0, 0]\n"
    "    shape: {type: box, size: [1, 1, 1]}\n";

class SweepFolder : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("stiction_sweep_" + std::string(info->name()) + "_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        write("slide.yaml", kSlideScene);
    }
    void TearDown() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return path(name);
    }
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    // The sweep of a text after "version: 1" and its scene.
    [[nodiscard]] Sweep sweep(const std::string& rest) const {
        return read_sweep(
            write("sweep.yaml", "version: 1\nscene: slide.yaml\n" + rest),
            [](const std::string& name) -> std::string { throw InputError("no scene " + name); });
    }
    // What is wrong with it, without the folder.
    template <class Read>
    [[nodiscard]] std::string complaint(const Read& read) const {
        try {
            read();
        } catch (const InputError& error) {
            std::string text = error.what();
            const std::string folder = folder_.string() + "/";
            for (std::size_t at = 0; (at = text.find(folder)) != std::string::npos;)
                text.erase(at, folder.size());
            return text;
        }
        return "";
    }

  private:
    std::filesystem::path folder_;
};

}  // namespace stiction::test
