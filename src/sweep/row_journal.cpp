// row_journal.cpp - appends and reads lines.
#include "sweep/row_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/error.h"
#include "core/hash.h"
#include "core/input_file.h"
#include "record/output_file.h"
#include "record/run_summary.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "stiction sweep rows 1\n";
constexpr std::string_view kSuffix = ".rows";
constexpr std::size_t kLargestJournal = std::size_t{4} << 30U;  // [bytes]: kMaxJobs of long lines
constexpr std::size_t kChecksum = 16;                           // digits

std::string checksum(std::string_view text) {
    Hash hash;
    for (const char c : text) hash.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return hash_text(hash.value());
}

std::string host_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return "host";
    return name.data();
}

// A file that nobody has: jobs of one sweep may run on many machines.
int create_file(const std::string& folder, std::string& path) {
    const std::string start =
        (fs::path(folder) / (host_name() + "-" + std::to_string(getpid()))).string();
    constexpr int kMostTries = 100'000;  // numbers of processes come again
    for (int i = 1; i <= kMostTries; ++i) {
        path = start + "-" + std::to_string(i) + std::string(kSuffix);
        const int file =
            open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

void write_whole(int file, std::string_view text, const std::string& path) {
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw OutputError("cannot write '" + path + "': " + std::strerror(errno));
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

bool same_result(const JobResult& a, const JobResult& b) {
    if (a.status != b.status || a.message != b.message) return false;
    return std::all_of(a.values.begin(), a.values.end(), [&](const auto& entry) {
        const auto other = b.values.find(entry.first);  // files may have kept other columns
        return other == b.values.end() || other->second == entry.second;
    });
}

void keep_result(JobResult result, JournalRows& content) {
    const auto [known, is_new] = content.results.try_emplace(result.id, result);
    if (is_new) return;
    JobResult& kept = known->second;
    if (result.status == JobStatus::kCrashed) return;
    if (kept.status == JobStatus::kCrashed) {
        kept = std::move(result);
    } else if (!same_result(kept, result)) {
        content.conflict = result.id;
    } else {
        kept.values.merge(result.values);
    }
}

}  // namespace

RowJournal::RowJournal(const std::string& folder) {
    if (folder == "-") {
        path_ = "standard output";
        file_ = dup(STDOUT_FILENO);
        return;
    }
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw InputError("cannot make the folder '" + folder + "': " + error.message());
    file_ = create_file(folder, path_);
    if (file_ < 0) throw InputError("cannot write into '" + folder + "': " + std::strerror(errno));
}

RowJournal::~RowJournal() {
    close(file_);
    if (empty_ && path_.ends_with(kSuffix)) unlink(path_.c_str());
}

void RowJournal::add(const JobResult& result) {
    const std::string line = result_line(result);
    std::string text(empty_ ? kFirstLine : "");
    text += checksum(line) + " " + line + "\n";
    empty_ = false;
    write_whole(file_, text, path_);
}

void read_journal_text(std::string_view text, const std::string& path, JournalRows& content) {
    if (!text.starts_with(kFirstLine)) {
        if (kFirstLine.starts_with(text)) return;  // killed in its first line
        throw InputError(path + ": not a journal of a sweep; expected '" +
                         std::string(kFirstLine.substr(0, kFirstLine.size() - 1)) +
                         "' as its first line");
    }
    text.remove_prefix(kFirstLine.size());
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const std::string_view row = line.substr(std::min(kChecksum + 1, line.size()));
        if (end == std::string_view::npos || line.substr(0, kChecksum) != checksum(row)) {
            ++content.torn;
            continue;
        }
        keep_result(read_result_line(row), content);
    }
}

JournalRows read_journals(const std::string& folder) {
    JournalRows content;
    std::error_code error;
    std::vector<std::string> paths;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == kSuffix) paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths)
        read_journal_text(read_input_file(path, "a journal of a sweep", kLargestJournal), path,
                          content);
    return content;
}

}  // namespace stiction
