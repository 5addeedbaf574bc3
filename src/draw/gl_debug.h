// gl_debug.h - errors that OpenGL reports in a debug context, counted and logged.
#pragma once

namespace stiction {

void watch_gl_errors();              // in the current context; does nothing where it cannot
[[nodiscard]] int gl_error_count();  // since the program started, glGetError() of now included

}  // namespace stiction
