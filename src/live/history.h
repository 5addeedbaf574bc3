// history.h - the state and the warm starts before each of the last steps, and what the step was
// asked to do: enough to take any of them again, bit for bit. A cursor parts the steps taken from
// those gone back. Bounded in steps and in bytes; the buffers of the oldest entry serve the newest.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "contact/island/guess.h"
#include "live/live_settings.h"
#include "live/snapshot.h"
#include "live/step_inputs.h"
#include "model/state.h"

namespace stiction {

// Whichever comes first: 20 s of steps of 1 ms of a small scene, fewer of a large one.
inline constexpr std::size_t kMaxHistorySteps = 20'000;
inline constexpr std::size_t kMaxHistoryBytes = std::size_t{256} << 20U;

// A simulation before a step.
struct Moment {
    State state;
    Guess guess;
};

struct HistoryEntry {
    Moment scene;
    Moment ghost;
    std::int64_t ghost_id = 0;  // whose moment it is; 0: there was none
    std::vector<Moment> peers;
    std::int64_t peers_id = 0;  // the same of them
    std::shared_ptr<const StepInputs> inputs;
    std::shared_ptr<const LiveSettings> settings;  // that the inputs were made from
    std::size_t bytes = 0;                         // that its buffers take
};

class History {
  public:
    explicit History(std::size_t most_steps = kMaxHistorySteps,
                     std::size_t most_bytes = kMaxHistoryBytes);

    void clear();
    void drop_ahead();

    // An entry for the step that is about to be taken, at the cursor, which moves past it; nothing
    // may be ahead. To be filled by the caller, who then calls `filled`.
    [[nodiscard]] HistoryEntry& push();
    void filled();
    void pop();      // the last pushed: the step was not taken
    void advance();  // past the step ahead, which was taken again
    void retreat();
    void move_to(std::size_t k);  // before the k-th step kept, the oldest being 0

    [[nodiscard]] std::size_t taken() const { return at_; }           // steps before the cursor
    [[nodiscard]] std::size_t ahead() const { return count_ - at_; }  // steps behind it
    // The k-th step before the cursor (1: the last one taken), and the one ahead of it.
    [[nodiscard]] HistoryEntry& before(std::size_t k) { return entry(at_ - k); }
    [[nodiscard]] HistoryEntry& next() { return entry(at_); }
    [[nodiscard]] HistoryEntry& kept(std::size_t k) { return entry(k); }  // the oldest is 0

    [[nodiscard]] HistorySpan span() const;

  private:
    [[nodiscard]] HistoryEntry& entry(std::size_t i) {
        return *slots_[(first_ + i) % slots_.size()];
    }
    void forget_oldest();

    std::size_t most_bytes_;
    std::vector<std::unique_ptr<HistoryEntry>> slots_;  // a ring
    std::vector<std::unique_ptr<HistoryEntry>> spare_;  // emptied entries with their buffers
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    std::size_t at_ = 0;     // steps before the cursor
    std::size_t bytes_ = 0;  // of all entries
};

}  // namespace stiction
