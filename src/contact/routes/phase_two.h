// phase_two.h - phase II of max_dissipation.h for one island, after phase I (phase_one.h): the
// rungs that solve it, and a repair for answers that do not quite keep its constraints.
#pragma once

#include <vector>

#include "contact/island/elimination.h"
#include "contact/island/island_task.h"
#include "contact/routes/dissipation_operator.h"
#include "solve/cone/cone_qp.h"

namespace stiction {

// The program over dense matrices. Unknowns come in threes: a block per contact, then one per
// limit or bounded row, of which only the first is in use. The impulse of a row is
// base + sign x[unknown].
struct PhaseTwoDense {
    struct Measure {
        double base = 0;  // [N s]
        double sign = 1;
    };
    BoxLcp rows;  // all rows of the island, joints included
    Elimination elimination;
    std::vector<Measure> measures;  // per unknown
    ConeQp qp;
    ConeQpResult result;

    [[nodiscard]] int row(Eigen::Index unknown) const { return elimination.unknowns[at(unknown)]; }
};

// The program by the proximal Newton method (phase_two_newton.cpp), on triples.
struct PhaseTwoNewton {
    DissipationOperator A;
    DissipationWorkspace steps;
};

struct PhaseTwoWorkspace {
    double kappa = 0;                   // most that the normal impulses may add up to [N s]
    double residual_one = 0;            // of phase I
    std::vector<double> c_one;          // row impulses of phase I
    std::vector<BoundState> state_one;  // and its set of pressing rows
    std::vector<double> viscous_bound;  // per contact of the problem, h mu_v |b_T|; empty: 0
    PhaseTwoDense dense;
    bool swept = false;  // sweeps have begun, and the next rung goes on from their result

    // s of a contact's cone [N s].
    [[nodiscard]] double bound(int contact) const {
        return viscous_bound.empty() ? 0.0 : viscous_bound[at(contact)];
    }
};

// Rungs. On entry the solution holds the answer of phase I; without an answer of their own they
// leave it, or leave it to restore_phase_one.
//
// Coulomb solutions that are cheap to find, taken where they meet the conditions of phase II:
// nothing slides (`stick`), or all slides alike.
[[nodiscard]] IslandResult try_sticking(const IslandTask& task);
[[nodiscard]] IslandResult try_sweeps(const IslandTask& task);
[[nodiscard]] IslandResult solve_phase_two_dense(const IslandTask& task);
// On triples (phase_two_triples.h). A phase II that is cut short gives as much of its answer as keeps
// all constraints to the tolerance, the rest being phase I's: an objective at most that of phase I.
[[nodiscard]] IslandResult sweep_phase_two(const IslandTask& task);
[[nodiscard]] IslandResult solve_phase_two_newton(const IslandTask& task);
// Safe: it dissipates, and no gap closes.
[[nodiscard]] IslandResult restore_phase_one(const IslandTask& task);

// Residual short of the tolerance, but better than no friction.
inline constexpr double kUsefulResidual = 1e-6;

}  // namespace stiction
