// sealed_png.h - bytes of a PNG picture that were changed, with checksums of its parts that fit
// again: libpng refuses a part whose checksum does not, before it looks at what is in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace stiction::test {

// CRC-32 of PNG, annex D of its specification, bit by bit.
inline std::uint32_t png_checksum(std::string_view bytes) {
    std::uint32_t crc = 0xffffffffU;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
}

// A part is its length, four letters, so many bytes, and the checksum of letters and bytes.
inline std::string sealed_png(std::string_view bytes) {
    constexpr std::size_t kSignature = 8, kNumber = 4;
    std::string png(bytes);
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < kNumber; ++i)
            value = value << 8U | static_cast<unsigned char>(png[at + i]);
        return value;
    };
    for (std::size_t at = kSignature; at + 3 * kNumber <= png.size();) {
        const std::size_t length = number(at);
        if (length > png.size() - at - 3 * kNumber) break;
        const std::size_t end = at + 2 * kNumber + length;
        const std::uint32_t crc =
            png_checksum(std::string_view(png).substr(at + kNumber, kNumber + length));
        for (std::size_t i = 0; i < kNumber; ++i)
            png[end + i] = static_cast<char>(crc >> (8 * (kNumber - 1 - i)));
        at = end + kNumber;
    }
    return png;
}

}  // namespace stiction::test
