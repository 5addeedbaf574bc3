// timeline.h - the steps of the last seconds and what they cost, for the timing overlay, the plots
// and the panel: the same records that go into the tables.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "record/step_record.h"

namespace stiction {

// What the plot of stage times runs over.
enum class TimeAxis { kSteps, kSimulated, kReal };
inline constexpr std::array<std::string_view, 3> kTimeAxisNames = {"steps", "simulated time",
                                                                   "real time"};

// A run of steps with one contact model, one solver asked for, one narrowphase and one choice of
// settings.
struct ModelSpan {
    std::string_view model;
    std::string_view narrowphase;
    std::string_view asked;          // solver
    int settings = 0;                // StepRecord::settings
    std::size_t begin = 0, end = 0;  // steps, as indices into Timeline::records
};

struct StageCost {
    double now = 0;   // of the last step [s]
    double mean = 0;  // over the span [s]
    double p99 = 0;   // 99 % of the span's steps took no longer [s]
};

struct CostSummary {
    std::string_view model;
    std::string_view narrowphase;
    std::string_view asked;
    int settings = 0;
    std::size_t steps = 0;
    std::array<StageCost, kStageNames.size()> stages{};
    StageCost step;              // the whole
    double iterations_mean = 0;  // per step
    std::int64_t failures = 0;   // islands that were not solved
    std::int64_t fallbacks = 0;  // islands that another solver answered
    double contacts_mean = 0;
};

// What one part of the run is called beside another: its model, or else its solver, its narrowphase
// or its settings, whichever differs first.
template <class Part>
[[nodiscard]] std::string difference(const Part& part, const Part& other) {
    if (part.model != other.model) return std::string(part.model);
    if (part.asked != other.asked) return std::string(part.asked);
    if (part.narrowphase != other.narrowphase) return std::string(part.narrowphase);
    return "settings";
}

// One column of the stacked picture: means over the steps that fall into it.
struct CostColumn {
    StageTimes seconds{};
    double most = 0;  // longest of its steps [s]
    int steps = 0;
    int unsolved = 0;  // of its steps
};

class Timeline {
  public:
    explicit Timeline(double span = 5) : span_(span) {}

    // One earlier than the last: the run was set back. `wall` is when it came [s], by any clock.
    void add(const StepRecord& record, double wall = 0);
    void clear();
    void set_span(double seconds);  // simulated time that is kept, where that is the axis
    void set_axis(TimeAxis axis);   // steps outside its span are forgotten
    [[nodiscard]] TimeAxis axis() const { return axis_; }
    [[nodiscard]] double span() const;  // of the axis, in its unit

    [[nodiscard]] const std::deque<StepRecord>& records() const { return records_; }
    [[nodiscard]] double start() const;  // on the axis, at the left edge
    [[nodiscard]] double end() const;
    [[nodiscard]] double place(std::size_t i) const;  // of a record on the axis

    [[nodiscard]] std::vector<ModelSpan> model_spans() const;
    [[nodiscard]] CostSummary summarise(const ModelSpan& span) const;
    // `count` columns over the whole span, from start() to start() + span().
    [[nodiscard]] std::vector<CostColumn> columns(int count) const;

  private:
    void trim();

    double span_;
    TimeAxis axis_ = TimeAxis::kSimulated;
    std::deque<StepRecord> records_;
    std::deque<double> wall_;  // when each came [s]
};

inline void next_axis(Timeline& timeline) {
    timeline.set_axis(static_cast<TimeAxis>((static_cast<std::size_t>(timeline.axis()) + 1) %
                                            kTimeAxisNames.size()));
}

}  // namespace stiction
