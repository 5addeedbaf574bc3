// frames.h - accelerations of sweeps side by side on recorded frames of a falling pile.
#pragma once

#include <string>
#include <vector>

#include "pile_bench/piles.h"

namespace stiction {

struct FrameOptions {
    std::string methods;  // part of their names; empty: all
    std::vector<std::string> laws = {"cone"};
    double h = 0;                // 0: the scene's [s]
    int stride = 10;             // steps between frames
    int sweeps = 1000;           // at most, of a method on a frame
    std::string start = "warm";  // or cold, extrapolated
};

inline constexpr const char* kSweptLaws[] = {"cone", "polygon", "sticking", "frictionless"};

// A row of a Markdown table per law and method.
void compare_methods(const PileCase& pile, const FrameOptions& options);

}  // namespace stiction
