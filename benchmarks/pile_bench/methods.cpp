// methods.cpp - accelerations of sweeps: relaxation, order, momentum, conjugacy, Anderson's method,
// Newton steps in between.
#include "pile_bench/methods.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "core/thread_clock.h"

namespace stiction {

namespace {

// Counts and times what a method does, and looks at the residual beside it.
class Watch {
  public:
    Watch(SweptIsland& island, int most) : island_(island), most_(most) {
        trace_.sweeps.fill(0);
        trace_.seconds.fill(0);
        trace_.met.fill(false);
        trace_.residual = measure_sweeps(island.system);
        note(trace_.residual);
        begun_ = cpu_now();
    }

    // After a sweep (or what costs as much as several): whether to go on.
    bool more(double sweeps = 1) {
        spent_ += cpu_now() - begun_;
        count_ += sweeps;
        last_ = measure_sweeps(island_.system);
        note(last_);
        begun_ = cpu_now();
        return count_ < most_ && !trace_.met.back() && std::isfinite(last_);
    }
    [[nodiscard]] double residual() const { return last_; }

    Trace end() {
        for (std::size_t k = 0; k < kGoals.size(); ++k) {
            if (trace_.met[k]) continue;
            trace_.sweeps[k] = count_;
            trace_.seconds[k] = spent_;
        }
        return trace_;
    }

  private:
    void note(double residual) {
        trace_.residual = std::min(trace_.residual, residual);
        for (std::size_t k = 0; k < kGoals.size(); ++k) {
            if (trace_.met[k] || residual > kGoals[k]) continue;
            trace_.met[k] = true;
            trace_.sweeps[k] = count_;
            trace_.seconds[k] = spent_;
        }
    }

    SweptIsland& island_;
    int most_;
    Trace trace_;
    double begun_ = 0, spent_ = 0, count_ = 0, last_ = 0;
};

double sweep_backward(SweptIsland& island) {
    double change = 0;
    for (std::size_t b = island.triples.all.size(); b-- > 0;) {
        const Vec3 now = solve_triple(b, island.system);
        change += set_triple(b, now, island.system);
    }
    return std::sqrt(change);
}

double sweep_relaxed(SweptIsland& island, double omega) {
    double change = 0;
    SweepSystem& system = island.system;
    for (std::size_t b = 0; b < island.triples.all.size(); ++b) {
        const Vec3 old = system.r.all().segment<3>(3 * static_cast<Eigen::Index>(b));
        const Vec3 x = old + omega * (solve_triple(b, system) - old);
        const SweepPlace& place = system.places[b];
        const double mu = system.contacts[b].mu;
        Vec3 now;
        if (place.bounded != kNone) {
            const SweepBounded& rows = system.bounded[at(place.bounded)];
            now = BoundsLaw{rows.lo, rows.hi}.project(1, x);
        } else if (system.law.polygon && !place.normal_only) {
            now = project_on_polygon(mu, *system.law.polygon, x);
        } else {
            now = project_on_cone(mu, x);
        }
        change += set_triple(b, now, system);
    }
    return std::sqrt(change);
}

// Impulses and velocities together, as one point.
struct Point {
    VecX r, v;
};
Point here(const SweptIsland& island) { return {island.system.r.all(), island.system.v.all()}; }
void go(SweptIsland& island, const Point& x) {
    island.system.r.all() = x.r;
    island.system.v.all() = x.v;
}

// <x, y> weighted by the square of the triples' weights.
double dot(const SweptIsland& island, const VecX& x, const VecX& y) {
    double sum = 0;
    for (std::size_t b = 0; b < island.triples.all.size(); ++b) {
        const double w = island.system.places[b].weight;
        const auto i = static_cast<Eigen::Index>(3 * b);
        sum += w * w * (x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2]);
    }
    return sum;
}

VecX weights(const SweptIsland& island) {
    VecX weight;
    set_weights(island.system, weight);
    return weight;
}

Trace run_plain(SweptIsland& island, int most) {
    Watch watch(island, most);
    do sweep_once(island.system);
    while (watch.more());
    return watch.end();
}

template <int kPercent>
Trace run_relaxed(SweptIsland& island, int most) {
    Watch watch(island, most);
    do sweep_relaxed(island, 0.01 * kPercent);
    while (watch.more());
    return watch.end();
}

Trace run_symmetric(SweptIsland& island, int most) {
    Watch watch(island, most);
    for (bool more = true; more;) {
        sweep_once(island.system);
        if (!watch.more()) break;
        sweep_backward(island);
        more = watch.more();
    }
    return watch.end();
}

enum class Beta { kFletcherReeves, kPolakRibiere };

// Nonlinear conjugate gradients on the changes of sweeps [SNE10], from sweep kFirst on.
template <Beta kBeta, int kFirst, bool kSymmetric>
Trace run_conjugate(SweptIsland& island, int most) {
    Watch watch(island, most);
    VecX p_r, p_v, d, d_old;
    double size_old = 0;
    for (int k = 0;; ++k) {
        const Point before = here(island);
        double size = sweep_once(island.system);
        if (kSymmetric && !watch.more()) break;
        if (kSymmetric) size += sweep_backward(island);
        if (!watch.more()) break;
        if (k < kFirst) continue;
        d = island.system.r.all() - before.r;
        double beta = size_old > 0 ? size * size / (size_old * size_old) : 2;
        if (kBeta == Beta::kPolakRibiere && size_old > 0)
            beta = std::max(0.0, beta - dot(island, d, d_old) / (size_old * size_old));
        const bool restart = !(beta <= 1);
        if (!restart) {
            island.system.r.all() += beta * p_r;
            island.system.v.all() += beta * p_v;
        }
        p_r = island.system.r.all() - before.r;
        p_v = island.system.v.all() - before.v;
        d_old = d;
        size_old = size;
    }
    return watch.end();
}

// The house's method (momentum.h), as convex programs have it or with the restarts of Coulomb's law.
template <MomentumLaw kLaw>
Trace run_momentum(SweptIsland& island, int most) {
    Watch watch(island, most);
    const VecX weight = weights(island);
    MomentumHistory momentum;
    for (;;) {
        const VecX before = island.system.r.all();
        const double size = sweep_once(island.system);
        if (!watch.more()) break;
        accelerate(momentum, kLaw, size, weight, before, island.system.r.all(),
                   island.system.v.all());
    }
    return watch.end();
}

// Every triple its own (sweep_momentum.h).
Trace run_each(SweptIsland& island, int most) {
    Watch watch(island, most);
    SweepMomentum momentum;
    for (;;) {
        const LaneVector before = island.system.r;
        (void)sweep_once(island.system);
        if (!watch.more()) break;
        accelerate_each(momentum, before, island.system);
    }
    return watch.end();
}

// The same for all with at most kPercent of the way taken along.
template <int kPercent>
Trace run_capped(SweptIsland& island, int most) {
    Watch watch(island, most);
    Point last = here(island);
    double t = 1;
    for (;;) {
        const VecX before = island.system.r.all();
        sweep_once(island.system);
        if (!watch.more()) break;
        const Point x = here(island);
        if (dot(island, x.r - before, x.r - last.r) < 0) t = 1;
        const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
        const double beta = std::min((t - 1) / next, 0.01 * kPercent);
        go(island, {x.r + beta * (x.r - last.r), x.v + beta * (x.v - last.v)});
        last = x;
        t = next;
    }
    return watch.end();
}

// Momentum of a fixed share, as Chebyshev's iteration has in the limit for a spectral radius rho:
// beta = ((1 - s) / (1 + s))^2, s = sqrt(1 - rho); rho from the changes of the last sweeps.
Trace run_chebyshev(SweptIsland& island, int most) {
    Watch watch(island, most);
    Point last = here(island);
    double size_old = 0, rho = 0.5;
    for (int k = 0;; ++k) {
        const double size = sweep_once(island.system);
        if (!watch.more()) break;
        const Point x = here(island);
        if (size_old > 0) {
            // Momentum hides the radius: the rate seen is about sqrt(beta).
            const double rate = std::min(0.9995, size / size_old);
            rho = size > size_old ? 0.9 * rho : std::max(rho, rate);
        }
        const double s = std::sqrt(1 - rho);
        const double beta = std::pow((1 - s) / (1 + s), 2);
        go(island, {x.r + beta * (x.r - last.r), x.v + beta * (x.v - last.v)});
        last = x;
        size_old = size;
    }
    return watch.end();
}

// Anderson's method with a history of kDepth, anew where the changes grow.
template <int kDepth>
Trace run_anderson(SweptIsland& island, int most) {
    Watch watch(island, most);
    std::vector<VecX> df;
    std::vector<Point> dg;
    VecX f_old;
    Point g_old;
    double size_old = 0;
    const VecX weight = weights(island);
    for (;;) {
        const Point x = here(island);
        const double size = sweep_once(island.system);
        if (!watch.more()) break;
        const Point g = here(island);
        const VecX f = weight.cwiseProduct(g.r - x.r);
        if (size_old > 0 && size > 2 * size_old) {
            df.clear();
            dg.clear();
        } else if (size_old > 0) {
            df.push_back(f - f_old);
            dg.push_back({g.r - g_old.r, g.v - g_old.v});
            if (df.size() > kDepth) {
                df.erase(df.begin());
                dg.erase(dg.begin());
            }
        }
        f_old = f;
        g_old = g;
        size_old = size;
        if (df.empty()) continue;
        const auto m = static_cast<Eigen::Index>(df.size());
        MatX F(f.size(), m);
        for (Eigen::Index i = 0; i < m; ++i) F.col(i) = df[at(static_cast<int>(i))];
        const MatX A = F.transpose() * F;
        const VecX gamma = A.completeOrthogonalDecomposition().solve(F.transpose() * f);
        Point next = g;
        for (Eigen::Index i = 0; i < m; ++i) {
            next.r -= gamma[i] * dg[at(static_cast<int>(i))].r;
            next.v -= gamma[i] * dg[at(static_cast<int>(i))].v;
        }
        go(island, next);
    }
    return watch.end();
}

// Newton steps with an iterative inner solve, kApart sweeps with momentum apart, after kBefore of them.
template <int kBefore, int kApart>
Trace run_newton(SweptIsland& island, int most) {
    constexpr double kProducts = 30;  // of a step, in sweeps: what turns of piles take in the mean
    constexpr double kSmallest = 1e-5, kLargest = 1e-2;
    Watch watch(island, most);
    VecX dv;
    MomentumHistory momentum;
    const VecX weight = weights(island);
    double regularisation = 3e-3, best = watch.residual() > 0 ? watch.residual() : 1e30;
    Point best_point = here(island);
    for (int k = 1;; ++k) {
        const VecX before = island.system.r.all();
        const double size = sweep_once(island.system);
        if (!watch.more()) break;
        const bool turn = k >= kBefore && (k - kBefore) % kApart == 0;
        if (!turn) {
            accelerate(momentum, MomentumLaw::kCoulomb, size, weight, before, island.system.r.all(),
                       island.system.v.all());
            continue;
        }
        if (watch.residual() < best) {
            if (watch.residual() < 0.5 * best)
                regularisation = std::max(kSmallest, 0.3 * regularisation);
            best = watch.residual();
            best_point = here(island);
        } else if (k > kBefore) {
            go(island, best_point);
            regularisation = std::min(kLargest, 3 * regularisation);
        }
        forget(momentum);
        take_impulses(island.system, island.triples.r);
        if (!island.help->improve(regularisation, island.triples.r, dv)) continue;
        put_impulses(island.triples.r, dv, island.system);
        if (!watch.more(kProducts)) break;
    }
    return watch.end();
}

}  // namespace

const std::vector<Method>& sweep_methods() {
    static const std::vector<Method> kMethods = {
        {"plain", run_plain},
        {"relaxed_1.3", run_relaxed<130>},
        {"relaxed_1.6", run_relaxed<160>},
        {"symmetric", run_symmetric},
        {"conjugate", run_conjugate<Beta::kFletcherReeves, 6, false>},
        {"conjugate_pr", run_conjugate<Beta::kPolakRibiere, 6, false>},
        {"conjugate_symmetric", run_conjugate<Beta::kFletcherReeves, 3, true>},
        {"momentum", run_momentum<MomentumLaw::kCoulomb>},
        {"momentum_convex", run_momentum<MomentumLaw::kConvex>},
        {"momentum_each", run_each},
        {"momentum_80", run_capped<80>},
        {"momentum_90", run_capped<90>},
        {"chebyshev", run_chebyshev},
        {"anderson_5", run_anderson<5>},
        {"newton_60_30", run_newton<60, 30>},
        {"coloured_plain", run_plain, true},
        {"coloured_momentum", run_momentum<MomentumLaw::kCoulomb>, true},
        {"coloured_momentum_convex", run_momentum<MomentumLaw::kConvex>, true},
        {"coloured_momentum_each", run_each, true},
    };
    return kMethods;
}

}  // namespace stiction
