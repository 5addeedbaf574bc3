// Problems taken out of a grasping hand: contacts alone have the answer that they have among motors
// and limits; the pyramid's LCP gives impulses within the pyramid. And the benchmark made of them.
#include "bench/grasp_problems.h"

#include <cmath>

#include "bench/benchmarks.h"
#include "scene_runs.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/pgs_sm.h"

namespace stiction {
namespace {

// The hand presses the glass: its motors are at their bounds, the lift's is not.
Simulation pressing_hand(const std::string& hand) {
    Scene scene = shipped_scene(hand, {{"h", "0.002"}, {"friction", "0.2"}});
    set_solver(scene.contact, "block_pivot");
    Simulation sim = simulate(scene, scene.contact);
    take_steps(sim, 500);
    return sim;
}

BoxResult solved(const GraspProblem& problem) {
    BlockPivotWorkspace workspace;
    BoxResult result;
    solve_block_pivot(problem.box, {.stop = {.tolerance = 1e-10}}, guess_states(problem), workspace,
                      result);
    EXPECT_EQ(result.status, SolveStatus::kSolved);
    return result;
}

// The island of the hand and the glass.
const IslandWorkspace& largest_island(const Simulation& sim) {
    std::size_t largest = 0;
    for (std::size_t i = 0; i < sim.frame.problem.islands.size(); ++i) {
        const auto size = [&](std::size_t k) {
            return sim.contact_workspace.islands[k].cone.rows.blocks.size();
        };
        if (size(i) > size(largest)) largest = i;
    }
    return sim.contact_workspace.islands[largest];
}

TEST(GraspProblems, ContactsAloneHaveTheSameAnswer) {
    for (const char* hand : {"hand3", "hand5"}) {
        SCOPED_TRACE(hand);
        const Simulation sim = pressing_hand(hand);
        const GraspProblem rows = take_rows(largest_island(sim));
        const BoxResult among = solved(rows);
        const GraspProblem contacts = keep_contacts(rows, among.z);
        const BoxResult alone = solved(contacts);
        const auto n = static_cast<Eigen::Index>(3 * contacts.mu.size());
        ASSERT_EQ(contacts.box.b.size(), n);
        EXPECT_EQ(contacts.mu.size(), sim.frame.problem.contacts.size());
        EXPECT_GT(rows.box.b.size(), n + 6);
        EXPECT_GT(among.z.head(n).maxCoeff(), 1e-4);  // it does press
        const VecX z = alone.z - among.z.head(n);
        // Impulses among redundant contacts are only as unique as the CFM makes them; what they do
        // to the contacts is unique.
        EXPECT_LT((contacts.box.A * z).lpNorm<Eigen::Infinity>(), 1e-8);
    }
}

TEST(GraspProblems, TheStepsOwnAnswerSolvesThem) {
    const Simulation sim = pressing_hand("hand3");
    const IslandWorkspace& island = largest_island(sim);
    const GraspProblem rows = take_rows(island);
    VecX w;
    evaluate(rows.box, take_answer(island), w);
    EXPECT_LT(relative_residual(rows.box, take_answer(island), w), 1e-8);
    for (const double mu : rows.mu) EXPECT_DOUBLE_EQ(mu, 0.2);
}

TEST(GraspProblems, ThePyramidHoldsItsImpulses) {
    const Simulation sim = pressing_hand("hand3");
    const GraspProblem rows = take_rows(largest_island(sim));
    const GraspProblem contacts = keep_contacts(rows, solved(rows).z);
    const Lcp lcp = make_coulomb_lcp(contacts);
    const auto nc = static_cast<Eigen::Index>(contacts.mu.size());
    ASSERT_EQ(lcp.b.size(), 6 * nc);
    LemkeWorkspace workspace;
    LcpResult result;
    solve_lemke(lcp, {.stop = {.tolerance = 1e-10}}, {}, workspace, result);
    ASSERT_EQ(result.status, SolveStatus::kSolved);
    VecX impulses(3 * nc);
    for (Eigen::Index i = 0; i < nc; ++i) {
        const VecX beta = result.z.segment(nc + 4 * i, 4);
        impulses.segment(3 * i, 3) = Vec3(result.z[i], beta[0] - beta[1], beta[2] - beta[3]);
        EXPECT_LE(beta.sum(), 0.2 * result.z[i] + 1e-12);
    }
    const VecX u = contacts.box.A * impulses + contacts.box.b;
    for (Eigen::Index i = 0; i < nc; ++i) {
        EXPECT_GE(u[3 * i], -1e-9);
        EXPECT_NEAR(u[3 * i] * impulses[3 * i], 0, 1e-12);
        for (const Eigen::Index k : {3 * i + 1, 3 * i + 2})
            EXPECT_LE(impulses[k] * u[k], 1e-12);  // friction takes energy away
    }
    EXPECT_GT(result.z.head(nc).sum(), 1e-4);
}

// Fifteen contacts of a hand whose A has some fifteen motions: most directions are flat.
TEST(GraspProblems, PgsSmReachesTheToleranceOnRedundantContacts) {
    Scene scene = shipped_scene("hand5", {{"friction", "0.2"}});
    set_solver(scene.contact, "pgs_sm");
    Simulation sim = simulate(scene, scene.contact);
    take_steps(sim, 780);  // the hand begins to press
    PgsSmWorkspace workspace;
    BoxResult result;
    for (int i = 0; i < 120; ++i) {
        take_steps(sim, 1);
        const IslandWorkspace& island = largest_island(sim);
        const GraspProblem contacts = keep_contacts(take_rows(island), take_answer(island));
        EXPECT_GE(contacts.mu.size(), 12U);
        solve_pgs_sm(contacts.box, {.stop = {.tolerance = 1e-8}}, {}, workspace, result);
        EXPECT_EQ(result.status, SolveStatus::kSolved) << "step " << i;
        EXPECT_LT(result.iterations, 20) << "step " << i;
    }
}

TEST(GraspSolvers, ReportsEverySolverOnBothHands) {
    const BenchReport report = bench_grasp_solvers({.scenes = "scenes", .time = 0.01, .rounds = 1},
                                                   [](double) { return true; });
    EXPECT_EQ(report.status, "done");
    ASSERT_EQ(report.tables.size(), 5U);
    EXPECT_EQ(report.tables[0].rows.size(), 4U * 4);
    EXPECT_EQ(report.tables[1].rows.size(), 4U * 5);
    EXPECT_EQ(report.tables[2].rows.size(), 4U * 4);
    EXPECT_EQ(report.tables[3].rows.size(), 4U * 4);
    for (const BenchTable& table : report.tables) {
        for (const std::vector<BenchValue>& row : table.rows)
            EXPECT_EQ(row.size(), table.columns.size()) << table.name;
    }
    // Ten steps of a glass on its table: all solved, 8 contacts of 3 unknowns.
    for (const std::vector<BenchValue>& row : report.tables[1].rows) {
        EXPECT_LE(std::get<double>(row[1]), std::get<double>(row[2]));
        EXPECT_LE(std::get<double>(row[2]), std::get<double>(row[3]));
        EXPECT_EQ(std::get<std::int64_t>(row[8]), 0) << std::get<std::string>(row[0]);
        EXPECT_EQ(std::get<std::int64_t>(row[9]), 10);
    }
}

TEST(GraspSolvers, EndsWhenAsked) {
    const BenchReport report = bench_grasp_solvers({.scenes = "scenes", .time = 1, .rounds = 1},
                                                   [](double share) { return share < 0.01; });
    EXPECT_NE(report.status, "done");
}

}  // namespace
}  // namespace stiction
