// picture_sheet.cpp - copies the pictures into one image and hands it to OpenGL.
#include "draw/picture_sheet.h"

#include <algorithm>

#include "draw/gl_handles.h"

namespace stiction {

namespace {

constexpr int kAcross = 8;  // pictures beside each other: 8 of 192 pixels fit any driver

}  // namespace

struct PictureSheet::Impl {
    GlTexture texture = GlTexture::make();
    int rows = 1;
};

PictureSheet::PictureSheet(int width, int height, const std::vector<Image>& pictures)
    : impl_(std::make_unique<Impl>()) {
    const auto count = static_cast<int>(pictures.size());
    impl_->rows = std::max((count + kAcross - 1) / kAcross, 1);
    Image sheet{kAcross * width, impl_->rows * height, {}};
    const auto stride = static_cast<std::size_t>(3 * sheet.width);
    sheet.rgb.assign(stride * static_cast<std::size_t>(sheet.height), 90);
    const auto line = static_cast<std::size_t>(3 * width);
    for (int i = 0; i < count; ++i) {
        const Image& picture = pictures[static_cast<std::size_t>(i)];
        if (picture.width != width || picture.height != height) continue;
        for (int y = 0; y < height; ++y) {
            const auto from = picture.rgb.begin() + static_cast<std::ptrdiff_t>(line) * y;
            const auto to = static_cast<std::size_t>(i / kAcross * height + y) * stride +
                            static_cast<std::size_t>(i % kAcross) * line;
            std::copy(from, from + static_cast<std::ptrdiff_t>(line),
                      sheet.rgb.begin() + static_cast<std::ptrdiff_t>(to));
        }
    }
    glBindTexture(GL_TEXTURE_2D, impl_->texture.id());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, sheet.width, sheet.height, 0, GL_RGB, GL_UNSIGNED_BYTE,
                 sheet.rgb.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
}

PictureSheet::~PictureSheet() = default;

unsigned PictureSheet::texture() const { return impl_->texture.id(); }

std::array<float, 4> PictureSheet::place(std::size_t picture) const {
    const auto column = static_cast<float>(picture % kAcross);
    const auto row = static_cast<float>(picture / kAcross);
    const auto rows = static_cast<float>(impl_->rows);
    return {column / kAcross, row / rows, (column + 1) / kAcross, (row + 1) / rows};
}

}  // namespace stiction
