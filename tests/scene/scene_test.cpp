// What a scene file means: settings, parameters, includes, bodies, mass properties, materials,
// groups, repeats.
#include "scene/scene.h"

#include <cmath>
#include <numbers>

#include "scene/scene_files.h"

namespace stiction {
namespace {

const std::string kSceneHead = "version: 1\ncontact: {model: no_slip}\n";
const std::string kCube =
    "bodies:\n  - {name: cube, mass: 1, shape: {type: box, size: [1, 1, 1]}}\n";

TEST(Scene, ReadsSettings) {
    const SceneFiles files;
    const Scene scene = files.load(
        "version: 1\n"
        "description: A test.\n"
        "gravity: [0, 1, -2]\n"
        "duration: 3.5\n"
        "seed: 42\n"
        "camera: {target: [1, 2, 3], eye: [4, 5, 6]}\n"
        "step: {h: 0.002, stabilisation: baumgarte, baumgarte: 0.3, baumgarte_max_speed: 2,\n"
        "       max_depenetration: 0.5, restitution_threshold: 0.1,\n"
        "       time_budget: 0.004}\n"
        "contact: {model: coulomb_lcp, solver: lemke, sides: 8, variant: stewart_trinkle,\n"
        "          tolerance: 1e-9, max_iterations: 77, repeat: 16}\n" +
        kCube);
    EXPECT_EQ(scene.name, "scene");
    EXPECT_EQ(scene.description, "A test.");
    EXPECT_EQ(scene.model.gravity, Vec3(0, 1, -2));
    EXPECT_EQ(scene.duration, 3.5);
    EXPECT_EQ(scene.seed, 42U);
    EXPECT_EQ(scene.camera.target, Vec3(1, 2, 3));
    EXPECT_EQ(scene.camera.eye, Vec3(4, 5, 6));
    EXPECT_EQ(scene.step.h, 0.002);
    EXPECT_EQ(scene.step.stabilisation, Stabilisation::kBaumgarte);
    EXPECT_EQ(scene.step.baumgarte, 0.3);
    EXPECT_EQ(scene.step.baumgarte_max_speed, 2);
    EXPECT_EQ(scene.step.max_depenetration, 0.5);
    EXPECT_EQ(scene.step.restitution_threshold, 0.1);
    EXPECT_EQ(scene.step.time_budget, 0.004);
    EXPECT_EQ(scene.model.contact_repeat, 16);
    const auto& lcp = std::get<CoulombLcp>(scene.contact);
    EXPECT_EQ(lcp.solver, CoulombLcpSolver::kLemke);
    EXPECT_EQ(lcp.sides, 8);
    EXPECT_EQ(lcp.variant, CoulombLcpVariant::kStewartTrinkle);
    EXPECT_EQ(lcp.tolerance, 1e-9);
    EXPECT_EQ(lcp.max_iterations, 77);
}

TEST(Scene, ReadsTheLevelOfTheViscousModel) {
    const SceneFiles files;
    const auto level = [&](const std::string& contact) {
        const Scene scene =
            files.load("version: 1\ncontact: {model: viscous" + contact + "}\n" + kCube);
        return std::get<Viscous>(scene.contact).level;
    };
    EXPECT_EQ(level(""), ViscousLevel::kVelocity);
    EXPECT_EQ(level(", level: velocity"), ViscousLevel::kVelocity);
    EXPECT_EQ(level(", level: acceleration"), ViscousLevel::kAcceleration);
}

// What the papers have and not every program.
TEST(Scene, ReadsTheOptionsOfThePapers) {
    const SceneFiles files;
    const auto load = [&](const std::string& contact, const std::string& step = "") {
        return files.load("version: 1\ncontact: {" + contact + "}\n" + step + kCube);
    };
    EXPECT_EQ(std::get<NoSlip>(load("model: no_slip, solver: active_set_qp").contact).solver,
              NoSlipSolver::kActiveSetQp);
    EXPECT_EQ(std::get<NoSlip>(load("model: no_slip, solver: ppm").contact).solver,
              NoSlipSolver::kPpm);
    EXPECT_EQ(std::get<Viscous>(load("model: viscous, solver: ppm").contact).solver,
              ViscousSolver::kPpm);
    EXPECT_EQ(std::get<Viscous>(load("model: viscous, solver: lemke").contact).solver,
              ViscousSolver::kLemke);
    const Scene sm = load("model: friction_box, solver: pgs_sm, k_pgs: 4, k_sm: 2");
    EXPECT_EQ(std::get<FrictionBox>(sm.contact).k_pgs, 4);
    EXPECT_EQ(std::get<FrictionBox>(sm.contact).k_sm, 2);
    EXPECT_EQ(
        std::get<MaxDissipation>(load("model: max_dissipation, form: generalized").contact).form,
        DissipationForm::kGeneralized);
    EXPECT_EQ(
        std::get<MaxDissipation>(load("model: max_dissipation, form: contact_space").contact).form,
        DissipationForm::kContactSpace);
    const Scene events =
        load("model: viscous, level: acceleration, solver: lemke", "step: {events: true}\n");
    EXPECT_TRUE(events.step.events);
    EXPECT_FALSE(load("model: no_slip").step.events);
    EXPECT_EQ(load("model: no_slip", "step: {impacts: sequential}\n").step.impacts,
              Impacts::kSequential);
    EXPECT_EQ(load("model: no_slip").step.impacts, Impacts::kSimultaneous);
}

TEST(Scene, DefaultsAreThoseOfTheStructs) {
    const SceneFiles files;
    const Scene scene = files.load(kSceneHead + kCube);
    EXPECT_EQ(scene.model.gravity, Vec3(0, 0, -9.81));
    EXPECT_EQ(scene.step.h, StepSettings{}.h);
    EXPECT_EQ(scene.step.stabilisation, Stabilisation::kProjection);
    EXPECT_TRUE(std::get<NoSlip>(scene.contact).release_separating);
    EXPECT_EQ(scene.model.contact_repeat, 1);
    EXPECT_EQ(scene.model.nv, 6);
    EXPECT_EQ(scene.model.bodies[0].block, 0);
    EXPECT_EQ(scene.model.surface(0, 0).mu_c, 0.5);
}

TEST(Scene, ReadsEveryKeyOfTheFormat) {  // the JSON Schema is held against the same file
    const Scene scene = load_scene("tests/scene/data/everything.yaml");
    EXPECT_EQ(scene.model.bodies.size(), 11U);
    EXPECT_EQ(scene.model.joints.size(), 4U);
    EXPECT_EQ(scene.model.materials.size(), 4U);
    EXPECT_EQ(scene.controls.body_springs.size(), 3U);
}

TEST(Scene, ParametersFeedExpressionsAndCanBeSet) {
    const SceneFiles files;
    const std::string text =
        kSceneHead +
        "parameters:\n"
        "  side: 2\n"
        "  half: side/2\n"
        "  count: {default: 3, min: 1, max: 5, integer: true, description: x}\n"
        "bodies:\n"
        "  - {name: a, mass: 10^half, shape: {type: sphere, radius: side*2}}\n";
    const Scene scene = files.load(text);
    EXPECT_EQ(scene.parameters.at("half"), 1);
    EXPECT_EQ(scene.parameters.at("count"), 3);
    EXPECT_EQ(scene.model.bodies[0].mass, 10);
    const Scene set = files.load(text, {.parameters = {{"side", "4"}, {"count", "2 + 2"}}});
    EXPECT_EQ(set.parameters.at("half"), 2);
    EXPECT_EQ(set.parameters.at("count"), 4);
    EXPECT_EQ(set.model.bodies[0].mass, 100);
    EXPECT_EQ(std::get<Sphere>(set.model.geoms[0].shape).radius, 8);
}

TEST(Scene, IncludesComeFirstAndTheIncluderWins) {
    const SceneFiles files;
    files.write("ground.yaml",
                "version: 1\n"
                "parameters: {mu: 0.1}\n"
                "gravity: [0, 0, -1]\n"
                "step: {h: 0.01, baumgarte: 0.5}\n"
                "contact: {model: coulomb_lcp, sides: 6}\n"
                "materials: {default: {friction: mu}, ice: {friction: 0.01}}\n"
                "bodies: [{name: ground, kind: static, shape: {type: plane}}]\n");
    files.write("twice.yaml", "version: 1\ninclude: ground.yaml\n");
    const Scene scene = files.load(
        "version: 1\n"
        "include: [ground.yaml, twice.yaml]\n"
        "parameters: {mu: 0.7}\n"
        "step: {h: 0.002}\n"
        "contact: {tolerance: 1e-6}\n"
        "bodies: [{name: ball, mass: 1, shape: {type: sphere, radius: 1, material: ice}}]\n");
    ASSERT_EQ(scene.model.bodies.size(), 2U);  // ground once, though it is reached twice
    EXPECT_EQ(scene.model.bodies[0].name, "ground");
    EXPECT_EQ(scene.model.bodies[1].name, "ball");
    EXPECT_EQ(scene.model.gravity, Vec3(0, 0, -1));
    EXPECT_EQ(scene.step.h, 0.002);
    EXPECT_EQ(scene.step.baumgarte, 0.5);
    EXPECT_EQ(std::get<CoulombLcp>(scene.contact).sides, 6);
    EXPECT_EQ(std::get<CoulombLcp>(scene.contact).tolerance, 1e-6);
    EXPECT_DOUBLE_EQ(scene.model.surface(0, 0).mu_c, 0.7);
    EXPECT_DOUBLE_EQ(scene.model.surface(0, 1).mu_c, std::sqrt(0.7 * 0.01));
}

// `coordinates` is a setting: the file that includes decides for joints and robots of both files.
TEST(Scene, TheIncluderDecidesTheCoordinatesOfEveryJoint) {
    const SceneFiles files;
    files.write("rod.urdf",
                "<robot name='rod'><link name='base'/><link name='rod'><inertial><mass value='1'/>"
                "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                "<joint name='hinge' type='continuous'><parent link='base'/><child link='rod'/>"
                "<axis xyz='0 1 0'/></joint></robot>");
    const auto door = [](const std::string& name) {
        return "bodies: [{name: " + name + ", mass: 1, inertia: [1, 1, 1]}]\n" +
               "joints: [{name: hinge_" + name + ", type: revolute, child: " + name +
               ", axis: [0, 0, 1]}]\n" + "robots: [{name: robot_" + name +
               ", urdf: rod.urdf, fixed_base: true}]\n";
    };
    for (const std::string inner : {"", "coordinates: maximal\n", "coordinates: reduced\n"}) {
        files.write("inner.yaml", "version: 1\n" + inner + door("inner"));
        for (const std::string outer : {"", "coordinates: maximal\n", "coordinates: reduced\n"}) {
            const std::string& decides = outer.empty() ? inner : outer;
            const Scene scene =
                files.load(kSceneHead + "include: inner.yaml\n" + outer + door("outer"));
            ASSERT_EQ(scene.model.joints.size(), 4U);
            for (const Joint& joint : scene.model.joints) {
                EXPECT_EQ(joint.reduced, decides == "coordinates: reduced\n")
                    << joint.name << ", included '" << inner << "', including '" << outer << "'";
            }
        }
    }
}

// i, j, k are those of the shape, and of the point within it; index stays the body's.
TEST(Scene, ShapesAndPointsOfHullsRepeat) {
    const SceneFiles files;
    const Scene scene = files.load(
        kSceneHead +
        "parameters: {sides: 5}\n"
        "bodies:\n"
        "  - name: wheel_{i}\n"
        "    repeat: 2\n"
        "    mass: 1\n"
        "    shapes:\n"
        "      - {type: box, repeat: [3, 2], size: [1 + index, 1, 1], position: [i, j, index]}\n"
        "      - type: hull\n"
        "        repeat: 2\n"
        "        points:\n"
        "          - {repeat: [sides, 2], at: [cos(2*pi*i/sides), sin(2*pi*i/sides), (index + "
        "2)*j]}\n"
        "          - [0, 0, 5]\n");
    ASSERT_EQ(scene.model.geoms.size(), 2U * (6 + 2));
    for (std::size_t body = 0; body < 2; ++body) {
        const double b = static_cast<double>(body);
        for (std::size_t k = 0; k < 6; ++k) {
            const Geom& geom = scene.model.geoms[8 * body + k];
            EXPECT_EQ(std::get<Box>(geom.shape).half.x(), 0.5 * (1 + b));
            const Vec3 p = geom.pose_BG.p - scene.model.geoms[8 * body].pose_BG.p;
            EXPECT_NEAR(
                (p - Vec3(std::floor(static_cast<double>(k) / 2), k % 2 == 0 ? 0 : 1, 0)).norm(), 0,
                1e-15);
        }
        const Hull& hull = std::get<Hull>(scene.model.geoms[8 * body + 6].shape);
        EXPECT_EQ(hull.vertices.size(), 11U);
        double top = 0;  // of the prism, below the tip
        for (const Vec3& v : hull.vertices)
            if (v.head<2>().norm() > 0.5) top = std::max(top, v.z());
        EXPECT_EQ(top, b + 2);
    }
}

TEST(Scene, ChanceInExpressionsIsTheSameEveryTime) {
    const SceneFiles files;
    const std::string text =
        kSceneHead +
        "bodies:\n"
        "  - {name: ball, repeat: 100, mass: 1, position: [\"random(index, 7)\", "
        "0, 0], shape: {type: sphere, radius: 1}}\n";
    const Scene one = files.load(text), two = files.load(text);
    double mean = 0, least = 1, most = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        const double x = one.state.pose[i].p.x();
        EXPECT_EQ(x, two.state.pose[i].p.x());
        mean += x / 100;
        least = std::min(least, x);
        most = std::max(most, x);
    }
    EXPECT_NEAR(mean, 0.5, 0.12);  // four standard deviations of a mean of 100
    EXPECT_LT(least, 0.1);
    EXPECT_GT(most, 0.9);
}

TEST(Scene, OrientationsAgreeHoweverTheyAreWritten) {
    const SceneFiles files;
    const double c = std::cos(std::numbers::pi / 12);
    const double s = std::sin(std::numbers::pi / 12);
    for (const char* written :
         {"[0.9659258262890683, 0, 0.25881904510252074, 0]", "{axis: [0, 2, 0], angle: pi/6}",
          "{axis: [0, 1, 0], angle_deg: 30}", "{axis: [0, 1, 0], angle: 30 deg}",
          "{rpy: [0, pi/6, 0]}", "{rpy_deg: [0, 30, 0]}", "[0.9662, 0, 0.2589, 0]"}) {
        const Scene scene = files.load(
            kSceneHead + "bodies: [{mass: 1, shape: {type: sphere, radius: 1}, orientation: " +
            written + "}]\n");
        const Quat q = scene.state.pose[0].q;
        EXPECT_NEAR(q.w(), c, 1e-4) << written;
        EXPECT_NEAR(q.y(), s, 1e-4) << written;
        EXPECT_NEAR(q.norm(), 1, 1e-15) << written;
    }
    // Roll about x first, then yaw about the fixed z: x goes to y, and z (rolled to -y) to x.
    const Scene scene = files.load(kSceneHead +
                                   "bodies: [{mass: 1, shape: {type: sphere, radius: 1}, "
                                   "orientation: {rpy_deg: [90, 0, 90]}}]\n");
    EXPECT_NEAR((scene.state.pose[0].q * Vec3::UnitX() - Vec3::UnitY()).norm(), 0, 1e-15);
    EXPECT_NEAR((scene.state.pose[0].q * Vec3::UnitZ() - Vec3::UnitX()).norm(), 0, 1e-15);
}

// A box of mass m and sides a, b, c has I_xx = m (b^2 + c^2)/12.
TEST(Scene, MassAndInertiaFollowFromShapes) {
    const SceneFiles files;
    const Scene scene = files.load(kSceneHead +
                                   "bodies:\n"
                                   "  - {mass: 12, shape: {type: box, size: [1, 2, 3]}}\n"
                                   "  - {density: 2, shape: {type: box, half: [0.5, 1, 1.5]}}\n"
                                   "  - {mass: 1, inertia: [1, 2, 2.5, 0.1, 0, 0]}\n");
    EXPECT_TRUE(scene.model.bodies[0].inertia_B.isApprox(
        Vec3(13, 10, 5).asDiagonal().toDenseMatrix(), 1e-14));
    EXPECT_DOUBLE_EQ(scene.model.bodies[1].mass, 12);
    EXPECT_TRUE(scene.model.bodies[1].inertia_B.isApprox(scene.model.bodies[0].inertia_B, 1e-14));
    EXPECT_EQ(scene.model.bodies[2].inertia_B(0, 1), 0.1);
    EXPECT_EQ(scene.model.bodies[2].inertia_B(1, 0), 0.1);
}

// Two cubes of 1 kg and 3 kg at x = 0 and x = 2 of the written frame: the centre of mass is at
// x = 1.5, and I_yy = (1 + 3)/6 + 1*1.5^2 + 3*0.5^2 = 0.6667 + 3.
TEST(Scene, TheBodyFrameMovesToTheCentreOfMass) {
    const SceneFiles files;
    const Scene scene =
        files.load(kSceneHead +
                   "bodies:\n"
                   "  - name: dumbbell\n"
                   "    position: [10, 0, 0]\n"
                   "    orientation: {axis: [0, 0, 1], angle: 90 deg}\n"
                   "    velocity: [1, 0, 0]\n"
                   "    angular_velocity: [0, 0, 2]\n"
                   "    shapes:\n"
                   "      - {type: box, size: [1, 1, 1], mass: 1}\n"
                   "      - {type: box, size: [1, 1, 1], density: 3, position: [2, 0, 0]}\n"
                   "forces:\n"
                   "  - {body: dumbbell, force: [0, 0, 1], at: [2, 0, 0]}\n"
                   "joints:\n"
                   "  - {type: spherical, child: dumbbell, anchor_child: [1, 0, 0]}\n");
    const Body& body = scene.model.bodies[0];
    EXPECT_DOUBLE_EQ(body.mass, 4);
    EXPECT_NEAR(body.inertia_B(1, 1), 4.0 / 6 + 3, 1e-14);
    EXPECT_NEAR(body.inertia_B(0, 0), 4.0 / 6, 1e-14);
    EXPECT_TRUE(scene.model.geoms[0].pose_BG.p.isApprox(Vec3(-1.5, 0, 0), 1e-14));
    EXPECT_TRUE(scene.model.geoms[1].pose_BG.p.isApprox(Vec3(0.5, 0, 0), 1e-14));
    EXPECT_TRUE(scene.state.pose[0].p.isApprox(Vec3(10, 1.5, 0), 1e-14));
    EXPECT_TRUE(scene.state.twist[0].v.isApprox(Vec3(1 - 3, 0, 0), 1e-14));  // v + w x (R com)
    EXPECT_TRUE(scene.controls.body_forces[0].point_B.isApprox(Vec3(0.5, 0, 0), 1e-14));
    EXPECT_TRUE(scene.model.joints[0].frame_C.p.isApprox(Vec3(-0.5, 0, 0), 1e-14));
    EXPECT_TRUE(scene.model.joints[0].frame_P.p.isApprox(Vec3(10, 1, 0), 1e-14));
}

TEST(Scene, ReadsEveryShape) {
    const SceneFiles files;
    const Scene scene =
        files.load(kSceneHead +
                   "bodies:\n"
                   "  - kind: static\n"
                   "    shapes:\n"
                   "      - {type: plane}\n"
                   "      - {type: sphere, radius: 2}\n"
                   "      - {type: box, half: [1, 2, 3]}\n"
                   "      - {type: capsule, radius: 1, length: 4}\n"
                   "      - {type: cylinder, radius: 1, length: 6, position: [1, 2, 3]}\n"
                   "      - {type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n"
                   "      - {type: cone, radius: 1, length: 4}\n"
                   "      - {type: ellipsoid, size: [2, 4, 6]}\n"
                   "      - {type: rounded_box, half: [1, 2, 3], radius: 0.5}\n");
    ASSERT_EQ(scene.model.geoms.size(), 9U);
    const char* names[] = {"plane", "sphere", "box",       "capsule",    "cylinder",
                           "hull",  "cone",   "ellipsoid", "rounded_box"};
    EXPECT_EQ(std::get<Cone>(scene.model.geoms[6].shape).half_length, 2);
    EXPECT_EQ(std::get<Ellipsoid>(scene.model.geoms[7].shape).half, Vec3(1, 2, 3));
    EXPECT_EQ(std::get<RoundedBox>(scene.model.geoms[8].shape).core(), Vec3(0.5, 1.5, 2.5));
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(name(scene.model.geoms[i].shape), names[i]);
    EXPECT_EQ(std::get<Box>(scene.model.geoms[2].shape).half, Vec3(1, 2, 3));
    EXPECT_EQ(std::get<Capsule>(scene.model.geoms[3].shape).half_length, 2);
    EXPECT_EQ(std::get<Cylinder>(scene.model.geoms[4].shape).half_length, 3);
    EXPECT_EQ(scene.model.geoms[4].pose_BG.p, Vec3(1, 2, 3));
    EXPECT_EQ(std::get<Hull>(scene.model.geoms[5].shape).faces.size(), 4U);
    EXPECT_EQ(scene.model.nv, 0);
}

TEST(Scene, PairsWinOverCombinedCoefficients) {
    const SceneFiles files;
    const Scene scene =
        files.load(kSceneHead +
                   "materials:\n"
                   "  rubber: {friction: 1, restitution: 0.2, viscous: 4}\n"
                   "  steel: {friction: 0.25, restitution: 0.6, viscous: 1}\n"
                   "material_pairs: [{materials: [steel, rubber], friction: 0.7}]\n" +
                   kCube);
    const Model& model = scene.model;  // default, rubber, steel
    EXPECT_EQ(model.surface(1, 2).mu_c, 0.7);
    EXPECT_EQ(model.surface(2, 1).mu_c, 0.7);
    EXPECT_EQ(model.surface(1, 2).eps, 0.6);
    EXPECT_EQ(model.surface(1, 2).mu_v, 2);
    EXPECT_DOUBLE_EQ(model.surface(0, 2).mu_c, std::sqrt(0.5 * 0.25));
}

TEST(Scene, GroupsBecomeBitsAndShapesInheritFromTheirBody) {
    const SceneFiles files;
    const Scene scene = files.load(
        kSceneHead +
        "groups: [robot, ground]\n"
        "materials: {ice: {friction: 0}}\n"
        "bodies:\n"
        "  - name: a\n"
        "    kind: static\n"
        "    material: ice\n"
        "    group: robot\n"
        "    mask: [default, ground]\n"
        "    shapes: [{type: plane}, {type: plane, group: ground, mask: all, material: default}]\n"
        "  - {name: b, kind: static, shape: {type: plane, mask: none}}\n");
    const auto& g = scene.model.geoms;
    EXPECT_EQ(g[0].group, 2U);
    EXPECT_EQ(g[0].mask, 5U);
    EXPECT_EQ(g[0].material, 1);
    EXPECT_EQ(g[1].group, 4U);
    EXPECT_EQ(g[1].mask, ~0U);
    EXPECT_EQ(g[1].material, 0);
    EXPECT_EQ(g[2].group, 1U);
    EXPECT_EQ(g[2].mask, 0U);
}

TEST(Scene, RowsAndGridsPlaceCopies) {
    const SceneFiles files;
    const Scene scene = files.load(
        kSceneHead +
        "bodies:\n"
        "  - {name: row, repeat: {count: 3, spacing: [0, 2, 1], centred: true}, mass: 1 + i,\n"
        "     position: [5, 0, 0], shape: {type: sphere, radius: 1}}\n"
        "  - {name: 'g_{i}{j}_{index}', repeat: {count: [2, 2], spacing: [1, 10, 0]}, mass: n,\n"
        "     shape: {type: sphere, radius: 1, material: {friction: 0.25, restitution: i/2}}}\n");
    const auto& bodies = scene.model.bodies;
    ASSERT_EQ(bodies.size(), 7U);
    EXPECT_EQ(bodies[0].name, "row_0");
    EXPECT_EQ(bodies[2].name, "row_2");
    EXPECT_EQ(bodies[2].mass, 3);
    EXPECT_EQ(scene.state.pose[0].p, Vec3(5, -2, -1));
    EXPECT_EQ(scene.state.pose[2].p, Vec3(5, 2, 1));
    EXPECT_EQ(bodies[4].name, "g_01_1");
    EXPECT_EQ(bodies[4].mass, 4);
    EXPECT_EQ(scene.state.pose[6].p, Vec3(1, 10, 0));
    EXPECT_EQ(scene.model.materials.size(), 3U);  // default and two written in place
    EXPECT_EQ(scene.model.materials[2].surface.eps, 0.5);
}

// A later count may use the indices before it: 3 + 2 + 1 copies, each row about its own middle.
TEST(Scene, CountsMayDependOnTheIndicesBeforeThem) {
    const SceneFiles files;
    const Scene scene = files.load(
        kSceneHead +
        "bodies:\n"
        "  - {name: t, repeat: {count: [3, 3 - i], spacing: [1, 10, 0], centred: true}, mass: n,\n"
        "     shape: {type: sphere, radius: 1}}\n"
        "  - {name: p, repeat: [2, 2 - i, i + j], mass: n, position: [i, j, k],\n"
        "     shape: {type: sphere, radius: 1}}\n");
    const auto& bodies = scene.model.bodies;
    ASSERT_EQ(bodies.size(), 8U);
    EXPECT_EQ(bodies[2].name, "t_0_2");
    EXPECT_EQ(bodies[3].name, "t_1_0");
    EXPECT_EQ(bodies[5].mass, 6);
    EXPECT_EQ(scene.state.pose[2].p, Vec3(-1, 10, 0));
    EXPECT_EQ(scene.state.pose[3].p, Vec3(0, -5, 0));
    EXPECT_EQ(scene.state.pose[5].p, Vec3(1, 0, 0));
    EXPECT_EQ(bodies[6].name, "p_0_1_0");
    EXPECT_EQ(bodies[7].name, "p_1_0_0");
    EXPECT_EQ(bodies[7].mass, 2);
}

TEST(Scene, PlotsNameNumbers) {
    const SceneFiles files;
    const Scene scene = files.load(
        kSceneHead +
        "parameters: {which: 1}\n"
        "bodies:\n"
        "  - {name: \"ball_{i}\", repeat: 2, mass: 1, shape: {type: sphere, radius: 1}}\n"
        "plots: [body ball_0 speed, [\"body ball_{which} z\", contact ball_0 ball_1 ratio, "
        "stage solve]]\n");
    ASSERT_EQ(scene.plots.size(), 2U);
    EXPECT_EQ(scene.plots[0], (std::vector<Quantity>{{QuantityOf::kBody, 6, 0, kNone}}));
    ASSERT_EQ(scene.plots[1].size(), 3U);
    EXPECT_EQ(quantity_text(scene.plots[1][0], scene.model), "body ball_1 z");
    EXPECT_EQ(quantity_unit(scene.plots[1][1], scene.model), "");
    EXPECT_EQ(quantity_unit(scene.plots[1][2], scene.model), "s");
    for (const std::vector<Quantity>& graph : scene.plots) {
        for (const Quantity& q : graph)
            EXPECT_EQ(parse_quantity(quantity_text(q, scene.model), scene.model), q);
    }
}

TEST(Scene, JitterIsBoundedAndFollowsTheSeed) {
    const SceneFiles files;
    const std::string text = kSceneHead +
                             "bodies:\n"
                             "  - {name: a, repeat: {count: 50, jitter: {position: [0.1, 0.2, 0], "
                             "angle: 0.05}}, mass: 1,\n"
                             "     shape: {type: sphere, radius: 1}}\n"
                             "  - {name: b, repeat: {count: 50, jitter: {position: 0.1}}, mass: 1, "
                             "shape: {type: sphere, radius: 1}}\n";
    const Scene one = files.load(text);
    const Scene again = files.load(text);
    const Scene other = files.load(text, {.parameters = {}, .has_seed = true, .seed = 2});
    EXPECT_EQ(other.seed, 2U);
    EXPECT_EQ(state_hash(one.state), state_hash(again.state));
    EXPECT_NE(state_hash(one.state), state_hash(other.state));
    double widest = 0;
    for (std::size_t i = 0; i < 50; ++i) {
        const Vec3 p = one.state.pose[i].p;
        EXPECT_LE(std::abs(p.x()), 0.1);
        EXPECT_LE(std::abs(p.y()), 0.2);
        EXPECT_EQ(p.z(), 0);
        widest = std::max(widest, std::abs(p.y()));
        EXPECT_LE(one.state.pose[i].q.angularDistance(Quat::Identity()), 0.05 * std::sqrt(3.0));
        EXPECT_NE(one.state.pose[i].q.angularDistance(Quat::Identity()), 0);
        EXPECT_NE(p.x(), one.state.pose[50 + i].p.x());  // entries do not share their numbers
    }
    EXPECT_GT(widest, 0.15);
}

}  // namespace
}  // namespace stiction
