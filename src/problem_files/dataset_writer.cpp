// dataset_writer.cpp - the journal of a run, and one who follows it.
#include "problem_files/dataset_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "metrics/step_quality.h"
#include "problem_files/dataset_hdf5.h"
#include "problem_files/frame_arrays.h"
#include "record/output_file.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

// As `stiction solve` will want them; a file of something else is not added to.
void check_appendable(const std::string& path) {
    std::error_code error;
    if (!fs::exists(path, error)) return;
    if (find_hdf5_groups(path, "simulation_", "bodies", "contacts/gaps", 1).empty())
        throw InputError("cannot append to '" + path + "': it is no dataset of frames");
}

// Two runs of one name: the second would throw away what the first has written. The journal of a run
// that has ended, or was killed, is not locked.
void check_journal_free(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const bool taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(file);
    if (taken) throw InputError("'" + path + "' is being written by another program");
}

// Where the journal goes, once it is clear that the frames can go where they are wanted.
std::string new_part(const std::string& path, bool append) {
    check_writable(path, true);
    if (append) check_appendable(path);
    check_journal_free(part_path(path));
    clear_part(path);
    return part_path(path);
}

}  // namespace

std::string date_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text.data();
}

DatasetGroup manifest_arrays(const DatasetManifest& manifest) {
    DatasetGroup group;
    GroupBuilder out(group);
    out.text("toolkit", "stiction");
    out.text("description", manifest.description);
    out.text("scene", manifest.scene);
    out.text("command", manifest.command);
    out.text("date", manifest.date);
    out.text("version", manifest.version);
    const DatasetManifest::Image& image = manifest.image;
    if (!image.pixels.empty()) {
        group.push_back(
            {"image",
             {static_cast<std::uint64_t>(image.height), static_cast<std::uint64_t>(image.width), 3},
             image.pixels});
    }
    return group;
}

void draw_image(DatasetManifest& manifest) {
    if (manifest.draw) manifest.image = manifest.draw();
    manifest.draw = nullptr;
}

void measure_answers(ProblemFrame& frame) {
    if (!frame.step) return;
    StepQualityWorkspace workspace;
    for (FrameAnswer& answer : frame.answers) {
        ContactSolution solution;
        solution.v = answer.v;
        solution.c_n = answer.c_n;
        solution.c_s = answer.c_s;
        solution.c_t = answer.c_t;
        measure_quality(frame.step->problem, solution, answer.quality.thresholds, workspace,
                        answer.quality);
    }
}

DatasetWriter::DatasetWriter(const std::string& path, bool append, const DatasetManifest& manifest)
    : path_(path),
      journal_(new_part(path, append)),
      follower_(part_path(path), path, append),
      manifest_(manifest),
      queue_(
          path,
          [this] {
              draw_image(manifest_);
              write(RecordKind::kManifest, manifest_arrays(manifest_));
          },
          [this](ProblemFrame& frame) {
              measure_answers(frame);
              write(RecordKind::kFrame, frame_arrays(frame));
          }) {}

DatasetWriter::~DatasetWriter() {
    queue_.stop();
    std::error_code ignored;
    if (empty_) fs::remove(part_path(path_), ignored);
}

void DatasetWriter::add(ProblemFrame&& frame) {
    empty_ = false;
    queue_.add(std::move(frame));
}

// Where the disk is full the file goes before the journal does.
void DatasetWriter::write(RecordKind kind, const DatasetGroup& group) {
    try {
        journal_.add(kind, group);
    } catch (const OutputError&) {
        follower_.give_up();
        journal_.add(kind, group);
    }
    follower_.record_written();
}

std::int64_t DatasetWriter::behind() const {
    return static_cast<std::int64_t>(queue_.waiting()) + follower_.behind();
}

void DatasetWriter::finish() {
    queue_.stop();
    if (const std::string problem = failure(); !problem.empty()) {
        follower_.give_up();
        throw OutputError(problem);
    }
    follower_.finish();
    std::error_code ignored;
    fs::remove(part_path(path_), ignored);
    empty_ = true;
}

void write_dataset(const std::string& path, const DatasetManifest& manifest, ProblemFrame frame) {
    measure_answers(frame);
    check_writable(path, true);
    clear_part(path);
    DatasetHdf5Writer writer(part_path(path), false);
    writer.start_simulation(manifest_arrays(manifest));
    writer.add_frame(frame_arrays(frame));
    writer.close();
    publish(path);
}

}  // namespace stiction
