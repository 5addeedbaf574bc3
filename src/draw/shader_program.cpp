// shader_program.cpp - compiles and links; every shader is preceded by frame.glsl, fragment shaders
// by light.glsl too.
#include "draw/shader_program.h"

#include <stdexcept>
#include <vector>

namespace stiction {

namespace {

GlShader compile(GLenum kind, std::string_view name) {
    std::vector<std::string_view> parts{shader_source("frame.glsl")};
    if (kind == GL_FRAGMENT_SHADER) parts.push_back(shader_source("light.glsl"));
    parts.push_back(shader_source(name));
    std::vector<const GLchar*> texts;
    std::vector<GLint> lengths;
    for (const std::string_view part : parts) {
        texts.push_back(part.data());
        lengths.push_back(static_cast<GLint>(part.size()));
    }
    GlShader shader(glCreateShader(kind));
    glShaderSource(shader.id(), static_cast<GLsizei>(parts.size()), texts.data(), lengths.data());
    glCompileShader(shader.id());
    GLint ok = GL_FALSE;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) return shader;
    GLint length = 0;
    glGetShaderiv(shader.id(), GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length) + 1, '\0');
    glGetShaderInfoLog(shader.id(), length, nullptr, log.data());
    throw std::runtime_error("shader '" + std::string(name) + "' does not compile: " + log.c_str());
}

}  // namespace

ShaderProgram::ShaderProgram(std::string_view vertex, std::string_view fragment)
    : handle_(GlProgramHandle::make()) {
    const GlShader vertex_shader = compile(GL_VERTEX_SHADER, vertex);
    const GlShader fragment_shader = compile(GL_FRAGMENT_SHADER, fragment);
    glAttachShader(handle_.id(), vertex_shader.id());
    glAttachShader(handle_.id(), fragment_shader.id());
    glLinkProgram(handle_.id());
    glDetachShader(handle_.id(), vertex_shader.id());
    glDetachShader(handle_.id(), fragment_shader.id());
    GLint ok = GL_FALSE;
    glGetProgramiv(handle_.id(), GL_LINK_STATUS, &ok);
    if (ok != GL_TRUE) {
        GLint length = 0;
        glGetProgramiv(handle_.id(), GL_INFO_LOG_LENGTH, &length);
        std::string log(static_cast<std::size_t>(length) + 1, '\0');
        glGetProgramInfoLog(handle_.id(), length, nullptr, log.data());
        throw std::runtime_error("shaders '" + std::string(vertex) + "' and '" +
                                 std::string(fragment) + "' do not link: " + log.c_str());
    }
    const GLuint block = glGetUniformBlockIndex(handle_.id(), "Frame");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(handle_.id(), block, kFrameBinding);
}

GLint ShaderProgram::location(const char* name) const {
    return glGetUniformLocation(handle_.id(), name);
}

void ShaderProgram::set(const char* name, float value) const { glUniform1f(location(name), value); }

void ShaderProgram::set(const char* name, int value) const { glUniform1i(location(name), value); }

void ShaderProgram::set(const char* name, float x, float y, float z, float w) const {
    glUniform4f(location(name), x, y, z, w);
}

void ShaderProgram::set_rows(const char* name, const float* columns_3x4) const {
    glUniformMatrix4x3fv(location(name), 1, GL_FALSE, columns_3x4);
}

}  // namespace stiction
