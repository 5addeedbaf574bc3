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
    r_.resize(p_.size());
    z_.resize(2 * p_.size());
}

void DissipationOperator::gather_two(const VecX& x, const VecX& y) {
    const BodyGraph& graph = bodies_->graph();
    p_.setZero();
    r_.setZero();
    for (int l = 0; l < graph.links(); ++l) {
        Vec6 F = Vec6::Zero(), H = Vec6::Zero();
        bodies_->for_each_triple(l, [&](int a, const Mat36& G) {
            F.noalias() += G.transpose() * x.segment<3>(3 * a);
            H.noalias() += G.transpose() * y.segment<3>(3 * a);
        });
        graph.add_impulse(l, F, p_);
        graph.add_impulse(l, H, r_);
    }
}

void DissipationOperator::multiply_two(const VecX& x, const VecX& y, VecX& A_x, VecX& A_y) {
    const BodyGraph& graph = bodies_->graph();
    gather_two(x, y);
    graph.apply_inverse_masses(p_);
    graph.apply_inverse_masses(r_);
    A_x.resize(x.size());
    A_y.resize(y.size());
    for_each_two([&](int a, const Mat36& G, const Vec6& p, const Vec6& r) {
        const Vec3& R = bodies_->softness(a);
        A_x.segment<3>(3 * a) = G * p + R.cwiseProduct(x.segment<3>(3 * a));
        A_y.segment<3>(3 * a) = G * r + R.cwiseProduct(y.segment<3>(3 * a));
    });
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
            for (int i = 0; i < 3; ++i) {  // mostly the normal alone
                if (L[3 * a + i] == 0) continue;
                const Vec6 g = G.row(i);
                Q.noalias() += (L[3 * a + i] * g) * g.transpose();
                any = true;
            }
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
    t_.resize(x.size());
    y = L_.cwiseProduct(y);
    for (std::size_t a = 0; a < K_.size(); ++a) {
        const auto i = 3 * static_cast<Eigen::Index>(a);
        t_.segment<3>(i).noalias() = K_[a] * x.segment<3>(i);
    }
    gather_two(t_, y);
    for (Eigen::Index n = 0; n < p_.size(); n += kNode) {
        z_.segment<kNode>(2 * n) = p_.segment<kNode>(n);
        z_.segment<kNode>(2 * n + kNode) = r_.segment<kNode>(n);
    }
    lu_.solve(z_);
    for (Eigen::Index n = 0; n < p_.size(); n += kNode) {
        p_.segment<kNode>(n) = z_.segment<kNode>(2 * n);          // w
        r_.segment<kNode>(n) = z_.segment<kNode>(2 * n + kNode);  // v
    }
    for_each_two([&](int a, const Mat36& G, const Vec6& w, const Vec6& v) {
        const Vec3 G_w = G * w, G_v = G * v;
        x.segment<3>(3 * a).noalias() = t_.segment<3>(3 * a) - K_[at(a)] * G_w;
        y.segment<3>(3 * a) += L_.segment<3>(3 * a).cwiseProduct(G_v);
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
