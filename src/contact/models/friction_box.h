// friction_box.h - box friction bounded by the normal impulses of the last step [ALM09].
//
//   v+ = v_free + M^-1 (N'c_n + D'beta + J'c_j + L'c_l + B'c_b)
//   0 <= c_n  _|_  N v+ + bias + cfm c_n >= 0
//   -mu c~_n <= beta <= mu c~_n,   D v+ + cfm beta = 0 unless beta is at a bound
//
// D has two perpendicular directions per contact, c~_n is the normal impulse of the same contact
// (by feature) in the last step; a contact that is new takes its impulse without friction. The
// bounds are known, so this is one convex program between bounds: cheap, and what interactive
// engines do. Friction lags by a step and its box holds up to sqrt(2) mu c_n across the diagonal.
//
// `auto` sweeps over the contacts (routes/sweeps.h) and where that is slow forms W for prox_newton.
// `pgs` sweeps to the end; with trees it works on the dense matrix, as the others do.
#pragma once

#include <array>
#include <string_view>

namespace stiction {

enum class FrictionBoxSolver { kAuto, kPgs, kPgsSm, kBlockPivot, kLemke, kProxNewton };
inline constexpr std::array<std::string_view, 6> kFrictionBoxSolverNames = {
    "auto", "pgs", "pgs_sm", "block_pivot", "lemke", "prox_newton"};

struct FrictionBox {
    FrictionBoxSolver solver = FrictionBoxSolver::kAuto;
    double cfm = 1e-11;       // added to the diagonal [1/kg]
    int k_pgs = 5;            // pgs_sm: sweeps per cycle, 3 to 6 in [ALM09]
    int k_sm = 3;             // pgs_sm: subspace solves per cycle, 1 to 3 in [ALM09]
    double tolerance = 1e-8;  // relative residual [-]
    int max_iterations = 0;   // sweeps and factorisations per island; 0: the solver's own limit

    bool operator==(const FrictionBox&) const = default;
};

}  // namespace stiction
