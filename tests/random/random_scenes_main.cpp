// random_scenes_main.cpp - random scenes by hand: thousands of seeds with progress, or one scene
// file with its change in the middle. CONTRIBUTING.md says how it is used.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "core/error.h"
#include "random/check_run.h"
#include "random/live_session.h"
#include "random/random_scene.h"
#include "random/survey.h"

namespace stiction {
namespace {

constexpr const char* kUsage =
    "usage: random_scenes --seeds A-B [--out FOLDER] [--examples N]   run seeds, shrink what "
    "fails\n"
    "       random_scenes --live A-B [--out FOLDER] [--examples N]    the same, used as in the "
    "window\n"
    "       random_scenes --show SEED                                 the scene of a seed\n"
    "       random_scenes --scene FILE [--steps N]                    run one scene with all "
    "checks\n";
constexpr int kProgress = 100;  // seeds between lines
constexpr int kShrinkAttempts = 3000;

struct Options {
    SeedRange seeds;
    std::string out;
    int examples = 2;  // shrunk scenes per check, model and solver
    std::string scene;
    int steps = 40;
    std::optional<std::uint64_t> show;
};

std::uint64_t whole_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw InputError("'" + std::string(text) + "': expected a whole number");
    return value;
}

Options read_options(int argc, char** argv) {
    Options options;
    options.seeds.repeated_every = 10;
    if (argc % 2 == 0 || argc == 1) throw InputError(kUsage);
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view key = argv[i], value = argv[i + 1];
        if (key == "--seeds" || key == "--live") {
            options.seeds.live = key == "--live";
            const std::size_t dash = value.find('-');
            options.seeds.first = whole_number(value.substr(0, dash));
            options.seeds.last = dash == std::string_view::npos
                                     ? options.seeds.first
                                     : whole_number(value.substr(dash + 1));
        } else if (key == "--seconds") {
            options.seeds.seconds = static_cast<double>(whole_number(value));
        } else if (key == "--out") {
            options.out = value;
        } else if (key == "--examples") {
            options.examples = static_cast<int>(whole_number(value));
        } else if (key == "--scene") {
            options.scene = value;
        } else if (key == "--steps") {
            options.steps = static_cast<int>(whole_number(value));
        } else if (key == "--show") {
            options.show = whole_number(value);
        } else {
            throw InputError(kUsage);
        }
    }
    return options;
}

// The first few of each kind of failure, shrunk, one file each.
void write_examples(const Options& options, const Survey& result) {
    std::map<std::tuple<Check, std::string, std::string>, int> written;
    std::filesystem::create_directories(options.out);
    for (const FailedSeed& failed : result.failed) {
        const Violation& v = failed.violation;
        if (++written[{v.check, v.model, v.solver}] > options.examples) continue;
        const std::string file = options.out + "/" + (failed.live ? "live_" : "") +
                                 std::string(name(v.check)) + "_" + v.model + "_" + v.solver +
                                 "_seed_" + std::to_string(failed.seed) + ".yaml";
        std::ofstream(file) << shrunk_yaml(failed, kShrinkAttempts);
        std::printf("%s\n", file.c_str());
        std::fflush(stdout);
    }
}

int run_seeds(const Options& options) {
    const Survey result = survey(options.seeds, [&](const Survey& so_far, std::uint64_t seed) {
        if (so_far.seeds % kProgress != 0) return;
        std::fprintf(stderr, "seed %llu: %zu faults so far\n",
                     static_cast<unsigned long long>(seed), so_far.failed.size());
    });
    for (const FailedSeed& failed : result.failed)
        std::printf("seed %llu: %s\n", static_cast<unsigned long long>(failed.seed),
                    describe(failed.violation).c_str());
    std::printf("%s", describe(result).c_str());
    std::fflush(stdout);
    if (!options.out.empty()) write_examples(options, result);
    return result.failed.empty() ? 0 : 1;
}

int run_scene(const Options& options) {
    std::ifstream file(options.scene);
    if (!file) throw InputError(options.scene + ": cannot be read");
    const std::string yaml{std::istreambuf_iterator<char>(file), {}};
    const RunReport report =
        is_session(yaml)
            ? run_session_file(options.scene, options.steps, {.dissipation_every = 1})
            : run_checked(options.scene, read_plan(yaml, options.steps), {.dissipation_every = 1});
    for (const Violation& v : report.faults) std::printf("%s\n", describe(v).c_str());
    std::printf("%d steps, %d unsolved, slowest %g s, state hash %016llx\n", report.steps,
                report.unsolved, report.slowest, static_cast<unsigned long long>(report.hash));
    return report.faults.empty() ? 0 : 1;
}

}  // namespace
}  // namespace stiction

int main(int argc, char** argv) {
    using namespace stiction;
    try {
        const Options options = read_options(argc, argv);
        if (options.show) {
            std::cout << to_yaml(random_scene(*options.show));
            return 0;
        }
        return options.scene.empty() ? run_seeds(options) : run_scene(options);
    } catch (const InputError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
