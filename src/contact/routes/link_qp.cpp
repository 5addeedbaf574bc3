// link_qp.cpp - block-sparse principal pivoting on links; see link_qp.h for the method.
#include "contact/routes/link_qp.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

using Node = LinkQpWorkspace::Node;

constexpr double kRest = 1e-14;           // [m/s] no motion: what rounding leaves of a body at rest
constexpr double kRankTolerance = 1e-10;  // on |y|^2 / |g|^2, as for FIND-INDICES
// Relative pivot of G'G above which six directions are taken as they are.
constexpr double kFullRankPivot = 1e-8;
constexpr double kProximal = 1e-10;  // delta over the mean diagonal of D
// The same when the answer is not good enough: points of a link that are 1e-5 of a body apart leave
// directions with 1e-10 of that diagonal. What rows share without need is then less exact.
constexpr double kFineProximal = 1e-12;
// Least over mean diagonal of D below which that is so from the start.
constexpr double kFlat = 1e-4;
constexpr double kSharing = 1e-10;  // compliance by which rows share what their targets contradict
// Of rigid rows that share a link with soft ones, same scale.
constexpr double kHardCompliance = 1e-12;
// Targets of dependent rows agree to this part of the velocity scale.
constexpr double kConsistent = 1e-12;
constexpr double kRefined = 1e-14;  // refinement stops at this part of the velocity scale
constexpr int kMaxRefinements = 6;
constexpr int kMostFactorisations = 100;
constexpr int kPatience = 4;       // rounds without progress before changing the worst rows only
constexpr int kLongPatience = 60;  // and after that before changing one row at a time

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Everything one call works on, so that the steps below read as the method.
struct Call {
    const LinkSystem& system;
    const LinkQp& qp;
    const VecX& v_free;
    std::span<RowState> states;
    LinkQpWorkspace& ws;
    std::span<double> c;
    VecX& momentum;
    VecX& v;
    double speed = 0;  // velocity scale of the island [m/s]

    [[nodiscard]] int links() const { return static_cast<int>(qp.links.size()); }
    [[nodiscard]] const Link& link(int l) const { return system.links[at(qp.links[at(l)])]; }
    [[nodiscard]] int row_begin(int l) const { return qp.row_begin[at(l)]; }
    [[nodiscard]] int row_end(int l) const { return qp.row_begin[at(l + 1)]; }
};

bool same_structure(const Call& call) {
    const std::vector<int>& signature = call.ws.signature;
    if (signature.size() != 2 * at(call.links())) return false;
    for (int l = 0; l < call.links(); ++l) {
        if (signature[2 * at(l)] != call.link(l).a || signature[2 * at(l) + 1] != call.link(l).b)
            return false;
    }
    return true;
}

// Links that share a block are coupled: one edge per such pair.
void analyse_structure(Call& call) {
    LinkQpWorkspace& ws = call.ws;
    ws.signature.clear();
    std::vector<std::pair<int, int>> incidence;  // block, link
    for (int l = 0; l < call.links(); ++l) {
        const Link& link = call.link(l);
        ws.signature.push_back(link.a);
        ws.signature.push_back(link.b);
        if (link.a != kNone) incidence.emplace_back(link.a, l);
        if (link.b != kNone) incidence.emplace_back(link.b, l);
    }
    std::sort(incidence.begin(), incidence.end());
    ws.edges.clear();
    for (std::size_t i = 0; i < incidence.size(); ++i) {
        for (std::size_t j = i + 1;
             j < incidence.size() && incidence[j].first == incidence[i].first; ++j) {
            ws.edges.emplace_back(incidence[i].second, incidence[j].second);
        }
    }
    std::sort(ws.edges.begin(), ws.edges.end());
    ws.edges.erase(std::unique(ws.edges.begin(), ws.edges.end()), ws.edges.end());
    ws.cholesky.analyse(call.links(), ws.edges);
    ws.nodes.resize(at(call.links()));
    ws.F.resize(at(call.links()));
    ws.correction.resize(at(call.links()));
    ws.D_diagonal.resize(at(call.links()));
    ws.D_off.resize(ws.edges.size());
}

void compute_delassus(Call& call) {
    LinkQpWorkspace& ws = call.ws;
    for (int l = 0; l < call.links(); ++l) {
        Mat6& D = ws.D_diagonal[at(l)];
        D = delassus_block(call.system, call.link(l), call.link(l));
        ws.nodes[at(l)].scale = D.trace() / 6.0;
        const bool flat = D.diagonal().minCoeff() < kFlat * ws.nodes[at(l)].scale;
        ws.nodes[at(l)].delta = (flat ? kFineProximal : kProximal) * ws.nodes[at(l)].scale;
    }
    for (int e = 0; e < static_cast<int>(ws.edges.size()); ++e) {
        const auto [row, column] = ws.cholesky.orientation(e);
        ws.D_off[at(e)] = delassus_block(call.system, call.link(row), call.link(column));
    }
}

// Impulses of rows at a non-zero bound act like external ones: momentum <- X' (their impulses).
// Returns whether there are any.
bool apply_bounds(Call& call) {
    const LinkQp& qp = call.qp;
    bool any = false;
    for (const int b : qp.blocks) {
        const InertiaBlock& block = call.system.blocks[at(b)];
        call.momentum.segment(block.offset, block.size).setZero();
    }
    for (int l = 0; l < call.links(); ++l) {
        Vec6 F = Vec6::Zero();
        for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
            const RowState state = call.states[at(r)];
            if (state == RowState::kFree) continue;
            const double bound = state == RowState::kLower ? qp.rows[at(r)].lo : qp.rows[at(r)].hi;
            call.c[at(r)] = bound;
            if (bound != 0.0) F += bound * qp.rows[at(r)].g;
        }
        if (F.isZero(0.0)) continue;
        add_link_impulse(call.system, call.link(l), F, call.momentum);
        any = true;
    }
    return any;
}

// v <- v_free + M^-1 momentum on the island's blocks, and every link's u.
void update_velocities(Call& call) {
    for (const int b : call.qp.blocks) {
        const InertiaBlock& block = call.system.blocks[at(b)];
        apply_inverse_inertia(call.system, block, call.momentum, call.v);
        call.v.segment(block.offset, block.size) += call.v_free.segment(block.offset, block.size);
    }
    for (int l = 0; l < call.links(); ++l) {
        call.ws.nodes[at(l)].u = link_velocity(call.system, call.link(l), call.v);
    }
}

Vec6 in_basis(const Node& node, const Vec6& x) {
    if (node.identity) return x;
    return node.basis * x;  // rows beyond the rank are zero
}

Vec6 from_basis(const Node& node, const Vec6& x) {
    if (node.identity) return x;
    return node.basis.transpose() * x;
}

double row_weight(const Node& node, const QpRow& row) {
    if (!node.soft) return 1.0;
    const double rho = kHardCompliance * node.scale;
    return rho / (rho + row.compliance);
}

// Orthonormal basis of the free rows by Gram-Schmidt, each row projected twice. Rigid rows come
// first: they then have no part in the directions that only soft rows reach. In a basis that mixes
// the two, what soft rows add to the Gram matrix (weights of 1e-15) is lost in the rounding of what
// rigid ones do.
void build_basis(const Call& call, int l, Node& node) {
    node.identity = false;
    node.rank = 0;
    node.basis.setZero();
    for (const bool soft : {false, true}) {
        if (soft && !node.soft) break;
        for (int r = call.row_begin(l); r < call.row_end(l) && node.rank < 6; ++r) {
            const QpRow& row = call.qp.rows[at(r)];
            if (call.states[at(r)] != RowState::kFree || (row.compliance > 0) != soft) continue;
            Vec6 y = row.g;
            for (int pass = 0; pass < 2; ++pass) {
                for (int k = 0; k < node.rank; ++k)
                    y -= node.basis.row(k).dot(y) * node.basis.row(k).transpose();
            }
            if (y.squaredNorm() <= kRankTolerance * row.g.squaredNorm()) continue;
            node.basis.row(node.rank++) = y.normalized().transpose();
        }
    }
}

// K += w g g', lower triangle (whole packets of two, so a little of the upper one comes along).
inline void add_outer(const Vec6& g, double w, Mat6& K) {
    K.col(0) += (w * g[0]) * g;
    K.col(1) += (w * g[1]) * g;
    K.col(2).tail<4>() += (w * g[2]) * g.tail<4>();
    K.col(3).tail<4>() += (w * g[3]) * g.tail<4>();
    K.col(4).tail<2>() += (w * g[4]) * g.tail<2>();
    K.col(5).tail<2>() += (w * g[5]) * g.tail<2>();
}

// K = sum of w g g' over the free rows in the basis (lower triangle), identity on the padding.
void build_gram(const Call& call, int l, Node& node) {
    Mat6 K = Mat6::Zero();
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        if (call.states[at(r)] != RowState::kFree) continue;
        const QpRow& row = call.qp.rows[at(r)];
        if (node.identity) {
            add_outer(row.g, 1.0, K);
        } else {
            add_outer(node.basis * row.g, row_weight(node, row), K);
        }
    }
    for (int k = node.rank; k < 6; ++k) K(k, k) = 1.0;
    node.K = K;
}

void build_node(Call& call, int l) {
    Node& node = call.ws.nodes[at(l)];
    int free_rows = 0;
    node.soft = false;
    node.has_target = false;
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        if (call.states[at(r)] != RowState::kFree) continue;
        ++free_rows;
        node.soft = node.soft || call.qp.rows[at(r)].compliance > 0;
        node.has_target = node.has_target || call.qp.rows[at(r)].target != 0;
    }
    bool done = false;
    if (free_rows >= 6 && !node.soft) {
        node.identity = true;
        node.rank = 6;
        build_gram(call, l, node);
        done = factor6(node.K, kFullRankPivot) == 0;
    }
    if (!done) {
        build_basis(call, l, node);
        build_gram(call, l, node);
        factor6(node.K, 0.0);
    }
    node.target.setZero();
    if (node.has_target) {
        for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
            if (call.states[at(r)] != RowState::kFree) continue;
            const QpRow& row = call.qp.rows[at(r)];
            node.target += (row_weight(node, row) * row.target) * in_basis(node, row.g);
        }
        forward6(node.K, node.target);
        backward6(node.K, node.target);
    }
    if (node.soft) {
        for (int k = 0; k < 6; ++k) {
            Vec6 column = k < node.rank ? Vec6(Vec6::Unit(k)) : Vec6(Vec6::Zero());
            forward6(node.K, column);
            backward6(node.K, column);
            node.P.col(k) = (kHardCompliance * node.scale) * column;
        }
    }
}

void build_matrix(Call& call) {
    LinkQpWorkspace& ws = call.ws;
    ws.cholesky.clear();
    for (int l = 0; l < call.links(); ++l) {
        const Node& node = ws.nodes[at(l)];
        Mat6& A = ws.cholesky.diagonal(l);
        if (node.identity) {
            A = ws.D_diagonal[at(l)];
        } else {
            A.noalias() = node.basis * ws.D_diagonal[at(l)] * node.basis.transpose();
            for (int k = node.rank; k < 6; ++k) A(k, k) = node.scale;
        }
        if (node.soft) A += node.P;
        A.diagonal().array() += node.delta;
    }
    for (int e = 0; e < static_cast<int>(ws.edges.size()); ++e) {
        const auto [row, column] = ws.cholesky.orientation(e);
        const Node& i = ws.nodes[at(row)];
        const Node& j = ws.nodes[at(column)];
        Mat6& A = ws.cholesky.off_diagonal(e);
        A = ws.D_off[at(e)];
        if (!i.identity) A = i.basis * A;
        if (!j.identity) A = A * j.basis.transpose();
    }
}

// Solves for F on the present set of free rows, refining on the true residual (without the proximal
// term).
void solve_free_rows(Call& call) {
    LinkQpWorkspace& ws = call.ws;
    if (apply_bounds(call)) {
        update_velocities(call);
    } else {
        for (Node& node : ws.nodes) node.u = node.u_free;
        for (const int b : call.qp.blocks) {
            const InertiaBlock& block = call.system.blocks[at(b)];
            call.v.segment(block.offset, block.size) =
                call.v_free.segment(block.offset, block.size);
        }
    }
    for (Vec6& F : ws.F) F.setZero();
    double last = std::numeric_limits<double>::infinity();
    for (int refinement = 0; refinement <= kMaxRefinements; ++refinement) {
        double largest = 0;
        for (int l = 0; l < call.links(); ++l) {
            const Node& node = ws.nodes[at(l)];
            Vec6 r = node.target - in_basis(node, node.u);
            if (node.soft) r -= node.P * ws.F[at(l)];
            ws.correction[at(l)] = r;
            largest = std::max(largest, r.lpNorm<Eigen::Infinity>());
        }
        if (largest <= kRefined * call.speed || largest > 0.5 * last) break;
        last = largest;
        ws.cholesky.solve(ws.correction);
        for (int l = 0; l < call.links(); ++l) {
            const Node& node = ws.nodes[at(l)];
            if (node.rank == 0) continue;
            ws.F[at(l)] += ws.correction[at(l)];
            add_link_impulse(call.system, call.link(l), from_basis(node, ws.correction[at(l)]),
                             call.momentum);
        }
        update_velocities(call);
    }
}

struct Verdict {
    int wrong = 0;        // rows whose impulse or velocity has the wrong sign
    double worst = 0;     // largest violation among them, as a velocity [m/s]
    double residual = 0;  // largest violation of the law by any row [m/s]
    double yielding = 0;  // of which rigid rows beside soft ones account for, rho c [m/s]
};

bool accepted(const Verdict& verdict, const Call& call, const LinkQpSettings& settings) {
    return verdict.residual <=
           std::max(10 * settings.tolerance * call.speed, kRest) + 2 * verdict.yielding;
}

// The state a row should have by the signs of its impulse c and velocity w; adds to the verdict.
RowState judge(const QpRow& row, RowState state, double c, double w, double scale,
               double velocity_slack, double& violation, Verdict& verdict) {
    if (row.lo == row.hi) return RowState::kLower;  // a prescribed impulse
    RowState wanted = state;
    switch (state) {
        case RowState::kFree: {
            const double below = (row.lo - c) * scale;
            const double above = (c - row.hi) * scale;
            if (below > velocity_slack) wanted = RowState::kLower;
            if (above > velocity_slack) wanted = RowState::kUpper;
            violation = std::max({std::abs(w), below, above});
            break;
        }
        case RowState::kLower:
            if (w < -velocity_slack) wanted = RowState::kFree;
            violation = -w;
            break;
        case RowState::kUpper:
            if (w > velocity_slack) wanted = RowState::kFree;
            violation = w;
            break;
    }
    if (wanted != state) {
        ++verdict.wrong;
        verdict.worst = std::max(verdict.worst, violation);
    }
    if (!(violation <= verdict.residual)) verdict.residual = violation;  // NaN must show
    return wanted;
}

// The common case, a rigid link that transmits all six components and wants none of them to move: u
// is the residual of its free rows, so these need their impulse's sign only.
void judge_rigid(Call& call, int l, const Vec6& y, double velocity_slack, Verdict& verdict) {
    LinkQpWorkspace& ws = call.ws;
    const Node& node = ws.nodes[at(l)];
    const double still = node.u.lpNorm<1>();
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        const QpRow& row = call.qp.rows[at(r)];
        const RowState state = call.states[at(r)];
        double& c = call.c[at(r)];
        ws.wanted[at(r)] = state;
        if (state == RowState::kFree) {
            c = row.g.dot(y);
            if (row.lo == -kInfinity && row.hi == kInfinity) continue;
            ws.wanted[at(r)] =
                judge(row, state, c, 0.0, node.scale, velocity_slack, ws.violation[at(r)], verdict);
        } else {
            const double w = row.g.dot(node.u) - row.target + row.compliance * c;
            ws.wanted[at(r)] =
                judge(row, state, c, w, node.scale, velocity_slack, ws.violation[at(r)], verdict);
        }
    }
    if (!(still <= verdict.residual)) verdict.residual = still;
}

void judge_general(Call& call, int l, const Vec6& y, double velocity_slack, Verdict& verdict) {
    LinkQpWorkspace& ws = call.ws;
    const Node& node = ws.nodes[at(l)];
    const double rho = (node.soft ? kHardCompliance : kSharing) * node.scale;
    for (int r = call.row_begin(l); r < call.row_end(l); ++r) {
        const QpRow& row = call.qp.rows[at(r)];
        double& c = call.c[at(r)];
        if (call.states[at(r)] == RowState::kFree) {
            // In the basis: the share of inconsistent targets is a small difference over a small
            // rho.
            const Vec6 g = in_basis(node, row.g);
            c = g.dot(y);
            if (node.soft && row.compliance == 0)
                verdict.yielding = std::max(verdict.yielding, rho * std::abs(c));
            const double inconsistent = node.has_target ? row.target - g.dot(node.target) : 0.0;
            if (std::abs(inconsistent) > kConsistent * call.speed) c += inconsistent / rho;
            c *= row_weight(node, row);
        }
        const double w = row.g.dot(node.u) - row.target + row.compliance * c;
        ws.wanted[at(r)] = judge(row, call.states[at(r)], c, w, node.scale, velocity_slack,
                                 ws.violation[at(r)], verdict);
    }
}

// Impulse of each free row (its share of F), the velocity of every row, and what they say.
Verdict judge_rows(Call& call, double tolerance) {
    Verdict verdict;
    const double velocity_slack = tolerance * call.speed;
    for (int l = 0; l < call.links(); ++l) {
        const Node& node = call.ws.nodes[at(l)];
        Vec6 y = call.ws.F[at(l)];
        forward6(node.K, y);
        backward6(node.K, y);
        if (node.identity && !node.has_target) {
            judge_rigid(call, l, y, velocity_slack, verdict);
        } else {
            judge_general(call, l, y, velocity_slack, verdict);
        }
    }
    return verdict;
}

// Which of the wrong rows change in a round.
enum class Change { kAll, kWorst, kLast };

// Changes wrong rows (all, those at least half as wrong as the worst, or only the last) and
// rebuilds their nodes. Returns how many changed.
int change_states(Call& call, Change which, double worst) {
    int changed = 0;
    for (int l = call.links() - 1; l >= 0; --l) {
        bool touched = false;
        for (int r = call.row_end(l) - 1; r >= call.row_begin(l); --r) {
            if (call.ws.wanted[at(r)] == call.states[at(r)]) continue;
            if (which == Change::kLast && changed > 0) continue;
            if (which == Change::kWorst && call.ws.violation[at(r)] < 0.5 * worst) continue;
            call.states[at(r)] = call.ws.wanted[at(r)];
            touched = true;
            ++changed;
        }
        if (touched) build_node(call, l);
    }
    return changed;
}

// Largest free link velocity and target of the island; also sets every node's u_free.
double velocity_scale(const Call& call) {
    double scale = 0;
    for (int l = 0; l < call.links(); ++l) {
        const Link& link = call.link(l);
        Vec6& u = call.ws.nodes[at(l)].u_free;
        u = link_velocity(call.system, link, call.v_free);
        scale = std::max(scale, u.lpNorm<Eigen::Infinity>());
        scale = std::max(scale, link.u0.lpNorm<Eigen::Infinity>());
    }
    for (const QpRow& row : call.qp.rows) scale = std::max(scale, std::abs(row.target));
    return scale;
}

}  // namespace

LinkQpResult solve_link_qp(const LinkSystem& system, const LinkQp& qp,
                           const LinkQpSettings& settings, const VecX& v_free,
                           std::span<RowState> states, LinkQpWorkspace& workspace,
                           std::span<double> c, VecX& momentum, VecX& v) {
    Call call{system, qp, v_free, states, workspace, c, momentum, v};
    if (!same_structure(call)) analyse_structure(call);
    workspace.wanted.resize(qp.rows.size());
    workspace.violation.resize(qp.rows.size());
    call.speed = velocity_scale(call);

    LinkQpResult result;
    if (!std::isfinite(call.speed)) {
        result.status = SolveStatus::kNotFinite;
        return result;
    }
    compute_delassus(call);
    for (int l = 0; l < call.links(); ++l) build_node(call, l);

    Verdict verdict;
    int best = std::numeric_limits<int>::max();
    int patience = kPatience;
    bool fine = false;  // whether delta is the smaller one
    const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMostFactorisations;
    for (;;) {
        build_matrix(call);
        workspace.cholesky.factor();
        ++result.iterations;
        solve_free_rows(call);
        verdict = judge_rows(call, settings.tolerance);
        if (verdict.wrong == 0) {
            if (fine || accepted(verdict, call, settings) || result.iterations >= limit) break;
            fine = true;
            for (Node& node : workspace.nodes) node.delta = kFineProximal * node.scale;
            continue;
        }
        if (result.iterations >= limit || settings.deadline.passed()) {
            result.status =
                result.iterations >= limit ? SolveStatus::kIterationLimit : SolveStatus::kBudget;
            break;
        }
        // All at once while that makes progress; then the worst ones for a while; then one by one,
        // which ends.
        patience = verdict.wrong < best ? kPatience : patience - 1;
        best = std::min(best, verdict.wrong);
        const Change which = patience > 0                ? Change::kAll
                             : patience > -kLongPatience ? Change::kWorst
                                                         : Change::kLast;
        result.pivots += change_states(call, which, verdict.worst);
    }
    result.residual = verdict.residual;
    for (std::size_t r = 0; r < qp.rows.size(); ++r) {  // impulses a hair outside their bounds
        c[r] = std::clamp(c[r], qp.rows[r].lo, qp.rows[r].hi);
    }
    if (!std::isfinite(result.residual)) {
        result.status = SolveStatus::kNotFinite;
    } else if (result.status == SolveStatus::kSolved && !accepted(verdict, call, settings)) {
        result.status = SolveStatus::kNoSolution;  // the equalities contradict one another
    }
    return result;
}

}  // namespace stiction
