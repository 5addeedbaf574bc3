// svg_drawing.h - elements of SVG as text: lines, boxes, words and markers in pixels, and how wide
// words will be.
#pragma once

#include <string>
#include <string_view>

namespace stiction::plotting {

inline constexpr double kFont = 12;  // [px]

// A length in pixels; two decimals are a hundredth of one.
[[nodiscard]] std::string px(double x);

// About, as the reader's font is not known.
[[nodiscard]] double text_width(std::string_view text, double size = kFont);

// Attributes of words; anchor: start, middle or end.
[[nodiscard]] std::string font(double size, const char* colour, const char* anchor,
                               bool bold = false);

// The elements of one drawing as text.
class Drawing {
  public:
    void line(double x1, double y1, double x2, double y2, const std::string& style);
    void rect(double x, double y, double width, double height, const std::string& style);
    void words(double x, double y, std::string_view text, const std::string& style);
    // Shape `kind` (mod 4) around a point: also in grey, series stay apart.
    void marker(double x, double y, std::size_t kind, const char* colour);
    void raw(const std::string& text) { text_ += text; }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};

}  // namespace stiction::plotting
