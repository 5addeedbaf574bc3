// sweep_file.h - a sweep as its file says: a scene, what is varied, how long a run is, and what is
// kept of it. docs/sweeps.md describes the file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scene/document.h"

namespace stiction {

inline constexpr std::int64_t kMaxJobs = 1'000'000;  // of a sweep; more is a mistake of a range

// What an axis sets.
enum class Varied { kParameter, kModel, kSolver, kNarrowphase, kStep, kTolerance, kSeed, kSample };

struct SweepAxis {
    Varied what = Varied::kParameter;
    std::string name;                 // of the parameter, or the key in the file
    std::vector<std::string> values;  // numbers in the shortest digits that give them again
    std::string place;                // file:line:column
};

// A parameter that has a value of its own in every sample.
struct SweepDraw {
    std::string name;
    double from = 0, to = 0;
    bool logarithmic = false;
    bool integer = false;
    std::string place;
};

struct KeptColumn {
    std::string name;  // in the table
    std::string path;  // in the summary of a run (summary_columns.h)
    std::string place;
};

enum class SweepPlotKind { kLines, kHeatMap };

struct SweepPlot {
    SweepPlotKind kind = SweepPlotKind::kLines;
    std::string file;    // in the folder of results
    std::string title;   // empty: what is shown
    std::string x, y;    // axes; y: of heat maps
    std::string value;   // a kept column
    std::string series;  // an axis: a line for each of its values; empty: one line
    std::string panels;  // an axis: a panel for each of its values; empty: one panel
    bool log_x = false, log_value = false;
};

struct SweepInput {
    std::string path;
    std::string place;
};

struct Sweep {
    std::string path;
    std::string name;  // of the file, without .yaml
    std::string description;
    std::string scene;            // path
    std::string scene_place;      // file:line:column
    std::vector<SweepAxis> axes;  // in the order of the file; the last varies fastest
    std::vector<SweepDraw> draws;
    std::uint64_t draw_seed = 1;
    std::optional<std::int64_t> steps;
    std::optional<double> time;  // [s]; neither: the scene's duration
    bool quality = false;        // measured in every step
    std::vector<KeptColumn> keep;
    std::vector<SweepInput> files;  // that belong to the jobs beside those that the scene reads
    std::vector<SweepPlot> plots;

    [[nodiscard]] std::int64_t jobs() const;  // product of the axes
};

// Gives the path of a scene that the file names, or throws InputError.
using SceneFinder = std::function<std::string(const std::string& name)>;

// Throws InputError (file:line:column: ...). A scene is looked for beside the file first.
[[nodiscard]] Sweep read_sweep(const std::string& path, const SceneFinder& find_scene);
[[nodiscard]] Sweep read_sweep(const Document& document, const SceneFinder& find_scene);

}  // namespace stiction
