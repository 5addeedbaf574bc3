// frame_table.h - rows of frame_comparison.h as lines of text, CSV and JSON, and what they come to per
// variant (docs/datasets.md).
#pragma once

#include <string>
#include <vector>

#include "compare/frame_comparison.h"
#include "plot/performance_profile.h"
#include "record/csv.h"

namespace stiction {

// What a frame is called in tables: file without folder and suffix, and its number from 1.
[[nodiscard]] std::string frame_label(const std::string& path, std::size_t frame);

[[nodiscard]] std::string frame_header(std::size_t frame_width, std::size_t variant_width);
[[nodiscard]] std::string frame_line(const ComparedFrame& row, const std::string& frame,
                                     const std::string& variant, std::size_t frame_width,
                                     std::size_t variant_width);

void add_frame_header(CsvRow& csv);
void add_frame_row(const ComparedFrame& row, const std::string& path, const std::string& variant,
                   CsvRow& csv);

// Of all frames under one variant.
struct VariantTotals {
    std::string label;
    int frames = 0;
    int solved = 0;
    int fallbacks = 0;
    double median_ms = 0, sum_ms = 0;
    double iterations = 0;  // mean
    // Medians over the frames, and the worst:
    double residual = 0, penetration = 0, alignment = 0, creep = 0, cone = 0, anomalous = 0;
    double natural = 0, scaled = 0;
    double natural_worst = 0, apart_worst = 0;
    double resting = 0, sliding = 0, misaligned = 0;  // means
};
[[nodiscard]] std::vector<VariantTotals> add_up_variants(const FrameComparison& comparison,
                                                         const std::vector<ComparedFrame>& rows);
[[nodiscard]] std::string totals_text(const std::vector<VariantTotals>& totals);

[[nodiscard]] std::string frames_json(const FrameComparison& comparison,
                                      const std::vector<ComparedFrame>& rows);

// Over time, and over the larger of the two Coulomb residuals where `by_error`: then all answers
// count, also those that are not solved.
[[nodiscard]] PerformanceProfile frame_profile(const FrameComparison& comparison,
                                               const std::vector<ComparedFrame>& rows,
                                               bool by_error);

}  // namespace stiction
