// contact_pgs.h - projected Gauss-Seidel by contacts: sweeps over the contacts, each of which is
// solved exactly for its three impulses while the others stand,
//   r_a <- (1 - omega) r_a + omega * solution of  u = W_aa r + (q_a + sum_{b != a} W_ab r_b)
// under the law chosen (friction_law.h): the Coulomb cone, a friction polygon, or a friction box.
//
// Sweeps run forwards (as a rule the quicker way), or forwards and backwards in turn. Every
// `check_every` sweeps the residual of the law is measured with u formed anew; the best iterate
// seen, the start included, is what is returned. omega starts at 1. It falls by 0.7 when the best
// has stood for `patience` checks (sweeps of strong friction may go in circles), and when the
// residual is 1e4 times the best or not finite: then the sweeps go on from the best. They end at
// the tolerance, at the limit, when a sweep changes nothing, or when omega falls below 0.05.
// For symmetric W and the box law this is a descent method and converges; for cone and polygon it
// does where friction is not too large, linearly, slowly when masses differ much or contacts are
// redundant.
//
// W is given (O(blocks) per sweep), or implied by the dynamics and never formed but for its
// diagonal blocks: then v = M^-1 (f + G'r) is kept, and a contact costs a few multiplications per
// entry of its rows G_a and columns M^-1 G_a'. No random numbers, no threads: same input, same
// bits.
#pragma once

#include <vector>

#include "solve/cone/cone_problem.h"
#include "solve/cone/friction_law.h"
#include "solve/cone/implied_cone_problem.h"

namespace stiction {

enum class FrictionLaw { kCone, kPolygon, kBox };

struct ContactPgsSettings {
    ConeSettings stop;  // max_iterations counts sweeps, 0: 5000
    FrictionLaw law = FrictionLaw::kCone;
    int sides = 4;           // of the polygon, >= 3
    bool alternate = false;  // every second sweep backwards
    int check_every = 5;     // sweeps between measurements of the residual, >= 1
    int patience = 40;       // measurements without progress before omega falls
};

// What the sweeps need of an implied problem, made once per problem.
struct SparseContacts {
    Eigen::SparseMatrix<double, Eigen::RowMajor> G;  // 3 nc x nv
    Eigen::SparseMatrix<double> P;                   // M^-1 G', nv x 3 nc
    VecX v_free;                                     // M^-1 f
    VecX q;                                          // G v_free + w
    VecX w;
    VecX mu;
    std::vector<Mat3> diagonal;  // W_aa
};

// False if M is singular, sizes do not agree, or something is not finite.
[[nodiscard]] bool prepare(const ImpliedConeProblem& implied, SparseContacts& contacts);

struct ContactPgsWorkspace {
    VecX r, u;                      // the iterate
    VecX v;                         // of an implied problem at result.r, after the call
    VecX lambda;                    // of sliding contacts, guesses of one_contact.h
    VecX scale;                     // tr W_aa / 3
    FrictionDirections directions;  // of the polygon
};

// Solves from `guess` (3 nc; one that is empty, of another size or not finite counts as zero).
// `bound` [N s] per contact serves the box law alone. result.iterations counts sweeps;
// result.residual is natural and scaled as in cone_problem.h with the law's own K and d(u), hence
// for the cone the same numbers as residual(). kNotFinite: the input is not finite, not valid, or
// has blocks of bounded rows.
void solve_contact_pgs(const ConeProblem& problem, const ContactPgsSettings& settings,
                       const VecX& bound, const VecX& guess, ContactPgsWorkspace& workspace,
                       ConeResult& result);
void solve_contact_pgs(const SparseContacts& contacts, const ContactPgsSettings& settings,
                       const VecX& bound, const VecX& guess, ContactPgsWorkspace& workspace,
                       ConeResult& result);

// The same with the Coulomb cone and default settings but for `settings`.
void solve_contact_pgs(const ConeProblem& problem, const ConeSettings& settings, const VecX& guess,
                       ContactPgsWorkspace& workspace, ConeResult& result);

}  // namespace stiction
