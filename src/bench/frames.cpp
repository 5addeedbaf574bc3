// frames.cpp - figures 3 and 4 of [LLLT15]: contact problems of a log pile that slides and of a wheel
// loader in its heap, written as frames, solved by four solvers, and judged contact by contact.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "bench/benchmarks.h"
#include "bench/scene_run.h"
#include "compare/frame_figures.h"
#include "compare/frame_table.h"
#include "problem_files/frame_recorder.h"

namespace stiction {

namespace {

struct FrameSolverOfPaper {
    std::string_view label, contact;
};
// The paper's names. PGS ends where it stagnates there, after 200 sweeps.
constexpr std::array<FrameSolverOfPaper, 4> kFrameSolvers = {{
    {"PGS", "{model: coulomb_cone, solver: pgs, max_iterations: 200}"},
    {"Morales (PGS-SM)", "{model: friction_box, solver: pgs_sm}"},
    {"Alart-Curnier", "{model: coulomb_cone, solver: newton}"},
    {"block pivot, split", "{model: coulomb_cone, solver: split}"},
}};

struct FrameBench {
    std::string_view name, scene, figure;
    double from, time, quick_time;  // [s] simulated: the frames lie between from and time
    int frames, quick_frames;
    std::size_t first_drawn, drawn;  // solvers in the picture
    std::vector<std::string> notes;
};

// A file that goes when it is no longer needed.
class TemporaryDataset {
  public:
    explicit TemporaryDataset(const std::string& name)
        : path_((std::filesystem::temp_directory_path() /
                 ("stiction-" + name + "-" + std::to_string(getpid()) + ".h5"))
                    .string()) {}
    ~TemporaryDataset() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
        std::filesystem::remove(path_ + ".part", ignored);
    }
    TemporaryDataset(const TemporaryDataset&) = delete;
    TemporaryDataset& operator=(const TemporaryDataset&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

// Empty: done.
std::string record_frames(const FrameBench& bench, const Scene& scene, double time, int frames,
                          const std::string& path, const BenchGoOn& go_on) {
    const std::int64_t steps = steps_for(scene, time);
    const auto first =
        static_cast<std::int64_t>(bench.from / bench.time * static_cast<double>(steps));
    FrameOutput output;
    output.path = path;
    output.every = std::max<std::int64_t>(1, (steps - first) / frames);
    Simulation sim =
        make_simulation(scene.model, scene.state, scene.controls, scene.contact, scene.step, 1);
    DatasetManifest manifest;
    manifest.description = scene.description;
    FrameRecorder recorder(output, manifest, sim);
    for (std::int64_t i = 0; i < steps; ++i) {
        const bool late = i >= first;
        if (late) recorder.before_step(sim);
        const StepOutcome outcome = step(sim, [&](const Simulation& now) {
            if (late) recorder.observe(now);
        });
        if (outcome != StepOutcome::kDone) return describe_failure(sim);
        if (!go_on(static_cast<double>(i) / static_cast<double>(steps))) return "interrupted";
    }
    recorder.finish();
    return recorder.failure();
}

struct SolvedFrames {
    std::vector<ComparedFrame> rows;
    std::vector<VariantTotals> totals;
    std::string failure;
};

SolvedFrames solve_frames(const std::vector<Dataset>& files, bool equal_work,
                          const BenchGoOn& go_on) {
    FrameComparisonSettings settings;
    for (const FrameSolverOfPaper& solver : kFrameSolvers) {
        settings.variants.push_back(
            {std::string(solver.label), contact_from(std::string(solver.contact)), {}});
    }
    settings.equal_work = equal_work;
    FrameComparison comparison(files, settings);
    std::vector<FrameChosen> frames;
    for (std::size_t f = 0; f < files.front().size(); ++f) frames.push_back({0, f});
    SolvedFrames solved;
    std::size_t solved_frames = 0;
    comparison.run(frames, {.go_on =
                                [&](std::size_t done) {  // 0 also while a frame is solved
                                    solved_frames = std::max(solved_frames, done);
                                    const bool goes = go_on(static_cast<double>(solved_frames) /
                                                            static_cast<double>(frames.size()));
                                    if (!goes) solved.failure = "interrupted";
                                    return goes;
                                },
                            .row = [&](const ComparedFrame& row) { solved.rows.push_back(row); },
                            .remark = [](const std::string&, const std::string&) {}});
    solved.totals = add_up_variants(comparison, solved.rows);
    return solved;
}

BenchTable frames_table(const std::string& name, const std::string& title,
                        const SolvedFrames& solved) {
    BenchTable table;
    table.name = name;
    table.title = title;
    table.columns = {{"solver"},
                     {"solved", "frames"},
                     {"frames"},
                     {"time", "ms", 3},
                     {"iterations", "", 3},
                     {"resting", "", 4},
                     {"sliding", "", 4},
                     {"wrong_way", "", 3},
                     {"penetration", "m", 2},
                     {"alignment", "", 2},
                     {"creep", "m/s", 2},
                     {"cone", "N s", 2},
                     {"anomalous", "J", 2},
                     {"natural", "", 2},
                     {"scaled", "", 2}};
    for (const VariantTotals& t : solved.totals) {
        table.rows.push_back({t.label, static_cast<std::int64_t>(t.solved),
                              static_cast<std::int64_t>(t.frames), t.median_ms, t.iterations,
                              t.resting, t.sliding, t.misaligned, t.penetration, t.alignment,
                              t.creep, t.cone, t.anomalous, t.natural, t.scaled});
    }
    return table;
}

Figure frames_figure(const FrameBench& bench, const SolvedFrames& solved) {
    Figure figure;
    figure.columns = 2;
    figure.panel_width = 500;
    figure.panel_height = 260;
    const SharedAxes axes = shared_axes(solved.rows);
    for (std::size_t v = bench.first_drawn; v < bench.first_drawn + bench.drawn; ++v) {
        Figure one = variant_figure(solved.rows, v, axes);
        for (Plot& panel : one.panels) {
            panel.title = std::string(kFrameSolvers[v].label) + ": " + panel.title;
            figure.panels.push_back(panel);
        }
    }
    return figure;
}

// "PGS 19 %, ...": of the sliding contacts, those that friction pushes.
std::string wrong_ways(const SolvedFrames& solved) {
    std::string text;
    for (const VariantTotals& t : solved.totals) {
        const double share = t.sliding > 0 ? 100 * t.misaligned / t.sliding : 0;
        text += (text.empty() ? "" : ", ") + t.label + " " + bench_text(share, 2) + " %";
    }
    return text;
}

std::string wrong_way_note(const SolvedFrames& own, const SolvedFrames& equal) {
    constexpr double kHardlyAny = 0.01;  // of the sliding contacts
    double most = 0;
    for (const SolvedFrames* solved : {&own, &equal}) {
        for (const VariantTotals& t : solved->totals)
            most = std::max(most, t.sliding > 0 ? t.misaligned / t.sliding : 0);
    }
    const std::string shares =
        "Of the sliding contacts, with the time that PGS took: " + wrong_ways(equal) +
        "; each to its own end: " + wrong_ways(own) + ". ";
    if (most < kHardlyAny) {
        return "That friction pushes hardly comes out. " + shares +
               "Such contacts are the error of an answer that was stopped early, and these "
               "problems are solved to the residuals of the table before that.";
    }
    return "That friction pushes comes out. " + shares +
           "They are the error of answers that were stopped early.";
}

BenchReport bench_frames(const FrameBench& bench, const BenchSettings& settings,
                         const BenchGoOn& go_on) {
    const Scene scene = load_scene(settings.scenes + "/" + std::string(bench.scene) + ".yaml");
    const double time = settings.time.value_or(settings.quick ? bench.quick_time : bench.time);
    const int wanted = settings.quick ? bench.quick_frames : bench.frames;
    const auto part = [&](double from, double share) {
        return [&go_on, from, share](double done) { return go_on(from + share * done); };
    };
    BenchReport report;
    report.benchmark = bench.name;
    const TemporaryDataset file{std::string(bench.name)};
    const std::string failure =
        record_frames(bench, scene, time, wanted, file.path(), part(0, 0.4));
    if (!failure.empty()) {
        report.status = failure;
        return report;
    }
    const std::vector<Dataset> files = {Dataset(file.path())};
    const SolvedFrames own = solve_frames(files, false, part(0.4, 0.3));
    const SolvedFrames equal =
        own.failure.empty() ? solve_frames(files, true, part(0.7, 0.3)) : SolvedFrames{};
    for (const std::string& why : {own.failure, equal.failure})
        if (!why.empty()) report.status = why;
    const std::string figure(bench.figure);
    report.tables.push_back(
        frames_table("equal_work", figure + ": all with the time that PGS took", equal));
    report.tables.push_back(frames_table("to_the_end", "The same, each to its own end", own));
    report.notes = {
        std::to_string(files.front().size()) + " frames of " + bench_text(time, 3) +
        " s of scenes/" + std::string(bench.scene) +
        ".yaml, every solver from zero impulses and alone. Counts are means over the frames, "
        "times and norms over the contacts medians; wrong_way: sliding contacts whose friction "
        "pushes; natural, scaled: distances from Coulomb's law (docs/datasets.md)."};
    report.notes.insert(report.notes.end(), bench.notes.begin(), bench.notes.end());
    if (report.status == "done") report.notes.push_back(wrong_way_note(own, equal));
    // One solver alone is drawn as it is used, several with equal work.
    report.figure = frames_figure(bench, bench.drawn == 1 ? own : equal);
    return report;
}

}  // namespace

BenchReport bench_logpile(const BenchSettings& settings, const BenchGoOn& go_on) {
    return bench_frames(
        {.name = "logpile",
         .scene = "logpile",
         .figure = "Figure 3",
         .from = 0.2,
         .time = 1.5,
         .quick_time = 1.5,
         .frames = 100,
         .quick_frames = 20,
         .first_drawn = 0,
         .drawn = kFrameSolvers.size(),
         .notes =
             {"[LLLT15] plots the same measures for its solvers, without numbers, and finds that "
              "many sliding contacts are pushed by friction, under every solver, and that Morales' "
              "solver finds fewer resting contacts than the others. Theirs works on the friction "
              "box, whose axes do not follow the sliding: its friction is misaligned by the law, "
              "not by lack of work."}},
        settings, go_on);
}

BenchReport bench_loader(const BenchSettings& settings, const BenchGoOn& go_on) {
    return bench_frames(
        {.name = "loader",
         .scene = "loader",
         .figure = "Figure 4",
         .from = 4,
         .time = 13,
         .quick_time = 1,
         .frames = 100,
         .quick_frames = 5,
         .first_drawn = 3,
         .drawn = 1,
         .notes = {"[LLLT15] shows the block pivot solver alone: PGS failed on every frame there, "
                   "Morales' solver took no joints, Alart-Curnier was too slow. Ours all take "
                   "joints and motors, or say that they do not by solving none."}},
        settings, go_on);
}

}  // namespace stiction
