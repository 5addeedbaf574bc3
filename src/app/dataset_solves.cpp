// dataset_solves.cpp - solves frames with the models and solvers asked for, from a dataset.
#include "app/dataset_solves.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <set>

#include "app/command_line.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/progress.h"
#include "compare/frame_report.h"
#include "compare/frame_table.h"
#include "core/error.h"
#include "core/printable.h"
#include "core/thread_pool.h"
#include "problem_files/dataset_writer.h"
#include "problem_files/frame_recorder.h"
#include "record/output_file.h"

namespace stiction {

namespace {

std::vector<std::string> written_files(const DatasetOptions& options) {
    std::vector<std::string> files;
    for (const std::string& path : {options.csv, options.json, options.report}) {
        if (!path.empty() && path != "-") files.push_back(path);
    }
    if (options.profile.empty()) return files;
    files.push_back(options.profile + ".csv");
    files.push_back(options.profile + ".svg");
    return files;
}

void check_dataset_options(const DatasetOptions& options) {
    if (options.threads < 1 || options.threads > kMaxThreads)
        throw InputError("--threads " + std::to_string(options.threads) + ": expected 1 to " +
                         std::to_string(kMaxThreads));
    if (!(options.time_budget >= 0 && std::isfinite(options.time_budget)))
        throw InputError("--time-budget: must be a finite number >= 0 s");
    if (options.max_iterations < 0) throw InputError("--max-iterations: must be at least 0");
    if (options.repeats < 1) throw InputError("--repeats: must be at least 1");
    for (const double x : {options.thresholds.rest, options.thresholds.slide}) {
        if (!(x >= 0 && std::isfinite(x)))
            throw InputError("--rest and --slide: must be finite numbers >= 0");
    }
    if (options.csv == "-" || options.report == "-")
        throw InputError("only --json can go to standard output (-)");
    if (options.equal_work && options.models.empty() && options.solvers.empty())
        throw InputError("--equal-work: name the solvers, of which the first sets the time");
    const std::vector<std::string> outputs = written_files(options);
    for (const std::string& output : outputs) check_writable(output);
    check_distinct(outputs, options.files);
}

std::vector<Variant> variants_of(const DatasetOptions& options) {
    if (options.models.empty() && options.solvers.empty()) {
        if (options.tolerance)
            throw InputError(
                "--tol: name --models or --solvers; frames solved again as they were "
                "recorded keep their tolerance");
        return {};
    }
    if (options.models.empty()) {
        std::vector<Variant> variants = variants_of_solvers(options.solvers);
        if (options.tolerance && !(*options.tolerance > 0 && std::isfinite(*options.tolerance)))
            throw InputError("--tol: must be a finite number > 0");
        for (Variant& variant : variants) {
            if (options.tolerance) set_tolerance(variant.contact, *options.tolerance);
        }
        return variants;
    }
    return make_variants({options.models, options.solvers, options.tolerance}, CoulombCone{});
}

// Frames of all files, each counted from 1 in its own.
std::vector<FrameChosen> choose(const DatasetOptions& options, const std::vector<Dataset>& files) {
    std::int64_t first = 1, last = 0;
    if (!options.frames.empty()) parse_range("--frames", options.frames, first, last);
    std::vector<FrameChosen> chosen;
    for (std::size_t f = 0; f < files.size(); ++f) {
        const auto size = static_cast<std::int64_t>(files[f].size());
        for (std::int64_t k = first; k <= (last == 0 ? size : std::min(last, size)); ++k)
            chosen.push_back({f, static_cast<std::size_t>(k - 1)});
    }
    if (chosen.empty())
        throw InputError("--frames " + options.frames + ": there is no such frame; " +
                         files.front().path() + " has " + std::to_string(files.front().size()));
    return chosen;
}

FrameComparisonSettings comparison_settings(const DatasetOptions& options) {
    FrameComparisonSettings settings;
    settings.variants = variants_of(options);
    settings.alone = !options.fallbacks;
    settings.warm = options.warm;
    settings.equal_work = options.equal_work;
    settings.time_budget = options.time_budget;
    settings.max_iterations = options.max_iterations;
    settings.repeats = options.repeats;
    settings.threads = options.threads;
    settings.thresholds = options.thresholds;
    return settings;
}

// The solves and what is written of them. keep() ends them from another thread, inside a solve; what
// both touch is changed under the keeper's lock.
class OngoingFrames {
  public:
    OngoingFrames(const DatasetOptions& options, const std::vector<Dataset>& files,
                  const std::vector<FrameChosen>& chosen);
    int run();

  private:
    void add(const ComparedFrame& row);
    void remark(const std::string& place, const std::string& text);
    void write_outputs(bool interrupted_inside);
    int finish(const std::string& ended, bool inside);
    template <class Write>
    void attempt(const Write& write);

    const DatasetOptions& options_;
    const std::vector<FrameChosen>& chosen_;
    FrameComparison comparison_;
    Progress progress_;
    std::size_t frame_width_ = 5, variant_width_ = 6;
    std::vector<ComparedFrame> rows_;
    std::optional<OutputFile> csv_;  // NAME.part has every solve that is done
    std::set<std::string> remarks_;  // what was said already
    std::string problems_;
    Keeper keeper_;
};

OngoingFrames::OngoingFrames(const DatasetOptions& options, const std::vector<Dataset>& files,
                             const std::vector<FrameChosen>& chosen)
    : options_(options),
      chosen_(chosen),
      comparison_(files, comparison_settings(options)),
      progress_(static_cast<std::int64_t>(chosen.size()), !options.quiet),
      keeper_([this] { finish("interrupted", true); }) {
    const auto lock = Keeper::lock();
    for (const FrameChosen& frame : chosen)
        frame_width_ =
            std::max(frame_width_, frame_label(files[frame.file].path(), frame.frame).size());
    for (std::size_t v = 0; v < comparison_.variants(); ++v)
        variant_width_ = std::max(variant_width_, comparison_.label(v).size());
    if (options.csv.empty()) return;
    csv_.emplace(options.csv);
    CsvRow header;
    add_frame_header(header);
    attempt([&] { csv_->write(header.text()); });
}

template <class Write>
void OngoingFrames::attempt(const Write& write) {
    try {
        write();
    } catch (const OutputError& error) {
        problems_ = join_problems(problems_, error.what());
    }
}

void OngoingFrames::add(const ComparedFrame& row) {
    const auto lock = Keeper::lock();
    rows_.push_back(row);
    const std::string& path = comparison_.files()[row.file].path();
    const std::string label = comparison_.label(row.variant);
    if (!options_.totals_only && !options_.quiet && options_.json != "-") {
        progress_.hide();
        attempt([&] {
            write_standard_output(
                frame_line(row, frame_label(path, row.frame), label, frame_width_, variant_width_));
        });
    }
    if (!csv_) return;
    CsvRow csv;
    add_frame_row(row, path, label, csv);
    try {
        csv_->write(csv.text());
        csv_->flush();
    } catch (const OutputError& error) {
        csv_.reset();
        problems_ = join_problems(problems_, error.what());
    }
}

// Once each, of the first frame: a writer's habit shows in all of its frames.
void OngoingFrames::remark(const std::string& place, const std::string& text) {
    if (!remarks_.insert(text).second) return;
    progress_.hide();
    spdlog::warn("{}: {}", place, text);
}

void OngoingFrames::write_outputs(bool interrupted_inside) {
    if (csv_) attempt([&] { csv_->finish(); });
    const bool complete = !rows_.empty();
    if (!options_.json.empty()) {
        attempt([&] {
            const std::string json = frames_json(comparison_, rows_);
            if (options_.json == "-") {
                write_standard_output(json);
            } else {
                write_file(options_.json, json);
            }
        });
    }
    if (!options_.profile.empty() && complete) {
        const PerformanceProfile profile = frame_profile(comparison_, rows_, false);
        attempt([&] { write_file(options_.profile + ".csv", profile_csv(profile)); });
        attempt([&] { write_svg(options_.profile + ".svg", profile_plot(profile)); });
    }
    if (options_.report.empty() || !complete) return;
    if (interrupted_inside) return;  // it would solve the hardest frames again
    attempt([&] {
        write_file(options_.report, report_html(comparison_, rows_,
                                                {command_words(), date_now(), STICTION_VERSION}));
    });
}

int OngoingFrames::finish(const std::string& ended, bool inside) {
    progress_.hide();
    write_outputs(inside);
    const bool table = !options_.quiet && options_.json != "-";
    if (table && !rows_.empty() && (options_.totals_only || chosen_.size() > 1)) {
        attempt([&] {
            write_standard_output((options_.totals_only ? "" : "\n") +
                                  totals_text(add_up_variants(comparison_, rows_)));
        });
    }
    const auto missed = std::count_if(rows_.begin(), rows_.end(), [](const ComparedFrame& row) {
        return row.status != SolveStatus::kSolved;
    });
    const std::size_t wanted = chosen_.size() * comparison_.variants();
    std::string message = problems_;
    if (!ended.empty()) {
        message = join_problems(
            fmt::format("{} after {} of {} solves", ended, rows_.size(), wanted), problems_);
    } else if (missed > 0 && !options_.totals_only) {
        message = join_problems(
            fmt::format("{} of {} solves did not reach their tolerance", missed, rows_.size()),
            problems_);
    }
    if (message.empty()) return kExitDone;
    print_error(message);
    return kExitFailed;
}

int OngoingFrames::run() {
    std::string ended;
    bool bad_input = false;
    const auto go_on = [this](std::size_t done) {
        if (done > 0) progress_.show(static_cast<std::int64_t>(done));
        return !interrupted();
    };
    try {
        if (!options_.totals_only && !options_.quiet && options_.json != "-")
            write_standard_output(frame_header(frame_width_, variant_width_));
        comparison_.run(chosen_, {go_on, [this](const ComparedFrame& row) { add(row); },
                                  [this](const std::string& place, const std::string& text) {
                                      remark(place, text);
                                  }});
        if (rows_.size() < chosen_.size() * comparison_.variants()) ended = "interrupted";
    } catch (const InputError& error) {  // of a frame: those before it are kept
        if (rows_.empty()) throw;
        ended = error.what();
        bad_input = true;
    } catch (const std::exception& error) {
        ended = message_of(error);
    }
    end_by_itself();
    const int status = finish(ended, false);
    return bad_input ? kExitUsage : status;
}

int list_frames(const std::vector<Dataset>& files) {
    for (const Dataset& file : files) {
        std::string text = fmt::format("{}: {} frames\n", printable(file.path()), file.size());
        for (std::size_t k = 0; k < file.size(); ++k)
            text += fmt::format("{:>7}  {:>7} contacts  {}\n", k + 1, file.contacts(k),
                                printable(file.name(k)));
        write_standard_output(text);
    }
    return kExitDone;
}

}  // namespace

void add_dataset_options(CLI::App& command, DatasetOptions& options) {
    command.add_option("--frames", options.frames, "Of datasets: frames A to B of each, from 1")
        ->type_name("A:B");
    command.add_option("--max-iterations", options.max_iterations,
                       "Of datasets: most iterations of a solve (default: the solver's own limit)");
    command.add_flag("--warm", options.warm,
                     "Of datasets: start from the impulses stored with a frame, not from zero");
    command.add_flag("--fallbacks", options.fallbacks,
                     "Of datasets: other solvers may step in, as in a run");
    command
        .add_option("--rest", options.thresholds.rest,
                    "Of datasets: a contact rests above this part of the largest impulse")
        ->capture_default_str();
    command
        .add_option("--slide", options.thresholds.slide,
                    "Of datasets: a resting contact slides above this speed [m/s]")
        ->capture_default_str();
}

int solve_datasets(const DatasetOptions& options) {
    std::vector<Dataset> files;
    for (const std::string& path : options.files) files.emplace_back(path);
    if (options.list) return list_frames(files);
    check_dataset_options(options);
    const std::vector<FrameChosen> chosen = choose(options, files);
    return OngoingFrames(options, files, chosen).run();
}

}  // namespace stiction
