// svg_drawing.cpp - writes elements of SVG; words become what XML allows.
#include "plot/svg_drawing.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace stiction::plotting {

namespace {

// Bytes of the UTF-8 sequence at the front; 0 when it is none that XML allows.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
    const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < n) return 0;
    for (std::size_t i = 1; i < n; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    const bool surrogate = lead == 0xed && byte(1) >= 0xa0;
    const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
    const bool beyond = lead == 0xf4 && byte(1) >= 0x90;
    const bool no_character = lead == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe;
    return surrogate || overlong || beyond || no_character ? 0 : n;
}

std::string escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t n = utf8_length(text);
        if (n == 0) {
            out += "\xEF\xBF\xBD";  // the replacement character
        } else if (text[0] == '&') {
            out += "&amp;";
        } else if (text[0] == '<') {
            out += "&lt;";
        } else if (text[0] == '>') {
            out += "&gt;";
        } else if (text[0] == '"') {
            out += "&quot;";
        } else {
            out += text.substr(0, n);
        }
        text.remove_prefix(std::max<std::size_t>(n, 1));
    }
    return out;
}

}  // namespace

std::string px(double x) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", x);
    std::string s = text.data();
    s.erase(s.find_last_not_of('0') + 1);
    if (s.back() == '.') s.pop_back();
    return s == "-0" ? "0" : s;
}

double text_width(std::string_view text, double size) {
    double width = 0;
    for (const char c : text) {
        const bool narrow = std::string_view("ijltfrI.,:;|!'()[] ").find(c) != text.npos;
        const bool wide = std::string_view("mwMW@%").find(c) != text.npos;
        const bool inner_byte = (c & 0xc0) == 0x80;  // of UTF-8
        width += inner_byte ? 0 : narrow ? 0.36 : wide ? 0.9 : c >= 'A' && c <= 'Z' ? 0.68 : 0.6;
    }
    return size * width;
}

std::string font(double size, const char* colour, const char* anchor, bool bold) {
    return "font-size=\"" + px(size) + "\" fill=\"" + colour + "\" text-anchor=\"" + anchor + "\"" +
           (bold ? " font-weight=\"600\"" : "");
}

void Drawing::line(double x1, double y1, double x2, double y2, const std::string& style) {
    text_ += "<line x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) + "\" y2=\"" +
             px(y2) + "\" " + style + "/>\n";
}

void Drawing::rect(double x, double y, double width, double height, const std::string& style) {
    text_ += "<rect x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"" + px(width) + "\" height=\"" +
             px(height) + "\" " + style + "/>\n";
}

void Drawing::words(double x, double y, std::string_view text, const std::string& style) {
    if (text.empty()) return;
    text_ += "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" " + style + ">" + escaped(text) +
             "</text>\n";
}

void Drawing::marker(double x, double y, std::size_t kind, const char* colour) {
    const std::string paint =
        "\" fill=\"" + std::string(colour) + "\" stroke=\"#FFFFFF\" stroke-width=\"0.8\"/>\n";
    if (kind % 4 == 0) {
        text_ += "<circle cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"3.6" + paint;
        return;
    }
    constexpr std::array<std::array<double, 8>, 3> kCorners = {
        {{-3.2, -3.2, 3.2, -3.2, 3.2, 3.2, -3.2, 3.2},  // square
         {-4.2, 3.3, 0, -4.2, 4.2, 3.3, 0, 3.3},        // triangle
         {-4.4, 0, 0, -4.4, 4.4, 0, 0, 4.4}}};          // diamond
    const std::array<double, 8>& corners = kCorners[kind % 4 - 1];
    text_ += "<path d=\"";
    for (std::size_t i = 0; i < 8; i += 2) {
        text_ += (i == 0 ? "M" : "L") + px(x + corners[i]) + " " + px(y + corners[i + 1]);
    }
    text_ += "Z" + paint;
}

}  // namespace stiction::plotting
