// frame_matrices.h - a frame as matrices: the LCP of the friction polygon, and the Coulomb cone problem.
//
// With joints taken out, C = M^-1 - M^-1 J'(J M^-1 J')^-1 J M^-1, v_hat the velocity without contact:
//
//   z = (c_n, beta, lambda, c_l),   w = A z + b,   0 <= z _|_ w >= 0
//       [ N C N'   N C D'   0   N C L' ]        [ N v_hat + bias ]
//   A = [ D C N'   D C D'   E   D C L' ]    b = [ D v_hat        ]
//       [ mu      -E'       0   0      ]        [ 0              ]
//       [ L C N'   L C D'   0   L C L' ]        [ L v_hat + bL   ]
//
// D has `sides` directions per contact at angles 2 pi i / sides from s, contact by contact; E their ones.
// The cone problem is u = W r + q, W = G C G', three rows (n, s, t) per contact.
#pragma once

#include <string>

#include "problem/contact_problem.h"
#include "solve/cone/cone_problem.h"
#include "solve/lcp/lcp.h"

namespace stiction {

// `place` stands for the frame in messages. Both throw InputError where the frame has rows that these
// forms have no place for (motors and joint friction; for the cone problem limits too), or is too large
// for dense matrices.
[[nodiscard]] Lcp frame_lcp(const ContactProblem& problem, int sides, const std::string& place);
[[nodiscard]] ConeProblem frame_cone(const ContactProblem& problem, const std::string& place);

}  // namespace stiction
