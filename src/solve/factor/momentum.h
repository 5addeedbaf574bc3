// momentum.h - momentum on a fixed-point iteration x <- g(x), Gauss-Seidel sweeps for example, whose
// change stands for the (preconditioned) gradient [N83], begun anew where it misleads [OC15]:
//
//   x_k = g(y),   t+ = (1 + sqrt(1 + 4 t^2)) / 2,   y+ = x_k + (t - 1) / t+ (x_k - x_k-1)
//
// in O(n) and without any merit function. It misleads where the change g(y) - y goes against the way
// x_k - x_k-1. Where the iteration is not that of a convex program (friction by Coulomb's law) that is
// seen too late: there changes that grow count too, and half of the momentum is kept, since they are
// often those of a few contacts. Followers z, affine images of x, are moved along.
#pragma once

#include "core/types.h"

namespace stiction {

// Kept by the caller: a warm start allocates nothing.
struct MomentumHistory {
    VecX x, z;        // of the last call: x_k-1
    double t = 1;     // 1: none
    double size = 0;  // of the last change
    bool begun = false;
};

inline void forget(MomentumHistory& momentum) { momentum.begun = false; }

enum class MomentumLaw : bool { kConvex, kCoulomb };

// x = g(before) and its followers z come in, with the size of the change in any norm that stays the
// same; the point to go on from goes out. Angles are those of the entries times `weight`.
void accelerate(MomentumHistory& momentum, MomentumLaw law, double size,
                const Eigen::Ref<const VecX>& weight, const Eigen::Ref<const VecX>& before,
                Eigen::Ref<VecX> x, Eigen::Ref<VecX> z);

}  // namespace stiction
