// The interior point against closed forms, against projected gradients, and by its own residual.
#include "solve/cone/interior_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solve/lcp/random_problems.h"

namespace stiction::interior_point_test {
namespace {

using test::random_matrix;
using test::random_vector;
using test::Rng;
using test::uniform;
using test::whole;

// Rows (n, s, t) of contacts at random points of bodies of random mass, and the bodies' velocity.
struct Bodies {
    MatX W;
    VecX q;
    VecX mu;
};

Bodies random_bodies(Rng& rng, int bodies, int contacts, double mass_ratio) {
    const int nv = 6 * bodies;
    VecX inverse_mass(nv);
    for (int k = 0; k < bodies; ++k) {
        const double mass = std::pow(mass_ratio, uniform(rng, 0, 1));
        inverse_mass.segment(6 * k, 3).setConstant(1 / mass);
        for (int i = 3; i < 6; ++i) inverse_mass[6 * k + i] = uniform(rng, 2, 12) / mass;
    }
    MatX G = MatX::Zero(3 * contacts, nv);
    Bodies result;
    result.mu.resize(contacts);
    for (int i = 0; i < contacts; ++i) {
        const int a = whole(rng, 0, bodies - 1), b = whole(rng, -1, bodies - 1);
        const Vec3 n = Vec3(random_vector(rng, 3)).normalized();
        const Vec3 s = n.unitOrthogonal();
        const Vec3 p_a = random_vector(rng, 3), p_b = random_vector(rng, 3);
        const Vec3 axes[3] = {n, s, n.cross(s)};
        for (int k = 0; k < 3; ++k) {
            auto row = G.row(3 * i + k);
            row.segment(6 * a, 3) += axes[k].transpose();
            row.segment(6 * a + 3, 3) += p_a.cross(axes[k]).transpose();
            if (b < 0 || b == a) continue;
            row.segment(6 * b, 3) -= axes[k].transpose();
            row.segment(6 * b + 3, 3) -= p_b.cross(axes[k]).transpose();
        }
        result.mu[i] = whole(rng, 0, 5) == 0 ? 0.0 : uniform(rng, 0, 1.5);
    }
    result.W = G * inverse_mass.asDiagonal() * G.transpose();
    result.q = G * random_vector(rng, nv);
    return result;
}

ConeProblem cone_problem(const Bodies& bodies) {
    ConeProblem problem;
    problem.W = make_block_matrix(bodies.W);
    problem.q = bodies.q;
    problem.mu = bodies.mu;
    return problem;
}

ConeQp cone_qp(const Bodies& bodies) {
    ConeQp qp;
    qp.H = make_block_matrix(bodies.W);
    qp.c = bodies.q;
    qp.mu = bodies.mu;
    return qp;
}

ConeProblem one_contact(double w, const Vec3& q, double mu) {
    ConeProblem problem;
    problem.W = make_block_matrix(w * Mat3::Identity());
    problem.q = q;
    problem.mu = VecX::Constant(1, mu);
    return problem;
}

// W = w I. Open: r = 0. Stick: r = -q / w. Slide: r_N = -q_N / w, |r_T| = mu r_N against q_T.
TEST(InteriorPoint, OneContactOpensSticksAndSlides) {
    InteriorPointWorkspace ws;
    ConeResult result;
    const double w = 3;
    const struct {
        Vec3 q, r;
        double mu;
    } cases[] = {{{1, 2, 0}, {0, 0, 0}, 0.5},
                 {{-1, 0.2, 0.3}, {1 / w, -0.2 / w, -0.3 / w}, 0.5},
                 {{-1, 3, 4}, {1 / w, -0.3 / w, -0.4 / w}, 0.5},
                 {{-1, 3, 4}, {1 / w, 0, 0}, 0.0}};
    for (const auto& c : cases) {
        const ConeProblem problem = one_contact(w, c.q, c.mu);
        solve_interior_point(problem, {}, VecX(), ws, result);
        EXPECT_EQ(result.status, SolveStatus::kSolved);
        EXPECT_LT((result.r - c.r).norm(), 1e-7) << result.r.transpose();
    }
}

// The relaxation pushes a sliding contact apart: r is the projection of -q / w on the cone, so that
// u_N = mu |u_T| instead of 0.
TEST(InteriorPoint, RelaxationOfOneContactIsAProjection) {
    InteriorPointWorkspace ws;
    ConeResult result;
    Rng rng(3);
    for (int i = 0; i < 500; ++i) {
        const double w = std::pow(10, uniform(rng, -4, 4)), mu = uniform(rng, 0.05, 1.5);
        const ConeProblem problem = one_contact(w, random_vector(rng, 3), mu);
        SolveSettings settings;
        settings.tolerance = 1e-8 / std::max(1.0, 1 / w);
        solve_convex_relaxation(problem, settings, VecX(), ws, result);
        const Vec3 expected = project_on_cone(mu, 0, -problem.q / w);
        EXPECT_LT(w * (result.r - expected).norm(), 1e-6) << i;
    }
}

// Box of mass m and half extents a, b (height) on a slope, four corners, in one step h from rest:
// it slides when tan(theta) > mu and gains h g (sin - mu cos), else it stays. Four corners share
// three normal motions and W has rank 6: impulses are not unique, velocities are.
TEST(InteriorPoint, BoxOnAnInclineSlidesOrStays) {
    const double theta = 0.4, g = 9.81, h = 0.01, m = 2, a = 1, b = 0.1;
    const double inertia = m / 3 * (a * a + b * b), spin = m / 3 * (2 * a * a);
    VecX inverse_mass(6);
    inverse_mass << 1 / m, 1 / m, 1 / m, 1 / inertia, 1 / inertia, 1 / spin;
    MatX G(12, 6);
    for (int i = 0; i < 4; ++i) {
        const Vec3 p(i % 2 ? a : -a, i / 2 ? a : -a, -b);
        const Vec3 axes[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
        for (int k = 0; k < 3; ++k)
            G.row(3 * i + k) << axes[k].transpose(), p.cross(axes[k]).transpose();
    }
    VecX v = VecX::Zero(6);
    v[0] = h * g * std::sin(theta);
    v[2] = -h * g * std::cos(theta);
    InteriorPointWorkspace ws;
    ConeResult result;
    for (const double mu : {0.0, 0.2, 0.6}) {
        ConeProblem problem;
        problem.W = make_block_matrix(G * inverse_mass.asDiagonal() * G.transpose());
        problem.q = G * v;
        problem.mu = VecX::Constant(4, mu);
        solve_interior_point(problem, {}, VecX(), ws, result);
        ASSERT_EQ(result.status, SolveStatus::kSolved) << mu;
        const VecX after = v + inverse_mass.asDiagonal() * (G.transpose() * result.r);
        const double gain = h * g * std::max(0.0, std::sin(theta) - mu * std::cos(theta));
        EXPECT_NEAR(after[0], gain, 1e-7) << mu;
        EXPECT_NEAR(after[2], 0, 1e-7) << mu;
    }
}

// Every convex case of equal masses is solved. Coulomb's law is not monotone: a few are not.
TEST(InteriorPoint, RandomBodies) {
    InteriorPointWorkspace ws;
    ConeResult result;
    ConeQpResult qp_result;
    int unsolved = 0;
    const int cases = 400;
    for (int seed = 0; seed < cases; ++seed) {
        Rng rng(static_cast<unsigned>(seed));
        const int nb = whole(rng, 1, 4), nc = whole(rng, 1, 8);
        const Bodies bodies = random_bodies(rng, nb, nc, 1);
        const ConeProblem problem = cone_problem(bodies);
        solve_convex_relaxation(problem, {}, VecX(), ws, result);
        EXPECT_EQ(result.status, SolveStatus::kSolved) << seed;
        EXPECT_LE(relaxed_residual(problem, result.r, result.u).worst(), 1e-8) << seed;

        ConeQp qp = cone_qp(bodies);
        qp.s = random_vector(rng, nc).cwiseMax(0);
        solve_interior_point(qp, {1e-8}, ws, qp_result);
        EXPECT_EQ(qp_result.status, SolveStatus::kSolved) << seed;
        EXPECT_LE(residual(qp, qp_result.x, qp_result.y), 1e-8) << seed;

        solve_interior_point(problem, {}, VecX(), ws, result);
        unsolved += result.status != SolveStatus::kSolved;
        EXPECT_EQ(result.status == SolveStatus::kSolved, result.residual <= 1e-8) << seed;
    }
    EXPECT_LE(unsolved, cases / 25);
}

// Never worse than zero, and solved in nearly all cases, whatever the masses.
TEST(InteriorPoint, MassRatios) {
    InteriorPointWorkspace ws;
    ConeQpResult result;
    for (const double ratio : {1e2, 1e4, 1e6, 1e8}) {
        const int cases = 500;
        int unsolved = 0;
        for (int seed = 0; seed < cases; ++seed) {
            Rng rng(static_cast<unsigned>(seed));
            const ConeQp qp =
                cone_qp(random_bodies(rng, whole(rng, 1, 4), whole(rng, 1, 6), ratio));
            solve_interior_point(qp, {1e-8}, ws, result);
            unsolved += result.status != SolveStatus::kSolved;
            const VecX zero = VecX::Zero(qp.c.size());
            EXPECT_LE(residual(qp, result.x, result.y), residual(qp, zero, VecX())) << seed;
        }
        EXPECT_LE(unsolved, cases / 40) << ratio;
    }
}

double objective(const Bodies& bodies, const VecX& x) {
    return 0.5 * x.dot(bodies.W * x) + bodies.q.dot(x);
}

// The least value of 1/2 x'Wx + q'x over the cones, against accelerated projected gradients.
TEST(InteriorPoint, AgreesWithProjectedGradients) {
    InteriorPointWorkspace ws;
    ConeQpResult result;
    for (int seed = 0; seed < 60; ++seed) {
        Rng rng(static_cast<unsigned>(seed));
        const int nc = whole(rng, 1, 5);
        const Bodies bodies = random_bodies(rng, 3, nc, 1);
        ConeQp qp = cone_qp(bodies);
        qp.s = random_vector(rng, nc).cwiseMax(0);
        solve_interior_point(qp, {1e-9}, ws, result);
        const double step = 1 / bodies.W.norm();
        VecX x = VecX::Zero(3 * nc), ahead = x;
        for (int k = 1; k < 3000; ++k) {
            const VecX before = x;
            const VecX target = ahead - step * (bodies.W * ahead + bodies.q);
            for (int a = 0; a < nc; ++a) {
                x.segment<3>(3 * a) = project_on_cone(qp.mu[a], qp.s[a], target.segment<3>(3 * a));
            }
            ahead = x + (k - 1.0) / (k + 2.0) * (x - before);
        }
        EXPECT_NEAR(objective(bodies, result.x), objective(bodies, x), 1e-6) << seed;
    }
}

// Phase II of maximum dissipation: normal velocities stay >= 0 and the sum of the normal impulses
// within kappa, here a part more than what the frictionless problem needs.
ConeQp phase_two(const Bodies& bodies, double slack) {
    ConeQp qp = cone_qp(bodies);
    const int nc = qp.contacts();
    ConeQp frictionless = qp;
    frictionless.mu.setZero();
    InteriorPointWorkspace ws;
    ConeQpResult result;
    solve_interior_point(frictionless, {1e-10}, ws, result);
    MatX C = MatX::Zero(nc + 1, 3 * nc);
    qp.d = VecX::Zero(nc + 1);
    for (int a = 0; a < nc; ++a) {
        C.row(a) = bodies.W.row(3 * a);
        qp.d[a] = -bodies.q[3 * a];
        C(nc, 3 * a) = -1;
        qp.d[nc] -= (1 + slack) * result.x[3 * a];
    }
    qp.d[nc] -= slack;
    qp.C = C.sparseView();
    return qp;
}

TEST(InteriorPoint, RowsOfPhaseTwoHold) {
    InteriorPointWorkspace ws;
    ConeQpResult result;
    int unsolved = 0;
    const int cases = 200;
    for (int seed = 0; seed < cases; ++seed) {
        Rng rng(static_cast<unsigned>(seed));
        const Bodies bodies = random_bodies(rng, whole(rng, 1, 4), whole(rng, 1, 6), 1);
        const ConeQp qp = phase_two(bodies, 1e-3);
        solve_interior_point(qp, {1e-8}, ws, result);
        if (result.status != SolveStatus::kSolved) {
            ++unsolved;
            continue;
        }
        EXPECT_LE(residual(qp, result.x, result.y), 1e-8) << seed;
        EXPECT_GT((qp.C * result.x - qp.d).minCoeff(), -1e-5) << seed;
        EXPECT_LE(objective(bodies, result.x), 1e-9) << seed;  // energy does not grow
    }
    EXPECT_LE(unsolved, cases / 20);
}

// Many contacts go through the sparse factorisation. Copies of one small problem with rows of their
// own must each have the answer of the small one.
TEST(InteriorPoint, SparseRowsAgreeWithDense) {
    Rng rng(11);
    const int copies = 12;
    const Bodies bodies = random_bodies(rng, 2, 3, 1);
    const ConeQp small = phase_two(bodies, 0.1);
    ConeQp large;
    std::vector<BlockEntry> entries;
    std::vector<Eigen::Triplet<double>> rows;
    const int n = 9, m = small.rows();
    large.c.resize(copies * n);
    large.mu.resize(copies * 3);
    large.d.resize(copies * m);
    for (int k = 0; k < copies; ++k) {
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
                entries.push_back({3 * k + a, 3 * k + b, bodies.W.block<3, 3>(3 * a, 3 * b)});
            }
        }
        for (int j = 0; j < m; ++j) {
            for (SparseRows::InnerIterator it(small.C, j); it; ++it) {
                rows.emplace_back(k * m + j, k * n + static_cast<int>(it.col()), it.value());
            }
        }
        large.c.segment(k * n, n) = small.c;
        large.mu.segment(3 * k, 3) = small.mu;
        large.d.segment(k * m, m) = small.d;
    }
    large.H = make_block_matrix(3 * copies, entries);
    large.C.resize(copies * m, copies * n);
    large.C.setFromTriplets(rows.begin(), rows.end());
    InteriorPointWorkspace ws;
    ConeQpResult one, all;
    solve_interior_point(small, {1e-9}, ws, one);
    ASSERT_EQ(one.status, SolveStatus::kSolved);
    solve_interior_point(large, {1e-9}, ws, all);
    ASSERT_EQ(all.status, SolveStatus::kSolved);
    for (int k = 0; k < copies; ++k) {
        const VecX u = bodies.W * all.x.segment(k * n, n);
        EXPECT_LT((u - bodies.W * one.x).norm(), 1e-6) << k;
    }
}

// x_N >= 1 and x_N <= 1/2 together; and x_N <= -1, against the cone.
TEST(InteriorPoint, ContradictingRowsAreReported) {
    ConeQp qp;
    qp.H = make_block_matrix(Mat3::Identity());
    qp.c = Vec3(-1, 0.5, 0);
    qp.mu = VecX::Constant(1, 0.5);
    MatX C = MatX::Zero(2, 3);
    C(0, 0) = 1;
    C(1, 0) = -1;
    qp.C = C.sparseView();
    qp.d = Eigen::Vector2d(1, -0.5);
    InteriorPointWorkspace ws;
    ConeQpResult result;
    solve_interior_point(qp, {}, ws, result);
    EXPECT_EQ(result.status, SolveStatus::kNoSolution);
    qp.d = Eigen::Vector2d(-5, 1);
    solve_interior_point(qp, {}, ws, result);
    EXPECT_EQ(result.status, SolveStatus::kNoSolution);
    qp.d = Eigen::Vector2d(0.5, -1);
    solve_interior_point(qp, {}, ws, result);
    EXPECT_EQ(result.status, SolveStatus::kSolved);
}

// W with a skew part: Coulomb's law is solved for W as given, not for its symmetric part.
TEST(InteriorPoint, UnsymmetricMatrix) {
    InteriorPointWorkspace ws;
    ConeResult result;
    int solved = 0;
    for (int seed = 0; seed < 100; ++seed) {
        Rng rng(static_cast<unsigned>(seed));
        Bodies bodies = random_bodies(rng, 4, 4, 1);
        const MatX skew = random_matrix(rng, 12, 12);
        bodies.W += 1e-2 * (skew - skew.transpose()) + 1e-2 * MatX::Identity(12, 12);
        const ConeProblem problem = cone_problem(bodies);
        solve_interior_point(problem, {}, VecX(), ws, result);
        solved +=
            result.status == SolveStatus::kSolved && residual(problem, result.r).worst() <= 1e-8;
    }
    EXPECT_GE(solved, 95);
}

TEST(InteriorPoint, GuessIsKeptWhenGoodAndSecondCallRepeatsTheFirst) {
    Rng rng(5);
    const ConeProblem problem = cone_problem(random_bodies(rng, 3, 5, 1));
    InteriorPointWorkspace ws;
    ConeResult first, second;
    solve_interior_point(problem, {}, VecX(), ws, first);
    ASSERT_EQ(first.status, SolveStatus::kSolved);
    solve_interior_point(problem, {}, first.r, ws, second);
    EXPECT_EQ(second.iterations, 0);
    EXPECT_EQ(second.r, first.r);
    const ConeProblem other = cone_problem(random_bodies(rng, 2, 3, 1));
    solve_interior_point(other, {}, VecX(), ws, second);
    solve_interior_point(problem, {}, VecX(), ws, second);
    EXPECT_EQ(second.r, first.r);
}

TEST(InteriorPoint, EmptyAndRefusedProblems) {
    InteriorPointWorkspace ws;
    ConeResult result;
    ConeProblem problem;
    problem.W = make_block_matrix(0, {});
    solve_interior_point(problem, {}, VecX(), ws, result);
    EXPECT_EQ(result.status, SolveStatus::kSolved);
    EXPECT_EQ(result.r.size(), 0);
    ConeQp qp;
    qp.H = problem.W;
    ConeQpResult qp_result;
    solve_interior_point(qp, {}, ws, qp_result);
    EXPECT_EQ(qp_result.status, SolveStatus::kSolved);

    problem = one_contact(1, Vec3(-1, 0, 0), 0.5);
    problem.q[1] = std::numeric_limits<double>::quiet_NaN();
    solve_interior_point(problem, {}, VecX(), ws, result);
    EXPECT_EQ(result.status, SolveStatus::kNotFinite);
    solve_convex_relaxation(problem, {}, VecX(), ws, result);
    EXPECT_EQ(result.status, SolveStatus::kNotFinite);
    qp.H = problem.W;
    qp.c = problem.q;
    qp.mu = problem.mu;
    solve_interior_point(qp, {}, ws, qp_result);
    EXPECT_EQ(qp_result.status, SolveStatus::kNotFinite);
    EXPECT_TRUE(qp_result.x.isZero());
}

}  // namespace
}  // namespace stiction::interior_point_test
