// performance_profile.cpp - performance profiles as numbers, table and plot.
#include "plot/performance_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "record/csv.h"

namespace stiction {

namespace {

bool is_solved(double time) { return std::isfinite(time) && time >= 0; }

// Every tau at which some fraction changes, 1 first.
std::vector<double> steps(const PerformanceProfile& profile) {
    std::vector<double> tau = {1};
    for (const std::vector<double>& ratios : profile.ratios) {
        tau.insert(tau.end(), ratios.begin(), ratios.end());
    }
    std::sort(tau.begin(), tau.end());
    tau.erase(std::unique(tau.begin(), tau.end()), tau.end());
    return tau;
}

}  // namespace

PerformanceProfile make_profile(const std::vector<std::string>& solvers,
                                const std::vector<std::vector<double>>& time) {
    // A clock that did not move is taken as its least step, so that ratios stay finite.
    constexpr double kMinTime = 1e-12;  // [s], below any clock
    PerformanceProfile profile;
    profile.solvers = solvers;
    profile.ratios.resize(solvers.size());
    profile.problems = static_cast<int>(time.size());
    for (const std::vector<double>& row : time) {
        double best = std::numeric_limits<double>::infinity();
        for (const double t : row) {
            if (is_solved(t)) best = std::min(best, std::max(t, kMinTime));
        }
        for (std::size_t s = 0; s < solvers.size(); ++s) {
            if (is_solved(row[s])) profile.ratios[s].push_back(std::max(row[s], kMinTime) / best);
        }
    }
    for (std::vector<double>& ratios : profile.ratios) std::sort(ratios.begin(), ratios.end());
    return profile;
}

double fraction_within(const PerformanceProfile& profile, std::size_t solver, double tau) {
    if (profile.problems == 0) return 0;
    const std::vector<double>& ratios = profile.ratios[solver];
    const auto within = std::upper_bound(ratios.begin(), ratios.end(), tau) - ratios.begin();
    return static_cast<double>(within) / profile.problems;
}

std::string profile_csv(const PerformanceProfile& profile) {
    CsvRow row;
    row.add("tau");
    for (const std::string& solver : profile.solvers) row.add(solver);
    row.end();
    for (const double tau : steps(profile)) {
        row.add(tau);
        for (std::size_t s = 0; s < profile.solvers.size(); ++s) {
            row.add(fraction_within(profile, s, tau));
        }
        row.end();
    }
    return row.text();
}

Plot profile_plot(const PerformanceProfile& profile) {
    const std::vector<double> tau = steps(profile);
    const double end = std::max(10.0, 1.5 * tau.back());  // all curves run on to the right edge
    Plot plot;
    plot.title = "Performance profile of " + std::to_string(profile.problems) +
                 (profile.problems == 1 ? " problem" : " problems");
    plot.x = {"time over the least time", Scale::kLog, 1.0, end};
    plot.y = {"fraction of problems solved", Scale::kLinear, 0.0, 1.0};
    for (std::size_t s = 0; s < profile.solvers.size(); ++s) {
        Series series;
        series.name = profile.solvers[s];
        series.line = LineStyle::kStep;
        for (const double t : tau) {
            series.x.push_back(t);
            series.y.push_back(fraction_within(profile, s, t));
        }
        series.x.push_back(end);
        series.y.push_back(series.y.back());
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace stiction
