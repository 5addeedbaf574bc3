// temporary_folder.h - files written for one test and removed after it; messages without the
// folder.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"

namespace stiction {

class TemporaryFolder {
  public:
    TemporaryFolder() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("stiction_" + std::to_string(getpid()) + "_" + info->name());
        std::filesystem::create_directories(folder_);
    }
    ~TemporaryFolder() { std::filesystem::remove_all(folder_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }
    std::string write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
        return path(name);
    }

    // The message of the InputError that `call` throws, without the folder; empty when it throws
    // none.
    template <class Call>
    [[nodiscard]] std::string error_of(const Call& call) const {
        try {
            call();
            return "";
        } catch (const InputError& error) {
            std::string text = error.what();
            const std::string prefix = folder_.string() + "/";
            for (std::size_t at = text.find(prefix); at != std::string::npos;
                 at = text.find(prefix)) {
                text.erase(at, prefix.size());
            }
            return text;
        }
    }

  private:
    std::filesystem::path folder_;
};

}  // namespace stiction
