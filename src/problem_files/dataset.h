// dataset.h - a file of frames: HDF5, or the journal that a run leaves when it is killed. Frames are
// read one at a time, so that a file may hold more than memory does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem_files/dataset_journal.h"
#include "problem_files/problem_frame.h"
#include "record/hdf5_content.h"

namespace stiction {

// Whether the file holds frames, told by its content. Throws InputError where there is no file.
[[nodiscard]] bool is_dataset(const std::string& path);

class Dataset {
  public:
    explicit Dataset(const std::string& path);  // throws InputError

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::size_t size() const { return frames_.size(); }
    // "simulation_00001/mbs_frame000001"
    [[nodiscard]] const std::string& name(std::size_t frame) const { return frames_[frame].name; }
    // Contacts of a frame, counted without reading it; 0 where a journal does not say.
    [[nodiscard]] std::uint64_t contacts(std::size_t frame) const {
        return frames_[frame].contacts;
    }

    // Throws InputError that names file, frame and dataset.
    [[nodiscard]] ProblemFrame read(std::size_t frame) const;
    [[nodiscard]] Hdf5Content content(std::size_t frame) const;
    // The group `solver_data` of a frame; empty where it has none.
    [[nodiscard]] Hdf5Content answers(std::size_t frame) const;
    // "simulation_00001"; empty for frames at the root.
    [[nodiscard]] std::string simulation(std::size_t frame) const;
    // Of the simulation that the frame belongs to; empty where it has none.
    [[nodiscard]] Hdf5Content manifest(std::size_t frame) const;

  private:
    struct Entry {
        std::string name;
        std::uint64_t contacts = 0;
        JournalRecord record = {};  // of a journal
        int manifest = kNone;       // its record
    };
    void list_records();

    std::string path_;
    bool journal_ = false;
    std::vector<Entry> frames_;
    std::vector<JournalRecord> manifests_;
};

}  // namespace stiction
