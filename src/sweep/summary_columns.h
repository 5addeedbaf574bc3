// summary_columns.h - values in the summary of a run (docs/output-formats.md), by their path:
//   contacts.mean                        key by key
//   bodies.box_0.position.z              an entry of a list by its name, a number of a vector by x, y, z
//   min(bodies.*.position.z)             min, max, mean or sum over all entries of a list
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stiction {

// Nothing: the summary has no such value, or it is no number (NaN).
using Cell = std::variant<std::monostate, double, std::string>;

[[nodiscard]] std::string cell_text(const Cell& cell);  // as in a CSV file

// What is wrong with a path whatever the summary; empty: nothing.
[[nodiscard]] std::string column_fault(const std::string& path);

class SummaryReader {
  public:
    explicit SummaryReader(const std::string& summary_json);
    ~SummaryReader();
    SummaryReader(const SummaryReader&) = delete;
    SummaryReader& operator=(const SummaryReader&) = delete;

    [[nodiscard]] Cell value(const std::string& path) const;
    // Why there is no such value, with the nearest name; empty: there is one.
    [[nodiscard]] std::string fault(const std::string& path) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
