// overlay.cpp - lays the overlay out.
#include "view/panels/overlay.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "view/input/keys.h"
#include "view/palette.h"
#include "view/panels/plots.h"
#include "view/step_light.h"

namespace stiction {

namespace {

constexpr double kPlotEvery = 0.25;  // [s]: often enough for the eye
constexpr double kSumUpEvery = 0.5;  // the summaries order all steps of the span [s]
constexpr int kColumns = 170;        // of the stacked picture: about two pixels each
constexpr float kWidth = 440;        // pixels at scale 1
constexpr float kPlotHeight = 96;    // the same

// A right click on the last item asks for a graph of the number.
void offer(QuantityOf of, std::size_t number, OverlayResult& result) {
    if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(1))
        result.plot = Quantity{of, static_cast<int>(number), kNone, kNone};
}

void cost_cells(const StageCost& cost, const StageCost* before, const Quantity& quantity,
                OverlayResult& result) {
    for (const double seconds : {cost.now, cost.mean, cost.p99}) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(with_unit(seconds, "s").c_str());
        offer(quantity.of, at(quantity.number), result);
    }
    if (before == nullptr) return;
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(with_unit(before->mean, "s").c_str());
    ImGui::TableNextColumn();
    if (before->mean > 0) ImGui::Text("x %.2f", cost.mean / before->mean);
}

void stage_cell(std::size_t stage) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const float size = 0.6F * ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + 0.25F * ImGui::GetFontSize();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, y}, {at.x + size, y + size},
                                              packed(palette::kStages[stage]), 2);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.5F * size);
    ImGui::TextUnformatted(std::string(kStageNames[stage]).c_str());
}

void cost_table(const CostSummary& present, const std::optional<CostSummary>& before, bool live,
                OverlayResult& result, WidgetLog& log) {
    const int columns = before ? 6 : 4;
    if (!ImGui::BeginTable("costs", columns,
                           ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp))
        return;
    ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_None, 1.3F);
    ImGui::TableSetupColumn("now");
    ImGui::TableSetupColumn("mean");
    ImGui::TableSetupColumn("99 %");
    if (before) {
        ImGui::TableSetupColumn(difference(*before, present).c_str(), ImGuiTableColumnFlags_None,
                                1.4F);
        ImGui::TableSetupColumn("ratio");
    }
    ImGui::TableHeadersRow();
    for (std::size_t s = 0; s < kStageNames.size(); ++s) {
        stage_cell(s);
        offer(QuantityOf::kStage, s, result);
        log.mark("overlay/stage/" + std::string(kStageNames[s]));
        cost_cells(present.stages[s], before ? &before->stages[s] : nullptr,
                   {QuantityOf::kStage, static_cast<int>(s), kNone, kNone}, result);
    }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted("step");
    cost_cells(present.step, before ? &before->step : nullptr, {QuantityOf::kStep, 0, kNone, kNone},
               result);
    ImGui::EndTable();
    if (!before || !live) return;
    result.dismiss_before = ImGui::SmallButton("without the steps before");
    log.mark("overlay/dismiss");
}

void light(const Snapshot& snapshot, WidgetLog& log) {
    const StepLight shown = light_of(snapshot);
    const Colour& colour = palette::kLights[static_cast<std::size_t>(shown)];
    const float letter = ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({letter, letter});
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + 0.45F * letter, at.y + 0.55F * letter},
                                                0.38F * letter, packed(colour));
    log.mark("overlay/light");
    ImGui::SameLine(0, 0.2F * letter);
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(legible(colour)), "%s",
                       std::string(name(shown)).c_str());
}

// A part of the head line; where the line is too short, those of the highest rank go first.
struct HeadPart {
    std::string text;
    int rank = 0;
    bool grey = false;
};

std::string numbered(const char* format, double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

std::vector<HeadPart> head_parts(const CostSummary& present, const Snapshot& snapshot,
                                 double achieved) {
    const StepRecord& record = snapshot.record;
    std::vector<HeadPart> parts;
    parts.push_back(
        {std::string(snapshot.model.empty() ? name(snapshot.settings.contact) : snapshot.model)});
    const bool usual = record.narrowphase == name(NarrowphaseKind::kExact);
    std::string solver = snapshot.recorded ? "recorded" : std::string(record.solver);
    if (!snapshot.recorded && !usual) solver += ", " + std::string(record.narrowphase);
    parts.push_back({solver, 3, true});
    parts.push_back({numbered(" t %.3f s", snapshot.state.time), 1});
    if (snapshot.recorded || !(present.step.mean > 0)) return parts;
    parts.push_back(
        {numbered(" %.3g x real time", snapshot.settings.step.h / present.step.mean), 2});
    if (achieved > 0) parts.push_back({numbered("(now %.2g)", achieved), 4, true});
    return parts;
}

void head_line(const CostSummary& present, const Snapshot& snapshot, double achieved,
               WidgetLog& log) {
    light(snapshot, log);
    ImGui::SameLine();
    std::vector<HeadPart> parts = head_parts(present, snapshot, achieved);
    const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
    const auto rank = [](const HeadPart& a, const HeadPart& b) { return a.rank < b.rank; };
    const auto width = [&] {
        float sum = -gap;
        for (const HeadPart& part : parts) sum += gap + ImGui::CalcTextSize(part.text.c_str()).x;
        return sum;
    };
    while (parts.size() > 1 && width() > room)
        parts.erase(std::max_element(parts.begin(), parts.end(), rank));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) ImGui::SameLine();
        ImGui::TextColored(
            ImGui::GetStyleColorVec4(parts[i].grey ? ImGuiCol_TextDisabled : ImGuiCol_Text), "%s",
            parts[i].text.c_str());
        log.mark("overlay/head/" + std::to_string(i));
    }
}

void foot_line(const CostSummary& present, const StepRecord& record, OverlayResult& result) {
    ImGui::Text("contacts %d   iterations %d   fallbacks %lld", record.contacts, record.iterations,
                static_cast<long long>(present.fallbacks));
    offer(QuantityOf::kStep, 3, result);
    ImGui::SameLine();
    const bool unsolved = light_of(record) == StepLight::kUnsolved;
    const ImVec4 plain = ImGui::GetStyleColorVec4(ImGuiCol_Text);
    const ImVec4 red = ImGui::ColorConvertU32ToFloat4(legible(palette::kLights[3]));
    ImGui::TextColored(present.failures > 0 ? red : plain, "  failures %lld",
                       static_cast<long long>(present.failures));
    offer(QuantityOf::kStep, 4, result);
    ImGui::SameLine();
    ImGui::TextColored(unsolved ? red : plain, "  residual %.1e", record.residual);
    offer(QuantityOf::kStep, 2, result);
    ImGui::Text("joints %.1e m apart, %.1e m/s", record.joint_error, record.joint_speed);
    offer(QuantityOf::kStep, 11, result);
    ImGui::SameLine();
    ImGui::TextColored(unsolved ? red : ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled), "  %s",
                       std::string(name(record.status)).c_str());
}

// Of a dataset: what the answer on show cost and how good it is.
void frame_line(const FrameView& frame, const Snapshot& snapshot) {
    ImGui::Text("frame %zu   contacts %d", frame.frame + 1, snapshot.record.contacts);
    if (frame.answers.empty()) {
        ImGui::TextDisabled("It holds no answer; solve it in the left panel.");
        return;
    }
    const ShownAnswer& answer = frame.answers[frame.shown];
    ImGui::Text("%s%s   %.3g ms", answer.name.c_str(), answer.stored ? " as stored" : " again",
                1e3 * answer.seconds);
    ImGui::Text("iterations %d   residual %.1e", answer.iterations, answer.residual);
    ImGui::SameLine();
    ImGui::TextDisabled("  %s", std::string(name(answer.status)).c_str());
}

void whole_overlay(const OverlayNumbers& numbers, const Snapshot& snapshot, bool live,
                   OverlayResult& result, WidgetLog& log) {
    if (snapshot.frame) {
        frame_line(*snapshot.frame, snapshot);
        log.mark("overlay/frame");
        return;
    }
    if (snapshot.recorded) {
        ImGui::TextDisabled("A recorded run: times, residuals and status were not measured.");
        ImGui::TextDisabled("contacts %d", snapshot.record.contacts);
        log.mark("overlay/not measured");
        return;
    }
    const float unit = ImGui::GetFontSize() / 15;
    draw_stage_plot("stages", numbers.plot(), ImGui::GetContentRegionAvail().x, kPlotHeight * unit);
    log.mark("overlay/plot");
    if (live && ImGui::IsItemClicked()) result.next_axis = true;
    if (live) hint("Click: over steps, simulated or real time. Red below: steps not solved.");
    cost_table(numbers.present(), numbers.before(), live, result, log);
    foot_line(numbers.present(), snapshot.record, result);
}

}  // namespace

void OverlayNumbers::refresh(const Timeline& timeline, double now, std::int64_t step) {
    const auto& records = timeline.records();
    const bool at_end = !records.empty() && step >= records.back().step;
    const bool switched = at_end && (records.back().model != present_.model ||
                                     records.back().asked != present_.asked ||
                                     records.back().narrowphase != present_.narrowphase ||
                                     records.back().settings != present_.settings);
    const bool gone_back = !at_end && step < shown_step_;
    if (now >= next_plot_ || switched) {
        next_plot_ = now + kPlotEvery;
        plot_ = make_stage_plot(timeline, kColumns);
    }
    if (now >= next_sum_ || gone_back || switched) {
        next_sum_ = now + kSumUpEvery;
        shown_step_ = step;
        sum_up(timeline, step);
    }
}

void OverlayNumbers::refresh_now(const Timeline& timeline) {
    plot_ = make_stage_plot(timeline, kColumns);
    sum_up(timeline, kLastStep);
}

// Of the steps up to the one on show that have its model and settings; steps that were gone back do
// not count.
void OverlayNumbers::sum_up(const Timeline& timeline, std::int64_t step) {
    const auto& records = timeline.records();
    std::vector<ModelSpan> spans = timeline.model_spans();
    while (spans.size() > 1 && records[spans.back().begin].step > step) spans.pop_back();
    if (!spans.empty()) {
        ModelSpan& last = spans.back();
        while (last.end > last.begin + 1 && records[last.end - 1].step > step) --last.end;
    }
    present_ = spans.empty() ? CostSummary{} : timeline.summarise(spans.back());
    if (spans.size() < 2) return;
    const std::int64_t first = records[spans.back().begin].step;
    if (first == switch_step_) return;
    switch_step_ = first;
    before_ = timeline.summarise(spans[spans.size() - 2]);
}

float overlay_width() { return kWidth * ImGui::GetFontSize() / 15; }

OverlayResult draw_overlay(const OverlayNumbers& numbers, const Snapshot& snapshot, double achieved,
                           const OverlayPlace& place, WidgetLog& log) {
    OverlayResult result;
    ImGui::SetNextWindowPos({place.left, place.bottom}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({place.width > 0 ? place.width : overlay_width(), 0});
    ImGui::SetNextWindowBgAlpha(0.80F);
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                             ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing |
                             ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoSavedSettings;
    if (!place.live) flags |= ImGuiWindowFlags_NoInputs;
    // A window folds and unfolds at once: each form is one of its own.
    if (ImGui::Begin(place.line ? "Timing line" : "Timing overlay", nullptr, flags)) {
        if (place.live) {
            const bool stuck = place.line && !place.can_open;
            ImGui::BeginDisabled(stuck);
            result.fold = ImGui::ArrowButton("fold", place.line ? ImGuiDir_Up : ImGuiDir_Down);
            log.mark("overlay/fold");
            hint(stuck
                     ? "There is no room here for more than this line."
                     : ("One line or the whole (" + key_text(Action::kOverlayLine) + ")").c_str());
            ImGui::EndDisabled();
            ImGui::SameLine();
        }
        head_line(numbers.present(), snapshot, achieved, log);
        if (!place.line) whole_overlay(numbers, snapshot, place.live, result, log);
    }
    result.width = ImGui::GetWindowSize().x;
    result.height = ImGui::GetWindowSize().y;
    ImGui::End();
    return result;
}

}  // namespace stiction
