// body_graph.h - the bodies of an island as nodes of six velocities, and its links as what joins
// them: what a matrix over the velocities of an island is made from,
//
//   u_link = sum of X x_node over the sides of the link,      p_node += X'F
//
// A tree takes as many nodes of six velocities as it needs, the last one padded with the identity.
// Vectors over the nodes have six numbers each, in the order of the island's blocks.
#pragma once

#include <vector>

#include "contact/island/triples.h"

namespace stiction {

class BodyGraph {
  public:
    static constexpr int kNode = 6;  // velocities

    // One side of a link on one node, its sign included.
    struct Side {
        int node = 0;
        Mat6 X = Mat6::Zero();
    };
    struct Mass {
        int entry = 0;  // of the pattern
        Mat6 M = Mat6::Zero();
    };

    // True if the pattern is another than last time.
    bool prepare(const ContactProblem& problem, const Island& island, const Triples& triples);

    [[nodiscard]] int nodes() const { return first_node_.back(); }
    [[nodiscard]] int links() const { return static_cast<int>(side_start_.size()) - 1; }
    [[nodiscard]] const std::vector<Mass>& masses() const { return masses_; }
    // Pattern over the nodes by rows: those that a link or a tree joins.
    [[nodiscard]] const std::vector<int>& start() const { return start_; }
    [[nodiscard]] const std::vector<int>& column() const { return column_; }

    // p += X'F for the l-th link with triples; its velocity at x.
    void add_impulse(int l, const Vec6& F, VecX& p) const {
        for (int s = side_start_[at(l)]; s < side_start_[at(l) + 1]; ++s) {
            const Side& side = sides_[at(s)];
            p.segment<kNode>(kNode * side.node).noalias() += side.X.transpose() * F;
        }
    }
    [[nodiscard]] Vec6 velocity(int l, const VecX& x) const {
        Vec6 u = Vec6::Zero();
        for (int s = side_start_[at(l)]; s < side_start_[at(l) + 1]; ++s) {
            const Side& side = sides_[at(s)];
            u.noalias() += side.X * x.segment<kNode>(kNode * side.node);
        }
        return u;
    }
    // Calls add(entry, X_i'H X_j) for every pair of sides of the link.
    template <typename Add>
    void add_products(int l, const Mat6& H, const Add& add) const {
        const int* entry = pair_entry_.data() + pair_start_[at(l)];
        for (int i = side_start_[at(l)]; i < side_start_[at(l) + 1]; ++i) {
            const Mat6 X_H = sides_[at(i)].X.transpose() * H;
            for (int j = side_start_[at(l)]; j < side_start_[at(l) + 1]; ++j)
                add(*entry++, Mat6(X_H * sides_[at(j)].X));
        }
    }
    void apply_inverse_masses(VecX& p) const;
    // Diagonal of the mass matrix, per velocity of the nodes.
    void mass_diagonal(VecX& diagonal) const;

  private:
    void add_side(const Link& link, bool side_a);
    void list_pairs();
    bool find_pattern();
    void set_masses();

    const ContactProblem* problem_ = nullptr;
    const Island* island_ = nullptr;
    std::vector<int> first_node_;  // per block of the island; one more at the end
    std::vector<Side> sides_;      // by links
    std::vector<int> side_start_;  // per link with triples; one more at the end
    std::vector<int> pair_entry_;  // per link and pair of its sides: entry of the pattern
    std::vector<int> pair_start_;  // per link
    std::vector<int> start_, column_;
    std::vector<int> pairs_, last_pairs_;  // of nodes: of every block, then of every link
    std::vector<Mass> masses_;
};

}  // namespace stiction
