// speed_tables.cpp - ratios first, then models, growth, threads, and every engine case by case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/speed_rows.h"

namespace stiction {

namespace {

std::string remark(const SpeedRow& row, const SpeedRow* reference) {
    std::string text = row.mark;
    if (reference == nullptr)
        return text + (text.empty() ? "" : "; ") + "no engine to compare with";
    if (reference->mark.empty()) return text;
    return text + (text.empty() ? "" : "; ") + "the other: " + reference->mark;
}

// A row of the table of ratios: `settled` compares that part of the run alone.
void add_ratio(const SpeedResult& result, const std::string& config, bool settled, bool before,
               BenchTable& table) {
    const SpeedRow* row = result.row("stiction", config);
    if (row == nullptr) return;
    const SpeedRow* reference = result.reference();
    const SpeedRow* earlier = result.row("before", config);
    const char* key = settled ? "settled_steps_per_cpu_s" : "best_steps_per_cpu_s";
    const auto ratio = [&](const SpeedRow* other) {
        if (other == nullptr || !row->right) return kBenchUnknown;
        return settled ? row->value(key) / other->value(key) : speed_ratio(*row, *other);
    };
    std::vector<BenchValue> values = {result.test.name + (settled ? ", settled" : ""),
                                      config,
                                      row->value(key),
                                      reference != nullptr ? reference->name() : std::string("-"),
                                      reference != nullptr ? reference->value(key) : kBenchUnknown,
                                      ratio(reference)};
    if (before) values.emplace_back(ratio(earlier));
    values.emplace_back(settled ? kBenchUnknown : row->value("solved_pct"));
    values.emplace_back(settled ? row->value("last_residual") : row->value("residual_95"));
    values.emplace_back(settled ? kBenchUnknown : row->value("max_residual"));
    for (const SpeedRow* one : {row, reference}) {
        values.emplace_back(one == nullptr ? kBenchUnknown
                            : settled      ? one->value("max_penetration_pct")
                                           : deepest_penetration(*one));
    }
    values.emplace_back(remark(*row, reference));
    table.rows.push_back(std::move(values));
}

BenchTable ratios_table(const std::vector<SpeedResult>& results, bool before) {
    BenchTable table{"ratios", "Stiction beside the other engines", {}, {}};
    table.columns = {{"case"},
                     {"stiction"},
                     {"steps_per_cpu_s", "1/s", 4},
                     {"other"},
                     {"other_steps_per_cpu_s", "1/s", 4},
                     {"ratio", "", 3}};
    if (before) table.columns.push_back({"to_before", "", 3});
    for (const BenchColumn& column :
         {BenchColumn{"solved", "%", 4}, BenchColumn{"residual_95", "", 2},
          BenchColumn{"residual_max", "", 2}, BenchColumn{"penetration", "%", 2},
          BenchColumn{"other_penetration", "%", 2}, BenchColumn{"remark"}}) {
        table.columns.push_back(column);
    }
    for (const SpeedResult& result : results) {
        if (has_own_table(result.test)) continue;
        add_ratio(result, result.test.ours, false, before, table);
        if (!result.test.settled.empty())
            add_ratio(result, result.test.settled, true, before, table);
    }
    return table;
}

BenchTable models_table(const std::vector<SpeedResult>& results) {
    BenchTable table{"models",
                     "The six models on the same fall, at 1e-4",
                     {{"config"},
                      {"time_over_cone", "", 3},
                      {"steps_per_cpu_s", "1/s", 4},
                      {"solved", "%", 4},
                      {"residual_95", "", 2},
                      {"residual_max", "", 2},
                      {"penetration", "%", 2},
                      {"remark"}},
                     {}};
    for (const SpeedResult& result : results) {
        if (result.test.group != "models") continue;
        const SpeedRow* cone = result.row("stiction", result.test.ours);
        for (const SpeedRow& row : result.rows) {
            if (row.config.engine != "stiction") continue;
            table.rows.push_back({row.config.config,
                                  cone != nullptr ? speed_ratio(*cone, row) : kBenchUnknown,
                                  row.speed(), row.value("solved_pct"), row.value("residual_95"),
                                  row.value("max_residual"), deepest_penetration(row), row.mark});
        }
    }
    return table;
}

// CPU time of a settled step per contact [us]. Of both engines for the contacts that Stiction counts:
// Bullet's are also those that are near.
double cost_per_contact(const SpeedRow* row, double contacts) {
    if (row == nullptr) return kBenchUnknown;
    return 1e6 / (row->value("settled_steps_per_cpu_s") * contacts);
}

BenchTable growth_table(const std::vector<SpeedResult>& results) {
    BenchTable table{"growth",
                     "Growth: settled spheres, floor in proportion to their number, h 2 ms",
                     {{"spheres"},
                      {"contacts", "", 4},
                      {"settled_steps_per_cpu_s", "1/s", 4},
                      {"per_contact", "us", 3},
                      {"growth", "", 3},
                      {"other_settled_steps_per_cpu_s", "1/s", 4},
                      {"other_growth", "", 3},
                      {"ratio", "", 3},
                      {"ratio_whole", "", 3},
                      {"residual", "", 2},
                      {"remark"}},
                     {}};
    double first = kBenchUnknown;
    double first_other = kBenchUnknown;
    for (const SpeedResult& result : results) {
        if (result.test.group != "growth") continue;
        const SpeedRow* row = result.row("stiction", result.test.ours);
        if (row == nullptr) continue;
        const SpeedRow* other = result.reference();
        const double contacts = row->value("settled_contacts");
        const double cost = cost_per_contact(row, contacts);
        const double other_cost = cost_per_contact(other, contacts);
        if (std::isnan(first)) first = cost;
        if (std::isnan(first_other)) first_other = other_cost;
        const double speed = row->value("settled_steps_per_cpu_s");
        const double other_speed =
            other != nullptr ? other->value("settled_steps_per_cpu_s") : kBenchUnknown;
        table.rows.push_back({static_cast<std::int64_t>(result.test.size), contacts, speed, cost,
                              cost / first, other_speed, other_cost / first_other,
                              speed / other_speed,
                              other != nullptr ? speed_ratio(*row, *other) : kBenchUnknown,
                              row->value("last_residual"), remark(*row, other)});
    }
    return table;
}

BenchTable threads_table(const std::vector<SpeedResult>& results) {
    BenchTable table{"threads",
                     "Threads of Stiction, by wall-clock time",
                     {{"case"},
                      {"threads"},
                      {"steps_per_s", "1/s", 4},
                      {"gain", "", 3},
                      {"times_real_time", "", 3},
                      {"cpu_over_wall", "", 3},
                      {"solved", "%", 4},
                      {"remark"}},
                     {}};
    for (const SpeedResult& result : results) {
        if (result.test.group != "threads") continue;
        const SpeedRow* one = result.row("stiction", result.test.ours);
        for (const SpeedRow& row : result.rows) {
            if (row.config.engine != "stiction") continue;
            const double speed = row.value("best_steps_per_wall_s");
            table.rows.push_back(
                {result.test.name, static_cast<std::int64_t>(row.config.threads), speed,
                 one != nullptr ? speed / one->value("best_steps_per_wall_s") : kBenchUnknown,
                 speed * result.test.h, row.value("cpu_s") / row.value("wall_s"),
                 row.value("solved_pct"), row.mark});
        }
    }
    return table;
}

// "grasp, 2 boxes": grasp_2_boxes.
std::string key_of(const std::string& name) {
    std::string key;
    for (const char c : name) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (word) key += c;
        if (!word && !key.empty() && key.back() != '_') key += '_';
    }
    return key;
}

BenchTable engines_table(const SpeedResult& result) {
    BenchTable table{key_of(result.test.name),
                     result.test.name + ": every engine and setting",
                     {{"engine"},
                      {"steps_per_cpu_s", "1/s", 4},
                      {"ratio", "", 3},
                      {"settled_steps_per_cpu_s", "1/s", 4},
                      {"contacts", "", 4},
                      {"solved", "%", 4},
                      {"residual_max", "", 2},
                      {"penetration", "%", 2},
                      {"error", "", 3},
                      {"error_of"},
                      {"remark"}},
                     {}};
    std::vector<const SpeedRow*> order;
    for (const SpeedRow& row : result.rows) order.push_back(&row);
    const auto known = [](const SpeedRow* row) {
        return std::isnan(row->speed()) ? -1.0 : row->speed();
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](const SpeedRow* a, const SpeedRow* b) { return known(a) > known(b); });
    const SpeedRow* reference = result.reference();
    for (const SpeedRow* row : order) {
        const SpeedError error = speed_error(result.test.scene, *row);
        table.rows.push_back(
            {row->name(), row->speed(),
             row->right && reference != nullptr ? speed_ratio(*row, *reference) : kBenchUnknown,
             row->value("settled_steps_per_cpu_s"), row->value("mean_contacts"),
             row->value("solved_pct"), row->value("max_residual"), deepest_penetration(*row),
             error.value, error.of, row->mark});
    }
    table.detail = true;
    return table;
}

// A column of a table, numbers alone.
std::vector<double> numbers(const BenchTable& table, const std::string& name) {
    std::vector<double> values;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].name != name) continue;
        for (const std::vector<BenchValue>& row : table.rows) {
            if (const double* value = std::get_if<double>(&row[c])) values.push_back(*value);
            if (const auto* value = std::get_if<std::int64_t>(&row[c]))
                values.push_back(static_cast<double>(*value));
        }
    }
    return values;
}

Plot ratios_plot(const BenchTable& table) {
    Plot plot;
    plot.title = "Steps per CPU second over those of the engine compared with";
    plot.y.label = "ratio";
    for (const std::vector<BenchValue>& row : table.rows)
        plot.categories.push_back(std::get<std::string>(row[0]));
    Series series;
    series.y = numbers(table, "ratio");
    plot.series = {series};
    plot.marks = {{1, "", false}};
    return plot;
}

Plot growth_plot(const BenchTable& table) {
    Plot plot;
    plot.title = "Cost of a settled step";
    plot.x = {.label = "spheres", .scale = Scale::kLog};
    plot.y = {.label = "CPU time per contact [us]", .scale = Scale::kLog};
    Series ours;
    ours.name = "Stiction, 1e-4";
    ours.markers = true;
    ours.x = numbers(table, "spheres");
    ours.y = numbers(table, "per_contact");
    Series other = ours;
    other.name = "Bullet, 10 iterations";
    // The same contacts, at its own speed.
    const std::vector<double> ratio = numbers(table, "ratio");
    for (std::size_t i = 0; i < other.y.size(); ++i) other.y[i] *= ratio[i];
    plot.series = {ours, other};
    return plot;
}

}  // namespace

void add_speed_tables(const std::vector<SpeedResult>& results, bool before, BenchReport& report) {
    const BenchTable ratios = ratios_table(results, before);
    const BenchTable growth = growth_table(results);
    for (const BenchTable& table :
         {ratios, models_table(results), growth, threads_table(results)}) {
        if (!table.rows.empty()) report.tables.push_back(table);
    }
    for (const SpeedResult& result : results) {
        if (result.test.group != "models" && result.test.group != "threads")
            report.tables.push_back(engines_table(result));
    }
    Figure figure;
    figure.panel_width = 900;
    if (!ratios.rows.empty()) figure.panels.push_back(ratios_plot(ratios));
    if (!growth.rows.empty()) figure.panels.push_back(growth_plot(growth));
    if (!figure.panels.empty()) report.figure = figure;
}

}  // namespace stiction
