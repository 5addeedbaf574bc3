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
// chain of stones have no fill, those of a pyramid of 385 boxes and 4960 contacts have 385 nodes.
// A tree takes as many nodes of six velocities as it needs, the last one padded with the identity.
#pragma once

#include <array>
#include <vector>

#include "contact/island/triples.h"
#include "solve/cone/prox_newton.h"
#include "solve/factor/block_lu.h"

namespace stiction {

class BodyOperator final : public DelassusOperator {
  public:
    // Looks at the triples, which must stay as they are; the order of elimination is found again
    // only when the links change.
    void prepare(const ContactProblem& problem, const Island& island, const IslandRows& rows,
                 const Triples& triples);

    [[nodiscard]] const VecX& weights() const { return weight_; }  // tr W_aa / 3, or 1
    // q = G u + offset at the velocities v of the whole problem.
    void free_velocity(const VecX& v, VecX& q) const;

    void multiply(const VecX& x, VecX& W_x) override;
    bool factor(const std::vector<Mat3>& A, const std::vector<Mat3>& B,
                const std::vector<char>& open, bool symmetric) override;
    void solve(VecX& x) override;

  private:
    // One side of a link on one node: u += X x_node, the side's sign included.
    struct Side {
        int node = 0;
        Mat6 X = Mat6::Zero();
    };
    struct Mass {
        int entry = 0;  // of the pattern
        Mat6 M = Mat6::Zero();
    };
    struct TripleRows {
        Mat36 G;
        Vec3 R, offset;
        Mat3 S_inverse, K;  // K = S^-1 B
    };

    void number_nodes();
    void add_sides(int link);
    void add_side(const Link& link, bool side_a);
    void find_pattern();
    void set_masses();
    void set_triple(int a, const Mat6& D);
    void add_links();
    void gather_impulses(const VecX& x, VecX& p) const;  // p = X'G'x
    void apply_inverse_masses(VecX& p) const;
    template <typename Act>
    void for_each_link_velocity(const VecX& v, const Act& act) const;

    const ContactProblem* problem_ = nullptr;
    const Island* island_ = nullptr;
    const IslandRows* rows_ = nullptr;
    const Triples* triples_ = nullptr;
    std::vector<int> first_node_;      // per block of the island; one more at the end
    std::vector<Side> sides_;          // by links
    std::vector<int> side_start_;      // per link with triples; one more at the end
    std::vector<int> pair_entry_;      // per link and pair of its sides: entry of the pattern
    std::vector<int> start_, column_;  // pattern over the nodes
    std::vector<int> signature_, last_signature_;
    std::vector<Mass> masses_;
    std::vector<TripleRows> of_triple_;
    VecX weight_, p_, t_;
    std::vector<char> open_;
    BlockLu<6> lu_;
};

}  // namespace stiction
