// overlay.cpp - lays the overlay out.
#include "view/panels/overlay.h"

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "view/palette.h"
#include "view/panels/plots.h"

namespace stiction {

namespace {

constexpr double kPlotEvery = 0.25;  // [s]: often enough for the eye
constexpr double kSumUpEvery = 0.5;  // the summaries order all steps of the span [s]
constexpr int kColumns = 170;        // of the stacked picture: about two pixels each
constexpr float kWidth = 440;        // pixels at scale 1
constexpr float kPlotHeight = 96;    // the same

void cost_cells(const StageCost& cost, const StageCost* before) {
    for (const double seconds : {cost.now, cost.mean, cost.p99}) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(with_unit(seconds, "s").c_str());
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

void cost_table(const CostSummary& present, const std::optional<CostSummary>& before) {
    const int columns = before ? 6 : 4;
    if (!ImGui::BeginTable("costs", columns,
                           ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp))
        return;
    ImGui::TableSetupColumn("stage", ImGuiTableColumnFlags_None, 1.3F);
    ImGui::TableSetupColumn("now");
    ImGui::TableSetupColumn("mean");
    ImGui::TableSetupColumn("99 %");
    if (before) {
        ImGui::TableSetupColumn(std::string(before->model).c_str(), ImGuiTableColumnFlags_None,
                                1.4F);
        ImGui::TableSetupColumn("ratio");
    }
    ImGui::TableHeadersRow();
    for (std::size_t s = 0; s < kStageNames.size(); ++s) {
        stage_cell(s);
        cost_cells(present.stages[s], before ? &before->stages[s] : nullptr);
    }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted("step");
    cost_cells(present.step, before ? &before->step : nullptr);
    ImGui::EndTable();
}

void head_line(const CostSummary& present, const Snapshot& snapshot, double achieved) {
    const StepRecord& record = snapshot.record;
    const double possible =
        present.step.mean > 0 ? snapshot.settings.step.h / present.step.mean : 0;
    ImGui::Text(
        "%s", std::string(snapshot.model.empty() ? name(snapshot.settings.contact) : snapshot.model)
                  .c_str());
    ImGui::SameLine();
    ImGui::TextDisabled("%s", std::string(record.solver).c_str());
    ImGui::SameLine();
    ImGui::Text("  t %.3f s   %.3g x real time", snapshot.state.time, possible);
    if (achieved > 0) {
        ImGui::SameLine();
        ImGui::TextDisabled("(now %.2g)", achieved);
    }
}

void foot_line(const CostSummary& present, const StepRecord& record) {
    ImGui::Text("contacts %d   iterations %d   failures %lld   fallbacks %lld   residual %.1e",
                record.contacts, record.iterations, static_cast<long long>(present.failures),
                static_cast<long long>(present.fallbacks), record.residual);
    ImGui::Text("joints %.1e m apart, %.1e m/s", record.joint_error, record.joint_speed);
    ImGui::SameLine();
    const std::string status(name(record.status));
    if (record.status == SolveStatus::kSolved) {
        ImGui::TextDisabled("  %s", status.c_str());
    } else {
        ImGui::TextColored({1, 0.6F, 0.2F, 1}, "  %s", status.c_str());
    }
}

}  // namespace

void OverlayNumbers::refresh(const Timeline& timeline, double now) {
    const bool switched = !timeline.records().empty() && timeline.records().back().model != model_;
    if (now >= next_plot_ || switched) {
        next_plot_ = now + kPlotEvery;
        plot_ = make_stage_plot(timeline, kColumns);
    }
    if (now >= next_sum_ || switched) {
        next_sum_ = now + kSumUpEvery;
        sum_up(timeline);
    }
}

void OverlayNumbers::refresh_now(const Timeline& timeline) {
    plot_ = make_stage_plot(timeline, kColumns);
    sum_up(timeline);
}

void OverlayNumbers::sum_up(const Timeline& timeline) {
    const std::vector<ModelSpan> spans = timeline.model_spans();
    present_ = spans.empty() ? CostSummary{} : timeline.summarise(spans.back());
    before_.reset();
    if (spans.size() > 1) before_ = timeline.summarise(spans[spans.size() - 2]);
    model_ = present_.model;
}

void draw_overlay(const OverlayNumbers& numbers, const Snapshot& snapshot, double achieved,
                  const OverlayPlace& place, WidgetLog& log) {
    const float unit = ImGui::GetFontSize() / 15;
    ImGui::SetNextWindowPos({place.x, place.y},
                            place.movable ? ImGuiCond_FirstUseEver : ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({kWidth * unit, 0});
    ImGui::SetNextWindowBgAlpha(0.80F);
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                             ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing |
                             ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize;
    if (!place.movable) flags |= ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings;
    if (ImGui::Begin("Timing overlay", nullptr, flags)) {
        head_line(numbers.present(), snapshot, achieved);
        draw_stage_plot("stages", numbers.plot(), ImGui::GetContentRegionAvail().x,
                        kPlotHeight * unit);
        log.mark("overlay/plot");
        cost_table(numbers.present(), numbers.before());
        foot_line(numbers.present(), snapshot.record);
    }
    ImGui::End();
}

}  // namespace stiction
