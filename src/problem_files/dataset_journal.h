// dataset_journal.h - frames as they are kept while a run goes on: a file that only grows, one record
// per frame, so that every frame that was written can be read whatever happens afterwards. A run that
// ends makes HDF5 of it.
//
//   "stiction frames 1\n", then records: mark, kind, length [bytes], checksum of the content, content
//
// A last record that is cut off is what was being written; it is passed over.
#pragma once

#include <cstdint>
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

    void add(RecordKind kind, const DatasetGroup& group);  // throws OutputError

  private:
    void write(const char* data, std::size_t size);

    std::string path_;
    int file_ = -1;
    std::vector<char> bytes_;
};

struct JournalRecord {
    RecordKind kind = RecordKind::kFrame;
    std::uint64_t offset = 0;  // of the content in the file
    std::uint64_t length = 0;
    std::uint64_t checksum = 0;
};

[[nodiscard]] bool is_journal(const std::string& path);

// The complete records of a journal. Throws InputError.
[[nodiscard]] std::vector<JournalRecord> list_journal(const std::string& path);

// The arrays of a record's content, every size held against the bytes that are there.
[[nodiscard]] DatasetGroup decode_record(const std::string& path, const std::vector<char>& bytes);

// Throws InputError where the record is damaged.
[[nodiscard]] DatasetGroup read_journal(const std::string& path, const JournalRecord& record);

}  // namespace stiction
