// least_impulses.cpp - a least-squares step within the laws, repeated where bounds are met.
#include "contact/routes/least_impulses.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr double kSoftness = 1e-7;   // e: x has half of its digits, three iterations give the rest
constexpr int kMaxIterations = 6;    // where modes are a thousand times as soft as a contact
constexpr double kChange = 1e-5;     // of the impulses: less is what is left of the last answer
constexpr double kNothing = 1e-6;    // of the impulses: a step that is not worth taking
constexpr double kGain = 0.3;        // of W d, by an iteration; rounding is all that is left else
constexpr double kStill = 1e-6;      // of the tolerance, that W d may be
constexpr double kShare = 0.1;       // of the tolerance, that the residual may grow to
constexpr double kResting = 10;      // tolerances: a velocity that is none
constexpr int kMaxRounds = 4;        // of blocks that arrive at their bounds
constexpr int kMaxHalvings = 40;     // of a step that leaves the law
constexpr double kRounding = 1e-12;  // of an impulse: what a projection may move it by

// What a motor squeezes with is not redundant, though it moves nothing in this step.
bool has_contacts_only(const IslandTask& task) {
    const std::vector<Triple>& all = task.workspace.triples.all;
    return task.size.free_bodies && std::all_of(all.begin(), all.end(), [](const Triple& triple) {
               return triple.contact != kNone;
           });
}

// Three contacts between two bodies have nine rows for six velocities.
bool is_redundant(const IslandTask& task) {
    if (3 * task.size.contacts > task.size.velocities) return true;
    for (const int l : links_of(task)) {
        const LinkRows& range = task.problem.link_rows[at(l)];
        if (range.contact_end - range.contact_begin > 2) return true;
    }
    return false;
}

// Whether contacts have other impulses than they had in the last step.
bool has_changed(const IslandTask& task) {
    double change = 0, size = 0;
    for_each_contact(task, [&](int i) {
        const ContactRow& contact = task.problem.contacts[at(i)];
        const Vec3 c = task.solution.c_n[at(i)] * contact.n.head<3>() +
                       task.solution.c_s[at(i)] * contact.s.head<3>() +
                       task.solution.c_t[at(i)] * contact.t.head<3>();
        change += (c - task.shared.guess.impulses[at(i)]).squaredNorm();
        size += c.squaredNorm();
    });
    return change > kChange * kChange * size;
}

// Rows that may change, in B and open: blocks inside their law, and those without impulse that
// rest, at the velocities ws.u.
void find_free_rows(double tolerance, const BodyNewton& bodies, LeastImpulses& ws) {
    const double scale = bodies.W.weights().mean();
    const double resting = kResting * tolerance * bodies.q.norm();
    for (int a = 0; a < bodies.laws.contacts(); ++a) {
        Mat3& B = ws.B[at(a)];
        const Vec3 r = ws.r.segment<3>(3 * a), u = ws.u.segment<3>(3 * a);
        const bool bounded = bodies.laws.is_bounded(a);
        bool any = with_law(bodies.laws, a, [&](const auto& law) { return law.derivative(r, B); });
        if (!any) B.setZero();
        for (int k = 0; k < 3 && bounded; ++k) {
            const double lo = bodies.laws.lo[3 * a + k], hi = bodies.laws.hi[3 * a + k];
            if (B(k, k) == 0 && lo < hi && std::abs(u[k]) <= resting) B(k, k) = 1;
        }
        if (!bounded && r.isZero(0.0) && u.norm() <= resting) B.setIdentity();
        any = bounded ? B.diagonal().any() : B.isIdentity(0.0);
        ws.open[at(a)] = ws.open[at(a)] != 0 || !any;
        ws.A[at(a)] = scale * (kSoftness * Mat3::Identity() + (Mat3::Identity() - B));
    }
}

// d, and whether it was found.
bool find_step(double tolerance, BodyNewton& bodies, LeastImpulses& ws) {
    const auto restrict = [&](VecX& x) {
        for (std::size_t a = 0; a < ws.open.size(); ++a) {
            auto x_a = x.segment<3>(3 * static_cast<Eigen::Index>(a));
            x_a = ws.open[a] != 0 ? Vec3::Zero() : Vec3(ws.B[a] * x_a);
        }
    };
    if (!bodies.W.factor(ws.A, ws.B, ws.open, true)) return false;
    ws.d = -ws.r;
    restrict(ws.d);
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kMaxIterations; ++i) {
        bodies.W.multiply(ws.d, ws.u);
        restrict(ws.u);
        const double now = ws.u.norm();
        if (now <= kStill * tolerance * bodies.q.norm() || now > kGain * last) break;
        last = now;
        ws.u = -ws.u;
        bodies.W.solve(ws.u);
        restrict(ws.u);
        ws.d += ws.u;
    }
    return std::isfinite(ws.d.sum());
}

// How much of its step block a may take within its law.
double longest_share(const BodyNewton& bodies, const LeastImpulses& ws, int a) {
    const Vec3 r = ws.r.segment<3>(3 * a), d = ws.d.segment<3>(3 * a);
    if (d.isZero(0.0)) return 1;
    double share = 1;
    for (int i = 0; i < kMaxHalvings; ++i, share *= 0.5) {
        const Vec3 next = r + share * d;
        const Vec3 inside =
            with_law(bodies.laws, a, [&](const auto& law) { return Vec3(law.project(1, next)); });
        if ((inside - next).norm() <= kRounding * next.norm()) return share;
    }
    return 0;
}

// Moves r along d; blocks that cannot go on are open from then on. False if all have arrived.
bool take_step(const BodyNewton& bodies, LeastImpulses& ws) {
    const int n = bodies.laws.contacts();
    double share = 1;
    for (int a = 0; a < n; ++a) share = std::min(share, longest_share(bodies, ws, a));
    for (int a = 0; a < n && share < 1; ++a) {
        if (longest_share(bodies, ws, a) <= share) ws.open[at(a)] = 1;
    }
    ws.r += share * ws.d;
    return share < 1;
}

}  // namespace

void lessen_impulses(const IslandTask& task, const ContactLaw& law, IslandResult& result) {
    const bool swept = result.solver == "sweeps" || result.solver == "prox_newton";
    if (!swept || result.status != SolveStatus::kSolved || is_iterated(task.size)) return;
    if (!has_contacts_only(task) || !is_redundant(task) || !has_changed(task)) return;
    IslandWorkspace& island = task.workspace;
    BodyNewton& bodies = island.body_newton();
    LeastImpulses& ws = island.least_impulses();
    prepare_newton(task, law);
    const std::size_t n = island.triples.all.size();
    ws.A.resize(n);
    ws.B.resize(n);
    ws.open.assign(n, 0);
    ws.r = island.triples.r;
    for (int i = 0; i < kMaxRounds; ++i) {
        bodies.W.multiply(ws.r, ws.u);
        ws.u += bodies.q;
        find_free_rows(task.stop.tolerance, bodies, ws);
        if (!find_step(task.stop.tolerance, bodies, ws)) break;
        if (ws.d.norm() <= kNothing * ws.r.norm()) break;
        if (!take_step(bodies, ws)) break;
    }
    bodies.W.multiply(ws.r, ws.u);
    ws.u += bodies.q;
    const double after = residual(bodies.laws, bodies.q, bodies.W.weights(), ws.r, ws.u).worst();
    const double most = std::max(result.residual, kShare * task.stop.tolerance);
    if (!(after <= most) || ws.r.norm() >= island.triples.r.norm()) return;
    island.triples.r = ws.r;
    commit_triples(task);
    result.residual = after;
}

}  // namespace stiction
