// stored_problems_test.cpp - contact problems that simulations produced, where a folder of them is
// at hand: every one is solved from a cold start to 1e-8 by prox_newton with its one setting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "problem_files/problem_file.h"
#include "solve/cone/prox_newton_matrix.h"

namespace stiction {
namespace {

// The folder named by STICTION_PROBLEMS, or the one chosen when the build was configured.
std::filesystem::path folder() {
    const char* const named = std::getenv("STICTION_PROBLEMS");
    return named != nullptr ? named : STICTION_PROBLEMS_FOLDER;
}

TEST(StoredProblems, AllAreSolved) {
    if (!std::filesystem::is_directory(folder())) {
        GTEST_SKIP() << "no folder of problems; set STICTION_PROBLEMS";
    }
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
        const std::string extension = entry.path().extension();
        if (extension == ".dat" || extension == ".hdf5") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
        const ConeProblem problem = read_cone_problem(file);
        MatrixProxNewtonWorkspace workspace;
        ConeResult result;
        solve_prox_newton(problem, {1e-8, 0}, {}, workspace, result);
        EXPECT_EQ(result.status, SolveStatus::kSolved) << file;
        const ConeResidual judged = residual(problem, result.r);
        EXPECT_LE(judged.natural, 1e-8) << file;
        EXPECT_LE(judged.scaled, 1e-8) << file;
    }
}

}  // namespace
}  // namespace stiction
