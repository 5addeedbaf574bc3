// contact_pgs.cpp - one loop of sweeps for two ways to hold W and three friction laws.
#include "solve/cone/contact_pgs.h"

#include <cmath>
#include <limits>

#include "solve/cone/one_contact.h"

namespace stiction {

namespace {

constexpr int kDefaultSweeps = 5000;
constexpr double kGrowth = 1e4;       // of the residual over the best: too far
constexpr double kRelaxFactor = 0.7;  // omega shrinks by
constexpr double kLeastRelaxation = 0.05;

// --- the laws ---

struct ConeLaw {
    const VecX& mu;
    VecX& lambda;
    [[nodiscard]] Vec3 solve(Eigen::Index a, const Mat3& W, const Vec3& q) const {
        return solve_one_contact(W, q, mu[a], lambda[a]);
    }
    [[nodiscard]] Vec3 dual(Eigen::Index a, const Vec3& u) const {
        return {u[0] + mu[a] * std::sqrt(u[1] * u[1] + u[2] * u[2]), u[1], u[2]};
    }
    [[nodiscard]] Vec3 project(Eigen::Index a, double, const Vec3& x) const {
        return project_on_cone(mu[a], x);
    }
};

struct PolygonLaw {
    const VecX& mu;
    const FrictionDirections& directions;
    [[nodiscard]] Vec3 solve(Eigen::Index a, const Mat3& W, const Vec3& q) const {
        return solve_polygon_contact(W, q, mu[a], directions);
    }
    [[nodiscard]] Vec3 dual(Eigen::Index a, const Vec3& u) const {
        return polygon_dual(mu[a], directions, u);
    }
    [[nodiscard]] Vec3 project(Eigen::Index a, double, const Vec3& x) const {
        return project_on_polygon(mu[a], directions, x);
    }
};

struct BoxLaw {
    const VecX& bound;
    [[nodiscard]] Vec3 solve(Eigen::Index a, const Mat3& W, const Vec3& q) const {
        return solve_box_contact(W, q, bound[a]);
    }
    [[nodiscard]] Vec3 dual(Eigen::Index, const Vec3& u) const { return u; }
    [[nodiscard]] Vec3 project(Eigen::Index a, double scale, const Vec3& x) const {
        return project_on_box(scale * bound[a], x);
    }
};

// --- the ways to hold W ---

struct GivenW {
    const ConeProblem& problem;

    [[nodiscard]] const VecX& q() const { return problem.q; }
    [[nodiscard]] const Mat3& diagonal(Eigen::Index a) const {
        return problem.W.at_diagonal(static_cast<int>(a));
    }
    [[nodiscard]] Vec3 velocity(Eigen::Index a, const VecX& r) const {
        return problem.q.segment<3>(3 * a) + row_product(problem.W, static_cast<int>(a), r);
    }
    void change(Eigen::Index, const Vec3&) const {}
    void all_velocities(const VecX& r, VecX& u) const { multiply_add(problem.W, r, problem.q, u); }
};

struct ImpliedW {
    const SparseContacts& contacts;
    VecX& v;

    [[nodiscard]] const VecX& q() const { return contacts.q; }
    [[nodiscard]] const Mat3& diagonal(Eigen::Index a) const { return contacts.diagonal[at(a)]; }
    [[nodiscard]] Vec3 velocity(Eigen::Index a, const VecX&) const {
        Vec3 u = contacts.w.segment<3>(3 * a);
        for (int i = 0; i < 3; ++i) {
            Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(contacts.G, 3 * a + i);
            for (; it; ++it) u[i] += it.value() * v[it.col()];
        }
        return u;
    }
    void change(Eigen::Index a, const Vec3& change) {
        for (int i = 0; i < 3; ++i) {
            Eigen::SparseMatrix<double>::InnerIterator it(contacts.P, 3 * a + i);
            for (; it; ++it) v[it.row()] += it.value() * change[i];
        }
    }
    // Forms v anew, so that the rounding of many changes does not pile up.
    void all_velocities(const VecX& r, VecX& u) {
        v = contacts.v_free;
        v.noalias() += contacts.P * r;
        u = contacts.w;
        u.noalias() += contacts.G * v;
    }
};

// --- the loop ---

template <typename Law>
ConeResidual law_residual(const Law& law, const VecX& q, const VecX& scale, const VecX& r,
                          const VecX& u) {
    double natural = 0;
    double scaled = 0;
    for (Eigen::Index a = 0; a < scale.size(); ++a) {
        const Vec3 r_a = r.segment<3>(3 * a);
        const Vec3 d = law.dual(a, u.segment<3>(3 * a));
        natural += (r_a - law.project(a, 1, r_a - d)).squaredNorm();
        const Vec3 x = scale[a] * r_a;
        scaled += (x - law.project(a, scale[a], x - d)).squaredNorm();
    }
    const double size = q.norm();
    ConeResidual residual;
    residual.natural = std::sqrt(natural) / std::max(1.0, size);
    residual.scaled = size > 0 ? std::sqrt(scaled) / size : std::sqrt(scaled);
    if (!std::isfinite(residual.natural + residual.scaled)) {
        residual.natural = residual.scaled = std::numeric_limits<double>::quiet_NaN();
    }
    return residual;
}

// True if some impulse changed.
template <typename Operator, typename Law>
bool sweep(Operator& W, const Law& law, double omega, bool backwards, VecX& r) {
    const Eigen::Index nc = r.size() / 3;
    bool changed = false;
    for (Eigen::Index i = 0; i < nc; ++i) {
        const Eigen::Index a = backwards ? nc - 1 - i : i;
        const Vec3 old = r.segment<3>(3 * a);
        const Vec3 q = W.velocity(a, r) - W.diagonal(a) * old;
        const Vec3 change = omega * (law.solve(a, W.diagonal(a), q) - old);
        if ((change.array() == 0).all()) continue;
        changed = true;
        r.segment<3>(3 * a) += change;
        W.change(a, change);
    }
    return changed;
}

template <typename Operator, typename Law>
void run(Operator W, const Law& law, const ContactPgsSettings& settings, const VecX& guess,
         ContactPgsWorkspace& workspace, ConeResult& result) {
    const Eigen::Index nc = W.q().size() / 3;
    VecX& r = workspace.r;
    VecX& u = workspace.u;
    workspace.scale.resize(nc);
    for (Eigen::Index a = 0; a < nc; ++a) workspace.scale[a] = W.diagonal(a).trace() / 3;
    if (guess.size() == 3 * nc && guess.allFinite()) {
        r = guess;
    } else {
        r.setZero(3 * nc);
    }
    const auto measure = [&] {
        W.all_velocities(r, u);
        return law_residual(law, W.q(), workspace.scale, r, u);
    };
    const auto keep = [&](const ConeResidual& residual) {
        result.r = r;
        result.u = u;
        result.residual = residual;
    };
    keep(measure());
    const double tolerance = settings.stop.tolerance;
    const int limit =
        settings.stop.max_iterations > 0 ? settings.stop.max_iterations : kDefaultSweeps;
    result.iterations = 0;
    double omega = 1;
    int idle = 0;  // measurements since the last progress
    bool changed = true;
    bool late = false;
    while (!(result.residual.worst() <= tolerance) && result.iterations < limit && changed &&
           omega >= kLeastRelaxation && !late) {
        changed = sweep(W, law, omega, settings.alternate && result.iterations % 2 == 1, r);
        ++result.iterations;
        late = settings.stop.deadline.passed();
        const bool last = !changed || result.iterations == limit || late;
        if (result.iterations % settings.check_every != 0 && !last) continue;
        const ConeResidual now = measure();
        const double best = result.residual.worst();
        ++idle;
        if (now.worst() < best || !std::isfinite(best)) {
            keep(now);
            idle = 0;
        } else if (const bool diverged = !(now.worst() <= kGrowth * best);
                   diverged || idle >= settings.patience) {
            omega *= kRelaxFactor;
            idle = 0;
            if (!diverged) continue;
            r = result.r;
            W.all_velocities(r, u);
        }
    }
    r = result.r;
    W.all_velocities(r, result.u);
    const double worst = result.residual.worst();
    result.status = worst <= tolerance      ? SolveStatus::kSolved
                    : !std::isfinite(worst) ? SolveStatus::kNotFinite
                    : late                  ? SolveStatus::kBudget
                                            : SolveStatus::kIterationLimit;
}

template <typename Operator>
void run_law(const Operator& W, const VecX& mu, const ContactPgsSettings& settings,
             const VecX& bound, const VecX& guess, ContactPgsWorkspace& workspace,
             ConeResult& result) {
    result.factorisations = 0;
    switch (settings.law) {
        case FrictionLaw::kCone:
            workspace.lambda.setZero(mu.size());
            run(W, ConeLaw{mu, workspace.lambda}, settings, guess, workspace, result);
            break;
        case FrictionLaw::kPolygon:
            set_directions(settings.sides, workspace.directions);
            run(W, PolygonLaw{mu, workspace.directions}, settings, guess, workspace, result);
            break;
        case FrictionLaw::kBox:
            run(W, BoxLaw{bound}, settings, guess, workspace, result);
            break;
    }
}

bool is_valid(const ContactPgsSettings& settings, const VecX& bound, Eigen::Index nc) {
    return settings.law != FrictionLaw::kBox ||
           (bound.size() == nc && bound.allFinite() && (bound.array() >= 0).all());
}

void refuse(Eigen::Index size, ConeResult& result) {
    result.r.setZero(size);
    result.u.setZero(size);
    result.status = SolveStatus::kNotFinite;
    result.iterations = result.factorisations = 0;
    result.residual.natural = result.residual.scaled = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool prepare(const ImpliedConeProblem& implied, SparseContacts& contacts) {
    const Eigen::Index nc = implied.mu.size();
    const Eigen::Index nv = implied.M.rows();
    if (implied.M.cols() != nv || implied.f.size() != nv || implied.G.cols() != nv ||
        implied.G.rows() != 3 * nc || implied.w.size() != 3 * nc) {
        return false;
    }
    contacts.G = implied.G;
    if (!divide_by_mass(implied.M, implied.G.transpose(), implied.f, contacts.P, contacts.v_free)) {
        return false;
    }
    contacts.w = implied.w;
    contacts.mu = implied.mu;
    contacts.q = contacts.G * contacts.v_free + contacts.w;
    contacts.diagonal.resize(at(nc));
    double sum = contacts.mu.sum() + contacts.q.sum();  // not finite if any term is not
    for (Eigen::Index a = 0; a < nc; ++a) {
        const Eigen::SparseMatrix<double> P_a = contacts.P.middleCols(3 * a, 3);
        contacts.diagonal[at(a)] = MatX(contacts.G.middleRows(3 * a, 3) * P_a);
        sum += contacts.diagonal[at(a)].sum();
    }
    return std::isfinite(sum) && (contacts.mu.array() >= 0).all();
}

void solve_contact_pgs(const ConeProblem& problem, const ContactPgsSettings& settings,
                       const VecX& bound, const VecX& guess, ContactPgsWorkspace& workspace,
                       ConeResult& result) {
    if (!is_valid(problem) || !problem.bounded.empty() ||
        !is_valid(settings, bound, problem.contacts())) {
        refuse(3 * problem.mu.size(), result);
        return;
    }
    run_law(GivenW{problem}, problem.mu, settings, bound, guess, workspace, result);
}

void solve_contact_pgs(const SparseContacts& contacts, const ContactPgsSettings& settings,
                       const VecX& bound, const VecX& guess, ContactPgsWorkspace& workspace,
                       ConeResult& result) {
    if (!is_valid(settings, bound, contacts.mu.size())) {
        refuse(contacts.q.size(), result);
        return;
    }
    run_law(ImpliedW{contacts, workspace.v}, contacts.mu, settings, bound, guess, workspace,
            result);
}

void solve_contact_pgs(const ConeProblem& problem, const ConeSettings& settings, const VecX& guess,
                       ContactPgsWorkspace& workspace, ConeResult& result) {
    ContactPgsSettings all;
    all.stop = settings;
    solve_contact_pgs(problem, all, VecX(), guess, workspace, result);
}

}  // namespace stiction
