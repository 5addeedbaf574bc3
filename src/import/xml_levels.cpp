// xml_levels.cpp - goes from tag to tag.
#include "import/xml_levels.h"

#include <algorithm>

namespace stiction {

namespace {

// Where the tag that starts at `at` ends: at its '>', those between quotes left out; npos where
// another begins before. No character is looked at from more than three tags: between quotes that
// hide a '<' from one of them, the other two kinds of tags end.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
    char quote = '\0';
    for (++at; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return at;
        } else if (c == '<') {
            break;
        }
    }
    return std::string_view::npos;
}

}  // namespace

std::size_t find_too_deep(std::string_view text, int most) {
    constexpr std::size_t kNowhere = std::string_view::npos;
    int level = 0;
    for (std::size_t at = text.find('<'); at != kNowhere; at = text.find('<', at + 1)) {
        if (text.substr(at).starts_with("<!--")) {
            at = text.find("-->", at);
            if (at == kNowhere) break;
            continue;
        }
        const char next = at + 1 < text.size() ? text[at + 1] : '/';
        if (next == '!' || next == '?') continue;
        if (next == '/') {
            level = std::max(0, level - 1);
            continue;
        }
        if (++level > most) return at;
        const std::size_t end = end_of_tag(text, at);
        if (end != kNowhere && text[end - 1] == '/') --level;
    }
    return kNowhere;
}

}  // namespace stiction
