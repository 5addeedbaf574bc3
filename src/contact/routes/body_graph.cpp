// body_graph.cpp - nodes, sides and the pattern they make.
#include "contact/routes/body_graph.h"

#include <algorithm>

namespace stiction {

namespace {

int nodes_of(const InertiaBlock& block) {
    return (block.size + BodyGraph::kNode - 1) / BodyGraph::kNode;
}

}  // namespace

bool BodyGraph::prepare(const ContactProblem& problem, const Island& island,
                        const Triples& triples) {
    problem_ = &problem;
    island_ = &island;
    first_node_.assign(1, 0);
    for (const int b : blocks_of(problem, island))
        first_node_.push_back(first_node_.back() + nodes_of(problem.system.blocks[at(b)]));
    sides_.clear();
    side_start_.assign(1, 0);
    for (const int l : triples.links) {
        const Link& link = problem.system.links[at(l)];
        if (link.a != kNone) add_side(link, true);
        if (link.b != kNone) add_side(link, false);
        side_start_.push_back(static_cast<int>(sides_.size()));
    }
    list_pairs();
    const bool changed = find_pattern();
    set_masses();
    return changed;
}

void BodyGraph::add_side(const Link& link, bool side_a) {
    const int id = side_a ? link.a : link.b;
    const InertiaBlock& block = problem_->system.blocks[at(id)];
    const int first = first_node_[at(problem_->block_place[at(id)] - island_->block_begin)];
    const double sign = side_a ? 1.0 : -1.0;
    if (block.free_body) {
        Side& side = sides_.emplace_back();
        side.node = first;
        side.X.diagonal().head<3>().setConstant(sign);
        side.X.topRightCorner<3, 3>() = -sign * skew(side_a ? link.r_a : link.r_b);
        side.X.diagonal().tail<3>().setConstant(sign * link.length);
        return;
    }
    const GeneralSide& general = side_a ? link.general_a : link.general_b;
    const int* column = problem_->system.columns.data() + general.columns;
    const double* X = problem_->system.pool.data() + general.X;
    int chunk = kNone;
    for (int c = 0; c < general.count; ++c, X += 6) {  // velocities ascend
        if (column[c] / kNode != chunk) {
            chunk = column[c] / kNode;
            sides_.emplace_back().node = first + chunk;
        }
        sides_.back().X.col(column[c] % kNode) = sign * Eigen::Map<const Vec6>(X);
    }
}

void BodyGraph::list_pairs() {
    pairs_.clear();
    pair_start_.clear();
    const auto join = [&](int a, int b) {
        pairs_.push_back(a);
        pairs_.push_back(b);
    };
    for (std::size_t b = 0; b + 1 < first_node_.size(); ++b) {
        for (int i = first_node_[b]; i < first_node_[b + 1]; ++i) {
            for (int j = first_node_[b]; j < first_node_[b + 1]; ++j) join(i, j);
        }
    }
    masses_.resize(pairs_.size() / 2);
    for (int l = 0; l < links(); ++l) {
        pair_start_.push_back(static_cast<int>(pairs_.size() / 2 - masses_.size()));
        for (int i = side_start_[at(l)]; i < side_start_[at(l) + 1]; ++i) {
            for (int j = side_start_[at(l)]; j < side_start_[at(l) + 1]; ++j)
                join(sides_[at(i)].node, sides_[at(j)].node);
        }
    }
}

bool BodyGraph::find_pattern() {
    if (!start_.empty() && pairs_ == last_pairs_) return false;
    last_pairs_ = pairs_;
    std::vector<std::vector<int>> of_node(at(nodes()));
    for (std::size_t k = 0; k < pairs_.size(); k += 2)
        of_node[at(pairs_[k])].push_back(pairs_[k + 1]);
    start_.assign(1, 0);
    column_.clear();
    for (std::vector<int>& list : of_node) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        column_.insert(column_.end(), list.begin(), list.end());
        start_.push_back(static_cast<int>(column_.size()));
    }
    pair_entry_.clear();
    for (std::size_t k = 0; k < pairs_.size(); k += 2) {
        const auto begin = column_.begin() + start_[at(pairs_[k])];
        const auto end = column_.begin() + start_[at(pairs_[k]) + 1];
        const auto entry =
            static_cast<int>(std::lower_bound(begin, end, pairs_[k + 1]) - column_.begin());
        if (k / 2 < masses_.size()) {
            masses_[k / 2].entry = entry;
        } else {
            pair_entry_.push_back(entry);
        }
    }
    return true;
}

void BodyGraph::set_masses() {
    const LinkSystem& system = problem_->system;
    auto mass = masses_.begin();
    for (const int b : blocks_of(*problem_, *island_)) {
        const InertiaBlock& block = system.blocks[at(b)];
        if (block.free_body) {
            mass->M.setZero();
            mass->M.diagonal().head<3>().setConstant(block.mass);
            mass->M.bottomRightCorner<3, 3>() = block.inertia;
            ++mass;
            continue;
        }
        const int n = nodes_of(block);
        for (int k = 0; k < n * n; ++k) mass[k].M.setZero();
        const auto entry = [&](int i, int k) -> double& {
            return mass[i / kNode * n + k / kNode].M(i % kNode, k % kNode);
        };
        const Ways ways = ways_of(system, block);
        for (int k = 0; k < block.size; ++k) {
            const double* M = system.pool.data() + block.pool_M + ways.start(k);
            for (int d = 0; d < ways.count(k); ++d) {
                entry(ways.way(k)[d], k) = M[d];
                entry(k, ways.way(k)[d]) = M[d];
            }
        }
        for (int k = block.size; k < n * kNode; ++k) entry(k, k) = 1;
        mass += n * n;
    }
}

void BodyGraph::mass_diagonal(VecX& diagonal) const {
    diagonal.resize(kNode * nodes());
    for (std::size_t k = 0; k < masses_.size(); ++k) {
        const int node = pairs_[2 * k];
        if (pairs_[2 * k + 1] == node)
            diagonal.segment<kNode>(kNode * node) = masses_[k].M.diagonal();
    }
}

void BodyGraph::apply_inverse_masses(VecX& p) const {
    const LinkSystem& system = problem_->system;
    auto first = first_node_.begin();
    for (const int b : blocks_of(*problem_, *island_)) {
        const InertiaBlock& block = system.blocks[at(b)];
        double* x = p.data() + static_cast<std::ptrdiff_t>(kNode) * *first++;
        if (block.free_body) {
            Eigen::Map<Vec3> linear(x), angular(x + 3);
            linear *= block.inv_mass;
            angular = (block.inv_inertia * angular).eval();
            continue;
        }
        const Ways ways = ways_of(system, block);
        const double* R = system.pool.data() + block.pool_root;
        solve_root(ways, R, x);
        solve_root_transposed(ways, R, x);
    }
}

}  // namespace stiction
