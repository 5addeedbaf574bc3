// gl_handles.h - OpenGL objects that delete themselves, and a buffer that is refilled every
// picture.
#pragma once

#include <epoxy/gl.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace stiction {

// Move-only owner of one OpenGL name; 0 is none. The context must be current when it dies.
template <class Traits>
class GlHandle {
  public:
    GlHandle() = default;
    explicit GlHandle(GLuint id) : id_(id) {}
    ~GlHandle() {
        if (id_ != 0) Traits::remove(id_);
    }
    GlHandle(GlHandle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    GlHandle& operator=(GlHandle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }

    [[nodiscard]] static GlHandle make() {
        GlHandle handle;
        Traits::create(handle.id_);
        return handle;
    }
    [[nodiscard]] GLuint id() const { return id_; }

  private:
    GLuint id_ = 0;
};

struct BufferTraits {
    static void create(GLuint& id) { glGenBuffers(1, &id); }
    static void remove(GLuint id) { glDeleteBuffers(1, &id); }
};
struct VertexArrayTraits {
    static void create(GLuint& id) { glGenVertexArrays(1, &id); }
    static void remove(GLuint id) { glDeleteVertexArrays(1, &id); }
};
struct TextureTraits {
    static void create(GLuint& id) { glGenTextures(1, &id); }
    static void remove(GLuint id) { glDeleteTextures(1, &id); }
};
struct FramebufferTraits {
    static void create(GLuint& id) { glGenFramebuffers(1, &id); }
    static void remove(GLuint id) { glDeleteFramebuffers(1, &id); }
};
struct RenderbufferTraits {
    static void create(GLuint& id) { glGenRenderbuffers(1, &id); }
    static void remove(GLuint id) { glDeleteRenderbuffers(1, &id); }
};
struct ProgramTraits {
    static void create(GLuint& id) { id = glCreateProgram(); }
    static void remove(GLuint id) { glDeleteProgram(id); }
};
struct ShaderTraits {  // made with glCreateShader, which takes a kind
    static void remove(GLuint id) { glDeleteShader(id); }
};

using GlBuffer = GlHandle<BufferTraits>;
using GlVertexArray = GlHandle<VertexArrayTraits>;
using GlTexture = GlHandle<TextureTraits>;
using GlFramebuffer = GlHandle<FramebufferTraits>;
using GlRenderbuffer = GlHandle<RenderbufferTraits>;
using GlProgramHandle = GlHandle<ProgramTraits>;
using GlShader = GlHandle<ShaderTraits>;

// A buffer whose content is replaced once per picture. It grows and never shrinks; giving up the
// old storage first (orphaning) keeps the driver from waiting for the picture before.
class StreamBuffer {
  public:
    template <class T>
    void fill(GLenum target, const std::vector<T>& data) {
        const std::size_t bytes = data.size() * sizeof(T);
        if (bytes > capacity_) capacity_ = std::max(bytes, 2 * capacity_);
        glBindBuffer(target, buffer_.id());
        if (bytes == 0) return;
        glBufferData(target, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
        glBufferSubData(target, 0, static_cast<GLsizeiptr>(bytes), data.data());
    }
    [[nodiscard]] GLuint id() const { return buffer_.id(); }

  private:
    GlBuffer buffer_ = GlBuffer::make();
    std::size_t capacity_ = 0;
};

}  // namespace stiction
