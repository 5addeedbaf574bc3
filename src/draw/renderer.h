// renderer.h - draws a Picture with OpenGL 3.3: bodies instanced mesh by mesh with soft light and
// shadows, then marks that shine through. Needs a current context (a window's or an offscreen one)
// all its life.
#pragma once

#include <memory>
#include <vector>

#include "draw/picture.h"

namespace stiction {

struct DrawCounts {  // of the last picture
    int calls = 0;   // draw calls, those of the shadow map included
    int instances = 0;
    int triangles = 0;
};

class Renderer {
  public:
    Renderer();  // throws std::runtime_error with the shader compiler's words
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    void set_meshes(const std::vector<Mesh>& meshes);

    // Into the framebuffer object `framebuffer` (0: the window's own) of width x height pixels,
    // all of which it fills. Leaves the GL state such that Dear ImGui can draw after it.
    void draw(const Picture& picture, int width, int height, unsigned framebuffer = 0);

    [[nodiscard]] const DrawCounts& counts() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
