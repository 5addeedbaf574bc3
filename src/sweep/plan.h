// plan.h - a sweep that was checked against its scene, with the id of every job: a hash of the scene,
// all files that it reads, what the job changes, its length and the build of the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sweep/job.h"
#include "sweep/sweep_file.h"

namespace stiction {

// A file as it was when the plan was made.
struct PlannedFile {
    std::string path;
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;  // of its last change
    std::uint64_t inode = 0;
};

struct Plan {
    Sweep sweep;
    std::vector<PlannedFile> files;
    std::vector<std::string> ids;  // of job i + 1

    [[nodiscard]] std::int64_t jobs() const { return static_cast<std::int64_t>(ids.size()); }
    [[nodiscard]] const std::string& id(std::int64_t number) const {
        return ids[static_cast<std::size_t>(number - 1)];
    }
    [[nodiscard]] Job job(std::int64_t number) const;
};

// Loads the scene of a few jobs and checks all parameters, models and columns. Throws InputError with the
// place in the sweep's file.
[[nodiscard]] Plan make_plan(Sweep sweep);

// The first file that is not as it was when the plan was made; empty: none.
[[nodiscard]] std::string changed_file(const Plan& plan);

}  // namespace stiction
