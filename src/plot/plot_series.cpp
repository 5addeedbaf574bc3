// plot_series.cpp - draws series as lines and markers, or as bars beside or on top of each other.
#include "plot/plot_series.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/plot_style.h"

namespace stiction::plotting {

namespace {

// Okabe and Ito's colours, which colour-blind readers can tell apart, without the yellow that
// white paper swallows.
constexpr std::array<const char*, 7> kPalette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#E69F00", "#56B4E9", "#4D4D4D"};

void draw_bar(double x, double width, double y0, double y1, const char* colour, Drawing& out) {
    out.rect(x, std::min(y0, y1), width, std::abs(y1 - y0), "fill=\"" + std::string(colour) + "\"");
}

}  // namespace

const char* colour_of(const Series& series, std::size_t place) {
    const std::size_t i = series.colour >= 0 ? static_cast<std::size_t>(series.colour) : place;
    return kPalette[i % kPalette.size()];
}

std::string dashes_of(const Series& series, std::size_t place) {
    constexpr std::array<const char*, 3> kDashes = {"", "7 4", "2 3"};
    const std::size_t round = series.colour >= 0 ? 0 : place / kPalette.size();
    const char* dashes = series.dashed && round == 0 ? "6 4" : kDashes[round % kDashes.size()];
    return *dashes == '\0' ? "" : " stroke-dasharray=\"" + std::string(dashes) + "\"";
}

bool has_data(const Plot& plot, const Panel& panel) {
    for (const Series& series : plot.series) {
        const std::size_t n = is_bar_chart(plot) ? std::min(series.y.size(), plot.categories.size())
                                                 : std::min(series.x.size(), series.y.size());
        for (std::size_t i = 0; i < n; ++i) {
            const bool x_shows = is_bar_chart(plot) || panel.rx.shows(series.x[i]);
            if (x_shows && panel.ry.shows(series.y[i])) return true;
        }
    }
    return false;
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
            if (begun && series.line == LineStyle::kStep) {
                path.append("H").append(x).append("V").append(y);
            } else {
                path.append(begun ? "L" : "M").append(x).append(" ").append(y);
            }
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

}  // namespace stiction::plotting
