// tunnelling_test.cpp - thin and fast bodies stay on their side of what they hit, at steps in which
// they would pass it many times over: the look-ahead finds it.
#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace tunnelling_test {
namespace {

std::string scene_with(std::string_view model, double h, const std::string& bodies) {
    return "version: 1\ngravity: [0, 0, 0]\ncontact: {model: " + std::string(model) +
           "}\nstep: {h: " + exactly(h) +
           "}\nmaterials: {default: {friction: 0.3, viscous: 1}}\nbodies:\n" + bodies;
}

std::string list(const Vec3& v) {
    return "[" + exactly(v.x()) + ", " + exactly(v.y()) + ", " + exactly(v.z()) + "]";
}

std::string body(const std::string& body_name, const Vec3& position, const Vec3& velocity,
                 const std::string& shape, const std::string& more = "") {
    return "  - {name: " + body_name + ", mass: 0.01, position: " + list(position) +
           ", velocity: " + list(velocity) + more + ", shape: " + shape + "}\n";
}

const std::string kWall =
    "  - {name: wall, kind: static, shape: {type: box, size: [0.001, 40, 40]}}\n";

// What Bullet's contacts let through is counted, not asked for.
struct UnderBullet {
    int cases = 0, passed = 0;
    void add(Scene scene, double time, double limit);
    void print(const char* what) const {
        std::printf("%s: under Bullet's contacts %d of %d pass\n", what, passed, cases);
    }
};

// Runs the scene; says by how much body 1's centre of mass came beyond x = 0, at most [m]. It comes
// from x < 0.
double beyond(const Scene& scene, double time) {
    Simulation sim = simulate(scene, scene.contact);
    const std::size_t flying = 1;
    double most = sim.state.pose[flying].p.x();
    while (sim.state.time < time) {
        if (step(sim) != StepOutcome::kDone) {
            ADD_FAILURE() << describe_failure(sim);
            break;
        }
        most = std::max(most, sim.state.pose[flying].p.x());
    }
    return most;
}

void UnderBullet::add(Scene scene, double time, double limit) {
    scene.step.narrowphase = NarrowphaseKind::kBullet;
    ++cases;
    passed += beyond(scene, time) < limit ? 0 : 1;
}

template <class Test>
void for_each_model_and_step(const Test& test) {
    for (const std::string_view model : kContactModelNames) {
        for (const double h : {1e-3, 1e-2}) {
            SCOPED_TRACE(std::string(model) + ", h = " + exactly(h));
            test(model, h);
        }
    }
}

// 1 cm, 300 m/s: 0.3 m and 3 m in a step, through a wall of 1 mm, straight and aslant.
TEST(Tunnelling, ASphereAgainstAThinWall) {
    const SceneFiles files;
    UnderBullet bullet;
    for_each_model_and_step([&](std::string_view model, double h) {
        for (const double angle : {0.0, 0.5, 1.0}) {
            for (const double away : {0.011, 0.4, 0.77}) {
                const Vec3 v = 300 * Vec3(std::cos(angle), std::sin(angle), 0);
                const Scene scene = files.load(scene_with(
                    model, h,
                    kWall + body("ball", {-away, -0.5, 0.1}, v, "{type: sphere, radius: 0.01}")));
                EXPECT_LT(beyond(scene, 0.03), -0.009) << angle << ' ' << away;
                bullet.add(scene, 0.03, -0.009);
            }
        }
    });
    bullet.print("sphere at 300 m/s");
}

// Plates of 1 mm and cards of 0.3 mm at 10 m/s, flat, on edge, on a corner, turning.
TEST(Tunnelling, PlatesAndCardsAgainstAThinWall) {
    const SceneFiles files;
    UnderBullet bullet;
    const std::string orientations[] = {
        "", ", orientation: {axis: [0, 1, 0], angle: 90 deg}",
        ", orientation: {axis: [0, 1, 0], angle: 40 deg}",
        ", orientation: {axis: [1, 2, 3], angle: 50 deg}",
        ", orientation: {axis: [1, 2, 3], angle: 50 deg}, angular_velocity: [5, 10, -7]"};
    for_each_model_and_step([&](std::string_view model, double h) {
        for (const char* thick : {"0.001", "0.0003"}) {
            for (const std::string& orientation : orientations) {
                const Scene scene = files.load(scene_with(
                    model, h,
                    kWall + body("plate", {-0.153, 0.1, 0.2}, {10, 0, 0},
                                 std::string("{type: box, size: [") + thick + ", 0.1, 0.06]}",
                                 orientation)));
                EXPECT_LT(beyond(scene, 0.1), 0) << thick << orientation;
                bullet.add(scene, 0.1, 0);
            }
        }
    });
    bullet.print("plates and cards at 10 m/s");
}

// Two plates that fly at each other with 10 m/s each. They turn about one another afterwards; while
// the centre of one is over the other's face it is in front of it. Once they turn by more than
// half a radian in a step, straight contacts say nothing about where their points go.
TEST(Tunnelling, PlatesAgainstPlates) {
    const SceneFiles files;
    for_each_model_and_step([&](std::string_view model, double h) {
        for (const char* tilt : {"0", "0.02", "0.3", "pi/2"}) {
            const std::string shape = "{type: box, size: [0.001, 0.1, 0.1]}";
            const Scene scene = files.load(scene_with(
                model, h,
                body("left", {-0.083, 0, 0}, {10, 0, 0}, shape) +
                    body("right", {0.083, 0.01, 0.013}, {-10, 0, 0}, shape,
                         std::string(", orientation: {axis: [0, 1, 0], angle: ") + tilt + "}")));
            Simulation sim = simulate(scene, scene.contact);
            int over = 0;
            while (sim.state.time < 0.06) {
                ASSERT_EQ(step(sim), StepOutcome::kDone);
                const Vec3 x = sim.state.pose[0].inverse() * sim.state.pose[1].p;
                const double spin =
                    std::max(sim.state.twist[0].w.norm(), sim.state.twist[1].w.norm());
                if (std::max(std::abs(x.y()), std::abs(x.z())) > 0.05 || spin * h > 0.5) break;
                ++over;
                EXPECT_GT(x.x(), 0) << tilt << " at " << sim.state.time;
            }
            EXPECT_TRUE(over >= 2 || h > 1e-3) << "they have met";
        }
    });
}

// Boxes with parallel faces that meet corner to corner or edge to edge. In the step in which they
// would meet there is a contact, and they never overlap by more than a tenth of their size. (Boxes
// that turn by more than a tenth of a radian in a step overlap by what their corners' paths bend.)
TEST(Tunnelling, CornerAgainstCorner) {
    const SceneFiles files;
    for_each_model_and_step([&](std::string_view model, double h) {
        for (const Vec3& v : {Vec3(2, 2, 2), Vec3(2, 2, 0), Vec3(3, 1, 2)}) {
            const std::string shape = "{type: box, size: [0.1, 0.1, 0.1]}";
            // 2.5 steps from corner to corner.
            const Vec3 apart = Vec3::Constant(0.1) + 2.5 * h * 2 * v;
            const Vec3 start = v.z() == 0 ? Vec3(apart.x(), apart.y(), 0.03) : apart;
            const Scene scene = files.load(scene_with(
                model, h, body("one", {0, 0, 0}, v, shape) + body("two", start, -v, shape)));
            Simulation sim = simulate(scene, scene.contact);
            for (int i = 0; i < 2; ++i) {
                ASSERT_EQ(step(sim), StepOutcome::kDone);
                EXPECT_LT((sim.state.twist[0].v - v).norm(), 1e-9) << "nothing touches yet";
            }
            ASSERT_EQ(step(sim), StepOutcome::kDone);
            ASSERT_GT(sim.frame.contacts.contacts.size(), 0U) << v.transpose();
            EXPECT_GT((sim.state.twist[0].v - v).norm(), 0.1) << v.transpose();
            while (sim.state.time < 0.1 && h * sim.state.twist[0].w.norm() < 0.1) {
                ASSERT_EQ(step(sim), StepOutcome::kDone);
                ASSERT_LT(deepest_overlap(sim), 0.01) << v.transpose();
            }
        }
    });
}

}  // namespace
}  // namespace tunnelling_test
}  // namespace stiction
