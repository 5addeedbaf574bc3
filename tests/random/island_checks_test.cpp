// The checks of a step: silent on answers that are right, and each of them speaks when what it
// guards is broken.
#include "random/island_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "random/dissipation_check.h"
#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace {

// A box that slides, one that rests on it, and a pendulum with a motor that lies on a limit.
constexpr const char* kWorkshop = R"(version: 1
contact: {model: coulomb_cone}
step: {h: 0.01}
materials: {default: {friction: 0.4, viscous: 1}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: low, mass: 2, position: [0, 0, 0.1], velocity: [1, 0.3, 0], shape: {type: box, size: [0.4, 0.4, 0.2]}}
  - {name: high, mass: 1, position: [0, 0, 0.3], velocity: [1, 0.3, 0], shape: {type: box, size: [0.2, 0.2, 0.2]}}
  - {name: bob, mass: 1, position: [3, 0, 1], shape: {type: sphere, radius: 0.1}}
  - {name: arm, mass: 1, position: [5, 0, 1], shape: {type: sphere, radius: 0.1}}
joints:
  - {name: hinge, type: revolute, child: bob, anchor: [2.5, 0, 1], axis: [0, 1, 0], limits: [-1, 0]}
  - {name: drive, type: revolute, child: arm, anchor: [4.5, 0, 1], axis: [0, 1, 0], motor: {velocity: 3, max_force: 1}}
)";

struct Workshop {
    SceneFiles files;
    Simulation sim;
    Guess before;

    explicit Workshop(std::string_view model)
        : sim(simulate(files.load(kWorkshop), make_contact_model(model))) {
        EXPECT_EQ(step(sim), StepOutcome::kDone);
        before = sim.guess;
        EXPECT_EQ(step(sim), StepOutcome::kDone);
    }
    [[nodiscard]] CheckedStep checked() const {
        return {sim.contact_model, sim.frame.problem, sim.frame.solution, before, 1.0};
    }
    [[nodiscard]] std::vector<Violation> violations() const {
        std::vector<Violation> found;
        CheckedIslands islands;
        check_step(checked(), islands, found);
        check_dissipation(checked(), found);
        return found;
    }
    [[nodiscard]] bool shows(Check check) const {
        const std::vector<Violation> found = violations();
        return std::any_of(found.begin(), found.end(),
                           [&](const Violation& v) { return v.check == check; });
    }
    [[nodiscard]] ContactSolution& solution() { return sim.frame.solution; }
    [[nodiscard]] std::size_t pressing() const {  // a contact that does
        const std::vector<double>& c_n = sim.frame.solution.c_n;
        return static_cast<std::size_t>(std::max_element(c_n.begin(), c_n.end()) - c_n.begin());
    }
};

TEST(IslandChecks, RightAnswersPass) {
    for (const std::string_view model : kContactModelNames) {
        const Workshop workshop(model);
        ASSERT_EQ(workshop.sim.frame.solution.status, SolveStatus::kSolved) << model;
        for (const Violation& v : workshop.violations())
            ADD_FAILURE() << model << ": " << name(v.check) << " " << v.measured << " > "
                          << v.allowed << "; " << v.detail;
    }
}

TEST(IslandChecks, CountWhatTheyCover) {
    const Workshop workshop("no_slip");
    std::vector<Violation> found;
    CheckedIslands islands;
    check_step(workshop.checked(), islands, found);
    EXPECT_EQ(islands.all, 3);
    EXPECT_EQ(islands.solved, 3);
    EXPECT_EQ(islands.dissipative, 2);  // not that of the motor
    EXPECT_EQ(islands.rebounding, 0);
}

TEST(IslandChecks, EveryModelIsHeldToItsLaw) {
    for (const std::string_view model : kContactModelNames) {
        Workshop pulls(model);
        pulls.solution().c_n[pulls.pressing()] *= -1;
        EXPECT_TRUE(pulls.shows(Check::kNormal)) << model;
        EXPECT_TRUE(pulls.shows(Check::kMomentum)) << model;

        Workshop sinks(model);
        for (Eigen::Index i = 2; i < 12; i += 6) sinks.solution().v[i] -= 1e-3;
        EXPECT_TRUE(sinks.shows(Check::kApproach)) << model;

        Workshop pushes(model);  // friction that drives, stronger than any of these laws has it
        pushes.solution().c_s[pushes.pressing()] += 10;
        pushes.solution().v[0] += 1e-2;
        EXPECT_TRUE(pushes.shows(Check::kFriction)) << model;

        Workshop gains(model);
        gains.solution().v *= 2;
        EXPECT_TRUE(gains.shows(Check::kEnergySolved)) << model;
        for (IslandResult& island : gains.solution().islands)
            island.status = SolveStatus::kIterationLimit;
        EXPECT_TRUE(gains.shows(Check::kEnergyUnsolved)) << model;
        EXPECT_TRUE(gains.shows(Check::kMomentumUnsolved)) << model;
        EXPECT_TRUE(gains.shows(Check::kCounted)) << model;
        EXPECT_FALSE(gains.shows(Check::kEnergySolved)) << model;
    }
}

TEST(IslandChecks, JointsLimitsAndMotorsAreHeldToo) {
    Workshop parted("coulomb_cone");
    parted.solution().v[12] += 1e-3;  // the bob, away from its hinge
    EXPECT_TRUE(parted.shows(Check::kJoint));

    Workshop past("coulomb_cone");
    past.solution().c_l[0] = -1;
    EXPECT_TRUE(past.shows(Check::kNormal));

    Workshop strong("coulomb_cone");
    strong.solution().c_b[0] *= 2;
    EXPECT_TRUE(strong.shows(Check::kBounded));
}

TEST(IslandChecks, AbsurdNumbersAreSeen) {
    Workshop absurd("no_slip");
    const std::size_t i = absurd.pressing();
    absurd.solution().c_s[i] = 1e7;
    EXPECT_TRUE(absurd.shows(Check::kImpulses));
    for (IslandResult& island : absurd.solution().islands) island.status = SolveStatus::kNoSolution;
    EXPECT_TRUE(absurd.shows(Check::kImpulsesUnsolved));

    absurd.solution().c_s[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(absurd.shows(Check::kFinite));
    Workshop lost("no_slip");
    lost.solution().v[3] = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(lost.shows(Check::kFinite));
}

// The frictionless answer meets every constraint of max_dissipation and none of its purpose.
TEST(IslandChecks, MaxDissipationMustDissipate) {
    Workshop workshop("max_dissipation");
    ContactProblem smooth = workshop.sim.frame.problem;
    for (ContactRow& row : smooth.contacts) row.mu_c = row.mu_v = 0;
    Guess none;
    ContactWorkspace workspace;
    ThreadPool alone(1);
    solve_contact(Viscous(), smooth, 1.0, alone, workspace, none, workshop.solution());
    EXPECT_TRUE(workshop.shows(Check::kDissipation));
    EXPECT_FALSE(workshop.shows(Check::kFriction));

    Workshop heavy("max_dissipation");  // more normal impulse than without friction
    for (double& c : heavy.solution().c_n) c *= 1.01;
    EXPECT_TRUE(heavy.shows(Check::kDissipation));
}

}  // namespace
}  // namespace stiction
