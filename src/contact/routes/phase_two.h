// phase_two.h - phase II of max_dissipation.h for one island, after phase I (phase_one.h): the
// rungs that solve it, and a repair for answers that do not quite keep its constraints.
#pragma once

#include <vector>

#include "contact/island/elimination.h"
#include "contact/island/island_task.h"
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

// The program without matrices (phase_two_first_order.cpp), on triples.
struct PhaseTwoFirstOrder {
    struct Gap {
        int triple = 0, row = 0;
        bool equality = false;  // a joint: its row velocity is to be zero
    };
    std::vector<Gap> gaps;                        // rows of N and J: contacts, limits, joints
    std::vector<Mat36> G;                         // per triple
    VecX shift, compliance;                       // 3 per triple: offset and compliance of its rows
    VecX lo, hi;                                  // 3 per triple
    VecX weight;                                  // per triple, tr W_aa / 3 [1/kg]
    VecX offset;                                  // per triple, s of its cone [N s]
    VecX b;                                       // row velocities without impulses [m/s]
    VecX x, x_old, y, y_old, u, g, g_old, trial;  // 3 per triple
    VecX lambda, lambda_hat;                      // per gap [N s]
    double nu = 0;                                // multiplier of kappa [m/s]
};

struct PhaseTwoWorkspace {
    double kappa = 0;                   // most that the normal impulses may add up to [N s]
    SolveSettings first_order_stop;     // tolerance and own limit of iterations
    double residual_one = 0;            // of phase I
    std::vector<double> c_one;          // row impulses of phase I
    std::vector<BoundState> state_one;  // and its set of pressing rows
    std::vector<double> viscous_bound;  // per contact of the problem, h mu_v |b_T|; empty: 0
    PhaseTwoDense dense;
    PhaseTwoFirstOrder first_order;

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
// A pile so large that phase II would take thousands of iterations: the sweeps of coulomb_cone
// where they keep to kappa, else as much of their friction as does, else none. The answer lies in
// the cones and closes no gap, so that all constraints of phase II hold to the accuracy of the
// sweeps; how far it is from the least energy is its residual.
[[nodiscard]] IslandResult sweep_pile(const IslandTask& task);
[[nodiscard]] IslandResult solve_phase_two_dense(const IslandTask& task);
[[nodiscard]] IslandResult solve_phase_two_first_order(const IslandTask& task);
// Safe: it dissipates, and no gap closes.
[[nodiscard]] IslandResult restore_phase_one(const IslandTask& task);

// Residual short of the tolerance, but better than no friction.
inline constexpr double kUsefulResidual = 1e-6;

// Friction of triples.r as far as the constraints of phase II allow: normal impulses are solved for
// again without friction, and friction is cut back where it lies outside its cone or the sum
// exceeds kappa. True if the solution is set.
[[nodiscard]] bool repair_phase_two(const IslandTask& task);

}  // namespace stiction
