// dataset.cpp - lists the frames of a file and reads one.
#include "problem_files/dataset.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "problem_files/problem_file.h"
#include "problem_files/read_frame.h"

namespace stiction {

namespace {

constexpr const char* kCollection = "simulation_";

std::vector<Hdf5Group> find_frames(const std::string& path, std::uint64_t most = 1'000'000) {
    std::vector<Hdf5Group> frames =
        find_hdf5_groups(path, kCollection, "bodies", "contacts/normals", most);
    for (Hdf5Group& frame : frames) frame.values /= 3;
    return frames;
}

std::string record_name(int simulation, int frame) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "simulation_%05d/mbs_frame%06d", simulation, frame);
    return text.data();
}

}  // namespace

bool is_dataset(const std::string& path) {
    if (!starts_as_hdf5(path)) return is_journal(path);
    return !find_frames(path, 1).empty();
}

Dataset::Dataset(const std::string& path) : path_(path) {
    if (!starts_as_hdf5(path)) {
        if (!is_journal(path))
            throw InputError(path + ": is neither HDF5 nor what a run leaves of a dataset");
        journal_ = true;
        list_records();
        return;
    }
    for (Hdf5Group& frame : find_frames(path))
        frames_.push_back({std::move(frame.name), frame.values});
    if (frames_.empty())
        throw InputError(path +
                         ": has no frames: no group with 'bodies', at the root or under a group "
                         "'simulation_*'");
}

void Dataset::list_records() {
    int frame = 0;
    for (const JournalRecord& record : list_journal(path_)) {
        if (record.kind == RecordKind::kManifest) {
            manifests_.push_back(record);
            frame = 0;
        } else {
            const auto simulation = static_cast<int>(manifests_.size());
            frames_.push_back({record_name(simulation, ++frame), 0, record, simulation - 1});
        }
    }
}

Hdf5Content Dataset::content(std::size_t frame) const {
    const Entry& entry = frames_[frame];
    if (!journal_) return Hdf5Content(path_, entry.name);
    return {path_, entry.name, as_content(read_journal(path_, entry.record))};
}

Hdf5Content Dataset::answers(std::size_t frame) const {
    const std::string group = frames_[frame].name + "/solver_data";
    if (!journal_) {
        try {
            return Hdf5Content(path_, group);
        } catch (const InputError&) {
            return {path_, group, {}};
        }
    }
    const std::string start = "solver_data/";
    Hdf5Content::Objects objects;
    for (auto& [name, array] : as_content(read_journal(path_, frames_[frame].record))) {
        if (name.starts_with(start)) objects[name.substr(start.size())] = array;
    }
    return {path_, group, std::move(objects)};
}

std::string Dataset::simulation(std::size_t frame) const {
    return std::filesystem::path(frames_[frame].name).parent_path().string();
}

Hdf5Content Dataset::manifest(std::size_t frame) const {
    const Entry& entry = frames_[frame];
    if (journal_) {
        if (entry.manifest == kNone) return {path_, "manifest", {}};
        return {path_, "manifest", as_content(read_journal(path_, manifests_[at(entry.manifest)]))};
    }
    const std::string folder = simulation(frame);
    try {
        return Hdf5Content(path_, folder.empty() ? "manifest" : folder + "/manifest");
    } catch (const InputError&) {
        return {path_, "manifest", {}};
    }
}

ProblemFrame Dataset::read(std::size_t frame) const { return read_frame(content(frame)); }

}  // namespace stiction
