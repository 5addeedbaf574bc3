// report.h - what a benchmark measured, as tables of numbers and words, and the forms in which it
// is shown: text, CSV, JSON (docs/output-formats.md).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

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
};

struct BenchReport {
    std::string benchmark;
    std::string status = "done";  // or what went wrong, then not everything was measured
    std::vector<BenchTable> tables;
    std::vector<std::string> notes;  // what has to be known to read the numbers, a line each
};

inline constexpr int kBenchSchema = 1;

[[nodiscard]] std::string report_text(const BenchReport& report);
// Long form, a row for every value: table, row, column, unit, value.
[[nodiscard]] std::string report_csv(const BenchReport& report);
[[nodiscard]] std::string report_json(const BenchReport& report);

}  // namespace stiction
