// replay.h - a recorded trajectory as a player. Its scene gives the shapes.
#pragma once

#include <memory>

#include "live/player.h"
#include "record/trajectory.h"
#include "scene/scene.h"

namespace stiction {

class Replay : public Player {
  public:
    // Throws InputError when the trajectory's bodies or joints are not those of the scene.
    Replay(const Scene& scene, Trajectory trajectory);
    ~Replay() override;

    [[nodiscard]] double time() const override;
    [[nodiscard]] double h() const override;
    bool forward() override;
    bool back() override;
    void reset() override;
    void fill(Snapshot& snapshot) override;
    void take_records(std::vector<StepRecord>& records) override;

    void take_samples(std::vector<StepSample>& samples) override;
    void seek(std::int64_t step) override;  // to the last sample at or before it
    void watch(std::vector<Quantity> quantities, std::int64_t serial) override;

    void seek_time(double time);  // the same by time

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
