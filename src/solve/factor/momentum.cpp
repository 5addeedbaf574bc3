// momentum.cpp - Nesterov's sequence with restarts.
#include "solve/factor/momentum.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

constexpr double kKept = 0.5;  // of t, where Coulomb's law made the momentum mislead

double restarted(MomentumLaw law, double t) {
    return law == MomentumLaw::kConvex ? 1.0 : std::max(1.0, kKept * t);
}

// x <- x + beta (x - last), last <- x.
void move_along(double beta, VecX& last, Eigen::Ref<VecX> x) {
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const double now = x[i];
        x[i] = now + beta * (now - last[i]);
        last[i] = now;
    }
}

}  // namespace

void accelerate(MomentumHistory& m, MomentumLaw law, double size,
                const Eigen::Ref<const VecX>& weight, const Eigen::Ref<const VecX>& before,
                Eigen::Ref<VecX> x, Eigen::Ref<VecX> z) {
    const bool first = !m.begun;
    m.begun = true;
    if (first) {
        m.t = 1;
    } else {
        const auto squares = weight.array().square();
        const bool against = (squares * (x - before).array() * (x - m.x).array()).sum() < 0;
        const bool grows = law == MomentumLaw::kCoulomb && size > m.size;
        if (against || grows) m.t = restarted(law, m.t);
    }
    m.size = size;
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * m.t * m.t));
    const double beta = (m.t - 1) / next;
    m.t = next;
    if (first || beta == 0) {
        m.x = x;
        m.z = z;
        return;
    }
    move_along(beta, m.x, x);
    move_along(beta, m.z, z);
}

}  // namespace stiction
