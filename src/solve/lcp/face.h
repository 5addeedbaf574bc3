// face.h - the face of the box on which a point lies: its free unknowns F, the step to the
// minimiser over them, and the directions in which A_FF is flat. For solvers of box_lcp.h that
// guess which unknowns are free and solve for those.
#pragma once

#include <limits>
#include <vector>

#include "solve/factor/principal_factor.h"
#include "solve/lcp/box_lcp.h"

namespace stiction {

struct Face {
    std::vector<int> members;  // F
    VecX step;                 // n, zero outside F
    PrincipalFactor factor;    // of A_FF
    std::vector<double> x;     // scratch, one per member
};

// Room for n unknowns, so that later calls allocate nothing; the step is zero.
void reserve(Face& face, Eigen::Index n);

// F = { i : lo_i < z_i < hi_i }.
void find_members(const BoxLcp& problem, const VecX& z, Face& face);

// Pivots below this, of the scaled A_FF, are rounding: 1e4 of it.
inline constexpr double kFacePivot = 1e-11;

// Factors A_FF. False if there is nothing to solve, or no way to: a symmetric A_FF may be singular.
[[nodiscard]] bool factor_face(const MatX& A, bool symmetric, double pivot_tolerance, Face& face);

// step_F = -A_FF^-1 w_F, of a factored face; zero for members that depend on the others.
void find_step(const VecX& w, Face& face);

// The first bound that z + t step meets.
struct FirstBound {
    int unknown = kNone;
    double length = std::numeric_limits<double>::infinity();  // t
    double bound = 0;
};
[[nodiscard]] FirstBound first_bound(const BoxLcp& problem, const VecX& z, const Face& face);

// z + t step with t = `length`, or less so that nothing passes a bound, and w of it; what ends the
// move is on its bound exactly. Returns whether something did. An endless move is not made.
bool move_to_bound(const BoxLcp& problem, double length, const Face& face, VecX& z, VecX& w);

// On a factored face of a symmetric A, z being the minimiser but for dependent members: one of
// those with w_i != 0 shows a direction in which A is flat and the objective falls. Follows the
// steepest, which is in face.step afterwards, to its end. kEndless: there is none, and z stays.
enum class FlatMove { kNothing, kMoved, kEndless };
[[nodiscard]] FlatMove follow_flat_direction(const BoxLcp& problem, Face& face, VecX& z, VecX& w);

}  // namespace stiction
