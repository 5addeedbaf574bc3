// sweep_file.cpp - reads the file, key by key.
#include "sweep/sweep_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <set>

#include "core/error.h"
#include "core/nearest.h"
#include "scene/node.h"
#include "step/run_length.h"
#include "sweep/summary_columns.h"
#include "sweep/sweep_values.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

constexpr double kLargestSweepStep = 1;    // [s], as of a scene
constexpr double kLargestSeed = 0x1.0p53;  // whole numbers of a double
constexpr std::size_t kMaxAxes = 32;       // more than anybody looks through
constexpr std::size_t kMaxPlots = 100;
constexpr std::array<std::string_view, 2> kDraws = {"uniform", "log_uniform"};
constexpr std::array<std::string_view, 2> kPlotKinds = {"lines", "heat_map"};
constexpr std::array<std::string_view, 2> kPlotScales = {"linear", "log"};

void add_axis(const Node& node, Varied what, const std::string& name,
              std::vector<std::string> values, Sweep& sweep) {
    if (sweep.axes.size() == kMaxAxes) node.fail("more than " + std::to_string(kMaxAxes) + " axes");
    sweep.axes.push_back({what, name, std::move(values), node.place()});
    if (sweep.jobs() > kMaxJobs)
        node.fail("with this the sweep has more than " + std::to_string(kMaxJobs) + " jobs");
}

void read_draw(const Node& node, const std::string& name, Sweep& sweep) {
    node.only({"draw", "from", "to", "integer"});
    SweepDraw draw;
    draw.name = name;
    draw.place = node.place();
    draw.logarithmic = node.at("draw").choice(kDraws, "distribution") == 1;
    draw.from = node.at("from").number(draw.logarithmic ? positive("") : Range{});
    draw.to = node.at("to").number(draw.logarithmic ? positive("") : Range{});
    if (const auto integer = node.find("integer")) draw.integer = integer->boolean();
    if (!(draw.from < draw.to)) node.fail("from must be less than to");
    sweep.draws.push_back(draw);
}

void read_parameter_axes(const Node& node, Sweep& sweep) {
    node.expect_map();
    for (std::size_t i = 0; i < node.size(); ++i) {
        const Node entry = node[i];
        if (entry.has("draw")) {
            read_draw(entry, node.key(i), sweep);
        } else {
            add_axis(entry, Varied::kParameter, node.key(i), read_numbers(entry), sweep);
        }
    }
}

void read_samples(const Node& node, Sweep& sweep) {
    node.only({"count", "seed"});
    const std::int64_t count = node.at("count").integer(1, kMaxJobs);
    if (const auto seed = node.find("seed"))
        sweep.draw_seed = static_cast<std::uint64_t>(seed->number(between(0, kLargestSeed)));
    std::vector<std::string> numbers;
    for (std::int64_t i = 1; i <= count; ++i) numbers.push_back(std::to_string(i));
    add_axis(node, Varied::kSample, "sample", std::move(numbers), sweep);
}

void read_kept(const Node& node, Sweep& sweep) {
    if (!node.is_map()) node.expect_list("columns of the summary of a run");
    std::set<std::string> names;
    for (std::size_t i = 0; i < node.size(); ++i) {
        const std::string path = node[i].text();
        const std::string name = node.is_map() ? node.key(i) : path;
        if (const std::string wrong = column_fault(path); !wrong.empty()) node[i].fail(wrong);
        if (!names.insert(name).second) node[i].fail("the column '" + name + "' comes twice");
        sweep.keep.push_back({name, path, node[i].place()});
    }
}

void keep_default_columns(Sweep& sweep) {
    for (const char* path :
         {"steps", "time", "contacts.mean", "contacts.max", "solver_stats.iterations_mean",
          "solver_stats.failures", "solver_stats.fallbacks", "solver_stats.residual_max",
          "penetration.max", "energy.total_end", "state_hash"})
        sweep.keep.push_back({path, path, sweep.path});
}

std::string read_plot_file(const Node& node) {
    const std::string& file = node.text();
    if (file.find('/') != std::string::npos || !file.ends_with(".svg") || file.size() <= 4)
        node.fail("found '" + file + "'; expected a name that ends in .svg, without folders");
    return file;
}

void read_plot(const Node& node, Sweep& sweep) {
    node.only(
        {"file", "type", "title", "x", "y", "value", "series", "panels", "x_scale", "value_scale"});
    SweepPlot plot;
    plot.file = read_plot_file(node.at("file"));
    plot.kind = static_cast<SweepPlotKind>(node.at("type").choice(kPlotKinds, "type"));
    if (const auto title = node.find("title")) plot.title = title->text();
    std::vector<std::string_view> axes, columns;
    for (const SweepAxis& axis : sweep.axes) axes.push_back(axis.name);
    for (const KeptColumn& column : sweep.keep) columns.push_back(column.name);
    const auto name = [](const Node& entry, const std::vector<std::string_view>& valid,
                         const std::string& what) {
        if (std::find(valid.begin(), valid.end(), entry.text()) == valid.end())
            entry.fail("the sweep has no " + what + " '" + entry.text() + "'" +
                       suggestion(entry.text(), valid));
        return entry.text();
    };
    plot.x = name(node.at("x"), axes, "axis");
    plot.value = name(node.at("value"), columns, "column");
    const bool map = plot.kind == SweepPlotKind::kHeatMap;
    if (map) plot.y = name(node.at("y"), axes, "axis");
    if (const auto y = node.find("y"); y && !map) y->fail("is for heat maps; lines have 'value'");
    if (const auto series = node.find("series")) {
        if (map) series->fail("is for lines; heat maps have 'y'");
        plot.series = name(*series, axes, "axis");
    }
    if (const auto panels = node.find("panels")) plot.panels = name(*panels, axes, "axis");
    if (const auto scale = node.find("x_scale"))
        plot.log_x = scale->choice(kPlotScales, "scale") == 1;
    if (const auto scale = node.find("value_scale"))
        plot.log_value = scale->choice(kPlotScales, "scale") == 1;
    for (const SweepPlot& other : sweep.plots) {
        if (other.file == plot.file) node.fail("two plots have the file '" + plot.file + "'");
    }
    sweep.plots.push_back(plot);
}

void read_length(const Node& root, Sweep& sweep) {
    const auto steps = root.find("steps"), time = root.find("time");
    if (steps && time) time->fail("'steps' is given as well; expected one of them");
    if (steps) sweep.steps = steps->integer(0, kMaxSteps);
    if (time) sweep.time = time->number(at_least_zero("s"));
}

// The axes come in the order of the file.
void read_axes(const Node& root, Sweep& sweep) {
    for (std::size_t i = 0; i < root.size(); ++i) {
        const std::string& key = root.key(i);
        const Node node = root[i];
        if (key == "parameters") read_parameter_axes(node, sweep);
        if (key == "samples") read_samples(node, sweep);
        if (key == "model") add_axis(node, Varied::kModel, key, read_words(node), sweep);
        if (key == "solver") add_axis(node, Varied::kSolver, key, read_words(node), sweep);
        if (key == "narrowphase")
            add_axis(node, Varied::kNarrowphase, key, read_words(node), sweep);
        if (key == "step")
            add_axis(
                node, Varied::kStep, key,
                read_numbers(node,
                             {.min = 0, .max = kLargestSweepStep, .above_min = true, .unit = "s"}),
                sweep);
        if (key == "tolerance")
            add_axis(node, Varied::kTolerance, key, read_numbers(node, positive("")), sweep);
        if (key == "seed")
            add_axis(node, Varied::kSeed, key, read_numbers(node, between(0, kLargestSeed), true),
                     sweep);
    }
}

// Two columns of one name would be one in the table.
void check_names(const Node& root, const Sweep& sweep) {
    std::set<std::string> names = {"job", "status", "message"};
    for (const SweepAxis& axis : sweep.axes) {
        if (!names.insert(axis.name).second)
            throw InputError(axis.place + ": '" + axis.name +
                             "' names a column of the table already");
    }
    for (const SweepDraw& draw : sweep.draws) {
        if (!names.insert(draw.name).second)
            throw InputError(draw.place + ": '" + draw.name +
                             "' names a column of the table already");
    }
    for (const KeptColumn& column : sweep.keep) {
        if (!names.insert(column.name).second)
            throw InputError(column.place + ": keep: '" + column.name +
                             "' names a column of the table already; expected another name, as in "
                             "'keep: {NAME: " +
                             column.path + "}'");
    }
    if (!sweep.draws.empty() && !root.has("samples"))
        throw InputError(sweep.draws.front().place + ": parameters." + sweep.draws.front().name +
                         ": is drawn, but there is no 'samples: {count: N}'");
    if (sweep.draws.empty() && root.has("samples"))
        root.at("samples").fail("no parameter is drawn; expected one with 'draw: uniform'");
}

std::string locate_scene(const Node& node, const SceneFinder& find_scene) {
    const fs::path folder = fs::path(node.document().path).parent_path();
    const std::string beside = (folder / node.text()).lexically_normal().string();
    std::error_code error;
    if (fs::is_regular_file(beside, error)) return beside;
    try {
        return find_scene(node.text());
    } catch (const InputError& wrong) {
        node.fail(wrong.what());
    }
}

}  // namespace

std::int64_t Sweep::jobs() const {
    std::int64_t count = 1;
    for (const SweepAxis& axis : axes) {
        count *= static_cast<std::int64_t>(axis.values.size());
        if (count > kMaxJobs) return kMaxJobs + 1;
    }
    return count;
}

Sweep read_sweep(const Document& document, const SceneFinder& find_scene) {
    const Scope nothing;
    ReadBudget budget;
    const Node root(document, budget, nothing);
    root.only({"version", "description", "scene", "parameters", "samples", "model", "solver",
               "narrowphase", "step", "tolerance", "seed", "steps", "time", "quality", "keep",
               "files", "plots"});
    const Node version = root.at("version");
    if (version.number() != 1)
        version.fail("unsupported version '" + version.text() + "'; expected 1");
    Sweep sweep;
    sweep.path = document.path;
    sweep.name = fs::path(document.path).stem().string();
    if (const auto text = root.find("description")) sweep.description = text->text();
    sweep.scene = locate_scene(root.at("scene"), find_scene);
    sweep.scene_place = root.at("scene").place();
    read_axes(root, sweep);
    read_length(root, sweep);
    if (const auto quality = root.find("quality")) sweep.quality = quality->boolean();
    if (const auto kept = root.find("keep")) {
        read_kept(*kept, sweep);
    } else {
        keep_default_columns(sweep);
    }
    check_names(root, sweep);
    const fs::path folder = fs::path(document.path).parent_path();
    for (const Node& file : root.entries("files", "files"))
        sweep.files.push_back({(folder / file.text()).lexically_normal().string(), file.place()});
    const std::vector<Node> plots = root.entries("plots", "plots");
    if (plots.size() > kMaxPlots) root.at("plots").fail("more than 100 plots");
    for (const Node& plot : plots) read_plot(plot, sweep);
    return sweep;
}

Sweep read_sweep(const std::string& path, const SceneFinder& find_scene) {
    return read_sweep(read_document(path, "sweep"), find_scene);
}

}  // namespace stiction
