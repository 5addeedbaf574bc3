// run_command.cpp - stiction run: steps a scene without a window and records it.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/film_options.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/progress.h"
#include "core/error.h"
#include "core/printable.h"
#include "live/frame_scene.h"
#include "problem_files/frame_recorder.h"
#include "record/recorder.h"
#include "step/simulation.h"

namespace stiction {

namespace {

constexpr const char* kRunExamples =
    "  stiction run grasp --steps 500\n"
    "  stiction run stack --set boxes=20 --time 2 --json -\n"
    "  stiction run wall --csv wall.csv --trajectory wall.h5 --trajectory-every 10\n"
    "  stiction run ramp --model friction_box --quality --csv ramp.csv\n"
    "  stiction run stack --video stack.mp4 --overlay --png end.png\n"
    "  stiction run chain --steps 100 --save-state half.json\n"
    "  stiction run chain --steps 100 --load-state half.json\n"
    "  stiction run wall --h5 wall.h5 --h5-every 10           contact problems, for solve, "
    "compare\n"
    "  stiction run cards --h5 hard/ --h5-when \"residual>1e-6,unsolved\"    a file per hard step";

struct RunOptions {
    SceneOptions scene;
    LengthOptions length;
    OutputPaths outputs;
    FrameOutput frames;
    FilmOptions film;
    std::string load_state;
    bool quiet = false;
};

// Warns of the 1st, 10th, 100th ... step with a failure: a log that stays readable whatever
// happens.
class FailureLog {
  public:
    void note(const StepRecord& record, Progress& progress) {
        if (record.failures == 0 || ++count_ != next_) return;
        next_ *= 10;
        progress.hide();
        spdlog::warn(
            "step {}: solver {} ended as {} in {} of {} islands (residual {:.2g}); steps like this "
            "so far: {}",
            record.step, record.solver, name(record.status), record.failures, record.islands,
            record.residual, count_);
    }

  private:
    std::int64_t count_ = 0;
    std::int64_t next_ = 1;
};

void print_quality(const RunStatistics& s) {
    const QualityRecord& most = s.quality_max;
    const double steps = static_cast<double>(std::max<std::int64_t>(s.quality_steps, 1));
    std::printf(
        "quality      Coulomb residuals %.2g natural, %.2g scaled; creep %.2g m/s; %.1f contacts "
        "press, %.1f slide\n",
        most.coulomb_natural, most.coulomb_scaled, most.creep, s.quality_sum.resting / steps,
        s.quality_sum.sliding / steps);
}

// What was left unexplained, and a warning where it is too much.
void print_account(const RunStatistics& s, const Model& model, bool quiet) {
    const AccountStatistics& account = s.account;
    if (!quiet)
        std::printf(
            "account      %.2g J unexplained of %.6g J; integrator %.3g J (%.2g J beyond its "
            "formula), contact %.3g J\n",
            account.unexplained, account.largest(), account.sum.integrator,
            account.integrator_excess, account.sum.contact);
    if (account.first_step < 0) return;
    spdlog::warn(
        "{:.2g} J of {:.3g} J came from nowhere or went there, {:.2g} J of it by the integrator; "
        "more than 1 % since step {}{}",
        account.lost_track_of(), account.largest(), std::max(0.0, account.integrator_excess),
        account.first_step,
        account.first_body == kNone
            ? ""
            : ", first at body '" + model.bodies[at(account.first_body)].name + "'");
}

void print_summary(const RunInfo& info, const RunStatistics& s, const State& end) {
    const auto steps = static_cast<double>(std::max<std::int64_t>(s.steps, 1));
    std::printf("scene        %s, model %s, solver %.*s\n", printable(info.scene).c_str(),
                info.model.c_str(), static_cast<int>(main_solver(s).size()), main_solver(s).data());
    std::printf("steps        %lld of %g s, to t = %g s\n", static_cast<long long>(s.steps), info.h,
                end.time);
    std::printf(
        "speed        %.3g times real time, %.1f us per step (median %.1f, 99 %% %.1f, most "
        "%.1f)\n",
        realtime_factor(info, s), 1e6 * s.seconds / steps, 1e6 * s.histogram.quantile(0.5),
        1e6 * s.histogram.quantile(0.99), 1e6 * s.seconds_max);
    std::printf("contacts     %.1f per step, most %d; deepest penetration %.3g m\n",
                s.contacts / steps, s.contacts_max, s.penetration_max);
    std::printf("narrowphase  %s; Bullet answered %lld of %lld pairs of shapes\n",
                info.narrowphase.c_str(), static_cast<long long>(s.bullet_pairs),
                static_cast<long long>(s.pairs));
    std::printf(
        "solver       %.1f iterations per step, most %d; %lld failures, %lld fallbacks, residual "
        "%.2g\n",
        s.iterations / steps, s.iterations_max, static_cast<long long>(s.failures),
        static_cast<long long>(s.fallbacks), s.residual_max);
    if (s.budget_steps > 0 || info.time_budget > 0) {
        std::printf("budget       %lld steps ended by it%s\n",
                    static_cast<long long>(s.budget_steps),
                    info.time_budget > 0 ? "; it is in time, so results depend on the clock" : "");
    }
    std::printf("energy       %.6g J -> %.6g J, largest gain in a step %.3g J\n", s.total_start,
                s.total_end, s.largest_gain);
    if (s.joint_error_max > 0 || s.torn_steps > 0) {
        std::printf(
            "joints       %.2g m apart at most, %.2g m/s left by the solver; torn in %lld steps\n",
            s.joint_error_max, s.joint_speed_max, static_cast<long long>(s.torn_steps));
    }
    if (s.projection_unsolved_steps > 0) {
        std::printf("positions    removal of drift unfinished in %lld steps\n",
                    static_cast<long long>(s.projection_unsolved_steps));
    }
    if (info.quality) print_quality(s);
    std::printf("state hash   %s\n", hash_text(state_hash(end)).c_str());
}

// What the integrator could not do as it should.
void warn_of_motion(const Simulation& sim) {
    const MotionReport& motion = sim.motion;
    if (motion.fast_steps > 0) {
        spdlog::warn(
            "in {} steps a body turned by more than half a turn or moved by more than {:g} radii "
            "of "
            "gyration, first '{}' in step {}: contacts may be missed; take smaller steps",
            motion.fast_steps, kFarthest, sim.model.bodies[at(motion.first_fast_body)].name,
            motion.first_fast_step);
    }
    if (motion.midpoint_fallbacks > 0) {
        spdlog::warn(
            "{} times the midpoint rule did not resolve the motion of linked bodies, and "
            "symplectic Euler took their step",
            motion.midpoint_fallbacks);
    }
}

// With a picture where one can be drawn: meanwhile, unless the run itself draws.
DatasetManifest describe_dataset(const Scene& scene, const Simulation& sim, bool draws) {
    DatasetManifest manifest = make_manifest(scene, command_words(), STICTION_VERSION);
    manifest.draw = [camera = scene.camera, model = sim.model, state = sim.state] {
        const std::optional<Image> image = picture_of(camera, model, state);
        return image ? DatasetManifest::Image{image->width, image->height, image->rgb}
                     : DatasetManifest::Image{};
    };
    if (draws) draw_image(manifest);
    return manifest;
}

struct Ended {
    std::string status = "done";  // or failed, interrupted
    std::string message;
    bool whole = true;  // the simulation is as the last step left it
};

// A run and all that it writes. Its thread takes steps; keep() ends it from another one, inside a
// step. What both touch is changed under the keeper's lock.
class OngoingRun {
  public:
    OngoingRun(const RunOptions& options, const Scene& scene, const RunFilmSettings& filming,
               std::int64_t steps, Simulation& sim);
    Ended take_steps();
    int finish(Ended ended);

  private:
    StepOutcome take_step(std::int64_t taken);
    void keep();
    [[nodiscard]] std::string place() const;
    [[nodiscard]] std::string output_failure() const;
    [[nodiscard]] std::string complete(const RunInfo& info);
    [[nodiscard]] std::string complete_frames(bool in_haste);
    void show(const RunInfo& info) const;

    const RunOptions& options_;
    std::int64_t steps_, first_;
    Simulation& sim_;
    RunInfo info_;
    Progress progress_;
    FailureLog failures_;
    std::optional<Recorder> recorder_;
    std::optional<FrameRecorder> frames_;
    std::optional<RunFilm> film_;
    Keeper keeper_;
};

OngoingRun::OngoingRun(const RunOptions& options, const Scene& scene,
                       const RunFilmSettings& filming, std::int64_t steps, Simulation& sim)
    : options_(options),
      steps_(steps),
      first_(sim.state.step),
      sim_(sim),
      info_(describe_run(scene.name, scene.parameters, scene.seed, sim)),
      progress_(steps, !options.quiet),
      keeper_([this] { keep(); }) {
    const auto lock = Keeper::lock();  // either no file is there or all are kept
    recorder_.emplace(options.outputs, scene.name, sim);
    info_.quality = recorder_->thresholds();
    if (!options.frames.path.empty())
        frames_.emplace(options.frames, describe_dataset(scene, sim, filming.wanted()), sim);
    if (filming.wanted()) film_.emplace(filming, scene.camera, sim);
}

// Recorded from the observer on, with its times at the end.
StepOutcome OngoingRun::take_step(std::int64_t taken) {
    std::unique_lock<std::mutex> lock;
    const Observer observe = [&](const Simulation& s) {
        lock = Keeper::lock();
        recorder_->observe(s);
        if (frames_) frames_->observe(s);
    };
    if (frames_) frames_->before_step(sim_);
    const StepOutcome outcome = step(sim_, observe);
    if (outcome == StepOutcome::kNotFinite) return outcome;
    recorder_->step_ended(sim_);
    failures_.note(recorder_->last(), progress_);
    progress_.show(taken + 1, sim_.state.time);
    return outcome;
}

Ended OngoingRun::take_steps() {
    try {
        for (std::int64_t i = 0; i < steps_; ++i) {
            if (const std::string failure = output_failure(); !failure.empty())
                return {"failed", failure};
            if (interrupted()) return {"interrupted", "interrupted after " + place()};
            if (take_step(i) == StepOutcome::kNotFinite) return {"failed", describe_failure(sim_)};
            if (film_) film_->step_taken(sim_, recorder_->last());
        }
    } catch (const std::bad_alloc&) {
        return {"failed", "out of memory in the step after " + place(), false};
    } catch (const std::exception& error) {
        return {"failed", message_of(error), false};
    }
    return {};
}

std::string OngoingRun::place() const {
    return "step " + std::to_string(recorder_->end().step) + " of " +
           std::to_string(first_ + steps_);
}

std::string OngoingRun::output_failure() const {
    return join_problems(recorder_->failure(), frames_ ? frames_->failure() : "");
}

std::string OngoingRun::complete_frames(bool in_haste) {
    try {
        if (frames_) frames_->finish(in_haste);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

// Returns what could not be written. After an interrupt the dataset, which may take longest, comes
// last; else the summary tells of it.
std::string OngoingRun::complete(const RunInfo& info) {
    const bool in_haste = info.status == "interrupted";
    std::string problems = in_haste ? "" : complete_frames(false);
    RunInfo told = info;
    if (!problems.empty()) {
        told.status = "failed";
        told.message = join_problems(told.message, problems);
    }
    try {
        recorder_->finish(sim_.model, told);
    } catch (const OutputError& error) {
        problems = join_problems(problems, error.what());
    }
    return in_haste ? join_problems(problems, complete_frames(true)) : problems;
}

void OngoingRun::keep() {
    if (!recorder_) throw std::runtime_error("interrupted");
    progress_.hide();
    info_.status = "interrupted";
    info_.message = "interrupted inside the step after " + place();
    std::string problems = complete(info_);
    try {
        if (film_) film_->finish_video();
    } catch (const std::exception& error) {
        problems = join_problems(problems, message_of(error));
    }
    show(info_);
    print_error(join_problems(info_.message, problems));
}

void OngoingRun::show(const RunInfo& info) const {
    const bool quiet = options_.quiet || options_.outputs.json == "-";
    if (!quiet) print_summary(info, recorder_->statistics(), recorder_->end());
    if (!quiet && frames_)
        std::printf("dataset      %lld frames in %s\n", static_cast<long long>(frames_->frames()),
                    printable(options_.frames.path).c_str());
    if (recorder_->statistics().account.steps > 0)
        print_account(recorder_->statistics(), sim_.model, quiet);
}

int OngoingRun::finish(Ended ended) {
    ContactSet contacts;  // the frame keeps those of the last step
    if (ended.whole) {
        try {
            sim_.narrowphase.collide(sim_.model, sim_.state, sim_.settings.h, contacts,
                                     sim_.settings.narrowphase);
            if (film_) film_->draw_end(sim_);
        } catch (const std::exception& error) {  // no memory, no picture: the files all the same
            ended.status = "failed";
            ended.message = join_problems(ended.message, message_of(error));
        }
    }
    end_by_itself();
    progress_.hide();
    recorder_->add_end(contacts);
    info_.status = ended.status;
    info_.message = ended.message;
    std::string problems = complete(info_);
    try {
        if (film_) film_->finish();
    } catch (const std::exception& error) {
        problems = join_problems(problems, message_of(error));
    }
    if (ended.status != "failed") warn_of_motion(sim_);
    show(info_);
    if (ended.status == "done" && problems.empty()) return kExitDone;
    print_error(join_problems(ended.message, problems));
    return kExitFailed;
}

// Throws InputError.
void check_files(const RunOptions& options, const Scene& scene, const RunFilmSettings& filming) {
    check_outputs(options.outputs);
    std::vector<std::string> outputs = output_files(options.outputs);
    if (!choose_frames(options.frames).folder && !options.frames.path.empty()) {
        check_writable(options.frames.path, true);
        outputs.push_back(options.frames.path);
    }
    outputs.push_back(filming.video);
    outputs.push_back(filming.png);
    std::vector<std::string> inputs = scene.files;
    inputs.push_back(options.load_state);
    check_distinct(outputs, inputs);
}

int run(const RunOptions& options) {
    if (options.outputs.trajectory_every < 1)
        throw InputError("--trajectory-every: must be at least 1 step");
    Scene scene = load(options.scene);
    const std::int64_t steps = count_steps(options.length, scene);
    const RunFilmSettings filming =
        read_film_options(options.film, static_cast<double>(steps) * scene.step.h);
    check_files(options, scene, filming);
    Simulation sim =
        make_simulation(std::move(scene.model), std::move(scene.state), std::move(scene.controls),
                        scene.contact, scene.step, options.scene.threads);
    if (!options.load_state.empty() && !load_state(options.load_state, scene.name, sim)) {
        spdlog::info(
            "{}: was saved by another contact model or narrowphase; its warm starts are not used",
            options.load_state);
    }
    sim.keep_account = options.outputs.quality;
    OngoingRun ongoing(options, scene, filming, steps, sim);
    return ongoing.finish(ongoing.take_steps());
}

void add_frame_options(CLI::App& command, FrameOutput& frames) {
    command
        .add_option("--h5", frames.path,
                    "Write contact problems with their answers, a frame per step: a dataset")
        ->type_name("FILE");
    command.add_option("--h5-every", frames.every, "Steps from one frame to the next (default 1)");
    command.add_option("--h5-steps", frames.steps, "Frames of steps A to B only, counted from 1")
        ->type_name("A:B");
    command
        .add_option("--h5-when", frames.when,
                    "Frames of steps only where this holds, or one of several separated by commas: "
                    "unsolved, fallback, or residual, iterations, contacts, seconds, time compared "
                    "with a number, as residual>1e-6; FILE may then be a folder, which gets a file "
                    "per frame")
        ->type_name("CONDITION");
    command.add_flag("--h5-append", frames.append, "Add to the dataset, as one more simulation");
}

}  // namespace

Command add_run_command(CLI::App& app) {
    CLI::App* command = add_command(app, "run", "Run a scene without a window", kRunExamples);
    auto options = std::make_shared<RunOptions>();
    add_scene_options(*command, options->scene);
    add_length_options(*command, options->length);
    add_budget_option(*command, options->scene);
    OutputPaths& outputs = options->outputs;
    command->add_option("--csv", outputs.csv, "Write one row per step")->type_name("FILE");
    command
        ->add_option("--trajectory", outputs.trajectory,
                     "Write poses, velocities, joints and contact forces: .csv, .h5 or .hdf5")
        ->type_name("FILE");
    command
        ->add_option("--trajectory-every", outputs.trajectory_every,
                     "Steps from one sample to the next")
        ->capture_default_str();
    command
        ->add_option("--json", outputs.json, "Write the summary of the run; - is standard output")
        ->type_name("FILE");
    command
        ->add_option("--save-state", outputs.save_state,
                     "Write the state at the end, to go on from")
        ->type_name("FILE");
    command->add_option("--load-state", options->load_state, "Start from a saved state")
        ->type_name("FILE");
    command->add_flag("--quality", outputs.quality,
                      "Measure every answer: more columns in --csv, more keys in --json");
    add_frame_options(*command, options->frames);
    add_film_options(*command, options->film);
    command->add_flag("--quiet", options->quiet, "No progress bar and no summary on the screen");
    return {command, [options] { return run(*options); }};
}

}  // namespace stiction
