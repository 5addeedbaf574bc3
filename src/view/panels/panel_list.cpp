// panel_list.cpp - all bodies and joints of the scene as a tree, with a search: a click selects a
// body; of every joint where it is, what its motor wants and does, and how far its limits are.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "view/body_tree.h"
#include "view/palette.h"
#include "view/panels/graph_strip.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr float kRows = 16;   // of the tree before it scrolls
constexpr int kDeepest = 12;  // that is indented: long chains stay in the panel
constexpr std::array<std::string_view, 5> kKindNames = {"fixed", "hinge", "slide", "ball",
                                                        "universal"};
constexpr double kSaturated = 0.99;  // share of the most force from which a motor is at its limit

float list_height(std::size_t rows) {
    return std::min(static_cast<float>(rows) + 1.5F, kRows) * ImGui::GetTextLineHeightWithSpacing();
}

// "0.12 of -1.5 ... 1.5 rad"
void limit_cell(const Joint& joint, const JointCoordinate& q) {
    if (joint.limited) {
        ImGui::Text("%.3g in %.3g..%.3g", q.position, joint.lower, joint.upper);
    } else {
        ImGui::Text("%.3g", q.position);
    }
}

void drive_cells(const Joint& joint, const ShownDrive* drive) {
    const bool turns = joint.kind == JointKind::kRevolute;
    ImGui::TableNextColumn();
    if (drive == nullptr) {
        ImGui::TextDisabled("not measured");
        ImGui::TableNextColumn();
        return;
    }
    if (drive->kind == Motor::Kind::kOff) {
        ImGui::TextDisabled("-");
    } else {
        ImGui::Text("%.3g %s%s", drive->target, turns ? "rad" : "m",
                    drive->kind == Motor::Kind::kVelocity ? "/s" : "");
    }
    ImGui::TableNextColumn();
    const bool driven = drive->kind != Motor::Kind::kOff;
    const double force = driven ? drive->force : drive->friction;
    const bool full =
        driven && std::isfinite(drive->most) && std::abs(force) >= kSaturated * drive->most;
    const bool bounded = driven && std::isfinite(drive->most);
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), bounded ? "%.2g of %.3g" : "%.2g", force, drive->most);
    const ImVec4 colour = full ? ImGui::ColorConvertU32ToFloat4(packed(palette::kOrange))
                               : ImGui::GetStyleColorVec4(ImGuiCol_Text);
    ImGui::TextColored(colour, "%s", text.data());
    hint(turns ? "[N m]" : "[N]");
}

void joint_cells(Desk& desk, std::size_t j) {
    const Model& model = desk.session.scene().model;
    const Snapshot& now = desk.session.now();
    ImGui::TableNextColumn();
    const Joint& joint = model.joints[j];
    if (joint.kind != JointKind::kRevolute && joint.kind != JointKind::kPrismatic) {
        ImGui::TextDisabled("%s",
                            std::string(kKindNames[static_cast<std::size_t>(joint.kind)]).c_str());
        return;
    }
    if (j < now.joints.size()) limit_cell(joint, now.joints[j]);
    drive_cells(joint, j < now.drives.size() ? &now.drives[j] : nullptr);
}

// Name of the body with the joint it hangs on; an arrow where something hangs on it.
void name_cell(Desk& desk, const TreeRow& row) {
    const Model& model = desk.session.scene().model;
    const float letter = ImGui::GetFontSize();
    const float indent = 0.7F * letter * static_cast<float>(std::min(row.depth, kDeepest));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
    std::set<int>& closed = desk.closed_bodies;
    const bool folded = closed.count(row.body) > 0;
    if (row.children) {
        const float x = ImGui::GetCursorPosX();
        if (ImGui::SmallButton(folded ? "+" : "-")) {
            if (folded) {
                closed.erase(row.body);
            } else {
                closed.insert(row.body);
            }
        }
        desk.log.mark("fold/" + model.bodies[at(row.body)].name);
        ImGui::SameLine(x + 1.5F * letter, 0);
    } else {
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.5F * letter);
    }
    const std::string body =
        row.body == kNone ? "(closes a loop)" : model.bodies[at(row.body)].name;
    const std::string shown = body.empty() ? "(no name)" : body;
    const int selects = row.body != kNone ? row.body : model.joints[at(row.joint)].child;
    if (ImGui::Selectable(shown.c_str(), desk.selection.body == selects,
                          ImGuiSelectableFlags_SpanAllColumns))
        desk.selection.body = selects;
    if (row.body != kNone) desk.log.mark("body/" + body);
    if (row.joint != kNone) {
        const std::string& joint = model.joints[at(row.joint)].name;
        desk.log.mark("listed joint/" + joint);
        hint(("joint '" + joint + "'; right click: graphs").c_str());
        plottable(desk, {{QuantityOf::kJoint, 0, row.joint, kNone},
                         {QuantityOf::kJoint, 1, row.joint, kNone},
                         {QuantityOf::kJoint, 2, row.joint, kNone},
                         {QuantityOf::kJoint, 3, row.joint, kNone},
                         {QuantityOf::kJoint, 4, row.joint, kNone}});
    } else {
        plottable(desk,
                  {{QuantityOf::kBody, 6, selects, kNone}, {QuantityOf::kBody, 2, selects, kNone}});
    }
}

void tree_table(Desk& desk, const std::vector<TreeRow>& rows, bool joints) {
    if (!ImGui::BeginTable("tree", joints ? 4 : 1,
                           ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY |
                               ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_Resizable,
                           {0, list_height(rows.size())}))
        return;
    ImGui::TableSetupColumn("body", ImGuiTableColumnFlags_None, 1.5F);
    if (joints) {
        for (const char* name : {"joint at", "target", "force"}) ImGui::TableSetupColumn(name);
    }
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushID(i);
            name_cell(desk, rows[at(i)]);
            if (joints && rows[at(i)].joint != kNone) joint_cells(desk, at(rows[at(i)].joint));
            ImGui::PopID();
        }
    }
    ImGui::EndTable();
}

}  // namespace

void list_panel(Desk& desk) {
    if (!section(desk.log, "section/list", "Bodies and joints", false)) return;
    const Model& model = desk.session.scene().model;
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##search", "search", &desk.search);
    desk.log.mark("search");
    const std::vector<TreeRow> rows =
        visible_rows(make_body_tree(model), model, desk.closed_bodies, desk.search);
    grey_text(std::to_string(model.bodies.size()) + " bodies, " +
              std::to_string(model.joints.size()) + " joints");
    tree_table(desk, rows, !model.joints.empty());
}

}  // namespace stiction
