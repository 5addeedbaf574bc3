// frame_recording.h - frames of a scene that runs: a dataset that is started and stopped, and single
// steps. What goes wrong in writing becomes a text and ends the dataset, never the run. Another thread
// can complete it while a step is under way.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "problem_files/frame_recorder.h"

namespace stiction {

class FrameRecording {
  public:
    // Every so many steps from here on. Throws InputError where it cannot be written.
    void start(const std::string& path, int every, const DatasetManifest& manifest,
               const Simulation& sim);
    void before_step(const Simulation& sim);
    void observe(const Simulation& sim);  // as the observer of a step
    void finish();
    // The same because the run does something that a dataset cannot follow; error() says so.
    void cut(const std::string& why);

    // From another thread, with the frames that are there. All other calls then wait for ever: the
    // program is to end. Throws OutputError.
    void abandon();

    // The step that was taken last, as a file of its own. Throws InputError, OutputError.
    void save(const std::string& path, const DatasetManifest& manifest,
              const Simulation& sim) const;

    [[nodiscard]] bool on() const { return recorder_.has_value(); }
    [[nodiscard]] std::string state() const;  // "12 frames in NAME"; empty when none is on
    [[nodiscard]] const std::string& error() const { return error_; }  // of the last dataset

  private:
    template <class Write>
    void guarded(const Write& write);

    std::mutex mutex_;
    BeforeStep before_;  // of the last step, whether a dataset is on or not
    std::optional<FrameRecorder> recorder_;
    std::string path_;
    std::string error_;
};

}  // namespace stiction
