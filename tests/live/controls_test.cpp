// What a person changes about gaits and joints while a scene runs: it acts, feet do not jump, and
// going back gives the same bits.
#include <algorithm>
#include <cmath>

#include "control/gait.h"
#include "live/live_scenes.h"

namespace stiction {
namespace {

std::size_t control_named(LiveScene& live, const std::string& name) {
    const std::vector<Control> list = look_at(live).controls;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].name == name) return i;
    }
    ADD_FAILURE() << "no control named " << name;
    return 0;
}

void set(LiveScene& live, const std::string& name, double value) {
    live.set_control(control_named(live, name), value);
}

std::vector<Vec3> feet(const LiveScene& live) {
    const Gait& gait = live.simulation().controls.gaits[0];
    std::vector<Vec3> all;
    for (std::size_t i = 0; i < gait.legs.size(); ++i)
        all.push_back(foot_target(gait, i, live.simulation().state.time));
    return all;
}

// Takes steps and gives the fastest that a foot's target moved [m/s].
double fastest_foot(LiveScene& live, int steps) {
    double most = 0;
    std::vector<Vec3> before = feet(live);
    for (int i = 0; i < steps; ++i) {
        EXPECT_TRUE(live.forward());
        const std::vector<Vec3> now = feet(live);
        for (std::size_t k = 0; k < now.size(); ++k)
            most = std::max(most, (now[k] - before[k]).norm() / live.h());
        before = now;
    }
    return most;
}

double trunk_x(const LiveScene& live) {
    const Simulation& sim = live.simulation();
    return sim.state.pose[at(sim.model.joints[0].parent)].p.x();
}

TEST(GaitControls, TheRobotWalksBackWhenAskedTo) {
    LiveScene live(shipped_scene("quadruped_flat"), 1);
    const double start = trunk_x(live);
    forward(live, 1500);
    const double turned = trunk_x(live);
    EXPECT_GT(turned, start + 0.02);
    set(live, "gait: forward", -0.15);
    forward(live, 2500);
    EXPECT_LT(trunk_x(live), turned - 0.05);
}

TEST(GaitControls, FeetDoNotJump) {
    LiveScene calm(shipped_scene("quadruped_flat"), 1);
    forward(calm, 1200);
    const double usual = fastest_foot(calm, 600);

    LiveScene live(shipped_scene("quadruped_flat"), 1);
    forward(live, 1200);
    set(live, "gait: period", 0.3);
    EXPECT_LT(fastest_foot(live, 600), 2 * usual);
    EXPECT_EQ(live.simulation().controls.gaits[0].period, 0.3);
    set(live, "gait: kind", 1);
    set(live, "gait: stance", 0.8);
    set(live, "gait: period", 1);
    set(live, "gait: height", 0.12);
    set(live, "gait: spread", 0.03);
    set(live, "gait: lift", 0.04);
    set(live, "gait: turn", 0.5);
    // A swing takes a fifth of the period instead of two, and is twice as high.
    EXPECT_LT(fastest_foot(live, 2500), 4 * usual);
    const Gait& gait = live.simulation().controls.gaits[0];
    EXPECT_EQ(gait.walk, 1);
    EXPECT_EQ(gait.height, 0.12);
    EXPECT_EQ(gait.turn, 0.5);
}

TEST(GaitControls, StayInTheirRange) {
    LiveScene live(shipped_scene("quadruped_flat"), 1);
    set(live, "gait: period", -3);
    set(live, "gait: stance", 2);
    forward(live, 2000);
    EXPECT_EQ(live.simulation().controls.gaits[0].period, 0.1);
    EXPECT_EQ(live.simulation().controls.gaits[0].stance, 0.95);
}

// Changes in the middle of a walk, among them some that are still under way: back and on again
// gives the same bits, and a changed mind gives others.
TEST(GaitControls, GoingBackGivesTheSameBits) {
    LiveScene live(shipped_scene("quadruped_flat"), 1);
    forward(live, 700);
    set(live, "gait: period", 0.8);
    set(live, "gait: kind", 1);
    set(live, "gait: forward", 0.05);
    std::vector<std::uint64_t> hashes = {hash_of(live)};
    for (int i = 0; i < 400; ++i) {
        forward(live, 1);
        hashes.push_back(hash_of(live));
    }
    back(live, 350);
    EXPECT_EQ(hash_of(live), hashes[50]);
    forward(live, 350);
    EXPECT_EQ(hash_of(live), hashes[400]);
    EXPECT_EQ(look_at(live).history.ahead, 0);
    back(live, 300);
    set(live, "gait: period", 0.2);
    forward(live, 300);
    EXPECT_NE(hash_of(live), hashes[400]);
    back(live, 300);
    set(live, "gait: period", 0.8);
    forward(live, 300);
    EXPECT_EQ(hash_of(live), hashes[400]);
}

TEST(GaitControls, ResetGivesTheScenesGait) {
    LiveScene live(shipped_scene("quadruped_flat"), 1);
    forward(live, 700);
    const std::uint64_t first = hash_of(live);
    set(live, "gait: period", 0.8);
    forward(live, 300);
    live.reset();
    forward(live, 700);
    EXPECT_EQ(hash_of(live), first);
}

// Stiffer gains hold a leg's hinge nearer to its target; targets that a gait sets are not offered.
TEST(JointControls, GainsAndFrictionReachTheJoints) {
    LiveScene live(shipped_scene("quadruped_flat"), 1);
    for (const Control& control : look_at(live).controls)
        EXPECT_EQ(control.name.find("motor target"), std::string::npos) << control.name;
    const Joint& knee = live.simulation().model.joints[2];
    const double kp = knee.motor.kp;
    set(live, knee.name + ": kp", 3 * kp);
    set(live, knee.name + ": kd", 0);
    forward(live, 1);
    EXPECT_EQ(knee.motor.kp, 3 * kp);
    EXPECT_EQ(knee.motor.kd, 0);
    set(live, knee.name + ": kp", -1);  // none would be no motor
    forward(live, 1);
    EXPECT_GT(knee.motor.kp, 0);

    LiveScene arm(shipped_scene("arm"), 1);
    forward(arm, 100);
    EXPECT_LT(std::abs(look_at(arm).joints[0].velocity), 1e-9);
    set(arm, "hinge_0: friction", 0.5);
    forward(arm, 100);
    EXPECT_GT(look_at(arm).joints[0].velocity, 0.1);
    back(arm, 150);
    EXPECT_LT(std::abs(look_at(arm).joints[0].velocity), 1e-9);
    for (const Control& control : look_at(arm).controls) EXPECT_GE(control.joint, 0);
}

// Motors that phases give are not offered: the next step would take them from the script again.
TEST(JointControls, MotorsOfPhasesAreNotOffered) {
    const Scene scene = shipped_scene("hand3");
    ASSERT_FALSE(scene.controls.motor_scripts.empty());
    LiveScene live(scene, 1);
    for (const Control& control : look_at(live).controls) {
        for (const MotorScript& script : scene.controls.motor_scripts) {
            if (control.joint != script.joint) continue;
            for (const char* what : {": motor", ": kp", ": kd", ": most"})
                EXPECT_EQ(control.name.find(what), std::string::npos) << control.name;
        }
    }
}

}  // namespace
}  // namespace stiction
