// performance_profile.h - how solvers compare over a set of problems (Dolan and More): rho_s(tau)
// is the fraction of the problems that solver s solves within tau times the time of the quickest.
// rho_s(1) is how often s is the quickest, rho_s(infinity) how many problems it solves at all.
// Problems that nobody solves count, so that rho = 1 means all.
#pragma once

#include <string>
#include <vector>

#include "plot/plot.h"

namespace stiction {

struct PerformanceProfile {
    std::vector<std::string> solvers;
    std::vector<std::vector<double>> ratios;  // per solver, ascending: time over the least time,
                                              // of the problems it solved
    int problems = 0;
};

// time[p][s] of problem p with solver s; infinite, NaN or negative: not solved.
[[nodiscard]] PerformanceProfile make_profile(const std::vector<std::string>& solvers,
                                              const std::vector<std::vector<double>>& time);

[[nodiscard]] double fraction_within(const PerformanceProfile& profile, std::size_t solver,
                                     double tau);

// Columns tau and one per solver; a row for each tau at which some fraction changes.
[[nodiscard]] std::string profile_csv(const PerformanceProfile& profile);

[[nodiscard]] Plot profile_plot(const PerformanceProfile& profile);

}  // namespace stiction
