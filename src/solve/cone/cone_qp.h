// cone_qp.h - convex programs over friction cones and linear rows, e.g. phase II of maximum
// dissipation. Three numbers per contact: normal, tangent 1, tangent 2.
//
//   min 1/2 x'Hx + c'x    subject to   x_i in K_i,   K_i = { x : |x_T| <= mu x_N + s, x_N >= 0 }
//                                      C x >= d
//
// With multipliers y >= 0 of the rows and g = H x + c - C'y, x is a solution if and only if
//
//   x_i = P_i(x_i - t g_i)  for any t > 0,  P_i the projection on K_i        (each contact)
//   min(y_j, (C x - d)_j) = 0                                                (each row)
//
// The multipliers of the cones need not be known: they are g. The one residual of the type adds up
// the violations of these, each as a velocity (H in 1/kg, x in N s, c in m/s), with the mean
// diagonal w_i = tr H_ii / 3 as the inverse mass of a contact:
//
//   e_i = w_i x_i - P(w_i x_i - g_i)           P on the cone with offset w_i s_i
//   e_j = min(|C_j| y_j, (C x - d)_j / gamma_j),   gamma_j^2 = sum_i |C_ji|^2 / w_i^2
//   residual = sqrt(sum |e_i|^2 + sum e_j^2) / size,
//   size^2   = |c|^2 + sum_i (w_i s_i)^2 + sum_j (d_j / gamma_j)^2            (1 if that is 0)
//
// It does not change with the units of mass, length and time, nor with those of a row of C.
// H need not be symmetric for the conditions (then they are a variational inequality).
#pragma once

#include <Eigen/SparseCore>

#include "core/solve_report.h"
#include "core/types.h"
#include "solve/factor/block_matrix.h"

namespace stiction {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct ConeQp {
    BlockMatrix H;  // nc block rows, positive semi-definite, possibly singular
    VecX c;         // 3 nc
    VecX mu;        // nc, >= 0
    VecX s;         // nc, >= 0, what the tangential part may be where x_N = 0; empty: 0
    SparseRows C;   // m x 3 nc, compressed; 0 x 0: no rows
    VecX d;         // m

    [[nodiscard]] int contacts() const { return static_cast<int>(mu.size()); }
    [[nodiscard]] int rows() const { return static_cast<int>(d.size()); }
    [[nodiscard]] double offset(int a) const { return s.size() == 0 ? 0.0 : s[a]; }
};

// The residual of the report is residual(qp, x, y); NaN if x or y is not finite.
struct ConeQpResult : SolveReport {
    VecX x;  // 3 nc, in the cones to rounding
    VecX y;  // m, multipliers of the rows
    int factorisations = 0;
};

// Nearest point of { x : |x_T| <= mu x_N + s, x_N >= 0 } to x.
[[nodiscard]] Vec3 project_on_cone(double mu, double s, const Vec3& x);

// Residual of x and y where g = H x + c - C'y is known; and of x and y alone, which allocates.
[[nodiscard]] double residual(const ConeQp& qp, const VecX& x, const VecX& y, const VecX& g);
[[nodiscard]] double residual(const ConeQp& qp, const VecX& x, const VecX& y);

// Sizes agree, columns ascend and lie in range, all numbers are finite, mu >= 0, s >= 0. A solver
// refuses what is not (status kNotFinite, x = 0, y = 0).
[[nodiscard]] bool is_valid(const ConeQp& qp);

}  // namespace stiction
