// random_problems.h - random complementarity problems in the form in which contact makes them.
#pragma once

#include <Eigen/Eigenvalues>
#include <random>

#include "solve/lcp/lcp.h"

namespace stiction::test {

using Rng = std::mt19937_64;

inline double uniform(Rng& rng, double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(rng);
}
inline int whole(Rng& rng, int lo, int hi) {
    return std::uniform_int_distribution<int>(lo, hi)(rng);
}
inline MatX random_matrix(Rng& rng, Eigen::Index rows, Eigen::Index cols) {
    return MatX::NullaryExpr(rows, cols, [&] { return uniform(rng, -1, 1); });
}
inline VecX random_vector(Rng& rng, Eigen::Index size) {
    return VecX::NullaryExpr(size, [&] { return uniform(rng, -1, 1); });
}
inline MatX random_spd(Rng& rng, Eigen::Index n) {
    const MatX X = random_matrix(rng, n, n);
    return X * X.transpose() + 0.1 * MatX::Identity(n, n);
}

// Rows X with X X' = A, A symmetric positive semi-definite: for solvers that take rows.
inline MatX rows_of(const MatX& A) {
    if (A.size() == 0) return A;
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(A);
    const VecX values = eigen.eigenvalues();
    const Eigen::Index rank = (values.array() > 1e-14 * values.maxCoeff()).count();
    return eigen.eigenvectors().rightCols(rank) * values.tail(rank).cwiseSqrt().asDiagonal();
}

// Bodies of random mass that touch one another or the ground at random points, with random normals:
//   w_n = N v + bias, w_b = D v + E l, w_l = mu c_n - E'b,   v = v_hat + M^-1 (N'c_n + D'b),
// four directions +-s, +-t per contact. Unknowns (c_n, b, l), 6 nc in all. The last `copies`
// contacts repeat earlier ones, and half of the velocities are zero: singular and degenerate.
struct Coulomb {
    int bodies = 2;
    int contacts = 4;
    int copies = 0;
    double mass_ratio = 1;
    bool gaps = false;
    bool flat = false;  // corners of one face on the ground: dependent rows, exact zeros
};

inline Lcp random_coulomb(Rng& rng, const Coulomb& c) {
    const int nv = 6 * c.bodies, nc = c.contacts;
    VecX inverse_mass(nv);
    for (int k = 0; k < c.bodies; ++k) {
        const double mass = std::pow(c.mass_ratio, uniform(rng, 0, 1));
        inverse_mass.segment(6 * k, 3).setConstant(1 / mass);
        for (int a = 0; a < 3; ++a) inverse_mass[6 * k + 3 + a] = uniform(rng, 2, 12) / mass;
    }
    MatX N = MatX::Zero(nc, nv), D = MatX::Zero(4 * nc, nv);
    VecX mu(nc), bias = VecX::Zero(nc);
    for (int i = 0; i < nc; ++i) {
        if (i >= nc - c.copies && i > 0) {
            const int from = whole(rng, 0, i - 1);
            N.row(i) = N.row(from);
            D.middleRows(4 * i, 4) = D.middleRows(4 * from, 4);
            mu[i] = mu[from];
            bias[i] = bias[from];
            continue;
        }
        const int a = whole(rng, 0, c.bodies - 1);
        const int b = c.flat ? -1 : whole(rng, -1, c.bodies - 1);  // -1: the ground
        Vec3 n = Vec3::UnitZ();
        Vec3 p_a(i % 2 ? 0.5 : -0.5, i / 2 % 2 ? 0.5 : -0.5, -0.5), p_b = Vec3::Zero();
        if (!c.flat) {
            n = Vec3(random_vector(rng, 3)).normalized();
            p_a = random_vector(rng, 3);
            p_b = random_vector(rng, 3);
        }
        const Vec3 s = n.unitOrthogonal(), t = n.cross(s);
        const auto write = [&](auto row, const Vec3& d) {
            row.segment(6 * a, 3) += d.transpose();
            row.segment(6 * a + 3, 3) += p_a.cross(d).transpose();
            if (b >= 0 && b != a) {
                row.segment(6 * b, 3) -= d.transpose();
                row.segment(6 * b + 3, 3) -= p_b.cross(d).transpose();
            }
        };
        write(N.row(i), n);
        write(D.row(4 * i), s);
        write(D.row(4 * i + 1), -s);
        write(D.row(4 * i + 2), t);
        write(D.row(4 * i + 3), -t);
        mu[i] = whole(rng, 0, 4) == 0 ? 0.0 : uniform(rng, 0, 1.5);
        if (c.gaps) bias[i] = std::max(0.0, uniform(rng, -1, 1));
    }
    VecX v_hat = random_vector(rng, nv);
    if (c.flat) {  // falling straight down, some with a sideways velocity
        v_hat.setZero();
        for (int k = 0; k < c.bodies; ++k) {
            v_hat[6 * k + 2] = -0.0981;
            if (whole(rng, 0, 1) == 1) v_hat[6 * k] = uniform(rng, -1, 1);
        }
    }
    MatX G(5 * nc, nv);
    G << N, D;
    Lcp lcp;
    lcp.A = MatX::Zero(6 * nc, 6 * nc);
    lcp.A.topLeftCorner(5 * nc, 5 * nc) = G * inverse_mass.asDiagonal() * G.transpose();
    lcp.b = VecX::Zero(6 * nc);
    lcp.b.head(5 * nc) = G * v_hat;
    lcp.b.head(nc) += bias;
    for (int i = 0; i < nc; ++i) {
        lcp.A.block(nc + 4 * i, 5 * nc + i, 4, 1).setOnes();
        lcp.A.block(5 * nc + i, nc + 4 * i, 1, 4).setConstant(-1);
        lcp.A(5 * nc + i, i) = mu[i];
    }
    return lcp;
}

}  // namespace stiction::test
