// png_grey.cpp - libpng's row reader: its simple interface would convert 16-bit pictures by gamma.
#include "scene/png_grey.h"

#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <memory>

#include "core/error.h"

namespace stiction {
namespace {

// Holds what libpng leaves behind when it jumps out of a call.
struct Reader {
    explicit Reader(const std::string& path) : file(std::fopen(path.c_str(), "rb")) {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
        if (png != nullptr) info = png_create_info_struct(png);
    }
    ~Reader() {
        if (png != nullptr) png_destroy_read_struct(&png, &info, nullptr);
        if (file != nullptr) std::fclose(file);
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    // Nothing here has a destructor to run: libpng jumps back over it.
    bool read_header() {
        if (file == nullptr || info == nullptr || setjmp(png_jmpbuf(png)) != 0) return false;
        png_init_io(png, file);
        png_read_info(png, info);
        const int depth = png_get_bit_depth(png, info);
        if (depth < 8) png_set_expand_gray_1_2_4_to_8(png);
        if ((png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0) png_set_strip_alpha(png);
        passes = png_set_interlace_handling(png);
        png_read_update_info(png, info);
        return true;
    }
    bool read_rows() {
        if (setjmp(png_jmpbuf(png)) != 0) return false;
        png_read_image(png, rows.data());
        png_read_end(png, nullptr);
        return true;
    }

    [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
        auto* reader = static_cast<Reader*>(png_get_error_ptr(png));
        std::snprintf(reader->message, sizeof reader->message, "%s", message);
        png_longjmp(png, 1);
    }
    static void on_warning(png_structp /*png*/, png_const_charp /*message*/) {}

    std::FILE* file = nullptr;
    png_structp png = nullptr;
    png_infop info = nullptr;
    int passes = 1;
    std::vector<png_bytep> rows;
    char message[128] = "cannot be read";
};

}  // namespace

GreyPicture read_grey_png(const std::string& path, int most) {
    Reader reader(path);
    if (!reader.read_header())
        throw InputError(path + ": not a PNG picture (" + reader.message + ")");
    GreyPicture picture;
    const png_uint_32 width = png_get_image_width(reader.png, reader.info);
    const png_uint_32 height = png_get_image_height(reader.png, reader.info);
    if (width > static_cast<png_uint_32>(most) || height > static_cast<png_uint_32>(most)) {
        throw InputError(path + ": " + std::to_string(width) + " x " + std::to_string(height) +
                         " pixels; expected at most " + std::to_string(most) + " along each side");
    }
    if (png_get_color_type(reader.png, reader.info) != PNG_COLOR_TYPE_GRAY)
        throw InputError(path + ": a picture in colour; expected a grey one");
    const bool wide = png_get_bit_depth(reader.png, reader.info) == 16;
    const std::size_t row_bytes = png_get_rowbytes(reader.png, reader.info);
    std::vector<png_byte> bytes(row_bytes * height);
    for (std::size_t j = 0; j < height; ++j) reader.rows.push_back(&bytes[j * row_bytes]);
    if (!reader.read_rows()) throw InputError(path + ": damaged (" + reader.message + ")");
    picture.width = static_cast<int>(width);
    picture.height = static_cast<int>(height);
    picture.white = wide ? 65535 : 255;
    picture.grey.reserve(static_cast<std::size_t>(width) * height);
    for (const png_byte* row : reader.rows) {
        for (std::size_t i = 0; i < width; ++i) {
            picture.grey.push_back(
                wide ? static_cast<std::uint16_t>(row[2 * i] << 8 | row[2 * i + 1]) : row[i]);
        }
    }
    return picture;
}

}  // namespace stiction
