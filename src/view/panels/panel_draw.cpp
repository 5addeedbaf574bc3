// panel_draw.cpp - what is drawn, and the legend of its colours.
#include <imgui.h>

#include <string>

#include "view/friction_set.h"
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
    ImGui::GetWindowDrawList()->AddRect({at.x, y}, {at.x + size, y + size},
                                        packed({0.5F, 0.5F, 0.5F, 0.6F}), 0.5F * size);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 1.5F * size);
    ImGui::TextUnformatted(text.c_str());
}

void force_legend(Desk& desk) {
    const int body = desk.selection.body;
    const std::string whom = body == kNone
                                 ? "the body the normal points into"
                                 : "'" + desk.session.scene().model.bodies[at(body)].name + "'";
    swatch(palette::kNormalForce, "normal force");
    swatch(palette::kFrictionForce, "friction");
    ImGui::TextUnformatted(("on " + whom).c_str());
    const double length = desk.forces.metres * desk.draw.force_scale;
    ImGui::TextUnformatted((with_unit(length, "m") + " = " + with_unit(desk.forces.newtons, "N") +
                            (desk.forces.pinned ? ", held" : ""))
                               .c_str());
}

void force_scale(Desk& desk) {
    toggle(desk.log, "draw/pin", "hold the scale", desk.forces.pinned);
    hint(("The same length for the same force, whatever comes (" + key_text(Action::kPinForces) +
          "). Otherwise it follows the forces; arrows longer than three times the scale are cut "
          "and have a dot at their end.")
             .c_str());
    double newtons = desk.forces.newtons;
    if (number(desk.log, "draw/newtons", "force scale [N]", newtons, 1e-9, 1e15)) {
        desk.forces.newtons = newtons;
        desk.forces.pinned = true;
    }
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
    force_scale(desk);
    toggle(desk.log, "draw/light", "light panels", desk.layout.light);
    hint(("Key " + key_text(Action::kTheme)).c_str());
    toggle(desk.log, "draw/keep", "camera keeps what moves in view", desk.layout.keep);
    hint(("Key " + key_text(Action::kKeep) + "; moving the camera sideways ends it, " +
          key_text(Action::kFrameAll) + " shows everything and begins it again.")
             .c_str());
}

PartSize legend(Desk& desk) {
    if (!desk.draw.contacts && !desk.draw.forces && !desk.draw.cones) return {};
    const Rectangle& place = desk.plan.legend;
    const bool shown = !place.empty();
    ImGui::SetNextWindowPos(shown ? ImVec2(place.left, place.top) : ImVec2(-10000, 0));
    ImGui::SetNextWindowBgAlpha(0.80F);
    PartSize size;
    if (ImGui::Begin("legend", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                         ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
        if (desk.draw.contacts && desk.draw.errors) {
            swatch(palette::kErrors[0], "error 1e-10 m/s or less");
            swatch(palette::kErrors[1], "1e-6 m/s");
            swatch(palette::kErrors[2], "1e-2 m/s or more");
        } else if (desk.draw.contacts) {
            swatch(palette::kContactStates[1], "sticking");
            swatch(palette::kContactStates[2], "sliding");
            swatch(palette::kContactStates[0], "open");
        }
        if (desk.draw.forces) force_legend(desk);
        if (desk.draw.cones) {
            const Snapshot& now = desk.session.now();
            const FrictionSetKind kind = friction_set(now.model, now.settings.contact).kind;
            swatch(palette::kWholeForce, std::string(describe(kind, now.model)));
        }
        if (desk.draw.grid)
            ImGui::TextUnformatted(
                ("grid " + with_unit(grid_cell(desk.camera.distance), "m")).c_str());
        size = {ImGui::GetWindowSize().x, ImGui::GetWindowSize().y};
    }
    ImGui::End();
    return size;
}

}  // namespace stiction
