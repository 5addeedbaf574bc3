// row_journal.h - results as they come. Every process that runs jobs of a sweep writes a file of its
// own into one folder, a line per finished job: a checksum and the result. A line is written by one
// call, so that a killed process costs at most the line it was writing, which the checksum shows.
// Any driver may put such files there: what is in them counts, not who wrote them.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sweep/job.h"

namespace stiction {

class RowJournal {
  public:
    // A new file in `folder`, which is made where it is missing; or on standard output for "-".
    // Throws InputError.
    explicit RowJournal(const std::string& folder);
    ~RowJournal();
    RowJournal(const RowJournal&) = delete;
    RowJournal& operator=(const RowJournal&) = delete;

    void add(const JobResult& result);  // throws OutputError

  private:
    std::string path_;
    int file_ = -1;
    bool empty_ = true;
};

struct JournalRows {
    std::map<std::string, JobResult> results;  // by id
    std::size_t torn = 0;                      // lines that are not whole
    std::string conflict;  // an id whose results differ from one file to another; empty: none
};

// All that the files of the folder hold; a folder that is not there holds nothing. Of several
// results of one job one that is done wins over one that crashed. Throws InputError for a file that
// is no journal.
[[nodiscard]] JournalRows read_journals(const std::string& folder);
// The lines of one file, added to `content`.
void read_journal_text(std::string_view text, const std::string& path, JournalRows& content);

}  // namespace stiction
