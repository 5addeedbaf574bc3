// frame_recorder.cpp - chooses steps and hands them over.
#include "problem_files/frame_recorder.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "core/error.h"
#include "core/nearest.h"
#include "record/output_file.h"
#include "step/simulation.h"

namespace stiction {

namespace {

namespace fs = std::filesystem;

struct Quantity {
    std::string_view name;
    double (*value)(const Simulation& sim);
};

double solve_seconds(const Simulation& sim) {
    return sim.frame.seconds[static_cast<std::size_t>(Stage::kSolve)];
}

constexpr std::array<Quantity, 7> kQuantities = {{
    {"residual", [](const Simulation& sim) { return sim.frame.solution.residual; }},
    {"iterations",
     [](const Simulation& sim) { return static_cast<double>(sim.frame.solution.iterations); }},
    {"contacts",
     [](const Simulation& sim) { return static_cast<double>(sim.frame.problem.contacts.size()); }},
    {"seconds", solve_seconds},
    {"time", [](const Simulation& sim) { return sim.state.time; }},
    {"unsolved",
     [](const Simulation& sim) { return static_cast<double>(sim.frame.solution.failures); }},
    {"fallback",
     [](const Simulation& sim) { return static_cast<double>(sim.frame.solution.fallbacks); }},
}};

std::string stripped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c != ' ') out += c;
    }
    return out;
}

const Quantity& find_quantity(const std::string& name) {
    std::vector<std::string_view> names;
    for (const Quantity& quantity : kQuantities) {
        if (quantity.name == name) return quantity;
        names.push_back(quantity.name);
    }
    throw InputError("--h5-when: unknown quantity '" + name + "'" + suggestion(name, names));
}

std::int64_t parse_count(const std::string& option, const std::string& text) {
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value < 1)
        throw InputError(option + ": found '" + text + "'; expected A:B with whole numbers from 1");
    return value;
}

}  // namespace

FrameCondition::FrameCondition(const std::string& text) {
    const std::string all = stripped(text);
    for (std::size_t from = 0; from <= all.size();) {
        const std::size_t comma = std::min(all.find(',', from), all.size());
        const std::string word = all.substr(from, comma - from);
        from = comma + 1;
        const std::size_t sign = std::min(word.find_first_of("<>"), word.size());
        Term term{find_quantity(word.substr(0, sign)).value, ">", 0};
        if (sign < word.size()) {
            const bool equal = sign + 1 < word.size() && word[sign + 1] == '=';
            term.comparison = word.substr(sign, equal ? 2 : 1);
            const std::string number = word.substr(sign + term.comparison.size());
            const char* end = number.data() + number.size();
            const auto [stop, error] = std::from_chars(number.data(), end, term.bound);
            if (error != std::errc{} || stop != end || !std::isfinite(term.bound))
                throw InputError("--h5-when: found '" + number + "' in '" + word +
                                 "'; expected a number");
        }
        terms_.push_back(term);
    }
}

bool FrameCondition::holds(const Simulation& sim) const {
    for (const Term& term : terms_) {
        const double x = term.quantity(sim);
        const bool equal = term.comparison.size() == 2 && x == term.bound;
        if (equal || (term.comparison[0] == '>' ? x > term.bound : x < term.bound)) return true;
    }
    return false;
}

void parse_range(const std::string& option, const std::string& text, std::int64_t& first,
                 std::int64_t& last) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        first = last = parse_count(option, text);
        return;
    }
    const std::string a = text.substr(0, colon), b = text.substr(colon + 1);
    if (!a.empty()) first = parse_count(option, a);
    if (!b.empty()) last = parse_count(option, b);
    if ((a.empty() && b.empty()) || (last > 0 && last < first))
        throw InputError(option + ": found '" + text + "'; expected A:B with A <= B");
}

FrameChoice choose_frames(const FrameOutput& output) {
    const int given =
        (output.every ? 1 : 0) + (output.steps.empty() ? 0 : 1) + (output.when.empty() ? 0 : 1);
    if (output.path.empty() && (given > 0 || output.append))
        throw InputError("--h5-every, --h5-steps, --h5-when and --h5-append need --h5 FILE");
    if (given > 1)
        throw InputError("expected one of --h5-every, --h5-steps and --h5-when, found several");
    FrameChoice choice;
    if (output.every) choice.every = *output.every;
    if (choice.every < 1) throw InputError("--h5-every: must be at least 1 step");
    if (!output.steps.empty()) parse_range("--h5-steps", output.steps, choice.first, choice.last);
    if (!output.when.empty()) choice.when.emplace(output.when);
    std::error_code error;
    choice.folder = output.path.ends_with('/') || fs::is_directory(output.path, error);
    if (choice.folder && !choice.when)
        throw InputError("--h5: '" + output.path +
                         "' is a folder, which takes one file per step that --h5-when chooses; "
                         "expected the name of a file");
    if (choice.folder && !fs::is_directory(output.path, error))
        throw InputError("--h5: there is no folder '" + output.path + "'");
    return choice;
}

FrameRecorder::FrameRecorder(const FrameOutput& output, const DatasetManifest& manifest,
                             const Simulation& sim)
    : path_(output.path), choice_(choose_frames(output)), manifest_(manifest) {
    if (!has_frames(sim))
        throw InputError(
            "--h5: a step at the acceleration level solves five problems and has no frame; "
            "expected "
            "a model at the velocity level");
    if (!choice_.folder) {
        writer_.emplace(path_, output.append, manifest);
        return;
    }
    files_.emplace(
        path_, [this] { draw_image(manifest_); }, [this](ProblemFrame& frame) { write(frame); });
}

bool FrameRecorder::chosen(std::int64_t step) const {
    return step >= choice_.first && (choice_.last == 0 || step <= choice_.last) &&
           step % choice_.every == 0;
}

void FrameRecorder::before_step(const Simulation& sim) {
    kept_ = chosen(sim.state.step + 1);
    if (kept_) keep_before_step(sim, before_);
}

void FrameRecorder::observe(const Simulation& sim) {
    if (!kept_ || (choice_.when && !choice_.when->holds(sim))) return;
    if (!has_frames(sim)) return;  // the model was switched
    ++frames_;
    if (writer_) {
        writer_->add(record_frame(sim, before_));
    } else {
        files_->add(record_frame(sim, before_));
    }
}

// By contacts and iterations, so that a listing shows the hard ones.
void FrameRecorder::write(const ProblemFrame& frame) const {
    std::array<char, 96> name{};
    std::snprintf(name.data(), name.size(), "contacts%05zu-iterations%05d-step%07lld.h5",
                  frame.step->problem.contacts.size(), frame.answers.front().iterations,
                  static_cast<long long>(frame.step->step));
    write_dataset((fs::path(path_) / name.data()).string(), manifest_, frame);
}

std::string FrameRecorder::failure() const {
    return writer_ ? writer_->failure() : files_->failure();
}

void FrameRecorder::finish(bool in_haste) {
    constexpr std::int64_t kMostInHaste = 1000;  // frames, a few seconds' work
    if (writer_ && in_haste && writer_->behind() > kMostInHaste) {
        writer_.reset();
        throw OutputError("'" + part_path(path_) + "' has " + std::to_string(frames_) +
                          " frames; stiction convert " + part_path(path_) + " " + path_ +
                          " --to dataset completes it");
    }
    if (writer_) {
        writer_->finish();
        return;
    }
    files_->stop();
    if (const std::string problem = failure(); !problem.empty()) throw OutputError(problem);
}

}  // namespace stiction
