// max_dissipation.h - friction by the principle of maximum dissipation [DS10]: two convex programs
// per island, no complementarity.
//
//   b_N = N v_hat + bias,  b_T = (S, T) v_hat,  A = G C G',  G = [N; S; T]
//   phase I    min 1/2 c_n'A_N c_n + c_n'b_N,  c_n >= 0          (no friction)
//              kappa = sum of its c_n over the contacts of the island
//   phase II   min 1/2 x'Ax + x'b      x = (c_n, c_s, c_t)       (kinetic energy of v+)
//              (A x + b)_N >= 0,  c_n >= 0,  1'c_n <= kappa,
//              |(c_s, c_t)_i| <= mu_c,i c_n,i + h mu_v,i |b_T,i|
//
// v+ is unique; impulses are not where contacts are redundant. Phase II lets the contacts of an
// island trade normal impulse within kappa, so a body that slides is not lifted, but several
// bodies that slide at different speeds may share their friction otherwise than Coulomb has it.
//
// kappa: where the phase I impulses are not unique (a body in a groove) the solution of least sum
// is sought (routes/phase_one.h). Phase II is given kappa with 1e-9 of slack, since it has no
// interior otherwise.
// Viscous friction acts where the contact touches or phase I presses.
// Joints are eliminated (C, v_hat). Limit rows are rows of N without friction, not counted in
// kappa. Bounded rows (motors, joint friction) take part in both phases between their bounds, with
// b = B v_hat - target: a gripper driven by a motor has in kappa the force it grips with.
//
// `interior_point` works on dense matrices of the island, O(n^3) for each of some 20 iterations.
// Piles are swept, without any matrix (routes/phase_two_sweeps.h).
// `prox_newton` solves the conditions in the velocities of the bodies
// (routes/dissipation_operator.h), islands of any size; cut short it gives what keeps all
// constraints, at most as much energy as phase I. `auto` first asks in small islands whether a
// Coulomb solution that is cheap to find meets the conditions of phase II: the no-slip answer
// (solver `stick`) or that of a few sweeps (`sweeps`, where all slides alike).
// A failed phase II gives the phase I answer, solver `phase_one`, marked as a fallback.
#pragma once

#include <array>
#include <string_view>

namespace stiction {

// Of phase I: block-sparse pivoting (`auto`), or what [DS10] uses, on a dense matrix.
enum class PhaseOneSolver { kAuto, kGradientProjection };
inline constexpr std::array<std::string_view, 2> kPhaseOneSolverNames = {"auto",
                                                                         "gradient_projection"};

// In which unknowns phase II is put, where the solver leaves it open: QP 1 of [DS10], the impulses of
// the contacts with A and b, joints eliminated (interior_point); QP 2, the velocities with N, S, T
// and J, nothing of contacts x contacts formed (prox_newton); `auto`: whichever is quicker.
enum class DissipationForm { kAuto, kContactSpace, kGeneralized };
inline constexpr std::array<std::string_view, 3> kDissipationFormNames = {"auto", "contact_space",
                                                                          "generalized"};

enum class MaxDissipationSolver { kAuto, kInteriorPoint, kProxNewton };
inline constexpr std::array<std::string_view, 3> kMaxDissipationSolverNames = {
    "auto", "interior_point", "prox_newton"};

struct MaxDissipation {
    MaxDissipationSolver solver = MaxDissipationSolver::kAuto;
    PhaseOneSolver phase_one = PhaseOneSolver::kAuto;
    DissipationForm form = DissipationForm::kAuto;
    double tolerance = 1e-7;      // relative residual of the conditions of phase II [-]
    int max_iterations = 0;       // of both phases per island; 0: the solver's own limit
    bool fail_phase_two = false;  // pretend that phase II failed, to test what follows then

    bool operator==(const MaxDissipation&) const = default;
};

}  // namespace stiction
