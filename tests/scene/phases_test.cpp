// The phases of a scene: which joints a name or a pattern stands for, what a phase keeps of the
// motor before, and what is wrong with bad ones.
#include <vector>

#include "scene/scene_files.h"

namespace stiction {
namespace {

// Lines 1 to 12; joints: slide (position motor), hinge_0 and hinge_1 (no motor), weld.
const std::string kArmScene =
    "version: 1\n"
    "contact: {model: no_slip}\n"
    "bodies:\n"
    "  - {name: slider, mass: 1, shape: {type: sphere, radius: 0.1}}\n"
    "  - {name: 'link_{i}', repeat: 2, mass: 1, shape: {type: sphere, radius: 0.1}}\n"
    "  - {name: tip, mass: 1, shape: {type: sphere, radius: 0.1}}\n"
    "joints:\n"
    "  - {name: slide, type: prismatic, child: slider, axis: [0, 0, 1],\n"
    "     motor: {position: 0.1, kp: 100, kd: 5, max_force: 50}}\n"
    "  - {name: 'hinge_{i}', repeat: 2, type: revolute, parent: slider, child: 'link_{i}', axis: "
    "[0, 1, 0]}\n"
    "  - {name: weld, type: fixed, parent: link_1, child: tip}\n"
    "phases:\n";

const MotorScript* script_of(const Scene& scene, int joint) {
    for (const MotorScript& script : scene.controls.motor_scripts) {
        if (script.joint == joint) return &script;
    }
    ADD_FAILURE() << "no script of joint " << joint;
    return nullptr;
}

TEST(Phases, PatternsAndListsNameJoints) {
    const SceneFiles files;
    const Scene scene = files.load(kArmScene +
                                   "  - start: 0.5\n"
                                   "    motors:\n"
                                   "      - {joints: h*_*, velocity: 2, max_force: 3}\n"
                                   "  - start: 1\n"
                                   "    motors:\n"
                                   "      - {joints: [slide, hinge_1], velocity: 1}\n"
                                   "  - start: 2\n"
                                   "    motors: [{joints: '*', off: true}]\n");
    ASSERT_EQ(scene.controls.motor_scripts.size(), 3U);
    EXPECT_EQ(script_of(scene, 0)->phases.size(), 2U);
    EXPECT_EQ(script_of(scene, 1)->phases.size(), 2U);
    const MotorScript& last = *script_of(scene, 2);
    ASSERT_EQ(last.phases.size(), 3U);
    EXPECT_EQ(last.phases[1].start, 1);
    EXPECT_EQ(last.phases[1].motor.target, 1);
    EXPECT_EQ(last.phases[1].motor.max_force, 3);  // of the phase before
    EXPECT_EQ(last.phases[2].motor.kind, Motor::Kind::kOff);
}

TEST(Phases, KeepWhatTheyDoNotSay) {
    const SceneFiles files;
    const Scene scene = files.load(
        kArmScene + "  - {start: 1, motors: [{joints: slide, position: 0.3, over: 0.5}]}\n" +
        "  - {name: firm, start: 2, motors: [{joints: slide, kp: 900, max_force: 70}]}\n");
    const std::vector<MotorPhase>& phases = script_of(scene, 0)->phases;
    ASSERT_EQ(phases.size(), 2U);
    EXPECT_EQ(phases[0].motor.kp, 100);
    EXPECT_EQ(phases[0].motor.kd, 5);
    EXPECT_EQ(phases[0].motor.max_force, 50);
    EXPECT_EQ(phases[0].over, 0.5);
    EXPECT_EQ(phases[1].motor.kind, Motor::Kind::kPosition);
    EXPECT_EQ(phases[1].motor.target, 0.3);
    EXPECT_EQ(phases[1].motor.kp, 900);
    EXPECT_EQ(phases[1].motor.kd, 5);
    EXPECT_EQ(phases[1].motor.max_force, 70);
}

TEST(Phases, Errors) {
    const SceneFiles files;
    const auto one = [](const std::string& motor) {  // its '{' is in column 25 of line 13
        return "  - {start: 1, motors: [" + motor + "]}\n";
    };
    const std::vector<std::pair<std::string, std::string>> cases = {
        {one("{joints: slid, position: 1}"),
         "13:34: phases[0].motors[0].joints: there is no joint 'slid'; did you mean 'slide'?"},
        {one("{joints: hinges_*, velocity: 1}"),
         "13:34: phases[0].motors[0].joints: no revolute or prismatic joint is named like "
         "'hinges_*'; did you mean 'hinge_0'?"},
        {one("{joints: weld, velocity: 1}"),
         "13:34: phases[0].motors[0].joints: 'weld' has no coordinate; expected a revolute or "
         "prismatic joint"},
        {one("{joints: [], velocity: 1}"),
         "13:34: phases[0].motors[0].joints: expected at least one joint"},
        {one("{joints: slide}"),
         "13:25: phases[0].motors[0]: expected what changes besides 'joints'"},
        {one("{joints: slide, velocity: 1, position: 1}"),
         "13:25: phases[0].motors[0]: expected at most one of 'position', 'velocity' and 'off'"},
        {one("{joints: slide, speed: 1}"),
         "13:41: phases[0].motors[0]: unknown key 'speed'; expected one of: joints, position, "
         "velocity, off, kp, kd, max_force, over"},
        {one("{joints: slide, velocity: 1, kp: 3}"),
         "13:58: phases[0].motors[0].kp: a velocity motor has none"},
        {one("{joints: slide, max_force: 1, over: 3}"),
         "13:61: phases[0].motors[0].over: goes with 'position' or 'velocity'"},
        {one("{joints: slide, off: false}"),
         "13:46: phases[0].motors[0].off: expected true, or no such key"},
        {one("{joints: slide, off: true, kd: 1}"),
         "13:56: phases[0].motors[0].kd: means nothing for a motor that is off"},
        {one("{joints: hinge_0, max_force: 1}"),
         "13:25: phases[0].motors[0]: the motor of 'hinge_0' is off; expected 'position' or "
         "'velocity'"},
        {one("{joints: hinge_0, position: 1}"),
         "13:25: phases[0].motors[0]: 'hinge_0' has no 'kp' yet; a position motor needs one"},
        {one("{joints: hinge_0, position: 1, kp: 1, over: 1}"),
         "13:69: phases[0].motors[0].over: 'hinge_0' has no position motor before, from whose "
         "target to start"},
        {one("{joints: slide, velocity: 1}, {joints: slide, velocity: 2}"),
         "13:55: phases[0].motors[1]: 'slide' has a motor in this phase already"},
        {"  - {name: late, start: 2, motors: []}\n  - {name: early, start: 1, motors: []}\n",
         "14:26: phases[1] 'early': start: is before the start of the phase above; expected phases "
         "in order"},
        {"  - {motors: []}\n", "13:5: phases[0]: key 'start' is missing"},
        {"  - {start: 1}\n", "13:5: phases[0]: key 'motors' is missing"},
    };
    for (const auto& [text, message] : cases) {
        EXPECT_EQ(files.error_of(kArmScene + text), "scene.yaml:" + message) << text;
    }
}

}  // namespace
}  // namespace stiction
