// plot_test.cpp - plots are well-formed XML whatever the data and the words in them, and show what
// they are given.
#include "plot/plot.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <random>

#include "plot/plot_axis.h"
#include "record/ball_on_plane.h"

namespace stiction {
namespace {

using plotting::nice_ticks;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        ++n;
    }
    return n;
}

// Text or the value of an attribute: no bare <, only known entities, no control characters.
bool is_clean(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '<' || (static_cast<unsigned char>(c) < 0x20 && c != '\n')) return false;
        if (c != '&') continue;
        bool known = false;
        for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
            known = known || text.compare(i, std::string(entity).size(), entity) == 0;
        }
        if (!known) return false;
    }
    return true;
}

// Attributes as name="value", separated by spaces.
bool attributes_are_clean(const std::string& text) {
    std::size_t at = 0;
    while ((at = text.find_first_not_of(' ', at)) != std::string::npos) {
        const std::size_t open = text.find("=\"", at);
        if (open == std::string::npos || open == at) return false;
        const std::size_t close = text.find('"', open + 2);
        if (close == std::string::npos || !is_clean(text.substr(open + 2, close - open - 2))) {
            return false;
        }
        at = close + 1;
    }
    return true;
}

// "" for well-formed XML of the kind written here, otherwise what is wrong.
std::string fault(const std::string& xml) {
    std::vector<std::string> open;
    std::size_t at = xml.find("?>");
    if (!xml.starts_with("<?xml ") || at == std::string::npos) return "no declaration";
    at += 2;
    bool ended = false;
    while (at < xml.size()) {
        const std::size_t tag = std::min(xml.find('<', at), xml.size());
        const std::string between = xml.substr(at, tag - at);
        if (!is_clean(between)) return "text: " + between;
        if (open.empty() && between.find_first_not_of('\n') != std::string::npos) return "outside";
        if (tag == xml.size()) break;
        if (ended) return "two roots";
        const std::size_t end = xml.find('>', tag);
        if (end == std::string::npos) return "tag does not end";
        std::string inside = xml.substr(tag + 1, end - tag - 1);
        at = end + 1;
        if (inside.starts_with("/")) {
            if (open.empty() || open.back() != inside.substr(1)) return "closes " + inside;
            open.pop_back();
            ended = open.empty();
            continue;
        }
        const bool closed = inside.ends_with("/");
        if (closed) inside.pop_back();
        const std::size_t name = std::min(inside.find(' '), inside.size());
        if (!attributes_are_clean(inside.substr(name))) return "attributes: " + inside;
        if (!closed) open.push_back(inside.substr(0, name));
    }
    if (!open.empty()) return "not closed: " + open.back();
    if (xml.find("nan") != std::string::npos || xml.find("\"inf") != std::string::npos) {
        return "a number is not finite";
    }
    return ended ? "" : "no root";
}

Plot two_lines() {
    Plot plot;
    plot.title = "Two lines";
    plot.x.label = "time [s]";
    plot.y.label = "speed [m/s]";
    plot.series = {{"first", {0, 1, 2}, {1, 4, 9}}, {"second", {0, 1, 2}, {3, 2, 1}}};
    return plot;
}

TEST(Plot, ShowsItsSeriesAndWords) {
    Plot plot = two_lines();
    plot.series[1].markers = true;
    plot.marks.push_back({1.5, "impact"});
    const std::string svg = svg_text(plot);
    EXPECT_EQ(fault(svg), "");
    EXPECT_EQ(count(svg, "fill=\"none\""), 2U);  // the lines
    for (const char* words :
         {"Two lines", "time [s]", "speed [m/s]", "first", "second", "impact"}) {
        EXPECT_EQ(count(svg, std::string(">") + words + "</text>"), 1U) << words;
    }
    EXPECT_EQ(count(svg, "<path d=") - 2, 4U);  // square markers: three and one in the legend
}

// On a panel of known place y grows upward and x to the right, in proportion.
TEST(Plot, PutsPointsInProportion) {
    Plot plot;
    plot.x = {"", Scale::kLinear, 0.0, 4.0};
    plot.y = {"", Scale::kLog, 1.0, 100.0};
    plot.series = {{"", {0, 1, 2}, {1, 10, 100}}};
    const std::string svg = svg_text(plot);
    const std::size_t at = svg.find("<path d=\"M");
    ASSERT_NE(at, std::string::npos);
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + at, "<path d=\"M%lf %lfL%lf %lfL%lf %lf", &x0, &y0, &x1,
                          &y1, &x2, &y2),
              6);
    EXPECT_GT(x1 - x0, 50);
    EXPECT_NEAR(x2 - x1, x1 - x0, 0.011);  // two decimals
    EXPECT_GT(y0 - y1, 50);
    EXPECT_NEAR(y1 - y2, y0 - y1, 0.011);
}

TEST(Plot, StepsHoldTheirValue) {
    Plot plot = two_lines();
    plot.series.resize(1);
    plot.series[0].line = LineStyle::kStep;
    const std::string svg = svg_text(plot);
    EXPECT_EQ(fault(svg), "");
    const std::string path = svg.substr(svg.find("<path d=\"M"));
    EXPECT_EQ(count(path.substr(0, path.find("\" ")), "H"), 2U);
    EXPECT_EQ(count(path.substr(0, path.find("\" ")), "V"), 2U);
}

TEST(Plot, EscapesWords) {
    Plot plot = two_lines();
    plot.title = "a < b & c > \"d\"";
    plot.series[0].name = "bell\x07 bad \xff\xc3( cut \xe2\x82";
    plot.series[1].name = "µ fine ≤";
    plot.marks.push_back({1, "</svg>", false});
    const std::string svg = svg_text(plot);
    EXPECT_EQ(fault(svg), "");
    EXPECT_EQ(count(svg, "a &lt; b &amp; c &gt; &quot;d&quot;"), 1U);
    EXPECT_EQ(count(svg, "µ fine ≤"), 1U);
    EXPECT_EQ(count(svg, "&lt;/svg&gt;"), 1U);
}

TEST(Plot, NoDataIsSaid) {
    EXPECT_EQ(count(svg_text(Plot{}), ">no data<"), 1U);
    for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
        Plot plot;
        plot.x.scale = plot.y.scale = scale;
        for (const std::vector<double>& values :
             {std::vector<double>{}, {kNan, kNan}, {kInfinity, -kInfinity}}) {
            plot.series = {{"s", {1, 2}, values}};
            EXPECT_EQ(fault(svg_text(plot)), "");
            EXPECT_EQ(count(svg_text(plot), ">no data<"), 1U);
        }
        plot.categories = {"a", "b"};
        EXPECT_EQ(count(svg_text(plot), ">no data<"), 1U);
    }
    Plot plot = two_lines();
    plot.y.scale = Scale::kLog;
    plot.series = {{"s", {1, 2}, {0, -1}}};
    EXPECT_EQ(count(svg_text(plot), ">no data<"), 1U);
    EXPECT_EQ(fault(svg_text(Figure{})), "");
}

TEST(Plot, AGapStaysAGap) {
    Plot plot = two_lines();
    plot.series = {{"s", {0, 1, 2, 3, 4}, {1, 2, kNan, 4, 5}}};
    const std::string svg = svg_text(plot);
    const std::string path = svg.substr(svg.find("<path d=\"M"));
    EXPECT_EQ(count(path.substr(0, path.find("\" ")), "M"), 2U);
}

TEST(Plot, BarsStandBesideAndOnEachOther) {
    Plot plot;
    plot.categories = {"one", "two", "three"};
    plot.series = {{"a", {}, {1, 2, 3}}, {"b", {}, {4, kNan, 6}}};
    for (const BarStyle style : {BarStyle::kGrouped, BarStyle::kStacked}) {
        for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
            plot.bars = style;
            plot.y.scale = scale;
            const std::string svg = svg_text(plot);
            EXPECT_EQ(fault(svg), "");
            // Background, clip, two of the legend, five bars.
            EXPECT_EQ(count(svg, "<rect "), 1U + 1U + 2U + 5U);
            EXPECT_EQ(count(svg, ">three</text>"), 1U);
        }
    }
    plot.categories = {"a name far too long for its place in the row", "two", "three"};
    plot.series.resize(1);
    EXPECT_EQ(fault(svg_text(plot)), "");
    EXPECT_GT(count(svg_text(plot), "rotate(-35"), 0U);
}

TEST(Plot, AnyNumbersGiveAFile) {
    std::mt19937 random(1);
    const std::vector<double> odd = {0,     -0.0, 1e300, -1e300, 1e-300, 5e-324,    kNan,
                                     -kNan, 1,    1,     1e15,   -3,     kInfinity, -kInfinity};
    const auto pick = [&] { return odd[random() % odd.size()]; };
    for (int i = 0; i < 3000; ++i) {
        Plot plot;
        plot.x.scale = random() % 2 == 0 ? Scale::kLinear : Scale::kLog;
        plot.y.scale = random() % 2 == 0 ? Scale::kLinear : Scale::kLog;
        if (random() % 3 == 0) plot.x.from = pick();
        if (random() % 3 == 0) plot.y.to = pick();
        if (random() % 3 == 0) plot.categories = {"p", "q", "r"};
        plot.bars = random() % 2 == 0 ? BarStyle::kGrouped : BarStyle::kStacked;
        for (std::size_t s = random() % 3; s > 0; --s) {
            plot.series.push_back({"s", {pick(), pick(), pick()}, {pick(), pick(), pick()}});
        }
        plot.marks.push_back({pick(), "m", random() % 2 == 0});
        const std::string svg = svg_text(plot);
        ASSERT_EQ(fault(svg), "") << svg;
        ASSERT_LT(svg.size(), 40000U);
    }
}

TEST(Plot, TicksAreRoundNumbersInside) {
    EXPECT_EQ(nice_ticks(0, 1, 5, Scale::kLinear).size(), 6U);
    EXPECT_EQ(nice_ticks(-3, 7, 5, Scale::kLinear), (std::vector<double>{-2, 0, 2, 4, 6}));
    EXPECT_EQ(nice_ticks(1, 1000, 5, Scale::kLog), (std::vector<double>{1, 10, 100, 1000}));
    EXPECT_EQ(nice_ticks(1, 10, 5, Scale::kLog), (std::vector<double>{1, 2, 5, 10}));
    EXPECT_LE(nice_ticks(1e-200, 1e200, 6, Scale::kLog).size(), 7U);
    EXPECT_TRUE(nice_ticks(1, 1, 5, Scale::kLinear).empty());
    std::mt19937 random(2);
    std::uniform_real_distribution<double> exponent(-9, 9);
    for (int i = 0; i < 2000; ++i) {
        const double from = std::pow(10, exponent(random)) * (random() % 2 == 0 ? 1 : -1);
        const double to = from + std::pow(10, exponent(random));
        if (!(to - from > 1e-9 * std::abs(from))) continue;
        const std::vector<double> ticks = nice_ticks(from, to, 6, Scale::kLinear);
        ASSERT_GE(ticks.size(), 2U) << from << " " << to;
        ASSERT_LE(ticks.size(), 7U) << from << " " << to;
        const double slack = 1e-8 * (to - from);
        EXPECT_GE(ticks.front(), from - slack);
        EXPECT_LE(ticks.back(), to + slack);
    }
}

TEST(Plot, WritesAFileOfSeveralPanels) {
    const test::ScratchFolder folder("plot");
    Figure figure;
    figure.title = "Panels";
    figure.columns = 2;
    figure.panels = {two_lines(), two_lines(), Plot{}};
    write_svg(folder / "f.svg", figure);
    const std::string svg = test::read_text(folder / "f.svg");
    EXPECT_EQ(svg, svg_text(figure));
    EXPECT_EQ(fault(svg), "");
    EXPECT_EQ(count(svg, "<clipPath id="), 3U);
    EXPECT_EQ(count(svg, "id=\"panel1\""), 1U);
}

}  // namespace
}  // namespace stiction
