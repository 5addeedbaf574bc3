// program.h - runs the program in a folder of its own and gives back what it wrote and how it
// ended.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace stiction::test {

struct Outcome {
    int status = 0;  // exit status
    std::string out;
    std::string err;
};

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::size_t count_lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class ProgramTest : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        root_ = std::filesystem::temp_directory_path() /
                ("stiction_app_" + std::string(info->name()) + "_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder());
    }
    void TearDown() override {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }

    [[nodiscard]] std::filesystem::path folder() const { return root_ / "work"; }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder() / name, std::ios::binary) << text;
    }

    // `prefix` goes in front of the program's name, e.g. "timeout 1"; `after` behind the whole
    // command; `output` is where its standard output goes.
    [[nodiscard]] Outcome run(const std::string& arguments, const std::string& prefix = "",
                              const std::string& after = "",
                              const std::string& output = "../out") const {
        const std::string command = "cd '" + folder().string() + "'; " + prefix +
                                    " '" STICTION_PROGRAM "' " + arguments + " >" + output +
                                    " 2>../err </dev/null " + after;
        const int raw = std::system(command.c_str());
        return {WIFEXITED(raw) ? WEXITSTATUS(raw) : -1, read_text(root_ / "out"),
                read_text(root_ / "err")};
    }

    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder())) {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

  private:
    std::filesystem::path root_;
};

}  // namespace stiction::test
