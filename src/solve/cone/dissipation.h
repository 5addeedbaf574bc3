// dissipation.h - the convex program of maximum dissipation, phase II [DS10], by an augmented
// Lagrangian method:
//
//   min 1/2 x'A x + b'x    subject to   x_a in K_a      cones (with offset), rows between bounds
//                                       E'(A x + b) >= 0, = 0 where a row is an equality   (gaps)
//                                       e'x <= kappa    e picks the normals that count
//
// With multipliers lambda of the gaps and sigma of kappa, u = A x + b, x is a solution if and only if
//
//   w = u - A E lambda + sigma e,   x in K, w in its dual, x.w = 0,
//   0 <= lambda _|_ E'u >= 0 (lambda free, E'u = 0 of equalities),   0 <= sigma _|_ kappa - e'x >= 0
//
// Proximal steps in x and multipliers: around the last answer (c, s, lambda, sigma), s = w,
//
//   min  phi(x) = 1/2 x'A x + b'x + 0.01 alpha/2 |x - c|_D^2
//               + 1/2 sum_a beta_a |z_a - P_K(z_a)|^2,              z_a = x_a - s_a / beta_a
//               + 1/2 sum_i rho_i max(0, lambda_i - u_i / rho_i)^2  (without max of equalities)
//               + 1/2 rho_k max(0, sigma - (kappa - e'x) / rho_k)^2
//   beta_a = D_a / alpha,   rho_i = alpha D_a,   rho_k = alpha (sum of e over D)  [units of A]
//
// has no constraints, is convex and once differentiable. Its gradient
//   w + 0.01 alpha D (x - c) - s+,  s+ = beta (P_K(z) - z) in the dual of K, lambda+, sigma+ the max
// makes s+, lambda+ and sigma+ the multipliers of the next step. Newton steps on it,
//   (A + S + A E L E'A + k e e') dx = -gradient,   S_a = 0.01 alpha D_a + beta_a (I - P_K')
// with L = 1 / rho where lambda+ > 0 and k = 1 / rho_k where sigma+ > 0, go down phi from anywhere,
// so that every outer step ends, and the outer steps converge for every convex program that has an
// answer, the faster the smaller alpha: multipliers need not be unique, which they are not (the gaps
// of a body that rests and kappa are one condition said twice).
//
// From a start that is near, as that of a structure at rest, a few outer steps end. From afar they
// may take hundreds, above all where phi is flat but for 1e-7 in some direction. There an interior
// point comes first (dissipation_interior.h), from the same start, and outer steps from its answer
// give the last digits where rounding has kept it from them.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/cone/cone_problem.h"
#include "solve/cone/dissipation_interior.h"

namespace stiction {

// What a row of A x + b must do.
enum class Held : std::uint8_t { kNo, kGap, kEquality };

struct DissipationProgram {
    const ConeLaws& laws;           // of x, n blocks: relaxed cones and rows between bounds
    const VecX& b;                  // 3n
    const VecX& D;                  // n, tr A_aa / 3
    const std::vector<Held>& held;  // 3n
    const VecX& counted;            // 3n, e
    double kappa = 0;
};

// A of a program, three rows per block.
class DissipationMatrix {
  public:
    virtual ~DissipationMatrix() = default;
    virtual void multiply(const VecX& x, VecX& A_x) = 0;
    virtual void multiply_two(const VecX& x, const VecX& y, VecX& A_x, VecX& A_y) {
        multiply(x, A_x);
        multiply(y, A_y);
    }
    // Factors A + S + A diag(L) A + k e e'; false if it cannot. L has one number per row.
    virtual bool factor(const std::vector<Mat3>& S, const VecX& L, double k, const VecX& e) = 0;
    virtual void solve(VecX& x, VecX& y) = 0;
};

// The report's residual is that of x, lambda and sigma, below.
struct DissipationResult : SolveReport {
    VecX x, lambda;  // 3n
    double sigma = 0;
    int factorisations = 0;
    int warm_starts = 0, cold_starts = 0;  // of ways through the interior
};

struct DissipationWorkspace {
    VecX x, u;                        // the iterate, A x + b
    VecX center, s, lambda;           // c, s and lambda of the outer step
    VecX s_next, lambda_next, inner;  // s+, lambda+, P_K(z)
    VecX trial_x, trial_u;            // along a step
    VecX y, dy;                       // L A step, and its correction
    VecX change, last_change;         // of outer steps
    VecX gradient, step, A_step, A_lambda, w;
    VecX best_x, best_lambda;  // while multipliers begin from nothing
    std::vector<Mat3> S;
    VecX L;
    DissipationInterior interior;
};

// Violations of the conditions as velocities over |b|, x projected on K: blocks as in
// cone_problem.h with the velocity w, gaps as min(D lambda, u), kappa as
// min(sigma, |b| (kappa - e'x) / kappa): a residual of 1e-7 keeps to kappa but for 1e-7 of it.
[[nodiscard]] double residual(const DissipationProgram& program, const VecX& x, const VecX& lambda,
                              double sigma, const VecX& u, const VecX& w);

// The part of it that lies in the gaps and in kappa.
[[nodiscard]] double constraint_residual(const DissipationProgram& program, const VecX& x,
                                         const VecX& lambda, double sigma, const VecX& u);

// From result.x, result.lambda and result.sigma, which are replaced by better ones.
// stop.max_iterations limits the factorisations; 0: 10000.
void solve_dissipation(const DissipationProgram& program, DissipationMatrix& A,
                       const SolveSettings& stop, DissipationWorkspace& workspace,
                       DissipationResult& result);

}  // namespace stiction
