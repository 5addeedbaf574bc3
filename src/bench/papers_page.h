// papers_page.h - docs/papers.md: what the benchmarks measured, between marks in a page whose other
// words are written by hand.
//
//   <!-- grasp:begin -->
//   tables, notes, picture
//   <!-- grasp:end -->
#pragma once

#include <string>

#include "bench/report.h"

namespace stiction {

// Tables, notes and picture (a path as the page has it; empty: none) of a report. `how`: the command
// that measured it and where, a line.
[[nodiscard]] std::string report_markdown(const BenchReport& report, const std::string& picture,
                                          const std::string& how);

// The page with the text between the marks of `name`. A page without them gets heading and marks at
// its end; an empty page a heading of its own.
[[nodiscard]] std::string with_section(std::string page, const std::string& name,
                                       const std::string& heading, const std::string& text);

}  // namespace stiction
