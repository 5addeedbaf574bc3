// frame_matrices_test.cpp - a frame as an LCP and as a cone problem has the answers of the models on the
// frame itself; matrix files by their bytes.
#include "problem_files/frame_matrices.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "problem_files/frame_solver.h"
#include "problem_files/matrix_file.h"
#include "problem_files/record_frame.h"
#include "record/ball_on_plane.h"
#include "scene/scene.h"
#include "solve/cone/prox_newton_matrix.h"
#include "solve/lcp/lemke.h"
#include "step/simulation.h"

namespace stiction {
namespace {

namespace frame_matrices_test {

ProblemFrame frame_of(Simulation sim, int steps) {
    ProblemFrame frame;
    for (int i = 0; i < steps; ++i) {
        BeforeStep before;
        keep_before_step(sim, before);
        (void)step(sim, [&](const Simulation& s) { frame = record_frame(s, before); });
    }
    return frame;
}

// A cube that slides down a ramp on its four corners.
ProblemFrame sliding_cube() {
    Scene scene = load_scene("scenes/ramp.yaml");
    return frame_of(
        make_simulation(scene.model, scene.state, scene.controls, CoulombLcp{}, scene.step, 1), 40);
}

VecX velocities(const ProblemFrame& frame, const ContactModel& model) {
    FrameSolver solver;
    const FrameAnswer answer =
        solver.solve(frame, make_frame_problem(frame, "frame"), {model, false, false, 0, {}});
    EXPECT_EQ(answer.status, SolveStatus::kSolved);
    return answer.v;
}

TEST(FrameMatrices, LcpHasTheAnswerOfTheModel) {
    const ProblemFrame frame = sliding_cube();
    const ContactProblem& problem = frame.step->problem;
    const auto nc = static_cast<Eigen::Index>(problem.contacts.size());
    ASSERT_EQ(nc, 4);
    for (const int sides : {4, 8}) {
        const Lcp lcp = frame_lcp(problem, sides, "frame");
        ASSERT_EQ(lcp.b.size(), (sides + 2) * nc);
        LemkeWorkspace workspace;
        LcpResult result;
        solve_lemke(lcp, {}, {}, workspace, result);
        ASSERT_EQ(result.status, SolveStatus::kSolved);
        const DenseProblem d = dense(problem);
        FrictionDirections directions;
        set_directions(sides, directions);
        VecX impulse = d.N.transpose() * result.z.head(nc);
        for (Eigen::Index i = 0; i < nc; ++i) {
            for (Eigen::Index k = 0; k < sides; ++k) {
                const Eigen::Vector2d& x = directions[at(k)];
                impulse += result.z[nc + sides * i + k] *
                           (x[0] * d.S.row(i) + x[1] * d.T.row(i)).transpose();
            }
        }
        const VecX v = problem.v_free + d.M.llt().solve(impulse);
        CoulombLcp model;
        model.sides = sides;
        EXPECT_LT((v - velocities(frame, model)).cwiseAbs().maxCoeff(), 1e-9);
        EXPECT_GT(v.norm(), 0.05);  // it slides
    }
}

TEST(FrameMatrices, ConeProblemHasTheAnswerOfTheModel) {
    const ProblemFrame frame = sliding_cube();
    const ContactProblem& problem = frame.step->problem;
    const ConeProblem cone = frame_cone(problem, "frame");
    MatrixProxNewtonWorkspace workspace;
    ConeResult result;
    solve_prox_newton(cone, {1e-12, 0, {}}, VecX(), workspace, result);
    const DenseProblem d = dense(problem);
    VecX impulse = VecX::Zero(problem.system.nv);
    for (int i = 0; i < cone.contacts(); ++i)
        impulse += result.r[3 * i] * d.N.row(i).transpose() +
                   result.r[3 * i + 1] * d.S.row(i).transpose() +
                   result.r[3 * i + 2] * d.T.row(i).transpose();
    const VecX v = problem.v_free + d.M.llt().solve(impulse);
    EXPECT_LT((v - velocities(frame, CoulombCone{})).cwiseAbs().maxCoeff(), 1e-7);
}

// Joints taken out: the same problem with a joint's rows, once as rows and once inside C.
TEST(FrameMatrices, JointsAreTakenOut) {
    const ProblemFrame free = sliding_cube();
    ProblemFrame held;
    held.h = free.h;
    held.bodies = free.bodies;
    held.contacts = free.contacts;
    FrameJoint rail;  // along y and no turning about x: the rows contradict no contact
    for (int i = 0; i < static_cast<int>(held.bodies.size()); ++i) {
        if (held.bodies[at(i)].active) rail.a = i;
    }
    rail.rows.resize(2);
    rail.rows[0].J_a << 0, 1, 0, 0, 0, 0;
    rail.rows[0].rate = -0.3;
    rail.rows[1].J_a << 0, 2, 0, 0, 0, 0;  // twice the same: redundant
    rail.rows[1].rate = -0.6;
    held.joints = {rail};
    const FrameProblem problem = make_frame_problem(held, "frame");
    const ConeProblem cone = frame_cone(problem.problem, "frame");
    MatrixProxNewtonWorkspace workspace;
    ConeResult result;
    solve_prox_newton(cone, {1e-12, 0, {}}, VecX(), workspace, result);
    ASSERT_EQ(result.status, SolveStatus::kSolved);
    FrameSolver solver;
    const FrameAnswer answer = solver.solve(held, problem, {CoulombCone{}, false, false, 0, {}});
    ASSERT_EQ(answer.status, SolveStatus::kSolved);
    const DenseProblem d = dense(problem.problem);
    const VecX u_s = d.S * answer.v + d.S0, u_n = d.N * answer.v + d.N0;
    for (int i = 0; i < cone.contacts(); ++i) {
        EXPECT_NEAR(result.u[3 * i], u_n[i] + problem.problem.contacts[at(i)].bias, 1e-7);
        EXPECT_NEAR(result.u[3 * i + 1], u_s[i], 1e-7);
    }
    EXPECT_NEAR((d.J * answer.v)[0], 0.3, 1e-8);  // the tolerance of the model
}

TEST(FrameMatrices, RefusesRowsThatHaveNoPlace) {
    Scene scene = load_scene("scenes/motors.yaml");
    const ProblemFrame frame = frame_of(
        make_simulation(scene.model, scene.state, scene.controls, NoSlip{}, scene.step, 1), 1);
    EXPECT_THROW((void)frame_lcp(frame.step->problem, 4, "frame"), InputError);
    EXPECT_THROW((void)frame_cone(frame.step->problem, "frame"), InputError);
}

Lcp small() {
    Lcp lcp;
    lcp.A.resize(2, 2);
    lcp.A << 1, 0.5, 0, 3;
    lcp.b = Eigen::Vector2d(-1, 0.1);
    return lcp;
}

TEST(MatrixFile, MatrixMarketByHand) {
    EXPECT_EQ(matrix_market_text(small().A),
              "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 0.5\n2 2 3\n");
    EXPECT_EQ(matrix_market_text(small().b),
              "%%MatrixMarket matrix array real general\n2 1\n-1\n0.1\n");
}

TEST(MatrixFile, BinaryFormsHaveTheirMarks) {
    const std::string mat = mat_bytes(small());
    EXPECT_EQ(mat.substr(0, 20), "MATLAB 5.0 MAT-file,");
    EXPECT_EQ(mat.substr(126, 2), "IM");
    EXPECT_EQ(mat.size() % 8, 0U);
    const std::string npz = npz_bytes(small());
    EXPECT_EQ(npz.substr(0, 4), "PK\x03\x04");
    const std::size_t start = npz.find("\x93NUMPY");
    ASSERT_NE(start, std::string::npos);
    const std::size_t newline = npz.find('\n', start);
    EXPECT_EQ((newline + 1 - start) % 64, 0U);
    EXPECT_THROW((void)matrix_files("a.txt"), InputError);
}

}  // namespace frame_matrices_test

}  // namespace
}  // namespace stiction
