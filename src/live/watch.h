// watch.h - the numbers that graphs show, taken from every step.
#pragma once

#include <cstdint>
#include <vector>

#include "live/snapshot.h"
#include "live/step_sample.h"
#include "scene/quantity.h"

namespace stiction {

struct Simulation;

// What a snapshot says of it; NaN where it says nothing: no such contact, not measured.
[[nodiscard]] double value_of(const Quantity& quantity, const Model& model,
                              const Snapshot& snapshot);
// What a state alone says of it; NaN for forces and what else a step has.
[[nodiscard]] double value_of(const Quantity& quantity, const Model& model, const State& state);

class Watch {
  public:
    void set(std::vector<Quantity> quantities, std::int64_t serial);
    [[nodiscard]] bool empty() const { return quantities_.empty(); }
    [[nodiscard]] std::int64_t serial() const { return serial_; }

    // Of the step that `sim` has just taken.
    void sample(const Simulation& sim, const StepRecord& record, StepSample& sample);
    void sample(const Model& model, const Snapshot& snapshot, StepSample& sample) const;
    void sample(const Model& model, const State& state, StepSample& sample) const;

  private:
    [[nodiscard]] bool any(QuantityOf of) const;

    std::vector<Quantity> quantities_;
    std::int64_t serial_ = 0;
    Snapshot view_;  // of the step, as far as the quantities need it
};

}  // namespace stiction
