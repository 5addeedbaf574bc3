// bench.cpp - options, repeats in a child process, and the line of JSON of a config.
#include "bench.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "drive.h"
#include "step/simulation.h"

namespace stiction::peers {

namespace {

// Short configs repeat until they have used this much in all, so that the best repeat is steady.
constexpr double kShortConfig = 1;  // [s]
constexpr int kMaxRepeats = 25;

using Drive = std::function<void(Sim&, Run&)>;

void add_field(std::string& line, const std::string& key, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), std::isfinite(value) ? "%.6g" : "null", value);
    line += ",\"" + key + "\":" + text.data();
}

std::vector<Run> repeat(const Options& options, const Maker& make, const Drive& drive,
                        Progress* shared) {
    std::vector<Run> runs;
    double used = 0;
    const int most = options.runs > 1 ? std::max(options.runs, kMaxRepeats) : 1;
    for (int r = 0;
         (r < options.runs && used < options.budget) || (r < most && used < kShortConfig); ++r) {
        alarm(static_cast<unsigned>(5 * options.cap) + 30);  // a single step that never returns
        Run run{.cap = options.cap, .shared = shared};
        const std::unique_ptr<Sim> sim = make();
        drive(*sim, run);
        sim->report(run.metrics);
        used += run.wall;
        runs.push_back(run);
        if (run.capped) break;
    }
    return runs;
}

// The repeat with the median CPU time; cpu_spread is slowest over fastest, less one.
std::string describe(std::vector<Run> runs) {
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.cpu < b.cpu; });
    const Run& median = runs[(runs.size() - 1) / 2];
    std::string line;
    add_field(line, "steps", median.steps);
    if (median.capped) line += ",\"capped\":true";
    add_field(line, "runs", static_cast<double>(runs.size()));
    add_field(line, "cpu_s", median.cpu);
    add_field(line, "wall_s", median.wall);
    add_field(line, "steps_per_cpu_s", median.steps / median.cpu);
    add_field(line, "steps_per_wall_s", median.steps / median.wall);
    add_field(line, "best_steps_per_cpu_s", runs.front().steps / runs.front().cpu);
    add_field(line, "cpu_spread", runs.back().cpu / runs.front().cpu - 1);
    add_field(line, "mean_contacts", median.contacts / median.samples);
    for (const auto& [key, value] : median.metrics) add_field(line, key, value);
    return line;
}

std::string describe_failure(int status, const Progress& progress) {
    std::string line;
    add_field(line, "steps", progress.steps);
    add_field(line, "cpu_s", progress.cpu);
    line += ",\"failed\":\"";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        line += "a single step exceeded the time limit";
    } else if (WIFSIGNALED(status)) {
        line += "signal " + std::to_string(WTERMSIG(status));
    } else {
        line += "exit status " + std::to_string(WEXITSTATUS(status));
    }
    return line + "\"";
}

// In a child process, so that a crash or a hang in an engine costs one line of output.
void bench(const Options& options, const std::string& engine, const std::string& scene,
           const std::string& config, const Metrics& parameters, const Maker& make,
           const Drive& drive) {
    if (!options.scene.empty() && options.scene != scene) return;
    if (!options.config.empty() && options.config != config) return;
    const std::string shown = options.engine.empty() ? engine : options.engine;
    std::string line =
        R"({"engine":")" + shown + R"(","scene":")" + scene + R"(","config":")" + config + '"';
    for (const auto& [key, value] : parameters) add_field(line, key, value);

    void* const page =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::runtime_error("no memory for a shared page");
    auto* const progress = new (page) Progress;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
        try {
            line += describe(repeat(options, make, drive, progress));
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s: %s\n", shown.c_str(), error.what());
            _exit(1);
        }
        std::printf("%s}\n", line.c_str());
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        std::printf("%s%s}\n", line.c_str(), describe_failure(status, *progress).c_str());
        std::fflush(stdout);
    }
    munmap(page, sizeof(Progress));
}

}  // namespace

Options parse_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; i += 2) {
        const std::string key = argv[i];
        const std::string value = i + 1 < argc ? argv[i + 1] : "";
        if (key == "--scene") {
            options.scene = value;
        } else if (key == "--config") {
            options.config = value;
        } else if (key == "--engine") {
            options.engine = value;
        } else if (key == "--cap") {
            options.cap = std::atof(value.c_str());
        } else if (key == "--budget") {
            options.budget = std::atof(value.c_str());
        } else if (key == "--runs") {
            options.runs = std::atoi(value.c_str());
        } else if (key == "--spheres") {
            options.spheres = std::atoi(value.c_str());
        } else {
            std::fprintf(stderr, "unknown option '%s'\n", key.c_str());
            std::exit(2);
        }
    }
    if (options.cap <= 0 || options.budget <= 0 || options.runs < 1) {
        std::fprintf(stderr, "--cap, --budget and --runs need a positive number\n");
        std::exit(2);
    }
    return options;
}

void bench_grasp(const Options& options, const std::string& engine, const std::string& config,
                 int k, const Maker& make) {
    bench(options, engine, "grasp", config, {{"k", k}, {"dt", grasp::kDt}}, make,
          [k](Sim& sim, Run& run) { drive_grasp(sim, k, run); });
}

void bench_ramp(const Options& options, const std::string& engine, const std::string& config,
                double mu, const Maker& make) {
    bench(options, engine, "ramp", config, {{"mu", mu}, {"dt", ramp::kDt}}, make,
          [mu](Sim& sim, Run& run) { drive_ramp(sim, mu, run); });
}

void bench_robot(const Options& options, const std::string& engine, const std::string& config,
                 const Maker& make) {
    bench(options, engine, "robot", config, {{"dt", robot::kDt}}, make, drive_robot);
}

void bench_granular(const Options& options, const std::string& engine, const std::string& config,
                    const granular::Variant& variant, const Maker& make) {
    if (options.spheres > 0 && options.spheres != variant.n) return;
    bench(options, engine, "granular", config, {{"n", variant.n}, {"dt", variant.dt}}, make,
          [variant](Sim& sim, Run& run) { drive_granular(sim, variant, run); });
}

}  // namespace stiction::peers
