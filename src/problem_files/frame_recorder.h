// frame_recorder.h - which steps of a run become frames, and where they go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problem_files/dataset_writer.h"
#include "problem_files/record_frame.h"

namespace stiction {

// "residual>1e-6", "unsolved", "iterations>=100,contacts>500": one of them is enough.
class FrameCondition {
  public:
    FrameCondition() = default;
    explicit FrameCondition(const std::string& text);  // throws InputError

    [[nodiscard]] bool holds(const Simulation& sim) const;

  private:
    struct Term {
        double (*quantity)(const Simulation& sim) = nullptr;
        std::string comparison;  // > >= < <=
        double bound = 0;
    };
    std::vector<Term> terms_;
};

// What `run` takes on its command line.
struct FrameOutput {
    std::string path;                   // empty: no frames
    bool append = false;                // to what the file has
    std::optional<std::int64_t> every;  // steps from one frame to the next
    std::string steps;                  // "A:B", both included, counted from 1
    std::string when;                   // as FrameCondition
};

// Steps that a FrameOutput asks for.
struct FrameChoice {
    std::int64_t every = 1;
    std::int64_t first = 1, last = 0;  // last 0: no end
    std::optional<FrameCondition> when;
    bool folder = false;  // every frame is a file of its own
};
// Throws InputError. `path` is a folder where one of that name is there, or it ends with '/'.
[[nodiscard]] FrameChoice choose_frames(const FrameOutput& output);

// "A:B", "A:", ":B" or "A", numbers from 1. Throws InputError that begins with `option`.
void parse_range(const std::string& option, const std::string& text, std::int64_t& first,
                 std::int64_t& last);

class FrameRecorder {
  public:
    // Throws InputError where the output will not do, or the simulation has no frames.
    FrameRecorder(const FrameOutput& output, const DatasetManifest& manifest,
                  const Simulation& sim);

    void before_step(const Simulation& sim);
    void observe(const Simulation& sim);  // as the observer of a step
    [[nodiscard]] std::string failure() const;
    // Throws OutputError. In haste, where the program must end within seconds, a journal of many
    // frames is left as it is, and the message says how to complete it.
    void finish(bool in_haste = false);
    [[nodiscard]] std::int64_t frames() const { return frames_; }

  private:
    [[nodiscard]] bool chosen(std::int64_t step) const;
    void write(const ProblemFrame& frame) const;

    std::string path_;
    FrameChoice choice_;
    DatasetManifest manifest_;
    BeforeStep before_;
    bool kept_ = false;  // before_ is that of the step under way
    std::int64_t frames_ = 0;
    std::optional<DatasetWriter> writer_;  // none where every frame is a file,
    std::optional<FrameQueue> files_;      // and this otherwise
};

}  // namespace stiction
