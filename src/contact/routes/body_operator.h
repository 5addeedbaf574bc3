// body_operator.h - the Delassus matrix W = G M^-1 G' + R of an island's triples, R their
// compliance, as the proximal Newton method sees it (solve/cone/prox_newton.h), without forming it.
//
// A step (A + B W) x = b is solved in the velocities of the bodies. With S = A + B R, which is
// block-diagonal, and dv = M^-1 G'x,
//
//   x = S^-1 (b - B G dv),      (M + G' S^-1 B G) dv = G' S^-1 b
//
// a matrix with a node per body whatever the number of contacts: those of a link add up in its six
// relative velocities, H = sum of g'S^-1 B g, and join the nodes of its two sides. The factors of a
// chain of stones have no fill, those of a pyramid of 385 boxes and 4960 contacts have 385 nodes. The
// factors of a pile do fill: there the matrix is solved with by iteration (block_krylov.h), as
// accurately as the step needs it.
#pragma once

#include <vector>

#include "contact/routes/body_graph.h"
#include "solve/cone/prox_newton.h"
#include "solve/factor/block_krylov.h"
#include "solve/factor/block_lu.h"

namespace stiction {

class BodyOperator final : public DelassusOperator {
  public:
    // Looks at the triples, which must stay as they are; the order of elimination is found again
    // only when the links change. `factored`: else solve() iterates.
    void prepare(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                 const Triples& triples, bool factored = true);

    [[nodiscard]] const VecX& weights() const { return weight_; }  // tr W_aa / 3, or 1
    // q = G u + offset at the velocities v of the whole problem.
    void free_velocity(const VecX& v, VecX& q) const;

    void multiply(const VecX& x, VecX& W_x) override;
    // M^-1 G'x of the last multiply(), six numbers per node.
    [[nodiscard]] const VecX& velocities() const { return p_; }
    bool factor(const std::vector<Mat3>& A, const std::vector<Mat3>& B,
                const std::vector<char>& open, bool symmetric) override;
    void solve(VecX& x) override;

    // What another matrix over the same bodies is made from (dissipation_operator.h).
    [[nodiscard]] const BodyGraph& graph() const { return graph_; }
    [[nodiscard]] int pattern() const { return pattern_; }  // another number for another pattern
    [[nodiscard]] const Vec3& softness(int a) const { return of_triple_[at(a)].R; }
    void gather_impulses(const VecX& x, VecX& p) const;  // p = X'G'x
    // act(triple, G) for the triples of the l-th link.
    template <typename Act>
    void for_each_triple(int l, const Act& act) const {
        for (int a = triples_->first[at(l)]; a < triples_->first[at(l) + 1]; ++a)
            act(a, of_triple_[at(a)].G);
    }
    // act(triple, G, velocity of its link) at the velocities v of the bodies.
    template <typename Act>
    void for_each_velocity(const VecX& v, const Act& act) const {
        for (int l = 0; l < graph_.links(); ++l) {
            const Vec6 u = graph_.velocity(l, v);
            for_each_triple(l, [&](int a, const Mat36& G) { act(a, G, u); });
        }
    }

  private:
    struct TripleRows {
        Mat36 G;
        Vec3 R, offset;
        Mat3 S_inverse, K;  // K = S^-1 B
    };

    void set_triple(int a, const Mat6& D);
    [[nodiscard]] bool assemble_and_factor(bool symmetric);

    const ContactProblem* problem_ = nullptr;
    const IslandRows* rows_ = nullptr;
    const Triples* triples_ = nullptr;
    BodyGraph graph_;
    int pattern_ = 0;
    std::vector<TripleRows> of_triple_;
    VecX weight_, p_, t_;
    std::vector<char> open_;
    bool factored_ = true;
    bool analysed_ = false;  // the factors, for the pattern of graph_
    BlockLu<6> lu_;
    BlockKrylov<6> krylov_;
    VecX mass_;  // diagonal of M
};

}  // namespace stiction
