// held_world.h - a world as Python holds it: one call at a time, and the interpreter free meanwhile.
#pragma once

#include <optional>

#include "python/bindings.h"
#include "world/world.h"

namespace stiction {

// A world, and whether a call without the interpreter lock is at work on it.
struct HeldWorld {
    World world;
    bool busy = false;
};

inline World& idle(HeldWorld& held) {
    if (held.busy) throw std::runtime_error("the world is being stepped by another thread");
    return held.world;
}

// For as long as it lives the world is busy and the interpreter free.
class Away {
  public:
    explicit Away(HeldWorld& held) : held_(held) {
        idle(held);
        held_.busy = true;
        free_.emplace();
    }
    ~Away() {
        free_.reset();
        held_.busy = false;
    }
    Away(const Away&) = delete;
    Away& operator=(const Away&) = delete;

  private:
    HeldWorld& held_;
    std::optional<py::gil_scoped_release> free_;
};

}  // namespace stiction
