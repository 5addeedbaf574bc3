// targets.cpp - readers given bytes. Readers of files get them in a folder of this process in
// memory; where one reader opens several files, a line "%%% NAME" starts each.
#include "fuzz/targets.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/all_commands.h"
#include "core/error.h"
#include "fuzz/sealed_png.h"
#include "import/mesh_formats.h"
#include "import/urdf.h"
#include "problem_files/dataset.h"
#include "problem_files/frame_problem.h"
#include "problem_files/model_json.h"
#include "problem_files/problem_dat.h"
#include "problem_files/problem_fclib.h"
#include "problem_files/read_frame.h"
#include "record/sealed_state.h"
#include "record/state_file.h"
#include "record/trajectory.h"
#include "scene/document.h"
#include "scene/expression.h"
#include "scene/node.h"
#include "scene/png_grey.h"
#include "scene/scene.h"
#include "scene/terrain.h"
#include "step/simulation.h"
#include "sweep/plan.h"
#include "sweep/row_journal.h"
#include "sweep/sweep_file.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

class Folder {
  public:
    Folder() : path_(root() / ("stiction_fuzz_" + std::to_string(getpid()))) {
        fs::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] std::string write(const std::string& name, std::string_view bytes) const {
        const fs::path path = path_ / name;
        fs::remove(path);  // HDF5 takes a file for the one it has read when it is the same inode
        std::ofstream(path, std::ios::binary) << bytes;
        return path.string();
    }

    // Files of their own; what comes before the first "%%% NAME" is `first`, whose path is returned.
    [[nodiscard]] std::string write_all(const std::string& first, std::string_view bytes) const {
        constexpr std::string_view kMark = "%%% ";
        std::string name = first;
        while (true) {
            const std::size_t end = std::min(bytes.find(kMark), bytes.size());
            (void)write(name, bytes.substr(0, end));
            if (end == bytes.size()) return (path_ / first).string();
            bytes.remove_prefix(end + kMark.size());
            const std::size_t line = std::min(bytes.find('\n'), bytes.size());
            name = plain(bytes.substr(0, line));
            bytes.remove_prefix(std::min(line + 1, bytes.size()));
        }
    }

  private:
    static fs::path root() { return fs::is_directory("/dev/shm") ? "/dev/shm" : "/tmp"; }

    static std::string plain(std::string_view name) {
        std::string result;
        for (const char c : name.substr(0, 40)) {
            if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_')
                result += c;
        }
        return result.empty() || result.front() == '.' ? "x" : result;
    }

    fs::path path_;
};

const Folder& folder() {
    static const Folder one;
    return one;
}

// Runs a reader; a message must say something.
template <class Read>
void accept(const Read& read) {
    try {
        read();
    } catch (const InputError& error) {
        if (std::string_view(error.what()).empty()) std::abort();
    }
}

void expression(std::string_view bytes) {
    const Scope scope{nullptr, {{"a", 2.0}, {"long_name", -0.5}}};
    try {
        (void)evaluate(bytes, scope);
    } catch (const ExpressionError&) {
    }
}

void scene(std::string_view bytes) {
    accept([&] { (void)load_scene(folder().write_all("scene.yaml", bytes)); });
}

void urdf(std::string_view bytes) {
    accept([&] { (void)import_urdf(folder().write_all("robot.urdf", bytes), {}); });
}

void obj(std::string_view bytes) {
    accept([&] { (void)parse_obj(bytes, "a.obj"); });
}
void stl(std::string_view bytes) {
    accept([&] { (void)parse_stl(bytes, "a.stl"); });
}
void ply(std::string_view bytes) {
    accept([&] { (void)parse_ply(bytes, "a.ply"); });
}
void collada(std::string_view bytes) {
    accept([&] { (void)read_mesh(folder().write("a.dae", bytes)); });
}
void gltf(std::string_view bytes) {  // as text, or in one piece with its numbers
    const char* name = bytes.starts_with("glTF") ? "a.glb" : "a.gltf";
    accept([&] { (void)read_mesh(folder().write(name, bytes)); });
}

void heights(std::string_view bytes) {
    static const Document field = parse_document("{size: [1, 1], heights: {file: heights.txt}}",
                                                 folder().write("field.yaml", ""));
    (void)folder().write("heights.txt", bytes);
    accept([&] {
        ReadBudget budget;
        const Scope scope{};
        (void)read_heightfield(Node(field, budget, scope), 1);
    });
}

void png(std::string_view bytes) {
    constexpr int kMost = 4096;
    accept([&] { (void)read_grey_png(folder().write("a.png", bytes), kMost); });
    const std::string sealed = test::sealed_png(bytes);
    accept([&] { (void)read_grey_png(folder().write("a.png", sealed), kMost); });
}

void dat(std::string_view bytes) {
    accept([&] { (void)parse_dat(bytes, "a.dat"); });
}
void fclib(std::string_view bytes) {
    accept([&] { (void)read_fclib(folder().write("a.hdf5", bytes)); });
}

// Frames, as far as a problem that solvers take.
void frames(const Dataset& dataset) {
    for (std::size_t k = 0; k < dataset.size(); ++k)
        (void)make_frame_problem(dataset.read(k), dataset.name(k));
}
void dataset_hdf5(std::string_view bytes) {
    accept([&] { frames(Dataset(folder().write("frames.h5", bytes))); });
}
void dataset_journal(std::string_view bytes) {
    accept([&] { frames(Dataset(folder().write("frames.h5.part", bytes))); });
}
// The content of a record, past the checksum that would keep changed bytes out.
void frame_record(std::string_view bytes) {
    accept([&] {
        const std::vector<char> content(bytes.begin(), bytes.end());
        const Hdf5Content read("a.part", "frame", as_content(decode_record("a.part", content)));
        const ProblemFrame frame = read_frame(read);
        (void)make_frame_problem(frame, "frame");
        (void)make_frame_problem(frame, "frame", true);
    });
}
void model_settings(std::string_view bytes) {
    accept([&] { (void)parse_model_json(std::string(bytes)); });
}

void trajectory(const std::string& path) {
    accept([&] { check_trajectory(path, read_trajectory(path)); });
}
void trajectory_csv(std::string_view bytes) { trajectory(folder().write_all("a.csv", bytes)); }
void trajectory_hdf5(std::string_view bytes) { trajectory(folder().write("a.h5", bytes)); }

const std::string& ball_path() {
    static const std::string path = folder().write(
        "ball.yaml",
        "version: 1\ncontact: {model: no_slip}\nbodies:\n"
        "  - {name: ball, mass: 1, position: [0, 0, 1], shape: {type: sphere, radius: 0.1}}\n");
    return path;
}

// The checksum would keep changed bytes out: where they are still JSON, it is made to fit.
std::string sealed(std::string_view bytes) {
    constexpr int kDeepest =
        30;  // a reader of JSON goes as deep as its text; beyond what is refused
    int level = 0, deepest = 0;
    for (const char c : bytes) {
        level += static_cast<int>(c == '[' || c == '{') - static_cast<int>(c == ']' || c == '}');
        deepest = std::max(deepest, level);
    }
    if (deepest > kDeepest) return "";
    const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
    try {
        return json.is_object() ? test::sealed_state(json) : "";
    } catch (const nlohmann::json::exception&) {  // text that is no UTF-8
        return "";
    }
}

// What a state file brings along (warm starts above all) must be fit for the next step. One that is
// refused leaves the simulation as it was, so that it serves until a state was taken.
class GoingOn {
  public:
    GoingOn(const std::string& path, std::string name)
        : scene_(load_scene(path)), name_(std::move(name)) {}

    void from(const std::string& path) {
        accept([&] {
            if (!sim_) {
                sim_.reset(new Simulation(make_simulation(
                    scene_.model, scene_.state, scene_.controls, scene_.contact, scene_.step, 1)));
            }
            (void)load_state(path, name_, *sim_);
            const std::unique_ptr<Simulation> taken = std::move(sim_);
            (void)step(*taken);
        });
    }

  private:
    Scene scene_;
    std::string name_;
    std::unique_ptr<Simulation> sim_;
};

void state(std::string_view bytes) {
    static GoingOn ball(ball_path(), "ball");
    static GoingOn door(folder().write("door.yaml",
                                       "version: 1\ncontact: {model: coulomb_cone}\nbodies:\n"
                                       "  - {name: ground, kind: static, shape: {type: plane}}\n"
                                       "  - {name: ball, mass: 1, position: [1, 0, 0.1], "
                                       "shape: {type: sphere, radius: 0.1}}\n"
                                       "  - {name: door, mass: 1, position: [0, 0, 0.5], "
                                       "shape: {type: box, size: [1, 0.1, 1]}}\n"
                                       "joints:\n"
                                       "  - {name: hinge, type: revolute, child: door, "
                                       "anchor: [0, 0, 0.5], axis: [0, 0, 1], friction: 0.1}\n"),
                        "door");
    for (const std::string& text : {std::string(bytes), sealed(bytes)}) {
        if (text.empty()) continue;
        const std::string path = folder().write("a.json", text);
        ball.from(path);
        door.from(path);
    }
}

// The file, and where it has few jobs and reads nothing else, its plan on a scene that never changes.
void sweep(std::string_view bytes) {
    constexpr std::int64_t kFewJobs = 8;
    accept([&] {
        const Document document = parse_document(std::string(bytes), "a.yaml", "sweep");
        Sweep read = read_sweep(document, [](const std::string&) { return ball_path(); });
        read.scene = ball_path();
        if (read.jobs() <= kFewJobs && read.files.empty()) (void)make_plan(std::move(read));
    });
}
// A journal; and its lines past the checksum that would keep changed bytes out.
void sweep_rows(std::string_view bytes) {
    accept([&] {
        JournalRows rows;
        read_journal_text(bytes, "a.rows", rows);
    });
    accept([&] { (void)read_result_line(bytes); });
    accept([&] { (void)read_job_line(bytes); });
}

// A word per line.
void command_line(std::string_view bytes) {
    std::vector<std::string> words;
    std::istringstream lines{std::string(bytes)};
    for (std::string line; std::getline(lines, line);) words.push_back(line);
    accept([&] {
        AllCommands commands;
        const AllCommands::Asked asked = commands.read(words);
        if (asked.command == nullptr && asked.text.empty()) std::abort();
    });
}

constexpr std::array<FuzzTarget, 22> kTargets = {{{"expression", expression},
                                                  {"scene", scene},
                                                  {"urdf", urdf},
                                                  {"obj", obj},
                                                  {"stl", stl},
                                                  {"ply", ply},
                                                  {"collada", collada, true},
                                                  {"gltf", gltf, true},
                                                  {"heights", heights},
                                                  {"png", png},
                                                  {"dat", dat},
                                                  {"fclib", fclib, true},
                                                  {"dataset_hdf5", dataset_hdf5, true},
                                                  {"dataset_journal", dataset_journal},
                                                  {"frame_record", frame_record},
                                                  {"model_settings", model_settings},
                                                  {"trajectory_csv", trajectory_csv},
                                                  {"trajectory_hdf5", trajectory_hdf5, true},
                                                  {"state", state},
                                                  {"sweep", sweep},
                                                  {"sweep_rows", sweep_rows},
                                                  {"command_line", command_line}}};

}  // namespace

std::span<const FuzzTarget> fuzz_targets() { return kTargets; }

const FuzzTarget* find_fuzz_target(std::string_view name) {
    for (const FuzzTarget& target : kTargets) {
        if (target.name == name) return &target;
    }
    return nullptr;
}

}  // namespace stiction
