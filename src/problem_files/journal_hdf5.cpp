// journal_hdf5.cpp - takes records out of a journal and writes them as HDF5, at once or as they come.
#include "problem_files/journal_hdf5.h"

#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

#include "record/output_file.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

std::string temporary_path(const std::string& path) { return part_path(path) + ".h5"; }

// A file that HDF5 could not write stays open (dataset_hdf5.h): what it holds of the disk is given back
// by making it empty.
void remove_temporary(const std::string& path) {
    std::error_code ignored;
    fs::resize_file(temporary_path(path), 0, ignored);
    fs::remove(temporary_path(path), ignored);
}

}  // namespace

JournalHdf5::JournalHdf5(std::string journal, std::string path, bool append)
    : journal_(std::move(journal)), path_(std::move(path)) {
    const std::string temporary = temporary_path(path_);
    std::error_code error;
    fs::remove(temporary, error);
    const bool joins = append && fs::exists(path_, error);
    try {
        if (joins && !fs::copy_file(path_, temporary, error))
            throw OutputError("cannot write '" + temporary + "': " + error.message());
        writer_ = std::make_unique<DatasetHdf5Writer>(temporary, joins);
    } catch (const OutputError&) {
        remove_temporary(path_);
        throw;
    }
}

JournalHdf5::~JournalHdf5() {
    if (!writer_) return;
    writer_->discard();
    remove_temporary(path_);
}

void JournalHdf5::add(const JournalRecord& record) {
    const DatasetGroup group = read_journal(journal_, record);
    if (record.kind == RecordKind::kManifest) {
        writer_->start_simulation(group);
    } else {
        writer_->add_frame(group);
    }
}

void JournalHdf5::complete() {
    writer_->close();
    std::error_code error;
    fs::rename(temporary_path(path_), path_, error);
    if (error)
        throw OutputError("cannot rename '" + temporary_path(path_) + "' to '" + path_ +
                          "': " + error.message());
    writer_.reset();
}

void finish_journal(const std::string& journal, const std::string& path, bool append) {
    try {
        JournalHdf5 file(journal, path, append);
        JournalReader reader(journal);
        while (const std::optional<JournalRecord> record = reader.next()) file.add(*record);
        file.complete();
    } catch (const OutputError& failure) {
        throw OutputError(std::string(failure.what()) + "; the frames are in '" + journal +
                          "', where they can be read: stiction convert " + journal +
                          " FILE --to dataset completes it elsewhere");
    }
}

JournalFollower::JournalFollower(const std::string& journal, const std::string& path, bool append)
    : journal_(journal), path_(path), append_(append), thread_([this] { work(); }) {}

JournalFollower::~JournalFollower() { give_up(); }

void JournalFollower::record_written() {
    {
        const std::lock_guard lock(mutex_);
        ++written_;
    }
    changed_.notify_all();
}

std::int64_t JournalFollower::behind() const {
    const std::lock_guard lock(mutex_);
    return left_ ? written_ : written_ - done_;
}

void JournalFollower::stop() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void JournalFollower::give_up() {
    {
        const std::lock_guard lock(mutex_);
        left_ = true;
    }
    stop();
    file_.reset();
}

void JournalFollower::finish() {
    stop();
    if (file_ && !left_) {
        try {
            file_->complete();
            file_.reset();
            return;
        } catch (const OutputError&) {  // of a disk that was full
            left_ = true;
        }
    }
    file_.reset();
    finish_journal(journal_, path_, append_);
}

// What goes wrong here is told by finish(), if it goes wrong there again.
void JournalFollower::work() {
    try {
        follow();
    } catch (const std::exception&) {
        file_.reset();
        const std::lock_guard lock(mutex_);
        left_ = true;
    }
}

void JournalFollower::follow() {
    std::optional<JournalReader> reader;
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return left_ || ended_ || done_ < written_; });
        if (left_ || done_ == written_) return;
        lock.unlock();
        if (!file_) {
            file_ = std::make_unique<JournalHdf5>(journal_, path_, append_);
            reader.emplace(journal_);
        }
        file_->add(reader->next().value());
        lock.lock();
        ++done_;
    }
}

}  // namespace stiction
