// report.h - what a benchmark measured, as tables of numbers and words, and the forms in which it
// is shown: text, CSV, JSON (docs/output-formats.md); as a page: papers_page.h.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plot/plot.h"

namespace stiction {

// A number that is not finite stands for "not known": `-` as text, empty in CSV, null in JSON.
using BenchValue = std::variant<std::string, std::int64_t, double>;

struct BenchColumn {
    std::string name;  // lower case with underscores: it is the key in JSON and in CSV
    std::string unit = "";
    int digits = 4;  // significant ones, of a double as text
};

struct BenchTable {
    std::string name;   // key, as a column's
    std::string title;  // one line
    std::vector<BenchColumn> columns;
    std::vector<std::vector<BenchValue>> rows;  // a value per column; the first one names the row
    bool detail = false;                        // folded on a page, after the notes
};

struct BenchReport {
    std::string benchmark;
    std::string status = "done";  // or what went wrong, then not everything was measured
    std::vector<BenchTable> tables;
    std::vector<std::string> notes;     // what has to be known to read the numbers, a line each
    std::optional<Figure> figure = {};  // in the form of the paper's
};

inline constexpr double kBenchUnknown = std::numeric_limits<double>::quiet_NaN();

inline constexpr int kBenchSchema = 1;

// As the tables show it; digits: significant ones of a double.
[[nodiscard]] std::string bench_text(const BenchValue& value, int digits);

[[nodiscard]] std::string report_text(const BenchReport& report);
// Long form, a row for every value: table, row, column, unit, value.
[[nodiscard]] std::string report_csv(const BenchReport& report);
[[nodiscard]] std::string report_json(const BenchReport& report);
// Several in one: {"schema", "benchmark": NAME, "status", "reports": [...]}, and the rows of all
// with NAME/ before the table's.
[[nodiscard]] std::string reports_csv(const std::vector<BenchReport>& reports);
[[nodiscard]] std::string reports_json(const std::string& name,
                                       const std::vector<BenchReport>& reports);
// The worst of their statuses: "done", or what went wrong with the first that did not end so.
[[nodiscard]] std::string reports_status(const std::vector<BenchReport>& reports);

}  // namespace stiction
