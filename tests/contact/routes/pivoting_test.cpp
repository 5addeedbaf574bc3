// The block-sparse program against its optimality conditions and against a dense route (Lemke on
// the dual LCP).
#include "contact/routes/pivoting.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/random.h"
#include "solve/lcp/lemke.h"

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Example {
    LinkSystem system;
    IslandRows rows;
    std::vector<int> links, blocks;
    VecX v_free;
};

Vec6 random6(Random& random) {
    Vec6 x;
    for (double& value : x) value = random.uniform(-1, 1);
    return x;
}

// A chain of bodies hanging on the world; each link has some equalities, unilateral rows (some
// listed twice) and bounded rows. Row targets of unilateral rows are <= 0, so v = 0-ish is feasible
// and the program has a solution.
Example random_example(std::uint64_t seed, int bodies, bool bounded, bool equalities) {
    Random random(seed);
    Example e;
    for (int b = 0; b < bodies; ++b) {
        InertiaBlock block;
        block.offset = 6 * b;
        block.mass = random.uniform(0.5, 2);
        block.inv_mass = 1 / block.mass;
        block.inertia = random.uniform(0.2, 1) * Mat3::Identity();
        block.inv_inertia = block.inertia.inverse();
        e.system.blocks.push_back(block);
        e.blocks.push_back(b);
    }
    e.system.nv = 6 * bodies;
    for (int l = 0; l < bodies; ++l) {
        Link link;
        link.a = l;
        link.b = l == 0 ? kNone : l - 1;
        link.length = 0.7;
        link.r_a = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        link.r_b = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        e.system.links.push_back(link);
        e.links.push_back(l);
    }
    e.rows.begin.push_back(0);
    for (int l = 0; l < bodies; ++l) {
        if (equalities) {
            Row row;
            row.g = random6(random);
            e.rows.rows.push_back(row);
            e.rows.state.push_back(BoundState::kFree);
        }
        for (int k = 0; k < 4; ++k) {
            Row row;
            row.g = random6(random);
            row.lo = 0;
            row.target = random.unit() < 0.5 ? 0 : -0.2 * random.unit();
            e.rows.rows.push_back(row);
            e.rows.state.push_back(BoundState::kLower);
            if (random.unit() < 0.3) {  // the same row again
                e.rows.rows.push_back(row);
                e.rows.state.push_back(BoundState::kFree);
            }
        }
        if (bounded) {
            Row row;
            row.g = random6(random);
            row.target = random.uniform(-1, 1);
            row.lo = -0.1;
            row.hi = 0.1;
            row.compliance = random.unit() < 0.5 ? 0 : 0.5;
            e.rows.rows.push_back(row);
            e.rows.state.push_back(BoundState::kFree);
        }
        e.rows.begin.push_back(static_cast<int>(e.rows.rows.size()));
    }
    e.v_free.resize(e.system.nv);
    for (double& x : e.v_free) x = random.uniform(-1, 1);
    return e;
}

struct Answer {
    PivotingReport result;
    std::vector<double> c;
    VecX v;
};

Answer solve(Example& e, PivotingWorkspace& workspace) {
    e.rows.links = e.links;
    e.rows.blocks = e.blocks;
    Answer answer;
    answer.c.resize(e.rows.rows.size());
    answer.v = e.v_free;
    VecX momentum(e.system.nv);
    e.rows.c.resize(e.rows.rows.size());
    answer.result = solve_by_pivoting(e.system, {kPivotingTolerance}, e.v_free, workspace, e.rows,
                                      momentum, answer.v);
    answer.c = e.rows.c;
    return answer;
}

MatX dense_rows(const Example& e) {
    MatX G = MatX::Zero(static_cast<Eigen::Index>(e.rows.rows.size()), e.system.nv);
    for (std::size_t l = 0; l < e.links.size(); ++l) {
        const Link& link = e.system.links[l];
        for (int r = e.rows.begin[l]; r < e.rows.begin[l + 1]; ++r) {
            const Vec6& g = e.rows.rows[static_cast<std::size_t>(r)].g;
            G.row(r).segment<6>(6 * link.a) += g.transpose() * link_jacobian(e.system, link, true);
            if (link.b != kNone)
                G.row(r).segment<6>(6 * link.b) -=
                    g.transpose() * link_jacobian(e.system, link, false);
        }
    }
    return G;
}

MatX dense_mass(const Example& e) {
    MatX M = MatX::Zero(e.system.nv, e.system.nv);
    for (const InertiaBlock& b : e.system.blocks)
        M.block(b.offset, b.offset, 6, 6) = dense_inertia(e.system, b);
    return M;
}

// Momentum balance, bounds and signs, all from dense matrices.
// `impulse` [N s], `velocity` [m/s]: what rounding may leave.
void expect_optimal(const Example& e, const Answer& answer, double impulse = 1e-9,
                    double velocity = 1e-8) {
    const MatX G = dense_rows(e);
    const Eigen::Map<const VecX> c(answer.c.data(), static_cast<Eigen::Index>(answer.c.size()));
    EXPECT_LT((dense_mass(e) * (answer.v - e.v_free) - G.transpose() * c).norm(), impulse);
    for (std::size_t r = 0; r < e.rows.rows.size(); ++r) {
        const Row& row = e.rows.rows[r];
        const double w = G.row(static_cast<Eigen::Index>(r)).dot(answer.v) - row.target +
                         row.compliance * answer.c[r];
        EXPECT_GE(answer.c[r], row.lo - 1e-9);
        EXPECT_LE(answer.c[r], row.hi + 1e-9);
        if (answer.c[r] > row.lo + 1e-8) {
            EXPECT_LT(w, velocity + row.compliance * impulse) << "row " << r;
        }
        if (answer.c[r] < row.hi - 1e-8) {
            EXPECT_GT(w, -velocity - row.compliance * impulse) << "row " << r;
        }
    }
}

TEST(Pivoting, MeetsItsOptimalityConditions) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        for (const bool bounded : {false, true}) {
            Example e =
                random_example(seed, 1 + static_cast<int>(seed % 6), bounded, seed % 2 == 0);
            PivotingWorkspace workspace;
            const Answer answer = solve(e, workspace);
            ASSERT_EQ(answer.result.status, SolveStatus::kSolved)
                << "seed " << seed << " bounded " << bounded;
            expect_optimal(e, answer);
        }
    }
}

// A ball that touches at two or three places with soft friction at each: soft rows listed before
// the rigid normals, which are nearly the same, and of which one or more press.
TEST(Pivoting, SoftRowsBesideRigidOnes) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        Example e = random_example(seed, 1, false, false);
        e.rows.rows.clear();
        e.rows.state.clear();
        const int contacts = 2 + static_cast<int>(seed % 2);
        std::vector<Vec3> normals, points;
        const double tilt = std::pow(10, random.uniform(-5, 0));
        for (int i = 0; i < contacts; ++i) {
            const Vec6 x = random6(random);
            normals.push_back((Vec3::UnitZ() + tilt * x.head<3>()).normalized());
            points.push_back(-0.01 * normals.back());
        }
        const auto add = [&](const Vec3& direction, const Vec3& point) -> Row& {
            Row row;
            row.g << direction, point.cross(direction) / e.system.links[0].length;
            e.rows.state.push_back(BoundState::kFree);
            return e.rows.rows.emplace_back(row);
        };
        for (int i = 0; i < contacts; ++i) {
            const Vec3& n = normals[static_cast<std::size_t>(i)];
            const Vec3 s = n.unitOrthogonal();
            for (const Vec3& t : {s, Vec3(n.cross(s))}) {
                add(t, points[static_cast<std::size_t>(i)]).compliance = 1e4;
            }
        }
        for (int i = 0; i < contacts; ++i) {
            add(normals[static_cast<std::size_t>(i)], points[static_cast<std::size_t>(i)]).lo = 0;
        }
        e.rows.begin = {0, static_cast<int>(e.rows.rows.size())};
        PivotingWorkspace workspace;
        // Impulses of normals that differ by 1e-5 are 1e5 times as large as what they do.
        expect_optimal(e, solve(e, workspace), 1e-8, 1e-11);
    }
}

TEST(Pivoting, GivesTheVelocityOfTheDenseDualLcp) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Example e = random_example(seed, 3, false, false);
        PivotingWorkspace workspace;
        const Answer answer = solve(e, workspace);
        const MatX G = dense_rows(e);
        const MatX inverse = dense_mass(e).inverse();
        Lcp lcp;
        lcp.A = G * inverse * G.transpose();
        lcp.b = G * e.v_free;
        for (std::size_t r = 0; r < e.rows.rows.size(); ++r)
            lcp.b[static_cast<Eigen::Index>(r)] -= e.rows.rows[r].target;
        LemkeWorkspace lemke;
        LcpResult result;
        solve_lemke(lcp, {}, {}, lemke, result);
        ASSERT_EQ(result.status, SolveStatus::kSolved);
        const VecX v = e.v_free + inverse * G.transpose() * result.z;
        EXPECT_LT((v - answer.v).norm(), 1e-8) << "seed " << seed;
    }
}

TEST(Pivoting, ARightGuessNeedsOneFactorisation) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Example e = random_example(seed, 5, true, true);
        PivotingWorkspace workspace;
        const Answer first = solve(e, workspace);
        const Answer again = solve(e, workspace);
        EXPECT_EQ(again.result.iterations, 1);
        EXPECT_EQ(again.result.pivots, 0);
        EXPECT_LT((again.v - first.v).norm(), 1e-10);
    }
}

TEST(Pivoting, ContradictingEqualitiesAreAStatus) {
    Example e = random_example(1, 1, false, false);
    e.rows.rows.clear();
    Row row;
    row.g = Vec6::Unit(0);
    row.target = 1;
    e.rows.rows.push_back(row);
    row.target = -1;
    e.rows.rows.push_back(row);
    e.rows.begin = {0, 2};
    e.rows.state = {BoundState::kFree, BoundState::kFree};
    PivotingWorkspace workspace;
    EXPECT_EQ(solve(e, workspace).result.status, SolveStatus::kNoSolution);
}

TEST(Pivoting, InputThatIsNotFiniteIsAStatus) {
    Example e = random_example(1, 2, false, true);
    e.v_free[3] = kInfinity;
    PivotingWorkspace workspace;
    EXPECT_EQ(solve(e, workspace).result.status, SolveStatus::kNotFinite);
}

}  // namespace
}  // namespace stiction
