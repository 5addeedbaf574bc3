// sweep_command.cpp - stiction sweep: many runs of a scene over parameters, as one table.
#include <fcntl.h>
#include <sched.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/sweep_display.h"
#include "core/error.h"
#include "core/printable.h"
#include "core/thread_pool.h"
#include "record/output_file.h"
#include "scene/find_scene.h"
#include "sweep/run_sweep.h"
#include "sweep/slurm_script.h"
#include "sweep/sweep_plots.h"
#include "sweep/sweep_table.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSweepExamples =
    "  stiction sweep grasp_friction                    a sweep that ships, on all cores\n"
    "  stiction sweep my.yaml --dry-run                 its jobs, and which are done\n"
    "  stiction sweep my.yaml --out results --workers 4\n"
    "  stiction sweep my.yaml --index 1-100             some of the jobs, as a cluster's task "
    "does\n"
    "  stiction sweep my.yaml --table                   the table of what is done\n"
    "  stiction sweep my.yaml --slurm scripts           a job array of Slurm";

struct SweepOptions {
    std::string file;
    std::string out;  // folder of results; empty: NAME.sweep
    std::string index;
    std::string slurm;
    std::int64_t block = 0;
    int workers = 0;  // 0: one per core
    bool table = false, dry_run = false, print_rows = false, quiet = false, worker = false;
};

// Cores that this process may use.
int usable_cores() {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// "A-B" or "A". Throws InputError.
void read_index(const std::string& text, const Plan& plan, SweepRun& run) {
    if (text.empty()) return;
    const char* end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, run.first);
    run.last = run.first;
    if (read.ec == std::errc{} && read.ptr != end && *read.ptr == '-')
        read = std::from_chars(read.ptr + 1, end, run.last);
    if (read.ec != std::errc{} || read.ptr != end || run.first < 1 || run.last < run.first ||
        run.last > plan.jobs())
        throw InputError("--index " + text + ": expected A-B with 1 <= A <= B <= " +
                         std::to_string(plan.jobs()) + ", the number of jobs");
}

// One process at a time makes the table of a folder; the lock ends with the process.
class FolderLock {
  public:
    explicit FolderLock(const std::string& folder) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error) throw InputError("cannot make the folder '" + folder + "': " + error.message());
        const std::string path = (fs::path(folder) / "lock").string();
        file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file_ < 0)
            throw InputError("cannot write into '" + folder + "': " + std::strerror(errno));
        if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
        close(file_);
        throw InputError("'" + folder + "': another sweep is at work there");
    }
    ~FolderLock() { close(file_); }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  private:
    int file_ = -1;
};

// What a sweep writes beside its journals.
class Results {
  public:
    Results(std::string folder, const Plan& plan) : folder_(std::move(folder)), plan_(plan) {}

    [[nodiscard]] std::string rows() const { return path("rows"); }
    [[nodiscard]] const std::string& folder() const { return folder_; }

    void check() const {
        for (const std::string& name : names()) check_writable(path(name));
    }

    void write(const JournalRows& content) const {
        write_file(path("table.csv"), table_csv(plan_, content));
        write_file(path("times.csv"), times_csv(plan_, content));
        write_table_hdf5(path("table.h5"), plan_, content);
        for (const SweepPlot& plot : plan_.sweep.plots)
            write_file(path(plot.file), plot_svg(plot, plan_, content));
    }

    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all = {"table.csv", "table.h5", "times.csv"};
        for (const SweepPlot& plot : plan_.sweep.plots) all.push_back(plot.file);
        return all;
    }

  private:
    [[nodiscard]] std::string path(const std::string& name) const {
        return (fs::path(folder_) / name).string();
    }

    std::string folder_;
    const Plan& plan_;
};

JournalRows read_results(const Results& results) {
    JournalRows content = read_journals(results.rows());
    if (content.torn > 0)
        spdlog::info("{} lines of {} were cut off; their jobs run again", content.torn,
                     printable(results.rows()));
    if (!content.conflict.empty())
        spdlog::warn("{}: results of job {} differ from one run to another",
                     printable(results.rows()), content.conflict);
    return content;
}

void list_jobs(const Plan& plan, const SweepRun& run, const JournalRows& content) {
    const std::vector<std::string> names = job_columns(plan.sweep);
    std::int64_t missing = 0;
    for (std::int64_t number = run.first; number <= run.last; ++number) {
        const bool finished = is_finished(plan, number, content);
        if (!finished) ++missing;
        std::string line = std::to_string(number) + " " + plan.id(number);
        const std::vector<std::string> values = job_values(plan.sweep, number);
        for (std::size_t i = 0; i < names.size(); ++i) line += " " + names[i] + "=" + values[i];
        std::printf("%s%s\n", printable(line).c_str(), finished ? " (there)" : "");
    }
    const std::int64_t listed = run.last - run.first + 1;
    std::printf("%lld jobs, %lld of them to run\n", static_cast<long long>(listed),
                static_cast<long long>(missing));
}

int write_slurm(const SweepOptions& options, const Plan& plan, const std::string& results) {
    std::error_code error;
    SlurmSettings settings;
    settings.program = fs::read_symlink("/proc/self/exe", error).string();
    settings.sweep_file = fs::absolute(plan.sweep.path).lexically_normal().string();
    settings.results = fs::absolute(results).lexically_normal().string();
    settings.scripts = fs::absolute(options.slurm).lexically_normal().string();
    settings.name = plan.sweep.name;
    settings.jobs = plan.jobs();
    settings.block = options.block;
    const SlurmScripts scripts = make_slurm_scripts(settings);
    fs::create_directories(options.slurm, error);
    if (error)
        throw InputError("cannot make the folder '" + options.slurm + "': " + error.message());
    for (const auto& [name, text] : {std::pair{"array.sh", scripts.array},
                                     {"table.sh", scripts.table},
                                     {"submit.sh", scripts.submit}})
        write_file((fs::path(options.slurm) / name).string(), text);
    const std::string submit = (fs::path(options.slurm) / "submit.sh").string();
    fs::permissions(submit, fs::perms::owner_exec, fs::perm_options::add, error);
    std::printf("%lld tasks of at most %lld jobs; submit them: %s\n",
                static_cast<long long>(scripts.tasks), static_cast<long long>(scripts.block),
                printable(submit).c_str());
    return kExitDone;
}

void print_ran(const SweepDisplay& display, std::int64_t there, int workers) {
    const double seconds = display.seconds();
    std::printf("ran          %lld jobs in %.3g s on %d workers, %.3g a second; %lld were there\n",
                static_cast<long long>(display.ended()), seconds, workers,
                static_cast<double>(display.ended()) / std::max(seconds, 1e-9),
                static_cast<long long>(there));
}

// The table of all that is there.
int make_table(const Plan& plan, const Results& results, bool quiet) {
    const JournalRows content = read_results(results);
    results.write(content);
    const TableCount count = count_rows(plan, content);
    if (!quiet) {
        std::printf("sweep        %s, %lld jobs: %lld done, %lld failed\n",
                    printable(plan.sweep.name).c_str(), static_cast<long long>(plan.jobs()),
                    static_cast<long long>(count.done), static_cast<long long>(count.failed));
        std::string files;
        for (const std::string& name : results.names()) files += (files.empty() ? "" : ", ") + name;
        std::printf("written      %s: %s\n", printable(results.folder()).c_str(),
                    printable(files).c_str());
    }
    if (count.missing + count.crashed == 0) return kExitDone;
    print_error(std::to_string(count.missing) + " of " + std::to_string(plan.jobs()) +
                " jobs are missing and " + std::to_string(count.crashed) +
                " ended with their worker; the same sweep runs them");
    return kExitFailed;
}

// Runs what is missing of the block; gives the exit status, kExitDone when all of it was run.
int run_block(const SweepOptions& options, const Plan& plan, SweepRun& run, RowJournal& journal,
              const JournalRows& content) {
    const std::vector<std::int64_t> missing = missing_jobs(plan, run, content);
    const std::int64_t there = run.last - run.first + 1 - static_cast<std::int64_t>(missing.size());
    SweepDisplay display(plan, static_cast<std::int64_t>(missing.size()), !options.quiet);
    std::int64_t crashed = 0;
    run.go_on = [&](const JobResult* result) {
        if (result != nullptr) display.add(*result);
        if (result != nullptr && result->status == JobStatus::kCrashed) ++crashed;
        display.show();
        return !interrupted();
    };
    run_sweep(plan, missing, run, journal);
    display.hide();
    if (interrupted()) {
        end_by_itself();
        print_error("interrupted; " + std::to_string(there + display.ended()) + " of " +
                    std::to_string(run.last - run.first + 1) +
                    " jobs are done, the same command goes on with the rest");
        return kExitFailed;
    }
    if (!options.quiet && !options.print_rows) print_ran(display, there, run.workers);
    return crashed == 0 ? kExitDone : kExitFailed;
}

// Refuses options that would be passed over.
void check_options(const SweepOptions& options) {
    if (options.workers < 0 || options.workers > kMaxThreads)
        throw InputError("--workers " + std::to_string(options.workers) + ": expected 1 to " +
                         std::to_string(kMaxThreads));
    if (options.block < 0 || (options.block > 0 && options.slurm.empty()))
        throw InputError("--block: expected a number of jobs of at least 1, with --slurm");
    const int modes = static_cast<int>(options.table) + static_cast<int>(options.dry_run) +
                      static_cast<int>(options.print_rows) +
                      static_cast<int>(!options.slurm.empty());
    if (modes > 1)
        throw InputError("--table, --dry-run, --print-rows and --slurm exclude each other");
    if (!options.index.empty() && (options.table || !options.slurm.empty()))
        throw InputError("--index goes with neither --table nor --slurm, which are for all jobs");
}

int sweep(const SweepOptions& options) {
    if (options.worker) {
        serve_jobs();
        return kExitDone;
    }
    check_options(options);
    const Plan plan = make_plan(read_sweep(find_sweep(options.file), find_scene));
    SweepRun run;
    run.worker = {"/proc/self/exe", "sweep", "worker", "--worker", "--log-level", "off"};
    run.workers = options.workers > 0 ? options.workers : usable_cores();
    run.last = plan.jobs();
    read_index(options.index, plan, run);
    const Results results(options.out.empty() ? plan.sweep.name + ".sweep" : options.out, plan);
    if (!options.slurm.empty()) return write_slurm(options, plan, results.folder());
    if (options.dry_run) {
        list_jobs(plan, run, read_results(results));
        return kExitDone;
    }
    if (options.print_rows) {
        RowJournal rows("-");
        return run_block(options, plan, run, rows, {});
    }
    std::unique_ptr<FolderLock> lock;
    if (options.index.empty()) {
        lock = std::make_unique<FolderLock>(results.folder());
        results.check();
    }
    if (!options.table) {
        RowJournal journal(results.rows());
        const int status = run_block(options, plan, run, journal, read_results(results));
        if (interrupted() || !options.index.empty()) return status;
    }
    return make_table(plan, results, options.quiet);
}

}  // namespace

Command add_sweep_command(CLI::App& app) {
    CLI::App* command =
        add_command(app, "sweep", "Run a scene over parameters, as one table", kSweepExamples);
    auto options = std::make_shared<SweepOptions>();
    command->add_option("FILE", options->file, "A YAML file, or the name of a sweep that ships")
        ->required();
    command
        ->add_option("--out", options->out,
                     "Folder of results, which may hold some already (default: NAME.sweep)")
        ->type_name("DIR");
    command->add_option("--workers", options->workers,
                        "Processes that run jobs (default: one per core)");
    command->add_option("--index", options->index, "Only jobs A to B, counted from 1; no table")
        ->type_name("A-B");
    command->add_flag("--table", options->table, "Run nothing, make the table of what is there");
    command->add_flag("--dry-run", options->dry_run, "Run nothing, list the jobs");
    command->add_option("--slurm", options->slurm, "Run nothing, write the scripts of a job array")
        ->type_name("DIR");
    command->add_option("--block", options->block, "Jobs of one task of the array");
    command->add_flag("--print-rows", options->print_rows,
                      "Print results as they come, for a driver that puts them into DIR/rows");
    command->add_flag("--quiet", options->quiet, "No progress and no summary on the screen");
    command->add_flag("--worker", options->worker, "")->group("");
    return {command, [options] { return sweep(*options); }};
}

}  // namespace stiction
