// offscreen.h - OpenGL without a display (EGL surfaceless), and a framebuffer to draw into and read
// back.
#pragma once

#include <memory>

#include "draw/image.h"

namespace stiction {

// Makes a context current on this thread for as long as it lives. Throws std::runtime_error that
// says what is missing. `debug` asks for a context that reports errors (see gl_debug.h).
class OffscreenContext {
  public:
    explicit OffscreenContext(bool debug = false);
    ~OffscreenContext();
    OffscreenContext(const OffscreenContext&) = delete;
    OffscreenContext& operator=(const OffscreenContext&) = delete;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Colour and depth of one size; `samples` > 1: multisampled, resolved when it is read.
class FrameBuffer {
  public:
    FrameBuffer(int width, int height, int samples = 1);
    ~FrameBuffer();
    FrameBuffer(const FrameBuffer&) = delete;
    FrameBuffer& operator=(const FrameBuffer&) = delete;

    [[nodiscard]] unsigned id() const;        // to draw into
    void resolve();                           // multisampled -> plain; later drawing (panels) goes
    [[nodiscard]] unsigned resolved() const;  // into this one
    [[nodiscard]] int width() const;
    [[nodiscard]] int height() const;
    void bind_resolved();  // drawing goes into it
    // Copies it into the window's own framebuffer, its lower left corner at (x, y).
    void show(int x, int y) const;
    void read(Image& image);  // of the resolved one; resolves unless that was done since the last

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Whether the current context draws on the processor: worth drawing less.
[[nodiscard]] bool is_software_renderer();

// Drawing goes into the window's own framebuffer.
void bind_window(int width, int height);

// Fills the window with the colour of its panels.
void clear_window(int width, int height);

// Of framebuffer `framebuffer` (0: the window's own).
void read_pixels(unsigned framebuffer, int width, int height, Image& image);

}  // namespace stiction
