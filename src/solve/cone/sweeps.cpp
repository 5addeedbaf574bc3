// sweeps.cpp - one pass over the blocks, and the loop of passes that makes a solver of it.
#include "solve/cone/sweeps.h"

#include <cmath>

#include "solve/cone/one_contact.h"

namespace stiction {

namespace {

constexpr int kDefaultSweeps = 5000;     // what is not there by then gains a digit per thousands
constexpr int kPatience = 40;            // measurements without progress before omega falls
constexpr double kGrowth = 1e4;          // of the residual over the best: no way back
constexpr double kRelaxFactor = 0.7;     // of omega: nine falls from 1 to the end
constexpr double kMinRelaxation = 0.05;  // below, a sweep moves too little to be worth it

// One pass; move(old, solved) says where a block goes. Returns |D dr|.
template <typename Move>
double sweep(const ConeProblem& problem, const VecX& weight, const Move& move, VecX& lambda,
             VecX& r) {
    double change = 0;
    for (int a = 0; a < problem.contacts(); ++a) {
        const Mat3& W = problem.W.at_diagonal(a);
        const Vec3 old = r.segment<3>(3 * a);
        const Vec3 q = problem.q.segment<3>(3 * a) + row_product(problem.W, a, r) - W * old;
        const Vec3 solved =
            problem.is_bounded(a)
                ? solve_bounded_rows(W, bounded_inverse(W), q, problem.lo.segment<3>(3 * a),
                                     problem.hi.segment<3>(3 * a), old)
                : solve_one_contact(W, q, problem.mu[a], lambda[a]);
        const Vec3 now = move(old, solved);
        r.segment<3>(3 * a) = now;
        change += weight[a] * weight[a] * (now - old).squaredNorm();
    }
    return std::sqrt(change);
}

struct Solver {
    const ConeProblem& problem;
    const ConeSweepsSettings& settings;
    ConeSweepsWorkspace& ws;
    ConeResult& result;
    double omega = 1;
    int idle = 0;  // measurements since the last progress

    bool advance() {  // false if nothing changed
        const auto move = [&](const Vec3& old, const Vec3& solved) {
            return Vec3(old + omega * (solved - old));
        };
        return sweep(problem, ws.weight, move, ws.lambda, ws.r) != 0;
    }

    // Keeps the iterate if it is the best, or takes smaller steps when it has been none for long.
    void judge() {
        multiply_add(problem.W, ws.r, problem.q, ws.u);
        const ConeResidual now = residual(problem, ws.r, ws.u);
        const double best = result.residual;
        ++idle;
        if (now.worst() < best || !std::isfinite(best)) {
            keep(ws.r, ws.u, now, result);
            idle = 0;
            return;
        }
        const bool diverged = !(now.worst() <= kGrowth * best);
        if (!diverged && idle < kPatience) return;
        omega *= kRelaxFactor;
        idle = 0;
        if (diverged) ws.r = result.r;
    }
};

}  // namespace

double cone_sweep(const ConeProblem& problem, const VecX& weight, VecX& lambda, VecX& r) {
    return sweep(
        problem, weight, [](const Vec3&, const Vec3& solved) { return solved; }, lambda, r);
}

void solve_cone_sweeps(const ConeProblem& problem, const ConeSweepsSettings& settings,
                       const VecX& guess, ConeSweepsWorkspace& ws, ConeResult& result) {
    const SolveSettings& stop = settings.stop;
    if (!begin(problem, guess, ws.r, result)) return;
    const int nc = problem.contacts();
    ws.lambda.setZero(nc);
    set_block_weights(problem.W, ws.weight);
    Solver solver{problem, settings, ws, result};
    solver.judge();
    const int limit = stop.max_iterations > 0 ? stop.max_iterations : kDefaultSweeps;
    bool late = false, changed = true;
    while (!(result.residual <= stop.tolerance) && result.iterations < limit && changed &&
           solver.omega >= kMinRelaxation && !late) {
        changed = solver.advance();
        ++result.iterations;
        late = stop.deadline.passed();
        const bool last = !changed || result.iterations == limit || late;
        if (result.iterations % settings.judge_every == 0 || last) solver.judge();
    }
    finish(stop, late, result);
}

}  // namespace stiction
