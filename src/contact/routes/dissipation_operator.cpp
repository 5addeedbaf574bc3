// dissipation_operator.cpp - products and solves over pairs of velocities of an island's bodies.
#include "contact/routes/dissipation_operator.h"

#include <algorithm>
#include <limits>

#include "problem/link_motion.h"

namespace stiction {

namespace {

using Kind = RowSource::Kind;
using Mat12 = BlockLu<12>::Block;

constexpr int kNode = BodyGraph::kNode;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// From vectors of velocities v and w over the nodes to pairs, and back.
void pair(const VecX& v, const VecX& w, VecX& z) {
    z.resize(2 * v.size());
    for (Eigen::Index n = 0; n < v.size(); n += kNode)
        z.segment<2 * kNode>(2 * n) << v.segment<kNode>(n), w.segment<kNode>(n);
}
void part(const VecX& z, VecX& v, VecX& w) {
    for (Eigen::Index n = 0; n < v.size(); n += kNode) {
        v.segment<kNode>(n) = z.segment<kNode>(2 * n);
        w.segment<kNode>(n) = z.segment<kNode>(2 * n + kNode);
    }
}

}  // namespace

void DissipationOperator::prepare(const ContactProblem& problem, const Island& island,
                                  const IslandRows& rows, const Triples& triples) {
    problem_ = &problem;
    rows_ = &rows;
    triples_ = &triples;
    if (graph_.prepare(problem, island, triples)) lu_.analyse(graph_.start(), graph_.column());
    p_.resize(kNode * graph_.nodes());
    for (VecX* x : {&other_, &v_, &w_}) x->resize(p_.size());
    of_triple_.resize(triples.all.size());
    const LinkSystem& system = problem.system;
    double sum = 0;
    for (std::size_t l = 0; l < triples.links.size(); ++l) {
        const Link& link = system.links[at(triples.links[l])];
        const Mat6 D = delassus_block(system, link, link);
        for (int a = triples.first[l]; a < triples.first[l + 1]; ++a) set_triple(a, D);
    }
    for (const TripleRows& t : of_triple_) sum += t.weight;
    scale_ = sum / static_cast<double>(of_triple_.size());
}

void DissipationOperator::set_triple(int a, const Mat6& D) {
    TripleRows& t = of_triple_[at(a)];
    const Triple& triple = triples_->all[at(a)];
    t.G = jacobian(*rows_, triple);
    t.R = compliance(*rows_, triple);
    t.offset = offset(*rows_, triple);
    t.held.setZero();
    t.is_free.setZero();
    t.counted = triple.contact != kNone ? 1 : 0;
    for (int k = 0; k < 3; ++k) {
        if (triple.row[at(k)] == kNone) continue;
        const Kind kind = rows_->source[at(triple.row[at(k)])].kind;
        const bool held = kind == Kind::kNormal || kind == Kind::kLimit || kind == Kind::kJoint;
        t.held[k] = held ? 1 : 0;
        t.is_free[k] = kind == Kind::kJoint ? 1 : 0;
    }
    const Mat36 G_D = t.G * D;
    const double trace = G_D.cwiseProduct(t.G).sum() + t.R.sum();
    t.weight = trace > 0 ? trace / 3 : 1.0;
}

void DissipationOperator::make_problem(const VecX& v_free, double kappa, const ConeLaws& of_x,
                                       ConeLaws& laws, VecX& q, VecX& weight) {
    const int n = triples();
    const int blocks = 2 * n + 1;
    q.setZero(3 * blocks);
    weight.resize(blocks);
    laws.mu.setZero(blocks);
    laws.mu.head(n) = of_x.mu;
    laws.lo.setZero(3 * blocks);
    laws.hi.setZero(3 * blocks);
    laws.lo.head(of_x.lo.size()) = of_x.lo;
    laws.hi.head(of_x.hi.size()) = of_x.hi;
    laws.bounded.assign(at(blocks), 1);
    for (int a = 0; a < n; ++a) laws.bounded[at(a)] = of_x.is_bounded(a);
    laws.offset = of_x.offset;
    laws.relaxed = laws.skew = true;
    double inverse = 0;
    for (int l = 0; l < graph_.links(); ++l) {
        const Link& link = problem_->system.links[at(triples_->links[at(l)])];
        const Vec6 u = link_velocity(problem_->system, link, v_free);
        for (int a = triples_->first[at(l)]; a < triples_->first[at(l) + 1]; ++a) {
            const TripleRows& t = of_triple_[at(a)];
            const Vec3 row = t.G * u + t.offset;
            q.segment<3>(3 * a) = row;
            q.segment<3>(3 * (n + a)) = t.held.cwiseProduct(row);
            weight[a] = weight[n + a] = t.weight;
            inverse += t.counted / t.weight;
            for (int k = 0; k < 3; ++k) {
                laws.lo[3 * (n + a) + k] = t.is_free[k] > 0 ? -kInfinity : 0;
                laws.hi[3 * (n + a) + k] = t.held[k] > 0 ? kInfinity : 0;
            }
        }
    }
    q[6 * n] = scale_ * kappa;
    weight[2 * n] = scale_ * scale_ * std::max(inverse, 1 / scale_);
    laws.lo.tail<3>().setZero();
    laws.hi.tail<3>() << kInfinity, 0, 0;
}

void DissipationOperator::gather(const VecX& x, Eigen::Index first, bool held, VecX& p) const {
    p.setZero();
    for (int l = 0; l < graph_.links(); ++l) {
        Vec6 F = Vec6::Zero();
        for (int a = triples_->first[at(l)]; a < triples_->first[at(l) + 1]; ++a) {
            const TripleRows& t = of_triple_[at(a)];
            Vec3 r = x.segment<3>(first + 3 * a);
            if (held) r = r.cwiseProduct(t.held);
            F.noalias() += t.G.transpose() * r;
        }
        graph_.add_impulse(l, F, p);
    }
}

void DissipationOperator::multiply(const VecX& x, VecX& W_x) {
    const int n = triples();
    gather(x, 0, false, p_);
    graph_.apply_inverse_masses(p_);  // v
    gather(x, 3 * n, true, other_);
    graph_.apply_inverse_masses(other_);
    other_ = p_ - other_;  // w
    W_x.setZero(x.size());
    const double tau = x[6 * n];
    double sum = 0;
    for (int l = 0; l < graph_.links(); ++l) {
        const Vec6 v = graph_.velocity(l, p_), w = graph_.velocity(l, other_);
        for (int a = triples_->first[at(l)]; a < triples_->first[at(l) + 1]; ++a) {
            const TripleRows& t = of_triple_[at(a)];
            const Vec3 x_a = x.segment<3>(3 * a);
            W_x.segment<3>(3 * a) = t.G * w + t.R.cwiseProduct(x_a);
            W_x[3 * a] += scale_ * tau * t.counted;
            W_x.segment<3>(3 * (n + a)) = t.held.cwiseProduct(t.G * v);
            sum += t.counted * x_a[0];
        }
    }
    W_x[6 * n] = -scale_ * sum;
}

bool DissipationOperator::factor(const std::vector<Mat3>& A, const std::vector<Mat3>& B,
                                 const std::vector<char>& open, bool) {
    const auto n = at(triples());
    open_ = open;
    for (std::size_t a = 0; a < n; ++a) {
        TripleRows& t = of_triple_[a];
        const Mat3 S = A[a] + B[a] * t.R.asDiagonal();
        t.K_x.setZero();
        t.K_l.setZero();
        if (!open[a]) {
            if (!invert3(S, t.S_x)) return false;
            t.K_x.noalias() = t.S_x * B[a];
        }
        if (!open[n + a]) {
            if (!invert3(A[n + a], t.S_l)) return false;
            t.K_l.noalias() = t.S_l * B[n + a] * t.held.asDiagonal();
        }
    }
    S_tau_ = open[2 * n] ? 1 : A[2 * n](0, 0);
    B_tau_ = open[2 * n] ? 0 : B[2 * n](0, 0);
    lu_.clear();
    for (const BodyGraph::Mass& mass : graph_.masses()) {
        Mat12& entry = lu_.entry(mass.entry);
        entry.topLeftCorner<kNode, kNode>() += mass.M;
        entry.topRightCorner<kNode, kNode>() -= mass.M;
        entry.bottomLeftCorner<kNode, kNode>() += mass.M;
    }
    add_links();
    if (!lu_.factor()) return false;
    // The response to tau = 1.
    t_.setZero(3 * static_cast<Eigen::Index>(2 * n + 1));
    for (std::size_t a = 0; a < n; ++a) {
        const auto i = 3 * static_cast<Eigen::Index>(a);
        t_.segment<3>(i) = -scale_ * of_triple_[a].counted * of_triple_[a].K_x.col(0);
    }
    gather(t_, 0, false, p_);
    other_.setZero();
    pair(other_, p_, z_tau_);
    lu_.solve(z_tau_);
    x_tau_.resize(t_.size());
    spread(z_tau_, x_tau_);
    return true;
}

void DissipationOperator::add_links() {
    for (int l = 0; l < graph_.links(); ++l) {
        Mat6 P = Mat6::Zero(), Q = Mat6::Zero();
        for (int a = triples_->first[at(l)]; a < triples_->first[at(l) + 1]; ++a) {
            const TripleRows& t = of_triple_[at(a)];
            const Mat36 K_G = t.K_x * t.G;
            P.noalias() += t.G.transpose() * K_G;
            const Mat36 L_G = t.held.asDiagonal() * t.K_l * t.G;
            Q.noalias() += t.G.transpose() * L_G;
        }
        graph_.add_products(l, Q, [&](int e, const Mat6& X) {
            lu_.entry(e).template topLeftCorner<kNode, kNode>() += X;
        });
        graph_.add_products(l, P, [&](int e, const Mat6& X) {
            lu_.entry(e).template bottomRightCorner<kNode, kNode>() += X;
        });
    }
}

// t_ holds S^-1 b of x and lambda, or what is given of open blocks.
void DissipationOperator::spread(const VecX& z, VecX& x) {
    const int n = triples();
    part(z, v_, w_);
    x = t_;
    for (int l = 0; l < graph_.links(); ++l) {
        const Vec6 u_v = graph_.velocity(l, v_), u_w = graph_.velocity(l, w_);
        for (int a = triples_->first[at(l)]; a < triples_->first[at(l) + 1]; ++a) {
            const TripleRows& t = of_triple_[at(a)];
            const Vec3 G_w = t.G * u_w;
            const Vec3 G_v = t.G * u_v;
            x.segment<3>(3 * a) -= t.K_x * G_w;
            x.segment<3>(3 * (n + a)) -= t.K_l * G_v;
        }
    }
}

void DissipationOperator::solve(VecX& x) {
    const int n = triples();
    t_ = x;
    for (int a = 0; a < n; ++a) {
        const TripleRows& t = of_triple_[at(a)];
        if (!open_[at(a)]) t_.segment<3>(3 * a) = t.S_x * x.segment<3>(3 * a);
        if (!open_[at(n + a)]) t_.segment<3>(3 * (n + a)) = t.S_l * x.segment<3>(3 * (n + a));
    }
    const double b_tau = x[6 * n];
    gather(t_, 3 * n, true, other_);
    gather(t_, 0, false, p_);
    pair(other_, p_, z_);
    lu_.solve(z_);
    spread(z_, x);
    const auto sum = [&](const VecX& y) {
        double total = 0;
        for (int a = 0; a < n; ++a) total += of_triple_[at(a)].counted * y[3 * a];
        return total;
    };
    const double tau = open_[at(2 * n)] ? b_tau
                                        : (b_tau + B_tau_ * scale_ * sum(x)) /
                                              (S_tau_ - B_tau_ * scale_ * sum(x_tau_));
    x += tau * x_tau_;
    x.segment<3>(6 * n) = Vec3(tau, 0, 0);
}

}  // namespace stiction
