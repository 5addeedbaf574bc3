// solve_contact.cpp - islands in parallel, restitution, totals, warm starts for the next step.
#include "contact/solve_contact.h"

#include <algorithm>

namespace stiction {

namespace {

void reset(const ContactProblem& problem, ContactSolution& solution) {
    solution.v = problem.v_free;
    solution.c_n.assign(problem.contacts.size(), 0.0);
    solution.c_s.assign(problem.contacts.size(), 0.0);
    solution.c_t.assign(problem.contacts.size(), 0.0);
    solution.c_j.assign(problem.joints.size(), 0.0);
    solution.c_l.assign(problem.limits.size(), 0.0);
    solution.c_b.assign(problem.bounded.size(), 0.0);
    solution.islands.assign(problem.islands.size(), IslandResult{});
}

void prepare(const ContactProblem& problem, const Guess& guess, ContactWorkspace& workspace) {
    match(guess, problem, workspace.contact_guess);
    workspace.next_contacts.assign(problem.contacts.size(), kNoGuess);
    workspace.next_joints.assign(guess.joints.size(), kNoGuess);
    workspace.tangential.assign(problem.contacts.size(), 0);
    workspace.momentum.resize(problem.v_free.size());
    workspace.v_plus.resize(problem.v_free.size());
    workspace.v_rebound.resize(problem.v_free.size());
    if (workspace.islands.size() < problem.islands.size()) workspace.islands.resize(problem.islands.size());
}

void keep_guess(const ContactProblem& problem, const ContactWorkspace& workspace, Guess& guess) {
    guess.keys.resize(problem.contacts.size());
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) guess.keys[i] = problem.contacts[i].key;
    guess.contacts.assign(workspace.next_contacts.begin(), workspace.next_contacts.end());
    guess.joints.assign(workspace.next_joints.begin(), workspace.next_joints.end());
}

void add_up(const ContactProblem& problem, ContactSolution& solution) {
    solution.status = SolveStatus::kSolved;
    solution.solver = "none";
    solution.iterations = solution.pivots = solution.passes = solution.failures = solution.fallbacks = 0;
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

IslandResult solve_frictionless(const IslandTask& task) {
    IslandRows& rows = task.workspace.rows;
    build_island_rows(task.problem, task.island, {}, rows);
    const LinkQpResult qp =
        solve_link_qp(task.problem.system, rows.qp, {}, task.problem.v_free, rows.state, task.workspace.link_qp, rows.c,
                      task.shared.momentum, task.solution.v);
    const LinkRows* link_rows = task.problem.link_rows.data();
    for (const int link : rows.qp.links) {
        for (int i = link_rows[link].contact_begin; i < link_rows[link].contact_end; ++i) {
            const auto k = static_cast<std::size_t>(i);
            task.solution.c_n[k] = task.solution.c_s[k] = task.solution.c_t[k] = 0;
        }
        for (int i = link_rows[link].joint_begin; i < link_rows[link].joint_end; ++i) {
            task.solution.c_j[static_cast<std::size_t>(i)] = 0;
        }
        for (int i = link_rows[link].limit_begin; i < link_rows[link].limit_end; ++i) {
            task.solution.c_l[static_cast<std::size_t>(i)] = 0;
        }
        for (int i = link_rows[link].bounded_begin; i < link_rows[link].bounded_end; ++i) {
            task.solution.c_b[static_cast<std::size_t>(i)] = 0;
        }
    }
    add_impulses(rows, task.solution);
    IslandResult result;
    result.status = qp.status;
    result.solver = "frictionless";
    result.fallback = true;
    result.iterations = qp.iterations;
    result.pivots = qp.pivots;
    result.residual = qp.residual;
    return result;
}

void solve_contact(const ContactModel& model, const ContactProblem& problem, double restitution_threshold,
                   ThreadPool& pool, ContactWorkspace& workspace, Guess& guess, ContactSolution& solution) {
    reset(problem, solution);
    prepare(problem, guess, workspace);
    const bool rebounds = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                      [](const ContactRow& contact) { return contact.eps > 0; });
    pool.for_each(static_cast<int>(problem.islands.size()), [&](int i, int) {
        const auto k = static_cast<std::size_t>(i);
        const IslandTask task{problem, problem.islands[k], guess, workspace, workspace.islands[k], solution};
        solution.islands[k] = std::visit([&](const auto& m) { return solve_island(m, task); }, model);
        if (rebounds) add_restitution(task, restitution_threshold);
    });
    add_up(problem, solution);
    keep_guess(problem, workspace, guess);
}

}  // namespace stiction
