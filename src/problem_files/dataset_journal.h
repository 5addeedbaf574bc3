// dataset_journal.h - frames as they are kept while a run goes on: a file that only grows, one record
// per frame, so that every frame that was written can be read whatever happens afterwards. A run that
// ends makes HDF5 of it.
//
//   "stiction frames 1\n", then records: mark, kind, length [bytes], checksum of the content, content
//
// A last record that is cut off is what was being written; it is passed over.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "problem_files/dataset_array.h"

namespace stiction {

enum class RecordKind : std::uint32_t { kManifest = 1, kFrame = 2 };

class JournalWriter {
  public:
    explicit JournalWriter(const std::string& path);  // of the journal itself; throws OutputError
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    // Throws OutputError; then the file ends with the record before, and this one may be tried again.
    void add(RecordKind kind, const DatasetGroup& group);

  private:
    void write(const char* data, std::size_t size);

    std::string path_;
    int file_ = -1;
    std::int64_t size_ = 0;  // of what is complete [bytes]
    std::vector<char> bytes_;
};

struct JournalRecord {
    RecordKind kind = RecordKind::kFrame;
    std::uint64_t offset = 0;  // of the content in the file
    std::uint64_t length = 0;
    std::uint64_t checksum = 0;
};

[[nodiscard]] bool is_journal(const std::string& path);

// Record after record, also while the journal grows.
class JournalReader {
  public:
    explicit JournalReader(const std::string& path);  // throws InputError

    // The next complete record; none where there is none yet. Throws InputError.
    [[nodiscard]] std::optional<JournalRecord> next();

  private:
    [[nodiscard]] bool holds(std::uint64_t bytes);  // from place_ on

    std::string path_;
    std::ifstream file_;
    std::uint64_t place_ = 0;
    std::uint64_t size_ = 0;  // of the file when it was last looked at [bytes]
};

// The complete records of a journal. Throws InputError.
[[nodiscard]] std::vector<JournalRecord> list_journal(const std::string& path);

// The arrays of a record's content, every size held against the bytes that are there.
[[nodiscard]] DatasetGroup decode_record(const std::string& path, const std::vector<char>& bytes);

// Throws InputError where the record is damaged.
[[nodiscard]] DatasetGroup read_journal(const std::string& path, const JournalRecord& record);

}  // namespace stiction
