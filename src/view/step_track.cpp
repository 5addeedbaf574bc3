// step_track.cpp - keeps marks and gathers them into columns.
#include "view/step_track.h"

#include <algorithm>

#include "contact/contact_model.h"
#include "live/touches.h"

namespace stiction {

namespace {

constexpr double kLeastSteps = 10;  // that are shown across the width

bool mark_before(const StepMark& mark, std::int64_t step) { return mark.step < step; }

}  // namespace

void StepTrack::add(const StepRecord& record) {
    const StepMark mark{record.step,
                        record.t,
                        record.model,
                        record.asked,
                        record.settings,
                        light_of(record),
                        record.contacts,
                        0,
                        0};
    const auto place = std::lower_bound(marks_.begin(), marks_.end(), mark.step, mark_before);
    if (place != marks_.end() && place->step == mark.step) {
        *place = mark;
    } else {
        marks_.insert(place, mark);
    }
}

void StepTrack::add(const StepSample& sample) {
    if (sample.again) return;
    const auto found = std::lower_bound(marks_.begin(), marks_.end(), sample.step, mark_before);
    if (found == marks_.end() || found->step != sample.step) return;
    found->made = sample.made;
    found->lost = sample.lost;
}

void StepTrack::show(const Trajectory& trajectory) {
    clear();
    const auto model =
        std::find(kContactModelNames.begin(), kContactModelNames.end(), trajectory.header.model);
    Touches touches;
    for (const TrajectorySample& sample : trajectory.samples) {
        const Touches::Change change = touches.look(sample);
        marks_.push_back({sample.step, sample.time,
                          model == kContactModelNames.end() ? std::string_view("recorded") : *model,
                          "", 0, StepLight::kNotMeasured, static_cast<int>(sample.contacts.size()),
                          change.made, change.lost});
    }
}

void StepTrack::keep(std::int64_t first, std::int64_t last) {
    while (!marks_.empty() && marks_.front().step < first) marks_.pop_front();
    while (!marks_.empty() && marks_.back().step > last) marks_.pop_back();
}

const StepMark* StepTrack::find(std::int64_t step) const {
    const auto after = std::lower_bound(marks_.begin(), marks_.end(), step + 1, mark_before);
    return after == marks_.begin() ? nullptr : &*(after - 1);
}

void TrackRange::fit(double first, double last) {
    first_ = first;
    last_ = std::max(last, first + kLeastSteps);
    clamp();
}

void TrackRange::clamp() {
    if (whole_) {
        from_ = first_;
        to_ = last_;
        return;
    }
    const double width = std::clamp(to_ - from_, kLeastSteps, last_ - first_);
    from_ = std::clamp(from_, first_, last_ - width);
    to_ = from_ + width;
    if (width >= last_ - first_) whole_ = true;
}

void TrackRange::zoom(double place, double factor) {
    const double step = this->step(place);
    const double width = std::clamp((to_ - from_) * factor, kLeastSteps, last_ - first_);
    whole_ = false;
    from_ = step - place * width;
    to_ = from_ + width;
    clamp();
}

void TrackRange::pan(double part) {
    const double by = part * (to_ - from_);
    from_ += by;
    to_ += by;
    clamp();
}

void TrackRange::reveal(double step) {
    if (whole_ || (step >= from_ && step <= to_)) return;
    const double width = to_ - from_;
    from_ = step > to_ ? step - 0.9 * width : step - 0.1 * width;
    to_ = from_ + width;
    clamp();
}

TrackPicture make_track_picture(const StepTrack& track, const TrackRange& range, int columns) {
    TrackPicture picture;
    picture.columns.resize(static_cast<std::size_t>(std::max(columns, 1)));
    const auto count = static_cast<double>(picture.columns.size());
    const StepMark* last = nullptr;
    const auto& marks = track.marks();
    for (auto mark = std::lower_bound(marks.begin(), marks.end(),
                                      static_cast<std::int64_t>(range.from()), mark_before);
         mark != marks.end() && static_cast<double>(mark->step) <= range.to() + 1; ++mark) {
        // A step leads from the state before it to its own.
        const double begin = std::clamp(range.part(static_cast<double>(mark->step - 1)), 0.0, 1.0);
        const double end = std::clamp(range.part(static_cast<double>(mark->step)), 0.0, 1.0);
        const bool same_kind =
            last != nullptr && last->model == mark->model && last->asked == mark->asked;
        if (!same_kind || last->settings != mark->settings)
            picture.spans.push_back({begin, end, mark->model, mark->asked, same_kind});
        picture.spans.back().end = end;
        last = &*mark;
        const auto first_column = static_cast<std::size_t>(begin * count);
        const auto last_column = static_cast<std::size_t>(std::max(end * count - 1e-6, 0.0));
        for (std::size_t c = first_column; c <= last_column && c < picture.columns.size(); ++c) {
            TrackPicture::Column& column = picture.columns[c];
            column.unsolved = column.unsolved || mark->light == StepLight::kUnsolved;
            column.fallback = column.fallback || mark->light == StepLight::kFallback;
        }
        if (first_column >= picture.columns.size()) continue;
        picture.columns[first_column].made += mark->made;
        picture.columns[first_column].lost += mark->lost;
    }
    return picture;
}

}  // namespace stiction
