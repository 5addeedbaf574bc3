// ghost_plots.h - distance and step times of a scene and its ghost over time.
#pragma once

#include <vector>

#include "live/snapshot.h"

namespace stiction {

class GhostPlots {
  public:
    void add(const Snapshot& snapshot);
    void clear();
    void draw() const;  // in the present panel

  private:
    std::vector<double> t_, apart_, mine_, ghost_;
};

}  // namespace stiction
