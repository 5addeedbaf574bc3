// lemke_tableau.cpp - the condensed tableau of Lemke's method; derivation in lemke.h.
#include "solve/lcp/lemke_tableau.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction::lemke {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// All are thousands of roundings and far below 1, the size that the scaling gives to entries.
constexpr double kPivotTolerance = 1e-11;  // entries of T below this are not divided by
constexpr double kTieTolerance = 1e-11;    // a basic value this near 0 is 0, in units of max|b|
constexpr double kLexTolerance = 1e-9;     // equality of coefficients of the perturbation, ratios
constexpr double kGuessPivot = 1e-11;      // of the guess: a bad one costs more than a fresh start

double* column(LemkeWorkspace& ws, int n, int j) { return ws.tableau.data() + at(n) * at(j); }

void exchange(LemkeWorkspace& ws, int n, int r, int s) {
    double* entering = column(ws, n, s);
    const double inverse = 1 / entering[r];
    for (int j = 0; j < n + 2; ++j) {
        if (j == s) continue;
        double* t = column(ws, n, j);
        if (t[r] == 0) continue;
        const double factor = -t[r] * inverse;
        axpy(n, factor, entering, t);
        t[r] = factor;
    }
    for (int i = 0; i < n; ++i) entering[i] *= inverse;
    entering[r] = inverse;
    std::swap(ws.basic[at(r)], ws.nonbasic[at(s)]);
    ws.place[at(ws.basic[at(r)])] = ~r;
    ws.place[at(ws.nonbasic[at(s)])] = s;
}

// Brings column j into the basis in the row of its largest entry among those that may leave. False
// when that is not above `least`.
template <typename MayLeave>
bool bring_in(LemkeWorkspace& ws, int n, int j, double least, const MayLeave& may_leave) {
    const double* t = column(ws, n, j);
    int best = kNone;
    for (int i = 0; i < n; ++i)
        if (may_leave(ws.basic[at(i)]) && (best == kNone || std::abs(t[i]) > std::abs(t[best])))
            best = i;
    if (best == kNone || !(std::abs(t[best]) > least)) return false;
    exchange(ws, n, best, j);
    return true;
}

// Builds the tableau of the present basis anew from the data, so that rounding errors of the
// exchanges do not pile up over a long run. False when the basis has become singular.
bool refresh(const Renewal& renewal, LemkeWorkspace& ws) {
    const int n = static_cast<int>(renewal.lcp.b.size());
    ws.wanted.assign(at(2 * n + 1), 0);
    for (const int v : ws.basic) ws.wanted[at(v)] = 1;
    build_tableau(renewal.lcp, renewal.b_scale, renewal.start, ws);
    const auto may_leave = [&](int v) { return !ws.wanted[at(v)]; };
    for (int j = 0; j <= n; ++j)
        if (ws.wanted[at(n + j)] && !bring_in(ws, n, j, kSingular, may_leave)) return false;
    return true;
}

// Row with the largest q_i < 0 over d_i, where z0 enters; kNone when q >= 0 already. Among equals
// the last variable: its perturbation e^j is the smallest.
int first_row(LemkeWorkspace& ws, int n) {
    const double* d = column(ws, n, n);
    const double* q = column(ws, n, n + 1);
    int best = kNone;
    for (int i = 0; i < n; ++i) {
        if (q[i] >= -kTieTolerance) continue;
        if (best == kNone) {
            best = i;
            continue;
        }
        const double difference = q[i] * d[best] - q[best] * d[i];
        if (difference < -kTieTolerance ||
            (difference <= kTieTolerance && ws.basic[at(i)] > ws.basic[at(best)]))
            best = i;
    }
    return best;
}

// Among the tied rows the one whose value, as a polynomial in e, reaches zero first.
int break_tie(LemkeWorkspace& ws, int n, const double* entering) {
    for (int j = 0; j < n && ws.tied.size() > 1; ++j) {
        const int place = ws.place[at(j)];
        const double* t = place >= 0 ? column(ws, n, place) : nullptr;
        if (t == entering) continue;  // every ratio is 1
        // Coefficient of e^j over the rate of decrease.
        const auto ratio = [&](int i) {
            const double coefficient = t != nullptr ? -t[i] : (~place == i ? 1.0 : 0.0);
            return coefficient / -entering[i];
        };
        double least = kInfinity, size = 1;
        for (const int i : ws.tied) {
            const double r = ratio(i);
            least = std::min(least, r);
            size = std::max(size, std::abs(r));
        }
        const double limit = least + kLexTolerance * size;
        std::erase_if(ws.tied, [&](int i) { return ratio(i) > limit; });
    }
    int best = ws.tied.front();
    for (const int i : ws.tied)
        if (entering[i] < entering[best]) best = i;
    return best;
}

// Row that limits the entering column, z0's at a tie; kNone on a ray.
int leaving_row(LemkeWorkspace& ws, int n, int s) {
    const double* entering = column(ws, n, s);
    const double* q = column(ws, n, n + 1);
    double least = kInfinity;
    for (int i = 0; i < n; ++i)
        if (entering[i] < -kPivotTolerance)
            least = std::min(least, std::max(q[i], 0.0) / -entering[i]);
    if (least == kInfinity) return kNone;
    ws.tied.clear();
    for (int i = 0; i < n; ++i) {
        if (entering[i] >= -kPivotTolerance) continue;
        if (q[i] + least * entering[i] > kTieTolerance) continue;  // left over when it enters
        if (ws.basic[at(i)] == 2 * n) return i;
        ws.tied.push_back(i);
    }
    return ws.tied.size() == 1 ? ws.tied.front() : break_tie(ws, n, entering);
}

}  // namespace

void build_tableau(const Lcp& lcp, double b_scale, const Start& start, LemkeWorkspace& ws) {
    const int n = static_cast<int>(lcp.b.size());
    ws.tableau.resize(at(n) * at(n + 2));
    ws.basic.resize(at(n));
    ws.nonbasic.resize(at(n + 1));
    ws.place.resize(at(2 * n + 1));
    ws.flipped.assign(at(n), 0);
    const double* s = ws.scale.data();
    double* cover = column(ws, n, n);
    double* q = column(ws, n, n + 1);
    for (int j = 0; j < n; ++j) {
        const double* a = lcp.A.data() + at(n) * at(j);
        double* t = column(ws, n, j);
        const double s_j = s[j];
        for (int i = 0; i < n; ++i) t[i] = s[i] * a[i] * s_j;
        t[j] += start.regularisation;
        constexpr double kGolden = 0.6180339887498949;  // spreads the entries of d evenly over 1..2
        cover[j] = start.graded_cover ? 1 + std::fmod(kGolden * (j + 1), 1.0) : 1.0;
        q[j] = s[j] * lcp.b[j] / b_scale;
        ws.basic[at(j)] = j;
        ws.nonbasic[at(j)] = n + j;
        ws.place[at(j)] = ~j;
        ws.place[at(n + j)] = j;
    }
    ws.nonbasic[at(n)] = 2 * n;
    ws.place[at(2 * n)] = n;
}

bool pivot_to_guess(LemkeWorkspace& ws, int n, int& pivots) {
    const auto may_leave = [&](int v) { return v < n && ws.guess[at(v)]; };
    for (int j = 0; j < n; ++j) {
        if (!ws.guess[at(j)]) continue;
        if (!bring_in(ws, n, j, kGuessPivot, may_leave)) return false;
        ++pivots;
    }
    const auto rename = [&](int& v) {
        if (v < 2 * n && ws.guess[at(v % n)]) v = v < n ? v + n : v - n;
    };
    for (int& v : ws.basic) rename(v);
    for (int& v : ws.nonbasic) rename(v);
    for (int i = 0; i < n; ++i) ws.place[at(ws.basic[at(i)])] = ~i;
    for (int j = 0; j <= n; ++j) ws.place[at(ws.nonbasic[at(j)])] = j;
    ws.flipped = ws.guess;
    std::fill_n(column(ws, n, n), n, 1.0);
    return true;
}

SolveStatus run_tableau(LemkeWorkspace& ws, int n, int most_pivots, const Deadline& deadline,
                        const Renewal* renewal, int& pivots) {
    int r = first_row(ws, n);
    int s = n;
    for (int count = 0; r != kNone; ++count) {
        if (count == most_pivots) return SolveStatus::kIterationLimit;
        if (count > 0 && deadline.passed()) return SolveStatus::kBudget;
        const int leaving = ws.basic[at(r)];
        exchange(ws, n, r, s);
        ++pivots;
        if (leaving == 2 * n) return SolveStatus::kSolved;
        const bool renew = renewal != nullptr && (count + 1) % renewal->interval == 0;
        if (renew && !refresh(*renewal, ws)) return SolveStatus::kIterationLimit;
        double* q = column(ws, n, n + 1);
        for (int i = 0; i < n; ++i)
            if (std::abs(q[i]) < kTieTolerance) q[i] = 0;
        s = ws.place[at(leaving < n ? leaving + n : leaving - n)];
        r = leaving_row(ws, n, s);
        if (r == kNone) return SolveStatus::kNoSolution;
    }
    return SolveStatus::kSolved;
}

void read_tableau(LemkeWorkspace& ws, int n, double b_scale) {
    std::fill(ws.set.begin(), ws.set.end(), char{0});
    std::fill(ws.z.begin(), ws.z.end(), 0.0);
    const double* q = column(ws, n, n + 1);
    for (int i = 0; i < n; ++i) {
        const int v = ws.basic[at(i)];
        if (v == 2 * n) continue;
        const int j = v % n;
        const bool is_z = (v >= n) != (ws.flipped[at(j)] != 0);
        if (!is_z) continue;
        ws.set[at(j)] = 1;
        ws.z[at(j)] = std::max(0.0, q[i] * b_scale);
    }
}

}  // namespace stiction::lemke
