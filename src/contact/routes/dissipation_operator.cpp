// dissipation_operator.cpp - factors and solves over pairs of velocities of an island's bodies.
#include "contact/routes/dissipation_operator.h"

namespace stiction {

namespace {

constexpr int kNode = BodyGraph::kNode;

}  // namespace

void DissipationOperator::prepare(BodyOperator& bodies) {
    bodies_ = &bodies;
    const BodyGraph& graph = bodies.graph();
    if (pattern_ != bodies.pattern()) lu_.analyse(graph.start(), graph.column());
    pattern_ = bodies.pattern();
    p_.resize(kNode * graph.nodes());
    z_.resize(2 * p_.size());
}

bool DissipationOperator::factor(const std::vector<Mat3>& S, const VecX& L, double k,
                                 const VecX& e) {
    const BodyGraph& graph = bodies_->graph();
    K_.resize(S.size());
    for (std::size_t a = 0; a < S.size(); ++a) {
        const Mat3 S_R = S[a] + Mat3(bodies_->softness(static_cast<int>(a)).asDiagonal());
        if (!invert3(S_R, K_[a])) return false;
    }
    lu_.clear();
    for (const BodyGraph::Mass& mass : graph.masses()) {
        auto& entry = lu_.entry(mass.entry);
        entry.topRightCorner<kNode, kNode>() += mass.M;
        entry.bottomLeftCorner<kNode, kNode>() += mass.M;
        entry.bottomRightCorner<kNode, kNode>() -= mass.M;
    }
    for (int l = 0; l < graph.links(); ++l) {
        Mat6 P = Mat6::Zero(), Q = Mat6::Zero();
        bool any = false;
        bodies_->for_each_triple(l, [&](int a, const Mat36& G) {
            const Mat36 K_G = K_[at(a)] * G;
            P.noalias() += G.transpose() * K_G;
            const Vec3 L_a = L.segment<3>(3 * a);
            if (L_a.isZero(0.0)) return;
            const Mat36 L_G = L_a.asDiagonal() * G;
            Q.noalias() += G.transpose() * L_G;
            any = true;
        });
        graph.add_products(l, P, [&](int entry, const Mat6& X) {
            lu_.entry(entry).template topLeftCorner<kNode, kNode>() += X;
        });
        if (!any) continue;
        graph.add_products(l, Q, [&](int entry, const Mat6& X) {
            lu_.entry(entry).template bottomRightCorner<kNode, kNode>() -= X;
        });
    }
    if (!lu_.factor(true)) return false;
    e_ = e;
    k_ = k;
    L_ = L;
    if (k > 0) {
        x_e_ = e;
        y_e_.setZero(e.size());
        solve_without_e(x_e_, y_e_);
    }
    return true;
}

void DissipationOperator::solve_without_e(VecX& x, VecX& y) {
    y = L_.cwiseProduct(y);
    bodies_->gather_impulses(y, p_);
    for (Eigen::Index n = 0; n < p_.size(); n += kNode)
        z_.segment<kNode>(2 * n + kNode) = p_.segment<kNode>(n);
    t_ = x;
    for (std::size_t a = 0; a < K_.size(); ++a) {
        const auto i = 3 * static_cast<Eigen::Index>(a);
        t_.segment<3>(i).noalias() = K_[a] * x.segment<3>(i);
    }
    bodies_->gather_impulses(t_, p_);
    for (Eigen::Index n = 0; n < p_.size(); n += kNode) {
        z_.segment<kNode>(2 * n) = p_.segment<kNode>(n);
    }
    lu_.solve(z_);
    for (Eigen::Index n = 0; n < p_.size(); n += kNode)
        p_.segment<kNode>(n) = z_.segment<kNode>(2 * n);  // w
    x = t_;
    bodies_->for_each_velocity(p_, [&](int a, const Mat36& G, const Vec6& u) {
        const Vec3 G_u = G * u;
        x.segment<3>(3 * a).noalias() -= K_[at(a)] * G_u;
    });
    for (Eigen::Index n = 0; n < p_.size(); n += kNode)
        p_.segment<kNode>(n) = z_.segment<kNode>(2 * n + kNode);  // v
    bodies_->for_each_velocity(p_, [&](int a, const Mat36& G, const Vec6& u) {
        const Vec3 G_u = G * u;
        y.segment<3>(3 * a) += L_.segment<3>(3 * a).cwiseProduct(G_u);
    });
}

void DissipationOperator::solve(VecX& x, VecX& y) {
    solve_without_e(x, y);
    if (k_ <= 0) return;
    const double share = k_ * e_.dot(x) / (1 + k_ * e_.dot(x_e_));
    x -= share * x_e_;
    y -= share * y_e_;
}

}  // namespace stiction
