// player.h - something that moves step by step and can be looked at between steps: a scene that is
// simulated (live_scene.h) or a recorded run (replay.h).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "live/snapshot.h"
#include "live/step_sample.h"
#include "scene/quantity.h"

namespace stiction {

class Player {
  public:
    virtual ~Player() = default;

    [[nodiscard]] virtual double time() const = 0;  // [s]
    [[nodiscard]] virtual double h() const = 0;     // time of the next step [s]

    virtual bool
    forward() = 0;             // one step; false when it cannot go on (failed, end of a recording)
    virtual bool back() = 0;   // one step; false at the beginning of what is kept
    virtual void reset() = 0;  // to the start
    // To the state after this step, or the nearest one that is kept.
    virtual void seek(std::int64_t /*step*/) {}
    // Numbers that every sample is to have from here on. What is known of them in steps that are kept
    // comes as samples too.
    virtual void watch(std::vector<Quantity> /*quantities*/, std::int64_t /*serial*/) {}

    // Completes what is being recorded, from another thread while a step is under way; the player
    // takes no further step.
    virtual void abandon() {}

    // Sets everything but scene_serial and epoch; what the snapshot held before is gone.
    virtual void fill(Snapshot& snapshot) = 0;
    // Records of the steps taken since the last call, oldest first.
    virtual void take_records(std::vector<StepRecord>& records) = 0;
    virtual void take_samples(std::vector<StepSample>& /*samples*/) {}
};

}  // namespace stiction
