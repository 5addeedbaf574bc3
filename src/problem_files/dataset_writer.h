// dataset_writer.h - frames of a run on their way to a dataset. A thread of its own measures and
// encodes them and appends them to the journal NAME.part (dataset_journal.h); a second one makes of it
// what becomes the HDF5 file NAME at the end (journal_hdf5.h). What waits for the first is bounded, what
// waits for the second is in the journal.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "problem_files/dataset_array.h"
#include "problem_files/dataset_journal.h"
#include "problem_files/frame_queue.h"
#include "problem_files/journal_hdf5.h"
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
    // Where it is set, `image` is what it returns: called once by the thread that writes, as it takes long.
    std::function<Image()> draw;
};
[[nodiscard]] DatasetGroup manifest_arrays(const DatasetManifest& manifest);
void draw_image(DatasetManifest& manifest);
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
    [[nodiscard]] std::string failure() const { return queue_.failure(); }
    // Frames that are not in the HDF5 file yet.
    [[nodiscard]] std::int64_t behind() const;
    // Waits for the threads, completes the HDF5 file and removes the journal. Throws OutputError; then the
    // frames are in NAME.part.
    void finish();

  private:
    void write(RecordKind kind, const DatasetGroup& group);

    std::string path_;
    std::atomic<bool> empty_ = true;
    JournalWriter journal_;
    JournalFollower follower_;
    DatasetManifest manifest_;
    FrameQueue queue_;
};

// Fills in the quality of the frame's answers.
void measure_answers(ProblemFrame& frame);

// One frame as a file of its own.
void write_dataset(const std::string& path, const DatasetManifest& manifest, ProblemFrame frame);

}  // namespace stiction
