// dataset_writer.h - frames of a run on their way to a dataset. A thread of its own measures and
// encodes them and appends them to the journal NAME.part (dataset_journal.h); at the end the journal
// becomes the HDF5 file NAME. What waits for the thread is bounded, and HDF5 is called by finish()
// alone, on the thread that calls it.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "problem_files/dataset_array.h"
#include "problem_files/dataset_journal.h"
#include "problem_files/problem_frame.h"

namespace stiction {

// Who made a dataset, and from what. Texts end up in `manifest`.
struct DatasetManifest {
    std::string description;
    std::string scene;    // its text
    std::string command;  // the words of the command line
    std::string date;     // ISO 8601, UTC
    std::string version;
    struct Image {  // optional: rows from the top, three bytes per pixel
        int width = 0, height = 0;
        std::vector<std::uint8_t> pixels;
    } image;
};
[[nodiscard]] DatasetGroup manifest_arrays(const DatasetManifest& manifest);
[[nodiscard]] std::string date_now();

class DatasetWriter {
  public:
    // With `append` the frames become one more simulation of what `path` holds. Throws InputError
    // where the name will not do, OutputError where writing fails.
    DatasetWriter(const std::string& path, bool append, const DatasetManifest& manifest);
    ~DatasetWriter();  // leaves NAME.part unless it has no frame
    DatasetWriter(const DatasetWriter&) = delete;
    DatasetWriter& operator=(const DatasetWriter&) = delete;

    void add(ProblemFrame&& frame);  // waits where too many are on their way
    // What went wrong on the thread; empty: nothing.
    [[nodiscard]] std::string failure() const;
    // Waits for the thread, makes the HDF5 file and removes the journal. Throws OutputError; then the
    // frames are in NAME.part.
    void finish();

  private:
    void work();
    void stop();

    std::string path_;
    bool append_;
    JournalWriter journal_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<ProblemFrame> waiting_;
    std::size_t waiting_bytes_ = 0;
    bool ended_ = false;
    bool empty_ = true;
    std::string failure_;
    std::thread thread_;
};

// Fills in the quality of the frame's answers.
void measure_answers(ProblemFrame& frame);

// One frame as a file of its own.
void write_dataset(const std::string& path, const DatasetManifest& manifest, ProblemFrame frame);

}  // namespace stiction
