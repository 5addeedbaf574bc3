// cone_problem.cpp - residuals and checks of the Coulomb cone problem.
#include "solve/cone/cone_problem.h"

#include <cmath>
#include <limits>
#include <vector>

namespace stiction {

ConeResidual residual(const ConeProblem& problem, const VecX& r, const VecX& u) {
    double natural = 0;
    double scaled = 0;
    for (int a = 0; a < problem.contacts(); ++a) {
        const double mu = problem.mu[a];
        const double trace = problem.W.at_diagonal(a).trace();
        const double weight = trace > 0 || !problem.is_bounded(a) ? trace / 3 : 1.0;
        const Vec3 r_a = r.segment<3>(3 * a);
        Vec3 uhat = u.segment<3>(3 * a);
        uhat[0] += mu * std::sqrt(uhat[1] * uhat[1] + uhat[2] * uhat[2]);
        natural += (r_a - project_on_block(problem, a, 1, r_a - uhat)).squaredNorm();
        const Vec3 x = weight * r_a;
        scaled += (x - project_on_block(problem, a, weight, x - uhat)).squaredNorm();
    }
    const double size = problem.q.norm();
    ConeResidual result;
    result.natural = std::sqrt(natural) / std::max(1.0, size);
    result.scaled = size > 0 ? std::sqrt(scaled) / size : std::sqrt(scaled);
    if (!std::isfinite(result.natural + result.scaled)) {
        result.natural = result.scaled = std::numeric_limits<double>::quiet_NaN();
    }
    return result;
}

ConeResidual residual(const ConeProblem& problem, const VecX& r) {
    VecX u;
    multiply_add(problem.W, r, problem.q, u);
    return residual(problem, r, u);
}

bool is_valid(const ConeProblem& problem) {
    const BlockMatrix& W = problem.W;
    const int nc = problem.contacts();
    if (W.rows() != nc || problem.q.size() != 3 * nc) return false;
    if (W.start.size() != at(nc) + 1 || W.block.size() != W.column.size()) return false;
    if (!problem.bounded.empty()) {
        if (problem.bounded.size() != at(nc) || problem.lo.size() != 3 * nc) return false;
        if (problem.hi.size() != 3 * nc || !(problem.lo.array() <= problem.hi.array()).all()) {
            return false;
        }
    }
    if (W.start.front() != 0 || W.start.back() != W.blocks()) return false;
    double sum = problem.q.sum() + problem.mu.sum();  // not finite if any term is not
    for (int a = 0; a < nc; ++a) {
        if (!(problem.mu[a] >= 0)) return false;
        bool has_diagonal = false;
        for (int k = W.start[at(a)]; k < W.start[at(a) + 1]; ++k) {
            const int b = W.column[at(k)];
            if (b < 0 || b >= nc || (k > W.start[at(a)] && b <= W.column[at(k) - 1])) return false;
            has_diagonal = has_diagonal || (b == a && W.diagonal[at(a)] == k);
            sum += W.block[at(k)].sum();
        }
        if (!has_diagonal) return false;
    }
    return std::isfinite(sum);
}

void reset(const ConeProblem& problem, ConeResult& result) {
    result.r = VecX::Zero(3 * problem.contacts());
    result.u = problem.q;
    result.status = SolveStatus::kSolved;
    result.iterations = result.factorisations = 0;
    result.residual = residual(problem, result.r, result.u);
}

}  // namespace stiction
