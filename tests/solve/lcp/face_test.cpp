// face_test.cpp - steps on a face of the box against closed forms.
#include "solve/lcp/face.h"

#include <gtest/gtest.h>

#include "solve/lcp/random_boxes.h"

namespace stiction::face_test {
namespace {

using test::kOpen;

// Three unknowns with bounds 0 and 10, the first of them at its bound.
struct Case {
    BoxLcp problem;
    VecX z, w;
    Face face;

    explicit Case(const MatX& A, const VecX& b, const VecX& start)
        : problem{A, b, VecX::Zero(3), VecX::Constant(3, 10.0)}, z(start) {
        reserve(face, 3);
        evaluate(problem, z, w);
        find_members(problem, z, face);
    }
};

TEST(Face, StepEndsAtTheMinimiserOverTheFreeUnknowns) {
    Eigen::Matrix3d A;
    A << 4, 1, 1, 1, 2, 0, 1, 0, 5;
    Case c(A, Vec3(-1, -4, -10), Vec3(0, 1, 1));
    EXPECT_EQ(c.face.members, (std::vector<int>{1, 2}));
    ASSERT_TRUE(factor_face(c.problem.A, true, kFacePivot, c.face));
    find_step(c.w, c.face);
    EXPECT_LT((c.face.step - Vec3(0, 1, 1)).norm(), 1e-15);  // to z = (0, 2, 2), where w_F = 0
    EXPECT_FALSE(move_to_bound(c.problem, 1, c.face, c.z, c.w));
    EXPECT_LT(c.w.tail(2).norm(), 1e-14);
}

TEST(Face, MoveStopsAtTheFirstBoundExactly) {
    Case c(MatX::Identity(3, 3), VecX::Zero(3), Vec3(0, 9, 3));
    c.face.step = Vec3(0, 0.3, -0.3);
    const FirstBound first = first_bound(c.problem, c.z, c.face);
    EXPECT_EQ(first.unknown, 1);
    EXPECT_NEAR(first.length, 10.0 / 3, 1e-14);
    EXPECT_FALSE(move_to_bound(c.problem, 2, c.face, c.z, c.w));
    EXPECT_TRUE(move_to_bound(c.problem, 2, c.face, c.z, c.w));
    EXPECT_EQ(c.z[1], 10);
    EXPECT_NEAR(c.z[2], 2, 1e-14);
    EXPECT_EQ(c.w, c.z);
}

// A = y y' with y = (0, 1, 1): flat along (0, 1, -1), and b falls that way.
TEST(Face, FlatDirectionIsFollowedToItsBound) {
    const Vec3 y(0, 1, 1);
    Case c(y * y.transpose(), Vec3(0, -3, -1), Vec3(0, 1, 1));
    ASSERT_TRUE(factor_face(c.problem.A, true, kFacePivot, c.face));
    EXPECT_EQ(c.face.factor.rank, 1);
    find_step(c.w, c.face);
    EXPECT_FALSE(move_to_bound(c.problem, 1, c.face, c.z, c.w));
    EXPECT_EQ(follow_flat_direction(c.problem, c.face, c.z, c.w), FlatMove::kMoved);
    EXPECT_EQ(c.z[2], 0);
    EXPECT_NEAR(c.z.sum(), y.dot(c.z), 1e-15);
    c.problem.lo.setConstant(-kOpen);
    c.problem.hi.setConstant(kOpen);
    const VecX before = c.z;
    EXPECT_EQ(follow_flat_direction(c.problem, c.face, c.z, c.w), FlatMove::kEndless);
    EXPECT_EQ(c.z, before);
    EXPECT_TRUE(is_unbounded_along(c.problem, c.face.step));
}

TEST(Face, NothingToSolveIsTold) {
    Case c(MatX::Identity(3, 3), VecX::Ones(3), Vec3(0, 10, 0));
    EXPECT_TRUE(c.face.members.empty());
    EXPECT_FALSE(factor_face(c.problem.A, true, kFacePivot, c.face));
    Case singular(MatX::Ones(3, 3), VecX::Ones(3), Vec3(1, 1, 1));
    EXPECT_FALSE(factor_face(singular.problem.A, false, kFacePivot, singular.face));
    EXPECT_TRUE(factor_face(singular.problem.A, true, kFacePivot, singular.face));
}

}  // namespace
}  // namespace stiction::face_test
