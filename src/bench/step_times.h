// step_times.h - times of the steps of a run that is repeated. A run has the same bits each time,
// so of every step the quickest repetition counts: what other programs took away is left out.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/report.h"

namespace stiction {

struct StepTimes {
    std::vector<double> step, solve;  // least times of each step: the whole, the solve alone [s]

    void add(std::size_t index, double step_seconds, double solve_seconds);
    [[nodiscard]] double step_total() const;
    [[nodiscard]] double solve_total() const;
};

// Least, mean, most [us] and total [s] of the whole step and of the solve: eight columns.
void add_time_columns(std::vector<BenchColumn>& columns);
void add_time_values(const StepTimes& times, std::vector<BenchValue>& row);

}  // namespace stiction
