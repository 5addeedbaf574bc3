// coulomb_cone.h - Coulomb friction on the true cone (Signorini-Coulomb), solved as it stands.
//
//   K = { |c_T| <= mu c_n }   per contact:   K contains c,  u + mu |u_T| e_n in the dual cone,
//                                            c . (u + mu |u_T| e_n) = 0,   u = G v+ + bias e_n
//   v+ = v_free + M^-1 (G'c + J'c_j + L'c_l + B'c_b)
//
// which is: contacts do not approach, press only where they touch, and friction is mu c_n against
// the sliding velocity, or less where they stick. No relaxation: sliding bodies are not lifted.
// Joints, limits and bounded rows are solved together with the contacts, in triples of rows.
//
// `auto` sweeps over the contacts (routes/sweeps.h, matrix-free) from the impulses of the last
// step, and where that is slow forms W for `prox_newton` (docs/solvers.md). Islands too large to
// factor are swept to the end. `pgs` sweeps to the end too; with trees it works on W.
#pragma once

#include <array>
#include <string_view>

namespace stiction {

enum class CoulombConeSolver { kAuto, kProxNewton, kNewton, kPgs, kInteriorPoint, kSplit };
inline constexpr std::array<std::string_view, 6> kCoulombConeSolverNames = {
    "auto", "prox_newton", "newton", "pgs", "interior_point", "split"};

struct CoulombCone {
    CoulombConeSolver solver = CoulombConeSolver::kAuto;
    double tolerance = 1e-8;  // on both Coulomb residuals, natural and scaled [-]
    int max_iterations = 0;   // sweeps and factorisations per island; 0: the solver's own limit

    bool operator==(const CoulombCone&) const = default;
};

}  // namespace stiction
