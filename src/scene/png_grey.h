// png_grey.h - grey PNG pictures as raw numbers, without any gamma.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stiction {

struct GreyPicture {
    int width = 0, height = 0;
    double white = 255;               // the largest value a sample can have
    std::vector<std::uint16_t> grey;  // row by row from the top
};

// Throws InputError when the file is no PNG, is damaged, is not grey, or has a side of more than
// `most` pixels.
[[nodiscard]] GreyPicture read_grey_png(const std::string& path, int most);

}  // namespace stiction
