// contact_solution.cpp - sizes of a solution.
#include "problem/contact_solution.h"

#include "problem/contact_problem.h"

namespace stiction {

void set_zero_impulses(const ContactProblem& problem, ContactSolution& solution) {
    solution.c_n.assign(problem.contacts.size(), 0.0);
    solution.c_s.assign(problem.contacts.size(), 0.0);
    solution.c_t.assign(problem.contacts.size(), 0.0);
    solution.c_j.assign(problem.joints.size(), 0.0);
    solution.c_l.assign(problem.limits.size(), 0.0);
    solution.c_b.assign(problem.bounded.size(), 0.0);
}

}  // namespace stiction
