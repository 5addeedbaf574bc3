// dataset_player.h - a dataset of frames as a player: one frame after the other with the answer that
// it holds, and with those of other solvers when they are asked for.
#pragma once

#include <memory>

#include "live/frame_scene.h"
#include "live/player.h"

namespace stiction {

class DatasetPlayer : public Player {
  public:
    // Throws InputError, as show() does.
    DatasetPlayer(std::shared_ptr<const Dataset> dataset, std::size_t frame);
    ~DatasetPlayer() override;

    [[nodiscard]] const FrameScene& scene() const;
    [[nodiscard]] const ContactModel& model() const;  // that made the frame

    // Ten frames a second. Frames with other bodies, and other simulations, end it.
    [[nodiscard]] double time() const override;
    [[nodiscard]] double h() const override;
    bool forward() override;
    bool back() override;
    void reset() override;  // to the first frame of the simulation
    void fill(Snapshot& snapshot) override;
    void take_records(std::vector<StepRecord>& records) override;

    void show(std::size_t frame);  // of the same bodies
    // Solves the frame as `stiction solve` does: the solver alone, from zero or, `warm`, from what
    // the frame holds. Its answer is shown.
    void solve(const ContactModel& model, bool warm);
    void show_answer(std::size_t answer);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
