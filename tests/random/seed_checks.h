// seed_checks.h - a test over a range of seeds: what is not forgiven is printed and shrunk.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "random/known_faults.h"
#include "random/survey.h"

namespace stiction {

inline constexpr int kAttemptsInTests = 400;  // of the shrinker: seconds

// Every fault beyond known_faults.h fails, with its seeds and a small scene that shows it.
inline void expect_only_known_faults(const Survey& result) {
    std::printf("%s", describe(result).c_str());
    for (const auto& [kind, count] : count_faults(result)) {
        const auto& [check, model] = kind;
        const int most = forgiven(check, model, result.seeds);
        if (count <= most) continue;
        std::string text;
        const FailedSeed* first = nullptr;
        for (const FailedSeed& failed : result.failed) {
            if (failed.violation.check != check || failed.violation.model != model) continue;
            if (first == nullptr) first = &failed;
            text +=
                "seed " + std::to_string(failed.seed) + ": " + describe(failed.violation) + "\n";
        }
        ADD_FAILURE() << name(check) << " under " << model << ": " << count << " seeds, " << most
                      << " forgiven\n"
                      << text << shrunk_yaml(*first, kAttemptsInTests);
    }
}

// Checks that never apply would never fail.
inline void expect_enough_was_checked(const Survey& result) {
    for (std::size_t m = 0; m < result.steps.size(); ++m) {
        EXPECT_GT(result.steps[m], 2 * result.seeds) << kContactModelNames[m];
        EXPECT_LT(result.unsolved[m], result.steps[m] / 2) << kContactModelNames[m];
    }
    EXPECT_GT(result.islands.solved, 30 * result.seeds);
    EXPECT_GT(result.islands.dissipative, 20 * result.seeds);
    EXPECT_GT(result.islands.rebounding, result.seeds / 2);
}

}  // namespace stiction
