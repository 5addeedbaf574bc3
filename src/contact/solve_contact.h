// solve_contact.h - ContactProblem -> ContactSolution with the chosen model: island by island,
// islands in parallel.
#pragma once

#include <deque>

#include "contact/contact_model.h"
#include "contact/island/guess.h"
#include "contact/island/island_task.h"
#include "core/thread_pool.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"

namespace stiction {

// Kept by the caller between steps: a warm step allocates nothing.
struct ContactWorkspace {
    std::deque<IslandWorkspace> islands;  // a deque: they are not moved when it grows
    SharedWorkspace shared;
    // Rows contradicted one another in the last step: asked first in the next one. The answer is the
    // same, but routes that search for what is not there take long.
    bool contradicted = false;
    // Only the solver that was asked for answers, to compare solvers: no fallback, and no net under
    // its answer, whatever that is worth.
    bool alone = false;
};

// Solves all islands, adds restitution at contacts that approach faster than the threshold [m/s],
// updates the guess. Velocities of blocks in no island are v_free. An island that ends by the
// model's max_iterations or at the deadline has status kBudget.
void solve_contact(const ContactModel& model, const ContactProblem& problem,
                   double restitution_threshold, ThreadPool& pool, ContactWorkspace& workspace,
                   Guess& guess, ContactSolution& solution, Deadline deadline = {});

}  // namespace stiction
