// coulomb_lcp.h - Coulomb friction on a polygonal cone as one LCP per island [Stewart-Trinkle,
// Anitescu-Potra].
//
//   0 <= c_n     _|_  N v+ + bias          >= 0
//   0 <= beta    _|_  D v+ + E lambda      >= 0      D: `sides` tangential directions per contact
//   0 <= lambda  _|_  mu c_n - E'beta      >= 0
//   v+ = v_hat + C (N'c_n + D'beta)
//
// `lemke` solves this LCP (routes/polygon_lcp.h). `auto` first asks whether anything slides at all:
// the no-slip answer (no_slip.h) with all impulses inside their polygons solves the LCP too, at a
// fraction of the cost, and is reported as solver `stick`. Piles and islands with more contacts
// than Lemke's method bears are swept (`pgs`, reported as `sweeps`): each contact in turn is solved
// exactly on its polygon, matrix-free, from the impulses of the last step; the law is the same.
// Joint rows are eliminated through C; limit rows join N without friction; bounded rows become
// pairs of LCP rows.
#pragma once

#include <array>
#include <string_view>

namespace stiction {

enum class CoulombLcpSolver { kAuto, kLemke, kPgs };
inline constexpr std::array<std::string_view, 3> kCoulombLcpSolverNames = {"auto", "lemke", "pgs"};

enum class CoulombLcpVariant { kAnitescuPotra, kStewartTrinkle };
inline constexpr std::array<std::string_view, 2> kCoulombLcpVariantNames = {"anitescu_potra",
                                                                            "stewart_trinkle"};

struct CoulombLcp {
    CoulombLcpSolver solver = CoulombLcpSolver::kAuto;
    // Stewart-Trinkle: bias phi/h at every contact and no projection; Anitescu-Potra leaves
    // phi <= 0 to stabilisation.
    CoulombLcpVariant variant = CoulombLcpVariant::kAnitescuPotra;
    int sides = 4;            // of the friction polygon, even, >= 4
    double tolerance = 1e-9;  // of the LCP, relative to the largest free row velocity [-]
    int max_iterations = 0;   // pivots or sweeps per island; 0: the solver's own limit

    bool operator==(const CoulombLcp&) const = default;
};

}  // namespace stiction
