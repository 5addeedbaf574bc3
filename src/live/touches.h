// touches.h - which pairs of bodies press on each other, and how many begin and cease to from one
// step to the next.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace stiction {

struct Simulation;
struct TrajectorySample;

class Touches {
  public:
    struct Change {
        int made = 0, lost = 0;
    };
    // Against the step that was looked at before this one.
    Change look(const Simulation& sim);
    Change look(const TrajectorySample& sample);
    void clear();  // the next look finds no change

  private:
    Change compare();

    using Pair = std::pair<int, int>;
    std::vector<Pair> before_, now_;
    bool known_ = false;
};

}  // namespace stiction
