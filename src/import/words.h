// words.h - takes words, numbers and lines off the front of a text and knows where it is.
#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/input_file.h"

namespace stiction {

class Words {
  public:
    Words(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    // The next word of this line; empty at its end.
    std::string_view in_line() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
        return take();
    }
    // The next word of the text; empty at its end.
    std::string_view next() {
        while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n')) ++at_;
        return take();
    }
    // All that is left of this line; the next one comes after it.
    std::string_view line() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const std::string_view rest = text_.substr(at_, end - at_);
        word_ = at_;
        at_ = std::min(end + 1, text_.size());
        return rest;
    }

    // A word that is a finite number. `what` it is for.
    double number(std::string_view word, const char* what) const {
        double value = 0;
        const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
        const char* end = digits.data() + digits.size();
        const auto [rest, error] = std::from_chars(digits.data(), end, value);
        if (error != std::errc() || rest != end || !std::isfinite(value)) wrong(word, what);
        return value;
    }
    // A word that is a whole number.
    long whole(std::string_view word, const char* what) const {
        long value = 0;
        const char* end = word.data() + word.size();
        const auto [rest, error] = std::from_chars(word.data(), end, value);
        if (error != std::errc() || rest != end) wrong(word, what);
        return value;
    }

    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] std::size_t offset() const { return at_; }
    [[nodiscard]] std::size_t left() const { return text_.size() - at_; }

    // At the word taken last.
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(place_in(text_, word_, name_) + ": " + what);
    }
    // "found 'word'; expected WHAT", or that the file ends.
    [[noreturn]] void wrong(std::string_view word, const char* what) const {
        constexpr std::size_t kMaxShown = 24;
        if (word.empty()) fail(std::string("the line ends here; expected ") + what);
        fail("found '" + std::string(word.substr(0, kMaxShown)) +
             (word.size() > kMaxShown ? "...'; expected " : "'; expected ") + what);
    }

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

    std::string_view take() {
        word_ = at_;
        while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n') ++at_;
        return text_.substr(word_, at_ - word_);
    }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
    std::size_t word_ = 0;  // start of the word taken last
};

}  // namespace stiction
