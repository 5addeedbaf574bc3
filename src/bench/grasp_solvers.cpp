// grasp_solvers.cpp - Table I of [ALM09]: what Lemke's method, PGS and PGS-SM take per step while a
// hand grasps, and block pivoting beside them.
//
// One run of the scene with friction_box and pgs_sm gives the problems; in every step each solver
// gets the problems of that step, so that all answer the same questions. The solvers take turns in
// being the first. Only the solve is timed, not the forming of the matrix. An answer counts as
// failed by its own residual, whatever the solver says of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/grasp_problems.h"
#include "bench/step_times.h"
#include "core/thread_clock.h"
#include "scene/scene.h"
#include "solve/lcp/block_pivot.h"
#include "solve/lcp/lemke.h"
#include "solve/lcp/pgs.h"
#include "solve/lcp/pgs_sm.h"
#include "step/simulation.h"

namespace stiction {

namespace {

constexpr int kRounds = 3;           // of which the least time counts
constexpr double kTolerance = 1e-8;  // asked of every solver, and checked on the problem as given
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

enum class Method { kLemke, kPgs, kPgsSm, kBlockPivot, kLemkeCoulomb };
constexpr std::array<std::string_view, 5> kMethodNames = {"lemke", "pgs", "pgs_sm", "block_pivot",
                                                          "lemke, Coulomb LCP"};

std::size_t at(Method method) { return static_cast<std::size_t>(method); }

struct PaperTimes {
    double least, most, mean;  // [us]
};

struct Hand {
    std::string_view scene;
    std::string_view material;
    std::string_view friction;
    std::array<PaperTimes, 3> paper;  // lemke, pgs, pgs_sm
};

constexpr std::array<PaperTimes, 3> kPaperHand3 = {
    {{146, 7050, 672}, {97, 1332, 207}, {84, 355, 145}}};
constexpr std::array<PaperTimes, 3> kPaperHand5 = {
    {{220, 11820, 1885}, {95, 3348, 238}, {79, 452, 155}}};
constexpr std::array<Hand, 4> kHands = {{{"hand3", "rubber", "1", kPaperHand3},
                                         {"hand3", "plastic", "0.2", kPaperHand3},
                                         {"hand5", "rubber", "1", kPaperHand5},
                                         {"hand5", "plastic", "0.2", kPaperHand5}}};

// A way to put the problems, and the methods that get them.
struct Setting {
    std::string_view name;
    std::string_view title;
    bool contacts_only;
    bool warm;
    std::size_t methods;  // the first so many
};
constexpr std::array<Setting, 3> kSettings = {
    {{"table_1", "Contacts alone, cold start (Table I)", true, false, 5},
     {"warm", "Contacts alone, started from the impulses of the last step", true, true, 4},
     {"motors_as_rows", "Contacts, limits and motors as the program solves them, warm start", false,
      true, 4}}};

struct MethodResult {
    StepTimes times;
    std::int64_t failed = 0;      // steps
    std::int64_t iterations = 0;  // of all steps: pivots, sweeps, cycles
};

struct HandResult {
    std::array<std::array<MethodResult, kMethodNames.size()>, kSettings.size()> methods;
    std::array<std::vector<std::int64_t>, kSettings.size()> unknowns;  // per step
    std::vector<std::int64_t> contacts;                                // per step
    std::string failure;
};

LcpBasis lemke_guess(const GraspProblem& problem, bool warm) {
    if (!warm) return {};
    const std::vector<BoundState> states = guess_states(problem);
    LcpBasis basic;
    for (const BoundState state : states) basic.push_back(state != BoundState::kLower);
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (std::isfinite(problem.box.hi[static_cast<Eigen::Index>(i)]))
            basic.push_back(states[i] == BoundState::kUpper);
    }
    return basic;
}

// A solver with what it keeps between steps.
class Solver {
  public:
    explicit Solver(Method method) : method_(method) {}

    // Returns the time of the solve [s].
    double solve(const GraspProblem& problem, bool warm) {
        if (method_ == Method::kLemke) return solve_by_lemke(problem, warm);
        if (method_ == Method::kLemkeCoulomb) return solve_coulomb(problem);
        const VecX guess = warm ? problem.guess : VecX();
        const std::vector<BoundState> states =
            warm ? guess_states(problem) : std::vector<BoundState>();
        const double start = cpu_now();
        if (method_ == Method::kPgs) {
            solve_pgs(problem.box, kStop, guess, pgs_, result_);
        } else if (method_ == Method::kPgsSm) {
            solve_pgs_sm(problem.box, {kStop}, guess, pgs_sm_, result_);
        } else {
            solve_block_pivot(problem.box, {kStop}, states, block_pivot_, result_);
        }
        const double seconds = cpu_now() - start;
        iterations_ = method_ == Method::kBlockPivot ? result_.pivots : result_.iterations;
        reached_ = is_solution(problem.box, kTolerance, result_.z, result_.w);
        return seconds;
    }
    [[nodiscard]] bool reached() const { return reached_; }
    [[nodiscard]] int iterations() const { return iterations_; }

  private:
    static constexpr SolveSettings kStop{.tolerance = kTolerance};

    double solve_by_lemke(const GraspProblem& problem, bool warm) {
        const Lcp lcp = to_lcp(problem.box);
        const LcpBasis guess = lemke_guess(problem, warm);
        const double start = cpu_now();
        solve_lemke(lcp, {kStop}, guess, lemke_, lemke_result_);
        const double seconds = cpu_now() - start;
        reset(result_, problem.box.b.size());
        finish(problem.box, from_lcp(problem.box, lemke_result_.z), result_);
        iterations_ = lemke_result_.pivots;
        reached_ = is_solution(problem.box, kTolerance, result_.z, result_.w);
        return seconds;
    }
    double solve_coulomb(const GraspProblem& problem) {
        const Lcp lcp = make_coulomb_lcp(problem);
        const double start = cpu_now();
        solve_lemke(lcp, {kStop}, {}, lemke_, lemke_result_);
        const double seconds = cpu_now() - start;
        iterations_ = lemke_result_.pivots;
        reached_ = lemke_result_.status == SolveStatus::kSolved;
        return seconds;
    }

    Method method_;
    BoxResult result_;
    LcpResult lemke_result_;
    PgsWorkspace pgs_;
    PgsSmWorkspace pgs_sm_;
    BlockPivotWorkspace block_pivot_;
    LemkeWorkspace lemke_;
    bool reached_ = false;
    int iterations_ = 0;
};

// The run of one hand, and all methods on its problems.
class HandRun {
  public:
    HandRun(const Hand& hand, const BenchSettings& settings) {
        SceneOverrides overrides;
        overrides.parameters = {{"friction", std::string(hand.friction)}};
        scene_ = load_scene(settings.scenes + "/" + std::string(hand.scene) + ".yaml", overrides);
        set_solver(scene_.contact, "pgs_sm");
        steps_ = std::max<std::int64_t>(
            1, std::llround(settings.time.value_or(scene_.duration) / scene_.step.h));
        rounds_ = settings.rounds > 0 ? settings.rounds : settings.quick ? 1 : kRounds;
    }

    HandResult run(const BenchGoOn& go_on) {
        for (round_ = 0; round_ < rounds_ && result_.failure.empty(); ++round_) run_round(go_on);
        return std::move(result_);
    }

  private:
    void run_round(const BenchGoOn& go_on) {
        Simulation sim = make_simulation(scene_.model, scene_.state, scene_.controls,
                                         scene_.contact, scene_.step, 1);
        solvers_.clear();
        for (std::size_t m = 0; m < kMethodNames.size(); ++m)
            solvers_.emplace_back(static_cast<Method>(m));
        for (step_ = 0; step_ < steps_; ++step_) {
            if (step(sim) != StepOutcome::kDone) {
                result_.failure = describe_failure(sim);
                return;
            }
            solve_step(sim);
            const double done = static_cast<double>(step_ + 1) / static_cast<double>(steps_);
            if (!go_on((round_ + done) / rounds_)) {
                result_.failure = "interrupted";
                return;
            }
        }
    }

    void solve_step(Simulation& sim) {
        std::vector<GraspProblem> rows, contacts;
        for (std::size_t i = 0; i < sim.frame.problem.islands.size(); ++i) {
            IslandWorkspace& island = sim.contact_workspace.islands[i];
            rows.push_back(take_rows(island));
            if (rows.back().mu.empty()) {  // a hand that touches nothing: no contact problem
                rows.pop_back();
                continue;
            }
            contacts.push_back(keep_contacts(rows.back(), take_answer(island)));
        }
        if (round_ == 0) {
            std::size_t count = 0;
            for (const GraspProblem& problem : rows) count += problem.mu.size();
            result_.contacts.push_back(static_cast<std::int64_t>(count));
        }
        for (std::size_t s = 0; s < kSettings.size(); ++s)
            solve_setting(s, kSettings[s].contacts_only ? contacts : rows);
    }

    void solve_setting(std::size_t s, const std::vector<GraspProblem>& problems) {
        const Setting& setting = kSettings[s];
        if (round_ == 0) {
            std::int64_t unknowns = 0;
            for (const GraspProblem& problem : problems) unknowns += problem.box.b.size();
            result_.unknowns[s].push_back(unknowns);
        }
        const auto first = static_cast<std::size_t>(step_ + round_);
        for (std::size_t k = 0; k < setting.methods; ++k) {
            const std::size_t m = (first + k) % setting.methods;
            MethodResult& result = result_.methods[s][m];
            double seconds = 0;
            bool reached = true;
            for (const GraspProblem& problem : problems) {
                seconds += solvers_[m].solve(problem, setting.warm);
                reached = reached && solvers_[m].reached();
                if (round_ == 0) result.iterations += solvers_[m].iterations();
            }
            result.times.add(static_cast<std::size_t>(step_), seconds, seconds);
            if (round_ == 0) result.failed += !reached;
        }
    }

    Scene scene_;
    std::int64_t steps_ = 0, step_ = 0;
    int rounds_ = 0, round_ = 0;
    std::vector<Solver> solvers_;
    HandResult result_;
};

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? kUnknown : sum / static_cast<double>(values.size());
}

double mean(const std::vector<std::int64_t>& counts) {
    return mean(std::vector<double>(counts.begin(), counts.end()));
}

template <class T>
T most(const std::vector<T>& values) {
    return values.empty() ? T{} : *std::max_element(values.begin(), values.end());
}

std::string label(const Hand& hand) {
    return std::string(hand.scene) + ", " + std::string(hand.material);
}

void add_rows(const Hand& hand, const HandResult& result, std::size_t s, BenchTable& table) {
    constexpr double kMicro = 1e6;
    for (std::size_t m = 0; m < kSettings[s].methods; ++m) {
        const MethodResult& method = result.methods[s][m];
        const std::vector<double>& times = method.times.solve;
        if (times.empty()) continue;
        std::vector<BenchValue> row = {label(hand) + ": " + std::string(kMethodNames[m]),
                                       kMicro * *std::min_element(times.begin(), times.end()),
                                       kMicro * mean(times), kMicro * most(times)};
        const bool in_paper = m < hand.paper.size();
        row.emplace_back(in_paper ? hand.paper[m].least : kUnknown);
        row.emplace_back(in_paper ? hand.paper[m].mean : kUnknown);
        row.emplace_back(in_paper ? hand.paper[m].most : kUnknown);
        row.emplace_back(static_cast<double>(method.iterations) /
                         static_cast<double>(times.size()));
        row.emplace_back(method.failed);
        row.emplace_back(static_cast<std::int64_t>(times.size()));
        const bool coulomb = m == at(Method::kLemkeCoulomb);
        const std::int64_t per_contact = 6;  // c_n, four beta, lambda
        row.emplace_back(coulomb ? static_cast<double>(per_contact) * mean(result.contacts)
                                 : mean(result.unknowns[s]));
        row.emplace_back(coulomb ? per_contact * most(result.contacts) : most(result.unknowns[s]));
        table.rows.push_back(std::move(row));
    }
}

BenchTable times_table(std::size_t s, const std::vector<HandResult>& results) {
    BenchTable table;
    table.name = kSettings[s].name;
    table.title = kSettings[s].title;
    table.columns = {{"run"},
                     {"min", "us"},
                     {"mean", "us"},
                     {"max", "us"},
                     {"paper_min", "us"},
                     {"paper_mean", "us"},
                     {"paper_max", "us"},
                     {"iterations", "", 3},
                     {"failed", "steps"},
                     {"steps"},
                     {"unknowns_mean", "", 3},
                     {"unknowns_max"}};
    for (std::size_t i = 0; i < results.size(); ++i) add_rows(kHands[i], results[i], s, table);
    return table;
}

BenchTable contacts_table(const std::vector<HandResult>& results) {
    BenchTable table;
    table.name = "contacts";
    table.title = "Contacts per step";
    table.columns = {{"run"}, {"contacts_mean", "", 3}, {"contacts_max"}, {"steps"}};
    for (std::size_t i = 0; i < results.size(); ++i) {
        table.rows.push_back({label(kHands[i]), mean(results[i].contacts),
                              most(results[i].contacts),
                              static_cast<std::int64_t>(results[i].contacts.size())});
    }
    return table;
}

BenchTable ratio_table(const std::vector<HandResult>& results) {
    BenchTable table;
    table.name = "ratios";
    table.title = "Mean and largest time of a step over those of pgs_sm";
    table.columns = {{"ratio"}};
    for (const Setting& setting : kSettings) {
        table.columns.push_back({std::string(setting.name) + "_mean", "", 3});
        table.columns.push_back({std::string(setting.name) + "_max", "", 3});
    }
    table.columns.push_back({"paper_mean", "", 3});
    table.columns.push_back({"paper_max", "", 3});
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (std::size_t m = 0; m < kMethodNames.size(); ++m) {
            if (m == at(Method::kPgsSm)) continue;
            std::vector<BenchValue> row = {label(kHands[i]) + ": " + std::string(kMethodNames[m]) +
                                           " / pgs_sm"};
            for (std::size_t s = 0; s < kSettings.size(); ++s) {
                const std::vector<double>& slow = results[i].methods[s][m].times.solve;
                const std::vector<double>& quick =
                    results[i].methods[s][at(Method::kPgsSm)].times.solve;
                row.emplace_back(slow.empty() ? kUnknown : mean(slow) / mean(quick));
                row.emplace_back(slow.empty() ? kUnknown : most(slow) / most(quick));
            }
            // The paper's Lemke solved the Coulomb LCP, to which its numbers belong.
            const std::size_t p = m == at(Method::kLemkeCoulomb) ? at(Method::kLemke) : m;
            const auto& paper = kHands[i].paper;
            const bool in_paper = p < paper.size();
            const PaperTimes& quick = paper[at(Method::kPgsSm)];
            row.emplace_back(in_paper ? paper[p].mean / quick.mean : kUnknown);
            row.emplace_back(in_paper ? paper[p].most / quick.most : kUnknown);
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

// Mean times over those of pgs_sm, in the paper and here.
Figure hands_figure(const std::vector<HandResult>& results) {
    constexpr std::array<Method, 3> kPaperMethods = {Method::kLemkeCoulomb, Method::kPgs,
                                                     Method::kPgsSm};
    Plot plot;
    plot.title = "Mean time of a step over that of PGS-SM, cold start";
    plot.y = {.label = "ratio", .scale = Scale::kLog};
    Series paper[3], ours[3];
    for (std::size_t k = 0; k < kPaperMethods.size(); ++k) {
        const std::string name = k == 0 ? "Lemke" : std::string(kMethodNames[at(kPaperMethods[k])]);
        paper[k].name = "[ALM09] " + name;
        ours[k].name = name;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        plot.categories.push_back(label(kHands[i]));
        const auto& methods = results[i].methods[0];
        const double quick = mean(methods[at(Method::kPgsSm)].times.solve);
        for (std::size_t k = 0; k < kPaperMethods.size(); ++k) {
            paper[k].y.push_back(kHands[i].paper[k].mean / kHands[i].paper[2].mean);
            ours[k].y.push_back(mean(methods[at(kPaperMethods[k])].times.solve) / quick);
        }
    }
    for (std::size_t k = 0; k < 2; ++k) {  // PGS-SM itself is 1
        plot.series.push_back(paper[k]);
        plot.series.push_back(ours[k]);
    }
    Figure figure;
    figure.panel_width = 720;
    figure.panel_height = 380;
    figure.panels = {plot};
    return figure;
}

std::vector<std::string> notes(int rounds) {
    return {
        "Problems of one run of each scene (friction_box, pgs_sm, CFM 1e-11), the same for all "
        "solvers; tolerance 1e-8 on the relative residual; least time of each step over " +
            std::to_string(rounds) + " rounds. A step's islands with contacts are added up.",
        "Timed: the solve alone, CPU time, given the dense matrix; for lemke not the rewriting of "
        "the "
        "bounds as further unknowns. failed: answers whose residual misses the tolerance.",
        "Contacts alone: motors and limits at a bound are known impulses, others are eliminated, "
        "as in [ALM09], whose motors are no unknowns.",
        "lemke, Coulomb LCP: the four-sided pyramid that [ALM09] gave to Lemke's method, six "
        "unknowns per contact; another law than the box, so another answer.",
        "iterations, per step: pivots (lemke, block_pivot), sweeps (pgs), cycles (pgs_sm).",
        "[ALM09]: AMD Turion 64 X2; PGS and PGS-SM end when no unknown changes by more than 1e-8.",
    };
}

}  // namespace

BenchReport bench_grasp_solvers(const BenchSettings& settings, const BenchGoOn& go_on) {
    BenchReport report;
    report.benchmark = "grasp-solvers";
    std::vector<HandResult> results;
    for (std::size_t i = 0; i < kHands.size(); ++i) {
        // hand5 takes some four times as long as hand3.
        constexpr std::array<double, kHands.size() + 1> kShare = {0, 0.1, 0.2, 0.6, 1};
        const auto part = [&](double done) {
            return go_on(kShare[i] + (kShare[i + 1] - kShare[i]) * done);
        };
        results.push_back(HandRun(kHands[i], settings).run(part));
        if (results.back().failure.empty()) continue;
        report.status = label(kHands[i]) + ": " + results.back().failure;
        break;
    }
    report.tables = {ratio_table(results)};
    for (std::size_t s = 0; s < kSettings.size(); ++s)
        report.tables.push_back(times_table(s, results));
    report.tables.push_back(contacts_table(results));
    report.notes = notes(settings.rounds > 0 ? settings.rounds : settings.quick ? 1 : kRounds);
    if (report.status == "done") report.figure = hands_figure(results);
    return report;
}

}  // namespace stiction
