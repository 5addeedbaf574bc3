// pile_scenes.h - the piles that are read from YAML, for all engines: loose boxes on planes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene.h"

namespace stiction::peers {

struct PileScene {
    std::string name;  // of the benchmark
    std::string file;
    std::vector<std::pair<std::string, std::string>> parameters;
    double dt = 0;    // [s]
    double span = 0;  // simulated time [s]
};

[[nodiscard]] const std::vector<PileScene>& pile_scenes();

// Throws InputError, also for a scene that has more than boxes and planes.
[[nodiscard]] Pile load_pile(const PileScene& scene);

}  // namespace stiction::peers
