// polygon_lcp.h - Coulomb friction on a polygon as one dense LCP per island (coulomb_lcp.h has the
// equations), solved by Lemke's method.
//
// Equality rows are eliminated (elimination.h), which leaves G C G' and G v_hat for the others. Per
// contact with friction the unknowns are (c_n, beta_1 .. beta_k, lambda), without friction c_n
// alone. A bounded row lo <= c <= hi is c = lo + x with
//
//   0 <= x  _|_  g.u - target + y >= 0,      0 <= y  _|_  hi - lo - x >= 0
//
// Impulses are in units that make the mean diagonal 1, so that all of the LCP is in m/s.
#pragma once

#include <vector>

#include "contact/island/elimination.h"
#include "contact/island/island_task.h"
#include "solve/cone/friction_law.h"
#include "solve/lcp/lemke.h"

namespace stiction {

struct PolygonRoute {
    FrictionDirections directions;  // of the model's polygon, set before its rungs are tried
    BoxLcp all;                     // every row of the island
    Elimination elimination;        // unknowns: n, s, t per contact, then limits and bounded rows
    std::vector<int> variable;      // per such row its first LCP unknown; of a contact that of n
    double unit = 1;                // [kg] impulse that LCP unknown 1 m/s stands for
    Lcp lcp;
    LcpBasis guess;
    LemkeWorkspace lemke;
    LcpResult result;
};

// Marks a contact that sticks in the guess for the next step; bit 0 then is as in row_states.h.
// Otherwise bit k says whether unknown k of the contact is basic.
inline constexpr std::uint64_t kStuck = std::uint64_t{1} << 63;

// Rung: the LCP as it stands. Without a solution there is no answer.
[[nodiscard]] IslandResult solve_polygon_lcp(const IslandTask& task);

// Rung: the no-slip answer, if every impulse lies inside its polygon. With lambda = 0 and beta from
// the polygon it meets all conditions of the LCP; where that has several solutions (large mu) this
// is the one without slip.
[[nodiscard]] IslandResult stick_on_polygons(const IslandTask& task);

}  // namespace stiction
