// peers.h - the same scene under other models, solvers, narrowphases or step sizes, started from the
// scene's state and stepped along by one clock: what the window shows side by side. Also where any
// two of them part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/ghost.h"
#include "live/snapshot.h"

namespace stiction {

inline constexpr std::size_t kMostPeers = 5;  // beside the scene itself
inline constexpr int kMostParts = 64;         // of a step of the scene that a peer may take it in

class Peers {
  public:
    void start(const std::vector<PeerSettings>& wanted, const Simulation& sim);
    void restart(const Simulation& sim);
    [[nodiscard]] bool empty() const { return all_.empty(); }
    void set_threads(int threads);

    void apply(const StepInputs& inputs, const Scene& scene, const SceneControls& controls);
    void step(const StepInputs& inputs, const Scene& scene);
    // Compares them after the step that all of them have just taken. Those that parted before stay so.
    void compare(const Simulation& sim);
    void forget_partings_after(std::int64_t step);  // the run has another future from there on

    void store(HistoryEntry& entry) const;
    bool restore(const HistoryEntry& entry);  // false: it has no moment of these
    void clear_records();
    void fill(const Simulation& sim, Snapshot& snapshot) const;

  private:
    std::vector<PeerSettings> settings_;
    std::vector<Ghost> all_;
    std::vector<Parting> partings_;
    std::int64_t started_ = 0;  // serial of the last start
};

}  // namespace stiction
