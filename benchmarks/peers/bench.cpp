// bench.cpp - options, repeats in a child process, and the line of JSON of a config.
#include "bench.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "drive.h"

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
        Run run{.cap = options.cap, .span = options.span, .shared = shared};
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
    const double best_wall =
        std::min_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
            return a.wall < b.wall;
        })->wall;
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
    add_field(line, "best_steps_per_wall_s", runs.front().steps / best_wall);
    add_field(line, "total_steps", median.total);
    add_field(line, "mean_contacts", median.contacts / median.samples);
    for (const auto& [key, value] : median.metrics) add_field(line, key, value);
    line += ",\"cpu_curve\":[";
    for (std::size_t i = 0; i < runs.front().curve.size(); ++i) {
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "%s%.6g", i > 0 ? "," : "", runs.front().curve[i]);
        line += text.data();
    }
    return line + "]";
}

// The last line that an engine wrote before it failed, without what JSON cannot hold; all that it
// wrote goes on to standard error.
std::string last_words(std::FILE* file) {
    std::rewind(file);
    std::string last;
    std::array<char, 400> text{};
    while (std::fgets(text.data(), static_cast<int>(text.size()), file) != nullptr) {
        std::fputs(text.data(), stderr);
        std::string words;
        for (const char* c = text.data(); *c != '\0'; ++c) {
            if (*c >= ' ' && *c < 127 && *c != '"' && *c != '\\') words += *c;
        }
        if (!words.empty()) last = words;
    }
    return last;
}

std::string describe_failure(int status, const Progress& progress, const std::string& words) {
    std::string line;
    add_field(line, "steps", progress.steps);
    add_field(line, "cpu_s", progress.cpu);
    line += ",\"failed\":\"";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        line += "a single step exceeded the time limit";
    } else if (WIFSIGNALED(status)) {
        line += "signal " + std::to_string(WTERMSIG(status));
    } else {
        line += words.empty() ? "exit status " + std::to_string(WEXITSTATUS(status)) : words;
    }
    return line + "\"";
}

// Its status. A step that goes on for some seconds beyond the cap is ended by SIGALRM. (A timer of the
// child's own CPU time would make its clock coarse.)
int wait_for(pid_t child, const Progress& progress) {
    constexpr double kMoreThanCap = 3;   // [s]
    constexpr useconds_t kPoll = 20000;  // [us]
    clockid_t clock{};
    const bool watched = clock_getcpuclockid(child, &clock) == 0;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        usleep(kPoll);
        timespec t{};
        const double deadline = progress.deadline;
        if (!watched || deadline == 0 || clock_gettime(clock, &t) != 0) continue;
        const double now = static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
        if (now > deadline + kMoreThanCap) kill(child, SIGALRM);
    }
    return status;
}

bool wanted(const Options& options, const std::string& scene, const std::string& config,
            const Metrics& parameters) {
    if (!options.scene.empty() && options.scene != scene) return false;
    if (!options.config.empty() && options.config != config) return false;
    return std::all_of(options.with.begin(), options.with.end(), [&](const auto& asked) {
        return std::any_of(parameters.begin(), parameters.end(), [&](const auto& given) {
            constexpr double kSame = 1e-4;  // 1/60 s is written with some digits only
            return given.first == asked.first &&
                   std::fabs(given.second - asked.second) <= kSame * std::fabs(given.second);
        });
    });
}

// In a child process, so that a crash or a hang in an engine costs one line of output.
void bench(const Options& options, const std::string& engine, const std::string& scene,
           const std::string& config, const Metrics& parameters, const Maker& make,
           const Drive& drive) {
    if (!wanted(options, scene, config, parameters)) return;
    const std::string shown = options.engine.empty() ? engine : options.engine;
    std::string line =
        R"({"engine":")" + shown + R"(","scene":")" + scene + R"(","config":")" + config + '"';
    for (const auto& [key, value] : parameters) add_field(line, key, value);

    void* const page =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::runtime_error("no memory for a shared page");
    auto* const progress = new (page) Progress;
    std::FILE* const words = std::tmpfile();
    if (words == nullptr) throw std::runtime_error("no temporary file");
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(fileno(words), STDERR_FILENO);
        try {
            line += describe(repeat(options, make, drive, progress));
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s: %s\n", shown.c_str(), error.what());
            std::fflush(stderr);
            _exit(1);
        }
        std::printf("%s}\n", line.c_str());
        std::fflush(stdout);
        _exit(0);
    }
    const int status = wait_for(child, *progress);
    const std::string last = last_words(words);
    std::fclose(words);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        std::printf("%s%s}\n", line.c_str(), describe_failure(status, *progress, last).c_str());
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
        } else if (key == "--span") {
            options.span = std::atof(value.c_str());
        } else if (key == "--threads") {
            options.threads = std::atoi(value.c_str());
        } else if (key == "--with" && value.find('=') != std::string::npos) {
            const std::size_t equals = value.find('=');
            options.with.emplace_back(value.substr(0, equals),
                                      std::atof(value.c_str() + equals + 1));
        } else {
            std::fprintf(stderr, "unknown option '%s'\n", key.c_str());
            std::exit(2);
        }
    }
    if (options.cap <= 0 || options.budget <= 0 || options.runs < 1 || options.threads < 1) {
        std::fprintf(stderr, "--cap, --budget, --runs and --threads need a positive number\n");
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
                    const granular::Variant& variant, const PileMaker& make) {
    const Metrics parameters = {{"n", variant.n}, {"dt", variant.dt}, {"base", variant.base}};
    if (!wanted(options, "granular", config, parameters)) return;
    const Pile pile = granular::pile(variant);
    bench(
        options, engine, "granular", config, parameters, [&] { return make(pile); },
        [&](Sim& sim, Run& run) { drive_pile(sim, pile, variant.span, run); });
}

void bench_pile(const Options& options, const std::string& engine, const std::string& config,
                const PileScene& scene, const PileMaker& make) {
    const Metrics parameters = {{"dt", scene.dt}};
    if (!wanted(options, scene.name, config, parameters)) return;
    const Pile pile = load_pile(scene);
    bench(
        options, engine, scene.name, config, parameters, [&] { return make(pile); },
        [&](Sim& sim, Run& run) { drive_pile(sim, pile, scene.span, run); });
}

}  // namespace stiction::peers
