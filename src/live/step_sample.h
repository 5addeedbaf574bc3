// step_sample.h - what the window keeps of every step besides its record: touches made and lost, and
// the numbers that its graphs show.
#pragma once

#include <cstdint>
#include <vector>

namespace stiction {

struct StepSample {
    std::int64_t step = 0;
    double t = 0;                // [s]
    int made = 0, lost = 0;      // pairs of bodies that began and ceased to press on each other
    bool again = false;          // of a step that was taken before: its values alone count
    std::int64_t watch = 0;      // serial of the list that the values belong to
    std::vector<double> values;  // of the watched quantities; NaN: not known
};

}  // namespace stiction
