// recorder.cpp - one record per step feeds the table and the statistics.
#include "app/recorder.h"

#include <cstdio>
#include <filesystem>
#include <vector>

#include "core/error.h"

namespace stiction {

namespace {

TrajectoryHeader trajectory_header(const std::string& scene, const Simulation& sim) {
    TrajectoryHeader header{scene, std::string(name(sim.contact_model)), sim.settings.h, {}, {}};
    for (const Body& body : sim.model.bodies) header.bodies.push_back(body.name);
    for (const Joint& joint : sim.model.joints) header.joints.push_back(joint.name);
    return header;
}

}  // namespace

void check_outputs(const OutputPaths& paths) {
    std::vector<std::string> files;
    for (const std::string& path : {paths.csv, paths.json, paths.save_state}) {
        if (path.empty() || (&path != &paths.csv && path == "-")) continue;
        check_writable(path);
        files.push_back(path);
    }
    if (!paths.trajectory.empty()) {
        check_trajectory_writable(paths.trajectory);
        for (const std::string& path : trajectory_files(paths.trajectory)) files.push_back(path);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t k = i + 1; k < files.size(); ++k) {
            const auto absolute = [](const std::string& path) {
                return std::filesystem::absolute(path).lexically_normal();
            };
            if (absolute(files[i]) == absolute(files[k]) &&
                std::filesystem::absolute(files[i]) != "/dev/null") {
                throw InputError("two outputs have the same name '" + files[i] + "'");
            }
        }
    }
}

Recorder::Recorder(const OutputPaths& paths, const std::string& scene, const Simulation& sim)
    : paths_(paths), scene_(scene), statistics_(start_statistics(energy(sim.model, sim.state))) {
    if (!paths.csv.empty()) table_.emplace(paths.csv);
    if (!paths.trajectory.empty())
        trajectory_.emplace(paths.trajectory, trajectory_header(scene, sim));
    if (table_) table_->start();
    if (!trajectory_) return;
    sample_state(sim.model, sim.state, sample_);
    trajectory_->add(sample_);
    sampled_ = true;
}

void Recorder::observe(const Simulation& sim) {
    if (pending_ && table_) table_->add(record_);
    record_ = make_step_record(sim);
    sampled_ = false;
    if (!trajectory_ || (statistics_.steps + 1) % paths_.trajectory_every != 0) return;
    sample_step(sim, sample_);
    trajectory_->add(sample_);
    sampled_ = true;
}

void Recorder::step_ended(const Simulation& sim) {
    add_step_times(sim, record_);
    add_step(record_, statistics_);
    pending_ = true;
}

void Recorder::finish(Simulation& sim, const RunInfo& info) {
    if (pending_ && table_) table_->add(record_);
    if (table_) table_->finish();
    if (trajectory_) {
        if (!sampled_ && info.status != "failed") {  // the end of a motion belongs to it
            sample_step(sim, sample_);
            trajectory_->add(sample_);
        }
        trajectory_->finish();
    }
    if (!paths_.save_state.empty()) save_state(paths_.save_state, scene_, sim);
    sim.narrowphase.collide(sim.model, sim.state, sim.settings.h, sim.frame.contacts);
    add_final_contacts(sim.frame.contacts, statistics_);
    if (paths_.json.empty()) return;
    const std::string json = summary_json(info, statistics_, sim.model, sim.state);
    if (paths_.json != "-") {
        write_file(paths_.json, json);
    } else if (std::fputs(json.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
        throw OutputError("cannot write the summary to standard output");
    }
}

}  // namespace stiction
