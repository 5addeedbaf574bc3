// offscreen.cpp - EGL on Mesa's surfaceless platform, which needs no display; other drivers through
// their default display.
#include "draw/offscreen.h"

#include <dlfcn.h>
#include <epoxy/egl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "draw/gl_handles.h"

namespace stiction {

namespace {

[[noreturn]] void missing(const std::string& what) {
    throw std::runtime_error("cannot draw without a display: " + what +
                             " (Debian packages libegl1 and libgl1-mesa-dri)");
}

bool has_client_extension(const char* name) {
    const char* list = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    return list != nullptr && std::strstr(list, name) != nullptr;
}

EGLDisplay open_display() {
    // epoxy ends the program when the library itself is missing.
    if (dlopen("libEGL.so.1", RTLD_LAZY) == nullptr) missing("libEGL.so.1 is not installed");
    EGLDisplay display = EGL_NO_DISPLAY;
    if (has_client_extension("EGL_EXT_platform_base") &&
        has_client_extension("EGL_MESA_platform_surfaceless")) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) == EGL_TRUE) {
            return display;
        }
    }
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) {
        missing("EGL has neither a surfaceless platform nor a default display");
    }
    return display;
}

EGLContext make_context(EGLDisplay display, bool debug) {
    if (!epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context")) {
        missing("EGL lacks EGL_KHR_surfaceless_context");
    }
    if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) missing("EGL has no OpenGL");
    const bool any_config = epoxy_has_egl_extension(display, "EGL_KHR_no_config_context");
    EGLConfig config = nullptr;  // EGL_NO_CONFIG_KHR: framebuffer objects bring their own formats
    if (!any_config) {
        const std::array<EGLint, 3> wanted{EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
        EGLint count = 0;
        if (eglChooseConfig(display, wanted.data(), &config, 1, &count) == EGL_FALSE ||
            count == 0) {
            missing("EGL has no configuration for OpenGL");
        }
    }
    const std::array<EGLint, 9> attributes{EGL_CONTEXT_MAJOR_VERSION_KHR,
                                           3,
                                           EGL_CONTEXT_MINOR_VERSION_KHR,
                                           3,
                                           EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                                           EGL_CONTEXT_FLAGS_KHR,
                                           debug ? EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR : 0,
                                           EGL_NONE};
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
    if (context == EGL_NO_CONTEXT) missing("the driver has no OpenGL 3.3 core");
    return context;
}

GlRenderbuffer make_renderbuffer(GLenum format, int width, int height, int samples) {
    GlRenderbuffer buffer = GlRenderbuffer::make();
    glBindRenderbuffer(GL_RENDERBUFFER, buffer.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples > 1 ? samples : 0, format, width,
                                     height);
    return buffer;
}

void attach(GLenum attachment, const GlRenderbuffer& buffer) {
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer.id());
}

void check_complete() {
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status == GL_FRAMEBUFFER_COMPLETE) return;
    throw std::runtime_error("OpenGL refuses a framebuffer (status " + std::to_string(status) +
                             ")");
}

}  // namespace

struct OffscreenContext::Impl {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
};

OffscreenContext::OffscreenContext(bool debug) : impl_(std::make_unique<Impl>()) {
    impl_->display = open_display();
    impl_->context = make_context(impl_->display, debug);
    if (eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, impl_->context) ==
        EGL_FALSE) {
        eglDestroyContext(impl_->display, impl_->context);
        missing("EGL refuses to make its context current");
    }
}

// The display stays open: it belongs to the process, and another context may use it.
OffscreenContext::~OffscreenContext() {
    eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(impl_->display, impl_->context);
}

struct FrameBuffer::Impl {
    int width = 0, height = 0, samples = 1;
    bool resolved = false;  // since it was last read
    GlRenderbuffer colour, depth;
    GlFramebuffer drawn;
    GlRenderbuffer plain_colour;
    GlFramebuffer plain;  // only of a multisampled one
};

FrameBuffer::FrameBuffer(int width, int height, int samples) : impl_(std::make_unique<Impl>()) {
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    Impl& m = *impl_;
    m.width = std::max(width, 1);
    m.height = std::max(height, 1);
    m.samples = std::clamp(samples, 1, std::max(most, 1));
    m.colour = make_renderbuffer(GL_RGBA8, m.width, m.height, m.samples);
    m.depth = make_renderbuffer(GL_DEPTH_COMPONENT24, m.width, m.height, m.samples);
    m.drawn = GlFramebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, m.drawn.id());
    attach(GL_COLOR_ATTACHMENT0, m.colour);
    attach(GL_DEPTH_ATTACHMENT, m.depth);
    check_complete();
    if (m.samples > 1) {
        m.plain_colour = make_renderbuffer(GL_RGBA8, m.width, m.height, 1);
        m.plain = GlFramebuffer::make();
        glBindFramebuffer(GL_FRAMEBUFFER, m.plain.id());
        attach(GL_COLOR_ATTACHMENT0, m.plain_colour);
        check_complete();
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

FrameBuffer::~FrameBuffer() = default;

unsigned FrameBuffer::id() const { return impl_->drawn.id(); }

unsigned FrameBuffer::resolved() const {
    return impl_->samples > 1 ? impl_->plain.id() : impl_->drawn.id();
}

int FrameBuffer::width() const { return impl_->width; }

int FrameBuffer::height() const { return impl_->height; }

void FrameBuffer::resolve() {
    impl_->resolved = true;
    if (impl_->samples == 1) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, impl_->drawn.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, impl_->plain.id());
    glBlitFramebuffer(0, 0, impl_->width, impl_->height, 0, 0, impl_->width, impl_->height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, impl_->plain.id());
}

void FrameBuffer::bind_resolved() {
    glBindFramebuffer(GL_FRAMEBUFFER, resolved());
    glViewport(0, 0, impl_->width, impl_->height);
}

void FrameBuffer::show(int x, int y) const {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, impl_->width, impl_->height, x, y, x + impl_->width, y + impl_->height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

bool is_software_renderer() {
    const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string name = text == nullptr ? "" : text;
    return name.find("llvmpipe") != std::string::npos || name.find("softpipe") != std::string::npos;
}

void FrameBuffer::read(Image& image) {
    if (!impl_->resolved) resolve();
    impl_->resolved = false;
    read_pixels(resolved(), impl_->width, impl_->height, image);
}

void bind_window(int width, int height) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
}

void clear_window(int width, int height) {
    bind_window(width, height);
    glClearColor(0.12F, 0.13F, 0.15F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

void read_pixels(unsigned framebuffer, int width, int height, Image& image) {
    const std::size_t row = 3 * static_cast<std::size_t>(width);
    image.width = width;
    image.height = height;
    image.rgb.resize(row * static_cast<std::size_t>(height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
    // OpenGL counts rows from the bottom.
    for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom) {
        std::uint8_t* a = image.rgb.data() + row * static_cast<std::size_t>(top);
        std::uint8_t* b = image.rgb.data() + row * static_cast<std::size_t>(bottom);
        std::swap_ranges(a, a + row, b);
    }
}

}  // namespace stiction
