// lcp_section.cpp - LCPs of contact: with friction by Lemke's method, ours and Siconos'; without
// friction by every solver that takes them.
#include <algorithm>
#include <cstdio>
#include <limits>

#include "contact_rows.h"
#include "cpu_time.h"
#include "sections.h"
#include "siconos.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/gradient_projection.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/pgs.h"
#include "solve/lcp/pgs_sm.h"

namespace stiction {

namespace {

constexpr double kSolved = 1e-8;      // relative residual that counts as an answer
constexpr double kCpuLimit = 10;      // [s], of one solve by Siconos
constexpr double kTolerance = 1e-10;  // asked of our solvers

// Sum over the instances of one size.
struct Total {
    double seconds = 0;
    double residual = 0;  // largest
    int solved = 0;

    void add(double time, double relative) {
        seconds += time;
        residual = std::max(residual, relative);
        solved += time > 0 && relative <= kSolved ? 1 : 0;
    }
};

std::string counted(int solved, int of) {
    return std::to_string(solved) + "/" + std::to_string(of);
}

// |min(d z, w)| / max |b| with d = |A_ii|, in the unit of w, or of z where A_ii = 0.
double scaled_residual(const Lcp& lcp, const VecX& z) {
    if (!z.allFinite()) return std::numeric_limits<double>::infinity();
    const VecX w = lcp.A * z + lcp.b;
    double worst = 0;
    for (Eigen::Index i = 0; i < z.size(); ++i) {
        const double d = std::abs(lcp.A(i, i));
        worst = std::max(worst, std::abs(std::min(d > 0 ? d * z[i] : z[i], w[i])));
    }
    return worst / lcp.b.cwiseAbs().maxCoeff();
}

struct LemkeState {
    LemkeWorkspace workspace;
    LcpResult result;
};

void friction_table(const BenchOptions& options, Report& report) {
    const bool peer = options.siconos && kHaveSiconos;
    Table table;
    table.title = "LCP with friction: Lemke's method";
    table.intro = {
        "Stewart-Trinkle LCPs with four sides of contacts between random bodies (6 unknowns per "
        "contact, three contacts per body). Time of one solve, mean over the seeds, workspace "
        "fresh. *solved*: relative residual at most 1e-8."};
    table.header = {"unknowns", "contacts", "lemke us", "solved", "worst residual"};
    if (peer) {
        for (const char* name : {"Siconos lexicographic Lemke us", "solved", "ratio"}) {
            table.header.emplace_back(name);
        }
    }
    const int seeds = options.quick ? 3 : 10;
    std::vector<double> ratios;
    for (const int nc : {2, 4, 8, 16, 32, 64}) {
        if (options.quick && nc > 16) break;
        std::fprintf(stderr, "lcp: Stewart-Trinkle, %d contacts\n", nc);
        Total ours, theirs;
        double both_ours = 0, both_theirs = 0;  // [s], of the seeds that both solve
        for (int seed = 0; seed < seeds; ++seed) {
            Random random(static_cast<std::uint64_t>(1000 * nc + seed));
            const Lcp lcp = stewart_trinkle_lcp(heap_contacts(random, (nc + 2) / 3, nc));
            LemkeSettings settings;
            settings.stop.tolerance = kTolerance;
            VecX z;
            const double time = best_cold_time(
                {}, [] { return LemkeState(); },
                [&](LemkeState& state) {
                    solve_lemke(lcp, settings, {}, state.workspace, state.result);
                    z = state.result.z;
                });
            ours.add(time, scaled_residual(lcp, z));
            report.measurements.push_back({"lcp", "stewart_trinkle seed " + std::to_string(seed),
                                           "lemke", 6 * nc, kTolerance, time,
                                           scaled_residual(lcp, z)});
            if (!peer) continue;
            const PeerRun run = run_siconos_lemke(lcp, kCpuLimit, {});
            const double relative = scaled_residual(lcp, run.x);
            theirs.add(run.seconds, relative);
            if (run.seconds > 0 && relative <= kSolved) {
                both_ours += time;
                both_theirs += run.seconds;
            }
            report.measurements.push_back({"lcp", "stewart_trinkle seed " + std::to_string(seed),
                                           "siconos_lemke", 6 * nc, kTolerance, run.seconds,
                                           scaled_residual(lcp, run.x)});
        }
        std::vector<std::string> row = {std::to_string(6 * nc), std::to_string(nc),
                                        significant(1e6 * ours.seconds / seeds),
                                        counted(ours.solved, seeds), format("%.1e", ours.residual)};
        if (peer) {
            ratios.push_back(both_theirs / both_ours);
            row.push_back(significant(1e6 * theirs.seconds / seeds));
            row.push_back(counted(theirs.solved, seeds));
            row.push_back(significant(ratios.back()));
        }
        table.rows.push_back(std::move(row));
    }
    if (peer) {
        table.summary.push_back(
            "Siconos' time over ours on those that both solve, geometric mean over the sizes: " +
            significant(geometric_mean(ratios)) +
            ". Its misses are not marginal (residuals of order 1 and "
            "above): opposite sides of the polygon make the matrix singular, "
            "and pivots of rounding size come up.");
    }
    print(table);
    report.tables.push_back(std::move(table));
}

// One solver of the frictionless problem: times a solve with a warm workspace and a cold start and
// leaves z.
struct Contender {
    const char* name;
    double (*time)(const ContactRows& rows, const BoxLcp& problem, const Repeats& repeats, VecX& z);
};

constexpr SolveSettings kStop{.tolerance = kTolerance};

template <class Workspace, class Settings, class Guess>
double time_box(void (*solve)(const BoxLcp&, const Settings&, const Guess&, Workspace&, BoxResult&),
                const BoxLcp& problem, const Settings& settings, const Repeats& repeats, VecX& z) {
    Workspace workspace;
    BoxResult result;
    const double time =
        best_warm_time(repeats, [&] { solve(problem, settings, {}, workspace, result); });
    z = result.z;
    return time;
}

double time_lemke(const ContactRows&, const BoxLcp& problem, const Repeats& repeats, VecX& z) {
    const Lcp lcp{problem.A, problem.b};
    LemkeSettings settings;
    settings.stop.tolerance = kTolerance;
    LemkeState state;
    const double time = best_warm_time(
        repeats, [&] { solve_lemke(lcp, settings, {}, state.workspace, state.result); });
    z = state.result.z;
    return time;
}

double time_ppm(const ContactRows& rows, const BoxLcp&, const Repeats& repeats, VecX& z) {
    const PpmProblem problem = ppm_problem(rows);
    ActiveSetWorkspace workspace;
    LcpResult result;
    const double time =
        best_warm_time(repeats, [&] { solve_ppm(problem, {}, {}, workspace, result); });
    z = result.z;
    return time;
}

double time_block_pivot(const ContactRows&, const BoxLcp& problem, const Repeats& repeats,
                        VecX& z) {
    BlockPivotSettings settings;
    settings.stop = kStop;
    return time_box(solve_block_pivot, problem, settings, repeats, z);
}

double time_active_set(const ContactRows&, const BoxLcp& problem, const Repeats& repeats, VecX& z) {
    ActiveSetSettings settings;
    settings.stop = kStop;
    return time_box(solve_active_set_qp, problem, settings, repeats, z);
}

double time_gradient(const ContactRows&, const BoxLcp& problem, const Repeats& repeats, VecX& z) {
    GradientProjectionSettings settings;
    settings.stop = kStop;
    return time_box(solve_gradient_projection, problem, settings, repeats, z);
}

double time_pgs(const ContactRows&, const BoxLcp& problem, const Repeats& repeats, VecX& z) {
    return time_box(solve_pgs, problem, kStop, repeats, z);
}

double time_pgs_sm(const ContactRows&, const BoxLcp& problem, const Repeats& repeats, VecX& z) {
    PgsSmSettings settings;
    settings.stop = kStop;
    return time_box(solve_pgs_sm, problem, settings, repeats, z);
}

constexpr Contender kContenders[] = {{"lemke", time_lemke},
                                     {"ppm", time_ppm},
                                     {"block_pivot", time_block_pivot},
                                     {"active_set_qp", time_active_set},
                                     {"gradient_projection", time_gradient},
                                     {"pgs_sm", time_pgs_sm},
                                     {"pgs", time_pgs}};

void frictionless_table(const BenchOptions& options, Report& report) {
    Table table;
    table.title = "LCP without friction";
    table.intro = {
        "Positive semi-definite LCPs `N M^-1 N'` of contacts between random bodies, eight contacts "
        "per body, so that a quarter of the rows at least is redundant. Microseconds per solve "
        "from a cold start at tolerance 1e-10, mean over the seeds, and in brackets the worst "
        "relative residual where it is above 1e-8. `ppm` is given `N` and `M^-1` and the others "
        "`A = N M^-1 N'`, whose forming is not charged to them."};
    table.header = {"contacts"};
    for (const Contender& contender : kContenders) table.header.emplace_back(contender.name);
    const int seeds = options.quick ? 2 : 5;
    for (const int nc : {16, 32, 64, 128, 256, 512}) {
        if (options.quick && nc > 64) break;
        std::fprintf(stderr, "lcp: frictionless, %d contacts\n", nc);
        std::vector<std::string> row = {std::to_string(nc)};
        for (const Contender& contender : kContenders) {
            Total total;
            for (int seed = 0; seed < seeds; ++seed) {
                Random random(static_cast<std::uint64_t>(2000 * nc + seed));
                const ContactRows rows = heap_contacts(random, nc / 8, nc);
                const BoxLcp problem = frictionless_problem(rows);
                VecX z;
                const double time = contender.time(rows, problem, {5, 0.05}, z);
                const double relative = relative_residual(problem, z, problem.A * z + problem.b);
                total.add(time, relative);
                report.measurements.push_back({"lcp", "frictionless seed " + std::to_string(seed),
                                               contender.name, nc, kTolerance, time, relative});
            }
            row.push_back(significant(1e6 * total.seconds / seeds) +
                          (total.residual > kSolved ? " (" + format("%.0e", total.residual) + ")"
                                                    : std::string()));
        }
        table.rows.push_back(std::move(row));
    }
    print(table);
    report.tables.push_back(std::move(table));
}

}  // namespace

void run_lcp_section(const BenchOptions& options, Report& report) {
    friction_table(options, report);
    frictionless_table(options, report);
}

}  // namespace stiction
