// recording.cpp - keeps a Recorder's failures away from the run.
#include "live/recording.h"

#include <exception>
#include <filesystem>

#include "core/error.h"
#include "step/simulation.h"

namespace stiction {

namespace {

std::string list_files(const OutputPaths& paths) {
    std::string text;
    for (const std::string& path : {paths.csv, paths.trajectory, paths.json, paths.save_state}) {
        if (path.empty()) continue;
        text += (text.empty() ? "" : ", ") +
                (path == "-" ? "standard output" : std::filesystem::path(path).filename().string());
    }
    return text;
}

}  // namespace

std::unique_lock<std::mutex> Recording::hold() {
    if (in_step_.owns_lock()) return std::move(in_step_);
    return std::unique_lock(mutex_);
}

template <class Write>
void Recording::guarded(const Write& write) {
    if (!recorder_) return;
    try {
        write();
    } catch (const std::exception& error) {
        error_ = error.what();
        recorder_.reset();
        files_.clear();
    }
}

void Recording::start(const OutputPaths& paths, const Scene& scene, const Simulation& sim) {
    if (paths.trajectory_every < 1)
        throw InputError("a trajectory is sampled every 1 or more steps");
    if (list_files(paths).empty()) throw InputError("nothing to record: no file was named");
    check_outputs(paths);
    const auto held = hold();
    error_.clear();
    try {
        recorder_.emplace(paths, scene.name, sim);
    } catch (const OutputError& error) {
        error_ = error.what();
        return;
    }
    info_ = describe_run(scene.name, scene.parameters, scene.seed, sim);
    info_.quality = recorder_->thresholds();
    files_ = list_files(paths);
    h_varied_ = false;
    guarded([&] { end_if_failed(sim); });
}

// The outputs that can be written are completed.
void Recording::end_if_failed(const Simulation& sim) {
    info_.message = recorder_->failure();
    if (info_.message.empty()) return;
    info_.status = "failed";
    recorder_->finish(sim.model, info_);  // throws what failed
}

// The model and the settings that the summary names are those of the first step.
void Recording::observe(const Simulation& sim) {
    in_step_ = hold();
    guarded([&] {
        if (recorder_->statistics().steps == 0) {
            const RunInfo now = describe_run(info_.scene, info_.parameters, info_.seed, sim);
            info_.model = now.model;
            info_.solver_requested = now.solver_requested;
            info_.narrowphase = now.narrowphase;
            info_.threads = now.threads;
            info_.time_budget = now.time_budget;
            info_.h = now.h;
        }
        h_varied_ = h_varied_ || sim.settings.h != info_.h;
        recorder_->observe(sim);
    });
}

void Recording::step_ended(const Simulation& sim) {
    const auto held = hold();
    guarded([&] {
        recorder_->step_ended(sim);
        end_if_failed(sim);
    });
}

void Recording::finish(Simulation& sim, const std::string& failure) {
    const auto held = hold();
    guarded([&] {
        if (!failure.empty()) {
            info_.status = "failed";
            info_.message = failure;
        }
        const auto steps = static_cast<double>(recorder_->statistics().steps);
        if (h_varied_ && steps > 0) info_.h = (sim.state.time - info_.start_time) / steps;
        ContactSet contacts;  // the frame keeps those of the last step
        sim.narrowphase.collide(sim.model, sim.state, sim.settings.h, contacts,
                                sim.settings.narrowphase);
        recorder_->add_end(contacts);
        recorder_->finish(sim.model, info_);
        recorder_.reset();
        files_.clear();
    });
}

void Recording::abandon(const Model& model) {
    mutex_.lock();
    if (!recorder_) return;
    info_.status = "interrupted";
    info_.message = "the program was ended inside a step";
    recorder_->finish(model, info_);
}

void Recording::cut(Simulation& sim, const std::string& why) {
    if (!recorder_) return;
    finish(sim);
    if (error_.empty()) error_ = why;
}

}  // namespace stiction
