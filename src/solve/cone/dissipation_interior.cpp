// dissipation_interior.cpp - the way through the interior, and when it ends.
#include "solve/cone/dissipation_interior.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/dissipation_walk.h"

namespace stiction {

namespace {

constexpr double kGain = 0.9;       // of the mean product, by an iteration that pays
constexpr double kFeasibly = 1e-6;  // F over |b|, above which less of it pays as well
constexpr int kPatience = 7;        // iterations that do not: with 4 some end far too early
constexpr double kShort = 0.01;     // step that leads nowhere
constexpr int kShortSteps = 2;      // of those in a row: a boundary that was come too close to
constexpr double kWarm = 1;         // residual of answers that a start may lie beside
constexpr double kClosely = 1e-4;   // residual from which on a blocked way is not begun anew

enum class WalkEnd { kArrived, kBlocked, kOver };

// Residual of the iterate, which is kept where it is the best.
double measure(const DissipationWalk& walk) {
    const DissipationInterior& ws = walk.ws;
    DissipationResult& result = walk.result;
    const double now = residual(walk.p, ws.x, ws.lambda, walk.sigma, ws.u, ws.w);
    if (now < result.residual) {
        result.x = ws.x;
        result.lambda = ws.lambda;
        result.sigma = walk.sigma;
        result.residual = now;
    }
    return now;
}

// Steps from where the walk stands, up to so many factorisations of the result.
WalkEnd go(DissipationWalk& walk, int limit) {
    DissipationResult& result = walk.result;
    double best = std::numeric_limits<double>::infinity(), least_F = best;
    int idle = 0, blocked = 0;
    while (true) {
        walk.evaluate();
        const double now = measure(walk);
        walk.mean = walk.mean_after(0);
        const double F = walk.ws.F.norm() / walk.b_norm;
        const bool pays = walk.mean < kGain * best || (F > kFeasibly && F < kGain * least_F);
        idle = pays ? 0 : idle + 1;
        best = std::min(best, walk.mean);
        least_F = std::min(least_F, F);
        if (result.residual <= walk.stop.tolerance) return WalkEnd::kArrived;
        if (result.factorisations >= limit || walk.stop.deadline.passed()) return WalkEnd::kOver;
        if (!std::isfinite(now) || idle >= kPatience) return WalkEnd::kBlocked;
        ++result.factorisations;
        ++result.iterations;
        if (!walk.linearise() || !walk.take_step(now)) return WalkEnd::kBlocked;
        blocked = walk.step < kShort ? blocked + 1 : 0;
        if (blocked == kShortSteps) return WalkEnd::kBlocked;
    }
}

}  // namespace

void walk_interior(const DissipationProgram& p, DissipationMatrix& A, const SolveSettings& stop,
                   const InteriorSlack& slack, bool near, DissipationInterior& ws,
                   DissipationResult& result) {
    const int n = p.laws.contacts();
    ws.S.resize(at(n));
    if (!(p.b.squaredNorm() > 0)) return;
    DissipationWalk walk{p, A, stop, slack, ws, result, n, p.b.norm()};
    const int limit = result.factorisations + stop.max_iterations;
    if (near && result.residual < kWarm) {
        ++result.warm_starts;
        walk.start_warm();
        if (go(walk, limit) != WalkEnd::kBlocked || result.residual < kClosely) return;
    }
    ++result.cold_starts;
    walk.start_cold();
    (void)go(walk, limit);
}

}  // namespace stiction
