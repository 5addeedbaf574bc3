// dense_contact_test.cpp - the dense methods against the laws they solve and against one another,
// on the problems of a robot that walks.
#include "bench/dense_contact.h"

#include <gtest/gtest.h>

#include "bench/fold_motors.h"
#include "contact/solve_contact.h"
#include "problem/link_motion.h"
#include "scene_runs.h"

namespace stiction {
namespace {

constexpr int kFirst = 300;  // step: the robot has found its pace
constexpr int kSteps = 300;
constexpr double kTolerance = 1e-9;  // [m/s]

// Contact problems of a walk, handed to `check` one by one.
template <class Check>
void walk(const char* model, const Parameters& parameters, Check check,
          const char* ground = "quadruped") {
    const Scene scene = shipped_scene(ground, parameters);
    Simulation sim = simulate(scene, model_named(model));
    take_steps(sim, kFirst);
    for (int i = 0; i < kSteps; ++i) {
        take_steps(sim, 1);
        const ContactProblem problem = fold_motors(sim.frame.problem);
        check(problem, make_dense_contact(problem));
        if (::testing::Test::HasFailure()) return;
    }
}

// On flat ground, one contact a foot: where a foot touches two triangles without slip, which of the
// two contacts holds it is not unique, and the methods may choose differently.
TEST(DenseContact, NoSlipIsTheShippedNoSlip) {
    DenseContactWorkspace warm, cold;
    cold.cold = true;
    ThreadPool pool(1);
    ContactWorkspace workspace;
    Guess guess;
    walk(
        "no_slip", {},
        [&](const ContactProblem& problem, const DenseContact& contact) {
            DenseAnswer a, b;
            solve_no_slip_ppm(contact, warm, a);
            solve_no_slip_ppm(contact, cold, b);
            ContactSolution shipped;
            solve_contact(model_named("no_slip"), problem, 0, pool, workspace, guess, shipped);
            EXPECT_EQ(a.status, SolveStatus::kSolved);
            EXPECT_LT((a.v - b.v).lpNorm<Eigen::Infinity>(), kTolerance);
            EXPECT_LT((a.v - shipped.v).lpNorm<Eigen::Infinity>(), kTolerance);
        },
        "quadruped_flat");
}

// On the terrain the shipped method keeps the law, whichever contact holds a foot: no contact
// closes, and none that presses slips.
TEST(DenseContact, ShippedNoSlipKeepsTheLawOnTheTerrain) {
    ThreadPool pool(1);
    ContactWorkspace workspace;
    Guess guess;
    double closing = 0, slip = 0;
    walk("no_slip", {}, [&](const ContactProblem& problem, const DenseContact&) {
        ContactSolution shipped;
        solve_contact(model_named("no_slip"), problem, 0, pool, workspace, guess, shipped);
        EXPECT_EQ(shipped.status, SolveStatus::kSolved);
        for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
            const ContactRow& row = problem.contacts[i];
            const Vec6 u =
                link_velocity(problem.system,
                              problem.system.links[static_cast<std::size_t>(row.link)], shipped.v);
            closing = std::max(closing, -(row.n.dot(u) + row.bias));
            if (shipped.c_n[i] > 0) slip = std::max(slip, std::hypot(row.s.dot(u), row.t.dot(u)));
        }
    });
    std::printf("closing %.2e m/s, slip %.2e m/s\n", closing, slip);
    EXPECT_LT(closing, kTolerance);
    EXPECT_LT(slip, kTolerance);
}

// Momentum, non-penetration and the frictional law of the answer itself.
TEST(DenseContact, ViscousMethodsAgreeAndMeetTheLaw) {
    DenseContactWorkspace ppm, lemke, cold;
    cold.cold = true;
    ThreadPool pool(1);
    ContactWorkspace workspace;
    Guess guess;
    walk("viscous", {{"mu", "0"}}, [&](const ContactProblem& problem, const DenseContact& contact) {
        ContactSolution shipped;
        solve_contact(model_named("viscous"), problem, 0, pool, workspace, guess, shipped);
        DenseAnswer a, b, c;
        solve_viscous_ppm(contact, ppm, a);
        solve_viscous_lemke(contact, lemke, b);
        solve_viscous_lemke(contact, cold, c);
        EXPECT_EQ(a.status, SolveStatus::kSolved);
        EXPECT_EQ(b.status, SolveStatus::kSolved);
        EXPECT_LT((a.v - b.v).lpNorm<Eigen::Infinity>(), kTolerance);
        EXPECT_LT((a.v - c.v).lpNorm<Eigen::Infinity>(), kTolerance);
        EXPECT_LT((a.v - shipped.v).lpNorm<Eigen::Infinity>(), 1e-7);
        VecX impulse = contact.M * b.v - contact.momentum;
        for (Eigen::Index i = 0; i < contact.N.rows(); ++i) {
            EXPECT_GT(contact.N.row(i).dot(b.v) + contact.bias[i], -kTolerance);
            EXPECT_GE(lemke.result.z[i], 0);
            impulse -= lemke.result.z[i] * contact.N.row(i).transpose();
            if (!contact.touching[static_cast<std::size_t>(i)]) continue;
            const double weight = contact.h * contact.mu_v[i];
            impulse += weight * contact.S.row(i).dot(b.v) * contact.S.row(i).transpose();
            impulse += weight * contact.T.row(i).dot(b.v) * contact.T.row(i).transpose();
        }
        EXPECT_LT(impulse.lpNorm<Eigen::Infinity>(), 1e-12);
    });
}

// The law may have more than one answer; from the same basic set both find the same one, mostly.
TEST(DenseContact, LemkeIsTheShippedCoulombLcp) {
    DenseContactWorkspace warm;
    ThreadPool pool(1);
    ContactWorkspace workspace;
    Guess guess;
    int differ = 0, contacts = 0;
    walk("coulomb_lcp", {{"mu", "0.6"}},
         [&](const ContactProblem& problem, const DenseContact& contact) {
             DenseAnswer a;
             solve_coulomb_lemke(contact, warm, a);
             ContactSolution shipped;
             solve_contact(model_named("coulomb_lcp", "lemke"), problem, 0, pool, workspace, guess,
                           shipped);
             EXPECT_EQ(a.status, SolveStatus::kSolved);
             EXPECT_EQ(shipped.status, SolveStatus::kSolved);
             differ += (a.v - shipped.v).lpNorm<Eigen::Infinity>() > 1e-6;
             contacts += static_cast<int>(problem.contacts.size());
         });
    EXPECT_GT(contacts, 300);
    EXPECT_LE(differ, kSteps / 100);
}

TEST(DenseContact, RefusesRowsItDoesNotHave) {
    const Scene scene = shipped_scene("quadruped");
    Simulation sim = simulate(scene, model_named("no_slip"));
    take_steps(sim, 2);
    EXPECT_THROW((void)make_dense_contact(sim.frame.problem), std::logic_error);
}

}  // namespace
}  // namespace stiction
