// solve_contact.cpp - islands in parallel, restitution, totals, warm starts for the next step.
#include "contact/solve_contact.h"

#include <algorithm>

namespace stiction {

namespace {

void reset(const ContactProblem& problem, ContactSolution& solution) {
    solution.v = problem.v_free;
    solution.v_move = problem.v_free;
    set_zero_impulses(problem, solution);
    solution.islands.assign(problem.islands.size(), IslandResult{});
}

void prepare(const ContactProblem& problem, const Guess& guess, ContactWorkspace& workspace) {
    match(guess, problem, workspace.contact_guess, workspace.impulse_guess);
    workspace.next_contacts.assign(problem.contacts.size(), kNoGuess);
    workspace.next_joints.assign(guess.joints.size(), kNoGuess);
    workspace.tangential.assign(problem.contacts.size(), 0);
    workspace.momentum.resize(problem.v_free.size());
    workspace.v_plus.resize(problem.v_free.size());
    workspace.v_rebound.resize(problem.v_free.size());
    if (workspace.islands.size() < problem.islands.size())
        workspace.islands.resize(problem.islands.size());
}

void keep_guess(const ContactProblem& problem, const ContactWorkspace& workspace,
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
    guess.contacts.assign(workspace.next_contacts.begin(), workspace.next_contacts.end());
    guess.joints.assign(workspace.next_joints.begin(), workspace.next_joints.end());
}

// A limit on iterations that was set is a budget; a solver that gave up before it keeps its status.
void mark_budget(const IslandTask& task, IslandResult& result) {
    const int used = std::max(result.iterations, result.pivots);
    if (result.status == SolveStatus::kIterationLimit && task.max_iterations > 0 &&
        used >= task.max_iterations) {
        result.status = SolveStatus::kBudget;
    }
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

void clear_impulses(const IslandTask& task) {
    const auto zero = [](std::vector<double>& c, int begin, int end) {
        std::fill(c.begin() + begin, c.begin() + end, 0.0);
    };
    ContactSolution& solution = task.solution;
    for (int k = task.island.link_begin; k < task.island.link_end; ++k) {
        const auto link =
            static_cast<std::size_t>(task.problem.island_links[static_cast<std::size_t>(k)]);
        const LinkRows& range = task.problem.link_rows[link];
        zero(solution.c_n, range.contact_begin, range.contact_end);
        zero(solution.c_s, range.contact_begin, range.contact_end);
        zero(solution.c_t, range.contact_begin, range.contact_end);
        zero(solution.c_j, range.joint_begin, range.joint_end);
        zero(solution.c_l, range.limit_begin, range.limit_end);
        zero(solution.c_b, range.bounded_begin, range.bounded_end);
    }
}

IslandResult solve_frictionless(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    build_island_rows(task.problem, task.island, {}, rows);
    LinkQpSettings settings;
    settings.max_iterations = task.max_iterations;
    IslandResult result = solve_sparse_rows(settings, task);
    clear_impulses(task);
    add_impulses(rows, task.solution);
    result.solver = "frictionless";
    result.fallback = true;
    return result;
}

void solve_contact(const ContactModel& model, const ContactProblem& problem,
                   double restitution_threshold, ThreadPool& pool, ContactWorkspace& workspace,
                   Guess& guess, ContactSolution& solution, Deadline deadline) {
    const int budget = std::visit([](const auto& m) { return m.max_iterations; }, model);
    reset(problem, solution);
    prepare(problem, guess, workspace);
    const bool rebounds = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                      [](const ContactRow& contact) { return contact.eps > 0; });
    pool.for_each(static_cast<int>(problem.islands.size()), [&](int i, int) {
        const auto k = static_cast<std::size_t>(i);
        const IslandTask task{
            problem, problem.islands[k], guess, workspace, workspace.islands[k], solution, budget,
            deadline};
        solution.islands[k] =
            std::visit([&](const auto& m) { return solve_island(m, task); }, model);
        mark_budget(task, solution.islands[k]);
        for (int b = task.island.block_begin; b < task.island.block_end; ++b) {
            const auto id =
                static_cast<std::size_t>(problem.island_blocks[static_cast<std::size_t>(b)]);
            const InertiaBlock& block = problem.system.blocks[id];
            solution.v_move.segment(block.offset, block.size) =
                solution.v.segment(block.offset, block.size);
        }
        if (rebounds) add_restitution(task, restitution_threshold);
    });
    add_up(problem, solution);
    keep_guess(problem, workspace, solution, guess);
}

}  // namespace stiction
