// Files that people bring: what is there, what is not, and what has no end.
#include "core/input_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"

namespace stiction {
namespace {

std::string reading_error(const std::string& path) {
    try {
        (void)read_input_file(path, "a scene", 1000);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(InputFile, BytesOrAMessage) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("stiction_input_" + std::to_string(getpid())))
            .string();
    const std::string bytes("a\0b\r\n", 5);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(read_input_file(path, "a scene", 5), bytes);
    EXPECT_THROW((void)read_input_file(path, "a scene", 4), InputError);
    std::filesystem::remove(path);
    EXPECT_EQ(reading_error(path), path + ": no such file; expected a scene");
    EXPECT_EQ(reading_error("/"), "/: is a directory; expected a scene");
    EXPECT_EQ(reading_error("/dev/zero"),
              "/dev/zero: larger than 1000 bytes; expected a scene of at most that");
}

TEST(InputFile, Places) {
    EXPECT_EQ(place_in("ab\ncd", 0, "f"), "f:1:1");
    EXPECT_EQ(place_in("ab\ncd", 4, "f"), "f:2:2");
    EXPECT_EQ(place_in("ab\n", 99, "f"), "f:2:1");
}

}  // namespace
}  // namespace stiction
