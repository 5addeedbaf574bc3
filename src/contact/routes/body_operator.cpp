// body_operator.cpp - products and solves over the bodies of an island.
#include "contact/routes/body_operator.h"

#include "problem/link_motion.h"

namespace stiction {

namespace {

// Velocities that the impulses of a step make against those that it was solved for: Newton's method
// is no better than that on the next step.
constexpr double kKrylovAccuracy = 0.05;

}  // namespace

void BodyOperator::prepare(const ContactProblem& problem, const Island& island,
                           const IslandRows& rows, const Triples& triples, bool factored) {
    problem_ = &problem;
    rows_ = &rows;
    triples_ = &triples;
    factored_ = factored;
    if (graph_.prepare(problem, island, triples)) {
        analysed_ = false;
        ++pattern_;
    }
    if (factored && !analysed_) lu_.analyse(graph_.start(), graph_.column());
    analysed_ = analysed_ || factored;
    if (!factored) {
        krylov_.analyse(graph_.start(), graph_.column());
        graph_.mass_diagonal(mass_);
    }
    p_.resize(BodyGraph::kNode * graph_.nodes());
    of_triple_.resize(triples.all.size());
    weight_.resize(static_cast<Eigen::Index>(triples.all.size()));
    const LinkSystem& system = problem.system;
    for (std::size_t l = 0; l < triples.links.size(); ++l) {
        const Link& link = system.links[at(triples.links[l])];
        const Mat6 D = delassus_block(system, link, link);
        for (int a = triples.first[l]; a < triples.first[l + 1]; ++a) set_triple(a, D);
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
    for (int l = 0; l < graph_.links(); ++l) {
        Vec6 F = Vec6::Zero();
        for (int a = triples_->first[at(l)]; a < triples_->first[at(l) + 1]; ++a)
            F.noalias() += of_triple_[at(a)].G.transpose() * x.segment<3>(3 * a);
        graph_.add_impulse(l, F, p);
    }
}

void BodyOperator::multiply(const VecX& x, VecX& W_x) {
    gather_impulses(x, p_);
    graph_.apply_inverse_masses(p_);
    W_x.resize(x.size());
    for_each_velocity(p_, [&](int a, const Mat36& G, const Vec6& u) {
        W_x.segment<3>(3 * a) = G * u + softness(a).cwiseProduct(x.segment<3>(3 * a));
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
    return assemble_and_factor(symmetric);
}

bool BodyOperator::assemble_and_factor(bool symmetric) {
    const auto entry = [&](int e) -> Mat6& { return factored_ ? lu_.entry(e) : krylov_.entry(e); };
    if (factored_) {
        lu_.clear();
    } else {
        krylov_.clear();
    }
    for (const BodyGraph::Mass& mass : graph_.masses()) entry(mass.entry) += mass.M;
    for (int l = 0; l < graph_.links(); ++l) {
        Mat6 H = Mat6::Zero();
        bool any = false;
        for (int a = triples_->first[at(l)]; a < triples_->first[at(l) + 1]; ++a) {
            if (open_[at(a)]) continue;
            const TripleRows& t = of_triple_[at(a)];
            const Mat36 K_G = t.K * t.G;
            H.noalias() += t.G.transpose() * K_G;
            any = true;
        }
        if (any) graph_.add_products(l, H, [&](int e, const Mat6& P) { entry(e) += P; });
    }
    return factored_ ? lu_.factor(symmetric) : krylov_.prepare(symmetric);
}

void BodyOperator::solve(VecX& x) {
    t_ = x;
    for (std::size_t a = 0; a < of_triple_.size(); ++a) {
        const auto i = 3 * static_cast<Eigen::Index>(a);
        if (!open_[a]) t_.segment<3>(i).noalias() = of_triple_[a].S_inverse * x.segment<3>(i);
    }
    gather_impulses(t_, p_);
    if (factored_) {
        lu_.solve(p_);
    } else {
        (void)krylov_.solve(mass_, kKrylovAccuracy, p_);
    }
    x = t_;
    for_each_velocity(p_, [&](int a, const Mat36& G, const Vec6& u) {
        if (open_[at(a)]) return;
        const Vec3 G_u = G * u;
        x.segment<3>(3 * a).noalias() -= of_triple_[at(a)].K * G_u;
    });
}

}  // namespace stiction
