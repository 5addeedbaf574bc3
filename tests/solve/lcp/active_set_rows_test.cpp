// active_set_rows_test.cpp - active-set method on rows: agreement with the one on the matrix, and
// rows that nearly depend on one another, which that one cannot tell from dependent ones.
#include "solve/lcp/active_set_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "allocation_count.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::active_set_rows_test {
namespace {

using test::kOpen;
using test::Rng;
using States = std::vector<BoundState>;

struct Program {
    MatX Y;  // a column per row
    BoxLcp box;
};

BoxResult solve(const Program& p, const States& guess = {}, double tolerance = 1e-10) {
    ActiveSetRowsWorkspace workspace;
    BoxResult r;
    solve_active_set_rows(p.box, p.Y, {.stop = {.tolerance = tolerance}}, guess, workspace, r);
    return r;
}

// Rows of which some repeat others, b in their range: it has a solution.
Program random_program(Rng& rng, int velocities, int rows, int repeated) {
    Program p;
    p.Y.resize(velocities, rows + repeated);
    for (int i = 0; i < rows; ++i) p.Y.col(i) = test::random_vector(rng, velocities);
    for (int i = 0; i < repeated; ++i)
        p.Y.col(rows + i) = test::uniform(rng, 0.5, 2) * p.Y.col(test::whole(rng, 0, rows - 1));
    const Eigen::Index n = rows + repeated;
    p.box.A = p.Y.transpose() * p.Y;
    p.box.b = p.Y.transpose() * test::random_vector(rng, velocities);
    p.box.lo.resize(n);
    p.box.hi.resize(n);
    test::random_bounds(rng, p.box.lo, p.box.hi);
    return p;
}

TEST(ActiveSetRows, GivesTheVelocityOfTheMethodOnTheMatrix) {
    Rng rng(1);
    ActiveSetWorkspace workspace;
    BoxResult other;
    for (int k = 0; k < 1000; ++k) {
        const Program p = random_program(rng, test::whole(rng, 1, 12), test::whole(rng, 1, 15),
                                         test::whole(rng, 0, 5));
        const BoxResult r = solve(p);
        ASSERT_EQ(r.status, SolveStatus::kSolved) << "case " << k << ", residual " << r.residual;
        solve_active_set_qp(p.box, {}, {}, workspace, other);
        ASSERT_EQ(other.status, SolveStatus::kSolved) << "case " << k;
        EXPECT_LT((p.Y * (r.z - other.z)).norm(), 1e-8) << "case " << k;
    }
}

// Bricks of 0.1 x 0.05 x 0.16 m and 0.4 kg side by side on the ground, each on four corners of
// which two are `gap` above it; neighbours touch at two points. No corner may slip, and bodies that
// fall for a step have to close their gaps: the tangential rows forbid what the normals ask for, by
// gap / 0.1 of their length. v = 0 meets all rows.
Program tilted_bricks(Rng& rng, int bricks, double gap) {
    constexpr double kMass = 0.4, kStep = 2e-3;
    const Vec3 half(0.05, 0.025, 0.08);
    const Vec3 inertia =
        kMass / 3 *
        Vec3(half.y() * half.y() + half.z() * half.z(), half.x() * half.x() + half.z() * half.z(),
             half.x() * half.x() + half.y() * half.y());
    const auto add = [&](int brick, const Vec3& r, const Vec3& n, Eigen::Ref<VecX> y) {
        y.segment<3>(6 * brick) += n / std::sqrt(kMass);
        y.segment<3>(6 * brick + 3) += r.cross(n).cwiseQuotient(inertia.cwiseSqrt());
    };
    std::vector<VecX> rows;
    std::vector<double> bias, lo;
    const auto add_contact = [&](int a, int b, const Vec3& r_a, const Vec3& r_b, int normal,
                                 double phi) {
        for (int axis = 0; axis < 3; ++axis) {
            VecX y = VecX::Zero(6 * bricks);
            add(a, r_a, Vec3::Unit(axis), y);
            if (b != kNone) add(b, r_b, -Vec3::Unit(axis), y);
            rows.push_back(y);
            bias.push_back(axis == normal ? phi / kStep : 0.0);
            lo.push_back(axis == normal ? 0.0 : -kOpen);
        }
    };
    for (int i = 0; i < bricks; ++i) {
        for (const double x : {-1.0, 1.0}) {
            for (const double y : {-1.0, 1.0}) {
                const double phi = x > 0 ? gap * test::uniform(rng, 0.5, 1) : 0.0;
                const Vec3 r(x * half.x(), y * half.y(), -half.z() - phi / 2);
                add_contact(i, kNone, r, r, 2, phi);
            }
        }
        if (i + 1 == bricks) continue;
        for (const double z : {-0.5, 0.5}) {
            const Vec3 r(half.x(), 0, z * half.z()), other(-half.x(), 0, z * half.z());
            add_contact(i + 1, i, other, r, 0, 0);
        }
    }
    Program p;
    const auto n = static_cast<Eigen::Index>(rows.size());
    p.Y.resize(6 * bricks, n);
    p.box.b.resize(n);
    p.box.lo.resize(n);
    p.box.hi = VecX::Constant(n, kOpen);
    VecX nu_free = VecX::Zero(6 * bricks);
    for (int i = 0; i < bricks; ++i) {
        nu_free[6 * i + 2] = -9.81 * kStep * std::sqrt(kMass);
        nu_free.segment<3>(6 * i) += 0.1 * test::random_vector(rng, 3);
        nu_free.segment<3>(6 * i + 3) += 0.01 * test::random_vector(rng, 3);
    }
    for (Eigen::Index i = 0; i < n; ++i) {
        p.Y.col(i) = rows[static_cast<std::size_t>(i)];
        p.box.b[i] = p.Y.col(i).dot(nu_free) + bias[static_cast<std::size_t>(i)];
        p.box.lo[i] = lo[static_cast<std::size_t>(i)];
    }
    p.box.A = p.Y.transpose() * p.Y;
    return p;
}

// Down to 1e-6 m the answer is exact. Below, rounding in b and Y makes the rows contradict one
// another by up to eps 0.1 m / gap of what the largest impulses do; the best point stands.
TEST(ActiveSetRows, SolvesBricksThatAreTiltedByAnything) {
    Rng rng(2);
    for (int k = 0; k < 2000; ++k) {
        const double gap = std::pow(10.0, test::uniform(rng, -12, -2));
        const Program p = tilted_bricks(rng, test::whole(rng, 1, 4), gap);
        const BoxResult r = solve(p, {}, 1e-9);  // what no_slip accepts
        if (gap > 1e-6) {
            EXPECT_EQ(r.status, SolveStatus::kSolved)
                << "case " << k << ", gap " << gap << ", residual " << r.residual;
        }
        EXPECT_LT(relative_residual(p.box, r.z, r.w), 2e-8) << "case " << k << ", gap " << gap;
        EXPECT_LT(r.pivots, 5 * p.box.b.size()) << "case " << k << ", gap " << gap;
    }
}

TEST(ActiveSetRows, ContradictingRowsAreTold) {
    Program p;
    p.Y = MatX::Ones(3, 2);
    p.box = {p.Y.transpose() * p.Y, VecX(2), VecX::Constant(2, -kOpen), VecX::Constant(2, kOpen)};
    p.box.b << 1, -1;
    EXPECT_EQ(solve(p).status, SolveStatus::kNoSolution);
}

TEST(ActiveSetRows, RightGuessNeedsNoPivot) {
    Rng rng(3);
    for (int k = 0; k < 200; ++k) {
        const Program p = random_program(rng, 12, 10, 0);
        const BoxResult first = solve(p);
        ASSERT_EQ(first.status, SolveStatus::kSolved);
        EXPECT_EQ(solve(p, first.state).pivots, 0) << "case " << k;
    }
}

TEST(ActiveSetRows, SecondCallAllocatesNothing) {
    if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer owns malloc";
    Rng rng(4);
    const Program first = random_program(rng, 12, 15, 3), second = random_program(rng, 12, 15, 3);
    ActiveSetRowsWorkspace workspace;
    BoxResult r;
    solve_active_set_rows(first.box, first.Y, {}, {}, workspace, r);
    const long before = allocation_count();
    solve_active_set_rows(second.box, second.Y, {}, r.state, workspace, r);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace stiction::active_set_rows_test
