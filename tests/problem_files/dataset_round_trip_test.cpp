// dataset_round_trip_test.cpp - steps of scenes are recorded, written, read and solved again: the same
// bits, whatever the model, the coordinates and the rows.
#include <gtest/gtest.h>

#include "problem_files/dataset.h"
#include "problem_files/frame_recorder.h"
#include "problem_files/frame_solver.h"
#include "record/ball_on_plane.h"
#include "scene/scene.h"

namespace stiction {
namespace {

struct RoundTripCase {
    std::string scene;
    int steps;
    int every;
    Integrator integrator = Integrator::kSymplecticEuler;
};

Simulation simulate(const RoundTripCase& example, std::string_view model) {
    Scene scene = load_scene("scenes/" + example.scene + ".yaml");
    scene.step.integrator = example.integrator;
    return make_simulation(std::move(scene.model), std::move(scene.state),
                           std::move(scene.controls), make_contact_model(model), scene.step, 1);
}

// Returns the velocities of the recorded steps.
std::vector<VecX> record(Simulation& sim, const RoundTripCase& example, const std::string& path) {
    FrameOutput output;
    output.path = path;
    output.every = example.every;
    FrameRecorder recorder(output, {}, sim);
    std::vector<VecX> answers;
    for (int i = 0; i < example.steps; ++i) {
        recorder.before_step(sim);
        EXPECT_EQ(step(sim, [&](const Simulation& s) { recorder.observe(s); }), StepOutcome::kDone);
        if ((i + 1) % example.every == 0) answers.push_back(sim.frame.solution.v);
    }
    recorder.finish();
    return answers;
}

// Reduced coordinates with friction (arm), motors and limits (motors), trees on the ground
// (quadruped_flat), loops of joints (chain), restitution (bounce), prescribed motion (grasp).
const std::vector<RoundTripCase> kCases = {
    {"stack", 20, 10},  {"ramp", 30, 15},           {"bounce", 60, 12}, {"motors", 400, 80},
    {"arm", 60, 30},    {"quadruped_flat", 60, 20}, {"chain", 60, 20},  {"grasp", 20, 10},
    {"hand3", 120, 60}, {"islands", 6, 3}};

// Steps by halves, of bodies with joints and of trees.
const std::vector<RoundTripCase> kByHalves = {{"chain", 60, 20, Integrator::kMidpoint},
                                              {"arm", 60, 30, Integrator::kMidpoint}};

TEST(DatasetRoundTrip, EveryModelGivesTheSameBitsAgain) {
    const test::ScratchFolder folder("round_trip");
    std::vector<RoundTripCase> cases = kCases;
    cases.insert(cases.end(), kByHalves.begin(), kByHalves.end());
    for (const RoundTripCase& example : cases) {
        for (const std::string_view model : kContactModelNames) {
            SCOPED_TRACE(example.scene + " " + std::string(model));
            Simulation sim = simulate(example, model);
            if (example.scene == "stack") switch_narrowphase(sim, NarrowphaseKind::kBullet);
            const std::string path = folder / "a.h5";
            const std::vector<VecX> answers = record(sim, example, path);
            const Dataset dataset(path);
            ASSERT_EQ(dataset.size(), answers.size());
            FrameSolver solver;
            for (std::size_t k = 0; k < answers.size(); ++k) {
                const ProblemFrame frame = dataset.read(k);
                const FrameProblem problem = make_frame_problem(frame, "frame");
                EXPECT_EQ(dataset.contacts(k), frame.contacts.size());
                EXPECT_EQ(name(problem.model), model);
                EXPECT_EQ(frame.step->narrowphase, sim.settings.narrowphase);
                ASSERT_EQ(frame.answers.size(), 1U);
                EXPECT_EQ(frame.answers[0].v, answers[k]) << "as stored, frame " << k;
                const FrameAnswer again =
                    solver.solve(frame, problem, {problem.model, false, true, 0, {}});
                EXPECT_EQ(again.v, answers[k]) << "solved again, frame " << k;
                EXPECT_EQ(again.c_n, frame.answers[0].c_n);
                EXPECT_EQ(again.iterations, frame.answers[0].iterations);
            }
        }
    }
}

// Impacts one after another come before the solve: the frame is of what they leave, its impulses are
// those of the solve, and its forces hold what the impacts did.
TEST(DatasetRoundTrip, ImpactsOneAfterAnotherAreOutsideOfTheFrame) {
    const test::ScratchFolder folder("cradle");
    const RoundTripCase cradle{"newton_cradle", 0, 1};
    Simulation sim = simulate(cradle, "coulomb_cone");
    ASSERT_EQ(sim.settings.impacts, Impacts::kSequential);
    const std::string path = folder / "a.h5";
    FrameOutput output;
    output.path = path;
    FrameRecorder recorder(output, {}, sim);
    bool hit = false;  // the first ball stops
    for (int i = 0; i < 1000 && !hit; ++i) {
        const VecX v = sim.frame.solution.v;
        recorder.before_step(sim);
        ASSERT_EQ(step(sim,
                       [&](const Simulation& s) {
                           hit = v.size() > 0 && (s.frame.solution.v - v).cwiseAbs().maxCoeff() > 1;
                           if (hit) recorder.observe(s);
                       }),
                  StepOutcome::kDone);
    }
    ASSERT_TRUE(hit);
    recorder.finish();
    const ProblemFrame frame = Dataset(path).read(0);
    const FrameProblem problem = make_frame_problem(frame, "frame");
    FrameSolver solver;
    const FrameAnswer again = solver.solve(frame, problem, {problem.model, false, true, 0, {}});
    EXPECT_EQ(again.v, frame.answers[0].v);
    ASSERT_EQ(again.c_n.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(again.c_n[i], frame.answers[0].c_n[i], 1e-15);
    EXPECT_LT(frame.answers[0].quality.natural.norm, 1e-7);
}

// Position drives are soft rows, for which these frames have no name.
void drive_by_velocity(Simulation& sim) {
    sim.controls = {};
    for (Joint& joint : sim.model.joints) {
        if (joint.motor.kind == Motor::Kind::kOff) continue;
        joint.motor = {Motor::Kind::kVelocity, 1.5, 0, 0, 0.3};
    }
}

// Bodies, joints and contacts alone are the same problem: no warm start, other tangents and lengths of
// links, so that velocities agree to the solver's tolerance only. Joints in tension get more inertia
// than the bodies have, which these frames do not tell: a step of a millisecond is too short for that.
TEST(DatasetRoundTrip, BodiesJointsAndContactsAloneAreTheSameProblem) {
    const test::ScratchFolder folder("public_frames");
    for (const RoundTripCase& example : kCases) {
        SCOPED_TRACE(example.scene);
        Simulation sim = simulate(example, "no_slip");
        if (!sim.model.trees.empty() || example.scene == "bounce") continue;
        drive_by_velocity(sim);
        const std::string path = folder / "a.h5";
        const std::vector<VecX> answers = record(sim, example, path);
        FrameSolver solver;
        const Dataset dataset(path);
        for (std::size_t k = 0; k < answers.size(); ++k) {
            const ProblemFrame frame = dataset.read(k);
            const FrameProblem problem = make_frame_problem(frame, "frame", true);
            const FrameAnswer again = solver.solve(frame, problem, {NoSlip{}, false, false, 0, {}});
            ASSERT_EQ(again.v.size(), answers[k].size());
            EXPECT_LT((again.v - answers[k]).cwiseAbs().maxCoeff(), 1e-8) << "frame " << k;
        }
    }
}

// Links of a robot in reduced coordinates are written with the rows of their joints: the maximal form
// of the same machine moves alike. Rows at the start of the step hold velocities, coordinates hold the
// joints at its end too: the two differ by h times what a step changes.
TEST(DatasetRoundTrip, TreesAreWrittenInMaximalCoordinates) {
    const test::ScratchFolder folder("maximal");
    Simulation sim = simulate({"arm", 60, 20}, "no_slip");
    ASSERT_FALSE(sim.model.trees.empty());
    for (Joint& joint : sim.model.joints) joint.friction *= 0.1;  // it no longer holds itself
    (void)record(sim, {"arm", 60, 20}, folder / "a.h5");
    const Dataset dataset(folder / "a.h5");
    FrameSolver solver;
    for (std::size_t k = 0; k < dataset.size(); ++k) {
        const ProblemFrame frame = dataset.read(k);
        ASSERT_FALSE(frame.joints.empty());
        const FrameProblem problem = make_frame_problem(frame, "frame", true);
        const FrameAnswer again = solver.solve(frame, problem, {NoSlip{}, false, false, 0, {}});
        ASSERT_EQ(again.velocities.size(), frame.answers[0].velocities.size());
        double change = 0, apart = 0;
        for (std::size_t i = 0; i < again.velocities.size(); ++i) {
            change = std::max(
                change,
                (frame.answers[0].velocities[i].w - frame.bodies[i].twist.w).cwiseAbs().maxCoeff());
            apart = std::max(
                apart,
                (again.velocities[i].w - frame.answers[0].velocities[i].w).cwiseAbs().maxCoeff());
        }
        EXPECT_GT(change, 1e-3);
        EXPECT_LT(apart, 0.02 * change) << "frame " << k;
    }
}

}  // namespace
}  // namespace stiction
