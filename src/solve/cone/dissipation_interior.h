// dissipation_interior.h - the program of dissipation.h by a primal-dual interior point, whose
// steps have the matrix of that header's Newton steps. Where multipliers lie far out or are nearly
// not unique an augmented Lagrangian follows them by hundreds of outer steps; a path through the
// interior takes 20 to 40 whatever they are.
//
//   F = A x + b - A E lambda + sigma e - Y z - m_lo + m_hi = 0
//   y_a = Y x_a + (s, 0, 0) in the Lorentz cone L,  z in L,  y o z = t e     (Y = diag(mu, 1, 1))
//   v m = t  for  v = x - lo, hi - x, u + slack, kappa - e'x  with  m = m_lo, m_hi, lambda, sigma
//
// An iteration linearises this with Nesterov's and Todd's scaling P y = z of the cones,
//
//   (A + S + A E L E'A + k e e') dx = ...,   S = Y P Y + m/v,  L = lambda / v,  k = sigma / v
//
// first for t = 0 and then with the second-order terms of that step (Mehrotra). The slack of gaps
// and kappa is the caller's: without it there may be no interior.
//
// It begins beside an answer (x, lambda, sigma) to a problem like it, whose residual here is r < 1,
// with t = (r |b|)^2, |b|^2 a mean over D: of every pair with the point of the path that has the
// same natural map,
//
//   v m = t,   v - m / beta = q,  the q of the answer:   v = (q + sqrt(q^2 + 4 t / beta)) / 2
//
// and of every cone by its eigenvalues likewise, (y, z) from q = y - z / beta. All products are t,
// what was active stays so, and F is as large as r. A start far from all boundaries follows where
// there is no such answer, and where the way from it is blocked.
#pragma once

#include <vector>

#include "solve/cone/lorentz_cone.h"

namespace stiction {

struct DissipationProgram;
class DissipationMatrix;
struct DissipationResult;
struct SolveSettings;

// A constraint v >= 0 and its multiplier m >= 0.
struct InteriorPair {
    enum Kind { kLower, kUpper, kGap, kSum };
    Kind kind = kLower;
    int row = 0;  // of x or u; none of the sum
    double v = 1, m = 1;
    double weight = 1;         // inverse mass: m is of the size of weight times v's multiplier
    double infeasibility = 0;  // of v: what the constraint's value exceeds it by
    double zeta = 0;           // dm + m/v dv = zeta
    double dv = 0, dm = 0;
};

struct InteriorCone {
    bool any = false;  // else bounds alone
    LorentzPoint y, z;
    LorentzScaling scaling;
    Vec3 zeta = Vec3::Zero();  // dz + P dy = zeta
    Vec3 dy = Vec3::Zero(), dz = Vec3::Zero();
};

struct DissipationInterior {
    std::vector<InteriorPair> pairs;
    std::vector<InteriorCone> cones;  // per block
    std::vector<char> fixed;          // per row of x: its bounds are one
    VecX x, u, lambda, F;
    VecX right, dx, A_dx, y, A_y, dy, d_lambda, A_eased, product, w;
    VecX centred, centred_lambda;
    std::vector<Mat3> S;
    VecX L;
};

// What gaps may close by [m/s], and kappa with its slack [N s].
struct InteriorSlack {
    double gap = 0, kappa = 0;
};

// From beside the result, of which it knows the residual, if that is `near`, or a start of its own;
// keeps in the result what is better than it. stop.max_iterations is the limit of factorisations; fewer where rounding is all
// that is left.
void walk_interior(const DissipationProgram& program, DissipationMatrix& A,
                   const SolveSettings& stop, const InteriorSlack& slack, bool near,
                   DissipationInterior& workspace, DissipationResult& result);

}  // namespace stiction
