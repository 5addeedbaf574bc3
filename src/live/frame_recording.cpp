// frame_recording.cpp - keeps a FrameRecorder's failures away from the run.
#include "live/frame_recording.h"

#include <exception>
#include <filesystem>

#include "core/error.h"
#include "record/output_file.h"

namespace stiction {

template <class Write>
void FrameRecording::guarded(const Write& write) {
    if (!recorder_) return;
    try {
        write();
        if (recorder_) error_ = recorder_->failure();
    } catch (const std::exception& error) {
        error_ = error.what();
    }
    if (!error_.empty()) recorder_.reset();
}

void FrameRecording::start(const std::string& path, int every, const DatasetManifest& manifest,
                           const Simulation& sim) {
    finish();
    const std::lock_guard lock(mutex_);
    error_.clear();
    FrameOutput output;
    output.path = path;
    output.every = every;
    recorder_.emplace(output, manifest, sim);
    path_ = path;
}

void FrameRecording::before_step(const Simulation& sim) {
    keep_before_step(sim, before_);
    const std::lock_guard lock(mutex_);
    if (recorder_) recorder_->before_step(sim);
}

void FrameRecording::observe(const Simulation& sim) {
    const std::lock_guard lock(mutex_);
    guarded([&] { recorder_->observe(sim); });
}

void FrameRecording::finish() {
    const std::lock_guard lock(mutex_);
    guarded([&] {
        recorder_->finish();
        recorder_.reset();
    });
}

void FrameRecording::cut(const std::string& why) {
    if (!recorder_) return;
    finish();
    if (error_.empty()) error_ = why;
}

void FrameRecording::abandon() {
    mutex_.lock();
    if (recorder_) recorder_->finish();
}

void FrameRecording::save(const std::string& path, const DatasetManifest& manifest,
                          const Simulation& sim) const {
    if (!has_frames(sim))
        throw InputError("a step at the acceleration level solves five problems and has no frame");
    write_dataset(path, manifest, record_frame(sim, before_));
}

std::string FrameRecording::state() const {
    if (!recorder_) return {};
    return std::to_string(recorder_->frames()) + " frames in " +
           std::filesystem::path(path_).filename().string();
}

}  // namespace stiction
