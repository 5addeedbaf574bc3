// sweep_plots.h - the plots that a sweep asks for, from its table.
#pragma once

#include <string>

#include "sweep/plan.h"
#include "sweep/row_journal.h"

namespace stiction {

// As SVG. A point or cell that several jobs share shows their mean; jobs that are not done count for
// nothing.
[[nodiscard]] std::string plot_svg(const SweepPlot& plot, const Plan& plan,
                                   const JournalRows& content);

}  // namespace stiction
