// implied_cone_problem.h - the Coulomb cone problem of cone_problem.h with W given by the dynamics.
#pragma once

#include <Eigen/SparseCore>

#include "solve/cone/cone_problem.h"

namespace stiction {

// M v = G' r + f,  u = G v + w:  W = G M^-1 G',  q = G M^-1 f + w.
struct ImpliedConeProblem {
    Eigen::SparseMatrix<double> M;                   // nv x nv, regular, need not be symmetric
    Eigen::SparseMatrix<double, Eigen::RowMajor> G;  // 3 nc x nv
    VecX f;                                          // nv
    VecX w;                                          // 3 nc
    VecX mu;                                         // nc
};

// Forms W and q. Returns false if M is singular or something in it is not finite.
[[nodiscard]] bool condense(const ImpliedConeProblem& implied, ConeProblem& problem);

}  // namespace stiction
