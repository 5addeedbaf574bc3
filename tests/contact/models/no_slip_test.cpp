// The two routes of no_slip agree, and its law holds: S v+ = T v+ = 0 where contacts press, N v+ >=
// 0, c_n >= 0.
#include "contact/models/no_slip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "problem/link_motion.h"
#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// Shakes a scene: random velocities on all dynamic bodies.
void shake(Simulation& sim, std::uint64_t seed, double speed) {
    Random random(seed);
    for (std::size_t i = 0; i < sim.model.bodies.size(); ++i) {
        if (sim.model.bodies[i].kind != BodyKind::kDynamic) continue;
        for (int k = 0; k < 3; ++k) {
            sim.state.twist[i].v[k] = random.uniform(-speed, speed);
            sim.state.twist[i].w[k] = random.uniform(-speed, speed);
        }
    }
}

// tangential: allowed slip [m/s]. Rows that depend on others to within 1e-5 are not enforced on
// their own (FIND-INDICES), and friction beyond what any motion needs is not exerted: bodies that
// turn while a gap closes may slip by micrometres a second.
void expect_no_slip_law(const Simulation& sim, double tangential) {
    const ContactProblem& problem = sim.frame.problem;
    const ContactSolution& solution = sim.frame.solution;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const ContactRow& c = problem.contacts[i];
        const Vec6 u = link_velocity(
            problem.system, problem.system.links[static_cast<std::size_t>(c.link)], solution.v);
        EXPECT_GE(solution.c_n[i], 0.0);
        EXPECT_GE(c.n.dot(u) + c.bias, -1e-9);
        if (solution.c_n[i] > 1e-9) {
            EXPECT_NEAR(c.n.dot(u) + c.bias, 0, 1e-9);
            EXPECT_NEAR(c.s.dot(u), 0, tangential);
            EXPECT_NEAR(c.t.dot(u), 0, tangential);
        }
    }
    for (const JointRow& j : problem.joints) {
        const Vec6 u = link_velocity(
            problem.system, problem.system.links[static_cast<std::size_t>(j.link)], solution.v);
        EXPECT_NEAR(j.g.dot(u), j.bias, 1e-12);
    }
}

TEST(NoSlip, SparseAndDenseRoutesGiveTheSameVelocity) {
    for (const char* scene_name : {"grasp", "stack", "chain", "motors"}) {
        const Scene scene = shipped_scene(scene_name);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Simulation sparse = simulate(scene, model_named("no_slip", "sparse_ppm"));
            if (seed > 0) shake(sparse, seed, 0.5);
            ASSERT_EQ(step(sparse), StepOutcome::kDone);
            EXPECT_EQ(sparse.frame.solution.status, SolveStatus::kSolved);
            for (const char* solver : {"ppm", "active_set_qp"}) {
                Simulation dense = simulate(scene, model_named("no_slip", solver));
                if (seed > 0) shake(dense, seed, 0.5);
                ASSERT_EQ(step(dense), StepOutcome::kDone);
                EXPECT_EQ(dense.frame.solution.status, SolveStatus::kSolved);
                EXPECT_EQ(dense.frame.solution.solver, solver);
                EXPECT_LT((sparse.frame.solution.v - dense.frame.solution.v).norm(), 1e-8)
                    << scene_name << " seed " << seed << " " << solver;
            }
        }
    }
}

// Motors and joint friction are rows between bounds: the paper's two methods take them as well, by
// themselves. The first steps of the robot have motors at their limits.
TEST(NoSlip, PpmAndActiveSetQpTakeMotorsWithoutAFallback) {
    for (const char* scene_name : {"quadruped", "motors", "arm", "hand3"}) {
        const Scene scene = shipped_scene(scene_name);
        Simulation sparse = simulate(scene, model_named("no_slip", "sparse_ppm"));
        for (const char* solver : {"ppm", "active_set_qp"}) {
            Simulation dense = simulate(scene, model_named("no_slip", solver));
            int fallbacks = 0, bounded = 0;
            for (int i = 0; i < 300; ++i) {
                ASSERT_EQ(step(dense), StepOutcome::kDone);
                EXPECT_EQ(dense.frame.solution.status, SolveStatus::kSolved) << scene_name << i;
                fallbacks += dense.frame.solution.fallbacks;
                bounded += static_cast<int>(dense.frame.problem.bounded.size());
            }
            EXPECT_EQ(fallbacks, 0) << scene_name << " " << solver;
            EXPECT_GT(bounded, 0) << scene_name;
        }
    }
}

TEST(NoSlip, PpmHoldsAMotorAtItsLimit) {
    // The robot's motors with a tenth of their torque: many are at their bounds, one way or the other.
    const Scene scene = shipped_scene("quadruped", {{"torque", "0.3"}});
    Simulation sparse = simulate(scene, model_named("no_slip", "sparse_ppm"));
    int at_limit = 0;
    for (int i = 0; i < 200; ++i) {
        Simulation dense = simulate(scene, model_named("no_slip", "ppm"));
        dense.state = sparse.state;
        ASSERT_EQ(step(dense), StepOutcome::kDone);
        take_steps(sparse, 1);
        EXPECT_EQ(dense.frame.solution.fallbacks, 0) << i;
        EXPECT_LT((sparse.frame.solution.v - dense.frame.solution.v).norm(), 1e-7) << i;
        for (std::size_t k = 0; k < dense.frame.problem.bounded.size(); ++k) {
            const BoundedRow& row = dense.frame.problem.bounded[k];
            const double c = dense.frame.solution.c_b[k];
            EXPECT_GE(c, row.lo - 1e-12);
            EXPECT_LE(c, row.hi + 1e-12);
            at_limit += c <= row.lo || c >= row.hi;
        }
    }
    EXPECT_GT(at_limit, 20);
}

TEST(NoSlip, TheLawHoldsAfterEveryStep) {
    for (const char* scene_name : {"grasp", "stack", "islands"}) {
        Simulation sim = simulate(shipped_scene(scene_name), NoSlip{});
        take_steps(sim, 5);
        expect_no_slip_law(sim, 1e-12);
        shake(sim, 7, 0.2);
        for (int i = 0; i < 20; ++i) {
            take_steps(sim, 1);
            expect_no_slip_law(sim, 1e-4);
        }
    }
}

TEST(NoSlip, ImpulsesAndVelocitiesBalanceTheMomentum) {
    Simulation sim = simulate(shipped_scene("grasp"), NoSlip{});
    take_steps(sim, 2);
    const ContactProblem& problem = sim.frame.problem;
    const ContactSolution& solution = sim.frame.solution;
    VecX p = VecX::Zero(problem.v.size());
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const ContactRow& c = problem.contacts[i];
        const Link& link = problem.system.links[static_cast<std::size_t>(c.link)];
        add_link_impulse(problem.system, link,
                         solution.c_n[i] * c.n + solution.c_s[i] * c.s + solution.c_t[i] * c.t, p);
    }
    for (std::size_t j = 0; j < problem.joints.size(); ++j) {
        const Link& link = problem.system.links[static_cast<std::size_t>(problem.joints[j].link)];
        add_link_impulse(problem.system, link, solution.c_j[j] * problem.joints[j].g, p);
    }
    VecX gained(problem.v.size());
    const VecX change = solution.v - problem.v_free;
    for (const InertiaBlock& block : problem.system.blocks)
        apply_inertia(problem.system, block, change, gained);
    EXPECT_LT((gained - p).norm(), 1e-12);
    // Each gripper carries half the weight of the two boxes: shear impulse h m g over the face's
    // four contacts.
    double shear = 0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        if (problem.contacts[i].key.body_b == 0) {
            Vec3 s, t;
            tangents(problem.contacts[i].n.head<3>(), s, t);
            shear += solution.c_s[i] * s.z() + solution.c_t[i] * t.z();
        }
    }
    EXPECT_NEAR(shear, 9.81 * 1e-3, 1e-9);  // the halves are equal by symmetry only
}

// A box thrown upwards off the ground keeps its sideways speed only if tangential rows are
// released.
TEST(NoSlip, SeparatingContactsAreReleasedOrHeldAsAsked) {
    for (const bool release : {true, false}) {
        Scene scene = shipped_scene("stack", {{"boxes", "1"}});
        const std::size_t box = scene.model.bodies.size() - 1;
        scene.state.twist[box].v = Vec3(0.5, 0, 2);
        NoSlip model;
        model.release_separating = release;
        Simulation sim = simulate(scene, model);
        take_steps(sim, 1);
        EXPECT_NEAR(sim.state.twist[box].v.x(), release ? 0.5 : 0.3, 1e-9);
        EXPECT_EQ(sim.frame.solution.passes, release ? 2 : 1);
    }
}

// Two corners of a brick touch, two are a little above the ground: their tangential rows forbid it
// to tilt, which the falling brick wants. However small the angle, every step is solved, and
// without a second solver.
TEST(NoSlip, ATiltedBrickIsSolvedAtAnyAngle) {
    for (double angle = 1e-9; angle < 1e-2; angle *= 1.7) {
        Scene scene = shipped_scene("stack", {{"boxes", "1"}});
        Pose& pose = scene.state.pose.back();
        const Quat turn(Eigen::AngleAxisd(angle, Vec3(0.8, 0.6, 0)));
        pose.q = turn * pose.q;
        Simulation sim = simulate(scene, NoSlip{});
        double residual = 0;
        int fallbacks = 0;
        for (int i = 0; i < 200; ++i) {
            take_steps(sim, 1);
            residual = std::max(residual, sim.frame.solution.residual);
            EXPECT_EQ(sim.frame.solution.status, SolveStatus::kSolved) << "angle " << angle;
            fallbacks += sim.frame.solution.fallbacks;
        }
        EXPECT_LT(residual, 1e-9) << "angle " << angle;
        EXPECT_LE(fallbacks, 1) << "angle " << angle;
    }
}

// A rod on a ball joint at one end turns about it on the ground, and rests on a foot at a distance d
// of the joint. The foot must not slip, so the rod stops: its friction is I omega / d with I the
// inertia about the joint, for small d far beyond all momentum that there is.
TEST(NoSlip, ALeverIsHeldAtItsShortArm) {
    const double length = 1, I = 0.08 + 0.25 * length * length, omega = 3;
    for (const double d : {0.3, 0.03, 0.003}) {
        SCOPED_TRACE(d);
        const Scene scene = SceneFiles().load(R"(version: 1
contact: {model: no_slip}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: rod, mass: 1, inertia: [0.01, 0.08, 0.08], com: [0, 0, 0], position: [0.5, 0, 0],
     velocity: [0, 1.5, 0], angular_velocity: [0, 0, 3],
     shape: {type: sphere, radius: 0.001, position: [)" +
                                              exactly(d - 0.5) + R"(, 0, 0.001]}}
joints: [{type: spherical, child: rod, anchor: [0, 0, 0]}]
)");
        Simulation sim = simulate(scene, scene.contact);
        take_steps(sim, 1);
        const ContactSolution& solution = sim.frame.solution;
        ASSERT_EQ(solution.c_n.size(), 1U);
        EXPECT_NEAR(solution.c_n[0], kGravity * sim.settings.h * 0.5 * length / d, 1e-8);
        EXPECT_NEAR(std::hypot(solution.c_s[0], solution.c_t[0]), I * omega / d, 1e-6 / d);
        EXPECT_LT(sim.state.twist[1].w.norm(), 1e-9);
    }
}

// Repeating every contact, as the paper's simulator did, changes impulses but not the motion.
TEST(NoSlip, RepeatedContactsDoNotChangeTheMotion) {
    for (const char* solver : {"sparse_ppm", "ppm"}) {
        Simulation once = simulate(shipped_scene("grasp"), model_named("no_slip", solver));
        Simulation thrice = simulate(shipped_scene("grasp", {{"repeat_contacts", "3"}}),
                                     model_named("no_slip", solver));
        for (int i = 0; i < 100; ++i) {
            take_steps(once, 1);
            take_steps(thrice, 1);
        }
        EXPECT_EQ(once.frame.contacts.contacts.size(), 12U);
        EXPECT_EQ(thrice.frame.contacts.contacts.size(), 36U);  // as in the paper
        for (std::size_t b = 0; b < once.state.pose.size(); ++b) {
            EXPECT_LT((once.state.pose[b].p - thrice.state.pose[b].p).norm(), 1e-10);
        }
    }
}

}  // namespace
}  // namespace stiction
