// lcp.cpp - residuals of a linear complementarity problem; see lcp.h.
#include "solve/lcp/lcp.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace stiction {

double residual(const VecX& z, const VecX& w) {
    assert(z.size() == w.size());
    double worst = 0;
    for (Eigen::Index i = 0; i < z.size(); ++i) {
        const double m = std::abs(std::min(z[i], w[i]));
        if (!(std::isfinite(z[i]) && std::isfinite(w[i])))
            return std::numeric_limits<double>::quiet_NaN();
        worst = std::max(worst, m);
    }
    return worst;
}

double residual(const Lcp& lcp, const VecX& z) {
    const VecX w = lcp.A * z + lcp.b;
    return residual(z, w);
}

double relative_residual(const Lcp& lcp, const VecX& z) {
    const double absolute = residual(lcp, z);
    const double scale = lcp.b.size() == 0 ? 0.0 : lcp.b.cwiseAbs().maxCoeff();
    return absolute == 0 ? 0.0 : absolute / scale;
}

void reset(LcpResult& result, Eigen::Index n) {
    static_cast<SolveReport&>(result) = {};
    result.z.setZero(n);
    result.w.setZero(n);
    result.basic.assign(at(n), 0);
    result.pivots = 0;
    result.regularisation = 0;
}

bool begin(Eigen::Index n, bool finite, const LcpBasis& guess, LcpBasis& own_guess,
           LcpResult& result) {
    if (guess.size() == at(n))
        own_guess = guess;
    else
        own_guess.assign(at(n), 0);
    reset(result, n);
    if (n == 0 || finite) return n > 0;
    result.status = SolveStatus::kNotFinite;
    result.residual = std::numeric_limits<double>::quiet_NaN();
    return false;
}

void refuse(const VecX& b, LcpResult& result) {
    reset(result, b.size());
    result.status = SolveStatus::kNotFinite;
    result.w = b;
    result.residual = residual(result.z, result.w);
}

}  // namespace stiction
