// frame_table.cpp - rows as text, CSV and JSON.
#include "compare/frame_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/printable.h"

namespace stiction {

namespace {

struct Measure {
    const char* name;
    const char* unit;
    ErrorNorm ContactQuality::*error;
};
constexpr std::array<Measure, 8> kMeasures = {{
    {"penetration_error", "m", &ContactQuality::penetration},
    {"gap_error", "m", &ContactQuality::gap},
    {"alignment_error", "", &ContactQuality::alignment},
    {"creep", "m/s", &ContactQuality::creep},
    {"cone_error", "N s", &ContactQuality::cone},
    {"anomalous", "J", &ContactQuality::anomalous},
    {"coulomb_natural", "", &ContactQuality::natural},
    {"coulomb_scaled", "", &ContactQuality::scaled},
}};

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

std::string frame_label(const std::string& path, std::size_t frame) {
    std::string stem = std::filesystem::path(path).filename().string();
    for (const std::string suffix : {".part", ".h5", ".hdf5"}) {
        if (stem.size() > suffix.size() && stem.ends_with(suffix))
            stem.resize(stem.size() - suffix.size());
    }
    return printable(stem) + ":" + std::to_string(frame + 1);
}

std::string frame_header(std::size_t frame_width, std::size_t variant_width) {
    return fmt::format(
        "{:<{}} {:>8}  {:<{}} {:<15} {:>9} {:>6} {:>8} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} "
        "{:>8} {:>8} {:>8}\n",
        "frame", frame_width, "contacts", "solver", variant_width, "status", "cpu [ms]", "iter",
        "residual", "resting", "sliding", "penetr.", "align", "creep", "cone", "anomal.", "natural",
        "scaled", "dv");
}

std::string frame_line(const ComparedFrame& row, const std::string& frame,
                       const std::string& variant, std::size_t frame_width,
                       std::size_t variant_width) {
    const ContactQuality& q = row.quality;
    return fmt::format(
        "{:<{}} {:>8}  {:<{}} {:<15} {:>9.4g} {:>6} {:>8.1e} {:>7} {:>7} {:>8.1e} {:>8.1e} "
        "{:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e}\n",
        frame, frame_width, row.contacts, variant, variant_width, name(row.status),
        1e3 * row.seconds, row.iterations, row.residual, q.resting, q.sliding, q.penetration.norm,
        q.alignment.norm, q.creep.norm, q.cone.norm, q.anomalous.norm, q.natural.norm,
        q.scaled.norm, row.apart);
}

void add_frame_header(CsvRow& csv) {
    for (const char* column :
         {"file", "frame", "group", "bodies", "contacts", "variant", "solver", "status", "fallback",
          "cpu[ms]", "iterations", "residual", "resting", "sliding", "misaligned"})
        csv.add(std::string_view(column));
    for (const Measure& measure : kMeasures) {
        const std::string unit = *measure.unit == '\0' ? "" : fmt::format("[{}]", measure.unit);
        csv.add(measure.name + unit);
        csv.add(std::string(measure.name) + "_worst" + unit);
        csv.add(std::string(measure.name) + "_contact");
    }
    csv.add(std::string_view("dv"));
    csv.end();
}

void add_frame_row(const ComparedFrame& row, const std::string& path, const std::string& variant,
                   CsvRow& csv) {
    csv.add(path);
    csv.add(row.frame + 1);
    csv.add(row.name);
    csv.add(row.bodies);
    csv.add(row.contacts);
    csv.add(variant);
    csv.add(row.solver);
    csv.add(name(row.status));
    csv.add(row.fallback ? 1 : 0);
    csv.add(1e3 * row.seconds);
    csv.add(row.iterations);
    csv.add(row.residual);
    csv.add(row.quality.resting);
    csv.add(row.quality.sliding);
    csv.add(row.quality.misaligned);
    for (const Measure& measure : kMeasures) {
        const ErrorNorm& error = row.quality.*measure.error;
        csv.add(error.norm);
        csv.add(error.worst);
        csv.add(error.contact);
    }
    csv.add(row.apart);
    csv.end();
}

std::vector<VariantTotals> add_up_variants(const FrameComparison& comparison,
                                           const std::vector<ComparedFrame>& rows) {
    std::vector<VariantTotals> totals;
    for (std::size_t v = 0; v < comparison.variants(); ++v) {
        VariantTotals t;
        t.label = comparison.label(v);
        std::vector<const ComparedFrame*> mine;
        for (const ComparedFrame& row : rows) {
            if (row.variant == v) mine.push_back(&row);
        }
        const auto middle = [&](const auto& value) {
            std::vector<double> values;
            for (const ComparedFrame* row : mine) values.push_back(value(*row));
            return median(std::move(values));
        };
        const auto norm = [&](ErrorNorm ContactQuality::*error) {
            return middle([&](const ComparedFrame& row) { return (row.quality.*error).norm; });
        };
        t.frames = static_cast<int>(mine.size());
        const double n = std::max(1, t.frames);
        for (const ComparedFrame* row : mine) {
            t.solved += row->status == SolveStatus::kSolved ? 1 : 0;
            t.fallbacks += row->fallback ? 1 : 0;
            t.sum_ms += 1e3 * row->seconds;
            t.iterations += row->iterations / n;
            t.resting += row->quality.resting / n;
            t.sliding += row->quality.sliding / n;
            t.misaligned += row->quality.misaligned / n;
            t.natural_worst = std::max(t.natural_worst, row->quality.natural.norm);
            if (row->apart > t.apart_worst) t.apart_worst = row->apart;
        }
        t.median_ms = middle([](const ComparedFrame& row) { return 1e3 * row.seconds; });
        t.residual = middle([](const ComparedFrame& row) { return row.residual; });
        t.penetration = norm(&ContactQuality::penetration);
        t.alignment = norm(&ContactQuality::alignment);
        t.creep = norm(&ContactQuality::creep);
        t.cone = norm(&ContactQuality::cone);
        t.anomalous = norm(&ContactQuality::anomalous);
        t.natural = norm(&ContactQuality::natural);
        t.scaled = norm(&ContactQuality::scaled);
        totals.push_back(std::move(t));
    }
    return totals;
}

std::string totals_text(const std::vector<VariantTotals>& totals) {
    std::size_t width = 6;
    for (const VariantTotals& t : totals) width = std::max(width, t.label.size());
    std::string text = fmt::format(
        "{:<{}} {:>11} {:>9} {:>8} {:>8} {:>7} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} "
        "{:>8}\n",
        "solver", width, "solved", "med. [ms]", "iter", "residual", "resting", "sliding", "pushing",
        "penetr.", "align", "creep", "cone", "natural", "scaled", "worst nat");
    for (const VariantTotals& t : totals)
        text += fmt::format(
            "{:<{}} {:>11} {:>9.4g} {:>8.1f} {:>8.1e} {:>7.1f} {:>7.1f} {:>7.1f} {:>8.1e} {:>8.1e} "
            "{:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e} {:>8.1e}\n",
            t.label, width, fmt::format("{} of {}", t.solved, t.frames), t.median_ms, t.iterations,
            t.residual, t.resting, t.sliding, t.misaligned, t.penetration, t.alignment, t.creep,
            t.cone, t.natural, t.scaled, t.natural_worst);
    return text;
}

std::string frames_json(const FrameComparison& comparison, const std::vector<ComparedFrame>& rows) {
    const FrameComparisonSettings& settings = comparison.settings();
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ComparedFrame& row : rows) {
        nlohmann::ordered_json json = {{"file", comparison.files()[row.file].path()},
                                       {"frame", row.frame + 1},
                                       {"group", row.name},
                                       {"bodies", row.bodies},
                                       {"contacts", row.contacts},
                                       {"variant", comparison.label(row.variant)},
                                       {"solver", row.solver},
                                       {"status", name(row.status)},
                                       {"fallback", row.fallback},
                                       {"cpu_ms", 1e3 * row.seconds},
                                       {"iterations", row.iterations},
                                       {"residual", row.residual},
                                       {"resting", row.quality.resting},
                                       {"sliding", row.quality.sliding},
                                       {"misaligned", row.quality.misaligned}};
        for (const Measure& measure : kMeasures) {
            const ErrorNorm& error = row.quality.*measure.error;
            json[measure.name] = {
                {"norm", error.norm}, {"worst", error.worst}, {"contact", error.contact}};
        }
        json["dv"] = row.apart;
        list.push_back(std::move(json));
    }
    const nlohmann::ordered_json json = {{"schema", 1},
                                         {"alone", settings.alone},
                                         {"warm", settings.warm},
                                         {"equal_work", settings.equal_work},
                                         {"time_budget_s", settings.time_budget},
                                         {"max_iterations", settings.max_iterations},
                                         {"rest_threshold", settings.thresholds.rest},
                                         {"slide_threshold", settings.thresholds.slide},
                                         {"rows", std::move(list)}};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

PerformanceProfile frame_profile(const FrameComparison& comparison,
                                 const std::vector<ComparedFrame>& rows, bool by_error) {
    constexpr double kRounding = 1e-16;  // below, errors are all the same
    std::vector<std::string> labels;
    for (std::size_t v = 0; v < comparison.variants(); ++v) labels.push_back(comparison.label(v));
    std::vector<std::vector<double>> values;
    for (std::size_t i = 0; i + labels.size() <= rows.size(); i += labels.size()) {
        values.emplace_back();
        for (std::size_t v = 0; v < labels.size(); ++v) {
            const ComparedFrame& row = rows[i + v];
            const double error =
                std::max({row.quality.natural.norm, row.quality.scaled.norm, kRounding});
            const double time = row.status == SolveStatus::kSolved
                                    ? row.seconds
                                    : std::numeric_limits<double>::infinity();
            values.back().push_back(by_error ? error : time);
        }
    }
    return make_profile(labels, values);
}

}  // namespace stiction
