// recorder.cpp - one record per step feeds the table and the statistics.
#include "record/recorder.h"

#include <cstdio>
#include <vector>

#include "core/error.h"
#include "step/simulation.h"

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
    for (const std::string& path : {paths.csv, paths.trajectory, paths.save_state}) {
        if (path == "-") throw InputError("only --json can go to standard output (-)");
    }
    std::vector<std::string> files;
    for (const std::string& path : {paths.csv, paths.json, paths.save_state}) {
        if (path.empty() || path == "-") continue;
        check_writable(path);
        files.push_back(path);
    }
    if (!paths.trajectory.empty()) {
        check_trajectory_writable(paths.trajectory);
        for (const std::string& path : trajectory_files(paths.trajectory)) files.push_back(path);
    }
    check_distinct(files);
}

Recorder::Recorder(const OutputPaths& paths, const std::string& scene, const Simulation& sim)
    : paths_(paths),
      scene_(scene),
      statistics_(start_statistics(energy(sim.model, sim.state))),
      account_(sim.keep_account) {
    if (!paths.csv.empty()) table_.emplace(paths.csv);
    if (!paths.trajectory.empty())
        trajectory_.emplace(paths.trajectory, trajectory_header(scene, sim));
    if (paths.quality) quality_.emplace();
    if (table_) table_->start(paths.quality, sim.keep_account);
    if (!trajectory_) return;
    sample_state(sim.model, sim.state, sample_);
    trajectory_->add(sample_);
    sampled_ = true;
}

void Recorder::observe(const Simulation& sim) {
    if (pending_ && table_) table_->add(record_);
    record_ = make_step_record(sim);
    if (account_ != record_.account.has_value()) {  // switched on or off since the first row
        record_.account.reset();
        if (account_) record_.account.emplace();
    }
    if (quality_) {
        record_.quality = measure_step(sim.frame.problem, sim.frame.solution, *quality_);
    }
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

std::optional<QualityThresholds> Recorder::thresholds() const {
    if (!quality_) return {};
    return quality_->thresholds;
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
    ContactSet contacts;  // the frame keeps those of the last step
    sim.narrowphase.collide(sim.model, sim.state, sim.settings.h, contacts);
    add_final_contacts(contacts, statistics_);
    if (paths_.json.empty()) return;
    const std::string json = summary_json(info, statistics_, sim.model, sim.state);
    if (paths_.json != "-") {
        write_file(paths_.json, json);
    } else if (std::fputs(json.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
        throw OutputError("cannot write the summary to standard output");
    }
}

}  // namespace stiction
