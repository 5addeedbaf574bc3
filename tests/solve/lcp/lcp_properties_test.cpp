// lcp_properties_test.cpp - every solver of LCPs on the same thousands of random problems.
// Each either reaches its tolerance or says why not, and none ever returns a number that is not
// finite. For symmetric positive semi-definite A the solution w is unique: all have to find it.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <map>
#include <string>

#include "solve/lcp/active_set.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/gradient_projection.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/pgs.h"
#include "solve/lcp/pgs_sm.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::lcp_properties_test {
namespace {

using test::kOpen;
using test::Rng;

constexpr double kTolerance = 1e-9;

struct Answer {
    VecX z, w;
    SolveStatus status = SolveStatus::kSolved;
    int iterations = 0;
    int pivots = 0;
};

template <typename Result>
Answer answer_of(const Result& r) {
    return {r.z, r.w, r.status, r.iterations, r.pivots};
}

// All solvers, with workspaces kept from problem to problem: leftovers must not matter.
struct Solvers {
    LemkeWorkspace lemke;
    ActiveSetWorkspace ppm;
    BlockPivotWorkspace block_pivot;
    PgsWorkspace pgs;
    PgsSmWorkspace pgs_sm;
    ActiveSetWorkspace active_set;
    GradientProjectionWorkspace gradient;
    LcpResult lcp_result;
    BoxResult box_result;

    Answer solve(const std::string& name, const Lcp& lcp) {
        if (name == "lemke") {
            solve_lemke(lcp, {.stop = {.tolerance = kTolerance}}, {}, lemke, lcp_result);
            return answer_of(lcp_result);
        }
        if (name == "ppm") {  // A = K K' taken as rows K of bodies with unit inertia
            PpmProblem p;
            const bool finite = lcp.A.allFinite();
            p.N = test::rows_of(finite ? lcp.A : MatX::Identity(lcp.b.size(), lcp.b.size()));
            if (!finite) p.N(0, 0) = std::nan("");
            p.K = MatX::Identity(p.N.cols(), p.N.cols());
            p.v_hat = VecX::Zero(p.N.cols());
            p.bias = lcp.b;
            solve_ppm(p, {.stop = {.tolerance = kTolerance}}, {}, ppm, lcp_result);
            return answer_of(lcp_result);
        }
        return solve(name, test::as_box(lcp));
    }

    Answer solve(const std::string& name, const BoxLcp& p) {
        const SolveSettings stop{.tolerance = kTolerance};
        BoxResult& r = box_result;
        if (name == "block_pivot") solve_block_pivot(p, {.stop = stop}, {}, block_pivot, r);
        if (name == "pgs") solve_pgs(p, stop, {}, pgs, r);
        if (name == "pgs_sm") solve_pgs_sm(p, {.stop = stop}, {}, pgs_sm, r);
        if (name == "active_set_qp") solve_active_set_qp(p, {.stop = stop}, {}, active_set, r);
        if (name == "gradient_projection")
            solve_gradient_projection(p, {.stop = stop}, {}, gradient, r);
        return answer_of(r);
    }
};

const std::vector<std::string> kAll{"lemke",  "ppm",           "block_pivot",        "pgs",
                                    "pgs_sm", "active_set_qp", "gradient_projection"};
const std::vector<std::string> kBoxed{"block_pivot", "pgs", "pgs_sm", "active_set_qp",
                                      "gradient_projection"};

// What holds for every answer, whatever the problem. The tolerance of ppm and lemke is relative to
// other sizes (their headers), so what they call solved may be larger in this measure.
void expect_honest(const std::string& name, const BoxLcp& p, const Answer& a) {
    ASSERT_TRUE(a.z.allFinite() && a.w.allFinite()) << name;
    ASSERT_EQ(a.z.size(), p.b.size()) << name;
    EXPECT_TRUE((a.z.array() >= p.lo.array()).all() && (a.z.array() <= p.hi.array()).all()) << name;
    EXPECT_NE(a.status, SolveStatus::kNotFinite) << name;
    if (a.status == SolveStatus::kSolved) {
        const VecX w = p.A * a.z + p.b;
        const double limit = name == "lemke" || name == "ppm" ? 1e3 * kTolerance : kTolerance;
        EXPECT_TRUE(is_solution(p, limit, a.z, w))
            << name << ", relative residual " << relative_residual(p, a.z, w);
    }
}

struct Tally {
    std::map<std::string, int> solved;
    int cases = 0;

    // At most `missed` of the cases may have ended otherwise.
    void expect(const std::vector<std::string>& names, int missed) const {
        for (const std::string& name : names) {
            const auto found = solved.find(name);
            EXPECT_GE(found == solved.end() ? 0 : found->second, cases - missed) << name;
        }
    }
};

// Solves one problem by all, checks each, and that those that solved it have the same w.
template <typename Problem>
void compare(Solvers& solvers, const std::vector<std::string>& names, const Problem& problem,
             const BoxLcp& p, bool unique_w, Tally& tally) {
    ++tally.cases;
    VecX reference;
    for (const std::string& name : names) {
        const Answer a = solvers.solve(name, problem);
        ASSERT_NO_FATAL_FAILURE(expect_honest(name, p, a)) << "case " << tally.cases;
        if (a.status != SolveStatus::kSolved) continue;
        ++tally.solved[name];
        if (!unique_w) continue;
        if (reference.size() == 0) reference = a.w;
        // |w1 - w2|^2 is of the order of the residual for a singular problem.
        const double difference = (a.w - reference).cwiseAbs().maxCoeff();
        EXPECT_LE(difference, std::sqrt(kTolerance) * (1 + scale(p)))
            << name << ", case " << tally.cases;
    }
}

TEST(LcpProperties, PositiveDefinite) {
    Rng rng(1);
    Solvers solvers;
    Tally tally;
    for (int k = 0; k < 1500; ++k) {
        const int n = test::whole(rng, 1, 12);
        const Lcp lcp{test::random_spd(rng, n), test::random_vector(rng, n)};
        compare(solvers, kAll, lcp, test::as_box(lcp), true, tally);
    }
    tally.expect(kAll, 0);
}

TEST(LcpProperties, SemidefiniteRankDeficientAndDegenerate) {
    for (const bool degenerate : {false, true}) {
        Rng rng(2);
        Solvers solvers;
        Tally tally;
        for (int k = 0; k < 1000; ++k) {
            const int n = test::whole(rng, 2, 12);
            const Lcp lcp = test::random_semidefinite(rng, n, test::whole(rng, 1, n), degenerate);
            compare(solvers, kAll, lcp, test::as_box(lcp), true, tally);
        }
        tally.expect({"lemke", "ppm", "active_set_qp"}, 0);
        tally.expect({"block_pivot", "pgs_sm", "gradient_projection"}, 2);
        tally.expect({"pgs"}, 50);
    }
}

TEST(LcpProperties, SemidefiniteWithAndWithoutSolution) {
    // b is arbitrary, so a part has none: the pivoting methods must tell, and tell the same.
    Rng rng(3);
    Solvers solvers;
    Tally tally;
    int without = 0;
    for (int k = 0; k < 1000; ++k) {
        const int n = test::whole(rng, 2, 10);
        const MatX Y = test::random_matrix(rng, n, test::whole(rng, 1, n));
        const Lcp lcp{Y * Y.transpose(), test::random_vector(rng, n)};
        compare(solvers, kAll, lcp, test::as_box(lcp), true, tally);
        const Answer active = solvers.solve("active_set_qp", lcp);
        EXPECT_NE(active.status, SolveStatus::kIterationLimit) << "case " << k;
        without += active.status == SolveStatus::kNoSolution;
        for (const char* name : {"lemke", "ppm"})
            EXPECT_EQ(solvers.solve(name, lcp).status, active.status) << name << ", case " << k;
        for (const char* name : {"block_pivot", "gradient_projection", "pgs_sm", "pgs"}) {
            const SolveStatus status = solvers.solve(name, lcp).status;
            EXPECT_TRUE(status == active.status || status == SolveStatus::kIterationLimit)
                << name << ", case " << k << ": " << stiction::name(status);
        }
    }
    EXPECT_GT(without, 200);
    EXPECT_LT(without, 800);
}

TEST(LcpProperties, PMatricesThatAreNotSymmetric) {
    Rng rng(4);
    Solvers solvers;
    Tally tally;
    for (int k = 0; k < 1000; ++k) {
        const int n = test::whole(rng, 1, 12);
        MatX A = test::random_matrix(rng, n, n);
        A.diagonal().setZero();
        A.diagonal() = A.cwiseAbs().rowwise().sum() * 1.05 + VecX::Constant(n, 0.05);
        if (k % 2) {  // a diagonal scaling of rows and columns leaves it a P-matrix
            for (int i = 0; i < n; ++i) {
                const double s = std::pow(10, test::uniform(rng, -3, 3));
                A.row(i) *= s;
                A.col(i) *= s;
            }
        }
        const Lcp lcp{A, test::random_vector(rng, n)};
        std::vector<std::string> names = kAll;
        names.erase(names.begin() + 1);  // ppm takes factors of a symmetric matrix
        compare(solvers, names, lcp, test::as_box(lcp), false, tally);
    }
    tally.expect({"lemke", "block_pivot"}, 0);
    tally.expect({"pgs_sm", "pgs"}, 10);
}

TEST(LcpProperties, CopositivePlus) {
    // Coulomb's law: only Lemke is made for it, the others have to be honest.
    Rng rng(5);
    Solvers solvers;
    Tally tally;
    for (int k = 0; k < 400; ++k) {
        const Lcp lcp = test::random_coulomb(
            rng, {.bodies = 2, .contacts = test::whole(rng, 1, 4), .copies = k % 2});
        std::vector<std::string> names = kAll;
        names.erase(names.begin() + 1);
        compare(solvers, names, lcp, test::as_box(lcp), false, tally);
    }
    tally.expect({"lemke"}, 0);
}

TEST(LcpProperties, BoxesWithLargeMassRatios) {
    for (const double ratio : {1.0, 1e4, 1e8}) {
        Rng rng(6);
        Solvers solvers;
        Tally tally;
        for (int k = 0; k < 500; ++k) {
            const BoxLcp p = test::random_friction(rng, {.bodies = test::whole(rng, 1, 4),
                                                         .contacts = test::whole(rng, 1, 8),
                                                         .copies = k % 3,
                                                         .mass_ratio = ratio,
                                                         .gaps = k % 2 == 0});
            compare(solvers, kBoxed, p, p, true, tally);
        }
        tally.expect({"active_set_qp"}, 0);
        tally.expect({"pgs_sm", "gradient_projection"}, 2);
        tally.expect({"block_pivot"}, 5);
        tally.expect({"pgs"}, 100);
    }
}

TEST(LcpProperties, NormalContactWithLargeMassRatios) {
    Rng rng(7);
    Solvers solvers;
    Tally tally;
    for (int k = 0; k < 1000; ++k) {
        const int nc = test::whole(rng, 1, 12);
        const Lcp whole = test::random_coulomb(
            rng, {.bodies = 3, .contacts = nc, .copies = k % 3, .mass_ratio = 1e8});
        const Lcp lcp{whole.A.topLeftCorner(nc, nc), whole.b.head(nc)};
        std::vector<std::string> names = kAll;
        names.erase(names.begin() + 1);  // factors of A alone do not tell light rows from noise
        compare(solvers, names, lcp, test::as_box(lcp), true, tally);
    }
    tally.expect({"lemke", "active_set_qp"}, 0);
    tally.expect({"block_pivot", "pgs_sm", "gradient_projection"}, 2);
    tally.expect({"pgs"}, 50);
}

// ---- edge cases ----

TEST(LcpProperties, EmptyProblem) {
    Solvers solvers;
    for (const std::string& name : kAll) {
        const Answer a = solvers.solve(name, Lcp{});
        EXPECT_EQ(a.status, SolveStatus::kSolved) << name;
        EXPECT_EQ(a.z.size(), 0) << name;
    }
}

TEST(LcpProperties, OneUnknown) {
    Solvers solvers;
    for (const std::string& name : kAll)
        for (const double a : {1e-6, 1.0, 1e6})
            for (const double b : {-1e3, -1.0, -1e-3, 0.0, 2.0}) {
                const Lcp lcp{MatX::Constant(1, 1, a), VecX::Constant(1, b)};
                const Answer answer = solvers.solve(name, lcp);
                EXPECT_EQ(answer.status, SolveStatus::kSolved) << name;
                const double expected = std::max(0.0, -b / a);
                EXPECT_NEAR(answer.z[0], expected, 1e-12 * expected) << name;
            }
}

TEST(LcpProperties, NotFiniteInputIsRefused) {
    Solvers solvers;
    for (const std::string& name : kAll)
        for (const double bad : {std::nan(""), kOpen, -kOpen}) {
            Lcp lcp{MatX::Identity(3, 3), VecX::Constant(3, -1.0)};
            lcp.b[1] = bad;
            EXPECT_EQ(solvers.solve(name, lcp).status, SolveStatus::kNotFinite) << name;
            lcp.b[1] = 0;
            lcp.A(0, 2) = bad;
            const Answer a = solvers.solve(name, lcp);
            EXPECT_EQ(a.status, SolveStatus::kNotFinite) << name;
            EXPECT_TRUE(a.z.allFinite()) << name;
        }
    for (const std::string& name : kBoxed) {
        BoxLcp p = test::as_box({MatX::Identity(3, 3), VecX::Constant(3, -1.0)});
        p.hi[2] = std::nan("");
        EXPECT_EQ(solvers.solve(name, p).status, SolveStatus::kNotFinite) << name;
        p.hi[2] = -1;
        EXPECT_EQ(solvers.solve(name, p).status, SolveStatus::kNoSolution) << name;
    }
}

TEST(LcpProperties, OverflowIsReported) {
    // The answer, 1e320 or more, is no double.
    Solvers solvers;
    for (const std::string& name : kAll)
        for (const double a : {1e-160, 1e-200, 1e-300})
            for (const double b : {-1e200, -1e308}) {
                const Lcp lcp{MatX::Constant(1, 1, a), VecX::Constant(1, b)};
                const Answer answer = solvers.solve(name, lcp);
                EXPECT_NE(answer.status, SolveStatus::kSolved) << name << " " << a << " " << b;
                EXPECT_TRUE(answer.z.allFinite() && answer.w.allFinite()) << name;
            }
}

// ---- problems with known answers ----

TEST(LcpProperties, RayIsToldFromThePivotLimit) {
    // z1 - z2 >= 1 and z2 - z1 >= 1 contradict one another.
    Lcp lcp{MatX(2, 2), VecX::Constant(2, -1.0)};
    lcp.A << 1, -1, -1, 1;
    LemkeWorkspace workspace;
    LcpResult r;
    solve_lemke(lcp, {}, {}, workspace, r);
    EXPECT_EQ(r.status, SolveStatus::kNoSolution);
    Rng rng(8);
    const Lcp solvable{test::random_spd(rng, 30), VecX::Constant(30, -1.0)};
    solve_lemke(solvable, {.stop = {.max_iterations = 3}}, {}, workspace, r);
    EXPECT_EQ(r.status, SolveStatus::kIterationLimit);
    EXPECT_LE(r.pivots, 3);
    solve_lemke(solvable, {}, {}, workspace, r);
    EXPECT_EQ(r.status, SolveStatus::kSolved);
}

TEST(LcpProperties, MurtysExampleEndsForEverySolverThatTakesIt) {
    // Twos on one side of a unit diagonal: exponentially many sets on the path of least index.
    Solvers solvers;
    for (const int n : {2, 10, 20, 30})
        for (const bool lower : {false, true}) {
            MatX A = MatX::Identity(n, n);
            for (int i = 0; i < n; ++i) A.col(i).head(i).setConstant(2);
            if (lower) A.transposeInPlace();
            const Lcp lcp{A, VecX::Constant(n, -1.0)};
            const VecX expected = VecX::Unit(n, lower ? 0 : n - 1);
            for (const char* name : {"lemke", "block_pivot"}) {
                const Answer a = solvers.solve(name, lcp);
                ASSERT_EQ(a.status, SolveStatus::kSolved) << name << " " << n;
                EXPECT_LT((a.z - expected).norm(), 1e-12) << name << " " << n;
                EXPECT_GT(a.pivots, 0) << name << " " << n;
                EXPECT_LT(a.pivots, 40 * n * n) << name << " " << n;
            }
        }
}

// Painleve's rod: a uniform rod of mass 1 and half length 1 slides over the ground on one end,
// which goes ahead of its centre, at the angle theta. For mu > mu_P = (1 + 3 c^2) / (3 s c)
// the accelerations have no solution while it slides; at the velocity level it has one, a
// tangential impact that stops the end: c = -A^-1 b with A = G M^-1 G'.
TEST(LcpProperties, PainlevesRodIsSolvedAtTheVelocityLevel) {
    const double theta = 1.0, s = std::sin(theta), c = std::cos(theta), inertia = 1.0 / 3;
    const double limit = (1 + 3 * c * c) / (3 * s * c);
    // The lower end is at (-c, -s) from the centre; rows over (vx, vy, omega).
    MatX G(2, 3);
    G.row(0) << 0, 1, -c;  // normal
    G.row(1) << 1, 0, s;   // tangent
    const Vec3 inverse_mass(1, 1, 1 / inertia);
    const MatX A = G * inverse_mass.asDiagonal() * G.transpose();
    const double h = 0.01;
    for (const double mu : {0.5 * limit, 1.5 * limit}) {
        Vec3 v_hat(-1, -9.81 * h, 0);  // sliding towards -x, gravity taken in
        const VecX b = G * v_hat;
        ASSERT_LT(b[0], 0);
        // Sliding would push the end into the ground by A_nn + mu A_nt per unit of c_n.
        EXPECT_EQ(A(0, 0) + mu * A(0, 1) < 0, mu > limit);
        Lcp lcp{MatX::Zero(4, 4), VecX::Zero(4)};  // c_n, b+, b-, lambda
        const Vec3 sign(1, 1, -1);
        const std::vector<int> rows{0, 1, 1};
        lcp.A.topLeftCorner(3, 3) = sign.asDiagonal() * MatX(A(rows, rows)) * sign.asDiagonal();
        lcp.A(1, 3) = lcp.A(2, 3) = 1;
        lcp.A.row(3) << mu, -1, -1, 0;
        lcp.b.head(3) = sign.cwiseProduct(Vec3(b(rows)));
        LemkeWorkspace workspace;
        LcpResult r;
        solve_lemke(lcp, {}, {}, workspace, r);
        ASSERT_EQ(r.status, SolveStatus::kSolved);
        const Eigen::Vector2d impulse(r.z[0], r.z[1] - r.z[2]);
        const Eigen::Vector2d velocity = A * impulse + b;
        EXPECT_GT(impulse[0], 0);
        EXPECT_NEAR(velocity[0], 0, 1e-12);
        EXPECT_LE(std::abs(impulse[1]), mu * impulse[0] + 1e-12);
        if (mu > limit) {
            EXPECT_NEAR(velocity[1], 0, 1e-12);  // it sticks
            const Eigen::Vector2d stick = -Eigen::Matrix2d(A).inverse() * Eigen::Vector2d(b);
            EXPECT_LT((impulse - stick).norm(), 1e-12);
            EXPECT_GT(impulse[0], -5 * b[0] / A(0, 0));  // not for its weight alone
        } else {
            EXPECT_LT(velocity[1], -0.1);  // it slides on
            EXPECT_NEAR(impulse[1], mu * impulse[0], 1e-12);
        }
        const Vec3 v = v_hat + inverse_mass.asDiagonal() * (G.transpose() * impulse);
        EXPECT_LE(v.dot(v.cwiseQuotient(inverse_mass)),
                  v_hat.dot(v_hat.cwiseQuotient(inverse_mass)));
    }
}

}  // namespace
}  // namespace stiction::lcp_properties_test
