// heat_map_test.cpp - a cell for every value, from the bottom up, coloured on one scale.
#include "plot/heat_map.h"

#include <gtest/gtest.h>

#include <limits>

namespace stiction::test {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        ++count;
    return count;
}

HeatMap two_panels(double last) {
    HeatMap map;
    map.title = "a < b";
    map.columns = {"1", "2", "3"};
    map.rows = {"low", "high"};
    map.panels = {{"first", {0, 0, 0, 0, 0, 0}}, {"second", {1, 1, 1, 1, 1, last}}};
    return map;
}

TEST(HeatMap, ValuesHaveTheColoursOfOneScaleOverAllPanels) {
    const std::string text = svg_text(two_panels(1));
    EXPECT_EQ(occurrences(text, "crispEdges\" fill=\"#440154\""), 6U);  // the least
    EXPECT_EQ(occurrences(text, "crispEdges\" fill=\"#FDE725\""), 6U);  // the largest
    EXPECT_NE(text.find("a &lt; b"), std::string::npos);
}

TEST(HeatMap, WhatIsNoNumberIsGrey) {
    const std::string text = svg_text(two_panels(std::numeric_limits<double>::quiet_NaN()));
    EXPECT_EQ(occurrences(text, "crispEdges\" fill=\"#E4E4E4\""), 1U);
    HeatMap logarithmic = two_panels(1);
    logarithmic.scale = Scale::kLog;
    EXPECT_EQ(occurrences(svg_text(logarithmic), "crispEdges\" fill=\"#E4E4E4\""), 6U);
}

TEST(HeatMap, TheFirstRowIsAtTheBottom) {
    HeatMap map;
    map.columns = {"1"};
    map.rows = {"low", "high"};
    map.panels = {{"", {0, 1}}};
    const std::string text = svg_text(map);
    EXPECT_LT(text.find("crispEdges\" fill=\"#440154\""),
              text.find("crispEdges\" fill=\"#FDE725\""));
    const auto y_of = [&](const char* colour) {
        const std::size_t end = text.find(std::string("crispEdges\" fill=\"") + colour);
        const std::size_t at = text.rfind(" y=\"", end);
        return std::stod(text.substr(at + 4));
    };
    EXPECT_GT(y_of("#440154"), y_of("#FDE725"));
}

}  // namespace
}  // namespace stiction::test
