// Bad scenes: each gives one message that names the place, the key, the fault and the way out.
#include <vector>

#include "scene/scene_files.h"

namespace stiction {
namespace {

const std::string kHead = "version: 1\ncontact: {model: no_slip}\n";  // bodies start in line 3
const std::string kBall = "bodies:\n  - {name: ball, mass: 1, shape: {type: sphere, radius: 1}}\n";

struct Bad {
    std::string text;
    std::string message;
};

void expect_errors(const std::vector<Bad>& cases) {
    const SceneFiles files;
    for (const Bad& bad : cases) EXPECT_EQ(files.error_of(bad.text), bad.message) << bad.text;
}

TEST(SceneErrors, FilesThatAreNoScenes) {
    const SceneFiles files;
    EXPECT_EQ(files.error_of_file("none.yaml"),
              "none.yaml: no such file; expected a scene (.yaml)");
    std::filesystem::create_directory(files.path("folder"));
    EXPECT_EQ(files.error_of_file("folder"), "folder: is a directory; expected a scene (.yaml)");
    EXPECT_EQ(files.error_of(std::string((16U << 20) + 1, ' ')),
              "scene.yaml: larger than 16 MiB; expected a scene (.yaml) of at most that");
    const std::string empty =
        "scene.yaml:1:1: the file is empty; expected a scene that starts with 'version: 1'";
    const std::string no_scene =
        "scene.yaml:1:1: not a scene; expected keys and values, the first 'version: 1'";
    expect_errors({
        {"", empty},
        {"# only a comment\n", empty},
        {"just words\n", no_scene},
        {"[1, 2]\n", no_scene},
        {", stray\n",
         "scene.yaml:1:1: the scene ends before this; expected one YAML document per file"},
        {"version: 1\n---\nversion: 1\n",
         "scene.yaml:2:1: the scene ends before this; expected one YAML document per file"},
        {"version: 1\nbodies: [1, 2\n",
         "scene.yaml:3:1: not valid YAML: end of sequence flow not found"},
        {"version: 1\n\tgravity: 2\n",
         "scene.yaml:2:1: not valid YAML: illegal tab when looking for indentation"},
    });
}

TEST(SceneErrors, Plots) {
    expect_errors({
        {kHead + kBall + "plots: body ball x\n",
         "scene.yaml:5:8: plots: found 'body ball x'; expected a list of graphs"},
        {kHead + kBall + "plots: [body nobody x]\n",
         "scene.yaml:5:9: plots[0]: there is no body 'nobody'"},
        {kHead + kBall + "plots: [[step kinetic, step heat]]\n",
         "scene.yaml:5:24: plots[0][1]: 'heat' is no number of a step; expected one of time, "
         "iterations, residual, contacts, failures, kinetic, potential, total, momentum, angular, "
         "penetration, joint_error"},
        {kHead + kBall + "plots: [body ball]\n",
         "scene.yaml:5:9: plots[0]: 'body ball' has 2 words; expected 3, as in 'body NAME x'"},
        {kHead + kBall + "plots: [[]]\n",
         "scene.yaml:5:9: plots[0]: a graph has 1 to 8 lines, got 0"},
    });
}

TEST(SceneErrors, Version) {
    expect_errors({
        {"gravity: [0, 0, 0]\n",
         "scene.yaml:1:1: key 'version' is missing; expected 'version: 1' as the first key"},
        {"gravity: [0, 0, 0]\nversion: 1\n",
         "scene.yaml:2:10: version: must be the first key of the file"},
        {"version: 2\n", "scene.yaml:1:10: version: unsupported version '2'; expected 1"},
    });
}

TEST(SceneErrors, WhatEverySceneNeeds) {
    expect_errors({
        {kHead,
         "scene.yaml:1:1: the scene has no bodies; expected at least one under 'bodies' or "
         "'robots'"},
        {kHead + "bodies: []\n",
         "scene.yaml:1:1: the scene has no bodies; expected at least one under 'bodies' or "
         "'robots'"},
        {kHead + "bodies:\n", "scene.yaml:3:1: bodies: found nothing; expected a list of bodies"},
        {"version: 1\n" + kBall,
         "scene.yaml:1:1: contact.model is missing; expected viscous, no_slip, coulomb_lcp, "
         "max_dissipation, friction_box or coulomb_cone"},
    });
}

TEST(SceneErrors, KeysAndTypes) {
    expect_errors({
        {kHead + "bodys: []\n", "scene.yaml:3:1: unknown key 'bodys'; did you mean 'bodies'?"},
        {kHead + "bodies:\n  - name: crate\n    mass: 1\n    frictoin: 2\n",
         "scene.yaml:6:5: bodies[0]: unknown key 'frictoin'; expected one of: name, repeat, kind, "
         "mass, "
         "density, inertia, com, position, orientation, velocity, angular_velocity, shape, shapes, "
         "material, group, mask, gravity_scale, linear_damping, angular_damping"},
        {kHead + "bodies:\n  - {nmae: crate}\n",
         "scene.yaml:4:6: bodies[0]: unknown key 'nmae'; did you mean 'name'?"},
        {kHead + "bodies:\n  - {name: a, mass: 1, mass: 2}\n",
         "scene.yaml:4:24: key 'mass' is given twice; the first is in line 4"},
        {kHead + "gravity: 9.81\n",
         "scene.yaml:3:10: gravity: found '9.81'; expected a list of 3 numbers"},
        {kHead + "gravity: [0, 0, down]\n",
         "scene.yaml:3:17: gravity[2]: expected a number; cannot evaluate 'down': unknown name "
         "'down'"},
        {kHead + "duration: [1]\n",
         "scene.yaml:3:11: duration: found a list of 1; expected a number"},
        {kHead + "bodies: {a: 1}\n",
         "scene.yaml:3:9: bodies: found keys and values; expected a list of bodies"},
        {kHead + "bodies: [cube]\n",
         "scene.yaml:3:10: bodies[0]: found 'cube'; expected keys and values"},
        {kHead + "description: |\n  a\n  b\n",
         "scene.yaml:3:14: description: more than one line; expected a single one"},
        {kHead + "parameters: {boxes: 2}\nduration: 2*boxs\n",
         "scene.yaml:4:11: duration: expected a number; cannot evaluate '2*boxs': unknown name "
         "'boxs'; "
         "did you mean 'boxes'?"},
        {kHead + "duration: .inf\n",
         "scene.yaml:3:11: duration: must be a finite number, got '.inf'"},
        {kHead + "duration: .nan\n",
         "scene.yaml:3:11: duration: must be a finite number, got '.nan'"},
        {kHead + "duration: 1/0\n",
         "scene.yaml:3:11: duration: must be a finite number, got '1/0'"},
        {kHead + "seed: 1.5\n", "scene.yaml:3:7: seed: must be a whole number, got 1.5"},
    });
}

TEST(SceneErrors, StepAndContact) {
    expect_errors({
        {kHead + "step: {h: 0}\n", "scene.yaml:3:11: step.h: must be > 0 s and <= 1 s, got 0"},
        {kHead + "step: {h: -0.1}\n",
         "scene.yaml:3:11: step.h: must be > 0 s and <= 1 s, got -0.1"},
        {kHead + "step: {time_budget: -1}\n",
         "scene.yaml:3:21: step.time_budget: must be >= 0 s, got -1"},
        {kHead + "step: {time_bugdet: 1}\n",
         "scene.yaml:3:8: step: unknown key 'time_bugdet'; did you mean 'time_budget'?"},
        {kHead + "step: {integrator: midpiont}\n",
         "scene.yaml:3:20: step.integrator: unknown integrator 'midpiont'; did you mean "
         "'midpoint'?"},
        {kHead + "collision: {narrowphase: bulet}\n",
         "scene.yaml:3:26: collision.narrowphase: unknown narrowphase 'bulet'; did you mean "
         "'bullet'?"},
        {kHead + "collision: {narowphase: exact}\n",
         "scene.yaml:3:13: collision: unknown key 'narowphase'; did you mean 'narrowphase'?"},
        {"version: 1\ncontact: {model: viscous, level: acceleration}\n"
         "bodies: [{name: b, mass: 1, shape: {type: sphere, radius: 1}}]\n"
         "step: {integrator: midpoint}\n",
         "scene.yaml:4:20: step.integrator: midpoint does not go with contact: level: "
         "acceleration, "
         "which has RK4 of its own; expected symplectic_euler"},
        {"version: 1\ncontact: {model: viscous, level: acceleration}\n"
         "bodies: [{name: b, mass: 1, shape: {type: sphere, radius: 1}}]\n"
         "step: {impacts: sequential}\n",
         "scene.yaml:4:17: step.impacts: sequential does not go with contact: level: acceleration, "
         "whose impacts are inelastic; expected simultaneous"},
        {kHead + kBall + "step: {events: true}\n",
         "scene.yaml:5:16: step.events: events are of contact: {model: viscous, level: "
         "acceleration}; velocity-level models take gaps that close within the step into account "
         "without cutting it"},
        {kHead + "step: {stabilisation: projektion}\n",
         "scene.yaml:3:23: step.stabilisation: unknown stabilisation 'projektion'; did you mean "
         "'projection'?"},
        {"version: 1\ncontact: {model: coulumb_lcp}\n",
         "scene.yaml:2:18: contact.model: unknown model 'coulumb_lcp'; did you mean "
         "'coulomb_lcp'?"},
        {"version: 1\ncontact: {model: no_slip, solver: pmp}\n",
         "scene.yaml:2:35: contact.solver: unknown solver of no_slip 'pmp'; did you mean 'ppm'?"},
        {"version: 1\ncontact: {model: no_slip, max_iterations: -1}\n",
         "scene.yaml:2:43: contact.max_iterations: must be >= 0 and <= 2147483647, got -1"},
        {"version: 1\ncontact: {model: no_slip, repeat: 17}\n",
         "scene.yaml:2:35: contact.repeat: must be >= 1 and <= 16, got 17"},
        {"version: 1\ncontact: {model: coulomb_lcp, sides: 5}\n",
         "scene.yaml:2:38: contact.sides: must be even, got 5"},
        {"version: 1\ncontact: {model: coulomb_lcp, sides: 2}\n",
         "scene.yaml:2:38: contact.sides: must be >= 4 and <= 64, got 2"},
        {"version: 1\ncontact: {model: no_slip, sides: 4}\n",
         "scene.yaml:2:27: contact: unknown key 'sides'; expected one of: model, solver, repeat, "
         "tolerance, max_iterations, release_separating"},
        {"version: 1\ncontact: {model: viscous, level: velocty}\n",
         "scene.yaml:2:34: contact.level: unknown level 'velocty'; did you mean 'velocity'?"},
        {"version: 1\ncontact: {model: no_slip, level: velocity}\n",
         "scene.yaml:2:27: contact: unknown key 'level'; expected one of: model, solver, repeat, "
         "tolerance, max_iterations, release_separating"},
        {"version: 1\ncontact: {model: no_slip, release_separating: 3}\n",
         "scene.yaml:2:47: contact.release_separating: found '3'; expected true or false"},
    });
}

TEST(SceneErrors, Bodies) {
    const std::string sphere = "shape: {type: sphere, radius: 1}";
    expect_errors({
        {kHead + "bodies:\n  - name: crate\n    mass: -4\n    " + sphere + "\n",
         "scene.yaml:5:11: bodies[0] 'crate': mass: must be > 0 kg, got -4"},
        {kHead + "bodies:\n  - {name: crate, " + sphere + "}\n",
         "scene.yaml:4:5: bodies[0] 'crate': key 'mass' is missing; expected the body's mass or "
         "density, "
         "or one in each shape"},
        {kHead + "bodies:\n  - {name: a, mass: 1}\n",
         "scene.yaml:4:5: bodies[0] 'a': key 'inertia' is missing; a body without shapes needs it"},
        {kHead + "bodies:\n  - {name: a, kind: static, mass: 1}\n",
         "scene.yaml:4:35: bodies[0] 'a': mass: a static body has none; expected a dynamic body"},
        {kHead + "bodies:\n  - {name: a, kind: statik}\n",
         "scene.yaml:4:21: bodies[0] 'a': kind: unknown kind of body 'statik'; did you mean "
         "'static'?"},
        {kHead + "bodies:\n  - {name: a, mass: 1, " + sphere + ", orientation: [1, 0, 0, 0.1]}\n",
         "scene.yaml:4:71: bodies[0] 'a': orientation: quaternion of length 1.00499; expected 1 "
         "(within "
         "0.001 it is normalised)"},
        {kHead + "bodies:\n  - {name: a, mass: 1, " + sphere + "}\n  - {name: a, kind: static}\n",
         "scene.yaml:5:12: bodies[1] 'a': name: a second body named 'a'; the first is at "
         "scene.yaml:4:12"},
        {kHead + "bodies:\n  - {name: world, kind: static}\n",
         "scene.yaml:4:12: bodies[0] 'world': name: 'world' is the fixed frame; expected another "
         "name"},
        {kHead + "bodies:\n  - {name: a b, kind: static}\n",
         "scene.yaml:4:12: bodies[0].name: found 'a b'; expected a name of 1 to 64 letters, "
         "digits, '_', "
         "'-' or '.'"},
        {kHead + "bodies:\n  - {name: a, mass: 1, shape: {type: plane}}\n",
         "scene.yaml:4:31: bodies[0] 'a': shape: a plane cannot move; expected a static or "
         "kinematic "
         "body"},
        {kHead + "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 3]}\n",
         "scene.yaml:4:33: bodies[0] 'a': inertia: principal moments 1 1 3 kg m^2: the largest "
         "must be "
         "at most the sum of the others"},
        {kHead + "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 0]}\n",
         "scene.yaml:4:33: bodies[0] 'a': inertia: principal moments 0 1 1 kg m^2: must all be > "
         "0"},
        {kHead + "bodies:\n  - {name: a, mass: 1, inertia: [1, 1]}\n",
         "scene.yaml:4:33: bodies[0] 'a': inertia: expected 3 numbers (diagonal), 6 (xx, yy, zz, "
         "xy, xz, "
         "yz) or 9 (rows)"},
        {kHead + "bodies:\n  - {name: a, mass: 1, inertia: [1, 0.1, 0, 0, 1, 0, 0, 0, 1]}\n",
         "scene.yaml:4:33: bodies[0] 'a': inertia: must be symmetric"},
        {kHead + "bodies:\n  - {name: a, mass: 1, com: [0, 0, 1], " + sphere + "}\n",
         "scene.yaml:4:29: bodies[0] 'a': com: needs 'inertia' beside it: the shapes' own centre "
         "is "
         "elsewhere"},
    });
}

TEST(SceneErrors, Shapes) {
    const std::string body = kHead + "bodies:\n  - {name: a, mass: 1, shape: ";
    expect_errors({
        {body + "{type: cube}}\n",
         "scene.yaml:4:38: bodies[0] 'a': shape.type: unknown shape 'cube'; did you mean "
         "'cone'?"},
        {body + "{tpye: box}}\n",
         "scene.yaml:4:32: bodies[0] 'a': shape: unknown key 'tpye'; did you mean 'type'?"},
        {body + "{type: sphere, size: 1}}\n",
         "scene.yaml:4:46: bodies[0] 'a': shape: unknown key 'size'; expected one of: type, "
         "position, orientation, material, group, mask, mass, density, repeat, radius"},
        {body + "{type: sphere, radius: 0}}\n",
         "scene.yaml:4:54: bodies[0] 'a': shape.radius: must be > 0 m, got 0"},
        {body + "{type: box, size: [1, 1, -1]}}\n",
         "scene.yaml:4:56: bodies[0] 'a': shape.size[2]: must be > 0 m, got -1"},
        {body + "{type: box}}\n",
         "scene.yaml:4:31: bodies[0] 'a': shape: expected exactly one of 'size' (full extents) and "
         "'half' (half extents)"},
        {body + "{type: sphere, radius: 1, material: iec}}\n",
         "scene.yaml:4:67: bodies[0] 'a': shape.material: there is no material 'iec'; expected one "
         "of: "
         "default"},
        {body + "{type: sphere, radius: 1, repeat: 2}}\n",
         "scene.yaml:4:65: bodies[0] 'a': shape.repeat: only of an entry of a body's 'shapes'"},
        {body + "{type: hull, points: [{repeat: 2, to: [0, 0, 0]}]}}\n",
         "scene.yaml:4:65: bodies[0] 'a': shape.points[0]: unknown key 'to'; expected one of: "
         "repeat, at"},
        {body + "{type: hull, points: [{at: [0, 0, 0]}]}}\n",
         "scene.yaml:4:53: bodies[0] 'a': shape.points[0]: key 'repeat' is missing"},
        {body + "{type: hull, points: [{repeat: 10001, at: [i, 0, 0]}]}}\n",
         "scene.yaml:4:52: bodies[0] 'a': shape.points: more than 10000 points"},
        {body + "{type: sphere, radius: 1, group: robot}}\n",
         "scene.yaml:4:64: bodies[0] 'a': shape.group: there is no group 'robot'; expected one of: "
         "default"},
    });
    const SceneFiles files;  // the rest of this message is make_hull's
    EXPECT_EQ(files.error_of(body + "{type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}\n")
                  .find("scene.yaml:4:52: bodies[0] 'a': shape.points: "),
              0U);
}

TEST(SceneErrors, Materials) {
    expect_errors({
        {kHead + "materials: {ice: {friction: -0.1}}\n",
         "scene.yaml:3:29: materials.ice.friction: must be >= 0, got -0.1"},
        {kHead + "materials: {ice: {restitution: 1.5}}\n",
         "scene.yaml:3:32: materials.ice.restitution: must be >= 0 and <= 1, got 1.5"},
        {kHead + "materials: {ice: {restitution: -1}}\n",
         "scene.yaml:3:32: materials.ice.restitution: must be >= 0 and <= 1, got -1"},
        {kHead + "materials: {ice: {frictoin: 1}}\n",
         "scene.yaml:3:19: materials.ice: unknown key 'frictoin'; did you mean 'friction'?"},
        {kHead + "materials: {ice: {}}\nmaterial_pairs: [{materials: [ice, ide], friction: 1}]\n",
         "scene.yaml:4:36: material_pairs[0].materials[1]: there is no material 'ide'; did you "
         "mean "
         "'ice'?"},
        {kHead + "groups: [a, a]\n",
         "scene.yaml:3:13: groups[1]: a second group named 'a'; the first is at scene.yaml:3:10"},
    });
}

TEST(SceneErrors, Joints) {
    const std::string head = kHead + kBall + "joints:\n";  // the joint is in line 6
    expect_errors({
        {head + "  - {name: j, type: fixed, child: bal}\n",
         "scene.yaml:6:35: joints[0] 'j': child: there is no body 'bal'; did you mean 'ball'?"},
        {head + "  - {name: j, type: fixed, child: ball, parent: bxll}\n",
         "scene.yaml:6:49: joints[0] 'j': parent: there is no body 'bxll'; did you mean 'ball'?"},
        {head + "  - {name: j, type: hinge, child: ball}\n",
         "scene.yaml:6:21: joints[0] 'j': type: unknown type of joint 'hinge'; expected one of: "
         "fixed, "
         "revolute, prismatic, spherical, universal"},
        {head + "  - {name: j, type: revolute, child: ball}\n",
         "scene.yaml:6:5: joints[0] 'j': key 'axis' is missing"},
        {head + "  - {name: j, type: revolute, child: ball, axis: [0, 0, 0]}\n",
         "scene.yaml:6:50: joints[0] 'j': axis: the vector has no length; expected a direction"},
        {head + "  - {name: j, type: revolute, child: ball, axis: [0, 0, 1], limits: [1, -1]}\n",
         "scene.yaml:6:69: joints[0] 'j': limits: lower limit above upper; expected [lower, "
         "upper]"},
        {head + "  - {name: j, type: spherical, child: ball, limits: [0, 1]}\n",
         "scene.yaml:6:53: joints[0] 'j': limits: a spherical joint has none; expected a revolute "
         "or "
         "prismatic joint"},
        {head + "  - {name: j, type: universal, child: ball, axis: [0, 0, 1], axis2: [1, 0, 1]}\n",
         "scene.yaml:6:69: joints[0] 'j': axis2: must be perpendicular to axis"},
        {head + "  - {name: j, type: fixed, child: ball, parent: ball}\n",
         "scene.yaml:6:5: joints[0] 'j': child and parent are the same body"},
        {head + "  - {name: j, type: revolute, child: ball, axis: [0, 0, 1], motor: {kp: 1}}\n",
         "scene.yaml:6:68: joints[0] 'j': motor: expected exactly one of 'velocity' and "
         "'position'"},
        {head + "  - {name: j, type: revolute, child: ball, axis: [0, 0, 1], mimic: {joint: j}}\n",
         "scene.yaml:6:76: joints[0] 'j': mimic.joint: 'j' cannot mimic itself; expected a joint "
         "listed before"},
        {head + "  - {name: j, type: revolute, child: ball, axis: [0, 0, 1], friction: -1}\n",
         "scene.yaml:6:71: joints[0] 'j': friction: must be >= 0 N or N m, got -1"},
        {kHead + "bodies: [{name: a, kind: static}]\njoints: [{name: j, type: fixed, child: a}]\n",
         "scene.yaml:4:10: joints[0] 'j': neither end can move; expected at least one dynamic "
         "body"},
    });
}

TEST(SceneErrors, ForcesAndMotions) {
    const std::string head =
        kHead + kBall + "  - {name: belt, kind: kinematic, shape: {type: plane}}\n";  // then line 6
    expect_errors({
        {head + "forces: [{body: bal, force: [1, 0, 0]}]\n",
         "scene.yaml:6:17: forces[0].body: there is no body 'bal'; did you mean 'ball'?"},
        {head + "forces: [{body: belt, force: [1, 0, 0]}]\n",
         "scene.yaml:6:17: forces[0].body: 'belt' is not dynamic; expected a body that forces can "
         "move"},
        {head + "forces: [{force: [1, 0, 0]}]\n",
         "scene.yaml:6:10: forces[0]: expected exactly one of 'body' and 'joint'"},
        {head + "forces: [{body: ball}]\n",
         "scene.yaml:6:10: forces[0]: expected 'force', 'torque' or both, or 'target'"},
        {head + "forces: [{body: ball, force: [1, 0, 0], start: 2, end: 1}]\n",
         "scene.yaml:6:56: forces[0].end: must be later than start"},
        {head + "forces: [{joint: hinge, force: 1}]\n",
         "scene.yaml:6:18: forces[0].joint: there is no joint 'hinge'"},
        {head + "forces: [{body: ball, target: [0, 0, 0], kp: 1, phase: 1}]\n",
         "scene.yaml:6:49: forces[0]: unknown key 'phase'; expected one of: repeat, body, target, "
         "kp, kd, "
         "max_force, start, end"},
        {head + "motions: [{body: ball, velocity: [1, 0, 0]}]\n",
         "scene.yaml:6:18: motions[0].body: 'ball' is not kinematic; expected a body whose motion "
         "is "
         "given"},
    });
}

TEST(SceneErrors, Includes) {
    const SceneFiles files;
    files.write("a.yaml", "version: 1\ninclude: b.yaml\n");
    files.write("b.yaml", "version: 1\ninclude: [a.yaml]\n");
    files.write("self.yaml", "version: 1\ninclude: self.yaml\n");
    files.write("typo.yaml", "version: 1\ngravty: [0, 0, 0]\n");
    EXPECT_EQ(files.error_of_file("a.yaml"),
              "b.yaml:2:11: include[0]: 'a.yaml' includes itself, directly or through other files");
    EXPECT_EQ(
        files.error_of_file("self.yaml"),
        "self.yaml:2:10: include: 'self.yaml' includes itself, directly or through other files");
    EXPECT_EQ(
        files.error_of("version: 1\ninclude: c.yaml\n"),
        "scene.yaml:2:10: include: 'c.yaml' is not a file (looked for c.yaml); expected a path "
        "relative to this file");
    EXPECT_EQ(files.error_of("version: 1\ninclude: typo.yaml\n"),
              "typo.yaml:2:1: unknown key 'gravty'; did you mean 'gravity'?");
}

TEST(SceneErrors, Parameters) {
    expect_errors({
        {kHead + "parameters: {i: 1}\n",
         "scene.yaml:3:14: parameters: 'i' cannot name a parameter; expected letters, digits and "
         "'_', and "
         "no function, constant or index"},
        {kHead + "parameters: {boxes: {default: 0, min: 1}}\n",
         "scene.yaml:3:31: parameters.boxes.default: must be >= 1, got 0"},
        {kHead + "parameters: {boxes: {min: 1}}\n",
         "scene.yaml:3:21: parameters.boxes: key 'default' is missing"},
        {kHead + "parameters: {boxes: {defualt: 1}}\n",
         "scene.yaml:3:22: parameters.boxes: unknown key 'defualt'; did you mean 'default'?"},
    });
    const SceneFiles files;
    const std::string text =
        kHead + "parameters: {boxes: {default: 2, min: 1, integer: true}}\n" + kBall;
    const auto with = [&](const std::string& name, const std::string& value) {
        return files.error_of(text, {.parameters = {{name, value}}});
    };
    EXPECT_EQ(with("boxs", "3"),
              "--set boxs: the scene has no parameter 'boxs'; did you mean 'boxes'?");
    EXPECT_EQ(with("boxes", "0"), "--set boxes: must be >= 1, got 0");
    EXPECT_EQ(with("boxes", "1.5"), "--set boxes: must be a whole number, got '1.5'");
    EXPECT_EQ(with("boxes", "many"),
              "--set boxes: expected a number; cannot evaluate 'many': unknown name 'many'");
    EXPECT_EQ(
        with("boxes", ""),
        "--set boxes: expected a number; cannot evaluate '': it ends where a value is expected");
    EXPECT_EQ(with("boxes", "1e999"),
              "--set boxes: expected a number; cannot evaluate '1e999': a number is out of range");
    EXPECT_EQ(with("boxes", "3"), "");
}

TEST(SceneErrors, RepeatsAndLimits) {
    const std::string sphere = ", mass: 1, shape: {type: sphere, radius: 1}}\n";
    std::string groups = "groups: [g0";
    for (int i = 1; i < 32; ++i) groups += ", g" + std::to_string(i);
    expect_errors({
        {kHead + "bodies:\n  - {name: a, repeat: 2.5" + sphere,
         "scene.yaml:4:23: bodies[0].repeat: must be a whole number, got 2.5"},
        {kHead + "bodies:\n  - {name: a, repeat: 100001" + sphere,
         "scene.yaml:4:23: bodies[0].repeat: must be >= 0 and <= 100000, got 100001"},
        {kHead + "bodies:\n  - {name: a, repeat: [1000, 1000]" + sphere,
         "scene.yaml:4:23: bodies[0].repeat: more than 100000 copies of one entry"},
        {kHead + "bodies:\n  - {name: a, repeat: [1000, 1000, 0]" + sphere,
         "scene.yaml:4:23: bodies[0].repeat: more than 100000 copies of one entry"},
        {kHead + "bodies:\n  - {name: a, repeat: [3, 1 - i]" + sphere,
         "scene.yaml:4:27: bodies[0].repeat[1]: must be >= 0 and <= 100000, got -1"},
        {kHead + "bodies:\n  - {name: a, repeat: [j, 2]" + sphere,
         "scene.yaml:4:24: bodies[0].repeat[0]: expected a number; cannot evaluate 'j': unknown "
         "name 'j'"},
        {kHead + "bodies:\n  - {repeat: 60000, kind: static}\n  - {repeat: 60000, kind: static}\n",
         "scene.yaml:5:5: bodies[1]: more than 100000 bodies"},
        {kHead + "bodies:\n  - {name: 'a_{j}', repeat: 2" + sphere,
         "scene.yaml:4:12: bodies[0] 'a_0': name: a second body named 'a_0'; the first is at "
         "scene.yaml:4:12"},
        {kHead + "bodies:\n  - {name: 'a_{', repeat: 2" + sphere,
         "scene.yaml:4:12: bodies[0].name: found 'a_{'; expected '}' after '{'"},
        {kHead + "joints: [{repeat: {count: 2, spacing: [1, 0, 0]}}]\n",
         "scene.yaml:3:30: joints[0].repeat: unknown key 'spacing'; expected one of: count"},
        {kHead + groups + "]\n",
         "scene.yaml:3:" + std::to_string(groups.size() - 2) +
             ": groups[31]: more than 32 collision groups, 'default' counted"},
        {kHead + "x: " + std::string(70, '[') + std::string(70, ']') + "\n",
         "scene.yaml:3:68: nested deeper than 64 levels"},
        {kHead + "bodies: [{name: a, mass: 1e-308, shape: {type: sphere, radius: 1}}]\n",
         "scene.yaml:3:10: bodies[0] 'a': mass: must be 1e-30 to 1e+30 kg, got 1e-308"},
        {kHead + "x: &x [*x]\n", "scene.yaml:3:8: an alias of a value that is not complete"},
    });
}

// By name, as the command line chooses them: no place, but the same care.
TEST(SceneErrors, ContactModelNames) {
    const auto error_of = [](const auto& call) -> std::string {
        try {
            call();
            return "";
        } catch (const InputError& error) {
            return error.what();
        }
    };
    EXPECT_EQ(error_of([] { (void)make_contact_model("noslip"); }),
              "unknown model 'noslip'; expected one of: viscous no_slip coulomb_lcp "
              "max_dissipation friction_box "
              "coulomb_cone; did you "
              "mean 'no_slip'?");
    ContactModel model = make_contact_model("coulomb_lcp");
    EXPECT_EQ(name(model), "coulomb_lcp");
    EXPECT_EQ(error_of([&] { set_solver(model, "lemk"); }),
              "unknown solver of coulomb_lcp 'lemk'; expected one of: auto lemke pgs; did you mean "
              "'lemke'?");
    set_solver(model, "lemke");
    EXPECT_EQ(solver_name(model), "lemke");
}

// What does not go together may stand in two files: the including one is named.
TEST(SceneErrors, AnIncludedStepThatTheModelDoesNotTake) {
    const SceneFiles files;
    files.write(
        "events.yaml",
        "version: 1\ncontact: {model: viscous, level: acceleration}\nstep: {events: true}\n" +
            kBall);
    const std::string error =
        files.error_of("version: 1\ninclude: events.yaml\ncontact: {model: no_slip}\n");
    EXPECT_NE(error.find("scene.yaml:1:1: "), std::string::npos) << error;
    EXPECT_NE(error.find("events are of contact"), std::string::npos) << error;
}

// Aliases that expand without end in sight must not fill the memory.
TEST(SceneErrors, AliasesThatMultiply) {
    const SceneFiles files;
    std::string text = kHead + "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (int i = 1; i < 9; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        const std::string name = "a" + std::to_string(i);
        text += name + ": &" + name + " [" + last;
        for (int k = 1; k < 10; ++k) text += ", " + last;
        text += "]\n";
    }
    EXPECT_NE(files.error_of(text).find("more than 2000000 values in one file"), std::string::npos);
}

}  // namespace
}  // namespace stiction
