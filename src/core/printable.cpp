// printable.cpp - decodes UTF-8 and writes what must not be shown as escapes.
#include "core/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace stiction {

namespace {

struct Letter {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  // 0: not UTF-8
};

// The shortest form only, no surrogates, up to U+10FFFF.
Letter decode(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = first & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3fU);
    }
    const std::uint32_t least = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least || code > 0x10ffff || surrogate) return {};
    return {code, bytes};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

// Ends of lines and marks of direction (Unicode's Bidi_Control).
bool is_layout(std::uint32_t code) {
    return code == 0x61c || (code >= 0x200e && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

void escape(const char* form, std::uint32_t code, std::string& out) {
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), form, static_cast<unsigned>(code));
    out += digits.data();
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Letter letter = decode(text);
        const std::size_t bytes = letter.bytes == 0 ? 1 : letter.bytes;
        if (letter.bytes == 0) {
            escape("\\x%02x", static_cast<unsigned char>(text.front()), out);
        } else if (is_control(letter.code)) {
            escape("\\x%02x", letter.code, out);
        } else if (is_layout(letter.code)) {
            escape("\\u%04x", letter.code, out);
        } else {
            out += text.substr(0, bytes);
        }
        text.remove_prefix(bytes);
    }
    return out;
}

std::string message_text(std::string_view text) {
    constexpr std::string_view kGap = " ... ";
    constexpr std::size_t kEnd = kMaxMessage / 3;
    constexpr std::size_t kBegin = kMaxMessage - kEnd - kGap.size();
    // Escapes only lengthen: what lies far from both ends need not be looked at.
    std::string begin = printable(text.substr(0, 2 * kMaxMessage));
    if (text.size() <= 2 * kMaxMessage && begin.size() <= kMaxMessage) return begin;
    std::string end = printable(text.substr(text.size() - std::min(text.size(), kMaxMessage)));
    std::size_t cut = kBegin;
    while (cut > 0 && continues(begin[cut])) --cut;
    std::size_t from = end.size() - std::min(end.size(), kEnd);
    while (from < end.size() && continues(end[from])) ++from;
    return begin.substr(0, cut) + std::string(kGap) + end.substr(from);
}

}  // namespace stiction
