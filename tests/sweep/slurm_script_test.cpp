// slurm_script_test.cpp - tasks cover every job once, within what an array may have.
#include "sweep/slurm_script.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace stiction::test {
namespace {

TEST(SlurmScript, TasksCoverAllJobsWithinTheLimitOfAnArray) {
    for (const std::int64_t jobs : {1, 2, 999, 1000, 1001, 2000, 2001, 999'999, 1'000'000}) {
        for (const std::int64_t block : {0, 1000, 5000}) {
            const SlurmScripts s = make_slurm_scripts({.program = "p",
                                                       .sweep_file = "s",
                                                       .results = "r",
                                                       .scripts = "d",
                                                       .name = "n",
                                                       .jobs = jobs,
                                                       .block = block});
            EXPECT_LE(s.tasks, kMostTasks);
            EXPECT_GE(s.tasks * s.block, jobs);
            EXPECT_LT((s.tasks - 1) * s.block, jobs);
        }
    }
}

TEST(SlurmScript, TooManyTasksAreRefused) {
    EXPECT_THROW((void)make_slurm_scripts({.program = "p",
                                           .sweep_file = "s",
                                           .results = "r",
                                           .scripts = "d",
                                           .name = "n",
                                           .jobs = 2001,
                                           .block = 2}),
                 InputError);
}

TEST(SlurmScript, NamesSurviveTheShell) {
    const SlurmScripts s = make_slurm_scripts({.program = "/a b/it's",
                                               .sweep_file = "/c\"d.yaml",
                                               .results = "/r",
                                               .scripts = "/d",
                                               .name = "my sweep",
                                               .jobs = 3,
                                               .block = 0});
    EXPECT_NE(s.array.find("exec '/a b/it'\\''s' sweep '/c\"d.yaml' --out '/r'"),
              std::string::npos);
    EXPECT_NE(s.array.find("--job-name=my_sweep\n"), std::string::npos);
}

}  // namespace
}  // namespace stiction::test
