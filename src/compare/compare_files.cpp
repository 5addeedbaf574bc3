// compare_files.cpp - comparisons as CSV, JSON and plots.
#include "compare/compare_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "record/step_table.h"

namespace stiction {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxPoints = 600;  // of a line: about one per pixel

// What a logarithmic axis shows zero as: below these all is rounding of numbers about 1.
constexpr double kMinResidual = 1e-17;
constexpr double kMinLength = 1e-16;  // [m]

// A run's summary as stiction run gives it, and what only a comparison knows.
Json run_json(const ComparedRun& run, const Model& model) {
    Json json;
    json["run"] = run.label;
    json.update(Json::parse(summary_json(run.info, run.statistics, model, run.end)));
    json["solve_share"] = solve_share(run.statistics);
    json["unsolved_steps"] = run.unsolved_steps;
    json["fallback_steps"] = run.fallback_steps;
    json["energy"]["drift"] = run.statistics.total_end - run.statistics.total_start;
    json["apart"] = {{"max", run.apart.largest}, {"rms", run.apart.rms}, {"step", run.apart_step}};
    json["contacts_off"] = {{"gap", run.contacts.gap},
                            {"normal", run.contacts.normal},
                            {"unseen", run.contacts.unmatched}};
    return json;
}

}  // namespace

void add_comparison_header(CsvRow& row) {
    row.add("run");
    add_step_columns(true, false, row);
    row.add("apart_max[m]");
    row.add("apart_rms[m]");
    row.add("gap_off[m]");
    row.add("normal_off[rad]");
    row.add("unseen");
    row.end();
}

void add_comparison_row(const std::string& label, const ComparedStep& step, CsvRow& row) {
    row.add(label);
    add_step_values(step.record, row);
    row.add(step.apart.largest);
    row.add(step.apart.rms);
    row.add(step.contacts.gap);
    row.add(step.contacts.normal);
    row.add(step.contacts.unmatched);
    row.end();
}

std::string comparison_json(const Scene& scene, std::int64_t steps,
                            const std::vector<ComparedRun>& runs) {
    Json json;
    json["schema"] = kComparisonSchema;
    json["scene"] = scene.name;
    json["parameters"] = scene.parameters;
    json["seed"] = scene.seed;
    json["h"] = scene.step.h;
    json["time_budget"] = scene.step.time_budget;
    json["steps"] = steps;
    json["reference"] = runs.empty() ? "" : runs.front().label;
    const bool done = std::all_of(runs.begin(), runs.end(),
                                  [](const ComparedRun& run) { return run.info.status == "done"; });
    json["status"] = done ? "done" : "incomplete";
    json["runs"] = Json::array();
    for (const ComparedRun& run : runs) json["runs"].push_back(run_json(run, scene.model));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ComparisonPlots::ComparisonPlots(const std::vector<Variant>& variants, std::int64_t steps)
    : steps_(steps) {
    for (const Variant& variant : variants) labels_.push_back(variant.label);
    points_.resize(variants.size());
}

void ComparisonPlots::add(const ComparedStep& step) {
    const StepRecord& record = step.record;
    std::vector<Point>& points = points_[step.run];
    const std::int64_t count = std::min(steps_, kMaxPoints);
    // The steps of a run come in order: a point is complete when the next one begins.
    const std::int64_t taken =
        points.empty() ? 0 : (static_cast<std::int64_t>(points.size()) * steps_) / count;
    if (points.empty() || record.step > taken) points.emplace_back();
    Point& point = points.back();
    ++point.steps;
    point.t = record.t;
    point.step_seconds += record.step_seconds;
    point.total = record.total();
    point.penetration = std::max(point.penetration, record.penetration);
    point.residual = std::max(point.residual, record.residual);
    if (record.quality) point.natural = std::max(point.natural, record.quality->coulomb_natural);
    point.apart = step.apart.largest;
}

Figure ComparisonPlots::figure(const std::string& title) const {
    const auto panel = [&](const std::string& name, const std::string& label, Scale scale,
                           std::size_t from, const auto& value) {
        Plot plot;
        plot.title = name;
        plot.x.label = "time [s]";
        plot.y = {label, scale};
        for (std::size_t i = from; i < points_.size(); ++i) {
            Series series;
            series.name = labels_[i];
            series.colour = static_cast<int>(i);
            series.dashed = i % 2 == 1;  // lines that coincide show both
            for (const Point& point : points_[i]) {
                series.x.push_back(point.t);
                series.y.push_back(value(point));
            }
            plot.series.push_back(std::move(series));
        }
        return plot;
    };
    Figure figure;
    figure.title = title;
    figure.columns = 2;
    figure.panel_width = 560;
    figure.panel_height = 320;
    figure.panels.push_back(
        panel("Time of a step", "time [us]", Scale::kLog, 0,
              [](const Point& p) { return 1e6 * p.step_seconds / static_cast<double>(p.steps); }));
    figure.panels.push_back(panel("Kinetic and potential energy", "energy [J]", Scale::kLinear, 0,
                                  [](const Point& p) { return p.total; }));
    figure.panels.push_back(
        panel("Deepest penetration", "depth [m]", Scale::kLog, 0,
              [](const Point& p) { return std::max(p.penetration, kMinLength); }));
    figure.panels.push_back(
        panel("Coulomb's law: natural residual", "residual [-]", Scale::kLog, 0,
              [](const Point& p) { return std::max(p.natural, kMinResidual); }));
    figure.panels.push_back(
        panel("The model's own law", "residual [-]", Scale::kLog, 0,
              [](const Point& p) { return std::max(p.residual, kMinResidual); }));
    if (points_.size() > 1) {
        figure.panels.push_back(
            panel("Largest distance of a body from " + labels_.front(), "distance [m]", Scale::kLog,
                  1, [](const Point& p) { return std::max(p.apart, kMinLength); }));
    }
    return figure;
}

}  // namespace stiction
