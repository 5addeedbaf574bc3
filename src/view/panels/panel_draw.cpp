// panel_draw.cpp - what is drawn, and the legend of its colours.
#include <imgui.h>

#include <string>

#include "view/palette.h"
#include "view/panels/draw_choices.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

void swatch(const Colour& colour, const std::string& text) {
    const float size = 0.7F * ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + 0.2F * ImGui::GetFontSize();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, y}, {at.x + size, y + size}, packed(colour),
                                              0.5F * size);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.5F * size);
    ImGui::TextUnformatted(text.c_str());
}

}  // namespace

void draw_panel(Desk& desk) {
    if (!section(desk.log, "section/draw", "Draw")) return;
    if (ImGui::BeginTable("choices", 2)) {
        for (const DrawChoice& choice : kDrawChoices) {
            ImGui::TableNextColumn();
            toggle(desk.log, choice.id, choice.label, desk.draw.*choice.value);
            hint(("Key " + key_text(choice.action)).c_str());
        }
        ImGui::TableNextColumn();
        toggle(desk.log, "draw/overlay", "timing overlay", desk.layout.overlay);
        hint(("Key " + key_text(Action::kOverlay)).c_str());
        ImGui::EndTable();
    }
    ImGui::SliderFloat("mark size", &desk.draw.mark_scale, 0.1F, 5, "%.2f",
                       ImGuiSliderFlags_Logarithmic);
    ImGui::SliderFloat("force length", &desk.draw.force_scale, 0.1F, 10, "%.2f",
                       ImGuiSliderFlags_Logarithmic);
}

void legend(Desk& desk, float right, float y, bool top) {
    if (!desk.draw.contacts && !desk.draw.forces) return;
    ImGui::SetNextWindowPos({right, y}, ImGuiCond_Always, {1, top ? 0.0F : 1.0F});
    ImGui::SetNextWindowBgAlpha(0.80F);
    if (ImGui::Begin("legend", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                         ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
        if (desk.draw.contacts) {
            swatch(palette::kContactStates[1], "sticking");
            swatch(palette::kContactStates[2], "sliding");
            swatch(palette::kContactStates[0], "open");
        }
        if (desk.draw.forces) {
            const int body = desk.selection.body;
            const std::string whom =
                body == kNone ? "the body the normal points into"
                              : "'" + desk.session.scene().model.bodies[at(body)].name + "'";
            swatch(palette::kNormalForce, "normal force");
            swatch(palette::kFrictionForce, "friction");
            ImGui::TextUnformatted(("on " + whom).c_str());
            const double length = desk.forces.metres * desk.draw.force_scale;
            ImGui::TextUnformatted(
                (with_unit(length, "m") + " = " + with_unit(desk.forces.newtons, "N")).c_str());
        }
    }
    ImGui::End();
}

}  // namespace stiction
