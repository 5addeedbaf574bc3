// shader_program.h - a linked OpenGL program made from the shaders that are built into the library.
#pragma once

#include <string>
#include <string_view>

#include "draw/gl_handles.h"

namespace stiction {

// Text of shaders/NAME, put into the library when it is built. Throws std::logic_error for a name
// that is not there.
[[nodiscard]] std::string_view shader_source(std::string_view name);

// Block `Frame` of the shaders: the one uniform buffer that all programs read.
inline constexpr GLuint kFrameBinding = 0;

class ShaderProgram {
  public:
    // Names of files in shaders/. Throws std::runtime_error with the compiler's words.
    ShaderProgram(std::string_view vertex, std::string_view fragment);

    void use() const { glUseProgram(handle_.id()); }
    void set(const char* name, float value) const;  // of the program in use, as below
    void set(const char* name, int value) const;
    void set(const char* name, float x, float y, float z, float w) const;
    void set_rows(const char* name, const float* columns_3x4) const;  // a 3x4 matrix, by columns

  private:
    [[nodiscard]] GLint location(const char* name) const;

    GlProgramHandle handle_;
};

}  // namespace stiction
