// runner.h - lets a player run on a thread of its own at a chosen speed, so that a slow step never
// holds up the window. Commands act between steps, in the order given; the last snapshot is always
// there to be shown.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/player.h"
#include "live/snapshot.h"

namespace stiction {

// What playing does when it comes to the scene's duration, and to every multiple of it.
enum class AtEnd { kStop, kLoop, kGoOn };

struct Pace {
    bool playing = false;
    bool at_end = false;            // it stopped there
    double speed = 1;               // simulated over wall-clock time; 0: as fast as it goes
    double achieved = 0;            // over the last second
    bool stepping = false;          // a step is being computed now
    double step_running = 0;        // for how long [s]
    std::size_t waiting = 0;        // commands not yet carried out
    std::string error;              // of the last command that failed; empty when it was fine
    std::int64_t error_serial = 0;  // grows with every such error
    std::string last_error;         // its text, which stays when later commands are fine
};

class Runner {
  public:
    explicit Runner(std::unique_ptr<Player> player);
    ~Runner();  // ends after the step at hand
    // Whether it ended within this time. If it did not, abandon() completes what the player
    // records; the thread takes no further step and holds whoever calls it, so that the program is
    // to end without destroying anything.
    [[nodiscard]] bool end(std::chrono::milliseconds patience);
    void abandon();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    void replace(std::unique_ptr<Player> player);  // paused or playing as before; serial grows

    // play and pause drop the steps of earlier orders that were not taken yet.
    void play();
    void pause();
    void forward(int steps);  // pauses
    void back(int steps);     // pauses
    void reset();
    void set_speed(double speed);
    // Playing from one step to the next over a multiple of `duration` stops there, begins again or
    // goes on. Not while a horizon is set, nor where duration is 0.
    void set_end(double duration, AtEnd what);
    // Playing waits when a step has reached this simulated time, until a later one is set: lock
    // step with a video. While it is set, steps are taken without waiting for the clock. Best
    // half-way between two steps, where the rounding of times does not matter. When the run is set
    // back, playing waits there for a new horizon; one that was chosen in an earlier epoch, before
    // that was seen, does not count.
    void set_horizon(std::optional<double> time, std::optional<std::int64_t> epoch = {});

    // Carried out between steps on the runner's thread. What it throws becomes Pace::error.
    void post(std::function<void(Player&)> command);

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    [[nodiscard]] Pace pace() const;
    // Adds the records of all steps since the last call, oldest first (at most the last 100 000),
    // and returns the snapshot they led to: they are of its scene, and of no other.
    // Their samples come along where they are asked for.
    std::shared_ptr<const Snapshot> take_records(std::vector<StepRecord>& records,
                                                 std::vector<StepSample>* samples = nullptr);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
