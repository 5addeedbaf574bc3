// step_track.h - the steps that can be gone back to, each as one mark: what the timeline across the
// window shows of a live history or a recording.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "live/step_sample.h"
#include "record/step_record.h"
#include "record/trajectory_sample.h"
#include "view/step_light.h"

namespace stiction {

struct StepMark {
    std::int64_t step = 0;
    double t = 0;  // [s]
    std::string_view model, asked;
    int settings = 0;
    StepLight light = StepLight::kNotMeasured;
    int contacts = 0;
    int made = 0, lost = 0;  // touches
};

class StepTrack {
  public:
    // Again: instead of what was there.
    void add(const StepRecord& record);
    void add(const StepSample& sample);                // of a step that was added
    void show(const Trajectory& trajectory);           // all of a recording
    void keep(std::int64_t first, std::int64_t last);  // steps; forgets all others
    void clear() { marks_.clear(); }

    [[nodiscard]] const std::deque<StepMark>& marks() const { return marks_; }
    [[nodiscard]] const StepMark* find(std::int64_t step) const;  // the last at or before it

  private:
    std::deque<StepMark> marks_;  // by step
};

// The part of the track that the timeline shows; all of it until someone zooms.
class TrackRange {
  public:
    void fit(double first, double last);     // what there is, in steps
    void zoom(double place, double factor);  // place: part of the width, 0 to 1
    void pan(double part);                   // of the width, to later steps
    void show_all() { whole_ = true; }
    void reveal(double step);  // moves so that it is seen
    [[nodiscard]] double from() const { return from_; }
    [[nodiscard]] double to() const { return to_; }
    [[nodiscard]] bool whole() const { return whole_; }
    [[nodiscard]] double part(double step) const { return (step - from_) / (to_ - from_); }
    [[nodiscard]] double step(double part) const { return from_ + part * (to_ - from_); }

  private:
    void clamp();

    double first_ = 0, last_ = 1, from_ = 0, to_ = 1;
    bool whole_ = true;
};

// The track as columns of pixels.
struct TrackPicture {
    struct Span {
        double begin = 0, end = 0;  // parts of the width
        std::string_view model, asked;
        bool other_settings = false;  // than the span before, model and solver being the same
    };
    struct Column {
        bool unsolved = false, fallback = false;
        int made = 0, lost = 0;
    };
    std::vector<Span> spans;
    std::vector<Column> columns;
};
[[nodiscard]] TrackPicture make_track_picture(const StepTrack& track, const TrackRange& range,
                                              int columns);

}  // namespace stiction
