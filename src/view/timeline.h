// timeline.h - the steps of the last seconds and what they cost, for the timing overlay, the plots
// and the panel: the same records that go into the tables.
#pragma once

#include <array>
#include <deque>
#include <string_view>
#include <vector>

#include "record/step_record.h"

namespace stiction {

// A run of steps under one contact model.
struct ModelSpan {
    std::string_view model;
    std::size_t begin = 0, end = 0;  // steps, as indices into Timeline::records
};

struct StageCost {
    double now = 0;   // of the last step [s]
    double mean = 0;  // over the span [s]
    double p99 = 0;   // 99 % of the span's steps took no longer [s]
};

struct CostSummary {
    std::string_view model;
    std::size_t steps = 0;
    std::array<StageCost, kStageNames.size()> stages{};
    StageCost step;              // the whole
    double iterations_mean = 0;  // per step
    std::int64_t failures = 0;   // islands that were not solved
    std::int64_t fallbacks = 0;  // islands that another solver answered
    double contacts_mean = 0;
};

// One column of the stacked picture: means over the steps that fall into it.
struct CostColumn {
    StageTimes seconds{};
    double most = 0;  // longest of its steps [s]
    int steps = 0;
};

class Timeline {
  public:
    explicit Timeline(double span = 5) : span_(span) {}

    void add(const StepRecord& record);  // one earlier than the last: the run was set back
    void clear();
    void set_span(double seconds);  // simulated time that is kept
    [[nodiscard]] double span() const { return span_; }

    [[nodiscard]] const std::deque<StepRecord>& records() const { return records_; }
    [[nodiscard]] double start() const;  // simulated time at the left edge [s]
    [[nodiscard]] double end() const;

    [[nodiscard]] std::vector<ModelSpan> model_spans() const;
    [[nodiscard]] CostSummary summarise(const ModelSpan& span) const;
    // `count` columns over the whole span, from start() to start() + span().
    [[nodiscard]] std::vector<CostColumn> columns(int count) const;

  private:
    void trim();

    double span_;
    std::deque<StepRecord> records_;
};

}  // namespace stiction
