// timeline_bar.cpp - draws the track, and turns drags and the wheel into steps.
#include "view/panels/timeline_bar.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "contact/contact_model.h"
#include "view/input/keys.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr float kBarHeight = 3.2F;  // in letters
constexpr double kTrackZoom = 0.8;  // of the range, per notch of the wheel
constexpr float kTick = 0.28F;      // of the bar's height

struct TrackPlace {
    ImVec2 low, high;
    [[nodiscard]] float x(double part) const {
        return low.x + static_cast<float>(std::clamp(part, 0.0, 1.0)) * (high.x - low.x);
    }
};

Colour model_colour(std::string_view model) {
    const auto found = std::find(kContactModelNames.begin(), kContactModelNames.end(), model);
    if (found == kContactModelNames.end()) return palette::kGrey;
    return palette::kModels[static_cast<std::size_t>(found - kContactModelNames.begin())];
}

void draw_spans(ImDrawList& list, const TrackPlace& at, const TrackPicture& picture) {
    for (const TrackPicture::Span& span : picture.spans) {
        const float left = at.x(span.begin), right = std::max(at.x(span.end), left + 1);
        list.AddRectFilled({left, at.low.y}, {right, at.high.y},
                           packed(palette::with_alpha(model_colour(span.model), 0.75F)));
        if (&span != picture.spans.data())
            list.AddLine({left, at.low.y}, {left, at.high.y},
                         packed({1, 1, 1, span.other_settings ? 0.35F : 0.9F}));
        const std::string text =
            std::string(span.model) +
            (span.asked.empty() || span.asked == "auto" ? "" : ", " + std::string(span.asked));
        const float letter = ImGui::GetFontSize();
        if (ImGui::CalcTextSize(text.c_str()).x + 8 < right - left)
            list.AddText({left + 4, 0.5F * (at.low.y + at.high.y - letter)},
                         packed({1, 1, 1, 0.95F}), text.c_str());
    }
}

// Contacts made stand on top, contacts lost hang below the middle; red and orange at the foot.
void draw_columns(ImDrawList& list, const TrackPlace& at, const TrackPicture& picture) {
    const float height = at.high.y - at.low.y;
    const auto count = static_cast<double>(picture.columns.size());
    const float foot = 0.22F * height;
    for (std::size_t c = 0; c < picture.columns.size(); ++c) {
        const TrackPicture::Column& column = picture.columns[c];
        const float left = at.x(static_cast<double>(c) / count);
        const float right = std::max(at.x(static_cast<double>(c + 1) / count), left + 2);
        if (column.unsolved || column.fallback)
            list.AddRectFilled({left, at.high.y - foot}, {right, at.high.y},
                               packed(palette::kLights[column.unsolved ? 3 : 2]));
        if (column.made > 0)
            list.AddLine({left, at.low.y}, {left, at.low.y + kTick * height},
                         packed({1, 1, 1, 0.85F}));
        if (column.lost > 0)
            list.AddLine({left, at.high.y - foot - kTick * height}, {left, at.high.y - foot},
                         packed({0.05F, 0.06F, 0.08F, 0.8F}));
    }
}

void tell_mark(const StepMark& mark) {
    ImGui::BeginTooltip();
    ImGui::Text("step %lld, t %.4f s", static_cast<long long>(mark.step), mark.t);
    ImGui::Text("%s%s%s", std::string(mark.model).c_str(), mark.asked.empty() ? "" : ", ",
                std::string(mark.asked).c_str());
    ImGui::Text("%s, %d contacts", std::string(name(mark.light)).c_str(), mark.contacts);
    if (mark.made + mark.lost > 0) ImGui::Text("touches: %d made, %d lost", mark.made, mark.lost);
    ImGui::TextDisabled("Drag goes there, the wheel zooms, a double click shows all.");
    ImGui::EndTooltip();
}

// Drag: scrub; right or middle drag: move the range; wheel: zoom.
void handle_track(Desk& desk, const TrackPlace& at) {
    TrackRange& range = desk.track_range;
    const ImGuiIO& io = ImGui::GetIO();
    const double part = std::clamp((io.MousePos.x - at.low.x) / (at.high.x - at.low.x), 0.0F, 1.0F);
    if (ImGui::IsItemHovered()) {
        if (io.MouseWheel != 0) range.zoom(part, std::pow(kTrackZoom, io.MouseWheel));
        if (ImGui::IsMouseDoubleClicked(0)) range.show_all();
        for (const int button : {1, 2}) {
            if (ImGui::IsMouseDragging(button, 0))
                range.pan(-io.MouseDelta.x / (at.high.x - at.low.x));
        }
        const auto step = static_cast<std::int64_t>(std::llround(range.step(part)));
        if (const StepMark* mark = desk.session.track().find(step)) tell_mark(*mark);
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDown(0))
        desk.session.seek(static_cast<std::int64_t>(std::llround(range.step(part))));
}

void track_bar(Desk& desk) {
    const float height = ImGui::GetContentRegionAvail().y;
    const TrackPlace at{ImGui::GetCursorScreenPos(),
                        {ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x,
                         ImGui::GetCursorScreenPos().y + height}};
    ImGui::InvisibleButton("track", {at.high.x - at.low.x, height});
    desk.log.mark("track");
    const Snapshot& now = desk.session.now();
    const auto step = static_cast<double>(now.state.step);
    const StepTrack& track = desk.session.track();
    const auto& marks = track.marks();
    const double first = marks.empty() ? step : static_cast<double>(marks.front().step - 1);
    const double last = marks.empty() ? step : static_cast<double>(marks.back().step);
    desk.track_range.fit(first, std::max(last, step));
    handle_track(desk, at);
    if (desk.session.pace().playing) desk.track_range.reveal(step);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at.low, at.high, packed({0.5F, 0.52F, 0.56F, 0.14F}), 3);
    const int columns = std::max(static_cast<int>((at.high.x - at.low.x) / 2), 1);
    const TrackPicture picture = make_track_picture(track, desk.track_range, columns);
    list.PushClipRect(at.low, at.high, true);
    draw_spans(list, at, picture);
    draw_columns(list, at, picture);
    const float x = at.x(desk.track_range.part(step));
    if (x < at.high.x)  // steps that were gone back
        list.AddRectFilled({x, at.low.y}, at.high, packed({0.05F, 0.06F, 0.08F, 0.45F}));
    list.AddLine({x, at.low.y}, {x, at.high.y}, packed({1, 1, 1, 1}), 0.13F * ImGui::GetFontSize());
    const float r = 0.3F * ImGui::GetFontSize();
    list.AddTriangleFilled({x - r, at.low.y}, {x + r, at.low.y}, {x, at.low.y + 1.3F * r},
                           packed({1, 1, 1, 1}));
    list.PopClipRect();
}

}  // namespace

float timeline_height() { return kBarHeight * ImGui::GetFontSize(); }

void timeline_bar(Desk& desk) {
    const Rectangle& place = desk.plan.timeline;
    if (place.empty()) return;
    ImGui::SetNextWindowPos({place.left, place.top});
    ImGui::SetNextWindowSize({place.width(), place.height()});
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                        {0.6F * ImGui::GetFontSize(), 0.3F * ImGui::GetFontSize()});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.5F * ImGui::GetFontSize(), 0});
    ImGui::Begin("timeline", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(3);
    const Pace& pace = desk.session.pace();
    const float letter = ImGui::GetFontSize();
    ImGui::PushID("timeline");
    if (ImGui::Button(pace.playing ? "Pause" : "Play", {4.2F * letter, -1}))
        pace.playing ? desk.session.runner().pause() : desk.session.runner().play();
    desk.log.mark("timeline/play");
    hint(("Play or pause (" + key_text(Action::kPlay) + ")").c_str());
    ImGui::SameLine();
    ImGui::BeginGroup();
    const Snapshot& now = desk.session.now();
    ImGui::Text("t %.3f s", now.state.time);
    ImGui::TextDisabled("step %lld", static_cast<long long>(now.state.step));
    ImGui::EndGroup();
    ImGui::SameLine(11.5F * letter);
    track_bar(desk);
    ImGui::PopID();
    ImGui::End();
}

}  // namespace stiction
