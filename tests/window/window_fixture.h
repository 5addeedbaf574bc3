// window_fixture.h - one X server for all tests of the window, and a folder of its own for each.
#pragma once

#include <set>
#include <sstream>

#include "window/window_program.h"

namespace stiction::test {

class ServerForAll : public ::testing::Environment {
  public:
    void SetUp() override { display_ = std::make_unique<Display>(); }
    void TearDown() override { display_.reset(); }
    [[nodiscard]] const Display& display() const { return *display_; }

  private:
    std::unique_ptr<Display> display_;
};

// gtest owns it.
inline auto* const server =
    static_cast<ServerForAll*>(::testing::AddGlobalTestEnvironment(new ServerForAll));

inline const std::filesystem::path kScenes = std::filesystem::absolute("scenes");

class WindowTest : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = info->name();
        std::replace(name.begin(), name.end(), '/', '_');
        root_ = std::filesystem::temp_directory_path() /
                ("stiction_window_" + name + "_" + std::to_string(getpid()));
        std::filesystem::create_directories(root_ / "work");
    }
    void TearDown() override {
        // Recordings go to the folder that was named, preferences to the user's.
        EXPECT_EQ(files_in("work"), allowed_) << "files in the working directory";
        EXPECT_EQ(files_in("data"), std::set<std::string>{});
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }

    [[nodiscard]] const Display& display() const { return server->display(); }
    [[nodiscard]] std::unique_ptr<WindowProgram> start(std::vector<std::string> arguments) const {
        return std::make_unique<WindowProgram>(display(), root_, std::move(arguments));
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return root_; }
    [[nodiscard]] std::filesystem::path work() const { return root_ / "work"; }
    [[nodiscard]] std::filesystem::path out() const { return root_ / "out"; }

    void write(const std::string& name, const std::string& text) {
        std::ofstream(work() / name, std::ios::binary) << text;
        allowed_.insert(name);
    }

    [[nodiscard]] std::set<std::string> files_in(const std::string& folder) const {
        std::set<std::string> names;
        if (!std::filesystem::exists(root_ / folder)) return names;
        for (const auto& entry : std::filesystem::directory_iterator(root_ / folder))
            names.insert(entry.path().filename().string());
        return names;
    }

    [[nodiscard]] std::vector<unsigned char> screenshot() const {
        return display().screenshot((root_ / "screen.rgb").string());
    }

    // What a command prints.
    std::string output_of(const std::string& command) const {
        const std::string file = (root_ / "printed").string();
        if (std::system((command + " >" + file + " 2>&1").c_str()) != 0)
            ADD_FAILURE() << command << ": " << text_of(file);
        return text_of(file);
    }

    struct Video {
        int width = 0, height = 0, frames = 0;
    };
    // Decodes all of it.
    [[nodiscard]] Video probe(const std::filesystem::path& path) const {
        std::istringstream text(
            output_of("ffprobe -v error -count_frames -select_streams v:0 -show_entries "
                      "stream=width,height,nb_read_frames -of csv=p=0 '" +
                      path.string() + "'"));
        Video video;
        char comma = 0;
        text >> video.width >> comma >> video.height >> comma >> video.frames;
        return video;
    }

    std::set<std::string> allowed_;  // in the working directory

  private:
    std::filesystem::path root_;
};

inline std::string shipped(const std::string& name) {
    return (kScenes / (name + ".yaml")).string();
}

}  // namespace stiction::test
