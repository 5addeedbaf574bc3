// lemke.cpp - the ladder of tries around Lemke's method, and the final solve on the data as given;
// derivation in lemke.h.
#include "solve/lcp/lemke.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "solve/lcp/lemke_tableau.h"

namespace stiction {
namespace {

using lemke::Start;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoise = 1e-12;  // of the largest: rows this small are round-off, not scaled up
// From what rounding alone does to what changes the answer visibly, two digits at a time.
constexpr double kFirstRegularisation = 1e-14, kLastRegularisation = 1e-4,
                 kRegularisationStep = 100;
constexpr int kRefinements = 4;  // of a regularised solve: each takes the error down by its size
// Exchanges of one try. Most runs take 1 to 3 n, the longest seen 7 n (100 contacts on 8 bodies):
// when rounding makes one wander, another try is better. A good guess is a few away from the
// answer; a bad one had better start afresh. All tries together: four runs of full length.
constexpr int kColdPivots = 200, kColdPerUnknown = 15;
constexpr int kWarmPivots = 50, kUnknownsPerWarm = 2;
constexpr int kMinLimit = 2000, kLimitPerUnknown = 60;
// Exchanges after which the tableau is built anew, which costs up to n of them.
constexpr int kRenewal = 100, kUnknownsPerRenewal = 2;

// The power of two next to 1 / sqrt(x), or next to 1 / x.
double power_of_inverse_root(double x) { return std::ldexp(1.0, -(std::ilogb(x) >> 1)); }
double power_of_inverse(double x) { return std::ldexp(1.0, -std::ilogb(x)); }

void find_scale(const Lcp& lcp, std::vector<double>& s) {
    const int n = static_cast<int>(lcp.b.size());
    s.resize(at(n));
    const double largest = lcp.A.diagonal().cwiseAbs().maxCoeff();
    if (!(largest > 0)) {
        std::fill(s.begin(), s.end(), 1.0);
        return;
    }
    for (int i = 0; i < n; ++i) {
        const double a = std::abs(lcp.A(i, i));
        s[at(i)] = a > kNoise * largest ? power_of_inverse_root(a) : 0.0;
    }
    for (int i = 0; i < n; ++i) {
        if (s[at(i)] > 0) continue;
        double coupling = 0;  // to the rows that have a diagonal; < 0 marks those without
        for (int j = 0; j < n; ++j) coupling = std::max(coupling, s[at(j)] * std::abs(lcp.A(j, i)));
        s[at(i)] = -(coupling > kNoise * std::sqrt(largest) ? power_of_inverse(coupling)
                                                            : power_of_inverse_root(largest));
    }
    for (double& x : s) x = std::abs(x);
}

// ---- the current try: z in, violation out ----

struct Quality {
    double violation = kInfinity;  // scaled, see "End" in lemke.h
    double allowed = 0;
    [[nodiscard]] bool accepted() const { return violation <= allowed; }
};

// Sets w = S (A S z + b) for the scaled z of the workspace, and says how far from a solution z is.
Quality evaluate(const Lcp& lcp, double b_scale, double tolerance, LemkeWorkspace& ws) {
    const int n = static_cast<int>(lcp.b.size());
    std::copy(lcp.b.data(), lcp.b.data() + n, ws.w.data());
    double z_sum = 0;
    for (int j = 0; j < n; ++j) {
        const double z = ws.z[at(j)];
        if (z == 0) continue;
        z_sum += z;
        axpy(n, z * ws.scale[at(j)], lcp.A.data() + at(n) * at(j), ws.w.data());
    }
    Quality quality{0, tolerance * b_scale + 4 * kEps * z_sum};
    for (int i = 0; i < n; ++i) {
        const double w = ws.w[at(i)] *= ws.scale[at(i)];
        const double violation = ws.z[at(i)] > 0 ? std::abs(w) : -w;
        if (!(violation <= quality.violation))  // also when NaN
            quality.violation = std::isnan(violation) ? kInfinity : violation;
    }
    return quality;
}

// ---- reduced system A_BB z_B = -b_B ----

// Scaled z of the basic set `ws.set`, with the regularised matrix factored and the residual of the
// given one refined; negative components become 0. False when the reduced matrix is singular.
bool solve_basic_set(const Lcp& lcp, double regularisation, int refinements, LemkeWorkspace& ws) {
    const int n = static_cast<int>(lcp.b.size());
    ws.members.clear();
    for (int i = 0; i < n; ++i)
        if (ws.set[at(i)]) ws.members.push_back(i);
    const int k = static_cast<int>(ws.members.size());
    resize(ws.factor, k);
    ws.rhs.resize(at(k));
    for (int c = 0; c < k; ++c) {
        const int j = ws.members[at(c)];
        const double* a = lcp.A.data() + at(n) * at(j);
        double* column = ws.factor.lu.data() + at(k) * at(c);
        for (int r = 0; r < k; ++r) {
            const int i = ws.members[at(r)];
            column[r] = ws.scale[at(i)] * a[i] * ws.scale[at(j)];
        }
        column[c] += regularisation;
        ws.rhs[at(c)] = -ws.scale[at(j)] * lcp.b[j];
    }
    if (!factor_general(lemke::kSingular, ws.factor)) return false;
    std::fill(ws.z.begin(), ws.z.end(), 0.0);
    for (int pass = 0;; ++pass) {
        solve_principal(ws.factor, ws.rhs);
        for (int c = 0; c < k; ++c) ws.z[at(ws.members[at(c)])] += ws.rhs[at(c)];
        if (pass == refinements) break;
        for (int r = 0; r < k; ++r) ws.rhs[at(r)] = -lcp.b[ws.members[at(r)]];
        for (int c = 0; c < k; ++c) {
            const int j = ws.members[at(c)];
            const double* a = lcp.A.data() + at(n) * at(j);
            const double z = ws.scale[at(j)] * ws.z[at(j)];
            for (int r = 0; r < k; ++r) ws.rhs[at(r)] -= a[ws.members[at(r)]] * z;
        }
        for (int r = 0; r < k; ++r) ws.rhs[at(r)] *= ws.scale[at(ws.members[at(r)])];
    }
    for (const int i : ws.members) ws.z[at(i)] = std::max(0.0, ws.z[at(i)]);
    return true;
}

// ---- ladder ----

// What the tries share: the problem, its limits, and the best answer so far (in `result`).
struct Search {
    const Lcp& lcp;
    int n;
    double b_scale;
    double tolerance;
    int max_pivots;
    const Deadline& deadline;
    LemkeWorkspace& ws;
    LcpResult& result;
    Quality best;
};

// Keeps the current try when it is better than the best so far; true when it is a solution.
bool consider(Search& search, double regularisation) {
    LemkeWorkspace& ws = search.ws;
    const Quality quality = evaluate(search.lcp, search.b_scale, search.tolerance, ws);
    if (quality.violation < search.best.violation) {
        search.best = quality;
        search.result.regularisation = regularisation;
        search.result.basic = ws.set;
        for (int i = 0; i < search.n; ++i) {
            search.result.z[i] = ws.z[at(i)] * ws.scale[at(i)];
            search.result.w[i] = ws.w[at(i)] / ws.scale[at(i)];
        }
    }
    return quality.accepted();
}

// Takes the end of a run: on success the final solve on the given data.
SolveStatus conclude(Search& search, SolveStatus status, double regularisation) {
    LemkeWorkspace& ws = search.ws;
    lemke::read_tableau(ws, search.n, search.b_scale);
    if (status != SolveStatus::kSolved) {
        (void)consider(search, regularisation);
        return status;
    }
    const int refinements = regularisation > 0 ? kRefinements : 1;
    if (solve_basic_set(search.lcp, regularisation, refinements, ws) &&
        consider(search, regularisation))
        return SolveStatus::kSolved;
    lemke::read_tableau(ws, search.n, search.b_scale);
    return consider(search, regularisation) ? SolveStatus::kSolved : SolveStatus::kIterationLimit;
}

bool solve_from_guess(Search& search) {
    LemkeWorkspace& ws = search.ws;
    ++search.result.iterations;
    ws.set = ws.guess;
    if (!solve_basic_set(search.lcp, 0, 0, ws)) return false;
    if (consider(search, 0)) return true;
    ++search.result.iterations;
    lemke::build_tableau(search.lcp, search.b_scale, {}, ws);
    int& pivots = search.result.pivots;
    if (!lemke::pivot_to_guess(ws, search.n, pivots)) return false;
    const int most_pivots =
        std::min(kWarmPivots + search.n / kUnknownsPerWarm, search.max_pivots - pivots);
    const SolveStatus status =
        lemke::run_tableau(ws, search.n, most_pivots, search.deadline, nullptr, pivots);
    return conclude(search, status, 0) == SolveStatus::kSolved;
}

SolveStatus solve_cold(Search& search, const Start& start) {
    LemkeWorkspace& ws = search.ws;
    ++search.result.iterations;
    lemke::build_tableau(search.lcp, search.b_scale, start, ws);
    const int most_pivots = std::min(kColdPivots + kColdPerUnknown * search.n,
                                     search.max_pivots - search.result.pivots);
    const lemke::Renewal renewal{search.lcp, search.b_scale, start,
                                 kRenewal + search.n / kUnknownsPerRenewal};
    const SolveStatus status = lemke::run_tableau(ws, search.n, most_pivots, search.deadline,
                                                  &renewal, search.result.pivots);
    return conclude(search, status, start.regularisation);
}

SolveStatus climb(Search& search, bool retry) {
    LemkeWorkspace& ws = search.ws;
    if (consider(search, 0)) return SolveStatus::kSolved;  // z = 0
    const bool guessed = std::any_of(ws.guess.begin(), ws.guess.end(), [](char c) { return c; });
    if (guessed && solve_from_guess(search)) return SolveStatus::kSolved;
    if (guessed && search.deadline.passed()) return SolveStatus::kBudget;
    const SolveStatus first = solve_cold(search, {});
    if (first == SolveStatus::kSolved || !retry) return first;
    if (search.deadline.passed()) return SolveStatus::kBudget;
    if (search.result.pivots < search.max_pivots &&
        solve_cold(search, {.graded_cover = true}) == SolveStatus::kSolved)
        return SolveStatus::kSolved;
    double l = kFirstRegularisation;
    while (l < 2 * kLastRegularisation) {
        if (search.result.pivots >= search.max_pivots) break;
        if (solve_cold(search, {.regularisation = l}) == SolveStatus::kSolved)
            return SolveStatus::kSolved;
        if (search.deadline.passed()) return SolveStatus::kBudget;
        l *= kRegularisationStep;
    }
    return first;
}

}  // namespace

void solve_lemke(const Lcp& lcp, const LemkeSettings& settings, const LcpBasis& guess,
                 LemkeWorkspace& ws, LcpResult& result) {
    const int n = static_cast<int>(lcp.b.size());
    assert(lcp.A.rows() == n && lcp.A.cols() == n);
    const bool finite = all_finite(lcp.A) && all_finite(lcp.b);
    if (!begin(n, finite, guess, ws.guess, result)) return;
    find_scale(lcp, ws.scale);
    double b_scale = 0;
    for (int i = 0; i < n; ++i) b_scale = std::max(b_scale, ws.scale[at(i)] * std::abs(lcp.b[i]));
    // The units of A and b may be too far apart for a double.
    if (!std::isfinite(b_scale)) return refuse(lcp.b, result);
    ws.z.assign(at(n), 0.0);
    ws.w.resize(at(n));
    ws.set.assign(at(n), 0);
    ws.tied.reserve(at(n));
    reserve(ws.factor, n);
    ws.rhs.reserve(at(n));
    ws.members.reserve(at(n));

    const int own = std::max(kMinLimit, kLimitPerUnknown * n);
    const int max_pivots = settings.stop.max_iterations > 0 ? settings.stop.max_iterations : own;
    Search search{lcp, n,      b_scale, settings.stop.tolerance, max_pivots, settings.stop.deadline,
                  ws,  result, {}};
    result.status = climb(search, settings.retry);
    result.residual = residual(result.z, result.w);
}

}  // namespace stiction
