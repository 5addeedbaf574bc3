// ghost.h - the same scene under another contact model, started from the scene's state and stepped
// along with the same settings, controls and drag. Its failure stops it, never the scene.
#pragma once

#include <cstdint>
#include <string>

#include "live/history.h"
#include "live/scene_controls.h"
#include "live/snapshot.h"
#include "live/step_inputs.h"
#include "step/simulation.h"

namespace stiction {

class Ghost {
  public:
    Ghost(std::int64_t id, const ContactModel& contact, const Simulation& sim);

    void restart(const Simulation& sim);  // from its state, without warm starts
    void set_threads(int threads) { apply_threads(threads, sim_); }

    void apply(const StepInputs& inputs, const Scene& scene, const SceneControls& controls);
    void step(const StepInputs& inputs, const Scene& scene);

    void store(HistoryEntry& entry) const;
    // False when the entry has no moment of this ghost; then nothing changes.
    bool restore(const HistoryEntry& entry);
    [[nodiscard]] bool failed() const { return !failure_.empty(); }
    void clear_record() { record_ = {}; }

    // Distances are from `scene`, which has the same bodies.
    void fill(const Simulation& scene, GhostView& view) const;

  private:
    std::int64_t id_ = 0;
    Simulation sim_;
    StepRecord record_;
    std::string failure_;
};

}  // namespace stiction
