// box_lcp.cpp - residuals, validity and reductions of box-constrained problems; see box_lcp.h.
#include "solve/lcp/box_lcp.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kMaxRounding = 1e-8;  // relative residual that may be rounding: half the digits
constexpr double kSymmetric = 1e-12;   // relative to the diagonal: sums of 1e4 products differ so
// Of a direction of unbounded descent: flat to half of the digits, and steeper than that is flat.
constexpr double kFlat = 1e-8, kSlope = 1e-6;

using Eigen::Index;

// max |d_i z_i - clamp(d_i z_i - w_i, d_i lo_i, d_i hi_i)| for d given by a function of i, as the
// w_i nearest to what the bounds allow: a small w_i is not lost beside a large d_i z_i.
template <typename Weight>
double worst_distance(const BoxLcp& p, const VecX& z, const VecX& w, const Weight& weight) {
    assert(z.size() == p.b.size() && w.size() == p.b.size());
    double worst = 0;
    for (Index i = 0; i < z.size(); ++i) {
        if (!(std::isfinite(z[i]) && std::isfinite(w[i]))) return kNan;
        const double d = weight(i);
        const double distance = std::clamp(w[i], d * (z[i] - p.hi[i]), d * (z[i] - p.lo[i]));
        worst = std::max(worst, std::abs(distance));
    }
    return worst;
}

}  // namespace

double residual(const BoxLcp& problem, const VecX& z, const VecX& w) {
    return worst_distance(problem, z, w, [](Index) { return 1.0; });
}

double residual(const BoxLcp& problem, const VecX& z) {
    VecX w(z.size());
    evaluate(problem, z, w);
    return residual(problem, z, w);
}

double scale(const BoxLcp& problem) {
    double largest = 0;
    for (Index i = 0; i < problem.b.size(); ++i) {
        const double nearest = std::clamp(0.0, problem.lo[i], problem.hi[i]);
        largest = std::max({largest, std::abs(problem.b[i]),
                            nearest == 0 ? 0.0 : diagonal(problem, i) * std::abs(nearest)});
    }
    return largest;
}

double relative_residual(const BoxLcp& problem, const VecX& z, const VecX& w) {
    const double worst =
        worst_distance(problem, z, w, [&](Index i) { return diagonal(problem, i); });
    return worst == 0 ? 0.0 : worst / scale(problem);
}

bool is_solution(const BoxLcp& problem, double tolerance, const VecX& z, const VecX& w) {
    const double relative = relative_residual(problem, z, w);
    if (relative <= tolerance) return true;
    if (!(relative <= kMaxRounding)) return false;
    double largest = 0;  // max_i sum_j |A_ij z_j|
    for (Index i = 0; i < z.size(); ++i) {
        double sum = 0;
        for (Index j = 0; j < z.size(); ++j) sum += std::abs(problem.A(i, j) * z[j]);
        largest = std::max(largest, sum);
    }
    return relative * scale(problem) <= 4 * kEps * largest;
}

void evaluate(const BoxLcp& problem, const VecX& z, VecX& w) {
    w = problem.b;
    for (Index j = 0; j < z.size(); ++j)
        if (z[j] != 0) w += z[j] * problem.A.col(j);
}

double objective(const BoxLcp& problem, const VecX& z, const VecX& w) {
    return 0.5 * (z.dot(w) + z.dot(problem.b));
}

SolveStatus check(const BoxLcp& problem) {
    const Index n = problem.b.size();
    assert(problem.A.rows() == n && problem.A.cols() == n);
    assert(problem.lo.size() == n && problem.hi.size() == n);
    if (!all_finite(problem.A) || !all_finite(problem.b)) return SolveStatus::kNotFinite;
    bool crossed = false;
    for (Index i = 0; i < n; ++i) {
        const double lo = problem.lo[i], hi = problem.hi[i];
        if (std::isnan(lo) || std::isnan(hi) || lo == kInfinity || hi == -kInfinity)
            return SolveStatus::kNotFinite;
        crossed |= lo > hi;
    }
    return crossed ? SolveStatus::kNoSolution : SolveStatus::kSolved;
}

bool is_symmetric(const MatX& A) {
    for (Index j = 0; j < A.cols(); ++j)
        for (Index i = j + 1; i < A.rows(); ++i) {
            const double difference = A(i, j) - A(j, i);
            if (difference * difference > kSymmetric * kSymmetric * std::abs(A(i, i) * A(j, j)))
                return false;
        }
    return true;
}

bool is_unbounded_along(const BoxLcp& problem, const VecX& direction) {
    const Index n = problem.b.size();
    const auto root = [&](Index i) { return std::sqrt(diagonal(problem, i)); };
    VecX u = direction;
    double size = 0, slope = 0, b_size = 0;
    for (Index i = 0; i < n; ++i) {
        if (u[i] > 0 ? problem.hi[i] < kInfinity : problem.lo[i] > -kInfinity) u[i] = 0;
        size = std::max(size, root(i) * std::abs(u[i]));
        slope += problem.b[i] * u[i];
        b_size = std::max(b_size, std::abs(problem.b[i]) / root(i));
    }
    if (!(size > 0) || !std::isfinite(size)) return false;
    const VecX Au = problem.A * u;
    for (Index i = 0; i < n; ++i)
        if (!(std::abs(Au[i]) <= kFlat * size * root(i))) return false;
    return slope <= -kSlope * size * b_size;
}

void clamp_to_box(const BoxLcp& problem, VecX& z) {
    z = z.cwiseMin(problem.hi).cwiseMax(problem.lo);
}

BoundState state_at(const BoxLcp& problem, Index i, double z_i) {
    if (z_i == problem.lo[i]) return BoundState::kLower;
    return z_i == problem.hi[i] ? BoundState::kUpper : BoundState::kFree;
}

void BoxIterate::start(const BoxLcp& problem) {
    evaluate(problem, z, w);
    best = z;
    least = window_start = relative_residual(problem, z, w);
}

double BoxIterate::consider(const BoxLcp& problem) {
    const double now = relative_residual(problem, z, w);
    if (now < least) {
        least = now;
        best = z;
    }
    return now;
}

bool BoxIterate::stalls() {
    constexpr double kMinGain = 0.99;
    const bool stalled = least > kMinGain * window_start;
    window_start = least;
    return stalled;
}

bool begin(const BoxLcp& problem, BoxResult& result) {
    reset(result, problem.b.size());
    result.status = check(problem);
    if (result.status == SolveStatus::kSolved) return true;
    result.residual = std::numeric_limits<double>::quiet_NaN();
    return false;
}

bool begin(const BoxLcp& problem, const VecX& guess, VecX& z, BoxResult& result) {
    if (guess.size() == problem.b.size() && all_finite(guess))
        z = guess;
    else
        z.setZero(problem.b.size());
    if (!begin(problem, result)) return false;
    clamp_to_box(problem, z);
    return true;
}

bool begin(const BoxLcp& problem, const std::vector<BoundState>& guess,
           std::vector<BoundState>& state, BoxResult& result) {
    const auto n = at(problem.b.size());
    if (guess.size() == n) {
        state = guess;
    } else {
        state.assign(n, BoundState::kLower);
    }
    return begin(problem, result);
}

void reset(BoxResult& result, Index n) {
    static_cast<SolveReport&>(result) = {};
    result.z.setZero(n);
    result.w.setZero(n);
    result.state.assign(at(n), BoundState::kFree);
    result.pivots = 0;
    result.regularisation = 0;
    result.stalled = false;
    result.diverged = false;
}

void finish(const BoxLcp& problem, const VecX& z, BoxResult& result) {
    result.z = z;
    evaluate(problem, result.z, result.w);
    if (!std::isfinite(residual(problem, result.z, result.w))) {
        result.status = SolveStatus::kNotFinite;
        result.z.setZero();
        clamp_to_box(problem, result.z);
        evaluate(problem, result.z, result.w);
    }
    for (Index i = 0; i < z.size(); ++i) result.state[at(i)] = state_at(problem, i, result.z[i]);
    result.residual = residual(problem, result.z, result.w);
}

void judge_and_finish(const BoxLcp& problem, double tolerance, const VecX& z, BoxResult& result) {
    evaluate(problem, z, result.w);
    if (is_solution(problem, tolerance, z, result.w)) {
        result.status = SolveStatus::kSolved;
    } else if (result.status == SolveStatus::kSolved) {
        result.status = SolveStatus::kIterationLimit;
    }
    finish(problem, z, result);
}

Lcp to_lcp(const BoxLcp& problem) {
    const Index n = problem.b.size();
    assert((problem.lo.array() > -kInfinity).all());
    const Index bounded = (problem.hi.array() < kInfinity).count();
    Lcp lcp{MatX::Zero(n + bounded, n + bounded), VecX(n + bounded)};
    lcp.A.topLeftCorner(n, n) = problem.A;
    lcp.b.head(n) = problem.b + problem.A * problem.lo;
    for (Index i = 0, k = n; i < n; ++i) {
        if (!(problem.hi[i] < kInfinity)) continue;
        lcp.A(i, k) = 1;
        lcp.A(k, i) = -1;
        lcp.b[k++] = problem.hi[i] - problem.lo[i];
    }
    return lcp;
}

VecX from_lcp(const BoxLcp& problem, const VecX& z) {
    return (problem.lo + z.head(problem.b.size())).cwiseMin(problem.hi).cwiseMax(problem.lo);
}

}  // namespace stiction
