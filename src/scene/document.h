// document.h - one scene file as a plain tree that remembers where each value stands.
// Only document.cpp knows yaml-cpp; everything after it reads this tree through node.h.
#pragma once

#include <string>
#include <vector>

namespace stiction {

struct Value {
    enum class Kind { kNothing, kScalar, kList, kMap };
    struct Key {
        std::string text;
        int line = 1, column = 1;
    };
    Kind kind = Kind::kNothing;
    std::string text;          // scalar
    std::vector<Value> items;  // of a list, or the values of a map
    std::vector<Key> keys;     // of a map, in the order of items
    int line = 1, column = 1;  // from 1

    [[nodiscard]] const Value* find(const std::string& key) const;
};

struct Document {
    std::string path;
    Value root;
};

// Limits against files that are no scenes: a few lines of aliases can stand for billions of values.
inline constexpr std::size_t kLargestFile = 16U << 20;  // bytes: kMaxBodies one by one fit
inline constexpr int kMaxValues = 2'000'000;            // values in one file, aliases expanded
inline constexpr std::size_t kDeepestNesting = 64;      // readers recurse; scenes nest a dozen deep

// Reads one file. Throws InputError (file:line:column: ...) when it cannot be read, is empty, is
// not YAML, holds a key twice or exceeds the limits above.
// `what` is what the file should be, in messages.
[[nodiscard]] Document read_document(const std::string& path, const std::string& what = "scene");
// The same of a text; `path` is its name in messages.
[[nodiscard]] Document parse_document(const std::string& text, const std::string& path,
                                      const std::string& what = "scene");

}  // namespace stiction
