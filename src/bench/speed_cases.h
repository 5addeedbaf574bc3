// speed_cases.h - what `stiction bench speed` measures: scenes of benchmarks/peers, and in each the
// engines and settings that are compared.
#pragma once

#include <string>
#include <vector>

namespace stiction {

struct SpeedConfig {
    std::string engine;  // "stiction", "bullet-f32", ...
    std::string config;  // as the engine's program names it
    double limit = 30;   // CPU time [s]
    int threads = 1;
};

struct SpeedCase {
    std::string group;  // what --case chooses
    std::string name;   // of its rows
    std::string scene;  // of the programs, with the parameters that choose among its variants
    std::vector<std::string> with;
    std::vector<SpeedConfig> configs;
    std::string ours;     // config of Stiction that is compared with the other engines
    std::string settled;  // the same of the settled part of a pile; empty: it is not compared
    std::string reference = "";  // config of Bullet; empty: the fastest engine that is right
    double size = 0;             // bodies, where the group is of sizes
    double h = 0.001;            // step [s]
};

inline constexpr const char* kReferenceEngine = "bullet-f32";

[[nodiscard]] std::vector<SpeedCase> speed_cases();

// Of models, growth and threads: they are compared in other ways than with the other engines.
[[nodiscard]] bool has_own_table(const SpeedCase& test);

// In the order in which they are measured.
[[nodiscard]] std::vector<std::string> speed_groups(const std::vector<SpeedCase>& cases);

}  // namespace stiction
