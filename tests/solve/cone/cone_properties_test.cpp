// cone_properties_test.cpp - what every solver of the Coulomb cone problem promises, on thousands
// of seeded random problems: an answer to the tolerance or a status that says it is not; never a
// number that is not finite; never worse than the start; the same answer in other units, order and
// axes. A new solver is one more line in solvers().
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "solve/cone/interior_point.h"
#include "solve/cone/newton.h"
#include "solve/cone/one_contact.h"
#include "solve/cone/prox_newton_matrix.h"
#include "solve/cone/random_cones.h"
#include "solve/cone/sweeps.h"

namespace stiction::cone_properties_test {
namespace {

using namespace test;

struct Solver {
    std::string name;
    double share;  // of the random problems it is known to solve, at least
    std::function<void(const ConeProblem&, const SolveSettings&, const VecX&, ConeResult&)> solve;
};

// Binds a solver to a workspace of its own, kept from call to call as in a simulation.
template <typename Workspace>
Solver make(std::string name, double share,
            void (*solve)(const ConeProblem&, const SolveSettings&, const VecX&, Workspace&,
                          ConeResult&)) {
    const auto workspace = std::make_shared<Workspace>();
    return {std::move(name), share,
            [=](const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
                ConeResult& result) { solve(problem, settings, guess, *workspace, result); }};
}

std::vector<Solver> solvers() {
    return {
        make<ConeSweepsWorkspace>(
            "pgs", 0.95,
            [](const ConeProblem& problem, const SolveSettings& settings, const VecX& guess,
               ConeSweepsWorkspace& workspace, ConeResult& result) {
                solve_cone_sweeps(problem, {settings}, guess, workspace, result);
            }),
        make<NewtonWorkspace>("newton", 0.98, &solve_newton),
        make<InteriorPointWorkspace>("interior_point", 0.9, &solve_interior_point),
        make<MatrixProxNewtonWorkspace>("prox_newton", 1.0, &solve_prox_newton),
    };
}

SolveSettings with_tolerance(double tolerance) {
    SolveSettings settings;
    settings.tolerance = tolerance;
    return settings;
}

void expect_consistent(const ConeProblem& problem, const SolveSettings& settings,
                       const ConeResult& result) {
    ASSERT_TRUE(result.r.size() == problem.q.size() && result.r.allFinite());
    ASSERT_TRUE(result.u.size() == problem.q.size() && result.u.allFinite());
    VecX u;
    multiply_add(problem.W, result.r, problem.q, u);
    EXPECT_LE((u - result.u).norm(), 1e-12 * (u.norm() + problem.q.norm()));
    const double worst = residual(problem, result.r).worst();
    EXPECT_NEAR(result.residual, worst, 1e-12 + 1e-6 * worst);
    EXPECT_EQ(result.status, result.residual <= settings.tolerance ? SolveStatus::kSolved
                                                                   : SolveStatus::kIterationLimit);
    EXPECT_GE(result.iterations, 0);
}

TEST(ConeProperties, SolvesOrSaysWhyAndIsNeverWorseThanItsStart) {
    constexpr int kProblems = 2100;
    const SolveSettings settings = with_tolerance(1e-8);
    for (const Solver& solver : solvers()) {
        Rng rng(11);
        int solved = 0;
        for (int i = 0; i < kProblems; ++i) {
            const ConeProblem problem = random_cone(rng, cone_kind(rng, i));
            ASSERT_TRUE(is_valid(problem));
            const VecX guess =
                i % 3 == 0 ? random_vector(rng, problem.q.size()) : VecX::Zero(problem.q.size());
            ConeResult result;
            solver.solve(problem, settings, i % 3 == 1 ? VecX() : guess, result);
            SCOPED_TRACE(solver.name + ", problem " + std::to_string(i));
            expect_consistent(problem, settings, result);
            EXPECT_LE(result.residual, residual(problem, guess).worst());
            solved += result.status == SolveStatus::kSolved ? 1 : 0;
        }
        EXPECT_GE(solved, solver.share * kProblems) << solver.name;
        RecordProperty(solver.name, solved);
    }
}

// Where W is symmetric and regular and mu is small the law has one solution.
TEST(ConeProperties, SolversAgreeWhereTheSolutionIsUnique) {
    const SolveSettings settings = with_tolerance(1e-8);
    const std::vector<Solver> all = solvers();
    Rng rng(12);
    int compared = 0;
    for (int i = 0; i < 600; ++i) {
        const int nc = whole(rng, 1, 10);
        ConeKind kind{.contacts = nc, .velocities = 3 * nc + 6, .mass_ratio = 10, .mu_max = 0.1};
        kind.gaps = i % 3 == 0;
        kind.zero_share = i % 4 == 0 ? 0.3 : 0;
        const ConeProblem problem = random_cone(rng, kind);
        ConeResult reference;
        std::string name;
        for (const Solver& solver : all) {
            ConeResult result;
            solver.solve(problem, settings, VecX(), result);
            if (result.status != SolveStatus::kSolved) continue;
            if (name.empty()) {
                name = solver.name;
                reference = result;
                continue;
            }
            ++compared;
            EXPECT_LT((result.u - reference.u).norm(), 1e-6 * problem.q.norm())
                << solver.name << " and " << name << ", problem " << i;
        }
    }
    EXPECT_GE(compared, 590 * (static_cast<int>(all.size()) - 1));
}

TEST(ConeProperties, OneContactIsExact) {
    for (const Solver& solver : solvers()) {
        Rng rng(13);
        for (int i = 0; i < 500; ++i) {
            ConeProblem problem;
            const Mat3 W = random_spd(rng, 3);
            problem.W = make_block_matrix(MatX(W));
            problem.q = random_vector(rng, 3);
            problem.mu = VecX::Constant(1, uniform(rng, 0, 0.3));
            ConeResult result;
            solver.solve(problem, with_tolerance(1e-12), VecX(), result);
            double lambda = 0;
            const Vec3 exact = solve_one_contact(W, problem.q, problem.mu[0], lambda);
            ASSERT_EQ(result.status, SolveStatus::kSolved) << solver.name << " " << i;
            EXPECT_LT((result.r - exact).norm(), 1e-9 * (1 + exact.norm()))
                << solver.name << " " << i;
        }
    }
}

TEST(ConeProperties, EmptyProblemsAreSolvedAndProblemsThatAreNotFiniteRefused) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const Solver& solver : solvers()) {
        ConeProblem empty;
        empty.W = make_block_matrix(0, {});
        ConeResult result;
        solver.solve(empty, SolveSettings{}, VecX(), result);
        EXPECT_EQ(result.status, SolveStatus::kSolved) << solver.name;
        EXPECT_EQ(result.r.size(), 0);

        Rng rng(14);
        const ConeProblem good = random_cone(rng, {.contacts = 3});
        for (int i = 0; i < 4; ++i) {
            ConeProblem bad = good;
            if (i == 0) bad.q[4] = kNan;
            if (i == 1) bad.mu[1] = kNan;
            if (i == 2) bad.W.block[2](0, 1) = std::numeric_limits<double>::infinity();
            if (i == 3) bad.mu[2] = -0.1;
            solver.solve(bad, SolveSettings{}, VecX(), result);
            EXPECT_EQ(result.status, SolveStatus::kNotFinite) << solver.name << " " << i;
            EXPECT_EQ(result.r, VecX::Zero(9)) << solver.name << " " << i;
        }
        solver.solve(good, SolveSettings{}, VecX::Constant(9, kNan), result);
        EXPECT_EQ(result.status, SolveStatus::kSolved) << solver.name;
    }
}

// --- the same problem seen differently ---

ConeProblem transformed(const ConeProblem& problem, const MatX& T, double force, double speed) {
    ConeProblem other = problem;
    other.W = make_block_matrix(MatX(T * to_dense(problem.W) * T.transpose() * (speed / force)));
    other.q = speed * (T * problem.q);
    return other;
}

class Invariance : public testing::Test {
  protected:
    // A problem with one solution, in r too.
    static ConeProblem problem(Rng& rng) {
        const int nc = whole(rng, 1, 8);
        return random_cone(rng, {.contacts = nc, .velocities = 3 * nc + 6, .mu_max = 0.2});
    }
    // Solves both and expects r_other = force T r, u_other = speed T u.
    static void expect_same(const ConeProblem& a, const ConeProblem& b, const MatX& T, double force,
                            double speed) {
        for (const Solver& solver : solvers()) {
            const SolveSettings settings = with_tolerance(1e-8);
            ConeResult x, y;
            solver.solve(a, settings, VecX(), x);
            solver.solve(b, settings, VecX(), y);
            ASSERT_EQ(x.status, SolveStatus::kSolved) << solver.name;
            ASSERT_EQ(y.status, SolveStatus::kSolved) << solver.name << " " << y.residual;
            EXPECT_LT((T * x.u - y.u / speed).norm(), 1e-5 * a.q.norm()) << solver.name;
            EXPECT_LT((T * x.r - y.r / force).norm(), 1e-4 * (1 + x.r.norm())) << solver.name;
        }
    }
};

TEST_F(Invariance, UnitsOfImpulseAndVelocity) {
    Rng rng(15);
    for (int i = 0; i < 100; ++i) {
        const ConeProblem a = problem(rng);
        const MatX I = MatX::Identity(a.q.size(), a.q.size());
        for (const double force : {1e-3, 1e3}) {
            for (const double speed : {1e-2, 1e2}) {
                expect_same(a, transformed(a, I, force, speed), I, force, speed);
            }
        }
    }
}

TEST_F(Invariance, OrderOfContacts) {
    Rng rng(16);
    for (int i = 0; i < 200; ++i) {
        const ConeProblem a = problem(rng);
        std::vector<int> order(static_cast<std::size_t>(a.contacts()));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), rng);
        MatX T = MatX::Zero(a.q.size(), a.q.size());
        for (int k = 0; k < a.contacts(); ++k) {
            T.block(3 * k, 3 * order[static_cast<std::size_t>(k)], 3, 3).setIdentity();
        }
        ConeProblem b = transformed(a, T, 1, 1);
        for (int k = 0; k < a.contacts(); ++k) b.mu[k] = a.mu[order[static_cast<std::size_t>(k)]];
        expect_same(a, b, T, 1, 1);
    }
}

TEST_F(Invariance, TangentsOfEachContact) {
    Rng rng(17);
    for (int i = 0; i < 200; ++i) {
        const ConeProblem a = problem(rng);
        MatX T = MatX::Identity(a.q.size(), a.q.size());
        for (int k = 0; k < a.contacts(); ++k) {
            T.block<2, 2>(3 * k + 1, 3 * k + 1) =
                Eigen::Rotation2Dd(uniform(rng, -3, 3)).toRotationMatrix();
        }
        expect_same(a, transformed(a, T, 1, 1), T, 1, 1);
    }
}

}  // namespace
}  // namespace stiction::cone_properties_test
