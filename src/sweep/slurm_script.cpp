// slurm_script.cpp - the text of the scripts.
#include "sweep/slurm_script.h"

#include <algorithm>
#include <cctype>

#include "core/error.h"

namespace stiction {

namespace {

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

// A name of a job has no blanks, whatever the file is called.
std::string plain_name(const std::string& name) {
    std::string text = name;
    std::replace_if(
        text.begin(), text.end(),
        [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; },
        '_');
    return text;
}

std::string head(const SlurmSettings& settings, const std::string& what) {
    return "#!/bin/sh\n#SBATCH --job-name=" + plain_name(settings.name) + what +
           "\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n";
}

std::string sweep_words(const SlurmSettings& settings) {
    return quoted(settings.program) + " sweep " + quoted(settings.sweep_file) + " --out " +
           quoted(settings.results);
}

}  // namespace

SlurmScripts make_slurm_scripts(const SlurmSettings& settings) {
    SlurmScripts scripts;
    const std::int64_t least = (settings.jobs + kMostTasks - 1) / kMostTasks;
    scripts.block = settings.block > 0 ? settings.block : least;
    if (scripts.block < least)
        throw InputError("--block " + std::to_string(scripts.block) + ": " +
                         std::to_string(settings.jobs) + " jobs would be more than " +
                         std::to_string(kMostTasks) +
                         " tasks, which Slurm's arrays are limited "
                         "to; expected at least " +
                         std::to_string(least));
    scripts.tasks = (settings.jobs + scripts.block - 1) / scripts.block;
    const std::string jobs = std::to_string(settings.jobs);
    scripts.array =
        head(settings, "") + "#SBATCH --array=1-" + std::to_string(scripts.tasks) +
        "\n#SBATCH --output=task-%a.log\n" +
        "# Task k runs jobs (k - 1) * block + 1 to k * block. A task that was killed goes "
        "on where it\n# was when it is submitted again.\nblock=" +
        std::to_string(scripts.block) +
        "\nfirst=$(((SLURM_ARRAY_TASK_ID - 1) * block + 1))\n"
        "last=$((SLURM_ARRAY_TASK_ID * block))\n[ \"$last\" -gt " +
        jobs + " ] && last=" + jobs + "\nexec " + sweep_words(settings) +
        " --workers \"${SLURM_CPUS_PER_TASK:-1}\" --index \"$first-$last\"\n";
    scripts.table = head(settings, "-table") + "#SBATCH --output=table.log\nexec " +
                    sweep_words(settings) + " --table\n";
    scripts.submit =
        "#!/bin/sh\n# Submits the array, and after it the task that makes the table.\nset -e\ncd " +
        quoted(settings.scripts) +
        "\narray=$(sbatch --parsable array.sh)\n"
        "sbatch --dependency=\"afterany:${array%%;*}\" table.sh\n";
    return scripts;
}

}  // namespace stiction
