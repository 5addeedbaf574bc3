// csv.h - rows of comma-separated values: '.' as decimal sign, shortest digits that read back as
// the same number.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace stiction {

// Appends to `row`, with a comma before every value but the first.
class CsvRow {
  public:
    void clear() { text_.clear(); }
    [[nodiscard]] const std::string& text() const { return text_; }

    template <class Number>
    requires std::integral<Number> || std::floating_point<Number>
    void add(Number x) {
        separate();
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
        text_.append(digits.data(), end);
    }

    // Quoted where it holds a comma, a quote or a line end.
    void add(std::string_view word) {
        separate();
        if (word.find_first_of(",\"\n\r") == std::string_view::npos) {
            text_ += word;
            return;
        }
        text_ += '"';
        for (const char c : word) {
            if (c == '"') text_ += '"';
            text_ += c;
        }
        text_ += '"';
    }

    void end() { text_ += '\n'; }

  private:
    void separate() {
        if (!text_.empty() && text_.back() != '\n') text_ += ',';
    }
    std::string text_;
};

}  // namespace stiction
