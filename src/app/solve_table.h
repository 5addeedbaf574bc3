// solve_table.h - what stiction solve measured, one row per problem and solver, and the forms in
// which it is shown: lines of text, CSV, JSON, plots (docs/output-formats.md).
#pragma once

#include <string>
#include <vector>

#include "plot/performance_profile.h"
#include "plot/plot.h"
#include "record/csv.h"

namespace stiction {

struct SolveRow {
    std::string file;  // as given
    int contacts = 0;
    std::string solver;
    std::string status;  // the solver's own, or "inaccurate": it said solved, the residuals do not
    bool reached = false;  // both residuals are at most the tolerance
    double cpu_ms = 0;     // [ms], of the solve alone
    int iterations = 0;
    double natural = 0, scaled = 0;  // residuals of cone_problem.h
    double un_min = 0;               // least normal velocity [m/s]
    double cone = 0;                 // worst of |r_T| - mu r_N and -r_N, over the largest |r_a|
    double misalign = 0;  // worst |r_T + mu r_N u_T/|u_T|| / (mu r_N) of contacts that slide
};

// "RockPile_tob1" of "problems/RockPile_tob1.dat".
[[nodiscard]] std::string problem_name(const std::string& file);

// A line each, files in a column of `width` characters.
[[nodiscard]] std::string table_header(std::size_t width);
[[nodiscard]] std::string table_line(const SolveRow& row, std::size_t width);

void add_csv_header(CsvRow& csv);
void add_csv_row(const SolveRow& row, CsvRow& csv);
[[nodiscard]] std::string table_json(const std::vector<SolveRow>& rows);

// Rows come problem by problem, each with the same solvers in the same order; a last problem that
// not all of them had is left out.
[[nodiscard]] Figure table_figure(const std::vector<SolveRow>& rows,
                                  const std::vector<std::string>& solvers, double tolerance);
[[nodiscard]] PerformanceProfile table_profile(const std::vector<SolveRow>& rows,
                                               const std::vector<std::string>& solvers);
[[nodiscard]] std::string profile_summary(const PerformanceProfile& profile);

}  // namespace stiction
