// phase_two_triples.h - the program of phase II (solve/cone/dissipation.h) over the triples of an
// island: what its rows may do, where it starts, and how much of an answer is taken. Sweeps
// (phase_two_sweeps.cpp) and Newton steps (phase_two_newton.cpp) work on it, one after the other.
#pragma once

#include <vector>

#include "contact/island/island_task.h"
#include "contact/routes/newton.h"
#include "solve/cone/dissipation.h"

namespace stiction {

struct PhaseTwoTriples {
    std::vector<Held> held;  // per row of the triples
    VecX counted;
    VecX offset;               // s of the cones, per triple; of no use without viscous friction
    VecX x_one;                // impulses of phase I
    VecX u, u_one;             // velocities of the answer and of phase I
    DissipationResult result;  // the best so far, and where the next rung starts
};

// Triples, laws, rows and start: impulses and multipliers of the last step.
void begin_phase_two(const IslandTask& task);

// Of what begin_phase_two has prepared.
[[nodiscard]] DissipationProgram phase_two_program(const IslandTask& task);

// The sum of the normal impulses x of contacts.
[[nodiscard]] double sum_of_normals(const Triples& triples, const VecX& x);

// Commits the result; where it is not solved as much of it as keeps all constraints to the tolerance, the rest
// being phase I's: an objective at most that of phase I.
void commit_phase_two(const IslandTask& task, bool solved);

}  // namespace stiction
