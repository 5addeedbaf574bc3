// phase_two_triples.cpp - rows, start and end of the program of phase II.
#include "contact/routes/phase_two_triples.h"

#include <algorithm>

#include "contact/island/operators.h"
#include "contact/routes/phase_two.h"

namespace stiction {

namespace {

constexpr double kKappaSlack = 1e-9;  // relative, as the other routes have it

// Impulses of phase I, which the solution holds, by triples.
void take_phase_one(const IslandTask& task, VecX& x) {
    const IslandRows& rows = task.workspace.rows;
    const Triples& triples = task.workspace.triples;
    x.setZero(triples.r.size());
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int r = triples.all[a].row[k];
            if (r != kNone)
                x[static_cast<Eigen::Index>(3 * a + k)] =
                    impulse_of(rows.source[at(r)], task.solution);
        }
    }
}

// s of the cones, per triple; null where all are zero.
const VecX* set_offsets(const IslandTask& task, VecX& offset) {
    const PhaseTwoWorkspace& ws = task.workspace.phase_two();
    const std::vector<Triple>& all = task.workspace.triples.all;
    if (ws.viscous_bound.empty()) return nullptr;
    offset.setZero(static_cast<Eigen::Index>(all.size()));
    for (std::size_t a = 0; a < all.size(); ++a) {
        if (all[a].contact != kNone)
            offset[static_cast<Eigen::Index>(a)] = ws.bound(all[a].contact);
    }
    return &offset;
}

// Which rows may not close, and whose impulses count towards kappa.
void set_rows(const IslandTask& task, PhaseTwoTriples& ws) {
    const std::vector<Triple>& all = task.workspace.triples.all;
    ws.held.assign(3 * all.size(), Held::kNo);
    ws.counted.setZero(static_cast<Eigen::Index>(3 * all.size()));
    for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (all[a].row[k] == kNone) continue;
            switch (task.workspace.rows.source[at(all[a].row[k])].kind) {
                case RowSource::Kind::kNormal:
                case RowSource::Kind::kLimit:
                    ws.held[3 * a + k] = Held::kGap;
                    break;
                case RowSource::Kind::kJoint:
                    ws.held[3 * a + k] = Held::kEquality;
                    break;
                default:
                    break;
            }
        }
        if (all[a].contact != kNone) ws.counted[static_cast<Eigen::Index>(3 * a)] = 1;
    }
}

// Those of the last step. Sigma is the island's: the largest that its contacts know of.
void guess_multipliers(const IslandTask& task, DissipationResult& result) {
    const std::vector<Triple>& all = task.workspace.triples.all;
    const std::vector<Eigen::Vector2d>& known = task.shared.guess.multipliers;
    result.lambda.setZero(static_cast<Eigen::Index>(3 * all.size()));
    result.sigma = 0;
    if (known.empty()) return;
    for (std::size_t a = 0; a < all.size(); ++a) {
        if (all[a].contact == kNone) continue;
        result.lambda[static_cast<Eigen::Index>(3 * a)] = known[at(all[a].contact)][0];
        result.sigma = std::max(result.sigma, known[at(all[a].contact)][1]);
    }
}

void keep_multipliers(const IslandTask& task, const DissipationResult& result) {
    const std::vector<Triple>& all = task.workspace.triples.all;
    for (std::size_t a = 0; a < all.size(); ++a) {
        if (all[a].contact == kNone) continue;
        task.shared.next_multipliers[at(all[a].contact)] = {
            result.lambda[static_cast<Eigen::Index>(3 * a)], result.sigma};
    }
}

// The largest share of x in x_one + share (x - x_one) with which gaps stay open and the sum below
// kappa, to the tolerance: the feasible set is convex and holds x_one, so all shares below do too.
double feasible_share(const IslandTask& task, PhaseTwoTriples& ws) {
    const Triples& triples = task.workspace.triples;
    BodyNewton& bodies = task.workspace.body_newton();
    const VecX& q = bodies.q;
    const VecX& x = ws.result.x;
    bodies.W.multiply(ws.x_one, ws.u_one);
    bodies.W.multiply(x, ws.u);
    const double energy_one = 0.5 * ws.x_one.dot(ws.u_one) + ws.x_one.dot(q);
    const double energy = 0.5 * x.dot(ws.u) + x.dot(q);
    if (!(energy <= energy_one)) return 0;
    const double slack = task.stop.tolerance * q.norm();
    double share = 1;
    const auto keep_above = [&](double from, double to, double least) {
        if (to < least) share = std::min(share, std::max(0.0, (from - least) / (from - to)));
    };
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const Held held = ws.held[at(i)];
        if (held == Held::kNo) continue;
        keep_above(ws.u_one[i] + q[i], ws.u[i] + q[i], -slack);
        if (held == Held::kEquality) keep_above(-ws.u_one[i] - q[i], -ws.u[i] - q[i], -slack);
    }
    const double kappa = task.workspace.phase_two().kappa * (1 + task.stop.tolerance);
    keep_above(-sum_of_normals(triples, ws.x_one), -sum_of_normals(triples, x), -kappa);
    return share;
}

}  // namespace

double sum_of_normals(const Triples& triples, const VecX& x) {
    double sum = 0;
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        if (triples.all[a].contact != kNone) sum += x[3 * static_cast<Eigen::Index>(a)];
    }
    return sum;
}

void begin_phase_two(const IslandTask& task) {
    PhaseTwoTriples& ws = task.workspace.phase_two_triples();
    build_warm_triples(task);
    take_phase_one(task, ws.x_one);
    guess_multipliers(task, ws.result);
    ws.result.x = task.workspace.triples.r;
    prepare_newton(task, {nullptr, true, set_offsets(task, ws.offset)});
    set_rows(task, ws);
}

DissipationProgram phase_two_program(const IslandTask& task) {
    BodyNewton& bodies = task.workspace.body_newton();
    const PhaseTwoTriples& ws = task.workspace.phase_two_triples();
    return {bodies.laws, bodies.q,   bodies.W.weights(),
            ws.held,     ws.counted, task.workspace.phase_two().kappa * (1 + kKappaSlack)};
}

void commit_phase_two(const IslandTask& task, bool solved) {
    PhaseTwoTriples& ws = task.workspace.phase_two_triples();
    keep_multipliers(task, ws.result);
    const double share = solved ? 1.0 : feasible_share(task, ws);
    task.workspace.triples.r = ws.x_one + share * (ws.result.x - ws.x_one);
    commit_triples(task);
}

}  // namespace stiction
