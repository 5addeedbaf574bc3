// machines_long_test.cpp - four cylinders turn ten times [DS10, section 4.1], and the loader fills
// its bucket with rocks [LLLT15, figure 4].
#include "scenes/machines.h"

namespace stiction::machines {
namespace {

TEST(EngineLong, FourCylindersTurnTenTimes) {
    for (const char* model : {"max_dissipation", "coulomb_lcp"}) {
        const std::vector<Revolution> turns = turn_engine(4, model, 10);
        ASSERT_EQ(turns.size(), 10U) << model;
        int steps = 0, unsolved = 0;
        double contacts = 0;
        for (const Revolution& turn : turns) {
            EXPECT_LT(turn.work.gained, 1e-4 * turn.work.drive) << model;
            EXPECT_LT(turn.work.lifted, 0.02 * turn.work.drive) << model;
            EXPECT_GT(turn.work.facets, 0) << model;
            steps += turn.work.steps;
            unsolved += turn.work.unsolved;
            contacts += turn.work.contacts;
        }
        std::printf("engine: %s, %.1f contacts a step, %d of %d steps not solved\n", model,
                    contacts / steps, unsolved, steps);
        EXPECT_LE(unsolved, steps / 100) << model;
        EXPECT_GT(contacts / steps, 100) << model;
        EXPECT_LT(contacts / steps, 300) << model;
    }
}

// Rocks whose middle is between the bucket's bottom and a little above its edges.
int rocks_in_bucket(const Simulation& sim, const Pose& bucket_at_start) {
    const Pose& bucket = sim.state.pose[body_named(sim.model, "bucket")];
    int count = 0;
    for (std::size_t b = 0; b < sim.model.bodies.size(); ++b) {
        if (sim.model.bodies[b].name.rfind("rock_", 0) != 0) continue;
        // Where the rock would be in the pose that the scene is written in.
        const Vec3 p = bucket_at_start.p + bucket_at_start.q * (bucket.q.conjugate() *
                                                                (sim.state.pose[b].p - bucket.p));
        count +=
            p.x() > 2.9 && p.x() < 4.4 && std::abs(p.y() - 0.9) < 1.4 && p.z() > 0 && p.z() < 1.6;
    }
    return count;
}

TEST(LoaderLong, FillsItsBucketAndLiftsIt) {
    for (const char* model : {"coulomb_cone"}) {
        const Scene scene = shipped_scene("loader");
        Simulation sim = simulate(
            scene, name(scene.contact) == model ? scene.contact : make_contact_model(model));
        sim.keep_account = true;
        const Pose start = sim.state.pose[body_named(sim.model, "bucket")];
        Work work;
        while (sim.state.time < scene.duration - 0.5 * scene.step.h) {
            ASSERT_EQ(step(sim), StepOutcome::kDone) << describe_failure(sim);
            note(sim, work);
        }
        const int rocks = rocks_in_bucket(sim, start);
        std::printf(
            "loader: %s, %d rocks in the bucket; drive %.0f J, from nowhere %.1f J; %.0f contacts "
            "a "
            "step, most %d; %d of %d steps not solved\n",
            model, rocks, work.drive, work.gained, work.contacts / work.steps, work.most,
            work.unsolved, work.steps);
        EXPECT_GE(rocks, 5);
        EXPECT_LE(work.unsolved, work.steps / 100);
        EXPECT_LT(work.gained, 1e-3 * work.drive);
        EXPECT_LT(work.lifted, 0.01 * work.drive);
    }
}

}  // namespace
}  // namespace stiction::machines
