// image_test.cpp - a PNG holds the pixels it was made from.
#include "draw/image.h"

#include <gtest/gtest.h>
#include <png.h>

#include "core/error.h"
#include "record/ball_on_plane.h"
#include "record/output_file.h"

namespace stiction {
namespace {

Image coloured(int width, int height) {
    Image image{width, height, {}};
    for (int i = 0; i < 3 * width * height; ++i) {
        image.rgb.push_back(static_cast<std::uint8_t>(i * 7 + i / 11));
    }
    return image;
}

Image read_png(const std::string& path) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_file(&header, path.c_str()), 0) << header.message;
    header.format = PNG_FORMAT_RGB;
    Image image{static_cast<int>(header.width), static_cast<int>(header.height), {}};
    image.rgb.resize(PNG_IMAGE_SIZE(header));
    EXPECT_NE(png_image_finish_read(&header, nullptr, image.rgb.data(), 0, nullptr), 0);
    return image;
}

TEST(Image, PngHoldsThePixels) {
    const test::ScratchFolder folder("png");
    const Image image = coloured(37, 21);
    write_png(folder / "x.png", image);
    const Image read = read_png(folder / "x.png");
    EXPECT_EQ(read.width, image.width);
    EXPECT_EQ(read.height, image.height);
    EXPECT_EQ(read.rgb, image.rgb);
    EXPECT_FALSE(std::filesystem::exists(part_path(folder / "x.png")));
}

TEST(Image, RefusesAPathThatCannotBeWritten) {
    const test::ScratchFolder folder("png_refused");
    EXPECT_THROW(write_png(folder / "missing/x.png", coloured(4, 4)), InputError);
    EXPECT_THROW(write_png(folder / "", coloured(4, 4)), InputError);
    EXPECT_THROW(write_png(folder / "empty.png", Image{}), OutputError);
    EXPECT_TRUE(folder.is_empty());
}

}  // namespace
}  // namespace stiction
