// ppm_section.cpp - how the time of modified principal pivoting grows with the contacts and with
// the bodies, beside Lemke's method on the same contacts with friction.
#include <cstdio>

#include "contact_rows.h"
#include "cpu_time.h"
#include "sections.h"
#include "solve/lcp/active_set.h"
#include "solve/lcp/lemke.h"

namespace stiction {

namespace {

struct PpmTimes {
    double seconds = 0;   // mean over the seeds
    double pivots = 0;    // mean
    double residual = 0;  // largest, relative
    double lemke = 0;     // mean time on the LCP with friction [s]; 0: not run
};

PpmTimes time_grasp(int nb, int nc, int seeds, bool with_lemke, const std::string& name,
                    Report& report) {
    PpmTimes times;
    for (int seed = 0; seed < seeds; ++seed) {
        Random random(static_cast<std::uint64_t>(100000 * nb + 10 * nc + seed));
        const ContactRows rows = grasp_contacts(random, nb, nc);
        const PpmProblem problem = ppm_problem(rows);
        ActiveSetWorkspace workspace;
        LcpResult result;
        const double time =
            best_warm_time({1000, 0.05}, [&] { solve_ppm(problem, {}, {}, workspace, result); });
        const BoxLcp check = frictionless_problem(rows);
        const double relative = relative_residual(check, result.z, check.A * result.z + check.b);
        times.seconds += time / seeds;
        times.pivots += static_cast<double>(result.pivots) / seeds;
        times.residual = std::max(times.residual, relative);
        report.measurements.push_back({"ppm", name, "ppm", nc, 1e-10, time, relative});
        if (!with_lemke) continue;
        const Lcp lcp = stewart_trinkle_lcp(rows);
        LemkeWorkspace lemke;
        const double lemke_time =
            best_warm_time({3, 0.05}, [&] { solve_lemke(lcp, {}, {}, lemke, result); });
        times.lemke += lemke_time / seeds;
        report.measurements.push_back(
            {"ppm", name, "lemke", nc, 1e-10, lemke_time, relative_residual(lcp, result.z)});
    }
    return times;
}

void contacts_table(const BenchOptions& options, Report& report) {
    constexpr double kLemkeLimit = 0.15;  // [s]: the next size takes eight times as long
    constexpr int kFitFrom = 192;         // contacts; below, what does not depend on them shows
    Table table;
    table.title = "ppm: time over the number of contacts";
    table.intro = {
        "A grasp: four cubes in a row (24 velocities), n contact points spread over the three "
        "faces between them, cold start, mean over the seeds. Beside it Lemke's method on the "
        "Stewart-Trinkle LCP of the same contacts (6 n unknowns), as far as it takes seconds."};
    table.header = {"n",        "ppm us",     "pivots", "worst residual", "us per contact",
                    "lemke us", "lemke / ppm"};
    std::vector<double> n, time;
    bool with_lemke = true;
    for (const int nc : {12, 24, 48, 96, 192, 300, 600, 1200}) {
        if (options.quick && nc > 192) break;
        std::fprintf(stderr, "ppm: 24 velocities, %d contacts\n", nc);
        const int seeds = options.quick ? 3 : 10;
        const PpmTimes t = time_grasp(4, nc, seeds, false, "grasp m=24", report);
        // Fewer seeds: the larger ones take long.
        const double lemke =
            with_lemke ? time_grasp(4, nc, 2, true, "grasp m=24 friction", report).lemke : 0;
        if (lemke > kLemkeLimit) with_lemke = false;
        if (nc >= kFitFrom) {
            n.push_back(nc);
            time.push_back(t.seconds);
        }
        table.rows.push_back({std::to_string(nc), significant(1e6 * t.seconds),
                              format("%.1f", t.pivots), format("%.0e", t.residual),
                              significant(1e6 * t.seconds / nc), significant(1e6 * lemke),
                              significant(lemke / t.seconds)});
    }
    table.summary = {"Fitted for n >= " + std::to_string(kFitFrom) + ": time ~ n^" +
                     format("%.2f", fitted_exponent(n, time)) + " (linear: 1)."};
    print(table);
    report.tables.push_back(std::move(table));
}

void bodies_table(const BenchOptions& options, Report& report) {
    constexpr int kFitFrom = 48;
    Table table;
    table.title = "ppm: time over the number of velocities";
    table.intro = {"The same with m / 6 cubes in the row and n = 4 m contacts."};
    table.header = {"m", "n", "ppm us", "pivots", "worst residual"};
    std::vector<double> m, time;
    for (const int nb : {2, 4, 8, 16, 32, 64}) {
        if (options.quick && nb > 16) break;
        const int nv = 6 * nb, nc = 4 * nv;
        std::fprintf(stderr, "ppm: %d velocities, %d contacts\n", nv, nc);
        const PpmTimes t = time_grasp(nb, nc, options.quick ? 2 : 5, false, "grasp n=4m", report);
        if (nv >= kFitFrom) {
            m.push_back(nv);
            time.push_back(t.seconds);
        }
        table.rows.push_back({std::to_string(nv), std::to_string(nc), significant(1e6 * t.seconds),
                              format("%.1f", t.pivots), format("%.0e", t.residual)});
    }
    table.summary = {"Fitted for m >= " + std::to_string(kFitFrom) + ": time ~ m^" +
                     format("%.2f", fitted_exponent(m, time)) + " (cubic: 3)."};
    print(table);
    report.tables.push_back(std::move(table));
}

}  // namespace

void run_ppm_section(const BenchOptions& options, Report& report) {
    contacts_table(options, report);
    bodies_table(options, report);
}

}  // namespace stiction
