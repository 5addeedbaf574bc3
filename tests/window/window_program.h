// window_program.h - the program with its window open: works it with mouse and keys, and reads from
// its state log what it shows. Nothing waits for a fixed time; what is expected has to show up.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "window/display.h"

namespace stiction::test {

// The address sanitizer reports what the OpenGL driver keeps to the end.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kDriversMayLeak = true;
#else
inline constexpr bool kDriversMayLeak = false;
#endif

using Json = nlohmann::json;

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class WindowProgram {
  public:
    using Condition = std::function<bool(const Json&)>;

    static constexpr int kWidth = 1000, kHeight = 700;  // of the window

    // `root` is a folder of its own for the whole test; several programs may share it.
    WindowProgram(const Display& display, std::filesystem::path root,
                  std::vector<std::string> arguments)
        : display_(display), root_(std::move(root)), log_(root_ / "state.jsonl") {
        for (const char* name : {"work", "config", "data", "out"})
            std::filesystem::create_directories(root_ / name);
        std::filesystem::remove(log_);
        std::vector<std::string> words = {STICTION_PROGRAM};
        words.insert(words.end(), arguments.begin(), arguments.end());
        if (std::find(words.begin(), words.end(), "--size") == words.end()) {
            words.emplace_back("--size");
            words.push_back(std::to_string(kWidth) + "x" + std::to_string(kHeight));
        }
        for (const std::string& word :
             {std::string("--debug-gl"), std::string("--state-log"), log_.string(),
              std::string("--output-folder"), (root_ / "out").string()})
            words.push_back(word);
        pid_ = start_process(words, [this] { become_program(); });
        wait("the first frame", [](const Json&) { return true; });
    }
    ~WindowProgram() {
        if (pid_ == 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    WindowProgram(const WindowProgram&) = delete;
    WindowProgram& operator=(const WindowProgram&) = delete;

    [[nodiscard]] std::filesystem::path work() const { return root_ / "work"; }
    [[nodiscard]] std::filesystem::path out() const { return root_ / "out"; }

    // The last whole line of the log.
    [[nodiscard]] std::optional<Json> last() const {
        std::ifstream file(log_, std::ios::binary | std::ios::ate);
        if (!file) return std::nullopt;
        const auto size = static_cast<std::streamoff>(file.tellg());
        for (std::streamoff back = 1 << 14; size > 0; back *= 4) {
            file.seekg(std::max<std::streamoff>(0, size - back));
            std::string text(static_cast<std::size_t>(std::min(size, back)), '\0');
            file.read(text.data(), static_cast<std::streamsize>(text.size()));
            const std::size_t end = text.rfind('\n');
            if (end == std::string::npos) {
                if (back >= size) return std::nullopt;
                continue;
            }
            const std::size_t start = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
            if (start == std::string::npos && back < size) continue;
            const std::size_t from = start == std::string::npos ? 0 : start + 1;
            return Json::parse(text.substr(from, end - from));
        }
        return std::nullopt;
    }

    // The first state seen for which the condition holds.
    Json wait(const std::string& what, const Condition& condition) {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        std::optional<Json> state;
        while (std::chrono::steady_clock::now() < deadline) {
            state = last();
            if (state && condition(*state)) return *state;
            int status = 0;
            if (waitpid(pid_, &status, WNOHANG) == pid_) {
                pid_ = 0;
                throw std::runtime_error("waiting for " + what +
                                         ", but the program has ended: " + text_of(root_ / "err"));
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        throw std::runtime_error("waited in vain for " + what + ": " +
                                 (state ? state->dump() : "") + text_of(root_ / "err"));
    }

    template <class Value>
    Json wait_for(const std::string& key, const Value& value) {
        return wait(key + " = " + Json(value).dump(),
                    [&](const Json& state) { return state.at(key) == value; });
    }

    // Until what was done so far has been handled and is on the screen. The first new line of the
    // log may be of a frame that began before; the third is surely of a later one.
    Json settle() {
        std::int64_t frame = last()->at("frame");
        int lines = 0;
        return wait("frames", [&](const Json& state) {
            if (state.at("frame") != frame) ++lines;
            frame = state.at("frame");
            return lines >= 3;
        });
    }

    // Until no frame is drawn any more.
    void wait_for_stillness() {
        constexpr auto kStill = std::chrono::seconds(2);
        auto since = std::chrono::steady_clock::now();
        Json frame;
        wait("stillness", [&](const Json& state) {
            const auto now = std::chrono::steady_clock::now();
            if (state.at("frame") != frame) since = now;
            frame = state.at("frame");
            return now - since > kStill;
        });
    }

    // The middle of a widget that has come to rest.
    std::pair<int, int> place(const std::string& widget) {
        std::optional<Json> before;
        Json rectangle;
        wait("widget '" + widget + "'", [&](const Json& state) {
            const Json& widgets = state.at("widgets");
            if (!widgets.contains(widget)) return false;
            rectangle = widgets.at(widget);
            const bool rests = before && before->at("frame") != state.at("frame") &&
                               before->at("widgets").value(widget, Json()) == rectangle;
            if (!before || before->at("frame") != state.at("frame")) before = state;
            return rests;
        });
        return {static_cast<int>(rectangle[0].get<double>() + rectangle[2].get<double>()) / 2,
                static_cast<int>(rectangle[1].get<double>() + rectangle[3].get<double>()) / 2};
    }

    void move_to(int x, int y) {
        display_.tool("mousemove " + std::to_string(x) + " " + std::to_string(y));
        settle();
    }
    void press_button() {
        display_.tool("mousedown 1");
        settle();
    }
    void release_button() {
        display_.tool("mouseup 1");
        settle();
    }
    void click(int x, int y) {
        move_to(x, y);
        press_button();
        release_button();
    }
    void click(const std::string& widget) {
        const auto [x, y] = place(widget);
        click(x, y);
    }

    // As xdotool names them: "space", "ctrl+o". Held long enough for every frame to see it.
    // Pressed again within 20 ms of its release a key counts as held all the time (GLFW takes that for the
    // server's repetition).
    void key(const std::string& key) {
        constexpr std::chrono::milliseconds kApart{40};
        if (key == last_key_) std::this_thread::sleep_until(released_ + kApart);
        display_.tool("keydown " + key);
        settle();
        display_.tool("keyup " + key);
        last_key_ = key;
        released_ = std::chrono::steady_clock::now();
    }
    // Several presses in a row, however slow the frames are.
    void keys(const std::string& names) { display_.tool("key --delay 1 " + names); }
    void type(const std::string& text) { display_.tool("type --delay 1 '" + text + "'"); }

    // A step count that has come to rest.
    std::int64_t resting_step() {
        wait_for("playing", false);
        return settle().at("step");
    }

    void send(int signal) const { kill(pid_, signal); }
    void terminate() const { send(SIGTERM); }

    // What waitpid says.
    int wait_for_end() {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        int status = 0;
        while (std::chrono::steady_clock::now() < deadline) {
            if (waitpid(pid_, &status, WNOHANG) == pid_) {
                pid_ = 0;
                return status;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        throw std::runtime_error("the program does not end");
    }

    // Waits for the end after Ctrl+Q or the like, and looks at what every window must keep to.
    void expect_clean_end() {
        const int status = wait_for_end();
        EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
        EXPECT_EQ(WEXITSTATUS(status), 0);
        const std::string errors = text_of(root_ / "err");
        if (kDriversMayLeak) {  // frames of ours must not
            EXPECT_EQ(errors.find("stiction"), std::string::npos) << errors;
            EXPECT_EQ(errors.find("ERROR: AddressSanitizer"), std::string::npos) << errors;
        } else {
            EXPECT_EQ(errors, "");
        }
        std::ifstream log(log_);
        std::string line;
        while (std::getline(log, line))
            ASSERT_EQ(Json::parse(line).at("gl_errors"), 0) << "OpenGL reported errors";
    }
    void quit() {
        keys("ctrl+q");
        expect_clean_end();
    }

  private:
    static constexpr auto kPatience = std::chrono::seconds(60);

    void become_program() const {
        setenv("DISPLAY", display_.name().c_str(), 1);
        unsetenv("WAYLAND_DISPLAY");
        if (kDriversMayLeak) setenv("LSAN_OPTIONS", "exitcode=0", 1);
        setenv("XDG_CONFIG_HOME", (root_ / "config").c_str(), 1);
        setenv("XDG_DATA_HOME", (root_ / "data").c_str(), 1);
        const bool fine = chdir(work().c_str()) == 0 &&
                          std::freopen("/dev/null", "r", stdin) != nullptr &&
                          std::freopen((root_ / "stdout").c_str(), "w", stdout) != nullptr &&
                          std::freopen((root_ / "err").c_str(), "w", stderr) != nullptr;
        if (!fine) _exit(126);
    }

    const Display& display_;
    std::filesystem::path root_;
    std::filesystem::path log_;
    pid_t pid_ = 0;
    std::string last_key_;
    std::chrono::steady_clock::time_point released_;
};

}  // namespace stiction::test
