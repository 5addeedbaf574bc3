// timeline.cpp - keeps the last steps and sums them up.
#include "view/timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace stiction {

namespace {

constexpr double kStepSpan = 1000;  // steps that the plot shows, where they are the axis
constexpr double kRealSpan = 10;    // the same of real time [s]: a switch is seen for a while
constexpr std::size_t kMaxRecords = 20'000;  // where steps are very short; 5 s have 5000 of 1 ms

// The value that 99 % do not exceed; orders `values`.
double p99_of(std::vector<double>& values) {
    if (values.empty()) return 0;
    const auto rank =
        static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(values.size()))) - 1;
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

StageCost cost_of(std::vector<double>& values) {
    StageCost cost;
    cost.now = values.back();
    cost.mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    cost.p99 = p99_of(values);
    return cost;
}

}  // namespace

void Timeline::add(const StepRecord& record, double wall) {
    while (!records_.empty() && records_.back().step >= record.step) {
        records_.pop_back();
        wall_.pop_back();
    }
    records_.push_back(record);
    wall_.push_back(wall);
    trim();
}

void Timeline::clear() {
    records_.clear();
    wall_.clear();
}

void Timeline::set_span(double seconds) {
    span_ = seconds;
    trim();
}

void Timeline::set_axis(TimeAxis axis) {
    axis_ = axis;
    trim();
}

double Timeline::span() const {
    if (axis_ == TimeAxis::kSteps) return kStepSpan;
    return axis_ == TimeAxis::kReal ? kRealSpan : span_;
}

double Timeline::place(std::size_t i) const {
    if (axis_ == TimeAxis::kSteps) return static_cast<double>(records_[i].step);
    return axis_ == TimeAxis::kReal ? wall_[i] : records_[i].t;
}

void Timeline::trim() {
    while (records_.size() > kMaxRecords || (!records_.empty() && place(0) < end() - span())) {
        records_.pop_front();
        wall_.pop_front();
    }
}

double Timeline::end() const { return records_.empty() ? 0 : place(records_.size() - 1); }

double Timeline::start() const { return std::max(0.0, end() - span()); }

std::vector<ModelSpan> Timeline::model_spans() const {
    std::vector<ModelSpan> spans;
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const StepRecord& r = records_[i];
        if (spans.empty() || spans.back().model != r.model ||
            spans.back().narrowphase != r.narrowphase || spans.back().asked != r.asked ||
            spans.back().settings != r.settings)
            spans.push_back({r.model, r.narrowphase, r.asked, r.settings, i, i});
        spans.back().end = i + 1;
    }
    return spans;
}

CostSummary Timeline::summarise(const ModelSpan& span) const {
    CostSummary summary;
    summary.model = span.model;
    summary.narrowphase = span.narrowphase;
    summary.asked = span.asked;
    summary.settings = span.settings;
    summary.steps = span.end - span.begin;
    if (summary.steps == 0) return summary;
    // One pass over the records, which are large: a column of numbers per stage, and of whole
    // steps.
    std::array<std::vector<double>, kStageNames.size() + 1> values;
    for (std::vector<double>& column : values) column.reserve(summary.steps);
    const auto count = static_cast<double>(summary.steps);
    const auto first = records_.begin() + static_cast<std::ptrdiff_t>(span.begin);
    for (auto record = first; record != first + static_cast<std::ptrdiff_t>(summary.steps);
         ++record) {
        for (std::size_t s = 0; s < kStageNames.size(); ++s)
            values[s].push_back(record->seconds[s]);
        values.back().push_back(record->step_seconds);
        summary.iterations_mean += record->iterations / count;
        summary.contacts_mean += record->contacts / count;
        summary.failures += record->failures;
        summary.fallbacks += record->fallbacks;
    }
    for (std::size_t s = 0; s < kStageNames.size(); ++s) summary.stages[s] = cost_of(values[s]);
    summary.step = cost_of(values.back());
    return summary;
}

std::vector<CostColumn> Timeline::columns(int count) const {
    std::vector<CostColumn> columns(static_cast<std::size_t>(count));
    const double first = start();
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const StepRecord& record = records_[i];
        const int c =
            std::clamp(static_cast<int>((place(i) - first) / span() * count), 0, count - 1);
        CostColumn& column = columns[at(c)];
        for (std::size_t s = 0; s < kStageNames.size(); ++s) column.seconds[s] += record.seconds[s];
        column.most = std::max(column.most, record.step_seconds);
        ++column.steps;
        if (record.failures > 0 || record.status != SolveStatus::kSolved) ++column.unsolved;
    }
    for (CostColumn& column : columns) {
        for (double& seconds : column.seconds) seconds /= std::max(column.steps, 1);
    }
    return columns;
}

}  // namespace stiction
