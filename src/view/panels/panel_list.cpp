// panel_list.cpp - all bodies and joints of the scene, with a search: a click selects a body; of
// every joint where it is, what its motor wants and does, and how far its limits are.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "view/file_browser.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr float kRows = 9;           // of each list before it scrolls
constexpr double kSaturated = 0.99;  // share of the most force from which a motor is at its limit

template <class Items>
std::vector<int> found(const Items& items, const std::string& typed) {
    std::vector<int> list;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (matches(items[i].name, typed)) list.push_back(static_cast<int>(i));
    }
    return list;
}

float list_height(std::size_t rows) {
    return std::min(static_cast<float>(rows) + 1, kRows) * ImGui::GetTextLineHeightWithSpacing();
}

void body_list(Desk& desk, const std::vector<int>& bodies) {
    const Model& model = desk.session.scene().model;
    ImGui::BeginChild("bodies", {0, list_height(bodies.size())});
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(bodies.size()));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const int body = bodies[at(i)];
            const std::string& name = model.bodies[at(body)].name;
            ImGui::PushID(body);
            if (ImGui::Selectable(name.empty() ? "(no name)" : name.c_str(),
                                  desk.selection.body == body))
                desk.selection.body = body;
            desk.log.mark("body/" + name);
            ImGui::PopID();
        }
    }
    ImGui::EndChild();
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
    const std::string text =
        with_unit(force, turns ? "N m" : "N") +
        (driven && std::isfinite(drive->most) ? " of " + with_unit(drive->most, "") : "");
    const ImVec4 colour = full ? ImGui::ColorConvertU32ToFloat4(packed(palette::kOrange))
                               : ImGui::GetStyleColorVec4(ImGuiCol_Text);
    ImGui::TextColored(colour, "%s", text.c_str());
}

void joint_list(Desk& desk, const std::vector<int>& joints) {
    const Model& model = desk.session.scene().model;
    const Snapshot& now = desk.session.now();
    if (joints.empty()) return;
    if (!ImGui::BeginTable(
            "joints", 4,
            ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp,
            {0, list_height(joints.size())}))
        return;
    for (const char* name : {"joint", "at", "target", "force"}) ImGui::TableSetupColumn(name);
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(joints.size()));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const std::size_t j = at(joints[at(i)]);
            const Joint& joint = model.joints[j];
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushID(static_cast<int>(j));
            if (ImGui::Selectable(joint.name.c_str(), desk.selection.body == joint.child,
                                  ImGuiSelectableFlags_SpanAllColumns))
                desk.selection.body = joint.child;
            desk.log.mark("listed joint/" + joint.name);
            ImGui::PopID();
            ImGui::TableNextColumn();
            if (j < now.joints.size()) limit_cell(joint, now.joints[j]);
            drive_cells(joint, j < now.drives.size() ? &now.drives[j] : nullptr);
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
    const std::vector<int> bodies = found(model.bodies, desk.search);
    std::vector<int> joints = found(model.joints, desk.search);
    std::erase_if(joints,
                  [&model](int j) { return model.joints[at(j)].kind == JointKind::kFixed; });
    grey_text(std::to_string(bodies.size()) + " bodies, " + std::to_string(joints.size()) +
              " joints");
    body_list(desk, bodies);
    joint_list(desk, joints);
}

}  // namespace stiction
