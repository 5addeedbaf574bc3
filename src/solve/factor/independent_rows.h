// independent_rows.h - FIND-INDICES (Algorithm 2 of [D15]): a maximal independent set of rows.
//
// Rows x_i (joint rows, then tangential contact rows) are wanted such that X' M^-1 X is regular,
// X the accepted ones as columns. With M = L L' and the whitened row y_i = L^-1 x_i the matrix is
// Y' Y: regular when the y are independent in the plain sense. Row by row, y is projected on the
// complement of the accepted ones, twice because once leaves a remainder of the size of round-off
// over |y|:
//   y <- y - Q (Q' y),  y <- y - Q (Q' y),      accept when |y|^2 > tolerance |y_0|^2,
// and then y / |y| joins the orthonormal basis Q. The test is relative to the row, so units, masses
// and row scaling do not matter. A test costs O(m r), the pass O(k m r); nothing k x k is formed.
// Q also gives the inverse inertia seen through the rows: C = L^-T (I - Q Q') L^-1.
#pragma once

#include <vector>

#include "core/types.h"

namespace stiction {

struct IndependentRows {
    std::vector<int> rows;  // accepted, ascending; earlier rows win over later ones
    MatX Q;                 // m x min(k, m); its first rows.size() columns are the basis

    [[nodiscard]] auto basis() const { return Q.leftCols(static_cast<Eigen::Index>(rows.size())); }
};

struct IndependentRowsWorkspace {
    VecX y;             // m, what is left of a row
    VecX coefficients;  // min(k, m), Q' y
};

// Y is k x m, one whitened row y_i' per row. Rows that are zero or not finite are rejected.
void find_independent_rows(const MatX& Y, double tolerance, IndependentRowsWorkspace& workspace,
                           IndependentRows& result);

// Leaves of `items`, one per row of Y, those of the accepted rows.
template <typename Item>
void keep_accepted(const IndependentRows& independent, std::vector<Item>& items) {
    std::size_t kept = 0;
    for (const int i : independent.rows) items[kept++] = items[at(i)];
    items.resize(kept);
}

inline constexpr double kRowTolerance = 1e-10;  // on squares: an angle of 1e-5 rad

}  // namespace stiction
