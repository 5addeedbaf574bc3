// frame_report.cpp - the page: table, pictures per solver, profiles, curves, hardest frames.
#include "compare/frame_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/printable.h"

namespace stiction {

namespace {

constexpr std::size_t kHardest = 10;     // frames that are listed
constexpr std::size_t kCurves = 2;       // frames whose convergence is drawn
constexpr int kMostIterations = 2000;    // of a curve
constexpr double kSmallest = 1e-17;      // on a logarithmic axis; below all is rounding
constexpr std::size_t kMostLabels = 12;  // numbers below the bars

constexpr const char* kStyle =
    "body{font:15px/1.45 sans-serif;max-width:1180px;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;font-size:12px}"
    "td,th{padding:.25em .45em;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}"
    "td:first-child,th:first-child{text-align:left}"
    "td.command{text-align:left;white-space:normal}"
    "code{background:#f3f3f3;padding:.1em "
    ".3em;overflow-wrap:anywhere}svg{max-width:100%;height:auto}"
    ".wide{overflow-x:auto}";

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : printable(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

double error_of(const ComparedFrame& row) {
    const double error = std::max(row.quality.natural.norm, row.quality.scaled.norm);
    return error == error ? error : std::numeric_limits<double>::infinity();
}

std::vector<const ComparedFrame*> rows_of(const std::vector<ComparedFrame>& rows,
                                          std::size_t variant) {
    std::vector<const ComparedFrame*> mine;
    for (const ComparedFrame& row : rows) {
        if (row.variant == variant) mine.push_back(&row);
    }
    return mine;
}

// Names of parts inside a drawing begin with its number, as several stand on one page.
std::string inline_svg(const Figure& figure, int number) {
    std::string text = svg_text(figure);
    for (const std::string mark : {"id=\"", "url(#"}) {
        const std::string prefix = "f" + std::to_string(number) + "_";
        for (std::size_t at = text.find(mark); at != std::string::npos;
             at = text.find(mark, at + mark.size()))
            text.insert(at + mark.size(), prefix);
    }
    return text + "\n";
}

std::string totals_html(const std::vector<VariantTotals>& totals) {
    std::string text =
        "<div class=wide><table><tr><th>solver<th>solved<th>median [ms]<th>iterations<th>"
        "residual<th>resting<th>sliding<th>pushing<th>penetr. [m]<th>alignment<th>creep "
        "[m/s]<th>cone [N s]<th>natural<th>scaled<th>worst natural</tr>\n";
    for (const VariantTotals& t : totals)
        text += fmt::format(
            "<tr><td>{}<td>{} of {}<td>{:.3g}<td>{:.1f}<td>{:.1e}<td>{:.1f}<td>{:.1f}<td>{:.1f}<td>"
            "{:.1e}<td>{:.1e}<td>{:.1e}<td>{:.1e}<td>{:.1e}<td>{:.1e}<td>{:.1e}</tr>\n",
            escaped(t.label), t.solved, t.frames, t.median_ms, t.iterations, t.residual, t.resting,
            t.sliding, t.misaligned, t.penetration, t.alignment, t.creep, t.cone, t.natural,
            t.scaled, t.natural_worst);
    return text + "</table></div>\n";
}

std::string profiles_html(const FrameComparison& comparison,
                          const std::vector<ComparedFrame>& rows) {
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 500;
    figure.panel_height = 320;
    Plot time = profile_plot(frame_profile(comparison, rows, false));
    time.title = "Solved within a factor of the quickest";
    Plot error = profile_plot(frame_profile(comparison, rows, true));
    error.title = "Error within a factor of the least";
    error.x.label = "error over the least error";
    figure.panels = {time, error};
    return inline_svg(figure, 0);
}

// Residual over iterations and over time, for the hardest frames.
std::string curves_html(const FrameComparison& comparison, const std::vector<HardFrame>& hard) {
    std::string text;
    for (std::size_t k = 0; k < std::min(kCurves, hard.size()); ++k) {
        Plot iterations, time;
        iterations.title = "Frame " + std::to_string(hard[k].chosen.frame + 1) + ": residual";
        iterations.x = {"iterations of the solver", Scale::kLog};
        iterations.y = {"larger of natural and scaled", Scale::kLog};
        time.title = iterations.title;
        time.x = {"CPU time [ms]", Scale::kLog};
        time.y = iterations.y;
        for (std::size_t v = 0; v < comparison.variants(); ++v) {
            const FrameComparison::Convergence c =
                comparison.convergence(hard[k].chosen, v, kMostIterations);
            Series series;
            series.name = comparison.label(v);
            series.markers = true;
            series.x = c.iterations;
            for (const double r : c.residual) series.y.push_back(std::max(r, kSmallest));
            iterations.series.push_back(series);
            series.x.clear();
            for (const double t : c.seconds) series.x.push_back(1e3 * t);
            time.series.push_back(series);
        }
        Figure figure;
        figure.columns = 2;
        figure.panel_width = 500;
        figure.panel_height = 320;
        figure.panels = {iterations, time};
        text += inline_svg(figure, 1 + static_cast<int>(k));
    }
    return text;
}

std::string solvers_option(const FrameComparison& comparison) {
    std::string list;
    for (std::size_t v = 0; v < comparison.variants(); ++v)
        list += (v == 0 ? "" : ",") + comparison.label(v);
    return list;
}

std::string hardest_html(const FrameComparison& comparison, const std::vector<HardFrame>& hard) {
    std::string text =
        "<div class=wide><table><tr><th>frame<th>contacts<th>least error<th>by<th>largest "
        "error<th>by<th>command</tr>\n";
    for (const HardFrame& frame : hard) {
        const std::string& path = comparison.files()[frame.chosen.file].path();
        text += fmt::format(
            "<tr><td>{}<td>{}<td>{:.1e}<td>{}<td>{:.1e}<td>{}<td class=command><code>stiction "
            "solve {} --frames "
            "{} --models {}</code></tr>\n",
            escaped(frame.name), frame.contacts, frame.error, escaped(frame.best),
            frame.worst_error, escaped(frame.worst), escaped(path), frame.chosen.frame + 1,
            escaped(solvers_option(comparison)));
    }
    return text + "</table></div>\n";
}

std::string settings_html(const FrameComparison& comparison, std::size_t frames,
                          const ReportInfo& info) {
    const FrameComparisonSettings& s = comparison.settings();
    std::string text = fmt::format("<p>{} frames of ", frames);
    for (std::size_t i = 0; i < comparison.files().size(); ++i)
        text += (i == 0 ? "" : ", ") + escaped(comparison.files()[i].path());
    text += fmt::format(
        ", every one by every solver from {}. {} A contact rests where its normal impulse exceeds "
        "{:g} of the largest, and a resting one slides above {:g} m/s.</p>\n<p>Made by "
        "<code>{}</code>, Stiction {}, {}.</p>\n",
        s.warm ? "the stored start" : "zero impulses",
        s.equal_work ? "Each solver had the CPU time that the first one took."
        : s.alone    ? "Each solver answers for itself, without fallbacks."
                     : "Solvers may fall back to others, as in a run.",
        s.thresholds.rest, s.thresholds.slide, escaped(info.command), escaped(info.version),
        escaped(info.date));
    return text;
}

}  // namespace

// Bars: what resting contacts do; lines: how wrong friction is.
Figure frame_figure(const std::vector<ComparedFrame>& all, std::size_t variant) {
    const std::vector<const ComparedFrame*> rows = rows_of(all, variant);
    Plot bars;
    bars.title = "Resting contacts";
    bars.bars = BarStyle::kStacked;
    bars.y.label = "contacts";
    bars.x.label = "frame";
    const std::size_t every = std::max<std::size_t>(1, rows.size() / kMostLabels);
    Series wrong, good, sticking;
    wrong.name = "slide, friction pushes";
    good.name = "slide, friction brakes";
    sticking.name = "stick";
    wrong.colour = 1;
    good.colour = 0;
    sticking.colour = 5;
    Plot lines;
    lines.title = "Errors of friction";
    lines.x.label = "frame";
    lines.y = {"norm over the contacts", Scale::kLog};
    Series alignment, creep, cone;
    alignment.name = "alignment [-]";
    creep.name = "creep [m/s]";
    cone.name = "cone [N s]";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ContactQuality& q = rows[i]->quality;
        bars.categories.push_back(i % every == 0 ? std::to_string(i + 1) : "");
        wrong.y.push_back(q.misaligned);
        good.y.push_back(q.sliding - q.misaligned);
        sticking.y.push_back(q.resting - q.sliding);
        const auto add = [&](Series& series, const ErrorNorm& error) {
            series.x.push_back(static_cast<double>(i + 1));
            series.y.push_back(std::max(error.norm, kSmallest));
        };
        add(alignment, q.alignment);
        add(creep, q.creep);
        add(cone, q.cone);
    }
    bars.series = {wrong, good, sticking};
    lines.series = {alignment, creep, cone};
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 500;
    figure.panel_height = 280;
    figure.panels = {bars, lines};
    return figure;
}

std::vector<HardFrame> hardest_frames(const FrameComparison& comparison,
                                      const std::vector<ComparedFrame>& rows, std::size_t most) {
    const std::size_t n = comparison.variants();
    std::vector<HardFrame> frames;
    for (std::size_t i = 0; i + n <= rows.size(); i += n) {
        HardFrame frame;
        frame.chosen = {rows[i].file, rows[i].frame};
        frame.name = frame_label(comparison.files()[rows[i].file].path(), rows[i].frame);
        frame.contacts = rows[i].contacts;
        frame.error = std::numeric_limits<double>::infinity();
        frame.worst_error = -1;
        std::vector<double> errors;
        for (std::size_t v = 0; v < n; ++v) {
            const double error = error_of(rows[i + v]);
            errors.push_back(error);
            if (error < frame.error) {
                frame.error = error;
                frame.best = comparison.label(v);
            }
            if (error > frame.worst_error) {
                frame.worst_error = error;
                frame.worst = comparison.label(v);
            }
        }
        std::sort(errors.begin(), errors.end());
        frame.middle_error = errors[n / 2];
        frames.push_back(std::move(frame));
    }
    std::stable_sort(frames.begin(), frames.end(), [](const HardFrame& a, const HardFrame& b) {
        return a.middle_error > b.middle_error;
    });
    if (frames.size() > most) frames.resize(most);
    return frames;
}

std::string report_html(const FrameComparison& comparison, const std::vector<ComparedFrame>& rows,
                        const ReportInfo& info) {
    const std::size_t frames = rows.size() / comparison.variants();
    const std::vector<HardFrame> hard = hardest_frames(comparison, rows, kHardest);
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=en><meta charset=utf-8><title>Solvers on {} frames</title>\n"
        "<style>{}</style>\n<h1>Solvers on {} frames</h1>\n",
        frames, kStyle, frames);
    text += settings_html(comparison, frames, info);
    text +=
        "<h2>All frames</h2>\n<p>Medians over the frames of norms over the contacts; counts are "
        "means.</p>\n" +
        totals_html(add_up_variants(comparison, rows));
    text += "<h2>Frame by frame</h2>\n";
    for (std::size_t v = 0; v < comparison.variants(); ++v)
        text += "<h3>" + escaped(comparison.label(v)) + "</h3>\n" +
                inline_svg(frame_figure(rows, v), 100 + static_cast<int>(v));
    text += "<h2>Performance profiles</h2>\n" + profiles_html(comparison, rows) + "\n";
    text +=
        "<h2>Residuals of the hardest frames</h2>\n<p>Each point is a solve of its own, stopped "
        "after so many iterations. What an iteration is, differs: a sweep, a Newton step, a pass. "
        "</p>\n" +
        curves_html(comparison, hard) + "\n";
    text += "<h2>Hardest frames</h2>\n<p>By the median of the errors that the solvers left.</p>\n" +
            hardest_html(comparison, hard) + "</html>\n";
    return text;
}

}  // namespace stiction
