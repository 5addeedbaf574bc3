// image.cpp - PNG through libpng.
#include "draw/image.h"

#include <png.h>

#include <stdexcept>

#include "record/output_file.h"

namespace stiction {

void write_png(const std::string& path, const Image& image) {
    check_writable(path);
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(image.width);
    header.height = static_cast<png_uint_32>(image.height);
    header.format = PNG_FORMAT_RGB;
    std::string encoded(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
    png_alloc_size_t bytes = encoded.size();
    if (png_image_write_to_memory(&header, encoded.data(), &bytes, 0, image.rgb.data(), 0,
                                  nullptr) == 0) {
        throw OutputError("cannot write '" + path + "': " + header.message);
    }
    encoded.resize(bytes);
    write_file(path, encoded);
}

Image read_png(const std::string& path) {
    constexpr png_uint_32 kMostPixels = 4096;
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&header, path.c_str()) == 0) return {};
    Image image;
    if (header.width <= kMostPixels && header.height <= kMostPixels) {
        header.format = PNG_FORMAT_RGB;
        image.width = static_cast<int>(header.width);
        image.height = static_cast<int>(header.height);
        image.rgb.resize(PNG_IMAGE_SIZE(header));
        const png_color black{};
        if (png_image_finish_read(&header, &black, image.rgb.data(), 0, nullptr) == 0) image = {};
    }
    png_image_free(&header);
    return image;
}

}  // namespace stiction
