// window.h - a GLFW window with an OpenGL 3.3 context, and what the user does in it as a list of
// events per frame.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

struct GLFWwindow;

namespace stiction {

struct KeyEvent {
    int key = 0, mods = 0;
    bool repeat = false;
};
struct ButtonEvent {
    int button = 0, mods = 0;
    bool pressed = false;
    double x = 0, y = 0;  // pixels from the top left
};
struct MoveEvent {
    double x = 0, y = 0;
};
struct ScrollEvent {
    double notches = 0;
};
struct DropEvent {
    std::vector<std::string> paths;
};
using WindowEvent = std::variant<KeyEvent, ButtonEvent, MoveEvent, ScrollEvent, DropEvent>;

struct WindowOptions {
    std::string title = "Stiction";
    int width = 0, height = 0;  // 0: as the screen allows
    bool debug = false;         // a context that reports errors
};

class Window {
  public:
    explicit Window(const WindowOptions& options);  // throws std::runtime_error: no display, no GL
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] GLFWwindow* handle() const;
    [[nodiscard]] bool closing() const;
    void close();
    void poll(double wait);  // handles events, waits for one at most so long [s]
    void swap();
    [[nodiscard]] std::vector<WindowEvent> take_events();
    [[nodiscard]] const std::vector<WindowEvent>& events() const;  // not yet taken

    // All in pixels of the framebuffer.
    [[nodiscard]] int width() const;
    [[nodiscard]] int height() const;
    [[nodiscard]] float content_scale() const;  // of a high-resolution screen
    void toggle_full_screen();
    void set_title(const std::string& title);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
