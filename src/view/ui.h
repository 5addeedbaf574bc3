// ui.h - a Dear ImGui context with the project's fonts and looks, drawn by OpenGL: in a window, or
// into a framebuffer without one. Several may live side by side in one GL context.
#pragma once

#include <memory>
#include <string>

struct GLFWwindow;

namespace stiction {

struct UiOptions {
    GLFWwindow* window = nullptr;  // null: no input, size given by begin()
    float scale = 1;               // of letters and everything, 0.5 to 3
    std::string layout_file;       // where positions of overlays are kept; empty: nowhere
};

inline constexpr float kSmallestScale = 0.5F;
inline constexpr float kLargestScale = 3;

class Ui {
  public:
    explicit Ui(const UiOptions& options);
    ~Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;

    void begin();                                  // frame of the window
    void begin(int width, int height, double dt);  // frame without one
    void end();                                    // no more widgets in this frame
    void draw();                                   // into the bound framebuffer

    [[nodiscard]] float scale() const;
    void set_scale(float scale);  // from the next frame on
    void set_light(bool light);   // the same: dark letters on a light ground
    [[nodiscard]] bool wants_mouse() const;
    [[nodiscard]] bool wants_text() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
