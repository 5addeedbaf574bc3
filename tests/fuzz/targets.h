// targets.h - one function per reader of what people bring: it takes any bytes, and ends with data
// or with one InputError. Anything else that happens is a find. The fuzzer (fuzz_main.cpp) and the
// replay of its corpus (corpus_test.cpp) call the same functions.
#pragma once

#include <span>
#include <string_view>

namespace stiction {

struct FuzzTarget {
    std::string_view name;                 // of its corpus in tests/fuzz/corpus
    void (*read)(std::string_view bytes);  // throws nothing but what is a find
    bool in_child = false;                 // calls a library of others, in a process of its own
};

[[nodiscard]] std::span<const FuzzTarget> fuzz_targets();
[[nodiscard]] const FuzzTarget* find_fuzz_target(std::string_view name);

}  // namespace stiction
