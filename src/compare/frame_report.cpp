// frame_report.cpp - the page: table, pictures per solver, profiles, curves, hardest frames.
#include "compare/frame_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "compare/frame_figures.h"
#include "core/printable.h"

namespace stiction {

namespace {

constexpr std::size_t kHardest = 10;  // frames that are listed
constexpr std::size_t kCurves = 2;    // frames whose convergence is drawn

constexpr const char* kStyle =
    "body{font:15px/1.45 sans-serif;max-width:1240px;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;font-size:12px}"
    "td,th{padding:.25em .35em;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}"
    "td:first-child,th:first-child,td.command,th.command{text-align:left}"
    "code{background:#f3f3f3;padding:.1em "
    ".3em;overflow-wrap:anywhere}svg{max-width:100%;height:auto}"
    ".wide{overflow-x:auto}";

constexpr const char* kTotalsText =
    "<p>Counts are means over the frames, all else medians, of norms over the contacts. Residual: "
    "of the solver's own law. Pushing: sliding contacts whose friction pushes instead of braking. "
    "Penetr.: overlap after the step. Alignment: 1 + cosine between friction and sliding, 0 is "
    "right and 2 opposite. Creep: speed of contacts that stick. Cone: friction beyond &mu; times "
    "the normal impulse. Natural, scaled: what is left of Coulomb's law on the true cone, in "
    "mixed units and relative to the velocities that contact has to change; worst: the largest "
    "natural one.</p>\n";
constexpr const char* kFramesText =
    "<h2>Frame by frame</h2>\n<p>Bars: resting contacts by what they do, in every frame. Lines: "
    "how wrong their friction is; a line at the bottom is free of error. All solvers have the same "
    "axes.</p>\n";

// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

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
        "[m/s]<th>cone [N s]<th>natural<th>scaled<th>worst</tr>\n";
    for (const VariantTotals& t : totals)
        text += fmt::format(
            "<tr><td>{}<td>{} of {}<td>{:.3g}<td>{:.1f}<td>{:.1e}<td>{:.1f}<td>{:.1f}<td>{:.1f}<td>"
            "{:.1e}<td>{:.1e}<td>{:.1e}<td>{:.1e}<td>{:.1e}<td>{:.1e}<td>{:.1e}</tr>\n",
            escaped(t.label), t.solved, t.frames, t.median_ms, t.iterations, t.residual, t.resting,
            t.sliding, t.misaligned, t.penetration, t.alignment, t.creep, t.cone, t.natural,
            t.scaled, t.natural_worst);
    return text + "</table></div>\n";
}

std::string curves_html(const FrameComparison& comparison, const std::vector<HardFrame>& hard) {
    std::string text;
    for (std::size_t k = 0; k < std::min(kCurves, hard.size()); ++k)
        text += inline_svg(convergence_figure(comparison, hard[k].chosen), 1 + static_cast<int>(k));
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
        "error<th>by<th class=command>command</tr>\n";
    for (const HardFrame& frame : hard) {
        const std::string& path = comparison.files()[frame.chosen.file].path();
        text += fmt::format(
            "<tr><td>{}<td>{}<td>{:.1e}<td>{}<td>{:.1e}<td>{}<td class=command><code>stiction "
            "view {} --frame {}</code></tr>\n",
            escaped(frame.name), frame.contacts, frame.error, escaped(frame.best),
            frame.worst_error, escaped(frame.worst), escaped(shell_word(path)),
            frame.chosen.frame + 1);
    }
    if (hard.empty()) return text + "</table></div>\n";
    const FrameChosen& first = hard.front().chosen;
    return text + fmt::format(
                      "</table></div>\n<p>A command opens its frame in the window; "
                      "<code>stiction solve {} --frames {} --models {}</code> solves the first "
                      "again.</p>\n",
                      escaped(shell_word(comparison.files()[first.file].path())), first.frame + 1,
                      escaped(solvers_option(comparison)));
}

// The command that made the frames, as their manifests have it.
std::string recorded_by(const FrameComparison& comparison) {
    std::string text;
    for (const Dataset& file : comparison.files()) {
        const Hdf5Content manifest = file.manifest(0);
        const Hdf5Array* command = manifest.find("command");
        const auto* words =
            command == nullptr ? nullptr : std::get_if<std::vector<std::string>>(&command->values);
        if (words == nullptr || words->size() != 1 || words->front().empty()) return "";
        text += (text.empty() ? "" : ", ") + ("<code>" + escaped(words->front()) + "</code>");
    }
    return " (recorded by " + text + ")";
}

std::string settings_html(const FrameComparison& comparison, std::size_t frames,
                          const ReportInfo& info) {
    const FrameComparisonSettings& s = comparison.settings();
    std::string text = fmt::format("<p>{} frames of ", frames);
    for (std::size_t i = 0; i < comparison.files().size(); ++i)
        text += (i == 0 ? "" : ", ") + escaped(comparison.files()[i].path());
    text += recorded_by(comparison);
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
    text += "<h2>All frames</h2>\n" + totals_html(add_up_variants(comparison, rows)) + kTotalsText;
    text += kFramesText;
    const SharedAxes axes = shared_axes(rows);
    for (std::size_t v = 0; v < comparison.variants(); ++v)
        text += "<h3>" + escaped(comparison.label(v)) + "</h3>\n" +
                inline_svg(variant_figure(rows, v, axes), 100 + static_cast<int>(v));
    text +=
        "<h2>Performance profiles</h2>\n" + inline_svg(profile_figure(comparison, rows), 0) + "\n";
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
