// run_job.cpp - a run like that of stiction run, without files.
#include "sweep/run_job.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <new>

#include "compare/variants.h"
#include "core/error.h"
#include "record/recorder.h"
#include "step/run_length.h"
#include "step/simulation.h"

namespace stiction {

namespace {

using JobClock = std::chrono::steady_clock;

double seconds_since(JobClock::time_point start) {
    return std::chrono::duration<double>(JobClock::now() - start).count();
}

// One run at a time: what it records, and its summary.
class JobRun {
  public:
    JobRun(const Job& job, Scene scene)
        : sim_(start(job, scene)),
          recorder_(outputs(job), scene.name, sim_),
          info_(describe_run(scene.name, scene.parameters, scene.seed, sim_)) {
        info_.quality = recorder_.thresholds();
    }

    // Why it ended before its time; empty: it did not.
    std::string take_steps(std::int64_t steps) {
        const Observer observe = [this](const Simulation& sim) { recorder_.observe(sim); };
        for (std::int64_t i = 0; i < steps; ++i) {
            if (step(sim_, observe) == StepOutcome::kNotFinite) return describe_failure(sim_);
            recorder_.step_ended(sim_);
        }
        ContactSet contacts;
        sim_.narrowphase.collide(sim_.model, sim_.state, sim_.settings.h, contacts,
                                 sim_.settings.narrowphase);
        recorder_.add_end(contacts);
        return {};
    }

    [[nodiscard]] std::string summary() const {
        return summary_json(info_, recorder_.statistics(), sim_.model, recorder_.end());
    }

    void add_times(JobResult& result) const {
        constexpr double kMicro = 1e6;
        const RunStatistics& s = recorder_.statistics();
        const double steps = static_cast<double>(std::max<std::int64_t>(s.steps, 1));
        result.times[2] = kMicro * s.seconds / steps;
        result.times[3] = kMicro * s.histogram.quantile(0.5);
        result.times[4] = kMicro * s.histogram.quantile(0.99);
        result.times[5] = realtime_factor(info_, s);
    }

  private:
    static Simulation start(const Job& job, Scene& scene) {
        Simulation sim = make_simulation(std::move(scene.model), std::move(scene.state),
                                         std::move(scene.controls), scene.contact, scene.step, 1);
        sim.keep_account = job.quality;
        return sim;
    }
    static OutputPaths outputs(const Job& job) {
        OutputPaths paths;
        paths.quality = job.quality;
        return paths;
    }

    Simulation sim_;
    Recorder recorder_;
    RunInfo info_;
};

// A file that the plan has not seen is not in the job's id: its change would go unnoticed.
void check_files(const Job& job, const Scene& scene) {
    for (const std::string& file : scene.files) {
        if (std::find(job.files.begin(), job.files.end(), file) == job.files.end())
            throw InputError(
                "reads " + file +
                ", which no job that was looked at does; expected its name under 'files' of "
                "the sweep");
    }
}

// Rows are compared byte by byte: they do not say in which folder the scene was.
std::string without_folder(std::string message, const std::string& scene) {
    const std::string folder = std::filesystem::path(scene).parent_path().string() + "/";
    if (folder == "/") return message;
    for (std::size_t at = 0; (at = message.find(folder, at)) != std::string::npos;)
        message.erase(at, folder.size());
    return message;
}

void fill(const Job& job, JobResult& result) {
    const auto start = JobClock::now();
    Scene scene = load_job_scene(job);
    check_files(job, scene);
    const std::int64_t steps = job_steps(job, scene);
    result.times[1] = seconds_since(start);
    JobRun run(job, std::move(scene));
    result.message = run.take_steps(steps);
    result.status = result.message.empty() ? JobStatus::kDone : JobStatus::kFailed;
    run.add_times(result);
    const SummaryReader summary(run.summary());
    for (const std::string& path : job.keep) result.values[path] = summary.value(path);
    result.times[0] = seconds_since(start);
}

void fail(const std::string& why, const Job& job, JobResult& result) {
    result.status = JobStatus::kFailed;
    result.message = without_folder(why, job.scene);
    for (const std::string& path : job.keep) result.values[path] = {};
}

}  // namespace

Scene load_job_scene(const Job& job) {
    SceneOverrides overrides;
    overrides.parameters = job.parameters;
    overrides.has_seed = !job.seed.empty();
    if (overrides.has_seed) {
        const char* end = job.seed.data() + job.seed.size();
        if (std::from_chars(job.seed.data(), end, overrides.seed).ptr != end)
            throw InputError("seed: expected a whole number, got '" + job.seed + "'");
    }
    Scene scene = load_scene(job.scene, overrides);
    if (job.h) scene.step.h = *job.h;
    if (scene.step.time_budget > 0)
        throw InputError(scene.path +
                         ": step.time_budget is set: results would depend on the clock");
    VariantOptions options;
    options.models = job.model.empty() ? std::string(name(scene.contact)) : job.model;
    options.solvers = job.solver;
    options.tolerance = job.tolerance;
    options.narrowphases = job.narrowphase;
    const Variant variant = make_variants(options, scene.contact).front();
    scene.contact = variant.contact;
    if (variant.narrowphase) scene.step.narrowphase = *variant.narrowphase;
    return scene;
}

std::int64_t job_steps(const Job& job, const Scene& scene) {
    if (job.steps) return *job.steps;
    const double steps = steps_in(job.time.value_or(scene.duration), scene.step.h);
    if (steps > static_cast<double>(kMaxSteps))
        throw InputError("the run would take more than " + std::to_string(kMaxSteps) + " steps");
    return static_cast<std::int64_t>(steps);
}

std::string first_summary(const Job& job) {
    JobRun run(job, load_job_scene(job));
    (void)run.take_steps(1);
    return run.summary();
}

JobResult run_job(const Job& job) {
    JobResult result;
    result.number = job.number;
    try {
        fill(job, result);
    } catch (const std::bad_alloc&) {
        fail("out of memory", job, result);
        result.status = JobStatus::kCrashed;  // where there is more of it, it may well be done
    } catch (const std::exception& error) {
        fail(error.what(), job, result);
    }
    return result;
}

}  // namespace stiction
