// face.cpp - steps on a face of the box; see face.h.
#include "solve/lcp/face.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using Eigen::Index;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e3 * std::numeric_limits<double>::epsilon();  // of sums of 1e3 terms
constexpr double kNoPart = 1e-9;  // of the largest part of a flat direction: rounding, no motion

void scatter_step(Face& face) {
    face.step.setZero();
    for (size_t k = 0; k < face.members.size(); ++k) face.step[face.members[k]] = face.x[k];
}

// Place in the factor's order of the dependent member with the steepest w; kNone: all are zero.
int steepest_member(const VecX& w, const Face& face) {
    int steepest = kNone;
    double most = 0;
    for (int k = face.factor.rank; k < face.factor.size; ++k) {
        const auto place = at(face.factor.order[at(k)]);
        const double slope = std::abs(w[face.members[place]]) * face.factor.scale[place];
        if (slope <= most) continue;
        most = slope;
        steepest = k;
    }
    return steepest;
}

// Length of the step to the minimum along a flat direction x. Rounding is no curvature: its minimum
// would lie where nothing is left of b in w.
double length_to_minimum(const MatX& A, double slope, const Face& face) {
    double curvature = 0, terms = 0;  // terms: what the curvature is a difference of
    for (size_t k = 0; k < face.members.size(); ++k) {
        double A_x = 0, size = 0;
        for (size_t l = 0; l < face.members.size(); ++l) {
            const double term = A(face.members[k], face.members[l]) * face.x[l];
            A_x += term;
            size += std::abs(term);
        }
        curvature += face.x[k] * A_x;
        terms += std::abs(face.x[k]) * size;
    }
    return curvature > kRounding * terms ? std::abs(slope) / curvature : kInfinity;
}

}  // namespace

void reserve(Face& face, Index n) {
    face.members.reserve(at(n));
    face.x.reserve(at(n));
    face.step.setZero(n);
    reserve(face.factor, n);
}

void find_members(const BoxLcp& problem, const VecX& z, Face& face) {
    face.members.clear();
    for (Index i = 0; i < z.size(); ++i)
        if (z[i] > problem.lo[i] && z[i] < problem.hi[i])
            face.members.push_back(static_cast<int>(i));
}

bool factor_face(const MatX& A, bool symmetric, double pivot_tolerance, Face& face) {
    const bool regular = factor_principal(A, face.members, symmetric, pivot_tolerance, face.factor);
    return face.factor.rank > 0 && (symmetric || regular);
}

void find_step(const VecX& w, Face& face) {
    face.x.resize(face.members.size());
    for (size_t k = 0; k < face.members.size(); ++k) face.x[k] = -w[face.members[k]];
    solve_principal(face.factor, face.x);
    scatter_step(face);
}

FirstBound first_bound(const BoxLcp& problem, const VecX& z, const Face& face) {
    FirstBound first;
    for (const int i : face.members) {
        const double d = face.step[i];
        if (d == 0) continue;
        const double bound = d > 0 ? problem.hi[i] : problem.lo[i];
        const double length = std::max(0.0, (bound - z[i]) / d);
        if (length < first.length) first = {i, length, bound};
    }
    return first;
}

bool move_to_bound(const BoxLcp& problem, double length, const Face& face, VecX& z, VecX& w) {
    const FirstBound first = first_bound(problem, z, face);
    const bool met = first.length < length;
    length = std::min(length, first.length);
    if (length == kInfinity) return false;
    z += length * face.step;
    clamp_to_box(problem, z);
    if (met) z[first.unknown] = first.bound;
    evaluate(problem, z, w);
    return met;
}

FlatMove follow_flat_direction(const BoxLcp& problem, Face& face, VecX& z, VecX& w) {
    const int steepest = steepest_member(w, face);
    if (steepest == kNone) return FlatMove::kNothing;
    face.x.resize(face.members.size());
    flat_direction(problem.A, face.members, face.factor, steepest, face.x);
    double slope = 0, largest = 0;
    for (size_t k = 0; k < face.x.size(); ++k) {
        slope += w[face.members[k]] * face.x[k];
        largest = std::max(largest, std::abs(face.x[k]) / face.factor.scale[k]);
    }
    if (slope == 0) return FlatMove::kNothing;
    for (size_t k = 0; k < face.x.size(); ++k) {
        const bool part = std::abs(face.x[k]) / face.factor.scale[k] > kNoPart * largest;
        face.x[k] = part ? (slope > 0 ? -face.x[k] : face.x[k]) : 0.0;
    }
    scatter_step(face);
    const double length = length_to_minimum(problem.A, slope, face);
    const bool met = move_to_bound(problem, length, face, z, w);
    return met || length < kInfinity ? FlatMove::kMoved : FlatMove::kEndless;
}

}  // namespace stiction
