// collection_test.cpp - the frames that ship: solved as their metrics say, and what each is there for.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "problem_files/dataset.h"
#include "problem_files/frame_solver.h"

namespace stiction {
namespace {

namespace collection_test {

const std::string kFolder = "tests/data/problems/";

struct Expected {
    std::string file;
    std::size_t frame = 0;  // from 1
    int contacts = 0, resting = 0, sliding = 0, misaligned = 0;
};

std::vector<Expected> expected() {
    std::ifstream file(kFolder + "expected.csv");
    std::vector<Expected> rows;
    std::string line;
    std::getline(file, line);  // names
    while (std::getline(file, line)) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        Expected& row = rows.emplace_back();
        words >> row.file >> row.frame >> row.contacts >> row.resting >> row.sliding >>
            row.misaligned;
    }
    return rows;
}

FrameAnswer answer_of(const Dataset& dataset, std::size_t frame) {
    const ProblemFrame read = dataset.read(frame);
    CoulombCone model;
    model.solver = CoulombConeSolver::kProxNewton;
    model.tolerance = 1e-9;
    FrameSolver solver;
    return solver.solve(read, make_frame_problem(read, dataset.name(frame)),
                        {model, true, false, 0, {}});
}

TEST(Collection, IsSolvedWithTheMetricsExpected) {
    const std::vector<Expected> rows = expected();
    ASSERT_GE(rows.size(), 20U);
    for (const Expected& row : rows) {
        SCOPED_TRACE(row.file + " " + std::to_string(row.frame));
        const FrameAnswer answer = answer_of(Dataset(kFolder + row.file), row.frame - 1);
        EXPECT_EQ(answer.status, SolveStatus::kSolved);
        EXPECT_EQ(answer.quality.contacts, row.contacts);
        EXPECT_EQ(answer.quality.sliding, row.sliding);
        EXPECT_EQ(answer.quality.misaligned, row.misaligned);
        // Which of several redundant contacts carries a millionth is for rounding to say.
        EXPECT_NEAR(answer.quality.resting, row.resting, 2);
        EXPECT_LE(answer.quality.natural.norm, 1e-9);
        EXPECT_LE(answer.quality.scaled.norm, 1e-9);
        EXPECT_LT(answer.quality.alignment.norm, 1e-6);
        EXPECT_LT(answer.quality.creep.norm, 1e-6);
    }
}

// As recorded; the same bits on the build that recorded it, the same velocities on any.
TEST(Collection, IsSolvedAgainAsRecorded) {
    for (const Expected& row : expected()) {
        SCOPED_TRACE(row.file + " " + std::to_string(row.frame));
        const ProblemFrame frame = Dataset(kFolder + row.file).read(row.frame - 1);
        const FrameProblem problem = make_frame_problem(frame, row.file);
        FrameSolver solver;
        const FrameAnswer answer =
            solver.solve(frame, problem, {problem.model, false, true, 0, {}});
        EXPECT_EQ(answer.status, SolveStatus::kSolved);
        EXPECT_LT((answer.v - frame.answers[0].v).cwiseAbs().maxCoeff(), 1e-5);
    }
}

// Solvers that get no time are stopped and say so.
TEST(Collection, CpuTimeCanBeLimited) {
    const ProblemFrame frame = Dataset(kFolder + "cold_pile.h5").read(0);
    const FrameProblem problem = make_frame_problem(frame, "cold_pile");
    FrameSolver solver;
    for (const CoulombConeSolver kind :
         {CoulombConeSolver::kSplit, CoulombConeSolver::kPgs, CoulombConeSolver::kInteriorPoint}) {
        CoulombCone model;
        model.solver = kind;
        FrameSolveSettings settings{model, true, false, 0, 1e-12};
        const FrameAnswer stopped = solver.solve(frame, problem, settings);
        EXPECT_EQ(stopped.status, SolveStatus::kBudget) << solver_name(settings.model);
        EXPECT_TRUE(stopped.v.allFinite());
        settings.cpu_budget = 1e9;
        EXPECT_NE(solver.solve(frame, problem, settings).status, SolveStatus::kBudget);
    }
}

// Turned about the normal: speeds along the slope are the same, and so are the counts.
TEST(Collection, TurnedProblemsAreTheSame) {
    const Dataset dataset(kFolder + "isotropy.h5");
    ASSERT_EQ(dataset.size(), 4U);
    const FrameAnswer first = answer_of(dataset, 0);
    EXPECT_GT(first.velocities[0].v.norm(), 0.05);
    for (std::size_t k = 1; k < 4; ++k) {
        const FrameAnswer other = answer_of(dataset, k);
        for (std::size_t b = 0; b < 2; ++b)
            EXPECT_NEAR(other.velocities[b].v.norm(), first.velocities[b].v.norm(), 1e-7);
        EXPECT_EQ(other.quality.resting, first.quality.resting);
        EXPECT_EQ(other.quality.sliding, first.quality.sliding);
    }
}

// Below and at the angle of friction (tan 21.8 degrees = 0.39997 < 0.4) the block stays, beyond it
// gains h g (sin - mu cos) per step.
TEST(Collection, BlocksSlipBeyondTheAngleOfFriction) {
    const Dataset dataset(kFolder + "stick_slip.h5");
    ASSERT_EQ(dataset.size(), 3U);
    EXPECT_LT(answer_of(dataset, 0).velocities[0].v.norm(), 1e-8);
    EXPECT_LT(answer_of(dataset, 1).velocities[0].v.norm(), 1e-8);
    const double angle = 22.5 * 3.14159265358979323846 / 180;
    const double speed = 20 * 0.002 * 9.81 * (std::sin(angle) - 0.4 * std::cos(angle));
    // Twenty steps, each solved to a part in 1e8 of its velocities.
    EXPECT_NEAR(answer_of(dataset, 2).velocities[0].v.norm(), speed, 1e-6);
}

}  // namespace collection_test

}  // namespace
}  // namespace stiction
