// plot.cpp - lays plots out and writes them as SVG.
#include "record/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

#include "record/output_file.h"

namespace stiction {

namespace {

// Okabe and Ito's colours, which colour-blind readers can tell apart, without the yellow that
// white paper swallows.
constexpr std::array<const char*, 7> kPalette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#E69F00", "#56B4E9", "#4D4D4D"};
constexpr const char* kInk = "#222222";
constexpr const char* kGrey = "#6B6B6B";
constexpr const char* kGrid = "#E4E4E4";
constexpr const char* kMinorGrid = "#F3F3F3";
constexpr const char* kMarkStyle =
    "stroke=\"#6B6B6B\" stroke-width=\"1.3\" stroke-dasharray=\"5 4\"";
constexpr double kFont = 12;       // [px]
constexpr double kTitleFont = 15;  // [px]
constexpr double kEdge = 14;       // [px] around everything

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Two decimals are a hundredth of a pixel.
std::string px(double x) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", x);
    std::string s = text.data();
    s.erase(s.find_last_not_of('0') + 1);
    if (s.back() == '.') s.pop_back();
    return s == "-0" ? "0" : s;
}

// Bytes of the UTF-8 sequence at the front; 0 when it is none that XML allows.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
    const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < n) return 0;
    for (std::size_t i = 1; i < n; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    const bool surrogate = lead == 0xed && byte(1) >= 0xa0;
    const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
    const bool beyond = lead == 0xf4 && byte(1) >= 0x90;
    const bool no_character = lead == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe;
    return surrogate || overlong || beyond || no_character ? 0 : n;
}

std::string escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t n = utf8_length(text);
        if (n == 0) {
            out += "\xEF\xBF\xBD";  // the replacement character
        } else if (text[0] == '&') {
            out += "&amp;";
        } else if (text[0] == '<') {
            out += "&lt;";
        } else if (text[0] == '>') {
            out += "&gt;";
        } else if (text[0] == '"') {
            out += "&quot;";
        } else {
            out += text.substr(0, n);
        }
        text.remove_prefix(std::max<std::size_t>(n, 1));
    }
    return out;
}

// About, as the reader's font is not known.
double text_width(std::string_view text, double size = kFont) {
    double width = 0;
    for (const char c : text) {
        const bool narrow = std::string_view("ijltfrI.,:;|!'()[] ").find(c) != text.npos;
        const bool wide = std::string_view("mwMW@%").find(c) != text.npos;
        const bool inner_byte = (c & 0xc0) == 0x80;  // of UTF-8
        width += inner_byte ? 0 : narrow ? 0.36 : wide ? 0.9 : c >= 'A' && c <= 'Z' ? 0.68 : 0.6;
    }
    return size * width;
}

std::string superscript(int exponent) {
    constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                     "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char c : std::to_string(exponent)) {
        text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
    }
    return text;
}

// A number with just the digits that tell it from its neighbours a `step` away; step 0: with a
// power of ten.
std::string tick_text(double value, double step) {
    if (value == 0) return "0";
    const double size = std::abs(value);
    std::array<char, 64> text{};
    if (step >= 1e6 || step == 0 || (size < 1e-2 && step < 1e-4)) {
        const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-12));
        std::snprintf(text.data(), text.size(), "%.12g", size / std::pow(10, exponent));
        const std::string factor = text.data();
        const std::string power = "10" + superscript(exponent);
        return (value < 0 ? "−" : "") + (factor == "1" ? power : factor + "·" + power);
    }
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    std::snprintf(text.data(), text.size(), "%.*f", decimals, size);
    return (value < 0 ? "−" : "") + std::string(text.data());
}

// Plain numbers as long as all of an axis are short, otherwise powers of ten.
std::string log_tick_text(double value, bool plain) {
    if (!plain) return tick_text(value, 0);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

// An axis with its range settled, mapping values to pixels between `begin` and `end`.
struct Ruler {
    Scale scale = Scale::kLinear;
    double from = 0, to = 1;    // values
    double begin = 0, end = 1;  // [px]

    [[nodiscard]] bool shows(double value) const {
        return std::isfinite(value) && (scale == Scale::kLinear || value > 0);
    }
    [[nodiscard]] double at(double value) const {
        const double part = scale == Scale::kLog ? (std::log10(value) - std::log10(from)) /
                                                       (std::log10(to) - std::log10(from))
                                                 : (value - from) / (to - from);
        // Far outside is as good as just outside, and keeps the numbers in the file short.
        return begin + std::clamp(part, -4.0, 5.0) * (end - begin);
    }
    [[nodiscard]] bool inside(double value) const {
        return shows(value) && value >= std::min(from, to) && value <= std::max(from, to);
    }
};

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

// Differences and quotients of the ends stay finite, and the range is not empty.
void keep_drawable(bool log, Range& data) {
    constexpr double kHuge = 1e300;
    data.low = std::clamp(data.low, log ? 1 / kHuge : -kHuge, kHuge);
    data.high = std::clamp(data.high, log ? 1 / kHuge : -kHuge, kHuge);
    const double size = std::max(std::abs(data.low), std::abs(data.high));
    if (log) {
        if (!(data.high > 1.0001 * data.low)) data = {data.low / 2, 2 * data.low};
    } else if (!(data.high - data.low > std::max(1e-9 * size, 1 / kHuge))) {
        const double margin = size <= 1 / kHuge ? 1 : 0.1 * size;
        data = {data.low - margin, data.low + margin};
    }
}

// The range of the axis: what it asks for, otherwise the data's with a margin, rounded outward to
// powers of ten (logarithmic, more than a decade) or ticks (linear, unless `tight`).
Ruler settle(const Axis& axis, Range data, int ticks_wanted, bool tight) {
    Ruler ruler;
    ruler.scale = axis.scale;
    const bool log = axis.scale == Scale::kLog;
    if (!(data.low <= data.high)) data = log ? Range{1, 10} : Range{0, 1};
    keep_drawable(log, data);
    if (log && !tight) {
        const double low = std::floor(std::log10(data.low) + 1e-9);
        const double high = std::ceil(std::log10(data.high) - 1e-9);
        data = {std::pow(10, low), std::pow(10, high)};
    } else if (!tight) {
        const std::vector<double> ticks = nice_ticks(data.low, data.high, ticks_wanted, axis.scale);
        const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : data.high - data.low;
        data = {step * std::floor(data.low / step + 1e-9),
                step * std::ceil(data.high / step - 1e-9)};
    }
    const auto wanted = [log](const std::optional<double>& value) {
        return value && std::isfinite(*value) && (!log || *value > 0);
    };
    if (wanted(axis.from)) data.low = *axis.from;
    if (wanted(axis.to)) data.high = *axis.to;
    keep_drawable(log, data);
    ruler.from = data.low;
    ruler.to = data.high;
    return ruler;
}

bool is_bar_chart(const Plot& plot) { return !plot.categories.empty(); }

const char* colour_of(const Series& series, std::size_t place) {
    const std::size_t i = series.colour >= 0 ? index(series.colour) : place;
    return kPalette[i % kPalette.size()];
}

// Series that share a colour differ by their dashes.
std::string dashes_of(const Series& series, std::size_t place) {
    constexpr std::array<const char*, 3> kDashes = {"", "7 4", "2 3"};
    const std::size_t round = series.colour >= 0 ? 0 : place / kPalette.size();
    const char* dashes = series.dashed && round == 0 ? "6 4" : kDashes[round % kDashes.size()];
    return *dashes == '\0' ? "" : " stroke-dasharray=\"" + std::string(dashes) + "\"";
}

Range data_range(const Plot& plot, bool of_x) {
    Range range;
    const bool log = (of_x ? plot.x : plot.y).scale == Scale::kLog;
    const auto usable = [log](double v) { return std::isfinite(v) && (!log || v > 0); };
    if (is_bar_chart(plot) && !of_x && !log) range.add(0);
    if (is_bar_chart(plot) && plot.bars == BarStyle::kStacked) {
        for (std::size_t c = 0; c < plot.categories.size(); ++c) {
            double up = 0, down = 0;
            for (const Series& series : plot.series) {
                if (c >= series.y.size() || !std::isfinite(series.y[c])) continue;
                (series.y[c] > 0 ? up : down) += series.y[c];
                if (log && usable(up)) range.add(up);
            }
            if (!log) range.add(up), range.add(down);
        }
    } else {
        for (const Series& series : plot.series) {
            const std::vector<double>& values = of_x ? series.x : series.y;
            for (const double value : values) {
                if (usable(value)) range.add(value);
            }
        }
    }
    for (const Mark& mark : plot.marks) {
        if (mark.vertical == of_x && usable(mark.at)) range.add(mark.at);
    }
    return range;
}

// Writes elements of one drawing.
class Drawing {
  public:
    void line(double x1, double y1, double x2, double y2, const std::string& style) {
        text_ += "<line x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) + "\" y2=\"" +
                 px(y2) + "\" " + style + "/>\n";
    }
    void rect(double x, double y, double width, double height, const std::string& style) {
        text_ += "<rect x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"" + px(width) +
                 "\" height=\"" + px(height) + "\" " + style + "/>\n";
    }
    void words(double x, double y, std::string_view text, const std::string& style) {
        if (text.empty()) return;
        text_ += "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" " + style + ">" + escaped(text) +
                 "</text>\n";
    }
    // Shape `kind` (mod 4) around a point: also in grey, series stay apart.
    void marker(double x, double y, std::size_t kind, const char* colour) {
        const std::string paint =
            "\" fill=\"" + std::string(colour) + "\" stroke=\"#FFFFFF\" stroke-width=\"0.8\"/>\n";
        if (kind % 4 == 0) {
            text_ += "<circle cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"3.6" + paint;
            return;
        }
        constexpr std::array<std::array<double, 8>, 3> kCorners = {
            {{-3.2, -3.2, 3.2, -3.2, 3.2, 3.2, -3.2, 3.2},  // square
             {-4.2, 3.3, 0, -4.2, 4.2, 3.3, 0, 3.3},        // triangle
             {-4.4, 0, 0, -4.4, 4.4, 0, 0, 4.4}}};          // diamond
        const std::array<double, 8>& corners = kCorners[kind % 4 - 1];
        text_ += "<path d=\"";
        for (std::size_t i = 0; i < 8; i += 2) {
            text_ += (i == 0 ? "M" : "L") + px(x + corners[i]) + " " + px(y + corners[i + 1]);
        }
        text_ += "Z" + paint;
    }
    void raw(const std::string& text) { text_ += text; }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};

std::string font(double size, const char* colour, const char* anchor, bool bold = false) {
    return "font-size=\"" + px(size) + "\" fill=\"" + colour + "\" text-anchor=\"" + anchor + "\"" +
           (bold ? " font-weight=\"600\"" : "");
}

constexpr double kLineSample = 24;  // [px] of line before a name
constexpr double kBoxSample = 13;   // [px] of a bar's colour before its name

struct LegendEntry {
    const Series* series = nullptr;
    std::size_t place = 0;       // of the series
    const Mark* mark = nullptr;  // instead of a series
    double sample = 0;           // [px]
    double x = 0, y = 0;         // [px] from the legend's corner

    [[nodiscard]] const std::string& name() const {
        return series != nullptr ? series->name : mark->label;
    }
};

struct Legend {
    std::vector<LegendEntry> entries;
    double height = 0;  // [px]
};

// A mark's word would lie on the bars.
bool is_in_legend(const Plot& plot, const Mark& mark) {
    return is_bar_chart(plot) && !mark.vertical && !mark.label.empty();
}

// Names in rows from the left.
Legend lay_out_legend(const Plot& plot, double width) {
    constexpr double kRow = 19;
    Legend legend;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        if (plot.series[s].name.empty()) continue;
        const double sample = is_bar_chart(plot) ? kBoxSample : kLineSample;
        legend.entries.push_back({&plot.series[s], s, nullptr, sample});
    }
    for (const Mark& mark : plot.marks) {
        if (is_in_legend(plot, mark)) legend.entries.push_back({nullptr, 0, &mark, kLineSample});
    }
    double x = 0, y = 0;
    for (LegendEntry& entry : legend.entries) {
        const double wide = entry.sample + 6 + text_width(entry.name()) + 16;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kRow;
        }
        entry.x = x;
        entry.y = y;
        x += wide;
    }
    if (!legend.entries.empty()) legend.height = y + kRow + 5;
    return legend;
}

// Where the parts of one panel lie.
struct Layout {
    double left = 0, top = 0, right = 0, bottom = 0;  // [px] of the plotting area
    double legend_top = 0;
    Legend legend;
    bool slanted = false;     // names of categories
    double names_height = 0;  // [px] below the area that names take
};

struct Ticks {
    std::vector<double> values;
    std::vector<std::string> names;
};

Ticks make_ticks(const Ruler& ruler, int count) {
    Ticks ticks;
    ticks.values = nice_ticks(ruler.from, ruler.to, count, ruler.scale);
    const double step = ticks.values.size() > 1 ? ticks.values[1] - ticks.values[0]
                                                : std::max(std::abs(ruler.to), 1e-300);
    const bool plain =
        !ticks.values.empty() && ticks.values.front() > 0.99e-3 && ticks.values.back() < 1.01e4;
    for (const double value : ticks.values) {
        ticks.names.push_back(ruler.scale == Scale::kLog ? log_tick_text(value, plain)
                                                         : tick_text(value, step));
    }
    return ticks;
}

double widest(const std::vector<std::string>& names) {
    double width = 0;
    for (const std::string& name : names) width = std::max(width, text_width(name));
    return width;
}

constexpr double kSlant = 35;  // [degrees]

Layout lay_out(const Plot& plot, double x, double y, double width, double height,
               const Ticks& y_ticks) {
    Layout layout;
    layout.left = x + widest(y_ticks.names) + 10 + (plot.y.label.empty() ? 0 : 22);
    layout.right = x + width - 12;
    layout.legend_top = y + (plot.title.empty() ? 4 : 26);
    layout.legend = lay_out_legend(plot, layout.right - layout.left);
    layout.top = layout.legend_top + layout.legend.height + 6;
    layout.names_height = 20;
    if (is_bar_chart(plot)) {
        const double widest_name = widest(plot.categories);
        const double room =
            (layout.right - layout.left) / static_cast<double>(plot.categories.size());
        layout.slanted = widest_name > room - 6;
        if (layout.slanted) {
            constexpr double kRadians = kSlant * 3.14159265358979 / 180;
            layout.names_height = 14 + widest_name * std::sin(kRadians);
            // The first name leans out to the left.
            layout.left =
                std::max(layout.left,
                         x + text_width(plot.categories[0]) * std::cos(kRadians) - room / 2 + 4);
        }
    }
    layout.bottom = y + height + (layout.slanted ? layout.names_height - 20 : 0) -
                    layout.names_height - (plot.x.label.empty() ? 0 : 22);
    return layout;
}

// Lines at 2 .. 9 times the powers of ten where there are few of these.
void draw_minor_grid(const Ruler& ruler, bool is_x, const Layout& at, Drawing& out) {
    if (ruler.scale != Scale::kLog || std::log10(ruler.to / ruler.from) > 4.5) return;
    const std::string style = "stroke=\"" + std::string(kMinorGrid) + "\"";
    for (double e = std::floor(std::log10(ruler.from)); e <= std::log10(ruler.to); ++e) {
        for (int m = 2; m < 10; ++m) {
            const double value = m * std::pow(10, e);
            if (!ruler.inside(value)) continue;
            const double p = ruler.at(value);
            is_x ? out.line(p, at.top, p, at.bottom, style)
                 : out.line(at.left, p, at.right, p, style);
        }
    }
}

void draw_axes(const Plot& plot, const Ruler& rx, const Ruler& ry, const Ticks& y_ticks,
               const Layout& at, Drawing& out) {
    const std::string grid = "stroke=\"" + std::string(kGrid) + "\"";
    const std::string ink = "stroke=\"" + std::string(kGrey) + "\"";
    const double middle_x = (at.left + at.right) / 2;
    const double middle_y = (at.top + at.bottom) / 2;
    draw_minor_grid(ry, false, at, out);
    if (!is_bar_chart(plot)) draw_minor_grid(rx, true, at, out);
    for (std::size_t i = 0; i < y_ticks.values.size(); ++i) {
        const double y = ry.at(y_ticks.values[i]);
        out.line(at.left, y, at.right, y, grid);
        out.words(at.left - 7, y + 0.35 * kFont, y_ticks.names[i], font(kFont, kInk, "end"));
    }
    if (is_bar_chart(plot)) {
        const double room = (at.right - at.left) / static_cast<double>(plot.categories.size());
        for (std::size_t c = 0; c < plot.categories.size(); ++c) {
            const double x = at.left + (static_cast<double>(c) + 0.5) * room;
            const double y = at.bottom + 17;
            if (at.slanted) {
                out.words(x + 3, y - 3, plot.categories[c],
                          font(kFont, kInk, "end") + " transform=\"rotate(-" + px(kSlant) + " " +
                              px(x + 3) + " " + px(y - 3) + ")\"");
            } else {
                out.words(x, y, plot.categories[c], font(kFont, kInk, "middle"));
            }
        }
    } else {
        const int most = std::max(2, static_cast<int>((at.right - at.left) / 80));
        const Ticks x_ticks = make_ticks(rx, most);
        for (std::size_t i = 0; i < x_ticks.values.size(); ++i) {
            const double x = rx.at(x_ticks.values[i]);
            out.line(x, at.top, x, at.bottom, grid);
            out.line(x, at.bottom, x, at.bottom + 4, ink);
            out.words(x, at.bottom + 17, x_ticks.names[i], font(kFont, kInk, "middle"));
        }
    }
    out.line(at.left, at.bottom, at.right, at.bottom, ink);
    out.line(at.left, at.top, at.left, at.bottom, ink);
    out.words(middle_x, at.bottom + at.names_height + 17, plot.x.label,
              font(kFont + 1, kInk, "middle"));
    const double label_x = at.left - widest(y_ticks.names) - 16;
    out.words(label_x, middle_y, plot.y.label,
              font(kFont + 1, kInk, "middle") + " transform=\"rotate(-90 " + px(label_x) + " " +
                  px(middle_y) + ")\"");
}

void draw_legend(const Plot& plot, const Layout& at, Drawing& out) {
    for (const LegendEntry& entry : at.legend.entries) {
        const double x = at.left + entry.x;
        const double y = at.legend_top + entry.y + 10;
        const double end = x + entry.sample;
        out.words(end + 6, y + 0.35 * kFont, entry.name(), font(kFont, kInk, "start"));
        if (entry.mark != nullptr) {
            out.line(x, y, end, y, kMarkStyle);
            continue;
        }
        const std::string colour = colour_of(*entry.series, entry.place);
        if (is_bar_chart(plot)) {
            out.rect(x, y - 6, entry.sample, 12, "rx=\"2\" fill=\"" + colour + "\"");
            continue;
        }
        if (entry.series->line != LineStyle::kHidden) {
            out.line(x, y, end, y,
                     "stroke=\"" + colour + "\" stroke-width=\"2.2\"" +
                         dashes_of(*entry.series, entry.place));
        }
        if (entry.series->markers) out.marker((x + end) / 2, y, entry.place, colour.c_str());
    }
}

void draw_lines(const Plot& plot, const Ruler& rx, const Ruler& ry, Drawing& out) {
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const Series& series = plot.series[s];
        const std::size_t n = std::min(series.x.size(), series.y.size());
        if (series.line == LineStyle::kHidden) continue;
        std::string path;
        bool begun = false;
        for (std::size_t i = 0; i < n; ++i) {
            if (!rx.shows(series.x[i]) || !ry.shows(series.y[i])) {
                begun = false;
                continue;
            }
            const std::string x = px(rx.at(series.x[i]));
            const std::string y = px(ry.at(series.y[i]));
            if (begun && series.line == LineStyle::kStep) path += "H" + x + "V" + y;
            if (begun && series.line == LineStyle::kStraight) path += "L" + x + " " + y;
            if (!begun) path += "M" + x + " " + y;
            begun = true;
        }
        if (path.empty()) continue;
        out.raw("<path d=\"" + path + "\" fill=\"none\" stroke=\"" +
                std::string(colour_of(series, s)) +
                "\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke-linecap=\"round\"" +
                dashes_of(series, s) + "/>\n");
    }
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const Series& series = plot.series[s];
        const std::size_t n = std::min(series.x.size(), series.y.size());
        for (std::size_t i = 0; series.markers && i < n; ++i) {
            if (!rx.inside(series.x[i]) || !ry.inside(series.y[i])) continue;
            out.marker(rx.at(series.x[i]), ry.at(series.y[i]), s, colour_of(series, s));
        }
    }
}

void draw_bar(double x, double width, double y0, double y1, const char* colour, Drawing& out) {
    out.rect(x, std::min(y0, y1), width, std::abs(y1 - y0), "fill=\"" + std::string(colour) + "\"");
}

void draw_bars(const Plot& plot, const Ruler& ry, const Layout& at, Drawing& out) {
    const double room = (at.right - at.left) / static_cast<double>(plot.categories.size());
    const bool stacked = plot.bars == BarStyle::kStacked;
    const double base = ry.scale == Scale::kLog ? ry.from : 0;
    const double group = std::min(0.78 * room, stacked ? 72.0 : 1e9);
    const double slot =
        group / static_cast<double>(stacked ? 1 : std::max<std::size_t>(plot.series.size(), 1));
    const double wide = stacked ? slot : std::min(slot * 0.9, 60.0);
    for (std::size_t c = 0; c < plot.categories.size(); ++c) {
        const double middle = at.left + (static_cast<double>(c) + 0.5) * room;
        double up = base, down = base;
        for (std::size_t s = 0; s < plot.series.size(); ++s) {
            const Series& series = plot.series[s];
            if (c >= series.y.size() || !ry.shows(series.y[c])) continue;
            const char* colour = colour_of(series, s);
            if (!stacked) {
                const double x =
                    middle - group / 2 + (static_cast<double>(s) + 0.5) * slot - wide / 2;
                draw_bar(x, wide, ry.at(base), ry.at(series.y[c]), colour, out);
                continue;
            }
            double& end = series.y[c] >= 0 ? up : down;
            const double begin = end;
            end = (ry.scale == Scale::kLog && end == base ? 0 : end) + series.y[c];
            draw_bar(middle - wide / 2, wide, ry.at(begin), ry.at(end), colour, out);
        }
    }
    if (ry.scale == Scale::kLinear && ry.from < 0) {
        out.line(at.left, ry.at(0), at.right, ry.at(0), "stroke=\"" + std::string(kGrey) + "\"");
    }
}

void draw_marks(const Plot& plot, const Ruler& rx, const Ruler& ry, const Layout& at,
                Drawing& out) {
    for (const Mark& mark : plot.marks) {
        const Ruler& ruler = mark.vertical ? rx : ry;
        if (!ruler.inside(mark.at) || (mark.vertical && is_bar_chart(plot))) continue;
        const double p = ruler.at(mark.at);
        // Words in grey with a white rim, so that they read across lines.
        const std::string rim =
            " stroke=\"#FFFFFF\" stroke-width=\"3\" stroke-linejoin=\"round\" "
            "paint-order=\"stroke\"";
        if (mark.vertical) {
            out.line(p, at.top, p, at.bottom, kMarkStyle);
            const bool left = p + 5 + text_width(mark.label) > at.right;
            out.words(left ? p - 5 : p + 5, at.top + 13, mark.label,
                      font(kFont - 1, kGrey, left ? "end" : "start") + rim);
        } else {
            out.line(at.left, p, at.right, p, kMarkStyle);
            if (is_in_legend(plot, mark)) continue;
            out.words(at.right - 4, p - at.top < 18 ? p + 14 : p - 5, mark.label,
                      font(kFont - 1, kGrey, "end") + rim);
        }
    }
}

bool has_data(const Plot& plot, const Ruler& rx, const Ruler& ry) {
    for (const Series& series : plot.series) {
        const std::size_t n = is_bar_chart(plot) ? std::min(series.y.size(), plot.categories.size())
                                                 : std::min(series.x.size(), series.y.size());
        for (std::size_t i = 0; i < n; ++i) {
            if (ry.shows(series.y[i]) && (is_bar_chart(plot) || rx.shows(series.x[i]))) return true;
        }
    }
    return false;
}

// Everything about one panel that is settled before it is drawn.
struct Panel {
    Ruler rx, ry;
    Ticks y_ticks;
    Layout layout;
};

Panel prepare(const Plot& plot, double x, double y, double width, double height) {
    Panel panel;
    const int count = std::max(3, static_cast<int>(height / 40));
    panel.rx = settle(plot.x, data_range(plot, true), count, true);
    panel.ry = settle(plot.y, data_range(plot, false), count, false);
    panel.y_ticks = make_ticks(panel.ry, count);
    panel.layout = lay_out(plot, x, y, width, height, panel.y_ticks);
    panel.rx.begin = panel.layout.left;
    panel.rx.end = panel.layout.right;
    panel.ry.begin = panel.layout.bottom;
    panel.ry.end = panel.layout.top;
    return panel;
}

void draw(const Plot& plot, const Panel& panel, std::size_t number, Drawing& out) {
    const Layout& at = panel.layout;
    const std::string clip = "panel" + std::to_string(number);
    const double room = (at.right - at.left) / std::max(1.0, text_width(plot.title, 1));
    out.words(at.left, at.legend_top - 10, plot.title,
              font(std::clamp(0.95 * room, 9.0, kTitleFont), kInk, "start", true));
    draw_axes(plot, panel.rx, panel.ry, panel.y_ticks, at, out);
    draw_legend(plot, at, out);
    out.raw("<clipPath id=\"" + clip + "\"><rect x=\"" + px(at.left) + "\" y=\"" + px(at.top - 2) +
            "\" width=\"" + px(at.right - at.left + 2) + "\" height=\"" +
            px(at.bottom - at.top + 3) + "\"/></clipPath>\n<g clip-path=\"url(#" + clip + ")\">\n");
    if (is_bar_chart(plot)) {
        draw_bars(plot, panel.ry, at, out);
    } else {
        draw_lines(plot, panel.rx, panel.ry, out);
    }
    out.raw("</g>\n");
    draw_marks(plot, panel.rx, panel.ry, at, out);
    if (!has_data(plot, panel.rx, panel.ry)) {
        out.words((at.left + at.right) / 2, (at.top + at.bottom) / 2, "no data",
                  font(kFont + 1, kGrey, "middle"));
    }
}

}  // namespace

std::vector<double> nice_ticks(double from, double to, int count, Scale scale) {
    std::vector<double> ticks;
    if (!(to > from) || !std::isfinite(to - from) || count < 1) return ticks;
    if (scale == Scale::kLog && from > 0) {
        const int low = static_cast<int>(std::ceil(std::log10(from) - 1e-9));
        const int high = static_cast<int>(std::floor(std::log10(to) + 1e-9));
        const int stride = std::max(1, (high - low + count) / count);
        const bool between = high - low < 2;
        if (std::log10(to / from) > 0.7) {
            for (int e = between ? low - 1 : low; e <= high; ++e) {
                if (e % stride != 0) continue;
                for (const double m : {1.0, 2.0, 5.0}) {
                    const double value = m * std::pow(10, e);
                    const bool in = value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9);
                    if (in && (m == 1 || between)) ticks.push_back(value);
                }
            }
            return ticks;
        }
    }
    const double rough = (to - from) / count;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double m : {5.0, 2.0, 1.0}) {
        if (m * power >= rough * (1 - 1e-9)) step = m * power;
    }
    const double first = std::ceil(from / step - 1e-9);
    for (double k = first; k * step <= to + 1e-9 * step; ++k) {
        ticks.push_back(k == 0 ? 0 : k * step);
    }
    return ticks;
}

std::string svg_text(const Figure& figure) {
    const int columns = std::max(1, figure.columns);
    const double top = kEdge + (figure.title.empty() ? 0 : 30);
    constexpr double kGap = 22;
    Drawing drawing;
    double y = top;
    double row_bottom = top;
    const auto panels = static_cast<int>(figure.panels.size());
    for (int i = 0; i < panels; ++i) {
        if (i > 0 && i % columns == 0) y = row_bottom + kGap;
        const double x = kEdge + (i % columns) * (figure.panel_width + kGap);
        const Plot& plot = figure.panels[index(i)];
        const Panel panel = prepare(plot, x, y, figure.panel_width, figure.panel_height);
        draw(plot, panel, index(i), drawing);
        const Layout& at = panel.layout;
        row_bottom =
            std::max(row_bottom, at.bottom + at.names_height + (plot.x.label.empty() ? 4 : 26));
    }
    const int across = std::min(columns, std::max(1, panels));
    const double width = 2 * kEdge + across * figure.panel_width + (across - 1) * kGap;
    const double height = row_bottom + kEdge;
    Drawing frame;
    frame.raw(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\""
        " width=\"" +
        px(width) + "\" height=\"" + px(height) + "\" viewBox=\"0 0 " + px(width) + " " +
        px(height) +
        "\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n");
    frame.rect(0, 0, width, height, "fill=\"#FFFFFF\"");
    frame.words(kEdge + 2, kEdge + 14, figure.title, font(kTitleFont + 3, kInk, "start", true));
    frame.raw(drawing.text() + "</svg>\n");
    return frame.text();
}

std::string svg_text(const Plot& plot) {
    Figure figure;
    figure.panels.push_back(plot);
    return svg_text(figure);
}

void write_svg(const std::string& path, const Figure& figure) {
    write_file(path, svg_text(figure));
}

void write_svg(const std::string& path, const Plot& plot) { write_file(path, svg_text(plot)); }

}  // namespace stiction
