// sections.h - the parts of solver_bench. Each adds tables and measurements to a report and tells
// its progress on standard error.
#pragma once

#include <string>

#include "report.h"

namespace stiction {

struct BenchOptions {
    std::string problems;  // folder of stored problems; empty: none
    bool siconos = false;  // run Siconos too
    bool quick = false;    // fewer sizes, repeats and settings
};

void run_lcp_section(const BenchOptions& options, Report& report);
void run_ppm_section(const BenchOptions& options, Report& report);
void run_friction_box_section(const BenchOptions& options, Report& report);
void run_problems_section(const BenchOptions& options, Report& report);

}  // namespace stiction
