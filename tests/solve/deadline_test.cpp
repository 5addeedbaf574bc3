// deadline_test.cpp - every iterative solver ends soon after its deadline with status budget and a
// finite answer, and does not notice one that is far away.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "solve/cone/cone_solver.h"
#include "solve/cone/interior_point.h"
#include "solve/cone/random_cones.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/gradient_projection.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/pgs.h"
#include "solve/lcp/pgs_sm.h"
#include "solve/lcp/random_boxes.h"

namespace stiction::deadline_test {
namespace {

using namespace test;

constexpr int kProblems = 20;
constexpr int kSoon = 2;  // iterations: the guess, and one of the method

struct Ended {
    SolveStatus status;
    int iterations;
    VecX x;
};
using Solve = std::function<Ended(Deadline)>;

// The solver must have needed more than one iteration in most problems, or nothing is shown.
struct Tally {
    int long_ones = 0;

    void check(const std::string& name, const Solve& solve) {
        const Ended whole = solve(Deadline());
        const Ended far = solve(Deadline::in(1e6));
        EXPECT_EQ(far.x, whole.x) << name;
        EXPECT_EQ(far.status, whole.status) << name;
        const Ended late = solve(Deadline::in(0));
        EXPECT_TRUE(late.x.allFinite()) << name;
        if (whole.iterations <= kSoon) return;
        ++long_ones;
        EXPECT_EQ(late.status, SolveStatus::kBudget) << name;
        EXPECT_LE(late.iterations, kSoon) << name;
    }
};

TEST(Deadline, EndsSolversOfLinearComplementarity) {
    std::map<std::string, Tally> tallies;
    Rng rng(5);
    for (int i = 0; i < kProblems; ++i) {
        const Lcp lcp = random_semidefinite(rng, 40, 30, false);
        const BoxLcp box = as_box(lcp);
        using Box = std::function<void(const SolveSettings&, BoxResult&)>;
        const std::map<std::string, Box> solvers = {
            {"pgs",
             [&](const SolveSettings& settings, BoxResult& r) {
                 PgsWorkspace ws;
                 solve_pgs(box, settings, {}, ws, r);
             }},
            {"pgs_sm",
             [&](const SolveSettings& settings, BoxResult& r) {
                 PgsSmWorkspace ws;
                 solve_pgs_sm(box, {.stop = settings, .k_pgs = 1, .k_sm = 1}, {}, ws, r);
             }},
            {"block_pivot",
             [&](const SolveSettings& settings, BoxResult& r) {
                 BlockPivotWorkspace ws;
                 solve_block_pivot(box, {.stop = settings}, {}, ws, r);
             }},
            {"active_set_qp",
             [&](const SolveSettings& settings, BoxResult& r) {
                 ActiveSetWorkspace ws;
                 solve_active_set_qp(box, {.stop = settings}, {}, ws, r);
             }},
            {"gradient_projection", [&](const SolveSettings& settings, BoxResult& r) {
                 GradientProjectionWorkspace ws;
                 solve_gradient_projection(box, {.stop = settings}, {}, ws, r);
             }}};
        for (const auto& [name, solver] : solvers) {
            tallies[name].check(name, [&, &run = solver](Deadline deadline) {
                SolveSettings settings;
                settings.deadline = deadline;
                BoxResult r;
                run(settings, r);
                return Ended{r.status, r.iterations, r.z};
            });
        }
        tallies["lemke"].check("lemke", [&](Deadline deadline) {
            LemkeSettings settings;
            settings.stop.deadline = deadline;
            LemkeWorkspace ws;
            LcpResult r;
            solve_lemke(lcp, settings, {}, ws, r);
            return Ended{r.status, r.pivots, r.z};
        });
        PpmProblem ppm;
        ppm.N = rows_of(lcp.A);
        ppm.K = MatX::Identity(ppm.N.cols(), ppm.N.cols());
        ppm.v_hat = VecX::Zero(ppm.N.cols());
        ppm.bias = lcp.b;
        tallies["ppm"].check("ppm", [&](Deadline deadline) {
            ActiveSetSettings settings;
            settings.stop.deadline = deadline;
            ActiveSetWorkspace ws;
            LcpResult r;
            solve_ppm(ppm, settings, {}, ws, r);
            return Ended{r.status, r.iterations, r.z};
        });
    }
    for (const auto& [name, tally] : tallies) EXPECT_GT(tally.long_ones, kProblems / 2) << name;
}

TEST(Deadline, EndsSolversOfTheConeProblem) {
    for (const ConeSolver solver : {ConeSolver::kProxNewton, ConeSolver::kNewton, ConeSolver::kPgs,
                                    ConeSolver::kInteriorPoint, ConeSolver::kConvexRelaxation}) {
        const std::string name(stiction::name(solver));
        Tally tally;
        Rng rng(6);
        for (int i = 0; i < kProblems; ++i) {
            const ConeProblem problem =
                random_cone(rng, {.contacts = 20, .velocities = 40, .mass_ratio = 10});
            tally.check(name, [&](Deadline deadline) {
                SolveSettings settings;
                settings.deadline = deadline;
                ConeWorkspace ws;
                ConeResult r;
                solve_cone(solver, problem, settings, {}, ws, r);
                return Ended{r.status, r.iterations, r.r};
            });
        }
        EXPECT_GT(tally.long_ones, kProblems / 2) << name;
    }
}

}  // namespace
}  // namespace stiction::deadline_test
