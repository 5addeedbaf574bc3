// panel_inspector.cpp - all about the selected body: pose, velocity, mass, contacts, joints.
#include <imgui.h>

#include <array>
#include <string>

#include "view/panels/graph_strip.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

void vector_row(const char* name, const Vec3& v, const char* unit) {
    triple_row(name, {v.x(), v.y(), v.z()}, unit);
}

const char* kind_text(BodyKind kind) {
    switch (kind) {
        case BodyKind::kStatic:
            return "static";
        case BodyKind::kKinematic:
            return "kinematic";
        case BodyKind::kDynamic:
            return "dynamic";
    }
    return "";
}

void contact_rows(Desk& desk, int body) {
    const Snapshot& now = desk.session.now();
    const Model& model = desk.session.scene().model;
    constexpr const char* kStates[] = {"open", "sticks", "slides"};
    Vec3 sum = Vec3::Zero();
    int count = 0;
    if (ImGui::BeginTable("contacts", 4, ImGuiTableFlags_RowBg)) {
        ImGui::TableSetupColumn("with");
        ImGui::TableSetupColumn("normal");
        ImGui::TableSetupColumn("friction");
        ImGui::TableSetupColumn("");
        ImGui::TableHeadersRow();
        for (std::size_t i = 0; i < now.contacts.size(); ++i) {
            const ShownContact& c = now.contacts[i];
            if (c.body_a != body && c.body_b != body) continue;
            sum += (c.body_a == body ? 1 : -1) * (c.normal_force + c.friction_force);
            ++count;
            const int other = c.body_a == body ? c.body_b : c.body_a;
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushID(static_cast<int>(i));
            const std::string& name = model.bodies[at(other)].name;
            if (ImGui::Selectable(name.c_str(), desk.selection.contact == static_cast<int>(i),
                                  ImGuiSelectableFlags_SpanAllColumns))
                desk.selection.contact = static_cast<int>(i);
            const auto of_pair = [&](int number) {
                return Quantity{QuantityOf::kContact, number, c.body_a, c.body_b};
            };
            plottable(desk, {of_pair(0), of_pair(1), of_pair(2), of_pair(3), of_pair(4)});
            ImGui::PopID();
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(with_unit(c.normal_force.norm(), "N").c_str());
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(with_unit(c.friction_force.norm(), "N").c_str());
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(kStates[static_cast<std::size_t>(c.state)]);
        }
        ImGui::EndTable();
    }
    row("contacts", "%d", count);
    vector_row("their force", sum, "N");
}

void joint_rows(Desk& desk, int body) {
    const Snapshot& now = desk.session.now();
    const Model& model = desk.session.scene().model;
    for (std::size_t j = 0; j < model.joints.size() && j < now.joints.size(); ++j) {
        const Joint& joint = model.joints[j];
        if (joint.child != body && joint.parent != body) continue;
        const bool turns = joint.kind == JointKind::kRevolute;
        row(joint.name.c_str(), "%.4g %s, %.4g %s/s", now.joints[j].position, turns ? "rad" : "m",
            now.joints[j].velocity, turns ? "rad" : "m");
        const int index = static_cast<int>(j);
        plottable(desk, {{QuantityOf::kJoint, 0, index, kNone},
                         {QuantityOf::kJoint, 1, index, kNone},
                         {QuantityOf::kJoint, 2, index, kNone}});
    }
}

void contact_details(Desk& desk) {
    const Snapshot& now = desk.session.now();
    const auto i = at(desk.selection.contact);
    if (desk.selection.contact == kNone || i >= now.contacts.size()) return;
    const ShownContact& c = now.contacts[i];
    const Model& model = desk.session.scene().model;
    ImGui::Separator();
    row("contact", "%zu", i);
    row("A, B", "%s, %s", model.bodies[at(c.body_a)].name.c_str(),
        model.bodies[at(c.body_b)].name.c_str());
    vector_row("point", c.point, "m");
    vector_row("normal", c.normal, "");
    vector_row("normal on A", c.normal_force, "N");
    vector_row("friction on A", c.friction_force, "N");
    row("gap", "%.3e m", c.gap);
    row("slip", "%.3e m/s", c.slip.norm());
    row("\xCE\xBC", "%.4g", c.mu_c);
    row("residual", "%.1e natural, %.1e scaled", c.errors.natural, c.errors.scaled);
}

}  // namespace

void inspector_panel(Desk& desk) {
    if (!section(desk.log, "section/inspector", "Inspector")) return;
    const Model& model = desk.session.scene().model;
    const Snapshot& now = desk.session.now();
    const auto body = at(desk.selection.body);
    if (desk.selection.body == kNone || body >= model.bodies.size()) {
        grey_text("Click a body. Ctrl and drag pulls it by a spring.");
        contact_details(desk);
        return;
    }
    const Body& b = model.bodies[body];
    const Pose& pose = now.state.pose[body];
    const Twist& twist = now.state.twist[body];
    row("body", "%s, %s", b.name.c_str(), kind_text(b.kind));
    if (b.kind == BodyKind::kDynamic) row("mass", "%.4g kg", b.mass);
    const auto of_body = [&](int number) {
        return Quantity{QuantityOf::kBody, number, desk.selection.body, kNone};
    };
    vector_row("position", pose.p, "m");
    desk.log.mark("inspector/position");
    plottable(desk, {of_body(0), of_body(1), of_body(2)});
    row("quaternion", "%.3f  %.3f  %.3f  %.3f", pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z());
    vector_row("velocity", twist.v, "m/s");
    desk.log.mark("inspector/velocity");
    plottable(desk, {of_body(6), of_body(3), of_body(4), of_body(5)});
    vector_row("spin", twist.w, "rad/s");
    plottable(desk, {of_body(10), of_body(7), of_body(8), of_body(9)});
    if (now.drag && now.drag->body == desk.selection.body)
        vector_row("spring", now.drag->force, "N");
    joint_rows(desk, desk.selection.body);
    ImGui::Checkbox("camera follows", &desk.layout.follow);
    contact_rows(desk, desk.selection.body);
    contact_details(desk);
}

}  // namespace stiction
