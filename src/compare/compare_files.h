// compare_files.h - the forms in which a comparison is written: a table of all steps (CSV), a
// summary (JSON), plots over time. docs/output-formats.md describes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/compare.h"
#include "plot/plot.h"
#include "record/csv.h"

namespace stiction {

inline constexpr int kComparisonSchema = 1;

// Columns and values of the table of steps, a row each.
void add_comparison_header(CsvRow& row);
void add_comparison_row(const std::string& label, const ComparedStep& step, CsvRow& row);

// Ends with a newline. `steps` were asked for.
[[nodiscard]] std::string comparison_json(const Scene& scene, std::int64_t steps,
                                          const std::vector<ComparedRun>& runs);

// Gathers the steps of all runs for plots, in memory that does not grow with their number: where
// steps are many, a point stands for several.
class ComparisonPlots {
  public:
    ComparisonPlots(const std::vector<Variant>& variants, std::int64_t steps);
    void add(const ComparedStep& step);
    [[nodiscard]] Figure figure(const std::string& title) const;

  private:
    struct Point {
        std::int64_t steps = 0;
        double t = 0;             // of the last step [s]
        double step_seconds = 0;  // sum
        double total = 0;         // energy after the last step [J]
        double penetration = 0;   // largest [m]
        double residual = 0;      // largest, of the model's own law
        double natural = 0;       // largest
        double apart = 0;         // after the last step [m]
    };

    std::int64_t steps_;
    std::vector<std::string> labels_;
    std::vector<std::vector<Point>> points_;  // per run
};

}  // namespace stiction
