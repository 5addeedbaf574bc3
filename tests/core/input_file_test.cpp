// Files that people bring: what is there, what is not, and what has no end.
#include "core/input_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
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
    EXPECT_EQ(reading_error("/dev/zero"), "/dev/zero: is a device; expected a scene");
}

// What comes through a pipe has no size: it is read as far as the limit.
TEST(InputFile, APipeIsReadToItsLimit) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const std::string bytes(1001, 'x');
    ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), 1001);
    close(ends[1]);
    const std::string path = "/dev/fd/" + std::to_string(ends[0]);
    EXPECT_EQ(reading_error(path),
              path + ": larger than 1000 bytes; expected a scene of at most that");
    close(ends[0]);
}

TEST(InputFile, Lines) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("stiction_lines_" + std::to_string(getpid())))
            .string();
    // Lines that end, begin and lie across the pieces that are read at once.
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{65535},
                                     std::size_t{65536}, std::size_t{65537}, std::size_t{200000}}) {
        const std::string first(length, 'a');
        for (const std::string end : {"", "\n"}) {
            std::ofstream(path, std::ios::binary) << first << "\n\nlast" << end;
            InputLines lines(path, "a table", 200000);
            std::string line;
            ASSERT_TRUE(lines.next(line));
            EXPECT_EQ(line, first);
            EXPECT_TRUE(lines.whole());
            ASSERT_TRUE(lines.next(line));
            EXPECT_EQ(line, "");
            ASSERT_TRUE(lines.next(line));
            EXPECT_EQ(line, "last");
            EXPECT_EQ(lines.whole(), end == "\n");
            EXPECT_EQ(lines.number(), 3);
            EXPECT_FALSE(lines.next(line));
        }
    }
    std::ofstream(path, std::ios::binary) << "a\n" << std::string(70000, 'b');
    InputLines lines(path, "a table", 69999);
    std::string line;
    ASSERT_TRUE(lines.next(line));
    try {
        (void)lines.next(line);
        ADD_FAILURE() << "a line that is too long";
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(), path + ":2: the line is longer than 69999 bytes");
    }
    std::filesystem::remove(path);
    EXPECT_THROW(InputLines("/dev/zero", "a table", 10), InputError);
}

TEST(InputFile, Places) {
    EXPECT_EQ(place_in("ab\ncd", 0, "f"), "f:1:1");
    EXPECT_EQ(place_in("ab\ncd", 4, "f"), "f:2:2");
    EXPECT_EQ(place_in("ab\n", 99, "f"), "f:2:1");
}

}  // namespace
}  // namespace stiction
