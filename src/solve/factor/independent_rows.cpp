// independent_rows.cpp - FIND-INDICES by twice-projected rows; see independent_rows.h.
#include "solve/factor/independent_rows.h"

#include <algorithm>

namespace stiction {

void find_independent_rows(const MatX& Y, double tolerance, IndependentRowsWorkspace& ws,
                           IndependentRows& result) {
    const Eigen::Index m = Y.cols();
    const Eigen::Index most = std::min(Y.rows(), m);
    result.rows.clear();
    result.rows.reserve(at(most));
    result.Q.resize(m, most);
    ws.y.resize(m);
    ws.coefficients.resize(most);

    Eigen::Index r = 0;
    for (Eigen::Index i = 0; i < Y.rows() && r < most; ++i) {
        const double size = Y.row(i).cwiseAbs().maxCoeff();
        if (!(size > 0 && size < std::numeric_limits<double>::infinity())) continue;
        ws.y = Y.row(i).transpose() / size;  // squares neither overflow nor underflow
        const double before = ws.y.squaredNorm();
        const auto Q = result.Q.leftCols(r);
        auto coefficients = ws.coefficients.head(r);
        for (int pass = 0; pass < 2 && r > 0; ++pass) {
            coefficients.noalias() = Q.transpose() * ws.y;
            ws.y.noalias() -= Q * coefficients;
        }
        const double after = ws.y.squaredNorm();
        if (!(after > tolerance * before)) continue;
        result.Q.col(r++) = ws.y / std::sqrt(after);
        result.rows.push_back(static_cast<int>(i));
    }
}

}  // namespace stiction
