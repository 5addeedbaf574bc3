// compare_test.cpp - runs side by side against the same runs alone and against closed forms.
#include "compare/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compare/compare_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

std::vector<ComparedRun> compare_named(const Scene& scene, const std::string& models,
                                       std::int64_t steps, const CompareObserver& observer = {}) {
    return compare(scene, make_variants({models, "", {}}, scene.contact), {.steps = steps},
                   observer);
}

// More steps than a turn has, so that the runs interrupt one another.
TEST(Compare, EachRunEndsAsItDoesAlone) {
    const Scene scene = shipped_scene("stack", {{"boxes", "3"}});
    const auto runs = compare_named(scene, "no_slip,coulomb_lcp,coulomb_cone", 300);
    ASSERT_EQ(runs.size(), 3U);
    for (const ComparedRun& run : runs) {
        const ContactModel model =
            run.label == "coulomb_lcp" ? scene.contact : make_contact_model(run.label);
        Simulation alone = simulate(scene, model);
        take_steps(alone, 300);
        EXPECT_EQ(state_hash(run.end), state_hash(alone.state)) << run.label;
        EXPECT_EQ(run.statistics.steps, 300);
        EXPECT_EQ(run.statistics.quality_steps, 300);
        EXPECT_EQ(run.info.status, "done");
        EXPECT_EQ(run.unsolved_steps, 0);
        EXPECT_EQ(run.statistics.contacts, 300 * 12);
    }
}

// Without slip the cube stays; with mu = 0.2 on 20 degrees it slides a = g (sin - mu cos) for n
// steps, h^2 a n (n + 1) / 2 with semi-implicit Euler. The ramp does not move and does not count.
TEST(Compare, MotionsGrowApartAsTheClosedFormsSay) {
    const Scene scene = shipped_scene("ramp");
    const double angle = 20 * std::acos(-1.0) / 180;
    const double a = 9.81 * (std::sin(angle) - 0.2 * std::cos(angle));
    const double h = scene.step.h;
    std::vector<ComparedStep> steps;
    CompareObserver observer;
    observer.row = [&](const ComparedStep& step) { steps.push_back(step); };
    const auto runs = compare_named(scene, "no_slip,coulomb_cone", 400, observer);
    ASSERT_EQ(steps.size(), 800U);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto n = static_cast<double>(i / 2 + 1);
        EXPECT_EQ(steps[i].run, i % 2);
        EXPECT_EQ(steps[i].record.step, static_cast<std::int64_t>(i / 2 + 1));
        const double expected = i % 2 == 0 ? 0 : h * h * a * n * (n + 1) / 2;
        ASSERT_NEAR(steps[i].apart.largest, expected, 1e-8) << "step " << n;
        ASSERT_DOUBLE_EQ(steps[i].apart.rms, steps[i].apart.largest);
    }
    EXPECT_EQ(runs[0].apart.largest, 0);
    EXPECT_EQ(runs[1].apart.largest, steps.back().apart.largest);
    EXPECT_EQ(runs[1].apart_step, 400);
    // The cube slides with all its four contacts, on Coulomb's law; without slip it breaks that
    // law, for friction is larger than mu allows.
    EXPECT_EQ(runs[1].statistics.quality_max.sliding, 4);
    EXPECT_LE(runs[1].statistics.quality_max.coulomb_natural, 1e-8);
    EXPECT_LE(runs[0].statistics.residual_max, 1e-8);
    EXPECT_GT(runs[0].statistics.quality_max.coulomb_natural, 1e-4);
    EXPECT_GT(runs[0].statistics.quality_max.cone_error, 1e-4);
    EXPECT_EQ(runs[0].statistics.quality_max.sliding, 0);
    // Speed n h a against the height lost on the way.
    const double speed = 400 * h * a;
    EXPECT_NEAR(runs[1].statistics.total_end - runs[1].statistics.total_start,
                speed * speed / 2 - 9.81 * std::sin(angle) * steps.back().apart.largest, 1e-8);
}

// A free body that falls at 1e308 m/s^2 overflows in step 18 of 0.1 s.
TEST(Compare, AStateThatIsNotFiniteEndsTheRunAndKeepsWhatItHad) {
    Scene scene = shipped_scene("tumbler");
    scene.model.gravity.z() = -1e308;
    scene.step.h = 0.1;
    std::int64_t rows = 0, last_done = 0;
    CompareObserver observer;
    observer.row = [&](const ComparedStep&) { ++rows; };
    observer.go_on = [&](std::int64_t done, double) {
        last_done = done;
        return true;
    };
    const auto runs = compare_named(scene, "no_slip,coulomb_cone", 100, observer);
    for (const ComparedRun& run : runs) {
        EXPECT_EQ(run.info.status, "failed");
        EXPECT_NE(run.info.message.find("'plate'"), std::string::npos) << run.info.message;
        EXPECT_NE(run.info.message.find(run.label), std::string::npos) << run.info.message;
        EXPECT_LT(run.statistics.steps, 100);
        EXPECT_TRUE(is_finite(run.end));
    }
    EXPECT_EQ(rows, runs[0].statistics.steps + runs[1].statistics.steps);
    EXPECT_EQ(last_done, 200);
}

// A damper of 1e9 N s/m taken explicitly multiplies the speed of 1 kg by -1e6 in each step of 1 ms.
// Without slip the cube never gets a speed; without friction it falls, and its run ends.
TEST(Compare, AFailureOfOneRunIsNoneOfTheOthers) {
    Scene scene = shipped_scene("wall", {{"mu", "0"}});
    BodySpring damper;
    damper.body = static_cast<int>(body_named(scene.model, "cube"));
    damper.kd = 1e9;
    scene.controls.body_springs.push_back(damper);
    for (const bool good_first : {true, false}) {
        std::vector<Variant> variants = {{"good", NoSlip{}}, {"bad", CoulombLcp{}}};
        if (!good_first) std::swap(variants[0], variants[1]);
        std::vector<ComparedStep> steps;
        CompareObserver observer;
        observer.row = [&](const ComparedStep& step) { steps.push_back(step); };
        const auto runs = compare(scene, variants, {.steps = 400}, observer);
        const ComparedRun& good = runs[good_first ? 0 : 1];
        const ComparedRun& bad = runs[good_first ? 1 : 0];
        EXPECT_EQ(bad.info.status, "failed");
        EXPECT_LT(bad.statistics.steps, 100);
        EXPECT_EQ(good.info.status, "done");
        EXPECT_EQ(good.statistics.steps, 400);
        EXPECT_NEAR(good.end.pose[1].p.norm(), 0, 1e-9);
        EXPECT_EQ(steps.size(), static_cast<std::size_t>(400 + bad.statistics.steps));
        // There is nothing to be apart from once the first has ended.
        EXPECT_EQ(good.apart_step, good_first ? 400 : bad.statistics.steps);
        EXPECT_EQ(std::isnan(steps.back().apart.largest), !good_first);
    }
}

TEST(Compare, CanBeStoppedAfterAnyStep) {
    const Scene scene = shipped_scene("stack", {{"boxes", "2"}});
    CompareObserver observer;
    std::int64_t rows = 0;
    observer.go_on = [](std::int64_t done, double) { return done < 300; };
    observer.row = [&](const ComparedStep&) { ++rows; };
    const auto runs = compare_named(scene, "no_slip,coulomb_lcp", 1000, observer);
    EXPECT_EQ(runs[0].statistics.steps + runs[1].statistics.steps, 300);
    EXPECT_EQ(rows, 300);
    for (const ComparedRun& run : runs) {
        EXPECT_EQ(run.info.status, "interrupted");
        EXPECT_EQ(run.info.message,
                  "interrupted after step " + std::to_string(run.statistics.steps) + " of 1000");
    }
    EXPECT_EQ(runs[1].apart_step, runs[1].statistics.steps);
}

TEST(Compare, NoStepsAreNoTrouble) {
    const auto runs = compare_named(shipped_scene("ramp"), "no_slip,viscous", 0);
    for (const ComparedRun& run : runs) {
        EXPECT_EQ(run.info.status, "done");
        EXPECT_EQ(run.statistics.steps, 0);
        EXPECT_EQ(solve_share(run.statistics), 0);
    }
    EXPECT_TRUE(compare(shipped_scene("ramp"), {}, {.steps = 3}).empty());
}

TEST(CompareFiles, TableHasOneValuePerColumn) {
    CsvRow table;
    add_comparison_header(table);
    CompareObserver observer;
    observer.row = [&](const ComparedStep& step) {
        add_comparison_row(step.run == 0 ? "a" : "b", step, table);
    };
    (void)compare_named(shipped_scene("ramp"), "no_slip,friction_box", 5, observer);
    const std::string& text = table.text();
    EXPECT_TRUE(text.starts_with("run,step,t[s],")) << text.substr(0, 80);
    const std::string header = text.substr(0, text.find('\n'));
    EXPECT_TRUE(header.ends_with(
        "coulomb_scaled,joint_error[m],joint_speed[m/s],projection_unsolved,too_fast,"
        "midpoint_fallbacks,narrowphase,pairs,bullet_pairs,apart_max[m],apart_rms[m],gap_off[m],"
        "normal_off[rad],unseen"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11);
    EXPECT_EQ(std::count(text.begin(), text.end(), ','),
              11 * std::count(header.begin(), header.end(), ','));
}

TEST(CompareFiles, JsonHasTheRunsInOrderWithTheirNumbers) {
    const Scene scene = shipped_scene("ramp");
    const auto runs = compare_named(scene, "coulomb_lcp,no_slip:ppm", 20);
    const auto json = nlohmann::json::parse(comparison_json(scene, 20, runs));
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["reference"], "coulomb_lcp");
    EXPECT_EQ(json["status"], "done");
    EXPECT_EQ(json["steps"], 20);
    ASSERT_EQ(json["runs"].size(), 2U);
    const auto& second = json["runs"][1];
    EXPECT_EQ(second["run"], "no_slip:ppm");
    EXPECT_EQ(second["model"], "no_slip");
    EXPECT_EQ(second["solver"], "ppm");
    EXPECT_EQ(second["steps"], 20);
    EXPECT_EQ(second["state_hash"], hash_text(state_hash(runs[1].end)));
    EXPECT_DOUBLE_EQ(second["apart"]["max"].get<double>(), runs[1].apart.largest);
    EXPECT_DOUBLE_EQ(second["energy"]["drift"].get<double>(),
                     runs[1].statistics.total_end - runs[1].statistics.total_start);
    EXPECT_DOUBLE_EQ(second["quality"]["coulomb_natural"]["max"].get<double>(),
                     runs[1].statistics.quality_max.coulomb_natural);
    EXPECT_DOUBLE_EQ(second["solve_share"].get<double>(), solve_share(runs[1].statistics));
}

// The same model under both narrowphases: what the second set has at the run's own states is set
// against the first one's, and each run ends as it does alone.
TEST(Compare, NarrowphasesSideBySide) {
    for (const char* scene_name : {"stack", "hand3"}) {
        const Scene scene = shipped_scene(scene_name);
        VariantOptions options;
        options.narrowphases = "exact,bullet";
        std::vector<ComparedStep> steps;
        CompareObserver observer;
        observer.row = [&](const ComparedStep& step) { steps.push_back(step); };
        const auto runs =
            compare(scene, make_variants(options, scene.contact), {.steps = 200}, observer);
        ASSERT_EQ(runs.size(), 2U);
        EXPECT_EQ(runs[0].label, std::string(name(scene.contact)) + "/exact");
        EXPECT_EQ(runs[0].statistics.bullet_pairs, 0);
        EXPECT_EQ(runs[0].contacts.gap, 0);
        EXPECT_GT(runs[1].statistics.bullet_pairs, 0);
        EXPECT_EQ(runs[1].statistics.bullet_pairs, runs[1].statistics.pairs);
        Scene own = scene;
        own.step.narrowphase = NarrowphaseKind::kBullet;
        Simulation alone = simulate(own, own.contact);
        double largest = 0;
        for (int i = 0; i < 200; ++i) ASSERT_EQ(step(alone), StepOutcome::kDone);
        for (const ComparedStep& step : steps) largest = std::max(largest, step.contacts.gap);
        EXPECT_EQ(state_hash(runs[1].end), state_hash(alone.state)) << scene_name;
        EXPECT_EQ(runs[1].contacts.gap, largest);
        EXPECT_LT(largest, 1e-4) << scene_name;
        const auto json = nlohmann::json::parse(comparison_json(scene, 200, runs));
        EXPECT_EQ(json["runs"][1]["contacts_off"]["gap"], largest);
        EXPECT_EQ(json["runs"][1]["narrowphase"], "bullet");
    }
}

// 2000 steps are shown as 600 points, none of them lost at the ends.
TEST(ComparePlots, PointsCoverTheWholeRunHoweverLong) {
    for (const std::int64_t steps : {1, 7, 599, 600, 601, 2000}) {
        const auto variants = make_variants({"no_slip,viscous", "", {}}, NoSlip{});
        ComparisonPlots plots(variants, steps);
        for (std::int64_t i = 1; i <= steps; ++i) {
            for (const std::size_t run : {std::size_t{0}, std::size_t{1}}) {
                ComparedStep step;
                step.run = run;
                step.record.step = i;
                step.record.t = 0.5 * static_cast<double>(i);
                step.record.step_seconds = 2e-6;
                step.record.penetration = i == 5 ? 0.25 : 0;
                plots.add(step);
            }
        }
        const Figure figure = plots.figure("title");
        ASSERT_EQ(figure.panels.size(), 6U);
        EXPECT_EQ(figure.panels[5].series.size(), 1U);  // no distance of the first from itself
        for (const Series& series : figure.panels[0].series) {
            EXPECT_EQ(series.x.size(),
                      static_cast<std::size_t>(std::min<std::int64_t>(steps, 600)));
            EXPECT_EQ(series.x.back(), 0.5 * static_cast<double>(steps));
            for (const double us : series.y) EXPECT_NEAR(us, 2, 1e-12);
        }
        const auto& depth = figure.panels[2].series[0].y;
        EXPECT_EQ(*std::max_element(depth.begin(), depth.end()), steps >= 5 ? 0.25 : 1e-16);
    }
}

}  // namespace
}  // namespace stiction
