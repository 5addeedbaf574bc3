// no_slip.h - infinite friction: no tangential motion at any contact that presses
// [D15, section VI].
//
//   M (v+ - v) = h f + J' c_j + N' c_n + S' c_s + T' c_t
//   J v+ = bJ,   S v+ = 0,   T v+ = 0,   0 <= c_n  _|_  N v+ + bias >= 0
//
// The velocity is the unique minimiser of the kinetic distance |v+ - v_free|_M under these rows;
// the impulses are not unique when contacts are redundant.
//
// `ppm` follows the paper (routes/ppm_rows.h): independent rows by Algorithm 2, then Algorithm 1;
// `active_set_qp` is what the paper compares it with: the same program of the normals, its matrix
// formed, by an active-set method for quadratic programs.
// `sparse_ppm` solves the same problem with one 6x6 node per link (routes/pivoting.h); its cost
// grows with the number of links and the fill of their graph, linearly for a chain. Where it does
// not end, `active_set_rows` answers; large piles are swept.
#pragma once

#include <array>
#include <string_view>

namespace stiction {

enum class NoSlipSolver { kAuto, kPpm, kSparsePpm, kActiveSetQp };
inline constexpr std::array<std::string_view, 4> kNoSlipSolverNames = {"auto", "ppm", "sparse_ppm",
                                                                       "active_set_qp"};

struct NoSlip {
    NoSlipSolver solver = NoSlipSolver::kAuto;
    // Start with tangential rows at every listed contact, drop those of contacts that end up
    // separating and solve again (passes are counted); one that then comes to press gets its rows
    // back for good (held_contacts.h). Off is the paper's model: tangential rows at every contact with phi <= 0.
    bool release_separating = true;
    double tolerance = 1e-10;  // on velocities, relative to the fastest free link velocity [-]
    int max_iterations = 0;    // changes of the active set per island; 0: the solver's own limit

    bool operator==(const NoSlip&) const = default;
};

}  // namespace stiction
