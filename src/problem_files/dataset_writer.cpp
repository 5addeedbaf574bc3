// dataset_writer.cpp - a queue of frames and the thread that empties it.
#include "problem_files/dataset_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <new>
#include <utility>

#include "core/error.h"
#include "metrics/step_quality.h"
#include "problem_files/dataset_hdf5.h"
#include "problem_files/frame_arrays.h"
#include "record/output_file.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

// Of frames that wait for the thread; one may be larger by itself.
constexpr std::size_t kMostWaitingBytes = std::size_t{64} << 20U;

// What a frame takes, roughly: the rows of its problem are most of it.
std::size_t bytes_of(const ProblemFrame& frame) {
    std::size_t bytes = sizeof(FrameBody) * frame.bodies.size() +
                        (sizeof(FrameContact) + 100) * frame.contacts.size();
    if (frame.step) {
        const ContactProblem& problem = frame.step->problem;
        bytes += sizeof(ContactRow) * problem.contacts.size() +
                 sizeof(Link) * problem.system.links.size() +
                 sizeof(InertiaBlock) * problem.system.blocks.size() +
                 sizeof(double) * problem.system.pool.size();
    }
    return bytes;
}

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
    : path_(path), append_(append), journal_(new_part(path, append)) {
    journal_.add(RecordKind::kManifest, manifest_arrays(manifest));
    thread_ = std::thread([this] { work(); });
}

DatasetWriter::~DatasetWriter() {
    stop();
    std::error_code ignored;
    if (empty_) fs::remove(part_path(path_), ignored);
}

void DatasetWriter::stop() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void DatasetWriter::add(ProblemFrame&& frame) {
    const std::size_t bytes = bytes_of(frame);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
        return waiting_.empty() || waiting_bytes_ + bytes <= kMostWaitingBytes || !failure_.empty();
    });
    if (!failure_.empty()) return;
    empty_ = false;
    waiting_bytes_ += bytes;
    waiting_.push_back(std::move(frame));
    lock.unlock();
    changed_.notify_all();
}

std::string DatasetWriter::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

void DatasetWriter::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        ProblemFrame frame = std::move(waiting_.front());
        waiting_.pop_front();
        waiting_bytes_ -= bytes_of(frame);
        std::string problem = failure_;
        lock.unlock();
        changed_.notify_all();
        try {
            if (problem.empty()) {
                measure_answers(frame);
                journal_.add(RecordKind::kFrame, frame_arrays(frame));
            }
        } catch (const OutputError& error) {
            problem = error.what();
        } catch (const std::bad_alloc&) {
            problem = "out of memory while '" + path_ + "' was written";
        }
        lock.lock();
        failure_ = problem;
    }
}

void DatasetWriter::finish() {
    stop();
    if (!failure_.empty()) throw OutputError(failure_);
    finish_journal(part_path(path_), path_, append_);
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
