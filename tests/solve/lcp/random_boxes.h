// random_boxes.h - random problems between bounds: plain ones, and contact with box friction.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "solve/lcp/box_lcp.h"
#include "solve/lcp/random_problems.h"

namespace stiction::test {

inline constexpr double kOpen = std::numeric_limits<double>::infinity();

inline BoxLcp as_box(const Lcp& lcp) {
    const Eigen::Index n = lcp.b.size();
    return {lcp.A, lcp.b, VecX::Zero(n), VecX::Constant(n, kOpen)};
}

// Bounds of every kind: both, one of the two, none, and lo = hi.
inline void random_bounds(Rng& rng, VecX& lo, VecX& hi) {
    for (Eigen::Index i = 0; i < lo.size(); ++i) {
        const double a = uniform(rng, -1, 1), b = uniform(rng, -1, 1);
        lo[i] = std::min(a, b);
        hi[i] = std::max(a, b);
        switch (whole(rng, 0, 5)) {
            case 0:
                lo[i] = -kOpen;
                break;
            case 1:
                hi[i] = kOpen;
                break;
            case 2:
                lo[i] = 0;
                hi[i] = kOpen;
                break;
            case 3:
                if (whole(rng, 0, 1) == 0) {
                    lo[i] = -kOpen;
                    hi[i] = kOpen;
                } else {
                    hi[i] = lo[i];
                }
                break;
            default:
                break;
        }
    }
}

inline BoxLcp random_box(Rng& rng, int n) {
    BoxLcp p{random_spd(rng, n), random_vector(rng, n), VecX(n), VecX(n)};
    random_bounds(rng, p.lo, p.hi);
    return p;
}

// Contacts with box friction: unknowns (normal, s, t) per contact, 0 <= c_n, |c_s|, |c_t| <= mu c,
// c a normal impulse of the last step. A = G M^-1 G', b = G v_hat + bias: it has a solution, and is
// singular as soon as there are more rows than motions.
struct Friction {
    int bodies = 1;
    int contacts = 4;
    int copies = 0;
    double mass_ratio = 1;
    bool gaps = false;
};

inline BoxLcp random_friction(Rng& rng, const Friction& f) {
    const int nc = f.contacts;
    const Lcp lcp = random_coulomb(rng, {.bodies = f.bodies,
                                         .contacts = nc,
                                         .copies = f.copies,
                                         .mass_ratio = f.mass_ratio,
                                         .gaps = f.gaps});
    std::vector<int> rows;  // of N, D(s), D(t) in the LCP
    for (int i = 0; i < nc; ++i)
        for (const int r : {i, nc + 4 * i, nc + 4 * i + 2}) rows.push_back(r);
    BoxLcp p{lcp.A(rows, rows), lcp.b(rows), VecX::Zero(3 * nc), VecX::Constant(3 * nc, kOpen)};
    for (int i = 0; i < nc; ++i) {
        const double limit = lcp.A(5 * nc + i, i) * uniform(rng, 0, 1) / p.A(3 * i, 3 * i);
        for (const int k : {1, 2}) {
            p.lo[3 * i + k] = -limit;
            p.hi[3 * i + k] = limit;
        }
    }
    return p;
}

// 0 <= z only, A = Y Y' of rank at most r, b in the range of A plus something >= 0: solvable.
inline Lcp random_semidefinite(Rng& rng, int n, int r, bool degenerate) {
    const MatX Y = random_matrix(rng, n, r);
    Lcp lcp{Y * Y.transpose(), Y * random_vector(rng, r)};
    for (int i = 0; i < n; ++i)
        if (whole(rng, 0, 1) == 0) lcp.b[i] += uniform(rng, 0, 1);
    if (degenerate) {  // w = 0 at z = 0 for some, zero rows of z for others
        const VecX z = random_vector(rng, n).cwiseMax(0.0);
        lcp.b = -lcp.A * z;
    }
    return lcp;
}

}  // namespace stiction::test
