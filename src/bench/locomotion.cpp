// locomotion.cpp - the walking robot of [D15, section VII-B], Tables II and III: what 10 s of
// walking cost without slip and with viscous friction, against Coulomb friction with mu = 100 and
// against Lemke's method.
//
// Three comparisons. Each model on its own way, as in the paper: whole runs, whose motions differ, by
// the paper's methods (its baseline is maximum dissipation; the viscous runs are at the acceleration
// level) and by the program's own. The same with the robot low on the ground, where
// contacts are as many as in the paper. And the same problems: one run, and in each of its steps
// every method solves the problem of that step, so that all answer the same questions; the methods
// take turns in being the first.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/dense_contact.h"
#include "bench/fold_motors.h"
#include "bench/step_times.h"
#include "compare/compare.h"
#include "contact/solve_contact.h"
#include "core/stopwatch.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

namespace {

constexpr int kRounds = 5;    // of which the least time counts
constexpr double kTime = 10;  // simulated [s], as in the paper
constexpr double kQuickTime = 1;
// Ratios of the times in [D15], Tables II and III.
constexpr double kPaperNoSlip = 416.284 / 301.796;
constexpr double kPaperViscous = 2936.36 / 2139.73;

struct Plan {
    Scene scene;
    std::int64_t steps = 0;
    int rounds = 0;
};

struct OwnWay {
    std::string_view label, contact;
};
constexpr std::size_t kPpmRun = 0, kBaselineRun = 1, kLemkeRun = 2, kViscousPpm = 5,
                      kViscousLemke = 6;
constexpr std::array<OwnWay, 8> kOwnWays = {{
    {"no_slip:ppm", "{model: no_slip, solver: ppm}"},
    {"max_dissipation, mu=100", "{model: max_dissipation}"},
    {"coulomb_lcp:lemke, mu=100", "{model: coulomb_lcp, solver: lemke}"},
    {"no_slip:sparse_ppm", "{model: no_slip, solver: sparse_ppm}"},
    {"coulomb_cone, mu=100", "{model: coulomb_cone}"},
    {"viscous:ppm, RK4", "{model: viscous, level: acceleration, solver: ppm}"},
    {"viscous:lemke, RK4", "{model: viscous, level: acceleration, solver: lemke}"},
    {"viscous:sparse_ppm", "{model: viscous, solver: sparse_ppm}"},
}};

std::vector<Variant> own_ways() {
    std::vector<Variant> variants;
    for (const OwnWay& way : kOwnWays) {
        ContactModel contact;
        read_contact_text(std::string(way.contact), contact);
        variants.push_back({std::string(way.label), contact, {}});
    }
    return variants;
}

Plan make_plan(const BenchSettings& settings, const std::string& scene) {
    SceneOverrides overrides;
    overrides.parameters = {{"mu", "100"}, {"viscosity", "0.1"}, {"h", "0.001"}};
    Plan plan;
    plan.scene = load_scene(settings.scenes + "/" + scene + ".yaml", overrides);
    plan.steps = std::max<std::int64_t>(
        1, std::llround(settings.time.value_or(settings.quick ? kQuickTime : kTime) /
                        plan.scene.step.h));
    plan.rounds = settings.rounds > 0 ? settings.rounds : settings.quick ? 1 : kRounds;
    return plan;
}

// ---- each model on its own way

struct OwnWays {
    std::vector<StepTimes> times;
    std::vector<ComparedRun> runs;
};

OwnWays run_own_ways(const Plan& plan, const std::vector<Variant>& variants,
                     const BenchGoOn& go_on) {
    OwnWays result;
    result.times.resize(variants.size());
    const double all = static_cast<double>(plan.steps) * static_cast<double>(variants.size());
    bool stopped = false;
    for (int round = 0; round < plan.rounds && !stopped; ++round) {
        CompareObserver observer;
        observer.go_on = [&](std::int64_t done, double) {
            stopped = !go_on((round + static_cast<double>(done) / all) / plan.rounds);
            return !stopped;
        };
        observer.row = [&](const ComparedStep& taken) {
            result.times[taken.run].add(
                static_cast<std::size_t>(taken.record.step - 1), taken.record.step_seconds,
                taken.record.seconds[static_cast<std::size_t>(Stage::kSolve)]);
        };
        result.runs = compare(plan.scene, variants, {.steps = plan.steps}, observer);
    }
    return result;
}

double distance_walked(const Scene& scene, const State& end) {
    const Vec3 way = end.pose[0].p - scene.state.pose[0].p;
    return way.x();
}

BenchTable own_ways_table(const std::string& name, const std::string& title, const Plan& plan,
                          const OwnWays& own) {
    BenchTable table;
    table.name = name;
    table.title = title;
    table.columns = {{"run"}};
    add_time_columns(table.columns);
    table.columns.insert(table.columns.end(), {{"contacts_mean", "", 3},
                                               {"contacts_max"},
                                               {"unsolved", "steps"},
                                               {"fallbacks", "steps"},
                                               {"walked", "m", 3}});
    for (std::size_t i = 0; i < own.runs.size(); ++i) {
        const ComparedRun& run = own.runs[i];
        const auto steps = static_cast<double>(std::max<std::int64_t>(run.statistics.steps, 1));
        std::vector<BenchValue> row = {run.label};
        add_time_values(own.times[i], row);
        row.emplace_back(run.statistics.contacts / steps);
        row.emplace_back(static_cast<std::int64_t>(run.statistics.contacts_max));
        row.emplace_back(run.unsolved_steps);
        row.emplace_back(run.fallback_steps);
        row.emplace_back(distance_walked(plan.scene, run.end));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// ---- the same problems

struct Problems {  // of one step, motors folded in
    ContactProblem rows;
    DenseContact dense;
};

// A method with what it keeps between steps. Answers with the status and the velocities.
struct Method {
    std::string label;
    std::function<SolveStatus(const Problems& problems, VecX& v)> solve;
};
using MethodMaker = std::function<Method()>;  // anew for each round

struct MethodResult {
    std::string label;
    StepTimes times;
    std::int64_t unsolved = 0;  // steps
    double apart = 0;           // largest difference of a velocity from the first method's
};

struct SameProblems {
    std::vector<MethodResult> methods;
    std::vector<std::size_t> contacts;  // per step
    std::int64_t saturated = 0;         // steps in which a motor was at its limit
    std::string failure;                // of the run
};

using DenseSolve = void (*)(const DenseContact&, DenseContactWorkspace&, DenseAnswer&);

MethodMaker dense_method(const std::string& label, DenseSolve solve, bool cold = false) {
    return [=] {
        auto workspace = std::make_shared<DenseContactWorkspace>();
        auto answer = std::make_shared<DenseAnswer>();
        workspace->cold = cold;
        return Method{label, [=](const Problems& problems, VecX& v) {
                          solve(problems.dense, *workspace, *answer);
                          v = answer->v;
                          return answer->status;
                      }};
    };
}

MethodMaker shipped_method(const Variant& variant) {
    struct Kept {
        ThreadPool pool{1};
        ContactWorkspace workspace;
        Guess guess;
        ContactSolution solution;
    };
    return [=] {
        auto kept = std::make_shared<Kept>();
        return Method{variant.label, [=](const Problems& problems, VecX& v) {
                          solve_contact(variant.contact, problems.rows, 0, kept->pool,
                                        kept->workspace, kept->guess, kept->solution);
                          v = kept->solution.v;
                          return kept->solution.status;
                      }};
    };
}

bool motor_at_limit(const Frame& frame) {
    constexpr double kNear = 1 - 1e-9;  // of the limit: what rounding leaves
    for (std::size_t i = 0; i < frame.problem.bounded.size(); ++i) {
        const BoundedRow& row = frame.problem.bounded[i];
        if (frame.solution.c_b[i] >= kNear * row.hi || frame.solution.c_b[i] <= kNear * row.lo)
            return true;
    }
    return false;
}

class SameProblemsRun {
  public:
    SameProblemsRun(const Plan& plan, const ContactModel& walks_with,
                    const std::vector<MethodMaker>& makers)
        : plan_(plan), walks_with_(walks_with), makers_(makers) {
        result_.methods.resize(makers.size());
    }

    SameProblems run(const BenchGoOn& go_on) {
        for (int round = 0; round < plan_.rounds && result_.failure.empty(); ++round) {
            run_round(round, go_on);
        }
        return result_;
    }

  private:
    void run_round(int round, const BenchGoOn& go_on) {
        Simulation sim = make_simulation(plan_.scene.model, plan_.scene.state, plan_.scene.controls,
                                         walks_with_, plan_.scene.step, 1);
        std::vector<Method> methods;
        for (const MethodMaker& maker : makers_) methods.push_back(maker());
        for (std::int64_t i = 0; i < plan_.steps; ++i) {
            if (step(sim) != StepOutcome::kDone) {
                result_.failure = describe_failure(sim);
                return;
            }
            solve_all(static_cast<std::size_t>(i), round, sim, methods);
            const double done = static_cast<double>(i + 1) / static_cast<double>(plan_.steps);
            if (!go_on((round + done) / plan_.rounds)) {
                result_.failure = "interrupted";
                return;
            }
        }
    }

    void solve_all(std::size_t index, int round, const Simulation& sim,
                   const std::vector<Method>& methods) {
        Problems problems;
        problems.rows = fold_motors(sim.frame.problem);
        problems.dense = make_dense_contact(problems.rows);
        const double rest =
            sim.frame.step_seconds - sim.frame.seconds[static_cast<std::size_t>(Stage::kSolve)];
        std::vector<VecX> v(methods.size());
        const std::size_t first = index + static_cast<std::size_t>(round);
        for (std::size_t k = 0; k < methods.size(); ++k) {
            const std::size_t m = (first + k) % methods.size();
            Stopwatch watch;
            const SolveStatus status = methods[m].solve(problems, v[m]);
            const double seconds = watch.lap();
            MethodResult& result = result_.methods[m];
            result.label = methods[m].label;
            result.times.add(index, rest + seconds, seconds);
            if (round == 0) result.unsolved += status != SolveStatus::kSolved;
        }
        if (round > 0) return;
        for (std::size_t m = 0; m < methods.size(); ++m) {
            const double apart = (v[m] - v[0]).lpNorm<Eigen::Infinity>();
            result_.methods[m].apart = std::max(result_.methods[m].apart, apart);
        }
        result_.contacts.push_back(problems.rows.contacts.size());
        result_.saturated += motor_at_limit(sim.frame);
    }

    const Plan& plan_;
    ContactModel walks_with_;
    const std::vector<MethodMaker>& makers_;
    SameProblems result_;
};

double mean(const std::vector<std::size_t>& counts) {
    double sum = 0;
    for (const std::size_t count : counts) sum += static_cast<double>(count);
    return counts.empty() ? 0 : sum / static_cast<double>(counts.size());
}

std::size_t most(const std::vector<std::size_t>& counts) {
    return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

BenchTable same_problems_table(const std::string& name, const std::string& title,
                               const SameProblems& same) {
    BenchTable table;
    table.name = name;
    table.title = title;
    table.columns = {{"method"}};
    add_time_columns(table.columns);
    table.columns.insert(
        table.columns.end(),
        {{"contacts_mean", "", 3}, {"contacts_max"}, {"unsolved", "steps"}, {"apart", "m/s", 2}});
    for (const MethodResult& method : same.methods) {
        std::vector<BenchValue> row = {method.label};
        add_time_values(method.times, row);
        row.emplace_back(mean(same.contacts));
        row.emplace_back(static_cast<std::int64_t>(most(same.contacts)));
        row.emplace_back(method.unsolved);
        row.emplace_back(method.apart);
        table.rows.push_back(std::move(row));
    }
    return table;
}

// Mean time of the solve alone over the steps with so many contacts.
BenchTable by_contacts_table(const std::string& name, const std::string& title,
                             const SameProblems& same) {
    BenchTable table;
    table.name = name;
    table.title = title;
    table.columns = {{"contacts"}, {"steps"}};
    for (const MethodResult& method : same.methods)
        table.columns.push_back({method.label, "us", 3});
    for (std::size_t count = 0; count <= most(same.contacts); ++count) {
        std::int64_t steps = 0;
        std::vector<double> sums(same.methods.size(), 0.0);
        for (std::size_t i = 0; i < same.contacts.size(); ++i) {
            if (same.contacts[i] != count) continue;
            ++steps;
            for (std::size_t m = 0; m < sums.size(); ++m) {
                sums[m] += same.methods[m].times.solve[i];
            }
        }
        if (steps == 0) continue;
        std::vector<BenchValue> row = {static_cast<std::int64_t>(count), steps};
        for (const double sum : sums) row.emplace_back(1e6 * sum / static_cast<double>(steps));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// ---- ratios

void add_ratio(const std::string& label, const StepTimes& slow, const StepTimes& quick,
               double paper, BenchTable& table) {
    table.rows.push_back({label, slow.step_total() / quick.step_total(),
                          slow.solve_total() / quick.solve_total(), paper});
}

// Tables II and III as the paper has them.
void add_own_ratios(const std::string& which, const OwnWays& own, BenchTable& table) {
    const auto add = [&](std::size_t slow, std::size_t quick, double paper) {
        add_ratio(which + ": " + own.runs[slow].label + " / " + own.runs[quick].label,
                  own.times[slow], own.times[quick], paper, table);
    };
    add(kBaselineRun, kPpmRun, kPaperNoSlip);
    add(kLemkeRun, kPpmRun, std::numeric_limits<double>::quiet_NaN());
    add(kViscousLemke, kViscousPpm, kPaperViscous);
}

BenchTable ratio_table(const OwnWays& own, const OwnWays& crowded, const SameProblems& no_slip,
                       const SameProblems& viscous) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    BenchTable table;
    table.name = "ratios";
    table.title = "Ratios of total times";
    table.columns = {{"ratio"}, {"whole_step", "", 3}, {"solve", "", 3}, {"paper", "", 3}};
    add_own_ratios("own ways", own, table);
    add_own_ratios("low, own ways", crowded, table);
    const auto same = [&](const SameProblems& from, std::size_t slow, std::size_t quick,
                          double paper) {
        const MethodResult& a = from.methods[slow];
        const MethodResult& b = from.methods[quick];
        add_ratio("same problems: " + a.label + " / " + b.label, a.times, b.times, paper, table);
    };
    same(no_slip, 1, 0, kPaperNoSlip);
    same(no_slip, 6, 5, kPaperNoSlip);
    same(no_slip, 1, 2, kNone);
    same(no_slip, 3, 2, kNone);
    same(no_slip, 4, 2, kNone);
    same(viscous, 1, 0, kPaperViscous);
    same(viscous, 4, 3, kPaperViscous);
    same(viscous, 1, 2, kNone);
    return table;
}

double step_ratio(const OwnWays& ways, std::size_t slow, std::size_t quick) {
    return ways.times[slow].step_total() / ways.times[quick].step_total();
}

// Tables as bars, and what a solve costs by the number of contacts.
Figure locomotion_figure(const OwnWays& own, const OwnWays& crowded, const SameProblems& no_slip) {
    Plot bars;
    bars.title = "Time of the whole run over that of the paper's quicker method";
    bars.y.label = "ratio";
    bars.categories = {"Table II: max. dissipation / no slip", "Table III: Lemke / PPM, viscous"};
    const auto series = [](const std::string& name, double first, double second) {
        Series s;
        s.name = name;
        s.y = {first, second};
        return s;
    };
    bars.series = {series("[D15]", kPaperNoSlip, kPaperViscous)};
    for (const OwnWays* ways : {&own, &crowded}) {
        bars.series.push_back(series(ways == &own ? "ours" : "ours, low",
                                     step_ratio(*ways, kBaselineRun, kPpmRun),
                                     step_ratio(*ways, kViscousLemke, kViscousPpm)));
    }
    Plot solves;
    solves.title = "The same problems: a solve by its contacts";
    solves.x.label = "contacts";
    solves.y.label = "mean time of a solve [us]";
    const BenchTable table = by_contacts_table("", "", no_slip);
    for (std::size_t m = 0; m < no_slip.methods.size(); ++m) {
        Series s;
        s.name = no_slip.methods[m].label;
        s.markers = true;
        for (const std::vector<BenchValue>& row : table.rows) {
            if (std::get<std::int64_t>(row[0]) == 0) continue;
            s.x.push_back(static_cast<double>(std::get<std::int64_t>(row[0])));
            s.y.push_back(std::get<double>(row[m + 2]));
        }
        solves.series.push_back(s);
    }
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 540;
    figure.panel_height = 380;
    figure.panels = {bars, solves};
    return figure;
}

// What of the paper comes out, and what does not and why.
void add_verdicts(const OwnWays& own, const SameProblems& viscous, std::vector<std::string>& all) {
    constexpr double kClear = 1.1;  // below, other programs may have decided it
    if (own.runs.size() < kOwnWays.size() || own.times.empty()) return;
    const double no_slip = step_ratio(own, kBaselineRun, kPpmRun);
    const double ppm = step_ratio(own, kViscousLemke, kViscousPpm);
    if (no_slip > kClear) {
        all.push_back("Table II comes out: no slip takes less time than maximum dissipation, by " +
                      bench_text(no_slip, 3) + " where [D15] has " + bench_text(kPaperNoSlip, 3) +
                      ", because contact is all that costs here.");
    }
    if (!(ppm > kClear)) {
        all.push_back(
            "Table III does not come out: PPM and Lemke's method take the same time under viscous "
            "friction (" +
            bench_text(ppm, 3) + " where [D15] has " + bench_text(kPaperViscous, 3) +
            "). Both solve the same LCP of one unknown per contact. PPM never forms its matrix, "
            "which pays where contacts outnumber the 18 velocities of the robot; there are " +
            bench_text(mean(viscous.contacts), 2) + " in the mean and " +
            std::to_string(most(viscous.contacts)) +
            " at most, and a matrix of that size costs next to nothing.");
    }
}

std::vector<std::string> notes(const Plan& plan, const OwnWays& own, const SameProblems& no_slip,
                               const SameProblems& viscous) {
    std::vector<std::string> all = {
        "The robot of [D15] on its terrain, " + std::to_string(plan.steps) +
            " steps of 0.001 s, mu = 100, mu_v = 0.1; least time of each step over " +
            std::to_string(plan.rounds) + " rounds.",
        "[D15]: mean of 6 contacts, at most 30; times of whole runs, 416.284 s / 301.796 s "
        "(Table II) and 2936.36 s / 2139.73 s (Table III).",
        "Own ways: runs in turns of 256 steps, motors as bounded rows. The motions differ, and "
        "with them the problems that are solved. max_dissipation is the paper's own baseline for "
        "Table II; RK4: the viscous model at the acceleration level, as in Table III.",
        "low: the robot with weak motors, whose body ends and shanks drag over the ground, with "
        "contacts as many as the paper's.",
        "What remains different from [D15]: the terrain and the gait are not the authors', motors "
        "are unknowns between bounds here and known torques there, feet are exact spheres with a "
        "contact or two each, contact is found in microseconds where Moby's continuous collision "
        "detection took most of the time, and impacts are simultaneous within a step.",
        "Same problems: those of one run (no_slip, viscous), motors folded into the inertia, so "
        "that contacts are the only unknowns; step = solve + the other stages of that run.",
        "Steps in which a motor was at its limit, where folding changes the answer: " +
            std::to_string(no_slip.saturated) + " and " + std::to_string(viscous.saturated) + ".",
        "dense: the same rows for all, started from the basic set of the step before, or cold. "
        "apart: largest difference of any velocity "
        "from that of the first method.",
    };
    add_verdicts(own, viscous, all);
    return all;
}

}  // namespace

BenchReport bench_locomotion(const BenchSettings& settings, const BenchGoOn& go_on) {
    const Plan plan = make_plan(settings, "quadruped");
    const std::vector<Variant> own_variants = own_ways();
    const Plan crowd = make_plan(settings, "quadruped_low");
    VariantOptions names;
    names.models = "no_slip:sparse_ppm,coulomb_lcp,coulomb_cone,viscous:sparse_ppm";
    const std::vector<Variant> variants = make_variants(names, plan.scene.contact);
    const auto part = [&](double from, double share) {
        return [&go_on, from, share](double done) { return go_on(from + share * done); };
    };

    const OwnWays own = run_own_ways(plan, own_variants, part(0, 0.3));
    const OwnWays crowded = run_own_ways(crowd, own_variants, part(0.3, 0.3));
    const std::vector<MethodMaker> sticking = {
        dense_method("no_slip, dense ppm", solve_no_slip_ppm),
        dense_method("coulomb mu=100, dense lemke", solve_coulomb_lemke),
        shipped_method(variants[0]),
        shipped_method(variants[1]),
        shipped_method(variants[2]),
        dense_method("no_slip, dense ppm, cold", solve_no_slip_ppm, true),
        dense_method("coulomb mu=100, dense lemke, cold", solve_coulomb_lemke, true)};
    const SameProblems no_slip =
        SameProblemsRun(plan, variants[0].contact, sticking).run(part(0.6, 0.2));
    const std::vector<MethodMaker> sliding = {
        dense_method("viscous, dense ppm", solve_viscous_ppm),
        dense_method("viscous, dense lemke", solve_viscous_lemke), shipped_method(variants[3]),
        dense_method("viscous, dense ppm, cold", solve_viscous_ppm, true),
        dense_method("viscous, dense lemke, cold", solve_viscous_lemke, true)};
    const SameProblems viscous =
        SameProblemsRun(plan, variants[3].contact, sliding).run(part(0.8, 0.2));

    BenchReport report;
    report.benchmark = "locomotion";
    report.tables = {
        ratio_table(own, crowded, no_slip, viscous),
        own_ways_table("runs", "Each model on its own way", plan, own),
        own_ways_table(
            "crowded_runs",
            "The same, body and shanks on the ground as well (scenes/quadruped_low.yaml)", crowd,
            crowded),
        same_problems_table("no_slip_problems", "The problems of the no_slip run (Table II)",
                            no_slip),
        same_problems_table("viscous_problems", "The problems of the viscous run (Table III)",
                            viscous),
        by_contacts_table("no_slip_solve", "Solve by number of contacts, no_slip run", no_slip),
        by_contacts_table("viscous_solve", "Solve by number of contacts, viscous run", viscous)};
    report.notes = notes(plan, own, no_slip, viscous);
    for (const OwnWays* ways : {&own, &crowded}) {
        for (const ComparedRun& run : ways->runs) {
            if (run.info.status != "done") report.status = run.label + ": " + run.info.message;
        }
    }
    if (report.status == "done") report.figure = locomotion_figure(own, crowded, no_slip);
    for (const SameProblems* same : {&no_slip, &viscous}) {
        if (!same->failure.empty()) report.status = same->failure;
    }
    return report;
}

}  // namespace stiction
