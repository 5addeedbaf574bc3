// slurm_script.h - a sweep as a job array of Slurm: every task runs a block of jobs into the shared
// folder of results, and one more task, after all of them, makes the table.
#pragma once

#include <cstdint>
#include <string>

namespace stiction {

struct SlurmSettings {
    std::string program;  // paths, absolute
    std::string sweep_file;
    std::string results;  // folder
    std::string scripts;  // folder that gets them, and the tasks' output
    std::string name;
    std::int64_t jobs = 0;
    std::int64_t block = 0;  // jobs of a task; 0: as few as fit into kMostTasks
};

// Slurm's MaxArraySize is 1001 unless its administrator says otherwise: indices up to 1000.
inline constexpr std::int64_t kMostTasks = 1000;

struct SlurmScripts {
    std::int64_t block = 0, tasks = 0;
    std::string array;   // array.sh
    std::string table;   // table.sh
    std::string submit;  // submit.sh
};

// Throws InputError where the blocks are too small for an array.
[[nodiscard]] SlurmScripts make_slurm_scripts(const SlurmSettings& settings);

}  // namespace stiction
