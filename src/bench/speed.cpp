// speed.cpp - drives the programs of benchmarks/peers over the cases, in one run: short ones in
// several rounds, of which the best counts, long ones once.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/peer_program.h"
#include "bench/speed_rows.h"
#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace {

constexpr const char* kBefore = "before";  // an earlier build of Stiction, as an engine
constexpr int kRounds = 2;
constexpr double kShort = 2;        // CPU time of what is measured in every round [s]
constexpr double kQuickTime = 0.2;  // simulated [s]
constexpr double kQuickLimit = 2;   // [s]
constexpr double kQuickSize = 300;  // bodies, of growth

std::vector<SpeedCase> chosen_cases(const BenchSettings& settings) {
    std::vector<SpeedCase> cases = speed_cases();
    const std::vector<std::string> groups = speed_groups(cases);
    for (const std::string& name : settings.cases) {
        if (std::find(groups.begin(), groups.end(), name) != groups.end()) continue;
        throw InputError("speed has no case '" + name + "'" +
                         suggestion(name, {groups.begin(), groups.end()}));
    }
    std::erase_if(cases, [&](const SpeedCase& one) {
        const bool asked = settings.cases.empty() ||
                           std::find(settings.cases.begin(), settings.cases.end(), one.group) !=
                               settings.cases.end();
        return !asked || (settings.quick && one.size > kQuickSize);
    });
    if (settings.before.empty()) return cases;
    for (SpeedCase& one : cases) {
        if (has_own_table(one)) continue;
        const std::vector<SpeedConfig> configs = one.configs;
        for (SpeedConfig config : configs) {
            const bool compared = config.config == one.ours || config.config == one.settled;
            if (config.engine != "stiction" || !compared) continue;
            config.engine = kBefore;
            one.configs.push_back(config);
        }
    }
    return cases;
}

// Measures rows, each once: what two cases have in common is measured for the first of them.
class SpeedRuns {
  public:
    SpeedRuns(const BenchSettings& settings, const BenchGoOn& go_on, std::size_t rows)
        : settings_(settings), go_on_(go_on), rows_(rows), folder_(peer_folder()) {
        if (!settings.before.empty() && access(settings.before.c_str(), X_OK) != 0)
            throw InputError("--before " + settings.before + ": there is no such program");
        if (peer_program(folder_, "stiction").empty()) {
            throw InputError(
                "speed needs the programs of benchmarks/peers, which are not here; build them "
                "(ninja -C build/release peers), or set STICTION_PEERS to their folder");
        }
        if (settings.limit) {
            limit_ = *settings.limit;
        } else if (settings.quick) {
            limit_ = kQuickLimit;
        }
    }

    [[nodiscard]] bool interrupted() const { return interrupted_; }

    // All rows of a case, as far as it came.
    SpeedResult measure(const SpeedCase& test) {
        SpeedResult result{.test = test, .rows = {}};
        const int rounds = settings_.rounds > 0 ? settings_.rounds : settings_.quick ? 1 : kRounds;
        for (const SpeedConfig& config : test.configs) {
            if (interrupted_) return result;
            const SpeedRow* known = find(test, config);
            SpeedRow row = known != nullptr ? *known : run(test, config);
            ++done_;
            if (interrupted_) return result;
            if (known == nullptr) measured_.push_back({test.scene, test.with, row});
            result.rows.push_back(std::move(row));
        }
        for (int round = 1; round < rounds; ++round) {
            for (SpeedRow& row : result.rows) {
                if (!(row.value("cpu_s") < kShort)) continue;
                const SpeedRow again = run(test, row.config);
                if (interrupted_) return result;
                if (again.speed() > row.speed()) row = again;
            }
        }
        return result;
    }

  private:
    struct Measured {
        std::string scene;
        std::vector<std::string> with;
        SpeedRow row;
    };

    const SpeedRow* find(const SpeedCase& test, const SpeedConfig& config) const {
        for (const Measured& one : measured_) {
            const SpeedConfig& other = one.row.config;
            if (std::tie(one.scene, one.with, other.engine, other.config, other.threads) ==
                std::tie(test.scene, test.with, config.engine, config.config, config.threads))
                return &one.row;
        }
        return nullptr;
    }

    SpeedRow run(const SpeedCase& test, const SpeedConfig& config) {
        SpeedRow row{.config = config, .values = {}, .curve = {}, .mark = ""};
        const std::string program =
            config.engine == kBefore ? settings_.before : peer_program(folder_, config.engine);
        if (program.empty()) {
            row.mark = "not installed";
            return row;
        }
        const double limit = limit_ > 0 ? limit_ : config.limit;
        std::vector<std::string> arguments = {"--scene",  test.scene, "--config", config.config,
                                              "--budget", "1",        "--cap"};
        arguments.push_back(fmt::format("{:g}", limit));
        for (const std::string& parameter : test.with) {
            arguments.emplace_back("--with");
            arguments.push_back(parameter);
        }
        if (settings_.time || settings_.quick) {
            arguments.emplace_back("--span");
            arguments.push_back(fmt::format("{:g}", settings_.time.value_or(kQuickTime)));
        }
        if (config.threads > 1) {
            arguments.emplace_back("--threads");
            arguments.push_back(std::to_string(config.threads));
        }
        // The program stops by itself at the limit, or at four times that by the clock on the wall.
        const double patience = 5 * limit + 5;
        const PeerRun one = run_peer(program, arguments, patience, [&](double seconds) {
            const double share = std::min(seconds / patience, 1.0);
            return go_on_((static_cast<double>(std::min(done_, rows_ - 1)) + share) /
                          static_cast<double>(rows_));
        });
        interrupted_ = one.interrupted;
        if (!one.fault.empty()) {
            row.mark = "failed: " + one.fault;
            return row;
        }
        return read_speed_row(config, test.scene, one.output);
    }

    const BenchSettings& settings_;
    const BenchGoOn& go_on_;
    std::size_t rows_;
    std::size_t done_ = 0;
    std::string folder_;
    double limit_ = 0;  // 0: that of the row [s]
    std::vector<Measured> measured_;
    bool interrupted_ = false;
};

std::string machine_note() {
    std::string model = "unknown processor";
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (!line.starts_with("model name") || colon == std::string::npos) continue;
        model = line.substr(colon + 2);
        break;
    }
    double load = 0;
    const bool known = getloadavg(&load, 1) == 1;
    const std::time_t now = std::time(nullptr);
    std::tm day{};
    localtime_r(&now, &day);
    return fmt::format(
        "{}, {} cores; load at the start {}; compiler {}; {:04}-{:02}-{:02}. Other programs that "
        "run "
        "at the same time change the times; what counts is CPU time and its ratios in this run.",
        model, std::thread::hardware_concurrency(), known ? fmt::format("{:.1f}", load) : "unknown",
        __VERSION__, day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

std::vector<std::string> speed_notes(const std::string& machine, bool before) {
    std::vector<std::string> notes = {
        machine,
        "steps_per_cpu_s: process CPU time of the stepping alone, collision included, one thread; "
        "best of the rounds where a run is short. ratio: Stiction's steps over the other's in the "
        "same CPU time, 2 is twice as many; of runs that were cut the part that both did.",
        "other: for piles Bullet with 10 iterations and margins tuned to the bodies (for the wall "
        "at "
        "1/60 s its own margins), otherwise the fastest engine whose answer is right: no box slid "
        "or "
        "sank by 1 mm, creep below 10 um, speed within 0.2 %, feet that do not slide.",
        "solved: share of the steps whose residual met the tolerance that config names "
        "(coulomb_cone "
        "and others without a number: each its own, 1e-8 and less); residual_95 is not exceeded by "
        "95 "
        "% of the steps, residual_max by none. `_100`: at most 100 sweeps a step. `settled_`: "
        "falls "
        "with 60 sweeps a step, then that tolerance; residuals of settled rows are the median of "
        "the "
        "last 100 steps. The other engines report no residual.",
        "penetration: deepest during the run, in percent of the radius or of half the shortest "
        "side, "
        "from the positions of the bodies. Spheres have no drag on their spin, in no engine."};
    if (before)
        notes.emplace_back("to_before: ratio to an earlier build of Stiction, in the same run.");
    return notes;
}

}  // namespace

BenchReport bench_speed(const BenchSettings& settings, const BenchGoOn& go_on) {
    BenchReport report;
    report.benchmark = "speed";
    const std::string machine = machine_note();
    const std::vector<SpeedCase> cases = chosen_cases(settings);
    std::size_t rows = 0;
    for (const SpeedCase& test : cases) rows += test.configs.size();
    SpeedRuns runs(settings, go_on, rows);
    std::vector<SpeedResult> results;
    for (const SpeedCase& test : cases) {
        results.push_back(runs.measure(test));
        if (!runs.interrupted()) continue;
        report.status = "interrupted";
        break;
    }
    add_speed_tables(results, !settings.before.empty(), report);
    report.notes = speed_notes(machine, !settings.before.empty());
    return report;
}

}  // namespace stiction
