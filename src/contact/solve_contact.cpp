// solve_contact.cpp - islands in parallel, restitution, totals, warm starts for the next step.
#include "contact/solve_contact.h"

#include <algorithm>

#include "contact/island/operators.h"
#include "contact/island/safety.h"
#include "contact/models/solve_island.h"
#include "contact/restitution.h"
#include "contact/routes/convex.h"
#include "contact/routes/least_squares.h"

namespace stiction {

namespace {

void reset(const ContactProblem& problem, ContactSolution& solution) {
    solution.v = problem.v_free;
    solution.v_move = problem.v_free;
    set_zero_impulses(problem, solution);
    solution.islands.assign(problem.islands.size(), IslandResult{});
}

void prepare(const ContactProblem& problem, const Guess& guess, bool multipliers,
             ContactWorkspace& workspace) {
    SharedWorkspace& shared = workspace.shared;
    match(guess, problem, shared.guess);
    shared.next_contacts.assign(problem.contacts.size(), kNoGuess);
    shared.next_joints.assign(guess.joints.size(), kNoGuess);
    shared.next_multipliers.assign(multipliers ? problem.contacts.size() : 0,
                                   Eigen::Vector2d::Zero());
    shared.tangential.assign(problem.contacts.size(), 0);
    shared.released.assign(problem.contacts.size(), 0);
    shared.momentum.resize(problem.v_free.size());
    shared.v_plus.resize(problem.v_free.size());
    shared.v_other.resize(problem.v_free.size());
    if (workspace.islands.size() < problem.islands.size())
        workspace.islands.resize(problem.islands.size());
}

void keep_guess(const ContactProblem& problem, const SharedWorkspace& shared,
                const ContactSolution& solution, Guess& guess) {
    guess.keys.resize(problem.contacts.size());
    guess.impulses.resize(problem.contacts.size());
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const ContactRow& contact = problem.contacts[i];
        guess.keys[i] = contact.key;
        guess.impulses[i] = solution.c_n[i] * contact.n.head<3>() +
                            solution.c_s[i] * contact.s.head<3>() +
                            solution.c_t[i] * contact.t.head<3>();
    }
    guess.joint_impulses.assign(solution.c_j.begin(), solution.c_j.end());
    guess.bounded_impulses.assign(solution.c_b.begin(), solution.c_b.end());
    guess.contacts.assign(shared.next_contacts.begin(), shared.next_contacts.end());
    guess.joints.assign(shared.next_joints.begin(), shared.next_joints.end());
    guess.multipliers.assign(shared.next_multipliers.begin(), shared.next_multipliers.end());
}

// A limit on iterations that was set is a budget; a solver that gave up before it keeps its status.
void mark_budget(const IslandTask& task, IslandResult& result) {
    const int used = std::max(result.iterations, result.pivots);
    if (result.status == SolveStatus::kIterationLimit && task.stop.max_iterations > 0 &&
        used >= task.stop.max_iterations) {
        result.status = SolveStatus::kBudget;
    }
}

bool has_budget(const SolveSettings& stop) {
    return stop.max_iterations > 0 || stop.deadline.is_set();
}

// Whether the rows contradict one another; if so the answer of least squares is the island's.
bool settle_contradiction(const ContactModel& model, const IslandTask& task, KeptAnswer& kept,
                          IslandResult& result) {
    if (is_passive(task)) return false;
    keep_answer(task, kept);
    IslandResult soft = probe_rows(task);
    if (soft.status != SolveStatus::kSolved || !is_contradiction(task)) {
        put_back(task, kept);
        return false;
    }
    result.iterations += soft.iterations;
    soft = solve_least_squares(model, task);
    soft.status = SolveStatus::kContradiction;
    soft.residual = violation(task);
    soft.iterations += result.iterations;
    soft.pivots += result.pivots;
    soft.fallback = true;
    result = soft;
    return true;
}

Drives drives_of(const ContactModel& model) {
    return std::holds_alternative<MaxDissipation>(model) ? Drives::kShare
                                                         : Drives::kReachTheirSpeed;
}

// At another tolerance than the model's own.
IslandResult solve_to(double tolerance, const ContactModel& model, const IslandTask& task) {
    IslandTask own = task;
    own.stop.tolerance = tolerance;
    return std::visit(
        [&](auto m) {
            m.tolerance = tolerance;
            return solve_island(m, own);
        },
        model);
}

// The answer; where a wide tolerance lets one pass that cannot be, for a body that rolls may gain more
// than nothing by it, that to a tighter one.
IslandResult solve_credibly(const ContactModel& model, const IslandTask& task) {
    constexpr double kTight = 1e-6;    // what is asked to this has its own reasons to be wrong
    constexpr double kTighter = 0.03;  // the next, of the last
    double tolerance = task.stop.tolerance;
    IslandResult result = solve_to(tolerance, model, task);
    while (tolerance > kTight && result.status == SolveStatus::kSolved && !task.alone &&
           !spent(task, result.iterations) && !is_credible(task, drives_of(model))) {
        tolerance *= kTighter;
        const int used = result.iterations;
        result = solve_to(tolerance, model, after(task, used));
        result.iterations += used;
        if (result.status != SolveStatus::kSolved && result.residual <= task.stop.tolerance)
            result.status = SolveStatus::kSolved;
    }
    return result;
}

// An answer that did not converge and is not sound, or that cannot be what it says, gives way: to
// least squares where the rows contradict one another, else to contact without friction, and that
// to no impulses at all, where they are better. Under a body that is far heavier contact without
// friction is not safe: a tilt of 1e-8 throws the light one out. Sticking comes first there, where
// friction could hold it.
void make_safe(const ContactModel& model, const IslandTask& task, KeptAnswer& kept,
               IslandResult& result) {
    if (result.status == SolveStatus::kSolved) {
        const Drives drives = drives_of(model);
        if (is_credible(task, drives) || settle_contradiction(model, task, kept, result) ||
            is_lawful(task, drives))
            return;
        result.status = SolveStatus::kIterationLimit;
    }
    AnswerQuality best = quality_of(task);
    best.closes = best.closes || is_doubtful(task, result);
    const bool cut_short = result.status == SolveStatus::kBudget;
    if (is_sound(best, cut_short)) return;
    if (!cut_short && settle_contradiction(model, task, kept, result)) return;
    const auto try_next = [&](const auto& answer, std::string_view solver = "frictionless",
                              bool (*allowed)(const IslandTask&) = nullptr) {
        keep_answer(task, kept);
        answer();
        const AnswerQuality next = quality_of(task);
        if (is_better(next, best) && (allowed == nullptr || allowed(task))) {
            best = next;
            result.solver = solver;
            result.fallback = true;
        } else {
            put_back(task, kept);
        }
    };
    IslandTask safe = task;
    safe.stop.max_iterations = 0;
    if (is_lopsided(task)) {
        try_next([&] { (void)pivot_alone(safe, true); }, "stick", holds_by_friction);
        if (is_sound(best, cut_short)) return;
        try_next([&] { (void)pivot_alone(safe, false); });
        if (is_sound(best, cut_short)) return;
        try_next([&] { (void)pivot_alone(safe, true); }, "stick");
    } else if (result.solver != "frictionless") {
        try_next([&] { (void)solve_frictionless(safe); });
    }
    if (is_sound(best, cut_short)) return;
    try_next([&] {
        clear_impulses(task);
        copy_velocity(task.problem.system, blocks_of(task), task.problem.v_free, task.solution.v);
    });
}

// Islands go to threads one by one. One that is larger than a thread's share of all has them all
// to itself first: the others would wait for it.
bool takes_all_threads(const ContactProblem& problem, int island, int threads) {
    const Island& x = problem.islands[at(island)];
    return threads > 1 && static_cast<std::size_t>(x.link_end - x.link_begin) * at(threads) >
                              problem.island_links.size();
}

void add_up(const ContactProblem& problem, ContactSolution& solution) {
    solution.status = SolveStatus::kSolved;
    solution.solver = "none";
    solution.iterations = solution.pivots = solution.passes = solution.failures =
        solution.fallbacks = 0;
    solution.residual = 0;
    int largest = 0;
    for (std::size_t i = 0; i < solution.islands.size(); ++i) {
        const IslandResult& island = solution.islands[i];
        const int links = problem.islands[i].link_end - problem.islands[i].link_begin;
        if (links > largest) {
            largest = links;
            solution.solver = island.solver;
        }
        solution.status = worse(solution.status, island.status);
        solution.iterations += island.iterations;
        solution.pivots += island.pivots;
        solution.passes = std::max(solution.passes, island.passes);
        solution.failures += island.status != SolveStatus::kSolved;
        solution.fallbacks += island.fallback;
        solution.residual = std::max(solution.residual, island.residual);
    }
}

}  // namespace

void solve_contact(const ContactModel& model, const ContactProblem& problem,
                   double restitution_threshold, ThreadPool& pool, ContactWorkspace& workspace,
                   Guess& guess, ContactSolution& solution, Deadline deadline) {
    const SolveSettings stop = std::visit(
        [&](const auto& m) {
            return SolveSettings{m.tolerance, m.max_iterations, deadline};
        },
        model);
    reset(problem, solution);
    prepare(problem, guess, std::holds_alternative<MaxDissipation>(model), workspace);
    const bool rebounds = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                      [](const ContactRow& contact) { return contact.eps > 0; });
    const auto solve_one = [&](int i, ThreadPool* threads) {
        const Island& island = problem.islands[at(i)];
        IslandWorkspace& kept = workspace.islands[at(i)];
        const IslandSize size = measure(problem, island, kept.links_per_block);
        const IslandTask task{problem, island,   size, guess,           workspace.shared,
                              kept,    solution, stop, workspace.alone, threads};
        IslandResult& result = solution.islands[at(i)];
        const bool settled = workspace.contradicted && !task.alone && !has_budget(stop) &&
                             settle_contradiction(model, task, kept.answer, result);
        if (!settled) {
            result = solve_credibly(model, task);
            mark_budget(task, result);
            if (!task.alone) make_safe(model, task, kept.answer, result);
        }
        copy_velocity(problem.system, blocks_of(task), solution.v, solution.v_move);
        if (rebounds) add_restitution(task, restitution_threshold);
    };
    const auto islands = static_cast<int>(problem.islands.size());
    const auto takes_all = [&](int i) { return takes_all_threads(problem, i, pool.threads()); };
    for (int i = 0; i < islands; ++i) {
        if (takes_all(i)) solve_one(i, &pool);
    }
    pool.for_each(islands, [&](int i, int) {
        if (!takes_all(i)) solve_one(i, nullptr);
    });
    add_up(problem, solution);
    workspace.contradicted =
        std::any_of(solution.islands.begin(), solution.islands.end(),
                    [](const IslandResult& x) { return x.status == SolveStatus::kContradiction; });
    keep_guess(problem, workspace.shared, solution, guess);
}

}  // namespace stiction
