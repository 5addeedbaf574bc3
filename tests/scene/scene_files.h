// scene_files.h - scenes written to a folder of their own for one test, and removed after it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "scene/scene.h"

namespace stiction {

class SceneFiles {
  public:
    SceneFiles() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("stiction_" + std::to_string(getpid()) + "_" + info->name());
        std::filesystem::create_directories(folder_);
    }
    ~SceneFiles() { std::filesystem::remove_all(folder_); }
    SceneFiles(const SceneFiles&) = delete;
    SceneFiles& operator=(const SceneFiles&) = delete;

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return path(name);
    }
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    [[nodiscard]] Scene load(const std::string& text, const SceneOverrides& overrides = {}) const {
        return load_scene(write("scene.yaml", text), overrides);
    }

    // The message of the InputError that loading a file throws, without the folder; empty when it
    // loads.
    [[nodiscard]] std::string error_of_file(const std::string& name,
                                            const SceneOverrides& overrides = {}) const {
        try {
            (void)load_scene(path(name), overrides);
            return "";
        } catch (const InputError& error) {
            return without_folder(error.what());
        }
    }
    [[nodiscard]] std::string error_of(const std::string& text,
                                       const SceneOverrides& overrides = {}) const {
        write("scene.yaml", text);
        return error_of_file("scene.yaml", overrides);
    }

  private:
    [[nodiscard]] std::string without_folder(std::string text) const {
        const std::string prefix = folder_.string() + "/";
        for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
            text.erase(at, prefix.size());
        }
        return text;
    }

    std::filesystem::path folder_;
};

}  // namespace stiction
