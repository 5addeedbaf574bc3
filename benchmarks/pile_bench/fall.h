// fall.h - whole falls under the contact models: which share of the steps is solved, and what a step
// costs.
#pragma once

#include <string>
#include <vector>

#include "pile_bench/piles.h"

namespace stiction {

struct FallOptions {
    std::vector<std::string> models;
    double tolerance = 1e-4;
    double h = 0;        // 0: the scene's [s]
    double seconds = 0;  // 0: the pile's [s]
};

// A row of a Markdown table per model.
void print_falls(const PileCase& pile, const FallOptions& options);

}  // namespace stiction
