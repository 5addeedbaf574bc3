// speed_cases.cpp - the list, scene by scene. Limits are what a run of some twenty minutes allows; a
// run that is cut is compared with the same part of another.
#include "bench/speed_cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/contact_model.h"

namespace stiction {

namespace {

constexpr const char* kBullet = kReferenceEngine;
constexpr const char* kTuned = "si10_tuned";  // ten iterations, margins for bodies of centimetres
constexpr double kPile = 40;                  // [s] of CPU time for what is compared,
constexpr double kOther = 6;                  // and for others

constexpr double kWhole = 90;  // 1001 spheres to rest

SpeedConfig ours(const std::string& config, double limit = 10, int threads = 1) {
    return {"stiction", config, limit, threads};
}

void add_grasp(std::vector<SpeedCase>& cases) {
    for (const int boxes : {2, 8, 16, 32}) {
        cases.push_back({.group = "grasp",
                         .name = fmt::format("grasp, {} boxes", boxes),
                         .scene = "grasp",
                         .with = {fmt::format("k={}", boxes)},
                         .configs = {{kBullet, "si50_2dir", 5},
                                     {kBullet, "si500_2dir", 5},
                                     {"ode", "quickstep20", 5},
                                     {"ode", "worldstep", 5},
                                     {"mujoco", "newton_ell_stiff_imp100", 5},
                                     {"dart", "dantzig_bullet", 5},
                                     ours("no_slip"),
                                     ours("coulomb_cone")},
                         .ours = "no_slip",
                         .settled = ""});
    }
}

void add_ramp(std::vector<SpeedCase>& cases) {
    const std::vector<SpeedConfig> others = {{kBullet, "si10", 5},
                                             {"ode", "worldstep", 5},
                                             {"mujoco", "newton_ell_stiff_imp100", 5},
                                             {"dart", "dantzig_bullet", 5},
                                             ours("coulomb_lcp"),
                                             ours("coulomb_cone")};
    cases.push_back({.group = "ramp",
                     .name = "ramp, must slide",
                     .scene = "ramp",
                     .with = {"mu=0.2"},
                     .configs = others,
                     .ours = "coulomb_lcp",
                     .settled = ""});
    cases.push_back(cases.back());
    cases.back().name = "ramp, must stick";
    cases.back().with = {"mu=0.5"};
    cases.back().configs.push_back(ours("no_slip"));
}

void add_robot(std::vector<SpeedCase>& cases) {
    cases.push_back({.group = "robot",
                     .name = "standing robot",
                     .scene = "robot",
                     .with = {},
                     .configs = {{kBullet, "si10", 5},
                                 {"mujoco", "pgs_ell", 5},
                                 {"mujoco", "newton_ell", 5},
                                 {"dart", "dantzig_bullet", 5},
                                 ours("coulomb_cone"),
                                 ours("no_slip")},
                     .ours = "coulomb_cone",
                     .settled = ""});
}

std::vector<std::string> granular(int spheres, const char* dt, double base) {
    return {fmt::format("n={}", spheres), fmt::format("dt={}", dt), fmt::format("base={:g}", base)};
}

void add_granular(std::vector<SpeedCase>& cases) {
    for (const int spheres : {250, 1001, 4004}) {
        SpeedCase pile{.group = "granular",
                       .name = fmt::format("{} spheres, h 1 ms", spheres),
                       .scene = "granular",
                       .with = granular(spheres, "0.001", 1),
                       .configs = {{kBullet, kTuned, kPile},
                                   ours("cone_1e-4", spheres > 1001 ? kPile : kWhole)},
                       .ours = "cone_1e-4",
                       .settled = "cone_1e-4",
                       .reference = kTuned};
        if (spheres <= 1001) {
            for (const char* config : {"cone_1e-4_100", "settled_1e-8"})
                pile.configs.push_back(ours(config, kPile));
            pile.settled = "settled_1e-8";
            pile.configs.push_back({"ode", "quickstep20", kOther});
            pile.configs.push_back({"dart", "dantzig_bullet", kOther});
        }
        pile.configs.push_back({"mujoco", "cg_ell_stiff", kOther});
        cases.push_back(pile);
    }
}

void add_models(std::vector<SpeedCase>& cases) {
    SpeedCase models{.group = "models",
                     .name = "1001 spheres, h 1 ms",
                     .scene = "granular",
                     .with = granular(1001, "0.001", 1),
                     .configs = {ours("cone_1e-4", kWhole)},
                     .ours = "cone_1e-4",
                     .settled = ""};
    constexpr double kModel = 25;  // [s]
    for (const std::string_view model : kContactModelNames) {
        if (model != "coulomb_cone")
            models.configs.push_back(ours(std::string(model) + "_1e-4", kModel));
    }
    cases.push_back(models);
}

void add_boxes(std::vector<SpeedCase>& cases) {
    SpeedCase pile{.group = "boxes",
                   .name = "1000 cubes dropped",
                   .scene = "boxes",
                   .with = {},
                   .configs = {{kBullet, kTuned, kPile},
                               {"ode", "quickstep20", kOther},
                               {"mujoco", "cg_ell_stiff", kOther},
                               {"dart", "dantzig_bullet", kOther},
                               ours("cone_1e-4", kPile),
                               ours("cone_1e-4_100", kPile)},
                   .ours = "cone_1e-4",
                   .settled = "cone_1e-4_100",
                   .reference = kTuned};
    cases.push_back(pile);
    pile.configs = {{kBullet, kTuned, kOther},
                    {"ode", "quickstep20", kOther},
                    {"mujoco", "cg_ell_stiff", kOther},
                    {"dart", "dantzig_bullet", 2},
                    ours("coulomb_cone", kPile)};
    pile.ours = "coulomb_cone";
    pile.settled = "";
    pile.group = pile.scene = "pyramid";
    pile.name = "pyramid of 385 cubes";
    cases.push_back(pile);
    pile.group = pile.scene = "wall";
    pile.name = "wall of 210 bricks, h 1 ms";
    pile.with = {"dt=0.001"};
    cases.push_back(pile);
    pile.name = "wall of 210 bricks, h 1/60 s";
    pile.with = {"dt=0.0166667"};
    pile.h = 1.0 / 60;
    // Its margins are too small for such steps.
    pile.configs.front() = {kBullet, "si10", kOther};
    pile.configs.push_back({kBullet, "si50", kOther});
    pile.reference = "si10";
    cases.push_back(pile);
}

struct GrowingPile {
    int spheres;
    double base;  // [m]
};

void add_growth(std::vector<SpeedCase>& cases) {
    for (const auto& [spheres, base] : {GrowingPile{250, 0.5}, GrowingPile{1001, 1},
                                        GrowingPile{4004, 2}, GrowingPile{16016, 4}}) {
        const bool many = spheres > 10000;
        cases.push_back({.group = "growth",
                         .name = fmt::format("{} spheres, floor in proportion", spheres),
                         .scene = "granular",
                         .with = granular(spheres, "0.002", base),
                         .configs = {{kBullet, kTuned, many ? 20 : kPile},
                                     ours("settled_1e-4", many ? 240 : kPile)},
                         .ours = "settled_1e-4",
                         .settled = "settled_1e-4",
                         .reference = kTuned,
                         .size = static_cast<double>(spheres),
                         .h = 0.002});
    }
}

void add_threads(std::vector<SpeedCase>& cases) {
    const auto add = [&](const char* name, const char* scene, std::vector<std::string> with,
                         const char* config, double h) {
        cases.push_back({.group = "threads",
                         .name = name,
                         .scene = scene,
                         .with = std::move(with),
                         .configs = {ours(config, kPile), ours(config, kPile, 2)},
                         .ours = config,
                         .settled = "",
                         .h = h});
    };
    add("pyramid of 385 cubes", "pyramid", {}, "coulomb_cone", 0.001);
    add("100 islands of three boxes", "islands", {}, "coulomb_cone", 0.001);
    add("4004 spheres", "granular", granular(4004, "0.002", 2), "settled_1e-4", 0.002);
    add("granular as shipped", "granular", granular(1001, "0.002", 1), "shipped", 0.002);
}

}  // namespace

std::vector<SpeedCase> speed_cases() {
    std::vector<SpeedCase> cases;
    add_grasp(cases);
    add_ramp(cases);
    add_robot(cases);
    add_granular(cases);
    add_models(cases);
    add_boxes(cases);
    add_growth(cases);
    add_threads(cases);
    return cases;
}

bool has_own_table(const SpeedCase& test) {
    return test.group == "models" || test.group == "growth" || test.group == "threads";
}

std::vector<std::string> speed_groups(const std::vector<SpeedCase>& cases) {
    std::vector<std::string> groups;
    for (const SpeedCase& one : cases) {
        if (std::find(groups.begin(), groups.end(), one.group) == groups.end())
            groups.push_back(one.group);
    }
    return groups;
}

}  // namespace stiction
