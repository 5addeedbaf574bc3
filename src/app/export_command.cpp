// export_command.cpp - stiction export: one frame of a dataset as the matrix and vector of an LCP;
// stiction convert: datasets, FCLIB and text problems into one another.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "app/command_line.h"
#include "app/commands.h"
#include "core/error.h"
#include "problem_files/cone_frame.h"
#include "problem_files/dataset.h"
#include "problem_files/dataset_hdf5.h"
#include "problem_files/dataset_writer.h"
#include "problem_files/frame_arrays.h"
#include "problem_files/frame_matrices.h"
#include "problem_files/frame_problem.h"
#include "problem_files/matrix_file.h"
#include "problem_files/problem_dat.h"
#include "problem_files/problem_fclib.h"
#include "record/output_file.h"
#include "scene/find_scene.h"

namespace stiction {

namespace {

constexpr const char* kExportExamples =
    "  stiction export wall.h5 --frame 3 --lcp 4 wall.npz\n"
    "  stiction export wall.h5 --frame 3 --lcp 8 wall.mat";
constexpr const char* kConvertExamples =
    "  stiction convert wall.h5 wall.hdf5 --to fclib --frame 3     one frame as an FCLIB problem\n"
    "  stiction convert RockPile.dat RockPile.hdf5 --to fclib\n"
    "  stiction convert RockPile.hdf5 RockPile.h5 --to dataset     for every model and solver\n"
    "  stiction convert others.h5 ours.h5 --to dataset             names and shapes as we write "
    "them\n"
    "  stiction convert killed.h5.part killed.h5 --to dataset      what a killed run had written";

constexpr int kMostSides = 64;  // as in scenes

struct ExportOptions {
    std::string file, output, to;
    std::int64_t frame = 1;
    int sides = 4;
};

std::size_t frame_index(const Dataset& dataset, std::int64_t frame) {
    if (frame < 1 || frame > static_cast<std::int64_t>(dataset.size()))
        throw InputError("--frame " + std::to_string(frame) + ": " + dataset.path() + " has " +
                         std::to_string(dataset.size()) + " frames, counted from 1");
    return static_cast<std::size_t>(frame - 1);
}

void check_export(const std::vector<std::string>& outputs, const std::string& input) {
    for (const std::string& output : outputs) check_writable(output, true);
    check_distinct(outputs, {input});
}

FrameProblem load_problem(const Dataset& dataset, std::size_t frame, std::string& place) {
    place = dataset.path() + ": " + dataset.name(frame);
    const ProblemFrame read = dataset.read(frame);
    for (const std::string& remark : read.remarks) spdlog::warn("{}: {}", place, remark);
    return make_frame_problem(read, place);
}

int export_frame(const ExportOptions& options) {
    if (options.sides < 4 || options.sides > kMostSides || options.sides % 2 != 0)
        throw InputError("--lcp " + std::to_string(options.sides) +
                         ": expected an even number of sides from 4 to " +
                         std::to_string(kMostSides));
    check_export(matrix_files(options.output), options.file);
    const Dataset dataset(options.file);
    std::string place;
    const FrameProblem problem = load_problem(dataset, frame_index(dataset, options.frame), place);
    write_matrices(options.output, frame_lcp(problem.problem, options.sides, place));
    return kExitDone;
}

ConeProblem cone_of(const ExportOptions& options) {
    if (!is_dataset(options.file)) return read_cone_problem(options.file);
    const Dataset dataset(options.file);
    std::string place;
    const FrameProblem problem = load_problem(dataset, frame_index(dataset, options.frame), place);
    return frame_cone(problem.problem, place);
}

// Rows from the top, three bytes per pixel; nothing where the array is something else.
void copy_image(const Hdf5Array& array, DatasetGroup& group) {
    const auto* pixels = std::get_if<std::vector<std::int64_t>>(&array.values);
    if (pixels == nullptr || array.shape.size() != 3 || array.shape[2] != 3) return;
    std::vector<std::uint8_t> bytes;
    bytes.reserve(pixels->size());
    for (const std::int64_t x : *pixels)
        bytes.push_back(static_cast<std::uint8_t>(std::clamp<std::int64_t>(x, 0, 255)));
    group.push_back({"image", array.shape, std::move(bytes)});
}

// The texts of a manifest and its picture, whoever wrote it.
DatasetGroup copy_manifest(const Hdf5Content& from) {
    DatasetGroup group;
    GroupBuilder out(group);
    for (const auto& [name, array] : from.objects()) {
        const auto* texts = std::get_if<std::vector<std::string>>(&array.values);
        if (texts != nullptr && texts->size() == 1) out.text(name, texts->front());
        if (name == "image") copy_image(array, group);
    }
    return group;
}

// A problem in W and q as a frame.
void convert_problem(const std::string& file, const std::string& output) {
    DatasetManifest manifest;
    manifest.description = "Contact problem of " + file;
    manifest.command = command_words();
    manifest.date = date_now();
    manifest.version = STICTION_VERSION;
    write_dataset(output, manifest, frame_of_cone(read_cone_problem(file), file));
}

// Frame by frame, so that memory does not grow with the file.
void copy_frames(const Dataset& dataset, const std::string& output) {
    DatasetHdf5Writer writer(part_path(output), false);
    std::string simulation;
    std::set<std::string> remarks;  // what was said already
    for (std::size_t k = 0; k < dataset.size(); ++k) {
        const std::string folder =
            std::filesystem::path(dataset.name(k)).parent_path().string() + "/";
        if (folder != simulation) writer.start_simulation(copy_manifest(dataset.manifest(k)));
        simulation = folder;
        const ProblemFrame frame = dataset.read(k);
        for (const std::string& remark : frame.remarks) {
            if (remarks.insert(remark).second)
                spdlog::warn("{}: {}: {}", dataset.path(), dataset.name(k), remark);
        }
        writer.add_frame(frame_arrays(frame));
    }
    writer.close();
}

// What was not completed is of no use.
void convert_dataset(const Dataset& dataset, const std::string& output) {
    clear_part(output);
    try {
        copy_frames(dataset, output);
    } catch (...) {
        clear_part(output);
        throw;
    }
    publish(output);
}

int convert(const ExportOptions& options) {
    check_export({options.output}, options.file);
    if (options.to == "fclib") {
        write_fclib(options.output, cone_of(options));
    } else if (options.to == "dat") {
        write_dat(options.output, cone_of(options));
    } else if (options.to == "dataset") {
        if (is_dataset(options.file)) {
            convert_dataset(Dataset(options.file), options.output);
        } else {
            convert_problem(options.file, options.output);
        }
    } else {
        throw InputError("--to: unknown format '" + options.to +
                         "'; expected one of: dataset, fclib, dat");
    }
    return kExitDone;
}

}  // namespace

Command add_export_command(CLI::App& app) {
    CLI::App* command = add_command(app, "export", "Write the LCP of one frame as matrices A and b",
                                    kExportExamples);
    auto options = std::make_shared<ExportOptions>();
    command->add_option("FILE", options->file, "Dataset of frames")->required();
    command
        ->add_option("OUTPUT", options->output,
                     ".mtx (b in NAME_b.mtx), .mat (MATLAB, Octave), .npz (NumPy) or .h5")
        ->required();
    command->add_option("--frame", options->frame, "Number of the frame, from 1")
        ->capture_default_str();
    command->add_option("--lcp", options->sides, "Sides of the friction polygon, even")
        ->capture_default_str();
    return {command, [options] {
                options->file = find_problem(options->file);
                return export_frame(*options);
            }};
}

Command add_convert_command(CLI::App& app) {
    CLI::App* command =
        add_command(app, "convert", "Convert datasets, FCLIB and text problems", kConvertExamples);
    auto options = std::make_shared<ExportOptions>();
    command->add_option("FILE", options->file, "Dataset, FCLIB or .dat file")->required();
    command->add_option("OUTPUT", options->output, "File to write")->required();
    command->add_option("--to", options->to, "dataset, fclib (local form) or dat")->required();
    command
        ->add_option("--frame", options->frame,
                     "Number of the frame of a dataset, from 1, for fclib and dat")
        ->capture_default_str();
    return {command, [options] {
                options->file = find_problem(options->file);
                return convert(*options);
            }};
}

}  // namespace stiction
