// dissipation_operator.h - the conditions of phase II of max_dissipation.h as one monotone problem
// for the proximal Newton method (solve/cone/prox_newton.h). With x the impulses of an island's
// triples, lambda the multipliers of its gaps and joints, one triple for each of x, and tau that of
// kappa, scaled by s:
//
//   u_x      = G (v - nu) + offset + R x + s tau e_N,    M v = G'x + M v_free,   M nu = G'E lambda
//   u_lambda = E'(G v + offset)
//   u_tau    = s (kappa - e_N'x)
//
//   x in K with u_x in the dual cone, lambda and tau >= 0 with theirs >= 0, each pair orthogonal
//
// E picks the rows that may not close: normals, limits, joints (whose lambda is free). e_N picks the
// normals of contacts. The coupling is skew. A step is solved in the velocities of the bodies: with
// S, B as in body_operator.h and w = v - nu,
//
//   (M + Q) v - M w = E'-part of the right side,     Q = G'E K_lambda E'G
//   M v + P w       = x-part - g tau,                P = G'K_x G,  g = G'K_x s e_N
//
// a matrix with a node of twelve velocities per body, quasi-definite but for a sign, and one more
// right side for tau.
#pragma once

#include <vector>

#include "contact/routes/body_graph.h"
#include "solve/cone/prox_newton.h"
#include "solve/factor/block_lu.h"

namespace stiction {

class DissipationOperator final : public DelassusOperator {
  public:
    void prepare(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                 const Triples& triples);

    // The problem at the velocities v_free: laws, q and weights of all blocks, x first, whose laws
    // are given, then lambda, then tau.
    void make_problem(const VecX& v_free, double kappa, const ConeLaws& of_x, ConeLaws& laws,
                      VecX& q, VecX& weight);
    [[nodiscard]] int triples() const { return static_cast<int>(of_triple_.size()); }

    void multiply(const VecX& x, VecX& W_x) override;
    bool factor(const std::vector<Mat3>& A, const std::vector<Mat3>& B,
                const std::vector<char>& open, bool symmetric) override;
    void solve(VecX& x) override;

  private:
    struct TripleRows {
        Mat36 G;
        Vec3 R, offset;
        Vec3 held;                // 1: a row of E
        Vec3 is_free;             // 1: its lambda has no bounds
        double counted = 0;       // 1: its normal counts towards kappa
        double weight = 1;        // tr W_aa / 3
        Mat3 S_x, K_x, S_l, K_l;  // S^-1 and S^-1 B of x and of lambda
    };

    void set_triple(int a, const Mat6& D);
    void add_links();
    // p = G'x, and G'E lambda.
    void gather(const VecX& x, Eigen::Index first, bool held, VecX& p) const;
    // x = S^-1 b - K u of x and lambda at the velocities z, S^-1 b in t_.
    void spread(const VecX& z, VecX& x);

    const ContactProblem* problem_ = nullptr;
    const IslandRows* rows_ = nullptr;
    const Triples* triples_ = nullptr;
    BodyGraph graph_;
    std::vector<TripleRows> of_triple_;
    double scale_ = 1;  // s [1/kg]
    double S_tau_ = 1, B_tau_ = 0;
    VecX p_, other_, v_, w_;  // over the nodes
    VecX t_, z_, z_tau_, x_tau_;
    std::vector<char> open_;
    BlockLu<12> lu_;
};

}  // namespace stiction
