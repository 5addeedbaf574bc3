// printable_test.cpp - nothing that a terminal would obey is left, and long messages are cut.
#include "core/printable.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stiction {
namespace {

TEST(Printable, LeavesOrdinaryTextAlone) {
    for (const std::string text :
         {"", "grasp.yaml:7:3: mass", "Rückstoß 4 µm, 箱, 🙂", "a\\x1b"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesControlCharactersAndBytesThatAreNoText) {
    EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
    EXPECT_EQ(printable("a\r\nb\tc\x7f"), "a\\x0d\\x0ab\\x09c\\x7f");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\x9b31m");                                    // CSI as one character
    EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");           // no UTF-8, and cut short
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // not the shortest form
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
    EXPECT_EQ(printable("a\u202eb\u2028"), "a\\u202eb\\u2028");
}

TEST(Printable, EveryByteBecomesText) {
    for (int c = 0; c < 256; ++c) {
        const std::string shown = printable(std::string(1, static_cast<char>(c)));
        EXPECT_FALSE(shown.empty());
        EXPECT_TRUE(std::all_of(shown.begin(), shown.end(), [](char s) {
            return s >= ' ' && s <= '~';
        })) << c;
    }
}

TEST(Printable, CutsLongMessagesBetweenLettersAndKeepsBothEnds) {
    const std::string whole(kMaxMessage, 'x');
    EXPECT_EQ(message_text(whole), whole);
    for (std::size_t extra = 1; extra < 8; ++extra) {
        std::string text = "file.yaml: '";
        for (std::size_t i = 0; i < kMaxMessage + extra; ++i) text += "é";
        text += std::string(extra, 'y') + "': unknown";
        const std::string cut = message_text(text);
        EXPECT_LE(cut.size(), kMaxMessage);
        EXPECT_GT(cut.size(), kMaxMessage - 8);
        EXPECT_TRUE(cut.starts_with("file.yaml: '"));
        EXPECT_TRUE(cut.ends_with("y': unknown"));
        EXPECT_NE(cut.find(" ... "), std::string::npos);
        EXPECT_EQ(cut.find("\\x"), std::string::npos) << cut;
    }
    EXPECT_LE(message_text(std::string(1'000'000, '\x1b')).size(), kMaxMessage);
    EXPECT_LE(message_text(std::string(kMaxMessage - 1, '\x1b')).size(), kMaxMessage);
}

}  // namespace
}  // namespace stiction
