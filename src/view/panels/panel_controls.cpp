// panel_controls.cpp - what can be changed about a scene while it runs: gaits, joints with their
// motors, forces and motions of scripts.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "view/panels/graph_strip.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr std::size_t kMaxJoints = 60;  // beyond, only those of the selected body are listed

// "body: force" and "gait 1: lift" are "force" and "lift" where it is clear whose they are.
std::string short_name(const Control& control) {
    const std::size_t colon = control.name.rfind(": ");
    return colon == std::string::npos ? control.name : control.name.substr(colon + 2);
}

void ask(Desk& desk, std::size_t i, double value) { desk.session.set_control(i, value); }

void control_slider(Desk& desk, std::size_t i, const std::string& name) {
    const Control& control = desk.session.now().controls[i];
    const std::string id = "control/" + control.name;
    const std::string label = name + (control.unit.empty() ? "" : " [" + control.unit + "]");
    if (!control.names.empty()) {
        auto index = static_cast<std::size_t>(std::lround(control.value));
        if (choose(desk.log, id.c_str(), label.c_str(), control.names, index))
            ask(desk, i, static_cast<double>(index));
        return;
    }
    double value = control.value;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SliderScalar(label.c_str(), ImGuiDataType_Double, &value, &control.low,
                            &control.high, "%.4g"))
        ask(desk, i, value);
    desk.log.mark(id);
    ImGui::PopID();
}

void gait_section(Desk& desk) {
    const std::vector<Control>& controls = desk.session.now().controls;
    const auto is_gait = [](const Control& control) { return control.gait != kNone; };
    if (std::none_of(controls.begin(), controls.end(), is_gait)) return;
    if (!section(desk.log, "section/gait", "Gait")) return;
    int shown = 0;
    for (std::size_t i = 0; i < controls.size(); ++i) {
        if (!is_gait(controls[i])) continue;
        if (controls[i].gait != shown) ImGui::Separator();
        shown = controls[i].gait;
        control_slider(desk, i, short_name(controls[i]));
    }
}

// Without the sign of what rounding leaves of zero.
double shown(double x) { return std::abs(x) < 5e-4 ? 0.0 : x; }

// Where the coordinate is between its limits, or within half a turn or a metre to each side.
void position_bar(const Joint& joint, const JointCoordinate& q) {
    const bool turns = joint.kind == JointKind::kRevolute;
    const double reach = turns ? std::numbers::pi : std::max(1.0, std::abs(q.position));
    const double low = joint.limited ? joint.lower : -reach;
    const double high = joint.limited ? joint.upper : reach;
    const double part = high > low ? (q.position - low) / (high - low) : 0;
    char text[64];
    const char* unit = turns ? "rad" : "m";
    std::snprintf(text, sizeof text, "%.3f %s  %.3f %s/s", shown(q.position), unit,
                  shown(q.velocity), unit);
    ImGui::ProgressBar(static_cast<float>(std::clamp(part, 0.0, 1.0)), {-1, 0}, "");
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const ImVec2 size = ImGui::CalcTextSize(text);
    ImGui::GetWindowDrawList()->AddText(
        {0.5F * (from.x + to.x - size.x), 0.5F * (from.y + to.y - size.y)},
        ImGui::GetColorU32(ImGuiCol_Text), text);
}

void joint_controls(Desk& desk, std::size_t j) {
    const Joint& joint = desk.session.scene().model.joints[j];
    const std::vector<Control>& controls = desk.session.now().controls;
    const auto is_its = [&](const Control& c) { return c.joint == static_cast<int>(j); };
    const bool opens = std::any_of(controls.begin(), controls.end(), is_its);
    const float middle = ImGui::GetCursorPosX() + 0.42F * ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(j));
    ImGui::AlignTextToFramePadding();
    const bool open =
        ImGui::TreeNodeEx("##joint",
                          opens ? ImGuiTreeNodeFlags_None
                                : ImGuiTreeNodeFlags_Leaf | ImGuiTreeNodeFlags_NoTreePushOnOpen,
                          "%s", joint.name.c_str());
    desk.log.mark("joint/" + joint.name);
    if (ImGui::GetItemRectMin().x + ImGui::GetTreeNodeToLabelSpacing() +
            ImGui::CalcTextSize(joint.name.c_str()).x >
        ImGui::GetWindowPos().x + middle)
        hint(joint.name.c_str());  // the bar covers its end
    ImGui::SameLine(middle);
    position_bar(joint, desk.session.now().joints[j]);
    const int index = static_cast<int>(j);
    plottable(desk, {{QuantityOf::kJoint, 0, index, kNone},
                     {QuantityOf::kJoint, 1, index, kNone},
                     {QuantityOf::kJoint, 2, index, kNone},
                     {QuantityOf::kJoint, 4, index, kNone}});
    if (open && opens) {
        for (std::size_t i = 0; i < controls.size(); ++i) {
            if (is_its(controls[i])) control_slider(desk, i, short_name(controls[i]));
        }
        ImGui::TreePop();
    }
    ImGui::PopID();
}

void joints_section(Desk& desk) {
    const Model& model = desk.session.scene().model;
    std::vector<std::size_t> listed;
    for (std::size_t j = 0; j < model.joints.size() && j < desk.session.now().joints.size(); ++j) {
        const JointKind kind = model.joints[j].kind;
        if (kind == JointKind::kRevolute || kind == JointKind::kPrismatic) listed.push_back(j);
    }
    if (listed.empty()) return;
    if (!section(desk.log, "section/joints", "Joints", false)) return;
    if (listed.size() > kMaxJoints) {
        grey_text(std::to_string(listed.size()) + " joints; those of the selected body:");
        std::erase_if(listed, [&](std::size_t j) {
            const int body = desk.selection.body;
            return body == kNone ||
                   (model.joints[j].child != body && model.joints[j].parent != body);
        });
    }
    for (const std::size_t j : listed) joint_controls(desk, j);
}

void forces_section(Desk& desk) {
    const std::vector<Control>& controls = desk.session.now().controls;
    const auto is_other = [](const Control& c) { return c.joint == kNone && c.gait == kNone; };
    if (std::none_of(controls.begin(), controls.end(), is_other)) return;
    if (!section(desk.log, "section/controls", "Forces and motions", false)) return;
    for (std::size_t i = 0; i < controls.size(); ++i) {
        if (is_other(controls[i])) control_slider(desk, i, controls[i].name);
    }
}

}  // namespace

void controls_panel(Desk& desk) {
    if (desk.session.is_replay()) return;
    gait_section(desk);
    joints_section(desk);
    forces_section(desk);
}

}  // namespace stiction
