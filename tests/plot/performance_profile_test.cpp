// performance_profile_test.cpp - fractions by hand and by counting, and the forms they are shown
// in.
#include "plot/performance_profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace stiction {
namespace {

constexpr double kUnsolved = std::numeric_limits<double>::infinity();

TEST(PerformanceProfile, ByHand) {
    // Quickest: a, b, nobody, a and b.
    const PerformanceProfile profile =
        make_profile({"a", "b"}, {{1, 3}, {4, 2}, {kUnsolved, kUnsolved}, {5, 5}});
    EXPECT_EQ(profile.problems, 4);
    EXPECT_EQ(fraction_within(profile, 0, 1), 0.5);
    EXPECT_EQ(fraction_within(profile, 1, 1), 0.5);
    EXPECT_EQ(fraction_within(profile, 0, 2), 0.75);
    EXPECT_EQ(fraction_within(profile, 1, 2.9), 0.5);
    EXPECT_EQ(fraction_within(profile, 1, 3), 0.75);
    EXPECT_EQ(fraction_within(profile, 1, 1e9), 0.75);
    EXPECT_EQ(profile_csv(profile), "tau,a,b\n1,0.5,0.5\n2,0.75,0.5\n3,0.75,0.75\n");
}

TEST(PerformanceProfile, MatchesCounting) {
    std::mt19937 random(9);
    std::uniform_real_distribution<double> time(0.1, 10);
    for (int i = 0; i < 200; ++i) {
        const std::size_t problems = 1 + random() % 20;
        std::vector<std::vector<double>> times;
        for (std::size_t p = 0; p < problems; ++p) {
            times.emplace_back();
            for (int s = 0; s < 3; ++s) {
                times.back().push_back(random() % 4 == 0 ? kUnsolved : time(random));
            }
        }
        const PerformanceProfile profile = make_profile({"a", "b", "c"}, times);
        for (const double tau : {1.0, 1.5, 4.0, 1e6}) {
            for (std::size_t s = 0; s < 3; ++s) {
                int within = 0;
                for (const std::vector<double>& t : times) {
                    const double best = *std::min_element(t.begin(), t.end());
                    if (std::isfinite(t[s]) && t[s] / best <= tau) ++within;
                }
                EXPECT_EQ(fraction_within(profile, s, tau), within / static_cast<double>(problems));
            }
        }
    }
}

TEST(PerformanceProfile, OddTimes) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const PerformanceProfile profile = make_profile({"a", "b"}, {{nan, 1}, {-1, 1}, {0, 0}});
    EXPECT_EQ(profile.ratios[0].size(), 1U);
    EXPECT_EQ(fraction_within(profile, 1, 1), 1);
    const PerformanceProfile none = make_profile({"a"}, {});
    EXPECT_EQ(fraction_within(none, 0, 1), 0);
    EXPECT_EQ(profile_csv(none), "tau,a\n1,0\n");
}

TEST(PerformanceProfile, PlotHasOneStepLineForEachSolver) {
    const Plot plot = profile_plot(make_profile({"a", "b"}, {{1, 30}, {4, 2}}));
    ASSERT_EQ(plot.series.size(), 2U);
    EXPECT_EQ(plot.series[1].name, "b");
    EXPECT_EQ(plot.series[1].line, LineStyle::kStep);
    EXPECT_EQ(plot.series[1].x.front(), 1);
    EXPECT_EQ(plot.series[1].y, (std::vector<double>{0.5, 0.5, 1, 1}));  // at 1, 2, 30, the end
    EXPECT_GT(plot.series[1].x.back(), 30);
    EXPECT_EQ(plot.x.to, plot.series[1].x.back());
}

}  // namespace
}  // namespace stiction
