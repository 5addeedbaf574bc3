// image.h - pixels in memory, and as a PNG file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stiction {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // rows from top to bottom, three bytes per pixel
};

// Through NAME.part, so that a file under its name is whole. Throws InputError when the path cannot
// be written, OutputError when writing fails.
void write_png(const std::string& path, const Image& image);

// A small picture of ours; empty where there is none or it is no PNG of at most 4096 pixels a side.
[[nodiscard]] Image read_png(const std::string& path);

}  // namespace stiction
