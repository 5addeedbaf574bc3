// frame_report.h - a comparison of solvers on frames as one HTML page with its drawings inside: the
// picture of [LLLT15, Fig. 3] for every solver, profiles over time and error, residuals over iterations
// and over time, and the hardest frames with the command that opens each. Nothing is fetched.
#pragma once

#include <string>
#include <vector>

#include "compare/frame_table.h"

namespace stiction {

// Frames by the median of the errors that the variants left, the hardest first; at most `most`.
struct HardFrame {
    FrameChosen chosen;
    std::string name;
    int contacts = 0;
    double error = 0;  // the least that a variant left: larger of the two Coulomb residuals
    std::string best;  // that variant
    double worst_error = 0;
    std::string worst;
    double middle_error = 0;
};
[[nodiscard]] std::vector<HardFrame> hardest_frames(const FrameComparison& comparison,
                                                    const std::vector<ComparedFrame>& rows,
                                                    std::size_t most);

struct ReportInfo {
    std::string command;  // that made it
    std::string date;
    std::string version;
};

// Solves the hardest frames again for the curves of residuals.
[[nodiscard]] std::string report_html(const FrameComparison& comparison,
                                      const std::vector<ComparedFrame>& rows,
                                      const ReportInfo& info);

}  // namespace stiction
