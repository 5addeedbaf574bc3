// sweep_momentum.cpp - Nesterov's sequence, triple by triple.
#include "contact/routes/sweep_momentum.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double kKept = 0.5;   // of t, where a triple turns back
constexpr double kMost = 0.9;   // of the way, at first: beyond, neighbours drive one another
constexpr double kLeast = 0.5;  // in the end: plain sweeps are no surer, and slower
constexpr double kLess = 0.1;   // after as many sweeps as
constexpr int kSweepsOfEach = 200;

double most_after(int sweeps) {
    const int times = sweeps / kSweepsOfEach;
    return std::max(kLeast, kMost - kLess * times);
}

}  // namespace

void accelerate_each(SweepMomentum& momentum, const VecX& before, SweepSystem& sweeps,
                     Triples& triples) {
    const bool first = !momentum.begun;
    momentum.begun = true;
    if (first) {
        momentum.x = triples.r;
        momentum.t.assign(triples.all.size(), 1.0);
        momentum.sweeps = 0;
        return;
    }
    const double most = most_after(++momentum.sweeps);
    for (std::size_t b = 0; b < triples.all.size(); ++b) {
        const auto i = 3 * static_cast<Eigen::Index>(b);
        const Vec3 x = triples.r.segment<3>(i);
        const Vec3 way = x - momentum.x.segment<3>(i);
        momentum.x.segment<3>(i) = x;
        double& t = momentum.t[b];
        if (way.dot(x - before.segment<3>(i)) < 0) t = std::max(1.0, kKept * t);
        const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
        const double beta = std::min(most, (t - 1) / next);
        t = next;
        if (beta > 0) set_triple(b, x + beta * way, sweeps, triples);
    }
}

}  // namespace stiction
