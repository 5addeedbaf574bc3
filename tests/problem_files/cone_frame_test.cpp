// cone_frame_test.cpp - problems in W and q as frames: what comes back is the problem, and models solve it.
#include "problem_files/cone_frame.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "problem_files/dataset.h"
#include "problem_files/dataset_writer.h"
#include "problem_files/frame_matrices.h"
#include "problem_files/frame_solver.h"
#include "record/ball_on_plane.h"
#include "solve/cone/random_cones.h"

namespace stiction {
namespace {

namespace cone_frame_test {

ProblemFrame written_and_read(const ConeProblem& problem) {
    const test::ScratchFolder folder("cone_frame");
    write_dataset(folder / "a.h5", {}, frame_of_cone(problem, "p"));
    const Dataset dataset(folder / "a.h5");
    EXPECT_EQ(dataset.size(), 1U);
    EXPECT_EQ(dataset.contacts(0), at(problem.contacts()));
    return dataset.read(0);
}

// Regular, with fewer velocities than rows, in sets that do not touch one another, and as bodies.
const std::vector<test::ConeKind> kKinds = {{.contacts = 6, .velocities = 30},
                                            {.contacts = 6, .velocities = 10},
                                            {.contacts = 5, .decoupled = true},
                                            {.contacts = 8, .velocities = 18, .bodies = true}};

TEST(ConeFrame, GivesTheProblemBack) {
    test::Rng rng(11);
    for (const test::ConeKind& kind : kKinds) {
        const ConeProblem problem = test::random_cone(rng, kind);
        const ProblemFrame frame = written_and_read(problem);
        const FrameProblem from = make_frame_problem(frame, "p");
        const ConeProblem back = frame_cone(from.problem, "p");
        const MatX W = to_dense(problem.W);
        EXPECT_LT((to_dense(back.W) - W).cwiseAbs().maxCoeff(), 1e-12 * W.cwiseAbs().maxCoeff());
        EXPECT_EQ(back.q, problem.q);
        EXPECT_EQ(back.mu, problem.mu);
        EXPECT_EQ(from.problem.islands.size(), kind.decoupled ? 5U : 1U);
    }
}

// The impulses are an answer to the problem as it was given.
TEST(ConeFrame, IsSolvedByEveryModel) {
    test::Rng rng(12);
    for (const test::ConeKind& kind : kKinds) {
        const ConeProblem problem = test::random_cone(rng, kind);
        const ProblemFrame frame = written_and_read(problem);
        const FrameProblem from = make_frame_problem(frame, "p");
        FrameSolver solver;
        for (const std::string_view name : kContactModelNames) {
            FrameSolveSettings settings;
            settings.model = make_contact_model(name);
            const FrameAnswer answer = solver.solve(frame, from, settings);
            EXPECT_EQ(answer.status, SolveStatus::kSolved) << name;
            if (name != "coulomb_cone") continue;
            VecX r(problem.q.size());
            for (int a = 0; a < problem.contacts(); ++a)
                r.segment<3>(3 * a) << answer.c_n[at(a)], answer.c_s[at(a)], answer.c_t[at(a)];
            EXPECT_LT(residual(problem, r).worst(), 1e-7);
        }
    }
}

TEST(ConeFrame, RefusesWhatNoMassesMake) {
    ConeProblem problem;
    problem.mu = VecX::Constant(1, 0.5);
    problem.q = Vec3(-1, 0, 0);
    const auto why = [&problem](const Mat3& W) {
        problem.W = make_block_matrix(MatX(W));
        return test::message_of<InputError>([&] { (void)frame_of_cone(problem, "p"); });
    };
    Mat3 W = Vec3(1, 2, 3).asDiagonal();
    W(0, 1) = 0.1;
    EXPECT_TRUE(why(W).starts_with("p: W is not symmetric")) << why(W);
    EXPECT_TRUE(why(Vec3(1, -1, 2).asDiagonal()).starts_with("p: W is not positive"));
    EXPECT_EQ(why(Mat3::Zero()), "");
}

}  // namespace cone_frame_test

}  // namespace
}  // namespace stiction
