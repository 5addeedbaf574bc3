// watch_test.cpp - numbers of every step for graphs, touches made and lost, and jumps in the history.
#include "live/watch.h"

#include <cmath>

#include "core/error.h"
#include "live/live_scenes.h"
#include "step/simulation.h"

namespace stiction {
namespace {

std::vector<StepSample> samples_of(Player& player) {
    std::vector<StepSample> samples;
    player.take_samples(samples);
    return samples;
}

TEST(Watch, EveryStepHasItsValues) {
    LiveScene live(shipped_scene("ramp"), 1);
    const Model& model = live.scene().model;
    forward(live, 5);
    EXPECT_EQ(samples_of(live).size(), 5U);
    const std::vector<Quantity> watched = {parse_quantity("body cube speed", model),
                                           parse_quantity("contact cube ramp normal", model),
                                           parse_quantity("step contacts", model)};
    live.watch(watched, 7);
    const std::vector<StepSample> known = samples_of(live);
    ASSERT_EQ(known.size(), 6U);  // states 0 to 4 of the history, and the present
    for (const StepSample& sample : known) {
        EXPECT_TRUE(sample.again);
        EXPECT_EQ(sample.watch, 7);
        EXPECT_TRUE(std::isfinite(sample.values[0]));
        EXPECT_EQ(std::isfinite(sample.values[1]), sample.step == 5) << sample.step;
    }
    forward(live, 20);
    const std::vector<StepSample> taken = samples_of(live);
    ASSERT_EQ(taken.size(), 20U);
    const Snapshot now = look_at(live);
    double normal = 0;
    for (const ShownContact& c : now.contacts) normal += c.normal_force.norm();
    EXPECT_EQ(taken.back().step, 25);
    EXPECT_FALSE(taken.back().again);
    EXPECT_NEAR(taken.back().values[0], now.state.twist[1].v.norm(), 1e-15);
    EXPECT_NEAR(taken.back().values[1], normal, 1e-12 * normal);
    EXPECT_GT(normal, 0);
    EXPECT_EQ(taken.back().values[2], static_cast<double>(now.contacts.size()));
}

TEST(Watch, TouchesAreCountedWhenTheyBeginAndEnd) {
    LiveScene live(shipped_scene("bounce"), 1);
    int made = 0, lost = 0;
    for (int i = 0; i < 8000; ++i) {
        ASSERT_TRUE(live.forward());
        for (const StepSample& sample : samples_of(live)) {
            made += sample.made;
            lost += sample.lost;
        }
    }
    EXPECT_GE(made, 10);  // ten balls
    EXPECT_GE(lost, 5);   // most of them come off again
    EXPECT_GE(made, lost);
}

TEST(Watch, JumpsToAnyStepOfTheHistoryWithTheSameBits) {
    LiveScene live(shipped_scene("grasp"), 1);
    std::vector<std::uint64_t> hashes = {hash_of(live)};
    std::vector<Snapshot> seen = {look_at(live)};
    for (int i = 1; i <= 60; ++i) {
        if (i == 31) use_model(live, make_contact_model("coulomb_lcp"));
        ASSERT_TRUE(live.forward());
        hashes.push_back(hash_of(live));
        seen.push_back(look_at(live));
    }
    for (const std::int64_t step : {10, 45, 0, 60, 30, 31, 59, 1}) {
        live.seek(step);
        ASSERT_EQ(hash_of(live), hashes[static_cast<std::size_t>(step)]) << step;
        const Snapshot now = look_at(live);
        const Snapshot& then = seen[static_cast<std::size_t>(step)];
        EXPECT_EQ(now.history.at, step);
        EXPECT_EQ(now.history.ahead, 60 - step);
        EXPECT_EQ(now.model, then.model);
        ASSERT_EQ(now.contacts.size(), then.contacts.size());
        for (std::size_t i = 0; i < now.contacts.size(); ++i)
            EXPECT_EQ(now.contacts[i].normal_force, then.contacts[i].normal_force);
    }
    live.seek(-100);
    EXPECT_EQ(hash_of(live), hashes[0]);
    live.seek(1000);
    EXPECT_EQ(hash_of(live), hashes[60]);
    // On from the end as if nothing had been.
    LiveScene other(shipped_scene("grasp"), 1);
    forward(other, 30);
    use_model(other, make_contact_model("coulomb_lcp"));
    forward(other, 40);
    forward(live, 10);
    EXPECT_EQ(hash_of(live), hash_of(other));
}

TEST(Quantity, TextsAreReadAndWritten) {
    const Scene scene = shipped_scene("motors");
    const Model& model = scene.model;
    const std::vector<std::string> texts = {
        "step residual", "stage solve", "joint " + model.joints[0].name + " force",
        "body " + model.bodies[1].name + " vx",
        "contact " + model.bodies[0].name + " " + model.bodies[1].name + " ratio"};
    for (const std::string& text : texts) {
        EXPECT_EQ(quantity_text(parse_quantity(text, model), model), text);
    }
    for (const char* wrong : {"", "box", "body nobody x", "step", "step height", "stage a b",
                              "contact a b", "joint none force"})
        EXPECT_THROW((void)parse_quantity(wrong, model), InputError) << wrong;
}

}  // namespace
}  // namespace stiction
