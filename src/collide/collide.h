// collide.h - Model, State -> ContactSet. Bullet (double precision) is the broadphase and the
// general narrowphase; pairs of primitives have exact closed forms of our own behind the same call
// (docs/collision.md says which).
#pragma once

#include <memory>

#include "model/model.h"
#include "model/state.h"
#include "problem/contact_set.h"

namespace stiction {

struct CollisionSettings {
    double lookahead = 0;  // [m] added to what can close in a step; 0: chosen from the scene's size
};

// Owns Bullet's broadphase and shapes for one Model; keeps its buffers between calls.
class Narrowphase {
  public:
    explicit Narrowphase(const Model& model, const CollisionSettings& settings = {});
    ~Narrowphase();
    Narrowphase(Narrowphase&&) noexcept;
    Narrowphase& operator=(Narrowphase&&) noexcept;

    // All contacts at state's poses whose gap can close within h at the present velocities (plus
    // one step of gravity), touching and overlapping ones included. Clears and refills `set`.
    void collide(const Model& model, const State& state, double h, ContactSet& set);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
