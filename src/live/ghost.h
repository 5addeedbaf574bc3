// ghost.h - the same scene under another contact model or narrowphase, started from the scene's
// state and stepped along with the same settings, controls and drag. Its failure stops it, never
// the scene.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "live/history.h"
#include "live/scene_controls.h"
#include "live/snapshot.h"
#include "live/step_inputs.h"
#include "step/simulation.h"

namespace stiction {

class Ghost {
  public:
    // Its contacts are found as the scene's unless a narrowphase is named; it takes every step of the
    // scene in so many parts.
    Ghost(std::int64_t id, const ContactModel& contact, const Simulation& sim,
          std::optional<NarrowphaseKind> narrowphase = {}, int parts = 1);

    void restart(const Simulation& sim);  // from its state, without warm starts
    void set_threads(int threads) { apply_threads(threads, sim_); }

    void apply(const StepInputs& inputs, const Scene& scene, const SceneControls& controls);
    void step(const StepInputs& inputs, const Scene& scene);

    void store(HistoryEntry& entry) const;
    // False when the entry has no moment of this ghost; then nothing changes.
    bool restore(const HistoryEntry& entry);
    void store(Moment& moment) const;  // an empty state where it has failed
    void restore(const Moment& moment);
    [[nodiscard]] const Simulation& simulation() const { return sim_; }
    [[nodiscard]] bool failed() const { return !failure_.empty(); }
    void clear_record() {
        record_ = {};
        difference_.reset();
    }

    // Distances are from `scene`, which has the same bodies.
    void fill(const Simulation& scene, GhostView& view) const;

  private:
    void compare_contacts(NarrowphaseKind of_scene);

    std::int64_t id_ = 0;
    std::optional<NarrowphaseKind> narrowphase_;
    int parts_ = 1;
    std::optional<Narrowphase> reference_;  // one of its own: the ghost's keeps what it has placed
    ContactSet reference_contacts_;
    std::optional<ContactDifference> difference_;
    Simulation sim_;
    StepRecord record_;
    std::string failure_;
};

}  // namespace stiction
