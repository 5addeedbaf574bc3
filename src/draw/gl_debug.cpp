// gl_debug.cpp - the callback of KHR_debug; contexts without it are asked with glGetError.
#include "draw/gl_debug.h"

#include <epoxy/gl.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <string_view>

namespace stiction {

namespace {

std::atomic<int> errors{0};  // of all contexts: OpenGL's own state is as global

void GLAPIENTRY report(GLenum /*source*/, GLenum type, GLuint id, GLenum severity, GLsizei length,
                       const GLchar* message, const void* /*user*/) {
    const std::string_view text(message, static_cast<std::size_t>(length));
    const bool is_error = type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR ||
                          type == GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR;
    if (is_error) {
        ++errors;
        spdlog::error("OpenGL {:#x}: {}", id, text);
    } else if (severity == GL_DEBUG_SEVERITY_HIGH) {
        spdlog::warn("OpenGL {:#x}: {}", id, text);
    }
}

bool has_debug_output() {
    return epoxy_gl_version() >= 43 || epoxy_has_gl_extension("GL_KHR_debug");
}

bool is_debug_context() {
    GLint flags = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    return (flags & GL_CONTEXT_FLAG_DEBUG_BIT) != 0;
}

}  // namespace

void watch_gl_errors() {
    if (!has_debug_output()) return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(report, nullptr);
}

int gl_error_count() {
    // A debug context that is watched has counted these already.
    const bool counted =
        has_debug_output() && is_debug_context() && glIsEnabled(GL_DEBUG_OUTPUT) == GL_TRUE;
    for (GLenum error = glGetError(); error != GL_NO_ERROR; error = glGetError()) {
        if (counted) continue;
        ++errors;
        spdlog::error("OpenGL error {:#x}", error);
    }
    return errors;
}

}  // namespace stiction
