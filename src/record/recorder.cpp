// recorder.cpp - one record per step feeds the table and the statistics.
#include "record/recorder.h"

#include <new>
#include <vector>

#include "core/error.h"
#include "step/simulation.h"

namespace stiction {

namespace {

constexpr const char* kOutOfMemory = "out of memory while an output was written";

TrajectoryHeader trajectory_header(const std::string& scene, const Simulation& sim) {
    TrajectoryHeader header{scene, std::string(name(sim.contact_model)),       sim.settings.h, {},
                            {},    std::string(name(sim.settings.narrowphase))};
    for (const Body& body : sim.model.bodies) header.bodies.push_back(body.name);
    for (const Joint& joint : sim.model.joints) header.joints.push_back(joint.name);
    return header;
}

}  // namespace

std::vector<std::string> output_files(const OutputPaths& paths) {
    std::vector<std::string> files;
    for (const std::string& path : {paths.csv, paths.json, paths.save_state}) {
        if (!path.empty() && path != "-") files.push_back(path);
    }
    if (paths.trajectory.empty()) return files;
    for (const std::string& path : trajectory_files(paths.trajectory)) files.push_back(path);
    return files;
}

void check_outputs(const OutputPaths& paths) {
    for (const std::string& path : {paths.csv, paths.trajectory, paths.save_state}) {
        if (path == "-") throw InputError("only --json can go to standard output (-)");
    }
    for (const std::string& path : {paths.csv, paths.json, paths.save_state}) {
        if (!path.empty() && path != "-") check_writable(path);
    }
    if (!paths.trajectory.empty()) check_trajectory_writable(paths.trajectory);
    check_distinct(output_files(paths));
}

// Remembers which output it was, for finish() to leave it alone. Nothing is tried twice.
template <class Write>
void Recorder::attempt(std::string& failed, const Write& write) {
    if (!failed.empty()) return;
    try {
        write();
    } catch (const OutputError& error) {
        failed = error.what();
    } catch (const std::bad_alloc&) {
        failed = kOutOfMemory;
    }
}

Recorder::Recorder(const OutputPaths& paths, const std::string& scene, const Simulation& sim)
    : paths_(paths),
      scene_(scene),
      statistics_(start_statistics(energy(sim.model, sim.state))),
      end_(sim.state),
      contact_model_(name(sim.contact_model)),
      narrowphase_(name(sim.settings.narrowphase)),
      guess_(sim.guess),
      account_(sim.keep_account) {
    if (!paths.csv.empty()) table_.emplace(paths.csv);
    if (!paths.trajectory.empty()) {
        attempt(trajectory_failed_,
                [&] { trajectory_.emplace(paths.trajectory, trajectory_header(scene, sim)); });
    }
    if (paths.quality) quality_.emplace();
    start(sim);
}

void Recorder::start(const Simulation& sim) {
    if (table_) attempt(table_failed_, [&] { table_->start(paths_.quality, sim.keep_account); });
    if (!trajectory_) return;
    sample_state(sim.model, sim.state, sample_);
    sampled_ = true;
    attempt(trajectory_failed_, [&] { trajectory_->add(sample_); });
}

std::string Recorder::failure() const { return join_problems(table_failed_, trajectory_failed_); }

void Recorder::observe(const Simulation& sim) {
    if (pending_ && table_) attempt(table_failed_, [&] { table_->add(record_); });
    pending_ = false;
    record_ = make_step_record(sim);
    if (account_ != record_.account.has_value()) {  // switched on or off since the first row
        record_.account.reset();
        if (account_) record_.account.emplace();
    }
    if (quality_) {
        record_.quality = measure_step(sim.frame.problem, sim.frame.solution, *quality_);
    }
    if (!trajectory_) return;
    sampled_ = true;  // were there no memory for the sample, it would not be taken for the last
    sample_step(sim, sample_);
    sampled_ = (statistics_.steps + 1) % paths_.trajectory_every == 0;
    if (sampled_) attempt(trajectory_failed_, [&] { trajectory_->add(sample_); });
}

void Recorder::step_ended(const Simulation& sim) {
    add_step_times(sim, record_);
    add_step(record_, statistics_);
    pending_ = true;
    end_ = sim.state;
    if (paths_.save_state.empty()) return;
    contact_model_ = name(sim.contact_model);
    narrowphase_ = name(sim.settings.narrowphase);
    guess_ = sim.guess;
}

void Recorder::add_end(const ContactSet& contacts) { add_final_contacts(contacts, statistics_); }

std::optional<QualityThresholds> Recorder::thresholds() const {
    if (!quality_) return {};
    return quality_->thresholds;
}

void Recorder::finish(const Model& model, RunInfo info) {
    if (table_) {
        attempt(table_failed_, [&] {
            if (pending_) table_->add(record_);
            table_->finish();
        });
    }
    if (trajectory_) {
        attempt(trajectory_failed_, [&] {  // the end of a motion belongs to it
            if (!sampled_) trajectory_->add(sample_);
            trajectory_->finish();
        });
    }
    std::string state_failed, summary_failed;
    if (!paths_.save_state.empty()) {
        attempt(state_failed, [&] {
            save_state(paths_.save_state, scene_, model, end_, {contact_model_, narrowphase_},
                       guess_);
        });
    }
    const std::string problems = join_problems(failure(), state_failed);
    if (!problems.empty()) {
        info.status = "failed";
        info.message = join_problems(info.message, problems);
    }
    if (!paths_.json.empty()) attempt(summary_failed, [&] { write_summary(model, info); });
    const std::string all = join_problems(problems, summary_failed);
    if (!all.empty()) throw OutputError(all);
}

void Recorder::write_summary(const Model& model, const RunInfo& info) const {
    const std::string json = summary_json(info, statistics_, model, end_);
    if (paths_.json == "-") {
        write_standard_output(json);
    } else {
        write_file(paths_.json, json);
    }
}

}  // namespace stiction
