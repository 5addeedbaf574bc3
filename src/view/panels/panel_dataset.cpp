// panel_dataset.cpp - the frames of a dataset as a list with their metrics, and the answers to the
// one on show beside each other.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "live/frame_index.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr float kListHeight = 13;  // in letters

void list_line(Desk& desk, std::size_t k, bool shown) {
    const FrameIndex& frames = *desk.session.frames();
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::string number = std::to_string(k + 1);
    if (ImGui::Selectable(number.c_str(), shown, ImGuiSelectableFlags_SpanAllColumns))
        desk.session.show_frame(k);
    desk.log.mark("frame/" + number);
    hint(frames.dataset().name(k).c_str());
    const std::optional<FrameSummary> summary = frames.summary(k);
    const std::uint64_t contacts = frames.dataset().contacts(k);
    ImGui::TableNextColumn();
    if (contacts > 0) ImGui::Text("%llu", static_cast<unsigned long long>(contacts));
    if (!summary) return;
    ImGui::TableNextColumn();
    ImGui::Text("%d", summary->sliding);
    ImGui::TableNextColumn();
    ImGui::Text("%d", summary->iterations);
    ImGui::TableNextColumn();
    const bool solved = summary->status == SolveStatus::kSolved;
    ImGui::PushStyleColor(ImGuiCol_Text,
                          solved ? ImGui::GetColorU32(ImGuiCol_Text) : packed(palette::kOrange));
    ImGui::Text("%.1e", summary->scaled);
    ImGui::PopStyleColor();
}

void frame_list(Desk& desk) {
    const FrameIndex& frames = *desk.session.frames();
    const std::size_t count = frames.dataset().size();
    const float height = kListHeight * ImGui::GetFontSize();
    if (!ImGui::BeginTable("frames", 5, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY,
                           {0, height}))
        return;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (const char* name : {"frame", "contacts", "slide", "iterations", "error"})
        ImGui::TableSetupColumn(name);
    ImGui::TableHeadersRow();
    const std::size_t shown = desk.session.now().frame->frame;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count));
    while (clipper.Step()) {
        for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k)
            list_line(desk, static_cast<std::size_t>(k), static_cast<std::size_t>(k) == shown);
    }
    ImGui::EndTable();
    if (frames.read() < count)
        grey_text("metrics read: " + std::to_string(frames.read()) + " of " +
                  std::to_string(count));
}

struct AnswerRow {
    const char* name;
    const char* unit;
    ErrorNorm ContactQuality::*norm;
};

constexpr std::array<AnswerRow, 8> kAnswerRows = {{
    {"penetration", "m", &ContactQuality::penetration},
    {"alignment", "", &ContactQuality::alignment},
    {"creep", "m/s", &ContactQuality::creep},
    {"cone", "N s", &ContactQuality::cone},
    {"anomalous", "J", &ContactQuality::anomalous},
    {"natural", "", &ContactQuality::natural},
    {"scaled", "m/s", &ContactQuality::scaled},
    {"gap", "m", &ContactQuality::gap},
}};

template <class Cell>
void answer_row(const char* name, const std::vector<std::size_t>& columns, const Cell& cell) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(name);
    for (const std::size_t column : columns) {
        ImGui::TableNextColumn();
        cell(column);
    }
}

// The stored answer and the one on show, or the last one where that is the stored one.
std::vector<std::size_t> columns_of(const FrameView& frame) {
    std::vector<std::size_t> columns{0};
    if (frame.answers.size() > 1)
        columns.push_back(frame.shown > 0 ? frame.shown : frame.answers.size() - 1);
    return columns;
}

void answer_heads(Desk& desk, const std::vector<std::size_t>& columns) {
    const FrameView& frame = *desk.session.now().frame;
    answer_row("answer", columns, [&](std::size_t k) {
        const ShownAnswer& answer = frame.answers[k];
        const std::string id = "answer/" + std::to_string(k);
        std::string label = answer.name + (answer.stored ? ", stored" : "");
        if (const std::size_t dot = label.find('.'); dot != std::string::npos)
            label[dot] = '\n';  // a column has no room for both
        ImGui::PushStyleColor(ImGuiCol_Text, k == frame.shown ? packed(palette::kYellow)
                                                              : ImGui::GetColorU32(ImGuiCol_Text));
        ImGui::PushID(id.c_str());
        if (ImGui::Selectable(label.c_str(), false)) desk.session.show_answer(k);
        ImGui::PopID();
        ImGui::PopStyleColor();
        desk.log.mark(id);
        hint("Show its forces and errors in the view");
    });
}

void answer_table(Desk& desk) {
    const FrameView& frame = *desk.session.now().frame;
    const std::vector<std::size_t> columns = columns_of(frame);
    if (!ImGui::BeginTable("answers", static_cast<int>(columns.size()) + 1, ImGuiTableFlags_RowBg))
        return;
    const auto& answers = frame.answers;
    answer_heads(desk, columns);
    answer_row("status", columns, [&](std::size_t k) {
        ImGui::TextUnformatted(std::string(name(answers[k].status)).c_str());
    });
    answer_row("iterations", columns,
               [&](std::size_t k) { ImGui::Text("%d", answers[k].iterations); });
    answer_row("time", columns, [&](std::size_t k) {
        ImGui::TextUnformatted(with_unit(answers[k].seconds, "s").c_str());
    });
    answer_row("own residual", columns,
               [&](std::size_t k) { ImGui::Text("%.1e", answers[k].residual); });
    answer_row("rest, slide", columns, [&](std::size_t k) {
        ImGui::Text("%d, %d", answers[k].quality.resting, answers[k].quality.sliding);
    });
    for (const AnswerRow& measure : kAnswerRows) {
        answer_row(measure.name, columns, [&](std::size_t k) {
            ImGui::Text("%.1e %s", (answers[k].quality.*measure.norm).norm, measure.unit);
        });
    }
    answer_row("apart", columns, [&](std::size_t k) {
        if (k > 0 && std::isfinite(answers[k].apart)) ImGui::Text("%.1e", answers[k].apart);
    });
    hint("Largest difference of velocities from the stored answer [m/s, rad/s]");
    ImGui::EndTable();
}

}  // namespace

void dataset_panel(Desk& desk) {
    if (desk.session.frames() == nullptr || !desk.session.now().frame) return;
    if (!section(desk.log, "section/dataset", "Dataset")) return;
    frame_list(desk);
    const FrameView& frame = *desk.session.now().frame;
    grey_text("Frame " + std::to_string(frame.frame + 1) + ", " + frame.name);
    if (frame.answers.empty()) {
        grey_text("It holds no answer; solve it in the left panel.");
        return;
    }
    answer_table(desk);
    if (frame.answers.size() > 1)
        toggle(desk.log, "side by side", "both in the view, side by side",
               desk.layout.side_by_side);
}

}  // namespace stiction
