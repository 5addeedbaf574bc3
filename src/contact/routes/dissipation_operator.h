// dissipation_operator.h - the matrix of a Newton step on the program of maximum dissipation
// (solve/cone/dissipation.h) over the triples of an island, without forming A = G M^-1 G' + R:
//
//   (A + S + A L A + k e e') x = b,       S, L block-diagonal, L on rows without compliance
//
// With v = M^-1 G'x and w = v + M^-1 G'L G v it is solved in both velocities of the bodies,
//
//   x = K (b - G w - k e (e'x)),   K = (S + R)^-1
//   [ P   M      ] [w]   [ G'K b ]
//   [ M  -(M + Q)] [v] = [ 0     ],     P = G'K G,   Q = G'L G
//
// a symmetric, quasi-definite matrix with a node of twelve velocities per body; k e e' is one more
// right side.
#pragma once

#include <vector>

#include "contact/routes/body_operator.h"
#include "solve/cone/dissipation.h"
#include "solve/factor/block_lu.h"

namespace stiction {

class DissipationOperator final : public DissipationMatrix {
  public:
    // Looks at the bodies' operator, which is prepared and must stay as it is.
    void prepare(BodyOperator& bodies);

    void multiply(const VecX& x, VecX& A_x) override { bodies_->multiply(x, A_x); }
    void multiply_two(const VecX& x, const VecX& y, VecX& A_x, VecX& A_y) override;
    bool factor(const std::vector<Mat3>& S, const VecX& L, double k, const VecX& e) override;
    void solve(VecX& x, VecX& y) override;

  private:
    // p_ = G'x, r_ = G'y in the velocities of the bodies, in one pass over the triples.
    void gather_two(const VecX& x, const VecX& y);
    // act(triple, G, velocities p_ and r_ of its link).
    template <typename Act>
    void for_each_two(const Act& act) const {
        const BodyGraph& graph = bodies_->graph();
        for (int l = 0; l < graph.links(); ++l) {
            const Vec6 p = graph.velocity(l, p_), r = graph.velocity(l, r_);
            bodies_->for_each_triple(l, [&](int a, const Mat36& G) { act(a, G, p, r); });
        }
    }
    void solve_without_e(VecX& x, VecX& y);

    BodyOperator* bodies_ = nullptr;
    int pattern_ = 0;  // of the bodies that lu_ has been analysed for
    std::vector<Mat3> K_;
    VecX e_, x_e_, y_e_;  // and the answer to the right side e
    VecX L_;
    double k_ = 0;
    VecX p_, r_, z_, t_;
    BlockLu<12> lu_;
};

}  // namespace stiction
