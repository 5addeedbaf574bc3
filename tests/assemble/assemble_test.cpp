// Contact rows against finite differences of the gap, biases, and the A/b form against the
// generalized form.
#include "assemble/assemble.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/random.h"
#include "dynamics/free_body.h"
#include "problem/link_motion.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

TEST(UnilateralBias, FollowsTheStabilisation) {
    StepSettings settings;
    settings.h = 0.01;
    for (const Stabilisation s :
         {Stabilisation::kOff, Stabilisation::kProjection, Stabilisation::kBaumgarte}) {
        settings.stabilisation = s;
        EXPECT_DOUBLE_EQ(unilateral_bias(settings, 0.002), 0.2);  // may approach until it touches
    }
    settings.stabilisation = Stabilisation::kProjection;
    EXPECT_EQ(unilateral_bias(settings, -0.002), 0.0);
    settings.stabilisation = Stabilisation::kStewartTrinkle;
    EXPECT_DOUBLE_EQ(unilateral_bias(settings, -0.002), -0.2);
    settings.stabilisation = Stabilisation::kBaumgarte;
    settings.baumgarte = 0.2;
    settings.baumgarte_max_speed = 0.03;
    EXPECT_DOUBLE_EQ(unilateral_bias(settings, -0.001), -0.02);
    EXPECT_DOUBLE_EQ(unilateral_bias(settings, -1.0), -0.03);
}

// A box that floats tilted over a static one: the gaps of the contacts found now and after a small
// motion.
TEST(Assemble, NormalRowsAreTheRateOfTheGap) {
    const Scene scene = shipped_scene("ramp");
    const std::size_t cube = scene.model.bodies.size() - 1;
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        const auto vector = [&](double size) {
            return Vec3(random.uniform(-size, size), random.uniform(-size, size),
                        random.uniform(-size, size));
        };
        Simulation sim = simulate(scene, NoSlip{});
        sim.state.pose[cube].p += Vec3(0, 0, 5e-4);
        sim.state.pose[cube].q = rotated(sim.state.pose[cube].q, vector(0.002));
        sim.state.twist[cube] = {vector(1),
                                 vector(3)};  // fast enough that the look-ahead lists all corners
        ContactSet now, ahead, back;
        Forces forces;
        ContactProblem problem;
        AssembleWorkspace scratch;
        sim.narrowphase.collide(sim.model, sim.state, 1e-3, now);
        apply_forces(sim.model, sim.controls, 1e-3, sim.state, forces);
        assemble(sim.model, sim.state, forces, now, sim.settings, scratch, problem);
        constexpr double dt = 1e-7;
        const auto at_time = [&](double t, ContactSet& set) {
            State moved = sim.state;
            moved.pose[cube].p += t * moved.twist[cube].v;
            moved.pose[cube].q = rotated(moved.pose[cube].q, t * moved.twist[cube].w);
            sim.narrowphase.collide(sim.model, moved, 1e-3, set);
        };
        at_time(dt, ahead);
        at_time(-dt, back);
        if (ahead.contacts.size() != now.contacts.size() ||
            back.contacts.size() != now.contacts.size())
            continue;
        for (std::size_t i = 0; i < now.contacts.size(); ++i) {
            if (key(ahead.contacts[i]) != key(now.contacts[i]) ||
                key(back.contacts[i]) != key(now.contacts[i]))
                continue;
            const ContactRow& row = problem.contacts[i];
            const Link& link = problem.system.links[at(row.link)];
            const double rate = (ahead.contacts[i].phi - back.contacts[i].phi) / (2 * dt);
            EXPECT_NEAR(row.n.dot(link_velocity(problem.system, link, problem.v)), rate, 1e-5);
            ++compared;
        }
    }
    EXPECT_GT(compared, 100);
}

// v+ from (A, b) and from (M, N, S, T, J) for the same impulses, with joints: v_hat + C G' c =
// v_free + M^-1 (G' c + J' c_j).
TEST(Assemble, DelassusFormAgreesWithGeneralizedForm) {
    const Scene scene = shipped_scene("grasp", {{"boxes", "3"}});
    Simulation sim = simulate(scene, NoSlip{});
    take_steps(sim, 3);
    const ContactProblem& problem = sim.frame.problem;
    const DenseProblem d = dense(problem);
    const MatX inverse = d.M.inverse();
    MatX G(3 * d.N.rows(), d.N.cols());
    G << d.N, d.S, d.T;
    const MatX JMJ = d.J * inverse * d.J.transpose();
    const MatX C = inverse - inverse * d.J.transpose() * JMJ.inverse() * d.J * inverse;
    const VecX v_hat = C * (d.M * problem.v + problem.h * problem.f);
    Random random(4);
    VecX c(G.rows());
    for (double& x : c) x = random.uniform(-1, 1);
    const VecX u_delassus = (G * C * G.transpose()) * c + G * v_hat;
    // Generalized: solve the saddle point system with the joint rows as equalities.
    const Eigen::Index nv = d.M.rows(), nj = d.J.rows();
    MatX K = MatX::Zero(nv + nj, nv + nj);
    K.topLeftCorner(nv, nv) = d.M;
    K.topRightCorner(nv, nj) = -d.J.transpose();
    K.bottomLeftCorner(nj, nv) = d.J;
    VecX rhs(nv + nj);
    rhs << d.M * problem.v + problem.h * problem.f + G.transpose() * c, VecX::Zero(nj);
    const VecX v = K.fullPivLu().solve(rhs).head(nv);
    EXPECT_LT((G * v - u_delassus).norm(), 1e-10 * u_delassus.norm());
    // And block by block: A from the links' Delassus blocks.
    const VecX v_free = problem.v + problem.h * inverse * problem.f;
    EXPECT_LT((v_free - problem.v_free).norm(), 1e-13 * v_free.norm());
    const auto& contacts = problem.contacts;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        for (std::size_t j = 0; j < contacts.size(); ++j) {
            const Mat6 D =
                delassus_block(problem.system, problem.system.links[at(contacts[i].link)],
                               problem.system.links[at(contacts[j].link)]);
            const double expected = d.N.row(static_cast<Eigen::Index>(i)) * inverse *
                                    d.T.row(static_cast<Eigen::Index>(j)).transpose();
            EXPECT_NEAR(contacts[i].n.dot(D * contacts[j].t), expected, 1e-10);
        }
    }
}

TEST(Assemble, PrescribedMotionIsAnOffsetOfTheRows) {
    const Scene scene = shipped_scene("wall");
    Scene moving = scene;
    std::size_t wall = 0;
    for (std::size_t i = 0; i < scene.model.bodies.size(); ++i) {
        if (scene.model.bodies[i].kind == BodyKind::kStatic) wall = i;
    }
    moving.model.bodies[wall].kind = BodyKind::kKinematic;
    moving.controls.motions.push_back(
        {static_cast<int>(wall), Twist{Vec3(0, 0.3, 0), Vec3::Zero()}, {}, {}});
    const std::size_t cube = 1 - wall;
    moving.state.twist[cube].v = Vec3(0, 0.3, 0);  // no jolt at the start, which would tip it
    Simulation sim = simulate(moving, NoSlip{});
    take_steps(sim, 100);
    EXPECT_NEAR(sim.state.twist[cube].v.y(), 0.3, 1e-9);  // carried along without slip
    EXPECT_NEAR((sim.state.pose[cube].p - scene.state.pose[cube].p).y(), 0.03, 1e-9);
}

// Rows moved to another state are those assembled there: same velocities, gaps and bounds.
TEST(Assemble, MovedRowsAreThoseOfTheOtherState) {
    for (const char* name : {"motors", "chain", "ramp"}) {
        Simulation sim = simulate(shipped_scene(name), NoSlip{});
        for (int i = 0; i < 20; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
        const double h = sim.settings.h;
        ContactSet now;
        Forces forces;
        ContactProblem moved, fresh;
        AssembleWorkspace scratch;
        std::vector<TreeMotion> trees;
        sim.narrowphase.collide(sim.model, sim.state, h, now);
        apply_forces(sim.model, sim.controls, h, sim.state, forces);
        assemble(sim.model, sim.state, forces, now, sim.settings, scratch, moved);
        State there = sim.state;
        for (std::size_t b = 0; b < there.pose.size(); ++b) {
            if (sim.model.bodies[b].kind != BodyKind::kDynamic) continue;
            there.pose[b].p += Vec3(1e-5, 2e-5, 0);
            there.pose[b].q = rotated(there.pose[b].q, Vec3(0, 1e-4, 0));
            there.twist[b].w += Vec3(0, 0.01, 0);
        }
        forces_at(sim.model, sim.controls, there, forces);
        assemble(sim.model, there, forces, now, sim.settings, scratch, fresh);
        move_blocks(sim.model, there, forces, trees, moved);
        move_rows(sim.model, there, now, trees, moved);
        ASSERT_EQ(moved.contacts.size(), fresh.contacts.size());
        ASSERT_EQ(moved.limits.size(), fresh.limits.size());
        ASSERT_EQ(moved.bounded.size(), fresh.bounded.size());
        const DenseProblem a = dense(moved), b = dense(fresh);
        EXPECT_LT((a.M - b.M).norm(), 1e-14) << name;
        EXPECT_LT((a.N - b.N).norm() + (a.S - b.S).norm() + (a.T - b.T).norm(), 1e-12) << name;
        EXPECT_LT((a.J - b.J).norm() + (a.L - b.L).norm() + (a.B - b.B).norm(), 1e-12) << name;
        EXPECT_LT((moved.v_free - fresh.v_free).norm(), 1e-14) << name;
        for (std::size_t i = 0; i < moved.limits.size(); ++i)
            EXPECT_NEAR(moved.limits[i].phi, fresh.limits[i].phi, 1e-14) << name;
        for (std::size_t i = 0; i < moved.bounded.size(); ++i)
            EXPECT_NEAR(moved.bounded[i].hi, fresh.bounded[i].hi, 1e-14) << name;
    }
}

}  // namespace
}  // namespace stiction
