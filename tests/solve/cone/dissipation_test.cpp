// dissipation_test.cpp - the program of maximum dissipation: closed forms, the interior point as a
// second route, and programs that have no multipliers.
#include "solve/cone/dissipation.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "solve/cone/interior_point.h"
#include "solve/lcp/random_problems.h"

namespace stiction::dissipation_test {
namespace {

using test::random_matrix;
using test::random_vector;
using test::Rng;
using test::uniform;

class DenseMatrix final : public DissipationMatrix {
  public:
    explicit DenseMatrix(MatX A) : A_(std::move(A)) {}
    void multiply(const VecX& x, VecX& A_x) override { A_x = A_ * x; }
    bool factor(const std::vector<Mat3>& S, const VecX& L, double k, const VecX& e) override {
        MatX H = A_ + A_ * L.asDiagonal() * A_ + k * e * e.transpose();
        for (std::size_t a = 0; a < S.size(); ++a) {
            const auto i = 3 * static_cast<Eigen::Index>(a);
            H.block<3, 3>(i, i) += S[a];
        }
        H_.compute(H);
        L_ = L;
        return H_.info() == Eigen::Success;
    }
    void solve(VecX& x, VecX& y) override {
        y = L_.cwiseProduct(y);
        x = H_.solve(x - A_ * y).eval();
        y += L_.cwiseProduct(A_ * x);
    }

  private:
    MatX A_;
    VecX L_;
    Eigen::LDLT<MatX> H_;
};

// Contacts alone; every normal is a gap and counts.
struct Contacts {
    ConeLaws laws;
    MatX A;
    VecX b, D, counted;
    std::vector<Held> held;
    double kappa = 0;

    Contacts(const MatX& matrix, const VecX& free, const VecX& mu) : A(matrix), b(free) {
        const auto n = mu.size();
        laws.mu = mu;
        laws.relaxed = true;
        D.resize(n);
        counted.setZero(3 * n);
        for (Eigen::Index a = 0; a < n; ++a) {
            D[a] = A.block<3, 3>(3 * a, 3 * a).trace() / 3;
            counted[3 * a] = 1;
            held.insert(held.end(), {Held::kGap, Held::kNo, Held::kNo});
        }
    }

    [[nodiscard]] DissipationResult solve(double tolerance) const {
        DissipationResult result;
        result.x.setZero(b.size());
        result.lambda.setZero(b.size());
        DenseMatrix matrix(A);
        DissipationWorkspace workspace;
        const DissipationProgram program{laws, b, D, held, counted, kappa};
        solve_dissipation(program, matrix, {tolerance}, workspace, result);
        return result;
    }

    // The same program for the interior point.
    [[nodiscard]] ConeQp cone_qp() const {
        const auto n = laws.mu.size();
        ConeQp qp;
        qp.H = make_block_matrix(A);
        qp.c = b;
        qp.mu = laws.mu;
        MatX C(n + 1, 3 * n);
        qp.d.resize(n + 1);
        for (Eigen::Index a = 0; a < n; ++a) {
            C.row(a) = A.row(3 * a);
            qp.d[a] = -b[3 * a];
        }
        C.row(n) = -counted.transpose();
        qp.d[n] = -kappa;
        qp.C = C.sparseView();
        qp.C.makeCompressed();
        return qp;
    }
};

// Frictionless impulses by sweeps, and their sum.
double frictionless_sum(const Contacts& c) {
    VecX x = VecX::Zero(c.b.size());
    for (int k = 0; k < 200000; ++k) {
        double change = 0;
        for (Eigen::Index i = 0; i < x.size(); i += 3) {
            const double next = std::max(0.0, x[i] - (c.A.row(i).dot(x) + c.b[i]) / c.A(i, i));
            change = std::max(change, std::abs(next - x[i]) * c.A(i, i));
            x[i] = next;
        }
        if (change < 1e-15) break;
    }
    return x.sum();
}

// A mass that slides: c_n = -b_n / w by the gap, friction mu c_n against b_T; without kappa the
// cones alone would lift it.
TEST(Dissipation, OneContactSlidesWithoutBeingLifted) {
    const double w = 2, mu = 0.5;
    Contacts c(w * MatX::Identity(3, 3), Vec3(-1, 3, 4), VecX::Constant(1, mu));
    c.kappa = 1 / w;
    const DissipationResult result = c.solve(1e-10);
    EXPECT_EQ(result.status, SolveStatus::kSolved);
    EXPECT_LT((result.x - Vec3(1 / w, -0.3 / w, -0.4 / w)).norm(), 1e-9) << result.x.transpose();
    c.kappa = 10;
    const DissipationResult lifted = c.solve(1e-10);
    EXPECT_EQ(lifted.status, SolveStatus::kSolved);
    EXPECT_EQ(lifted.sigma, 0);
    EXPECT_LT((lifted.x - project_on_cone(mu, -c.b / w)).norm(), 1e-9);
}

// Without room for any impulse no multiplier is large enough: with kappa = 0 and a gap that only
// just does not close, x = 0 is the one feasible point, and w + sigma e reaches the dual cone of a
// steep friction only for sigma >= mu |u_T|.
TEST(Dissipation, AProgramWithOnePointIsSolved) {
    Contacts c(MatX::Identity(3, 3), Vec3(0, 3, 4), VecX::Constant(1, 2.0));
    c.kappa = 0;
    const DissipationResult result = c.solve(1e-8);
    EXPECT_EQ(result.status, SolveStatus::kSolved);
    EXPECT_LT(result.x.norm(), 1e-7);
    EXPECT_GE(result.sigma, 2.0 * 5 * (1 - 1e-6));
}

TEST(Dissipation, AgreesWithTheInteriorPointOnRandomContacts) {
    Rng rng(5);
    InteriorPointWorkspace workspace;
    int compared = 0, bound = 0;
    for (int i = 0; i < 100; ++i) {
        const int n = 2 + i % 7, nv = 6 + 6 * (i % 3);
        const MatX G = random_matrix(rng, 3 * n, nv);
        VecX mu(n);
        for (double& m : mu) m = uniform(rng, 0.05, 1.2);
        const VecX v = random_vector(rng, nv);
        Contacts c(G * G.transpose() / nv, G * v, mu);
        c.kappa = frictionless_sum(c) * (1 + 1e-9);
        const DissipationResult result = c.solve(1e-9);
        EXPECT_EQ(result.status, SolveStatus::kSolved) << i << " " << result.residual;
        ConeQpResult reference;
        SolveSettings settings;
        settings.tolerance = 1e-8;
        solve_interior_point(c.cone_qp(), settings, workspace, reference);
        bound += result.sigma > 0;
        if (reference.status != SolveStatus::kSolved) continue;  // no interior: it may not end
        ++compared;
        const VecX u = c.A * result.x, u_reference = c.A * reference.x;
        EXPECT_LT((u - u_reference).norm(), 1e-4 * c.b.norm()) << i;
        EXPECT_LE(0.5 * result.x.dot(u) + c.b.dot(result.x),
                  0.5 * reference.x.dot(u_reference) + c.b.dot(reference.x) + 1e-6)
            << i;
    }
    EXPECT_GT(compared, 80);
    EXPECT_GT(bound, 30);  // kappa counts
}

// Through the interior alone, from beside a start.
DissipationResult walk(const Contacts& c, double tolerance, DissipationResult result) {
    DenseMatrix matrix(c.A);
    DissipationInterior workspace;
    const DissipationProgram program{c.laws, c.b, c.D, c.held, c.counted, c.kappa};
    SolveSettings stop;
    stop.tolerance = tolerance;
    stop.max_iterations = 80;
    walk_interior(program, matrix, stop, {0, c.kappa}, true, workspace, result);
    return result;
}
DissipationResult walk(const Contacts& c, double tolerance) {
    DissipationResult nothing;
    nothing.x.setZero(c.b.size());
    nothing.lambda.setZero(c.b.size());
    nothing.residual = std::numeric_limits<double>::infinity();
    return walk(c, tolerance, nothing);
}

TEST(Dissipation, TheInteriorLeadsToTheClosedForm) {
    const double w = 2, mu = 0.5;
    Contacts c(w * MatX::Identity(3, 3), Vec3(-1, 3, 4), VecX::Constant(1, mu));
    c.kappa = 10;
    const DissipationResult lifted = walk(c, 1e-8);
    EXPECT_LE(lifted.residual, 1e-8);
    EXPECT_LE(lifted.factorisations, 15);
    EXPECT_LT((lifted.x - project_on_cone(mu, -c.b / w)).norm(), 1e-7);
    // Half of that is all that kappa allows: friction is as large as the cone, against b_T.
    c.kappa = 0.5 * lifted.x[0];
    c.held.assign(3, Held::kNo);
    const DissipationResult less = walk(c, 1e-8);
    EXPECT_LE(less.residual, 1e-8);
    EXPECT_LT((less.x - c.kappa * Vec3(1, -0.6 * mu, -0.8 * mu)).norm(), 1e-7);
}

// A motor of at most 0.2, a row without bounds, one that cannot act, and a contact without friction
// with an offset: what each takes is -b / w, as far as it may.
TEST(Dissipation, TheInteriorTakesRowsBetweenBoundsAndOffsets) {
    const double w = 2, inf = std::numeric_limits<double>::infinity();
    VecX b(6);
    b << 1, -3, 5, -1, 0.3, 0.4;
    Contacts c(w * MatX::Identity(6, 6), b, Eigen::Vector2d(0, 0));
    c.laws.bounded = {1, 0};
    c.laws.lo.setZero(6);
    c.laws.hi.setZero(6);
    c.laws.lo.head<3>() << -0.2, -inf, 0;
    c.laws.hi.head<3>() << 0.2, inf, 0;
    VecX offset = Eigen::Vector2d(0, 0.1);
    c.laws.offset = &offset;
    c.held.assign(6, Held::kNo);
    c.counted << 0, 0, 0, 1, 0, 0;
    c.kappa = 100;
    VecX expected(6);
    expected << -0.2, 1.5, 0, 0.5, -0.06, -0.08;
    for (const DissipationResult& result : {walk(c, 1e-8), c.solve(1e-8)}) {
        EXPECT_LE(result.residual, 1e-8);
        EXPECT_LT((result.x - expected).norm(), 1e-7) << result.x.transpose();
    }
}

// Twenty contacts at one point: only their sum does anything, but the velocities asked for differ by
// 3e-8 from one to the next. That slope, of ten tolerances, is all that leads to the answer: all of
// the impulse at the first one.
TEST(Dissipation, NearlyFlatDirectionsAreFollowedToTheirEnd) {
    const int n = 20;
    const double w = 2, slope = 3e-8;
    MatX A = MatX::Zero(3 * n, 3 * n);
    VecX b = VecX::Zero(3 * n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) A.block<3, 3>(3 * i, 3 * j) = w * Mat3::Identity();
        b[3 * i] = -1 + slope * i;
    }
    Contacts c(A, b, VecX::Constant(n, 0.5));
    c.kappa = 1;
    const DissipationResult result = c.solve(3e-9);
    EXPECT_EQ(result.status, SolveStatus::kSolved) << result.residual;
    EXPECT_LE(result.factorisations, 60);
    EXPECT_NEAR(result.x[0], 1 / w, 1e-3);
    EXPECT_NEAR(result.x.sum(), 1 / w, 1e-7);
}

// The conditions of dissipation.h from A and b alone, over |b|: the largest of what each leaves.
double violation(const Contacts& c, const DissipationResult& r) {
    const VecX u = c.A * r.x + c.b;
    const VecX w = u - c.A * r.lambda + r.sigma * c.counted;
    double worst = std::max(std::abs(std::min(r.sigma, 0.0)),
                            std::max(0.0, c.counted.dot(r.x) / c.kappa - 1) * c.b.norm());
    worst = std::max(worst, r.sigma * std::abs(c.kappa - c.counted.dot(r.x)) / c.kappa);
    for (Eigen::Index a = 0; a < c.D.size(); ++a) {
        const Vec3 x = r.x.segment<3>(3 * a), w_a = w.segment<3>(3 * a);
        const double mu = c.laws.mu[a], D = c.D[a], lambda = r.lambda[3 * a], gap = u[3 * a];
        worst = std::max({worst, D * (x.tail<2>().norm() - mu * x[0]),
                          mu * w_a.tail<2>().norm() - w_a[0], std::sqrt(std::abs(D * x.dot(w_a))),
                          -gap, -D * lambda, std::min(D * lambda, gap),
                          D * r.lambda.segment<2>(3 * a + 1).norm()});
    }
    return worst / c.b.norm();
}

// A structure of redundant contacts, pushed a little further in every problem.
struct Series {
    Rng rng{11};
    int n = 24, nv = 18;
    MatX G = random_matrix(rng, 3 * n, nv);
    VecX v = random_vector(rng, nv), push = random_vector(rng, nv);
    VecX mu = VecX::Constant(n, 0.6);

    Contacts problem(int k) {
        Contacts c(G * G.transpose() / nv, G * (v + 0.01 * k * push), mu);
        c.kappa = frictionless_sum(c) * (1 + 1e-9);
        return c;
    }
};

DissipationResult solve_from(const Contacts& c, const DissipationResult& last,
                             DissipationWorkspace& workspace) {
    DissipationResult result = last;
    DenseMatrix matrix(c.A);
    const DissipationProgram program{c.laws, c.b, c.D, c.held, c.counted, c.kappa};
    SolveSettings stop;
    stop.tolerance = 1e-8;
    solve_dissipation(program, matrix, stop, workspace, result);
    return result;
}

// Each problem from the last one's answer, which is too far off for the outer steps alone, and from
// nothing: the same velocity, by fewer factorisations. Both keep the conditions.
TEST(Dissipation, ASeriesOfProblemsIsSolvedFromTheLastAnswer) {
    Series series;
    DissipationResult nothing;
    nothing.x.setZero(3 * series.n);
    nothing.lambda.setZero(3 * series.n);
    DissipationWorkspace workspace;
    DissipationResult last = solve_from(series.problem(0), nothing, workspace);
    int warm = 0, from_last = 0, from_nothing = 0, bound = 0;
    for (int k = 1; k <= 20; ++k) {
        const Contacts c = series.problem(k);
        last = solve_from(c, last, workspace);
        const DissipationResult fresh = solve_from(c, nothing, workspace);
        ASSERT_EQ(last.status, SolveStatus::kSolved) << k << " " << last.residual;
        ASSERT_EQ(fresh.status, SolveStatus::kSolved) << k << " " << fresh.residual;
        // x.w is of second order in the distance of both: its root is what the tolerance is of.
        EXPECT_LT(violation(c, last), 1e-5) << k;
        EXPECT_LT(violation(c, fresh), 1e-5) << k;
        EXPECT_LT((c.A * (last.x - fresh.x)).norm(), 1e-6 * c.b.norm()) << k;
        warm += last.warm_starts > 0 && last.cold_starts == 0;
        bound += last.sigma > 0;
        from_last += last.factorisations;
        from_nothing += fresh.factorisations;
    }
    std::printf(
        "factorisations of 20 problems: %d from the last answer (%d through the interior "
        "beside it), %d from nothing\n",
        from_last, warm, from_nothing);
    EXPECT_GE(warm, 15);
    EXPECT_GE(bound, 15);
    EXPECT_LE(5 * from_last, 4 * from_nothing);
}

// Beside an answer that is 10 % off, with and without kappa, an offset and a motor among the rows:
// the closed forms of the tests above, from a warm start alone.
TEST(Dissipation, AWarmStartLeadsToTheClosedForm) {
    const double w = 2, mu = 0.5, inf = std::numeric_limits<double>::infinity();
    Contacts slides(w * MatX::Identity(3, 3), Vec3(-1, 3, 4), VecX::Constant(1, mu));
    slides.kappa = 10;
    const VecX lifted = project_on_cone(mu, -slides.b / w);
    VecX b(6);
    b << 1, -3, 5, -1, 0.3, 0.4;
    Contacts rows(w * MatX::Identity(6, 6), b, Eigen::Vector2d(0, 0));
    rows.laws.bounded = {1, 0};
    rows.laws.lo.setZero(6);
    rows.laws.hi.setZero(6);
    rows.laws.lo.head<3>() << -0.2, -inf, 0;
    rows.laws.hi.head<3>() << 0.2, inf, 0;
    VecX offset = Eigen::Vector2d(0, 0.1);
    rows.laws.offset = &offset;
    rows.held.assign(6, Held::kNo);
    rows.counted << 0, 0, 0, 1, 0, 0;
    rows.kappa = 100;
    VecX expected(6);
    expected << -0.2, 1.5, 0, 0.5, -0.06, -0.08;
    const std::pair<const Contacts*, VecX> cases[] = {{&slides, lifted}, {&rows, expected}};
    for (const auto& [c, answer] : cases) {
        DissipationResult start;
        start.x = 0.9 * answer;
        start.lambda.setZero(answer.size());
        const VecX u = c->A * start.x + c->b;
        const DissipationProgram program{c->laws, c->b, c->D, c->held, c->counted, c->kappa};
        start.residual = residual(program, start.x, start.lambda, 0, u, u);
        ASSERT_GT(start.residual, 1e-3);
        const DissipationResult result = walk(*c, 1e-8, start);
        EXPECT_EQ(result.warm_starts, 1);
        EXPECT_EQ(result.cold_starts, 0);
        EXPECT_LE(result.residual, 1e-8);
        EXPECT_LT((result.x - answer).norm(), 1e-7) << result.x.transpose();
    }
}

// An answer that is no answer, impulses and multipliers of any size: the way from beside it may be
// blocked, the answer is the same.
TEST(Dissipation, ABadStartDoesNotChangeTheAnswer) {
    Series series;
    Rng rng(12);
    DissipationWorkspace workspace;
    const Contacts c = series.problem(3);
    DissipationResult start;
    start.x.setZero(3 * series.n);
    start.lambda.setZero(3 * series.n);
    const DissipationResult reference = solve_from(c, start, workspace);
    ASSERT_EQ(reference.status, SolveStatus::kSolved);
    for (const double size : {1e-3, 1e-1, 1e1, 1e3, 1e6}) {
        start.x = size * random_vector(rng, 3 * series.n);
        for (int i = 0; i < 3 * series.n; i += 3) start.lambda[i] = size * uniform(rng, 0, 1);
        start.sigma = size;
        const DissipationResult result = solve_from(c, start, workspace);
        EXPECT_EQ(result.status, SolveStatus::kSolved) << size << " " << result.residual;
        EXPECT_LT(violation(c, result), 1e-5) << size;
        EXPECT_LT((c.A * (result.x - reference.x)).norm(), 1e-6 * c.b.norm()) << size;
    }
}

TEST(Dissipation, StopsAtItsLimitWithTheBestFound) {
    Rng rng(6);
    const MatX G = random_matrix(rng, 24, 12);
    Contacts c(G * G.transpose(), G * random_vector(rng, 12), VecX::Constant(8, 0.5));
    c.kappa = frictionless_sum(c);
    DissipationResult result;
    double last = std::numeric_limits<double>::infinity();
    for (const int limit : {1, 5, 20, 200}) {
        result.x.setZero(24);
        result.lambda.setZero(24);
        result.sigma = 0;
        DenseMatrix matrix(c.A);
        DissipationWorkspace workspace;
        const DissipationProgram program{c.laws, c.b, c.D, c.held, c.counted, c.kappa};
        SolveSettings stop;
        stop.tolerance = 1e-9;
        stop.max_iterations = limit;
        solve_dissipation(program, matrix, stop, workspace, result);
        EXPECT_LE(result.factorisations, limit);
        EXPECT_LE(result.residual, last);
        last = result.residual;
    }
    EXPECT_EQ(result.status, SolveStatus::kSolved);
}

}  // namespace
}  // namespace stiction::dissipation_test
