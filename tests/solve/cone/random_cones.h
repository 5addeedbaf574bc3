// random_cones.h - random Coulomb cone problems of the kinds that contact makes: solvable by
// construction, since u = 0 can be reached and gaps only open.
#pragma once

#include <cmath>
#include <vector>

#include "solve/cone/cone_problem.h"
#include "solve/cone/implied_cone_problem.h"
#include "solve/lcp/random_problems.h"

namespace stiction::test {

struct ConeKind {
    int contacts = 4;
    int velocities = 12;    // fewer than 3 per contact: W is singular
    double mass_ratio = 1;  // largest over least diagonal entry of M
    double unsymmetry = 0;  // relative size of the skew part of M^-1
    double mu_max = 2;
    double zero_share = 0;   // of the free velocities, and of the mu
    bool decoupled = false;  // every contact has velocities of its own: W is block-diagonal
    bool gaps = false;       // some contacts have a gap to close first
    bool bodies = false;     // rows of points on bodies of six velocities, not random ones
};

inline double log_uniform(Rng& rng, double ratio) { return std::pow(ratio, uniform(rng, 0, 1)); }

// Rows of a contact between points of two bodies, or of one body and the ground.
inline void write_body_rows(Rng& rng, MatX& G, int a) {
    const int nb = static_cast<int>(G.cols()) / 6;
    const int first = whole(rng, 0, nb - 1);
    const int second = whole(rng, -1, nb - 1);
    const Vec3 n = Vec3(random_vector(rng, 3)).normalized();
    const Vec3 s = n.unitOrthogonal();
    const Vec3 frame[] = {n, s, n.cross(s)};
    const Vec3 p_first = random_vector(rng, 3);
    const Vec3 p_second = random_vector(rng, 3);
    for (int i = 0; i < 3; ++i) {
        auto row = G.row(3 * a + i);
        row.segment(6 * first, 3) = frame[i].transpose();
        row.segment(6 * first + 3, 3) = p_first.cross(frame[i]).transpose();
        if (second < 0 || second == first) continue;
        row.segment(6 * second, 3) = -frame[i].transpose();
        row.segment(6 * second + 3, 3) = -p_second.cross(frame[i]).transpose();
    }
}

// The dynamics: M v = G'r + f, u = G v + w.
inline ImpliedConeProblem random_implied(Rng& rng, const ConeKind& kind) {
    const int nc = kind.contacts;
    int nv = kind.decoupled ? 3 * nc : kind.velocities;
    if (kind.bodies && !kind.decoupled) nv = 6 * std::max(1, nv / 6);
    MatX G = MatX::Zero(3 * nc, nv);
    for (int a = 0; a < nc; ++a) {
        if (kind.decoupled) {
            G.block(3 * a, 3 * a, 3, 3) = random_matrix(rng, 3, 3);
        } else if (kind.bodies) {
            write_body_rows(rng, G, a);
        } else {
            G.middleRows(3 * a, 3) = random_matrix(rng, 3, nv);
        }
    }
    VecX root(nv);  // of the diagonal of M
    for (int i = 0; i < nv; ++i) root[i] = std::sqrt(log_uniform(rng, kind.mass_ratio));
    const MatX X = random_matrix(rng, nv, nv) / std::sqrt(nv);
    const MatX skew = kind.unsymmetry * (X - X.transpose());
    MatX M = MatX::Identity(nv, nv) + skew;
    if (kind.decoupled) M = MatX::Identity(nv, nv);
    M = root.asDiagonal() * M * root.asDiagonal();
    VecX v = random_vector(rng, nv);
    ImpliedConeProblem problem;
    problem.mu = VecX::NullaryExpr(nc, [&] { return uniform(rng, 0, kind.mu_max); });
    problem.w = VecX::Zero(3 * nc);
    for (int i = 0; i < nv; ++i) {
        if (uniform(rng, 0, 1) < kind.zero_share) v[i] = 0;
    }
    for (int a = 0; a < nc; ++a) {
        if (uniform(rng, 0, 1) < kind.zero_share) problem.mu[a] = 0;
        if (kind.gaps) problem.w[3 * a] = std::max(0.0, uniform(rng, -1, 1));
    }
    problem.M = M.sparseView();
    problem.G = G.sparseView();
    problem.f = M * v;
    return problem;
}

inline ConeProblem random_cone(Rng& rng, const ConeKind& kind) {
    ConeProblem problem;
    if (!condense(random_implied(rng, kind), problem)) problem.mu.setConstant(-1);  // not valid
    return problem;
}

// The kinds of the property tests, in turn.
inline ConeKind cone_kind(Rng& rng, int number) {
    ConeKind kind;
    kind.contacts = whole(rng, 1, 12);
    kind.velocities = 3 * kind.contacts + 3;
    kind.mu_max = number % 2 == 0 ? 2 : 0.6;
    switch (number % 7) {
        case 0:
            break;
        case 1:  // more contact unknowns than motions
            kind.velocities = whole(rng, 3, std::max(3, 2 * kind.contacts));
            break;
        case 2:
            kind.mass_ratio = 1e8;
            break;
        case 3:
            kind.unsymmetry = 1e-3;
            kind.velocities = 6 + kind.contacts;
            break;
        case 4:  // degenerate
            kind.zero_share = 0.6;
            kind.bodies = true;
            kind.velocities = 12;
            break;
        case 5:
            kind.decoupled = true;
            kind.gaps = true;
            break;
        case 6:  // all at once
            kind.mass_ratio = 1e4;
            kind.unsymmetry = 1e-3;
            kind.bodies = true;
            kind.velocities = 6 * whole(rng, 1, 4);
            kind.zero_share = 0.2;
            kind.gaps = true;
            break;
    }
    return kind;
}

}  // namespace stiction::test
