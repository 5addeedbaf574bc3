// collide.h - Model, State -> ContactSet. Bullet (double precision) is the tree of the broadphase;
// the contacts of a pair come from exact closed forms of our own, or from Bullet's algorithms,
// whichever a call asks for (docs/collision.md compares them).
#pragma once

#include <memory>

#include "model/model.h"
#include "model/state.h"
#include "problem/contact_set.h"
#include "problem/step_settings.h"

namespace stiction {

class ThreadPool;

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
    // one step of gravity), touching and overlapping ones included. Clears and refills `set`. What
    // Bullet needs is made when it is first asked for; calls of either kind leave no trace. Exact
    // contacts are found on the threads of the pool, the same for any number of them; Debian's
    // Bullet is not made for threads.
    void collide(const Model& model, const State& state, double h, ContactSet& set,
                 NarrowphaseKind kind = NarrowphaseKind::kExact, ThreadPool* pool = nullptr);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
