// step_quality_test.cpp - the measures of a simulation's step: a body of 2 kg on a plane, by hand.
#include "metrics/step_quality.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

// A body of mass 2 and inertia 0.5 I with contacts 1 below its centre, normal +z.
ContactProblem body_on_plane(int contacts) {
    ContactProblem problem;
    problem.h = 0.01;
    InertiaBlock block;
    block.mass = 2;
    block.inv_mass = 0.5;
    block.inertia = 0.5 * Mat3::Identity();
    block.inv_inertia = 2 * Mat3::Identity();
    problem.system.blocks = {block};
    problem.system.nv = 6;
    Link link;
    link.a = 0;
    link.r_a = Vec3(0, 0, -1);
    problem.system.links = {link};
    for (int i = 0; i < contacts; ++i) {
        ContactRow row;
        row.link = 0;
        row.n[2] = row.s[0] = row.t[1] = 1;
        row.mu_c = 0.5;
        problem.contacts.push_back(row);
    }
    problem.v = problem.v_free = VecX::Zero(6);
    return problem;
}

ContactSolution with_impulses(VecX v, std::vector<double> c_n, std::vector<double> c_s) {
    ContactSolution solution;
    solution.v = std::move(v);
    solution.c_n = std::move(c_n);
    solution.c_s = std::move(c_s);
    solution.c_t.assign(solution.c_n.size(), 0);
    return solution;
}

// Falls at 3 m/s and slides at 4: c_n = 6 stops the fall, friction of 3 changes the speed of the
// point by (1/2 + 1 * 1 * 2) * 3 = 7.5 if it were to stick at most 4, so it sticks with 4 / 2.5.
TEST(StepQuality, BodyThatSticksOnAPlane) {
    ContactProblem problem = body_on_plane(1);
    problem.v_free << 4, 0, -3, 0, 0, 0;
    VecX v(6);
    const double c_s = -4 / 2.5;
    v << 4 + c_s / 2, 0, 0, 0, -c_s * 2, 0;  // spin = I^-1 (r x c), r = -z
    StepQualityWorkspace workspace;
    ContactQuality quality;
    measure_quality(problem, with_impulses(v, {6}, {c_s}), {}, workspace, quality);
    EXPECT_NEAR(workspace.weight[0], (0.5 + 2.5 + 2.5) / 3, 1e-15);
    EXPECT_TRUE(workspace.q.isApprox(Vec3(-3, 4, 0), 1e-15));
    EXPECT_LT(workspace.u.norm(), 1e-14);
    EXPECT_EQ(quality.resting, 1);
    EXPECT_EQ(quality.sliding, 0);
    EXPECT_LT(quality.natural.norm, 1e-14);
    EXPECT_LT(quality.scaled.norm, 1e-14);
    EXPECT_EQ(quality.penetration.norm, 0);
    // Friction of twice what the cone allows, and a plane 1 mm deep.
    problem.contacts[0].phi = -1e-3;
    measure_quality(problem, with_impulses(v, {6}, {-6}), {}, workspace, quality);
    EXPECT_NEAR(quality.cone.norm, 3, 1e-15);
    EXPECT_NEAR(quality.penetration.norm, 1e-3, 1e-18);
}

TEST(StepQuality, BiasBelongsToTheLawButNotToTheGap) {
    ContactProblem problem = body_on_plane(2);
    problem.v_free << 0, 0, -1, 0, 0, 0;
    for (ContactRow& row : problem.contacts) {
        row.phi = 5e-3;
        row.bias = row.phi / problem.h;  // 0.5 m/s: may close within the step
    }
    VecX v(6);
    v << 0, 0, -0.5, 0, 0, 0;  // just closes, c_n = 2 * 0.5 in two halves
    StepQualityWorkspace workspace;
    ContactQuality quality;
    measure_quality(problem, with_impulses(v, {0.5, 0.5}, {0, 0}), {}, workspace, quality);
    EXPECT_EQ(quality.contacts, 2);
    EXPECT_LT(quality.gap.norm, 1e-17);
    EXPECT_LT(quality.scaled.norm, 1e-15);
    EXPECT_EQ(quality.min_normal_velocity, 0);
    EXPECT_NEAR(workspace.q[0], -0.5, 1e-15);
}

// A moving floor: what it adds is in the velocities of both.
TEST(StepQuality, PrescribedMotionCounts) {
    ContactProblem problem = body_on_plane(1);
    problem.system.links[0].u0[0] = -2;
    StepQualityWorkspace workspace;
    ContactQuality quality;
    measure_quality(problem, with_impulses(VecX::Zero(6), {1}, {0.5}), {}, workspace, quality);
    EXPECT_EQ(quality.sliding, 1);
    EXPECT_NEAR(quality.alignment.norm, 0, 1e-15);
    EXPECT_EQ(workspace.q[1], -2);
}

}  // namespace
}  // namespace stiction
