// problems_section.cpp - stored Coulomb cone problems: our solvers, and the best of many settings
// of Siconos, chosen afterwards for each problem.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "core/error.h"
#include "cpu_time.h"
#include "guarded_run.h"
#include "record/problem_file.h"
#include "sections.h"
#include "siconos.h"
#include "solve/cone/cone_solver.h"

namespace stiction {

namespace {

constexpr std::array kLimits = {1e-8, 1e-4};  // on both residuals
constexpr std::array kOurs = {ConeSolver::kProxNewton, ConeSolver::kNewton, ConeSolver::kPgs,
                              ConeSolver::kInteriorPoint};
constexpr double kOurCpuLimit = 5;  // [s]
constexpr int kSmall = 10;          // up to here Siconos gets both kinds of matrix
constexpr std::array kLadder = {1e-4, 1e-8, 1e-10, 1e-12};  // of Siconos' own tolerance

// The same for both sides. Many for short solves: a few of them are over while a neighbour on the
// same core still disturbs them all.
constexpr Repeats kRepeats = {2000, 0.15};

struct ConeRun {
    std::string solver;
    double tolerance = 0;
    double seconds = 0;  // 0: did not end
    ConeResidual residual;

    [[nodiscard]] bool meets(double limit) const {
        return seconds > 0 && residual.natural <= limit && residual.scaled <= limit;
    }
};

struct ProblemRuns {
    std::string name;
    int contacts = 0;
    std::array<std::array<ConeRun, kLimits.size()>, kOurs.size()> ours;
    std::vector<ConeRun> siconos;
};

ConeRun run_ours(ConeSolver solver, const ConeProblem& problem, double tolerance) {
    const auto count = static_cast<std::size_t>(problem.q.size()) + 1;
    struct State {
        ConeWorkspace workspace;
        ConeResult result;
    };
    SolveSettings settings;
    settings.tolerance = tolerance;
    const std::vector<double> shared = run_guarded(kOurCpuLimit, count, [&](std::span<double> out) {
        const double time = best_cold_time(
            kRepeats, [] { return std::make_unique<State>(); },
            [&](const std::unique_ptr<State>& state) {
                solve_cone(solver, problem, settings, {}, state->workspace, state->result);
                std::copy(state->result.r.begin(), state->result.r.end(), out.data() + 1);
            });
        out[0] = time;
    });
    const VecX r = Eigen::Map<const VecX>(shared.data() + 1, problem.q.size());
    return {std::string(name(solver)), tolerance, shared[0], residual(problem, r)};
}

// Quickest run that meets the limit.
const ConeRun* best(const std::vector<ConeRun>& runs, double limit) {
    const ConeRun* found = nullptr;
    for (const ConeRun& run : runs) {
        if (run.meets(limit) && (!found || run.seconds < found->seconds)) found = &run;
    }
    return found;
}

double cpu_limit(int contacts, bool quick) {
    const double limit = contacts > 100 ? 2 : contacts > 10 ? 1 : 0.2;
    return quick ? limit / 4 : limit;
}

// Climbs the ladder of tolerances with one setting until our residuals are met, or the run fails to
// end. What takes three times the best time so far can no longer become the best, so it is cut.
void climb(const ConeProblem& problem, std::size_t setting, PeerStorage storage,
           const std::string& setting_name, bool quick, std::vector<ConeRun>& runs) {
    constexpr double kTightest = kLimits.front(), kLoosest = kLimits.back();
    constexpr double kShortest = 0.02;   // [s], of a limit: the timer ticks
    constexpr double kStartUp = 200e-6;  // [s], first call of a fresh process
    for (const double tolerance : kLadder) {
        double limit = cpu_limit(problem.contacts(), quick);
        const ConeRun* const tight = best(runs, kTightest);
        const ConeRun* const loose = best(runs, kLoosest);
        if (tight) limit = std::min(limit, std::max(kShortest, 3 * tight->seconds));
        const double interesting =
            tight ? 2 * tight->seconds + kStartUp : std::max(limit, loose ? loose->seconds : 0);
        const PeerRun run =
            run_siconos(problem, setting, storage, tolerance, limit, kRepeats, interesting);
        ConeRun judged{setting_name, tolerance, run.seconds, {}};
        if (run.seconds > 0) judged.residual = residual(problem, run.x);
        runs.push_back(judged);
        if (run.seconds <= 0 || runs.back().meets(kTightest)) break;
    }
}

std::vector<ConeRun> run_all_siconos(const ConeProblem& problem, bool quick) {
    std::vector<ConeRun> runs;
    const std::vector<std::string> names = siconos_settings();
    for (std::size_t s = 0; s < names.size(); ++s) {
        climb(problem, s, PeerStorage::kBlocks, names[s], quick, runs);
        if (problem.contacts() > kSmall) continue;
        climb(problem, s, PeerStorage::kDense, names[s] + " (dense)", quick, runs);
    }
    return runs;
}

ProblemRuns run_problem(const std::filesystem::path& path, const BenchOptions& options) {
    const ConeProblem problem = read_cone_problem(path.string());
    ProblemRuns runs;
    runs.name = path.filename().string();
    runs.contacts = problem.contacts();
    std::fprintf(stderr, "problems: %s, %d contacts", runs.name.c_str(), runs.contacts);
    for (std::size_t s = 0; s < kOurs.size(); ++s) {
        for (std::size_t l = 0; l < kLimits.size(); ++l) {
            runs.ours[s][l] = run_ours(kOurs[s], problem, kLimits[l]);
        }
    }
    std::fprintf(stderr, ", ours %.4g ms", 1e3 * runs.ours[0][0].seconds);
    if (options.siconos && kHaveSiconos) {
        runs.siconos = run_all_siconos(problem, options.quick);
        const ConeRun* const peer = best(runs.siconos, kLimits[0]);
        std::fprintf(stderr, ", Siconos %.4g ms", peer ? 1e3 * peer->seconds : 0.0);
    }
    std::fprintf(stderr, "\n");
    return runs;
}

std::vector<std::filesystem::path> problem_files(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".dat" || extension == ".hdf5") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) throw std::runtime_error(folder + ": no .dat or .hdf5 files");
    return files;
}

void record(const ProblemRuns& runs, Report& report) {
    const auto add = [&](const ConeRun& run, const std::string& prefix) {
        report.measurements.push_back({"problems", runs.name, prefix + run.solver, runs.contacts,
                                       run.tolerance, run.seconds, run.residual.worst()});
    };
    for (const auto& solver : runs.ours) {
        for (const ConeRun& run : solver) add(run, "");
    }
    for (const ConeRun& run : runs.siconos) add(run, "siconos ");
}

std::string power(double limit) { return format("1e%.0f", std::log10(limit)); }

// How we did against the best of Siconos, at one limit.
struct Score {
    int many = 0, many_ahead = 0;      // problems with 4 contacts or more
    int few = 0, few_no_slower = 0;    // with 1 to 3
    std::vector<double> large_ratios;  // with 20 or more, solved by both
    int unsolved = 0;                  // by us
    int alone = 0;                     // by us and by no setting of Siconos

    void add(int contacts, const ConeRun& ours, const ConeRun* peer, double limit) {
        const bool solved = ours.meets(limit);
        const bool ahead = solved && (!peer || ours.seconds <= peer->seconds);
        if (!solved) ++unsolved;
        if (solved && !peer) ++alone;
        (contacts >= 4 ? many : few) += 1;
        if (ahead) (contacts >= 4 ? many_ahead : few_no_slower) += 1;
        if (contacts >= 20 && solved && peer) {
            large_ratios.push_back(peer->seconds / ours.seconds);
        }
    }

    [[nodiscard]] std::vector<std::string> lines() const {
        return {"4 contacts and more: ahead on " + std::to_string(many_ahead) + " of " +
                    std::to_string(many) + ".",
                "20 contacts and more: " + significant(geometric_mean(large_ratios)) +
                    " times as fast in the geometric mean of the " +
                    std::to_string(large_ratios.size()) + " that both solve.",
                "1 to 3 contacts: no slower on " + std::to_string(few_no_slower) + " of " +
                    std::to_string(few) + ".",
                "Not solved by us: " + std::to_string(unsolved) +
                    "; solved by us and by no setting of Siconos: " + std::to_string(alone) + "."};
    }
};

Table comparison_table(const std::vector<ProblemRuns>& all, std::size_t limit, bool peer) {
    Table table;
    const std::string text = power(kLimits[limit]);
    table.title = "Stored problems at " + text;
    table.intro = {
        "prox_newton to " + text +
        " on both residuals, from r = 0 with a fresh workspace whose allocation is part of the "
        "time" +
        (peer ? ", beside the quickest of " + std::to_string(siconos_settings().size()) +
                    " settings of Siconos whose answer meets the same limit on the same residuals "
                    "(its own "
                    "tolerance 1e-4, 1e-8, 1e-10, 1e-12 in turn; up to " +
                    std::to_string(kSmall) +
                    " contacts with W dense and in blocks). Ratio: its time over ours."
              : std::string("."))};
    table.header = {"problem", "contacts", "ours ms", "natural", "scaled"};
    if (peer) {
        for (const char* column : {"Siconos ms", "setting", "ratio"}) {
            table.header.emplace_back(column);
        }
    }
    Score score;
    for (const ProblemRuns& runs : all) {
        const ConeRun& ours = runs.ours[0][limit];
        const bool solved = ours.meets(kLimits[limit]);
        std::vector<std::string> row = {runs.name, std::to_string(runs.contacts),
                                        significant(1e3 * ours.seconds) + (solved ? "" : " (not)"),
                                        format("%.1e", ours.residual.natural),
                                        format("%.1e", ours.residual.scaled)};
        if (peer) {
            const ConeRun* const rival = best(runs.siconos, kLimits[limit]);
            row.push_back(rival ? significant(1e3 * rival->seconds) : "-");
            row.push_back(rival ? rival->solver : "none");
            row.push_back(rival && solved ? significant(rival->seconds / ours.seconds) : "-");
            score.add(runs.contacts, ours, rival, kLimits[limit]);
        }
        table.rows.push_back(std::move(row));
    }
    if (peer) table.summary = score.lines();
    return table;
}

Table own_table(const std::vector<ProblemRuns>& all) {
    Table table;
    table.title = "Stored problems: our solvers";
    table.intro = {"Milliseconds from r = 0; `-` where the limit was not reached within " +
                   format("%g", kOurCpuLimit) + " s of CPU time or the solver's own iterations."};
    table.header = {"problem", "contacts"};
    for (const ConeSolver solver : kOurs) {
        for (const double limit : kLimits) {
            table.header.push_back(std::string(name(solver)) + " " + power(limit));
        }
    }
    for (const ProblemRuns& runs : all) {
        std::vector<std::string> row = {runs.name, std::to_string(runs.contacts)};
        for (const auto& solver : runs.ours) {
            for (std::size_t l = 0; l < kLimits.size(); ++l) {
                const ConeRun& run = solver[l];
                row.push_back(run.meets(kLimits[l]) ? significant(1e3 * run.seconds) : "-");
            }
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

void run_problems_section(const BenchOptions& options, Report& report) {
    if (options.problems.empty()) {
        std::fprintf(stderr, "problems: no folder given (--problems DIR), left out\n");
        return;
    }
    std::vector<ProblemRuns> all;
    for (const std::filesystem::path& file : problem_files(options.problems)) {
        try {
            all.push_back(run_problem(file, options));
            record(all.back(), report);
        } catch (const InputError& error) {
            std::fprintf(stderr, "problems: %s, left out\n", error.what());
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const ProblemRuns& a, const ProblemRuns& b) {
        return a.contacts < b.contacts;
    });
    const bool peer = options.siconos && kHaveSiconos;
    for (std::size_t limit = 0; limit < kLimits.size(); ++limit) {
        report.tables.push_back(comparison_table(all, limit, peer));
        print(report.tables.back());
    }
    report.tables.push_back(own_table(all));
    print(report.tables.back());
}

}  // namespace stiction
