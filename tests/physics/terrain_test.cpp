// terrain_test.cpp - motion on ground of triangles: as on the plane they make up, and at rest on
// bumps.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "allocation_count.h"
#include "model/height_grid.h"
#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// The same slope about y as a Plane and as triangles: a heightfield of 41 x 41 turned by it.
constexpr const char* kSlope = R"(version: 1
parameters: {angle: 15, mu: 0.3}
contact: {model: coulomb_cone}
materials: {default: {friction: mu, viscous: 0.1}}
bodies:
  - name: ground
    kind: static
    orientation: {axis: [0, 1, 0], angle_deg: angle}
    shape: GROUND
  - name: body
    mass: 1
    position: [PLACE*sin(angle deg), 0.0037, PLACE*cos(angle deg)]
    orientation: {axis: [0, 1, 0], angle_deg: angle}
    velocity: [0.3*cos(angle deg), 0.2, -0.3*sin(angle deg)]
    shape: BODY
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
        text.replace(at, what.size(), by);
    return text;
}

struct SlopeCase {
    const char* body;
    const char* place;
};

// Largest difference of the body's place between the two grounds over `steps` steps.
double worst_difference(const SceneFiles& files, const SlopeCase& c, const std::string& model,
                        int steps) {
    const std::string text = replaced(replaced(kSlope, "BODY", c.body), "PLACE", c.place);
    const std::string field =
        "{type: heightfield, size: [6, 6], heights: {samples: [41, 41], bumps: 0, wavelength: 1}}";
    Simulation plane =
        simulate(files.load(replaced(text, "GROUND", "{type: plane}")), make_contact_model(model));
    Simulation triangles =
        simulate(files.load(replaced(text, "GROUND", field)), make_contact_model(model));
    double worst = 0;
    for (int i = 0; i < steps; ++i) {
        take_steps(plane, 1);
        take_steps(triangles, 1);
        worst = std::max(worst, (plane.state.pose[1].p - triangles.state.pose[1].p).norm());
    }
    return worst;
}

// 600 steps cross several cells: rolling, sliding and resting shapes feel nothing of the edges.
TEST(Terrain, MotionOverTrianglesIsThatOnThePlane) {
    const SceneFiles files;
    const SlopeCase cases[] = {
        {"{type: sphere, radius: 0.05}", "0.05"},
        {"{type: box, size: [0.1, 0.1, 0.1]}", "0.05"},
        {"{type: capsule, radius: 0.03, length: 0.1, orientation: {rpy_deg: [90, 0, 0]}}", "0.03"},
        {"{type: cylinder, radius: 0.05, length: 0.08}", "0.04"},
    };
    for (const std::string_view model : kContactModelNames) {
        std::printf("%-16s", std::string(model).c_str());
        for (const SlopeCase& c : cases) {
            const double worst = worst_difference(files, c, std::string(model), 600);
            std::printf(" %9.1e", worst);
            // Two roads to one answer differ by the solver's own tolerance.
            EXPECT_LT(worst, model == "max_dissipation" ? 1e-7 : 1e-9) << model << " " << c.body;
        }
        std::printf("\n");
    }
}

// A box that slides over level triangles neither rises nor tips nor turns.
TEST(Terrain, ABoxSlidesOverLevelTrianglesWithoutABump) {
    const SceneFiles files;
    const Scene scene = files.load(R"(version: 1
contact: {model: coulomb_cone}
materials: {default: {friction: 0.2}}
bodies:
  - name: ground
    kind: static
    shape: {type: heightfield, size: [4, 4], heights: {samples: [101, 101], bumps: 0, wavelength: 1}}
  - name: box
    mass: 1
    position: [-0.8, 0.01, 0.05]
    velocity: [1.5, 0, 0]
    shape: {type: box, size: [0.1, 0.1, 0.1]}
)");
    Simulation sim = simulate(scene, make_contact_model("coulomb_cone"));
    double worst = 0, speed = 1.5;
    for (int i = 0; i < 700; ++i) {
        take_steps(sim, 1);
        speed = std::max(0.0, speed - sim.settings.h * 0.2 * 9.81);
        worst =
            std::max({worst, std::abs(sim.state.pose[1].p.z() - 0.05),
                      std::abs(sim.state.pose[1].p.y() - 0.01), sim.state.pose[1].q.vec().norm(),
                      std::abs(sim.state.twist[1].v.x() - speed)});
    }
    std::printf("box over level triangles: off the closed form by %.1e\n", worst);
    EXPECT_LT(worst, 1e-7);
}

constexpr const char* kFeet = R"(version: 1
contact: {model: coulomb_cone}
materials: {default: {friction: 0.6}}
bodies:
  - name: ground
    kind: static
    shape: {type: heightfield, size: [3, 3], heights: {samples: [750, 750], bumps: 0.01, wavelength: 0.1, seed: 4}}
  - name: foot
    repeat: {count: [4, 3], spacing: [0.12, 0.12, 0], centred: true}
    mass: 0.05
    linear_damping: 1
    angular_damping: 3
    position: [0.013, 0.007, 0.04]
    velocity: [1.5*cos(index), 1.5*sin(index), -2]
    shape: {type: sphere, radius: 0.01}
)";

// Feet thrown down at 2.5 m/s: none falls through, none is ever more than a part of a millimetre
// in the ground, and in the end they hardly move.
TEST(Terrain, TwelveSmallFeetStayOnTheGround) {
    const SceneFiles files;
    const Scene scene = files.load(kFeet);
    const HeightGrid& grid = *std::get<Heightfield>(scene.model.geoms[0].shape).grid;
    Simulation sim = simulate(scene, make_contact_model("coulomb_cone"));
    double deepest = 0;
    for (int i = 0; i < 5000; ++i) {
        take_steps(sim, 1);
        deepest = std::max(deepest, deepest_overlap(sim));
    }
    int resting = 0;
    for (std::size_t b = 1; b < sim.state.pose.size(); ++b) {
        const Vec3& p = sim.state.pose[b].p;
        if (p.head<2>().cwiseAbs().maxCoeff() > 1.5) continue;  // rolled off the border
        ++resting;
        EXPECT_GT(p.z(), grid.height(p.x(), p.y()) + 0.0099) << b;
        EXPECT_LT(p.z(), grid.height(p.x(), p.y()) + 0.013) << b;
        EXPECT_LT(sim.state.twist[b].v.norm(), 0.05) << b;
    }
    std::printf("%d of 12 feet on the ground, never deeper than %.1e m\n", resting, deepest);
    EXPECT_EQ(resting, 12);
    EXPECT_LT(deepest, 5e-4);
}

// The shipped scene comes to rest.
TEST(Terrain, TheShippedSceneComesToRest) {
    Simulation sim = simulate(shipped_scene("terrain"), make_contact_model("coulomb_cone"));
    take_steps(sim, 4000);
    double fastest = 0;
    for (const Twist& twist : sim.state.twist) fastest = std::max(fastest, twist.v.norm());
    std::printf("terrain after 4 s: fastest body %.1e m/s, %zu contacts\n", fastest,
                sim.frame.contacts.contacts.size());
    EXPECT_LT(fastest, 5e-3);
}

// A ball in a hollow keeps the ids of its contacts, and its steps allocate nothing.
TEST(Terrain, ABallAtRestKeepsItsContacts) {
    const SceneFiles files;
    const Scene scene = files.load(R"(version: 1
contact: {model: no_slip}
bodies:
  - name: ground
    kind: static
    shape: {type: heightfield, size: [1, 1], heights: {samples: [100, 100], bumps: 0.05, wavelength: 0.4, seed: 4}}
  - {name: ball, mass: 1, position: [0.02, 0.01, 0.09], linear_damping: 5, angular_damping: 5,
     shape: {type: sphere, radius: 0.03}}
)");
    Simulation sim = simulate(scene, make_contact_model("no_slip"));
    take_steps(sim, 8000);
    ASSERT_FALSE(sim.frame.contacts.contacts.empty());
    std::vector<ContactKey> before;
    for (const Contact& c : sim.frame.contacts.contacts) before.push_back(key(c));
    long allocated = 0;
    for (int i = 0; i < 200; ++i) {
        const long start = allocation_count();
        ASSERT_EQ(step(sim), StepOutcome::kDone);
        allocated += allocation_count() - start;
        ASSERT_EQ(sim.frame.contacts.contacts.size(), before.size()) << i;
        for (std::size_t k = 0; k < before.size(); ++k)
            ASSERT_EQ(key(sim.frame.contacts.contacts[k]), before[k]) << i;
    }
    EXPECT_LT(sim.state.twist[1].v.norm(), 1e-4);
    if (kCountsAllocations) {
        EXPECT_EQ(allocated, 0);
    }
}

}  // namespace
}  // namespace stiction
