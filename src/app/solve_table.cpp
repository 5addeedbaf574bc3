// solve_table.cpp - rows of stiction solve as text, CSV, JSON and plots.
#include "app/solve_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/printable.h"

namespace stiction {

std::string problem_name(const std::string& file) {
    std::string name = std::filesystem::path(file).filename().string();
    for (const std::string suffix : {".dat", ".hdf5", ".h5"}) {
        if (name.size() > suffix.size() && name.ends_with(suffix)) {
            name.resize(name.size() - suffix.size());
        }
    }
    return name;
}

std::string table_header(std::size_t width) {
    return fmt::format(
        "{:<{}} {:>8} {:>8}  {:<17} {:<15} {:>10} {:>10} {:>8} {:>8} {:>9} {:>8} {:>8}\n", "file",
        width, "contacts", "unknowns", "solver", "status", "cpu [ms]", "iterations", "natural",
        "scaled", "u_N min", "cone", "misalign");
}

std::string table_line(const SolveRow& row, std::size_t width) {
    return fmt::format(
        "{:<{}} {:>8} {:>8}  {:<17} {:<15} {:>10.4g} {:>10} {:>8.1e} {:>8.1e} {:>9.1e} {:>8.1e} "
        "{:>8.1e}\n",
        printable(problem_name(row.file)), width, row.contacts, 3 * row.contacts, row.solver,
        row.status, row.cpu_ms, row.iterations, row.natural, row.scaled, row.un_min, row.cone,
        row.misalign);
}

void add_csv_header(CsvRow& csv) {
    for (const char* column : {"file", "contacts", "unknowns", "solver", "status", "cpu_ms",
                               "iterations", "natural", "scaled", "un_min", "cone", "misalign"}) {
        csv.add(std::string_view(column));
    }
    csv.end();
}

void add_csv_row(const SolveRow& row, CsvRow& csv) {
    csv.add(row.file);
    csv.add(row.contacts);
    csv.add(3 * row.contacts);
    csv.add(row.solver);
    csv.add(row.status);
    csv.add(row.cpu_ms);
    csv.add(row.iterations);
    for (const double x : {row.natural, row.scaled, row.un_min, row.cone, row.misalign}) csv.add(x);
    csv.end();
}

std::string table_json(const std::vector<SolveRow>& rows) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const SolveRow& row : rows) {
        list.push_back({{"file", row.file},
                        {"contacts", row.contacts},
                        {"unknowns", 3 * row.contacts},
                        {"solver", row.solver},
                        {"status", row.status},
                        {"cpu_ms", row.cpu_ms},
                        {"iterations", row.iterations},
                        {"natural", row.natural},
                        {"scaled", row.scaled},
                        {"un_min", row.un_min},
                        {"cone", row.cone},
                        {"misalign", row.misalign}});
    }
    return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Figure table_figure(const std::vector<SolveRow>& rows, const std::vector<std::string>& solvers,
                    double tolerance) {
    // A residual of zero has no place on a logarithmic axis; below this all is rounding.
    constexpr double kMinResidual = 1e-17;
    Plot time;
    time.title = "CPU time of a solve";
    time.y = {"time [ms]", Scale::kLog};
    const std::size_t whole = rows.size() - rows.size() % solvers.size();
    for (std::size_t i = 0; i < whole; i += solvers.size()) {
        time.categories.push_back(problem_name(rows[i].file));
    }
    Plot residual = time;
    residual.title = "Larger of the two residuals";
    residual.y = {"residual [-]", Scale::kLog};
    residual.marks.push_back({tolerance, fmt::format("tolerance {:g}", tolerance), false});
    for (std::size_t s = 0; s < solvers.size(); ++s) {
        Series t, r;
        t.name = r.name = solvers[s];
        for (std::size_t i = s; i < whole; i += solvers.size()) {
            t.y.push_back(rows[i].cpu_ms);
            r.y.push_back(std::max({rows[i].natural, rows[i].scaled, kMinResidual}));
        }
        time.series.push_back(std::move(t));
        residual.series.push_back(std::move(r));
    }
    Figure figure;
    figure.panel_width =
        std::clamp(110.0 + static_cast<double>(time.categories.size() * (14 + 9 * solvers.size())),
                   480.0, 1600.0);
    figure.panel_height = 320;
    figure.panels = {std::move(time), std::move(residual)};
    return figure;
}

PerformanceProfile table_profile(const std::vector<SolveRow>& rows,
                                 const std::vector<std::string>& solvers) {
    std::vector<std::vector<double>> times;
    const std::size_t whole = rows.size() - rows.size() % solvers.size();
    for (std::size_t i = 0; i < whole; ++i) {
        if (i % solvers.size() == 0) times.emplace_back();
        times.back().push_back(rows[i].reached ? rows[i].cpu_ms
                                               : std::numeric_limits<double>::infinity());
    }
    return make_profile(solvers, times);
}

std::string profile_summary(const PerformanceProfile& profile) {
    std::string text = fmt::format("{:<17} {:>9} {:>9} {:>10} {:>11}\n", "solver", "solved",
                                   "quickest", "within 2x", "within 10x");
    for (std::size_t s = 0; s < profile.solvers.size(); ++s) {
        const auto percent = [&](double tau) {
            return fmt::format("{:.0f} %", 100 * fraction_within(profile, s, tau));
        };
        text += fmt::format("{:<17} {:>9} {:>9} {:>10} {:>11}\n", profile.solvers[s],
                            fmt::format("{} of {}", profile.ratios[s].size(), profile.problems),
                            percent(1), percent(2), percent(10));
    }
    return text;
}

}  // namespace stiction
