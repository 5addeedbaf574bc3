// interior_point_workspace.h - what the iteration of interior_point.h keeps per contact, per row
// and of its linear system, and the parts that its files share: the step (interior_point_step.cpp)
// and the linear system (interior_point_system.cpp). Symbols as in that header.
#pragma once

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <vector>

#include "solve/cone/cone_qp.h"
#include "solve/cone/lorentz_cone.h"
#include "solve/factor/block_lu.h"

namespace stiction {

struct InteriorPointContact {
    bool has_cone = true;     // else x_T = 0
    bool has_normal = false;  // x_N >= 0 is a constraint of its own
    double weight = 1;        // block_weight()
    double proximal = 0;      // added to the diagonal of H, on steps only
    LorentzPoint y, z;
    double normal = 0;  // n
    double x_N = 0;     // slack of n
    LorentzScaling scaling;
    Vec3 slope = Vec3::Zero();  // of mu |z_T| in z; zero without that term
    Mat3 D = Mat3::Zero();      // what is added to H_aa
    Vec3 zeta = Vec3::Zero();   // dz + P dy = zeta
    Vec3 dy = Vec3::Zero(), dz = Vec3::Zero();
    double zeta_n = 0, dn = 0;  // dn + n/x_N dx_N = zeta_n
    double curvature = 0;       // second-order term of mu |z_T|
};

// The Newton matrix in the one of three forms that is factored. `start` and `column` (of H),
// `row_start` and `row_column` (of C) tell whether the pattern is the one analysed.
struct InteriorPointSystem {
    std::vector<int> start, column, row_start, row_column;
    BlockLu<3> lu;
    MatX dense;
    Eigen::PartialPivLU<MatX> dense_lu;
    Eigen::SparseMatrix<double> quasi;
    std::vector<int> quasi_place;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt;
};

struct InteriorPointWorkspace {
    std::vector<InteriorPointContact> contact;
    VecX x, u, F, dx, Hdx, rhs, trial, zero;              // 3 nc
    VecX g, v, dg, dv, zeta_v, infeasibility, row_trial;  // rows
    VecX proximal_row;                                    // rows
    VecX best_x, best_v;
    VecX full;  // 3 nc + rows
    InteriorPointSystem system;
};

// The parts of the method that only its own files call.
namespace interior_point {

using Contact = InteriorPointContact;
using Workspace = InteriorPointWorkspace;

// A view of the caller's problem.
struct Problem {
    const BlockMatrix& H;
    const VecX& c;
    const VecX& mu;
    const VecX* s = nullptr;
    const SparseRows* C = nullptr;
    const VecX* d = nullptr;
    bool coulomb = false;

    [[nodiscard]] int contacts() const { return static_cast<int>(mu.size()); }
    [[nodiscard]] int rows() const { return d == nullptr ? 0 : static_cast<int>(d->size()); }
    [[nodiscard]] double offset(int a) const {
        return s == nullptr || s->size() == 0 ? 0.0 : (*s)[a];
    }
};

// ---- one step: F and its linearisation at the point, targets for the products y o z, n x_N, v g,
// the step towards them, and the move.

// u = H x + c, F, and the infeasibility C x - d - g of the rows.
void evaluate(const Problem& problem, Workspace& ws);

// Scalings and diagonal blocks. False if a point has left its cone.
[[nodiscard]] bool linearise(const Problem& problem, Workspace& ws);

// Complementarity products: their mean, the mean after a step, the least.
[[nodiscard]] double mean_product(const Workspace& ws);
[[nodiscard]] double mean_product_after(double step, const Workspace& ws);
[[nodiscard]] double least_product(const Workspace& ws);

// Target: all products zero.
void aim_for_the_boundary(Workspace& ws);

// Target y o z = target e, with `share` of the second-order terms of the step at hand.
void aim_for_the_centre(const Problem& problem, double target, double share, Workspace& ws);

// Solves for all steps, with the matrix factored, and returns the longest one that stays inside.
[[nodiscard]] double solve_steps(const Problem& problem, Workspace& ws);

void advance(const Problem& problem, double step, Workspace& ws);

// ---- the linear system of a step,
//
//   ( K   C'  ) ( dx)       K = H + D, D the blocks on the diagonal that linearise() sets
//   ( C  -g/v ) (-dv) = ...
//
// by block LU where there are no rows, by dense LU while it is small, else by a sparse LDL' of the
// lower triangle. Tangential unknowns of contacts without a cone are held at zero.

// Finds an order of elimination, unless the pattern is the one analysed last.
void analyse(const Problem& problem, Workspace& ws);

// Adds to the diagonal where factoring fails; false if that did not help.
[[nodiscard]] bool factor(const Problem& problem, Workspace& ws);

// full <- solution of the factored system; full = (right-hand side, that of the rows) on entry,
// (dx, -dv) on return.
void back_substitute(const Problem& problem, Workspace& ws);

}  // namespace interior_point

}  // namespace stiction
