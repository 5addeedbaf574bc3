// contact_rows.cpp - rows of random contacts, and LCPs made of them.
#include "contact_rows.h"

#include <cmath>
#include <limits>

#include "solve/lcp/active_set.h"

namespace stiction {

namespace {

Vec3 random_direction(Random& random) {
    for (;;) {
        const Vec3 x(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        const double length = x.norm();
        if (length > 0.1 && length < 1) return x / length;
    }
}

ContactRows empty_rows(int nb, int nc) {
    const int nv = 6 * nb;
    ContactRows rows;
    rows.N = rows.S = rows.T = MatX::Zero(nc, nv);
    rows.K = MatX::Zero(nv, nv);
    rows.v_hat = VecX::Zero(nv);
    rows.bias = VecX::Zero(nc);
    rows.mu = VecX::Zero(nc);
    return rows;
}

// Adds sign [d', (arm x d)'] of the body to a row.
void add_body(MatX& rows, int contact, int body, double sign, const Vec3& arm, const Vec3& d) {
    rows.block<1, 3>(contact, 6 * body) += sign * d.transpose();
    rows.block<1, 3>(contact, 6 * body + 3) += sign * arm.cross(d).transpose();
}

void add_contact(ContactRows& rows, int contact, int body, double sign, const Vec3& arm,
                 const Vec3& n) {
    const Vec3 s = n.unitOrthogonal(), t = n.cross(s);
    add_body(rows.N, contact, body, sign, arm, n);
    add_body(rows.S, contact, body, sign, arm, s);
    add_body(rows.T, contact, body, sign, arm, t);
}

// Mass m, principal inertia I about axes turned by R: the block of K is M^-1/2.
void set_inertia(ContactRows& rows, int body, double m, const Vec3& I, const Mat3& R) {
    rows.K.block<3, 3>(6 * body, 6 * body) = Mat3::Identity() / std::sqrt(m);
    rows.K.block<3, 3>(6 * body + 3, 6 * body + 3) =
        R * I.cwiseSqrt().cwiseInverse().asDiagonal() * R.transpose();
}

// Rows in whitened coordinates: Y Y' = rows M^-1 rows'.
MatX whitened(const MatX& rows, const MatX& K) { return rows * K; }

}  // namespace

ContactRows heap_contacts(Random& random, int nb, int nc) {
    ContactRows rows = empty_rows(nb, nc);
    VecX radius(nb);
    for (int b = 0; b < nb; ++b) {
        const double m = std::pow(10.0, random.uniform(-1, 1));
        radius[b] = 0.1 * std::cbrt(m);
        const double I = 0.4 * m * radius[b] * radius[b];
        const Mat3 R =
            Eigen::AngleAxisd(random.uniform(0, 3), random_direction(random)).toRotationMatrix();
        set_inertia(rows, b, m, I * Vec3(random.uniform(0.6, 1.4), random.uniform(0.6, 1.4), 1), R);
        for (int k = 0; k < 6; ++k) rows.v_hat[6 * b + k] = random.uniform(-1, 1);
        rows.v_hat[6 * b + 2] -= 1;
    }
    for (int i = 0; i < nc; ++i) {
        const int a = i % nb;
        Vec3 n = random_direction(random);
        n.z() = std::abs(n.z());
        add_contact(rows, i, a, 1, -radius[a] * (n + 0.3 * random_direction(random)), n);
        const bool ground = nb == 1 || random.unit() < 1.0 / 3;
        if (!ground) {
            const int b = (a + 1 + static_cast<int>(random.unit() * (nb - 1))) % nb;
            add_contact(rows, i, b, -1, radius[b] * (n + 0.3 * random_direction(random)), n);
        }
        rows.mu[i] = random.uniform(0.1, 1);
        if (random.unit() < 0.2) rows.bias[i] = random.uniform(0, 1);
    }
    return rows;
}

ContactRows grasp_contacts(Random& random, int nb, int nc) {
    constexpr double kHalf = 0.05, kMass = 1, kGravityStep = 9.81e-3;  // [m], [kg], [m/s] in 1 ms
    ContactRows rows = empty_rows(nb, nc);
    const double I = kMass * 2.0 / 3 * kHalf * kHalf;
    for (int b = 0; b < nb; ++b) {
        set_inertia(rows, b, kMass, Vec3::Constant(I), Mat3::Identity());
        for (int k = 0; k < 6; ++k) rows.v_hat[6 * b + k] = random.uniform(-1e-3, 1e-3);
        rows.v_hat[6 * b + 2] -= kGravityStep;
    }
    rows.v_hat[0] += 0.1;
    rows.v_hat[6 * (nb - 1)] -= 0.1;
    for (int i = 0; i < nc; ++i) {
        const int face = i % (nb - 1);  // between cubes face and face + 1
        const Vec3 p(kHalf, random.uniform(-kHalf, kHalf), random.uniform(-kHalf, kHalf));
        add_contact(rows, i, face + 1, 1, p - Vec3(2 * kHalf, 0, 0), Vec3::UnitX());
        add_contact(rows, i, face, -1, p, Vec3::UnitX());
        rows.mu[i] = 0.5;
    }
    return rows;
}

Lcp stewart_trinkle_lcp(const ContactRows& rows) {
    constexpr Eigen::Index kSides = 4;
    const Eigen::Index nc = rows.contacts(), nf = (1 + kSides) * nc, n = nf + nc;
    MatX G(nf, rows.v_hat.size());  // N, then the four directions of each contact
    G.topRows(nc) = rows.N;
    for (Eigen::Index i = 0; i < nc; ++i) {
        const Eigen::Index k = nc + kSides * i;
        G.row(k) = rows.S.row(i);
        G.row(k + 1) = -rows.S.row(i);
        G.row(k + 2) = rows.T.row(i);
        G.row(k + 3) = -rows.T.row(i);
    }
    const MatX Y = whitened(G, rows.K);
    Lcp lcp{MatX::Zero(n, n), VecX::Zero(n)};
    lcp.A.topLeftCorner(nf, nf).noalias() = Y * Y.transpose();
    for (Eigen::Index i = 0; i < nc; ++i) {
        lcp.A.block(nc + kSides * i, nf + i, kSides, 1).setOnes();
        lcp.A.block(nf + i, nc + kSides * i, 1, kSides).setConstant(-1);
        lcp.A(nf + i, i) = rows.mu[i];
    }
    lcp.b.head(nf) = G * rows.v_hat;
    lcp.b.head(nc) += rows.bias;
    return lcp;
}

BoxLcp frictionless_problem(const ContactRows& rows) {
    const MatX Y = whitened(rows.N, rows.K);
    const Eigen::Index nc = rows.contacts();
    return {Y * Y.transpose(), rows.N * rows.v_hat + rows.bias, VecX::Zero(nc),
            VecX::Constant(nc, std::numeric_limits<double>::infinity())};
}

PpmProblem ppm_problem(const ContactRows& rows) {
    return {rows.N, rows.K, rows.v_hat, rows.bias, VecX()};
}

BoxLcp friction_box_problem(const ContactRows& rows, double cfm) {
    const BoxLcp normal = frictionless_problem(rows);
    ActiveSetWorkspace workspace;
    BoxResult impulses;
    solve_active_set_qp(normal, {}, {}, workspace, impulses);

    const Eigen::Index nc = rows.contacts();
    MatX G(3 * nc, rows.v_hat.size());
    BoxLcp problem{MatX(), VecX(), VecX::Zero(3 * nc), VecX::Zero(3 * nc)};
    for (Eigen::Index i = 0; i < nc; ++i) {
        G.row(3 * i) = rows.N.row(i);
        G.row(3 * i + 1) = rows.S.row(i);
        G.row(3 * i + 2) = rows.T.row(i);
        problem.hi[3 * i] = std::numeric_limits<double>::infinity();
        problem.hi.segment<2>(3 * i + 1).setConstant(rows.mu[i] * impulses.z[i]);
        problem.lo.segment<2>(3 * i + 1) = -problem.hi.segment<2>(3 * i + 1);
    }
    const MatX Y = whitened(G, rows.K);
    problem.A = Y * Y.transpose();
    problem.A.diagonal().array() += cfm;
    problem.b = G * rows.v_hat;
    for (Eigen::Index i = 0; i < nc; ++i) problem.b[3 * i] += rows.bias[i];
    return problem;
}

}  // namespace stiction
