// cone_problem.cpp - residuals and checks of the Coulomb cone problem.
#include "solve/cone/cone_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ConeResidual SquaredErrors::residual(double size) const {
    ConeResidual result;
    result.natural = std::sqrt(natural) / std::max(1.0, size);
    result.scaled = size > 0 ? std::sqrt(scaled) / size : std::sqrt(scaled);
    if (!std::isfinite(result.natural + result.scaled)) result.natural = result.scaled = kNan;
    return result;
}

ConeResidual residual(const ConeLaws& laws, const VecX& q, const VecX& weight, const VecX& r,
                      const VecX& u) {
    SquaredErrors errors;
    for (int a = 0; a < laws.contacts(); ++a) {
        with_law(laws, a, [&](const auto& law) {
            errors.add(law, weight[a], r.segment<3>(3 * a), u.segment<3>(3 * a));
        });
    }
    return errors.residual(q.norm());
}

ConeResidual residual(const ConeProblem& problem, const VecX& r, const VecX& u) {
    SquaredErrors errors;
    for (int a = 0; a < problem.contacts(); ++a) {
        with_law(problem, a, [&](const auto& law) {
            errors.add(law, block_weight(problem.W, a), r.segment<3>(3 * a), u.segment<3>(3 * a));
        });
    }
    return errors.residual(problem.q.norm());
}

ConeResidual residual(const ConeProblem& problem, const VecX& r) {
    VecX u;
    multiply_add(problem.W, r, problem.q, u);
    return residual(problem, r, u);
}

void keep(const VecX& r, const VecX& u, const ConeResidual& coulomb, ConeResult& result) {
    result.r = r;
    result.u = u;
    result.coulomb = coulomb;
    result.residual = coulomb.worst();
}

bool is_valid(const ConeProblem& problem) {
    const int nc = problem.contacts();
    if (problem.q.size() != 3 * nc || !is_valid(problem.W, nc)) return false;
    if (!problem.bounded.empty()) {
        if (problem.bounded.size() != at(nc) || problem.lo.size() != 3 * nc) return false;
        if (problem.hi.size() != 3 * nc || !(problem.lo.array() <= problem.hi.array()).all()) {
            return false;
        }
    }
    // A sum is not finite if any term is not.
    return (problem.mu.array() >= 0).all() && std::isfinite(problem.q.sum() + problem.mu.sum());
}

bool begin(const ConeProblem& problem, const VecX& guess, VecX& r, ConeResult& result) {
    const int nc = problem.contacts();
    const bool valid = is_valid(problem);
    if (valid && guess.size() == 3 * nc && guess.allFinite()) {
        r = guess;
    } else {
        r.setZero(3 * nc);
    }
    result.r.setZero(3 * nc);
    if (valid) {
        result.u = problem.q;
    } else {
        result.u.setZero(3 * nc);
    }
    result.iterations = result.factorisations = 0;
    const double start = !valid ? kNan : nc == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    result.residual = result.coulomb.natural = result.coulomb.scaled = start;
    result.status = !valid    ? SolveStatus::kNotFinite
                    : nc == 0 ? SolveStatus::kSolved
                              : SolveStatus::kIterationLimit;
    return valid && nc > 0;
}

bool begin_contacts(const ConeProblem& problem, const VecX& guess, VecX& r, ConeResult& result) {
    if (!begin(problem, guess, r, result)) return false;
    if (problem.bounded.empty()) return true;
    keep(result.r, result.u, residual(problem, result.r, result.u), result);
    return false;
}

void finish(const SolveSettings& settings, bool late, ConeResult& result) {
    result.status = result.residual <= settings.tolerance ? SolveStatus::kSolved
                    : !std::isfinite(result.residual)     ? SolveStatus::kNotFinite
                    : late                                ? SolveStatus::kBudget
                                                          : SolveStatus::kIterationLimit;
}

}  // namespace stiction
