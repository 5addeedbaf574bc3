// narrowphase_tables.cpp - the tables of docs/collision.md that set Bullet's narrowphase against the
// exact one: narrowphase_tables [--markdown docs/collision.md].
//
// Pairs: random poses of two shapes, the deepest contacts against each other (collide/pair_errors.h).
// Scenes: every shipped scene for a second of its own contact model under both. All but the columns
// of cost are deterministic.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

#include "collide/pair_errors.h"
#include "compare/compare.h"
#include "scene/scene.h"

namespace stiction {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

// What takes minutes under Bullet's contacts is smaller here.
Parameters parameters_of(const std::string& scene) {
    const std::map<std::string, Parameters> smaller = {
        {"brick_wall", {{"courses", "5"}, {"bricks", "5"}}},
        {"granular", {{"count", "200"}}},
        {"hourglass", {{"grains", "30"}}},
        {"kapla", {{"layers", "8"}}},
        {"logpile", {{"logs", "6"}}},
        {"pyramid", {{"levels", "8"}}},
        {"repose", {{"grains", "30"}}},
    };
    const auto found = smaller.find(scene);
    return found == smaller.end() ? Parameters{} : found->second;
}

std::string brief(double value) { return value == 0 ? "0" : fmt::format("{:.1e}", value); }

std::string pair_table(int poses) {
    std::string text =
        "| pair | points: exact, Bullet | missed, phantom | gap off: median, 99 %, worst [m] | "
        "normal off: median, 99 %, worst [rad] | cost |\n"
        "|---|---|---|---|---|---|\n";
    const std::vector<pair_errors::NamedShape> shapes = pair_errors::shapes();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (std::size_t j = i; j < shapes.size(); ++j) {
            if (shapes[i].ground) continue;
            const pair_errors::PairErrors e = pair_errors::measure(shapes[i], shapes[j], poses);
            const auto three = [](const std::vector<double>& sorted) {
                return brief(pair_errors::PairErrors::quantile(sorted, 0.5)) + ", " +
                       brief(pair_errors::PairErrors::quantile(sorted, 0.99)) + ", " +
                       brief(pair_errors::PairErrors::quantile(sorted, 1));
            };
            text +=
                fmt::format("| {} - {} | {:.1f}, {:.1f} | {}, {} | {} | {} | {:.2f} |\n",
                            shapes[i].name, shapes[j].name, e.points_exact, e.points, e.missed,
                            e.phantom, three(e.gap), three(e.normal), e.seconds / e.seconds_exact);
            std::fprintf(stderr, "%s - %s\n", shapes[i].name.c_str(), shapes[j].name.c_str());
        }
    }
    return text;
}

double median(std::vector<double>& values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::string settings_text(const Parameters& parameters) {
    std::string text;
    for (const auto& [key, value] : parameters)
        text += (text.empty() ? " (" : ", ") + key + " " + value;
    return text.empty() ? text : text + ")";
}

std::string scene_row(const std::string& name, double time) {
    const Parameters parameters = parameters_of(name);
    SceneOverrides overrides;
    overrides.parameters = parameters;
    const Scene scene = load_scene(STICTION_SOURCE_SCENES "/" + name + ".yaml", overrides);
    VariantOptions options;
    options.narrowphases = "exact,bullet";
    const auto steps = static_cast<std::int64_t>(std::llround(time / scene.step.h));
    std::array<std::vector<double>, 2> collide;  // times of the stage [s]
    CompareObserver observer;
    observer.row = [&](const ComparedStep& step) {
        collide.at(step.run).push_back(
            step.record.seconds[static_cast<std::size_t>(Stage::kCollide)]);
    };
    const std::vector<ComparedRun> runs =
        compare(scene, make_variants(options, scene.contact), {.steps = steps}, observer);
    const ComparedRun &exact = runs.at(0), &bullet = runs.at(1);
    const auto per_step = [](const ComparedRun& run) {
        const auto taken = static_cast<double>(std::max<std::int64_t>(1, run.statistics.steps));
        return run.statistics.contacts / taken;
    };
    if (bullet.statistics.bullet_pairs != bullet.statistics.pairs)
        throw std::runtime_error(name + ": Bullet did not answer every pair");
    const auto depth = [](const ComparedRun& run) { return brief(run.statistics.penetration_max); };
    return fmt::format("| {}{} | {:.1f}, {:.1f} | {} | {} | {} | {}, {} | {} | {}, {} | {:.2f} |\n",
                       name, settings_text(parameters), per_step(exact), per_step(bullet),
                       brief(bullet.contacts.gap), brief(bullet.contacts.normal),
                       bullet.contacts.unmatched, depth(exact), depth(bullet),
                       brief(bullet.apart.largest), exact.unsolved_steps, bullet.unsolved_steps,
                       median(collide[1]) / median(collide[0]));
}

std::string scene_table(double time, const std::string& only) {
    std::string text = fmt::format(
        "| scene | contacts: exact, Bullet | gap off [m] | normal off [rad] | unseen | depth: "
        "exact, Bullet [m] | apart after {} s [m] | unsolved steps: exact, Bullet | cost |\n"
        "|---|---|---|---|---|---|---|---|---|\n",
        time);
    for (const SceneSummary& summary : list_scenes(STICTION_SOURCE_SCENES)) {
        if (!only.empty() && summary.name != only) continue;
        text += scene_row(summary.name, time);
        std::fprintf(stderr, "%s\n", summary.name.c_str());
    }
    return text;
}

// What stands between <!-- begin NAME --> and <!-- end NAME --> becomes the text.
void replace_part(const std::string& path, const std::string& name, const std::string& text) {
    std::ifstream in(path, std::ios::binary);
    std::string page(std::istreambuf_iterator<char>(in), {});
    const std::string begin = "<!-- begin " + name + " -->\n", end = "<!-- end " + name + " -->";
    const std::size_t from = page.find(begin), to = page.find(end);
    if (from == std::string::npos || to == std::string::npos || to < from)
        throw std::runtime_error(path + ": has no lines " + begin + " and " + end);
    page.replace(from + begin.size(), to - from - begin.size(), text);
    std::ofstream out(path, std::ios::binary);
    if (!(out << page)) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace
}  // namespace stiction

int main(int argc, char** argv) {
    std::string page, part, scene;
    int poses = 5000;
    double time = 1;
    CLI::App app("Bullet's narrowphase against the exact one: tables of docs/collision.md.");
    app.add_option("--markdown", page, "the page whose tables are replaced");
    app.add_option("--poses", poses, "of every pair of shapes")->check(CLI::Range(1, 10000000));
    app.add_option("--time", time, "of every scene [s]")->check(CLI::PositiveNumber);
    app.add_option("--only", part, "pairs or scenes")->check(CLI::IsMember({"pairs", "scenes"}));
    app.add_option("--scene", scene, "this one alone");
    CLI11_PARSE(app, argc, argv);
    try {
        const auto give = [&](const std::string& name, const std::string& text) {
            if (page.empty()) std::printf("%s\n", text.c_str());
            if (!page.empty()) stiction::replace_part(page, name, text);
        };
        if (part != "scenes") give("pairs", stiction::pair_table(poses));
        if (part != "pairs") give("scenes", stiction::scene_table(time, scene));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "narrowphase_tables: %s\n", error.what());
        return 1;
    }
    return 0;
}
