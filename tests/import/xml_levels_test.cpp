// xml_levels_test.cpp - what counts as a level, and that tags without end cost no more than others.
#include "import/xml_levels.h"

#include <gtest/gtest.h>

#include <string>

namespace stiction {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

TEST(XmlLevels, CountsElementsThatAreOpen) {
    EXPECT_EQ(find_too_deep("<a><b></b><b></b></a>", 2), kNone);
    EXPECT_EQ(find_too_deep("<a><b></b><b></b></a>", 1), 3U);
    EXPECT_EQ(find_too_deep("<a><b/><b/><b/></a>", 2), kNone);
    EXPECT_EQ(find_too_deep("<?xml?><!DOCTYPE a><!-- <a><a><a> --><a></a>", 1), kNone);
    EXPECT_EQ(find_too_deep("</a></a><a><b>", 1), 11U);
    EXPECT_EQ(find_too_deep("", 0), kNone);
    EXPECT_EQ(find_too_deep("<", 0), kNone);
}

TEST(XmlLevels, CountsTheElementWhereATextIsNoXml) {
    EXPECT_EQ(find_too_deep("<a b='/>'><a b='/>'>", 1), 10U);  // hidden in a value
    EXPECT_EQ(find_too_deep("<a <b/>", 1), 3U);                // a tag that has no end
    EXPECT_EQ(find_too_deep("<a '<b/>", 1), 4U);
    EXPECT_EQ(find_too_deep("<!-- <a><a><a>", 1), kNone);  // readers end there
}

// Were each of a million tags without end followed to the end of the text, this took hours.
TEST(XmlLevels, LooksAtEveryCharacterAFewTimes) {
    constexpr std::size_t kTags = 1'000'000;
    for (const std::string tag : {"<", "<'", "<\"", "<'\"", "<\"'", "<\"\"", "<'\"'"}) {
        std::string text;
        for (std::size_t i = 0; i < kTags; ++i) text += tag;
        EXPECT_NE(find_too_deep(text + "/>", 64), kNone);
    }
    std::string closed;
    for (std::size_t i = 0; i < kTags; ++i) closed += "<a/><!-- ' -->";
    EXPECT_EQ(find_too_deep(closed, 1), kNone);
}

}  // namespace
}  // namespace stiction
