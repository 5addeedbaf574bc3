// journal_hdf5.h - the HDF5 file that is made of a journal: under a temporary name beside the one it gets
// when it is complete. Where a run goes on, a thread follows its journal, so that little is left to do at
// the end; whatever stops that thread, the journal has all frames, and the file can be made of it anew.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "problem_files/dataset_hdf5.h"
#include "problem_files/dataset_journal.h"

namespace stiction {

class JournalHdf5 {
  public:
    // With `append` the frames join what `path` holds already, if it is there. Throws OutputError.
    JournalHdf5(std::string journal, std::string path, bool append);
    ~JournalHdf5();  // removes what was not completed
    JournalHdf5(const JournalHdf5&) = delete;
    JournalHdf5& operator=(const JournalHdf5&) = delete;

    void add(const JournalRecord& record);  // throws OutputError, InputError
    void complete();                        // gives the file its name; throws OutputError

  private:
    std::string journal_, path_;
    std::unique_ptr<DatasetHdf5Writer> writer_;
};

// All of a journal at once. Throws OutputError that says where the frames are.
void finish_journal(const std::string& journal, const std::string& path, bool append);

class JournalFollower {
  public:
    JournalFollower(const std::string& journal, const std::string& path, bool append);
    ~JournalFollower();  // gives up
    JournalFollower(const JournalFollower&) = delete;
    JournalFollower& operator=(const JournalFollower&) = delete;

    void record_written();  // one more is complete in the journal
    // Records that are not in the file yet.
    [[nodiscard]] std::int64_t behind() const;
    // Waits for the thread, and gives back what the file takes of the disk.
    void give_up();
    // Waits until all records are in the file and gives it its name. Where that failed on the way, the
    // file is made anew. Throws OutputError.
    void finish();

  private:
    void work();
    void follow();
    void stop();

    std::string journal_, path_;
    bool append_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::int64_t written_ = 0;           // records of the journal
    std::int64_t done_ = 0;              // of these in the file
    bool ended_ = false;                 // no more will come
    bool left_ = false;                  // the file was given up, or could not be made
    std::unique_ptr<JournalHdf5> file_;  // of the thread while it runs
    std::thread thread_;
};

}  // namespace stiction
