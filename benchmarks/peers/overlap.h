// overlap.h - how deep the bodies of a pile are in one another and in the planes, from their
// positions alone.
#pragma once

#include "bench.h"

namespace stiction::peers {

// Depths are in percent of the smaller body's size (Pile::Body::size).
struct Overlaps {
    double sum = 0, max = 0;
    int touching = 0;

    void add(double percent);
    void add(const Overlaps& other);
    [[nodiscard]] double mean() const { return touching > 0 ? sum / touching : 0; }
};

[[nodiscard]] Overlaps overlaps(const Sim& sim, const Pile& pile);

}  // namespace stiction::peers
