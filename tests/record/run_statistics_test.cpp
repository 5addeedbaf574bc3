// run_statistics_test.cpp - totals and the summary's JSON from records made by hand.
#include "record/run_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "record/ball_on_plane.h"
#include "record/run_summary.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// 100 steps of 1 ... 100 us; energy falls by 1 J per step, but grows by 0.25 J in step 50.
RunStatistics hundred_steps() {
    RunStatistics statistics = start_statistics({.kinetic = 200, .potential = 10});
    double kinetic = 200;
    for (int i = 1; i <= 100; ++i) {
        StepRecord record;
        record.step = i;
        record.step_seconds = 1e-6 * i;
        record.seconds.fill(1e-7 * i);
        kinetic += i == 50 ? 0.25 : -1;
        record.kinetic = kinetic;
        record.potential = 10;
        record.islands = 2;
        record.contacts = i % 2 == 0 ? 4 : 2;
        record.penetration = 1e-6 * i;
        record.penetration_sum = 3e-6;
        record.iterations = i;
        record.pivots = 2 * i;
        record.failures = i == 7 ? 1 : 0;
        record.fallbacks = i <= 3 ? 2 : 0;
        if (i == 4) record.status = SolveStatus::kBudget;
        if (i == 5) record.projection_status = SolveStatus::kBudget;
        if (i >= 90) record.projection_status = SolveStatus::kIterationLimit;
        record.projection_unsolved = i >= 90 ? 1 : 0;
        if (i == 20 || i == 21) record.fast_body = 21 - i;
        record.midpoint_fallbacks = i <= 10 ? 3 : 0;
        record.residual = i == 9 ? 1e-9 : 1e-12;
        record.solver = i <= 40 ? "first" : "second";
        record.t = i / 1000.0;
        record.model = i <= 60 || i > 70 ? "one" : "other";
        record.narrowphase = i <= 30 ? "exact" : "bullet";
        record.pairs = 7;
        record.bullet_pairs = i <= 30 ? 0 : 5;
        add_step(record, statistics);
    }
    return statistics;
}

TEST(RunStatistics, SummariseRecordsMadeByHand) {
    const RunStatistics s = hundred_steps();
    EXPECT_EQ(s.steps, 100);
    EXPECT_NEAR(s.seconds, 5050e-6, 1e-15);
    EXPECT_DOUBLE_EQ(s.seconds_max, 100e-6);
    EXPECT_NEAR(s.histogram.quantile(0.5), 50e-6, 0.005 * 50e-6);  // bins of ratio 1.0075
    EXPECT_NEAR(s.histogram.quantile(0.99), 99e-6, 0.005 * 99e-6);
    EXPECT_EQ(s.contacts_max, 4);
    EXPECT_DOUBLE_EQ(s.contacts, 300);
    EXPECT_DOUBLE_EQ(s.penetration_max, 100e-6);
    EXPECT_NEAR(s.penetration_sum, 300e-6, 1e-15);
    EXPECT_EQ(s.iterations_max, 100);
    EXPECT_EQ(s.pivots_max, 200);
    EXPECT_EQ(s.failures, 1);
    EXPECT_EQ(s.fallbacks, 6);
    EXPECT_EQ(s.budget_steps, 2);
    EXPECT_EQ(s.projection_unsolved_steps, 12);  // the budget's one is not finished either
    EXPECT_EQ(s.fast_steps, 2);
    EXPECT_EQ(s.first_fast_step, 20);
    EXPECT_EQ(s.first_fast_body, 1);
    EXPECT_EQ(s.midpoint_fallbacks, 30);
    EXPECT_DOUBLE_EQ(s.residual_max, 1e-9);
    EXPECT_DOUBLE_EQ(s.largest_gain, 0.25);
    EXPECT_DOUBLE_EQ(s.total_start, 210);
    EXPECT_DOUBLE_EQ(s.total_end, 210 - 99 + 0.25);
    EXPECT_EQ(main_solver(s), "second");
    ASSERT_EQ(s.switches.size(), 2U);
    EXPECT_EQ(s.switches[0].step, 61);
    EXPECT_EQ(s.switches[1].step, 71);
    ASSERT_EQ(s.narrowphase_switches.size(), 1U);
    EXPECT_EQ(s.narrowphase_switches[0].step, 31);
    EXPECT_EQ(s.narrowphase_switches[0].to, "bullet");
    EXPECT_EQ(s.pairs, 700);
    EXPECT_EQ(s.bullet_pairs, 350);
}

// What rests has energies of rounding: no account of these is kept to a hundredth.
TEST(RunStatistics, RoundingIsNotUnexplained) {
    RunStatistics s = start_statistics({.kinetic = 0, .potential = 10});
    for (int i = 1; i <= 100; ++i) {
        StepRecord record;
        record.step = i;
        record.kinetic = 1e-30;
        record.potential = 10;
        record.account.emplace();
        record.account->unexplained = 1e-20;
        record.account->least = 1e-5;
        add_step(record, s);
    }
    EXPECT_EQ(s.account.first_step, -1);
    EXPECT_EQ(s.account.largest(), 1e-5);
}

// A system of 100 J whose integrator makes 0.1 J a step and takes it back, then keeps it: more than
// 1 % on balance from the eleventh step of that on, where body 3 moves most. A loss is no warning.
TEST(RunStatistics, WhatTheIntegratorMakesIsNotExplained) {
    RunStatistics s = start_statistics({.kinetic = 100, .potential = 0});
    const auto add = [&](int step, double excess) {
        StepRecord record;
        record.step = step;
        record.kinetic = 100;
        record.account.emplace();
        record.account->integrator = record.account->integrator_excess = excess;
        record.account->body = 1;
        record.account->mover = 3;
        add_step(record, s);
    };
    for (int i = 1; i <= 100; ++i) add(i, i % 2 == 0 ? -0.1 : 0.1);
    EXPECT_EQ(s.account.first_step, -1);
    for (int i = 101; i <= 120; ++i) add(i, 0.1);
    EXPECT_EQ(s.account.first_step, 111);
    EXPECT_EQ(s.account.first_body, 3);
    EXPECT_NEAR(s.account.lost_track_of(), 2, 1e-12);
    for (int i = 121; i <= 200; ++i) add(i, -0.1);
    EXPECT_EQ(s.account.first_step, -1);
    EXPECT_EQ(s.account.lost_track_of(), 0);
}

TEST(RunStatistics, WithoutStepsHasNoNumbersOfSteps) {
    const RunStatistics s = start_statistics({});
    EXPECT_EQ(s.histogram.quantile(0.5), 0);
    EXPECT_EQ(main_solver(s), "none");
    EXPECT_EQ(realtime_factor({}, s), 0);
}

TEST(RunStatistics, CountsThePenetrationOfTheLastState) {
    RunStatistics s = hundred_steps();
    Contact deep;
    deep.phi = -0.5;
    Contact apart;
    apart.phi = 2;
    add_final_contacts({{deep, apart}}, s);
    EXPECT_DOUBLE_EQ(s.penetration_max, 0.5);
}

// 1, 2, 3 m/s of creep in three of five steps; then one step with an answer that is no number.
TEST(RunStatistics, QualityCountsOnlyStepsThatHaveIt) {
    RunStatistics s = start_statistics({});
    for (int i = 1; i <= 5; ++i) {
        StepRecord record;
        if (i <= 3) {
            record.quality = QualityRecord{};
            record.quality->creep = i;
            record.quality->resting = 4;
        }
        add_step(record, s);
    }
    EXPECT_EQ(s.steps, 5);
    EXPECT_EQ(s.quality_steps, 3);
    EXPECT_EQ(s.quality_sum.creep, 6);
    EXPECT_EQ(s.quality_max.creep, 3);
    EXPECT_EQ(s.quality_max.resting, 4);
    StepRecord bad;
    bad.quality = QualityRecord{};
    bad.quality->creep = std::numeric_limits<double>::quiet_NaN();
    add_step(bad, s);
    bad.quality->creep = 1;
    add_step(bad, s);
    EXPECT_TRUE(std::isnan(s.quality_max.creep));  // not forgotten
    const Simulation sim = test::ball_on_plane();
    RunInfo info;
    info.quality = QualityThresholds{};
    const auto json = nlohmann::json::parse(summary_json(info, s, sim.model, sim.state));
    EXPECT_TRUE(json["quality"]["creep"]["max"].is_null());
    EXPECT_EQ(json["quality"]["resting"]["max"], 4);
    EXPECT_DOUBLE_EQ(json["quality"]["resting"]["mean"].get<double>(), 12.0 / 5);
    EXPECT_EQ(json["quality"]["thresholds"]["slide"], 1e-6);
}

TEST(RunSummary, JsonHoldsTheNumbers) {
    const Simulation sim = test::ball_on_plane();
    RunInfo info;
    info.scene = "ball";
    info.model = "coulomb_lcp";
    info.h = 0.001;
    info.parameters = {{"mu", 0.5}};
    const auto json =
        nlohmann::json::parse(summary_json(info, hundred_steps(), sim.model, sim.state));
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["solver"], "second");
    EXPECT_EQ(json["state_hash"], hash_text(state_hash(sim.state)));
    EXPECT_NEAR(json["realtime_factor"].get<double>(), 0.1 / 5050e-6, 1e-9);
    EXPECT_NEAR(json["timing"]["step_us"]["mean"].get<double>(), 50.5, 1e-9);
    EXPECT_NEAR(json["timing"]["stages"]["solve"].get<double>(), 5.05, 1e-9);
    EXPECT_NEAR(json["penetration"]["mean"].get<double>(), 1e-6, 1e-15);
    EXPECT_DOUBLE_EQ(json["contacts"]["mean"].get<double>(), 3);
    EXPECT_EQ(json["switches"],
              nlohmann::json::parse(R"([{"step": 61, "t": 0.061, "from": "one", "to": "other"},
                                        {"step": 71, "t": 0.071, "from": "other", "to": "one"}])"));
    EXPECT_EQ(json["bodies"][1]["name"], "ball");
    EXPECT_EQ(json["bodies"][1]["linear_velocity"][0], 1.0);
    EXPECT_EQ(json["bodies"][1]["quaternion"][0], 1.0);
}

TEST(RunSummary, HashTextHasSixteenDigits) {
    EXPECT_EQ(hash_text(0x1a), "000000000000001a");
    EXPECT_EQ(hash_text(~std::uint64_t{0}), "ffffffffffffffff");
}

}  // namespace
}  // namespace stiction
