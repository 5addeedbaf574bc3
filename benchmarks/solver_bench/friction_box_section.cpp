// friction_box_section.cpp - small problems with box friction, as of a grasp with 4 to 12 contacts,
// by sweeps with subspace minimisation and by the solvers it is compared with in [ALM09].
#include <array>
#include <cstdio>

#include "contact_rows.h"
#include "cpu_time.h"
#include "sections.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/pgs.h"
#include "solve/lcp/pgs_sm.h"

namespace stiction {

namespace {

constexpr double kTolerance = 1e-8;  // on relative_residual
constexpr double kCfm = 1e-11;       // [1/kg]
constexpr int kMaxSweeps = 20000;    // of pgs alone: it should end by its tolerance

enum Solver { kPgsSm, kPgs, kLemke, kBlockPivot, kSolvers };
constexpr std::array<const char*, kSolvers> kNames = {"pgs_sm", "pgs", "lemke", "block_pivot"};

struct Run {
    double seconds = 0;
    double residual = 0;  // relative
};

struct Workspaces {
    PgsSmWorkspace pgs_sm;
    PgsWorkspace pgs;
    LemkeWorkspace lemke;
    BlockPivotWorkspace block_pivot;
    BoxResult box;
    LcpResult lcp;
};

// The tolerance of the result, whatever the solver has for one.
Run judged(const BoxLcp& problem, double seconds, const VecX& z) {
    return {seconds, relative_residual(problem, z, problem.A * z + problem.b)};
}

Run run_solver(Solver solver, const BoxLcp& problem, const Repeats& repeats, Workspaces& work) {
    SolveSettings settings;
    settings.tolerance = kTolerance;
    switch (solver) {
        case kPgsSm: {
            PgsSmSettings sm;
            sm.stop = settings;
            const double time = best_warm_time(
                repeats, [&] { solve_pgs_sm(problem, sm, VecX(), work.pgs_sm, work.box); });
            return judged(problem, time, work.box.z);
        }
        case kPgs: {
            settings.max_iterations = kMaxSweeps;
            const double time = best_warm_time(
                repeats, [&] { solve_pgs(problem, settings, VecX(), work.pgs, work.box); });
            return judged(problem, time, work.box.z);
        }
        case kLemke: {
            const Lcp lcp = to_lcp(problem);
            LemkeSettings pivoting;
            pivoting.stop.tolerance = kTolerance;
            const double time = best_warm_time(
                repeats, [&] { solve_lemke(lcp, pivoting, {}, work.lemke, work.lcp); });
            return judged(problem, time, from_lcp(problem, work.lcp.z));
        }
        case kBlockPivot: {
            BlockPivotSettings pivoting;
            pivoting.stop = settings;
            const double time = best_warm_time(repeats, [&] {
                solve_block_pivot(problem, pivoting, {}, work.block_pivot, work.box);
            });
            return judged(problem, time, work.box.z);
        }
        case kSolvers:
            break;
    }
    return {};
}

// Every other problem is a heap of 1 + nc / 4 bodies, the rest a grasp of three cubes.
BoxLcp make_problem(int nc, int seed) {
    Random random(static_cast<std::uint64_t>(3000 * nc + seed));
    const ContactRows rows =
        seed % 2 == 0 ? heap_contacts(random, 1 + nc / 4, nc) : grasp_contacts(random, 3, nc);
    return friction_box_problem(rows, kCfm);
}

}  // namespace

void run_friction_box_section(const BenchOptions& options, Report& report) {
    Table table;
    table.title = "Box friction: pgs_sm beside its rivals";
    table.intro = {
        "Box LCPs with 3 unknowns per contact, bounds mu times the impulses of the frictionless "
        "problem, CFM 1e-11, cold start, tolerance 1e-8; half of them heaps of random bodies, half "
        "grasps. Mean microseconds per solve; the ratio to pgs_sm is the mean of the ratios of "
        "single problems, in brackets how many were solved. Lemke's method gets the LCP with the "
        "upper bounds as further unknowns."};
    table.header = {"contacts", "pgs_sm us"};
    for (int s = kPgs; s < kSolvers; ++s) {
        table.header.push_back(std::string(kNames[static_cast<std::size_t>(s)]) + " us");
        table.header.emplace_back("ratio");
    }
    const int seeds = options.quick ? 10 : 60;
    std::array<double, kSolvers> ratio_sum{};
    int problems = 0;
    Workspaces work;
    for (int nc = 4; nc <= 12; nc += 2) {
        std::fprintf(stderr, "friction_box: %d contacts\n", nc);
        std::array<double, kSolvers> time{}, ratio{};
        std::array<int, kSolvers> solved{};
        for (int seed = 0; seed < seeds; ++seed) {
            const BoxLcp problem = make_problem(nc, seed);
            double reference = 0;
            for (int s = 0; s < kSolvers; ++s) {
                const auto k = static_cast<std::size_t>(s);
                const Run run = run_solver(static_cast<Solver>(s), problem, {40, 0.01}, work);
                if (s == kPgsSm) reference = run.seconds;
                time[k] += run.seconds / seeds;
                ratio[k] += run.seconds / reference / seeds;
                ratio_sum[k] += run.seconds / reference;
                solved[k] += run.residual <= 2 * kTolerance ? 1 : 0;
                report.measurements.push_back({"friction_box", "seed " + std::to_string(seed),
                                               kNames[k], nc, kTolerance, run.seconds,
                                               run.residual});
            }
            ++problems;
        }
        std::vector<std::string> row = {std::to_string(nc)};
        for (std::size_t k = 0; k < kSolvers; ++k) {
            row.push_back(significant(1e6 * time[k]) + " (" + std::to_string(solved[k]) + "/" +
                          std::to_string(seeds) + ")");
            if (k > 0) row.push_back(significant(ratio[k]));
        }
        table.rows.push_back(std::move(row));
    }
    std::string line = "Mean ratio over all sizes, to pgs_sm:";
    for (std::size_t k = kPgs; k < kSolvers; ++k) {
        line += std::string(k > kPgs ? ", " : " ") + kNames[k] + " " +
                significant(ratio_sum[k] / problems);
    }
    table.summary = {line + ". [ALM09] saw 4.6 to 12.2 in the mean."};
    print(table);
    report.tables.push_back(std::move(table));
}

}  // namespace stiction
