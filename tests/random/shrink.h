// shrink.h - the smallest sketch that still fails: bodies and joints are dropped in halves, then
// one by one, the run is cut short, settings and numbers are made plain, for as long as any of it
// helps.
#pragma once

#include <functional>

#include "random/scene_sketch.h"

namespace stiction {

// Whether a sketch still shows the failure that is looked for. One that does not load does not.
using Fails = std::function<bool(const SceneSketch&)>;

struct Shrunk {
    SceneSketch sketch;
    int attempts = 0;  // calls of the predicate
};

// `sketch` must fail. Deterministic; ends after at most `max_attempts`.
[[nodiscard]] Shrunk shrink(const SceneSketch& sketch, const Fails& fails, int max_attempts = 3000);

}  // namespace stiction
