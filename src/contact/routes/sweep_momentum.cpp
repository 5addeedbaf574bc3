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

void accelerate_each(SweepMomentum& momentum, const LaneVector& before, SweepSystem& sweeps) {
    const bool first = !momentum.begun;
    momentum.begun = true;
    const std::size_t lanes = kLanes * sweeps.wide.packs.size();
    if (first) {
        momentum.x = sweeps.r;
        momentum.t.set_zero(lanes + sweeps.places.size());
        momentum.t.all().setOnes();
        momentum.sweeps = 0;
        return;
    }
    const double most = momentum.most > 0 ? momentum.most : most_after(++momentum.sweeps);
    extrapolate_wide(lanes_of(sweeps), most, momentum.x.data(), before.data(), momentum.t.data(),
                     sweeps.wide);
    for (std::size_t b = 0; b < sweeps.places.size(); ++b) {
        const std::size_t i = sweeps.first_place() + 3 * b;
        const Vec3 x = Eigen::Map<const Vec3>{sweeps.r.data() + i};
        Eigen::Map<Vec3> last{momentum.x.data() + i};
        const Vec3 way = x - last;
        last = x;
        double& t = momentum.t.data()[lanes + b];
        if (way.dot(x - Eigen::Map<const Vec3>{before.data() + i}) < 0)
            t = std::max(1.0, kKept * t);
        const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
        const double beta = std::min(most, (t - 1) / next);
        t = next;
        if (beta > 0) set_triple(b, x + beta * way, sweeps);
    }
}

}  // namespace stiction
