// nonlinear_cg.cpp - Fletcher-Reeves on the changes of an iteration.
#include "solve/factor/nonlinear_cg.h"

namespace stiction {

void accelerate(ConjugateHistory& h, double size, const VecX& x_before, const VecX& y_before,
                VecX& x, VecX& y) {
    const double ratio = h.begun && h.size > 0 ? size / h.size : 2.0;
    const double beta = ratio * ratio;
    h.size = size;
    h.begun = true;
    if (!(beta <= 1)) {
        h.p = x - x_before;
        h.p_y = y - y_before;
        return;
    }
    h.p *= beta;
    h.p_y *= beta;
    // Both sums from one d: x+ - x_before is the new way.
    x += h.p;
    y += h.p_y;
    h.p = x - x_before;
    h.p_y = y - y_before;
}

}  // namespace stiction
