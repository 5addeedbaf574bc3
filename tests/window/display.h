// display.h - an X server without a screen (Xvfb) for the windows of a test program, and a mouse
// and keyboard for it (xdotool).
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace stiction::test {

// Ends with the test program, also when that is killed.
template <class Setup>
pid_t start_process(const std::vector<std::string>& words, const Setup& setup) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setup();
    execvp(arguments[0], arguments.data());
    _exit(127);
}

class Display {
  public:
    explicit Display(const std::string& screen = "1024x768x24") {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) throw std::runtime_error("pipe failed");
        pid_ = start_process({"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", screen,
                              "-nolisten", "tcp"},
                             [] {
                                 // Its complaints about the keyboard are no news.
                                 if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
                             });
        close(ends[1]);
        std::string number;
        char letter = 0;
        while (read(ends[0], &letter, 1) == 1 && letter != '\n') number += letter;
        close(ends[0]);
        if (number.empty()) throw std::runtime_error("Xvfb does not start; is it installed?");
        name_ = ":" + number;
    }
    ~Display() {
        kill(pid_, SIGTERM);
        waitpid(pid_, nullptr, 0);
    }
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    [[nodiscard]] const std::string& name() const { return name_; }

    void tool(const std::string& arguments) const { command("xdotool " + arguments); }

    void command(const std::string& words) const {
        const std::string line = "DISPLAY=" + name_ + " " + words + " >/dev/null";
        if (std::system(line.c_str()) != 0) throw std::runtime_error("failed: " + words);
    }

    // A small copy of what is on the screen, three bytes per pixel.
    [[nodiscard]] std::vector<unsigned char> screenshot(const std::string& file) const {
        command("import -window root -resize 128x96! -depth 8 rgb:" + file);
        std::ifstream pixels(file, std::ios::binary);
        std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(pixels),
                                         std::istreambuf_iterator<char>()};
        std::remove(file.c_str());
        return bytes;
    }

  private:
    pid_t pid_ = 0;
    std::string name_;
};

}  // namespace stiction::test
