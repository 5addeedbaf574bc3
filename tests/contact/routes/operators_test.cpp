// operators_test.cpp - what the proximal Newton method sees of an island: bodies and links against
// the Delassus matrix formed block by block, and solves against products.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/island/delassus.h"
#include "contact/routes/body_operator.h"
#include "contact/routes/dissipation_operator.h"
#include "core/random.h"
#include "scene_runs.h"

namespace stiction {
namespace {

VecX random_numbers(Random& random, Eigen::Index n) {
    VecX x(n);
    for (double& value : x) value = random.uniform(-1, 1);
    return x;
}

// Rows and triples of every island of a scene after some steps, handed to act(problem, island,
// rows, triples).
template <typename Act>
void for_each_island(const char* scene, const Act& act) {
    Simulation sim = simulate(shipped_scene(scene), CoulombCone{});
    for (int i = 0; i < 20; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
    for (const Island& island : sim.frame.problem.islands) {
        IslandRows rows;
        Triples triples;
        build_island_rows(sim.frame.problem, island, {.all_tangential = true}, rows);
        build_triples(sim.frame.problem, rows, triples);
        act(sim.frame.problem, island, rows, triples);
    }
}

constexpr const char* kScenes[] = {"grasp", "stack", "motors", "chain", "quadruped", "arch"};

TEST(BodyOperator, MultipliesLikeTheDelassusMatrix) {
    Random random(1);
    for (const char* scene : kScenes) {
        for_each_island(scene, [&](const ContactProblem& problem, const Island& island,
                                   const IslandRows& rows, const Triples& triples) {
            DelassusWorkspace delassus;
            ConeProblem cone;
            make_cone_problem(problem, rows, triples, delassus, cone);
            BodyOperator bodies;
            bodies.prepare(problem, island, rows, triples);
            VecX q, W_x;
            bodies.free_velocity(problem.v_free, q);
            EXPECT_LT((q - cone.q).norm(), 1e-13 * (1 + q.norm())) << scene;
            const VecX x = random_numbers(random, q.size());
            bodies.multiply(x, W_x);
            const VecX expected = to_dense(cone.W) * x;
            EXPECT_LT((W_x - expected).norm(), 1e-12 * expected.norm()) << scene;
            for (int a = 0; a < cone.contacts(); ++a)
                EXPECT_NEAR(bodies.weights()[a], block_weight(cone.W, a),
                            1e-12 * bodies.weights()[a]);
        });
    }
}

// A step with random derivatives P between 0 and 1, as projections have: (A + B W) x = b.
struct RandomStep {
    std::vector<Mat3> A, B;
    std::vector<char> open;

    RandomStep(Random& random, const VecX& weight) {
        for (const double D : weight) {
            const Vec3 d = 0.5 * (random_numbers(random, 3).array() + 1).matrix();
            const Eigen::HouseholderQR<Mat3> qr(Mat3(random_numbers(random, 9).reshaped(3, 3)));
            const Mat3 Q = qr.householderQ();
            B.push_back(Q * d.asDiagonal() * Q.transpose());
            A.push_back(0.01 * D * Mat3::Identity());
            open.push_back(random.uniform(0, 1) < 0.2);
            if (open.back()) B.back().setZero();
        }
    }
};

double step_error(DelassusOperator& W, const RandomStep& step, const VecX& b, const VecX& x) {
    VecX W_x;
    W.multiply(x, W_x);
    double error = 0;
    for (std::size_t a = 0; a < step.A.size(); ++a) {
        const auto i = 3 * static_cast<Eigen::Index>(a);
        const Vec3 left = step.open[a]
                              ? Vec3(x.segment<3>(i))
                              : Vec3(step.A[a] * x.segment<3>(i) + step.B[a] * W_x.segment<3>(i));
        error = std::max(error, (left - b.segment<3>(i)).norm());
    }
    return error;
}

TEST(BodyOperator, SolvesWhatItMultiplies) {
    Random random(2);
    for (const char* scene : kScenes) {
        for_each_island(scene, [&](const ContactProblem& problem, const Island& island,
                                   const IslandRows& rows, const Triples& triples) {
            BodyOperator bodies;
            bodies.prepare(problem, island, rows, triples);
            const RandomStep step(random, bodies.weights());
            for (const bool symmetric : {false, true}) {
                const VecX b = random_numbers(random, 3 * bodies.weights().size());
                VecX x = b;
                ASSERT_TRUE(bodies.factor(step.A, step.B, step.open, symmetric)) << scene;
                bodies.solve(x);
                EXPECT_LT(step_error(bodies, step, b, x), 1e-8) << scene;
            }
        });
    }
}

// Without factors: the velocities that the step makes are those of the factored one, to the accuracy
// of the iteration.
TEST(BodyOperator, IteratesToWhatTheFactorsGive) {
    Random random(4);
    for (const char* scene : {"stack", "arch", "brick_wall"}) {
        for_each_island(scene, [&](const ContactProblem& problem, const Island& island,
                                   const IslandRows& rows, const Triples& triples) {
            BodyOperator factored, iterated;
            factored.prepare(problem, island, rows, triples);
            iterated.prepare(problem, island, rows, triples, false);
            const RandomStep step(random, factored.weights());
            for (const bool symmetric : {false, true}) {
                const VecX b = random_numbers(random, 3 * factored.weights().size());
                const auto velocities = [&](BodyOperator& bodies) -> VecX {
                    VecX x = b, W_x;
                    EXPECT_TRUE(bodies.factor(step.A, step.B, step.open, symmetric)) << scene;
                    bodies.solve(x);
                    bodies.multiply(x, W_x);
                    return bodies.velocities();
                };
                const VecX expected = velocities(factored);
                EXPECT_LT((velocities(iterated) - expected).norm(), 0.2 * expected.norm())
                    << scene << ' ' << symmetric;
            }
        });
    }
}

// (A + S + A L A + k e e') x = b with random symmetric S, L on some rows and e on the normals; y is
// L A x.
TEST(DissipationOperator, SolvesWhatItMultiplies) {
    Random random(3);
    for (const char* scene : {"grasp", "stack", "quadruped", "arch"}) {
        for_each_island(scene, [&](const ContactProblem& problem, const Island& island,
                                   const IslandRows& rows, const Triples& triples) {
            BodyOperator bodies;
            bodies.prepare(problem, island, rows, triples);
            DissipationOperator A;
            A.prepare(bodies);
            const RandomStep step(random, bodies.weights());
            const Eigen::Index n = 3 * bodies.weights().size();
            std::vector<Mat3> S;
            VecX L = VecX::Zero(n), e = VecX::Zero(n);
            for (Eigen::Index a = 0; a < n / 3; ++a) {
                const double D = bodies.weights()[a];
                S.emplace_back(D * (step.B[at(static_cast<int>(a))] + 0.01 * Mat3::Identity()));
                if (bodies.softness(static_cast<int>(a)).isZero(0.0) && random.unit() < 0.5)
                    L[3 * a] = 100 / D;
                e[3 * a] = 1;
            }
            const double k = 10 * bodies.weights().mean();
            const VecX b = random_numbers(random, n);
            VecX x = b, y = VecX::Zero(n), A_x, A_y;
            ASSERT_TRUE(A.factor(S, L, k, e)) << scene;
            A.solve(x, y);
            A.multiply(x, A_x);
            EXPECT_LE((y - L.cwiseProduct(A_x)).norm(), 1e-8 * y.norm()) << scene;
            A.multiply(y, A_y);
            VecX both_x, both_y;
            A.multiply_two(x, y, both_x, both_y);
            EXPECT_LE((both_x - A_x).norm(), 1e-12 * A_x.norm()) << scene;
            EXPECT_LE((both_y - A_y).norm(), 1e-12 * A_y.norm()) << scene;
            VecX left = A_x + A_y + k * e.dot(x) * e;
            for (Eigen::Index a = 0; a < n / 3; ++a)
                left.segment<3>(3 * a) += S[at(static_cast<int>(a))] * x.segment<3>(3 * a);
            EXPECT_LT((left - b).norm(), 1e-8 * b.norm()) << scene;
        });
    }
}

}  // namespace
}  // namespace stiction
