// corpus_test.cpp - every input of the fuzzers' corpus, and every one that ever broke a reader.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "fuzz/targets.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Corpus, EveryInputEndsWithDataOrAMessage) {
    for (const FuzzTarget& target : fuzz_targets()) {
        std::vector<fs::path> inputs;
        for (const auto& entry :
             fs::directory_iterator(fs::path("tests/fuzz/corpus") / target.name))
            inputs.push_back(entry.path());
        std::sort(inputs.begin(), inputs.end());
        EXPECT_FALSE(inputs.empty()) << target.name;
        for (const fs::path& input : inputs) {
            SCOPED_TRACE(input.string());
            EXPECT_NO_THROW(target.read(bytes_of(input)));
        }
    }
}

// What the fuzzers do first: an input cut off anywhere, and each of its bytes another one.
TEST(Corpus, CutAndChangedInputs) {
    for (const FuzzTarget& target : fuzz_targets()) {
        for (const auto& entry :
             fs::directory_iterator(fs::path("tests/fuzz/corpus") / target.name)) {
            SCOPED_TRACE(entry.path().string());
            const std::string bytes = bytes_of(entry.path());
            const std::size_t tries = target.in_child ? 10 : 60;  // a child costs milliseconds
            const std::size_t stride = std::max<std::size_t>(1, bytes.size() / tries);
            for (std::size_t i = 0; i < bytes.size(); i += stride) {
                EXPECT_NO_THROW(target.read(std::string_view(bytes).substr(0, i)));
                std::string changed = bytes;
                changed[i] = static_cast<char>(changed[i] ^ 0x15);
                EXPECT_NO_THROW(target.read(changed));
            }
        }
    }
}

}  // namespace
}  // namespace stiction
