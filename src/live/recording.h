// recording.h - a recording that is started and stopped while a scene runs. What goes wrong in
// writing becomes a text and ends the recording, never the run. Another thread can complete it
// while a step is under way.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "record/recorder.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

class Recording {
  public:
    // Throws InputError when an output cannot be written.
    void start(const OutputPaths& paths, const Scene& scene, const Simulation& sim);
    void observe(const Simulation& sim);     // as Recorder
    void step_ended(const Simulation& sim);  // as Recorder
    // Files get their names. A message says why the run did not end as asked.
    void finish(Simulation& sim, const std::string& failure = "");
    // The same because the run does something that a recording cannot follow; error() says so.
    void cut(Simulation& sim, const std::string& why);

    // From another thread, with the steps that ended. All other calls then wait for ever: the
    // program is to end. Throws OutputError.
    void abandon(const Model& model);

    [[nodiscard]] bool on() const { return recorder_.has_value(); }
    [[nodiscard]] const StepRecord& last() const { return recorder_->last(); }
    [[nodiscard]] const std::string& files() const { return files_; }  // empty when none is on
    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    void end_if_failed(const Simulation& sim);
    [[nodiscard]] std::unique_lock<std::mutex> hold();
    template <class Write>
    void guarded(const Write& write);

    std::mutex mutex_;
    std::unique_lock<std::mutex> in_step_;  // held from observe to step_ended
    std::optional<Recorder> recorder_;
    RunInfo info_;
    bool h_varied_ = false;  // the step size was changed on the way
    std::string files_;
    std::string error_;  // of the last recording
};

}  // namespace stiction
