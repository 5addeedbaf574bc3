// step_times.cpp - keeps the least times and sums them up.
#include "bench/step_times.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace stiction {

namespace {

void keep_least(std::size_t index, double seconds, std::vector<double>& times) {
    if (index >= times.size()) times.resize(index + 1, std::numeric_limits<double>::infinity());
    times[index] = std::min(times[index], seconds);
}

double sum(const std::vector<double>& times) {
    return std::accumulate(times.begin(), times.end(), 0.0);
}

}  // namespace

void StepTimes::add(std::size_t index, double step_seconds, double solve_seconds) {
    keep_least(index, step_seconds, step);
    keep_least(index, solve_seconds, solve);
}

double StepTimes::step_total() const { return sum(step); }
double StepTimes::solve_total() const { return sum(solve); }

void add_time_columns(std::vector<BenchColumn>& columns) {
    for (const std::string part : {"step", "solve"}) {
        for (const char* what : {"_min", "_mean", "_max"}) columns.push_back({part + what, "us"});
        columns.push_back({part + "_total", "s"});
    }
}

void add_time_values(const StepTimes& times, std::vector<BenchValue>& row) {
    constexpr double kMicro = 1e6;
    for (const std::vector<double>& part : {times.step, times.solve}) {
        if (part.empty()) {
            row.insert(row.end(), 4, std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        const auto [least, most] = std::minmax_element(part.begin(), part.end());
        row.emplace_back(kMicro * *least);
        row.emplace_back(kMicro * sum(part) / static_cast<double>(part.size()));
        row.emplace_back(kMicro * *most);
        row.emplace_back(sum(part));
    }
}

}  // namespace stiction
