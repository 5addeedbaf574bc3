// body_operator.cpp - products and solves over the bodies of an island.
#include "contact/routes/body_operator.h"

#include <algorithm>

#include "problem/link_motion.h"

namespace stiction {

namespace {

constexpr int kNode = 6;  // velocities

int nodes_of(const InertiaBlock& block) { return (block.size + kNode - 1) / kNode; }

}  // namespace

void BodyOperator::prepare(const ContactProblem& problem, const Island& island,
                           const IslandRows& rows, const Triples& triples) {
    problem_ = &problem;
    island_ = &island;
    rows_ = &rows;
    triples_ = &triples;
    number_nodes();
    sides_.clear();
    side_start_.assign(1, 0);
    for (const int link : triples.links) add_sides(link);
    find_pattern();
    set_masses();
    of_triple_.resize(triples.all.size());
    weight_.resize(static_cast<Eigen::Index>(triples.all.size()));
    const LinkSystem& system = problem.system;
    for (std::size_t l = 0; l < triples.links.size(); ++l) {
        const Link& link = system.links[at(triples.links[l])];
        const Mat6 D = delassus_block(system, link, link);
        for (int a = triples.first[l]; a < triples.first[l + 1]; ++a) set_triple(a, D);
    }
}

void BodyOperator::number_nodes() {
    first_node_.assign(1, 0);
    for (const int b : blocks_of(*problem_, *island_)) {
        first_node_.push_back(first_node_.back() + nodes_of(problem_->system.blocks[at(b)]));
    }
    p_.resize(kNode * first_node_.back());
}

void BodyOperator::add_sides(int l) {
    const Link& link = problem_->system.links[at(l)];
    if (link.a != kNone) add_side(link, true);
    if (link.b != kNone) add_side(link, false);
    side_start_.push_back(static_cast<int>(sides_.size()));
}

void BodyOperator::add_side(const Link& link, bool side_a) {
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

// Every pair of nodes that a link or a tree joins.
void BodyOperator::find_pattern() {
    const int nodes = first_node_.back();
    signature_.clear();
    const auto join = [&](int a, int b) {
        signature_.push_back(a);
        signature_.push_back(b);
    };
    for (std::size_t b = 0; b + 1 < first_node_.size(); ++b) {
        for (int i = first_node_[b]; i < first_node_[b + 1]; ++i) {
            for (int j = first_node_[b]; j < first_node_[b + 1]; ++j) join(i, j);
        }
    }
    const std::size_t masses = signature_.size() / 2;
    for (std::size_t l = 0; l + 1 < side_start_.size(); ++l) {
        for (int i = side_start_[l]; i < side_start_[l + 1]; ++i) {
            for (int j = side_start_[l]; j < side_start_[l + 1]; ++j)
                join(sides_[at(i)].node, sides_[at(j)].node);
        }
    }
    if (signature_ == last_signature_) return;
    last_signature_ = signature_;
    std::vector<std::vector<int>> of_node(at(nodes));
    for (std::size_t k = 0; k < signature_.size(); k += 2)
        of_node[at(signature_[k])].push_back(signature_[k + 1]);
    start_.assign(1, 0);
    column_.clear();
    for (std::vector<int>& list : of_node) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        column_.insert(column_.end(), list.begin(), list.end());
        start_.push_back(static_cast<int>(column_.size()));
    }
    pair_entry_.clear();
    for (std::size_t k = 0; k < signature_.size(); k += 2) {
        const auto begin = column_.begin() + start_[at(signature_[k])];
        const auto end = column_.begin() + start_[at(signature_[k]) + 1];
        pair_entry_.push_back(
            static_cast<int>(std::lower_bound(begin, end, signature_[k + 1]) - column_.begin()));
    }
    masses_.resize(masses);
    for (std::size_t k = 0; k < masses; ++k) masses_[k].entry = pair_entry_[k];
    pair_entry_.erase(pair_entry_.begin(),
                      pair_entry_.begin() + static_cast<std::ptrdiff_t>(masses));
    lu_.analyse(start_, column_);
}

void BodyOperator::set_masses() {
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
        const int padded = kNode * nodes_of(block);
        MatX M = MatX::Identity(padded, padded);
        M.topLeftCorner(block.size, block.size) = dense_inertia(system, block);
        for (int i = 0; i < padded; i += kNode) {
            for (int j = 0; j < padded; j += kNode, ++mass) mass->M = M.block<kNode, kNode>(i, j);
        }
    }
}

void BodyOperator::set_triple(int a, const Mat6& D) {
    TripleRows& t = of_triple_[at(a)];
    const Triple& triple = triples_->all[at(a)];
    t.G = jacobian(*rows_, triple);
    t.R = compliance(*rows_, triple);
    t.offset = offset(*rows_, triple);
    const Mat36 G_D = t.G * D;
    const double trace = G_D.cwiseProduct(t.G).sum() + t.R.sum();
    weight_[a] = trace > 0 ? trace / 3 : 1.0;
}

void BodyOperator::free_velocity(const VecX& v, VecX& q) const {
    q.resize(3 * static_cast<Eigen::Index>(of_triple_.size()));
    for (std::size_t l = 0; l < triples_->links.size(); ++l) {
        const Link& link = problem_->system.links[at(triples_->links[l])];
        const Vec6 u = link_velocity(problem_->system, link, v);
        for (int a = triples_->first[l]; a < triples_->first[l + 1]; ++a)
            q.segment<3>(3 * a) = of_triple_[at(a)].G * u + of_triple_[at(a)].offset;
    }
}

void BodyOperator::gather_impulses(const VecX& x, VecX& p) const {
    p.setZero();
    for (std::size_t l = 0; l + 1 < side_start_.size(); ++l) {
        Vec6 F = Vec6::Zero();
        for (int a = triples_->first[l]; a < triples_->first[l + 1]; ++a)
            F.noalias() += of_triple_[at(a)].G.transpose() * x.segment<3>(3 * a);
        for (int s = side_start_[l]; s < side_start_[l + 1]; ++s) {
            const Side& side = sides_[at(s)];
            p.segment<kNode>(kNode * side.node).noalias() += side.X.transpose() * F;
        }
    }
}

void BodyOperator::apply_inverse_masses(VecX& p) const {
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

template <typename Act>
void BodyOperator::for_each_link_velocity(const VecX& v, const Act& act) const {
    for (std::size_t l = 0; l + 1 < side_start_.size(); ++l) {
        Vec6 u = Vec6::Zero();
        for (int s = side_start_[l]; s < side_start_[l + 1]; ++s) {
            const Side& side = sides_[at(s)];
            u.noalias() += side.X * v.segment<kNode>(kNode * side.node);
        }
        for (int a = triples_->first[l]; a < triples_->first[l + 1]; ++a) act(a, u);
    }
}

void BodyOperator::multiply(const VecX& x, VecX& W_x) {
    gather_impulses(x, p_);
    apply_inverse_masses(p_);
    W_x.resize(x.size());
    for_each_link_velocity(p_, [&](int a, const Vec6& u) {
        const TripleRows& t = of_triple_[at(a)];
        W_x.segment<3>(3 * a) = t.G * u + t.R.cwiseProduct(x.segment<3>(3 * a));
    });
}

bool BodyOperator::factor(const std::vector<Mat3>& A, const std::vector<Mat3>& B,
                          const std::vector<char>& open, bool symmetric) {
    open_ = open;
    for (std::size_t a = 0; a < of_triple_.size(); ++a) {
        if (open[a]) continue;
        TripleRows& t = of_triple_[a];
        const Mat3 S = A[a] + B[a] * t.R.asDiagonal();
        if (!invert3(S, t.S_inverse)) return false;
        t.K.noalias() = t.S_inverse * B[a];
    }
    lu_.clear();
    for (const Mass& mass : masses_) lu_.entry(mass.entry) += mass.M;
    add_links();
    return lu_.factor(symmetric);
}

void BodyOperator::add_links() {
    const int* entry = pair_entry_.data();
    for (std::size_t l = 0; l + 1 < side_start_.size(); ++l) {
        Mat6 H = Mat6::Zero();
        bool any = false;
        for (int a = triples_->first[l]; a < triples_->first[l + 1]; ++a) {
            if (open_[at(a)]) continue;
            const TripleRows& t = of_triple_[at(a)];
            const Mat36 K_G = t.K * t.G;
            H.noalias() += t.G.transpose() * K_G;
            any = true;
        }
        const int begin = side_start_[l], end = side_start_[l + 1];
        const int pairs = (end - begin) * (end - begin);
        for (int i = begin; any && i < end; ++i) {
            const Mat6 X_H = sides_[at(i)].X.transpose() * H;
            for (int j = begin; j < end; ++j)
                lu_.entry(entry[(i - begin) * (end - begin) + j - begin]).noalias() +=
                    X_H * sides_[at(j)].X;
        }
        entry += pairs;
    }
}

void BodyOperator::solve(VecX& x) {
    t_ = x;
    for (std::size_t a = 0; a < of_triple_.size(); ++a) {
        const auto i = 3 * static_cast<Eigen::Index>(a);
        if (!open_[a]) t_.segment<3>(i).noalias() = of_triple_[a].S_inverse * x.segment<3>(i);
    }
    gather_impulses(t_, p_);
    lu_.solve(p_);
    x = t_;
    for_each_link_velocity(p_, [&](int a, const Vec6& u) {
        if (open_[at(a)]) return;
        const TripleRows& t = of_triple_[at(a)];
        const Vec3 G_u = t.G * u;
        x.segment<3>(3 * a).noalias() -= t.K * G_u;
    });
}

}  // namespace stiction
