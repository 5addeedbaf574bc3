// panel_scene.cpp - which scene is shown, its parameters, and the list to choose from.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "view/input/keys.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

// Parameters as typed, until they are applied.
void parameter_fields(Desk& desk) {
    const Session& session = desk.session;
    if (session.scene().parameters.empty() || session.is_replay()) return;
    if (!ImGui::TreeNode("Parameters")) return;
    ParameterTexts texts = session.parameters();
    bool apply = false;
    for (const auto& [key, value] : session.scene().parameters) {
        double edited = value;
        const std::string id = "parameter/" + key;
        if (!number(desk.log, id.c_str(), key.c_str(), edited, -1e300, 1e300, "%.10g")) continue;
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", edited);
        texts[key] = text;
        apply = true;
    }
    ImGui::TreePop();
    grey_text("A change starts the scene anew.");
    if (apply) desk.session.try_open(session.scene().path, texts);
}

}  // namespace

void scene_panel(Desk& desk) {
    if (!section(desk.log, "section/scene", "Scene")) return;
    Session& session = desk.session;
    ImGui::TextUnformatted(session.scene().name.c_str());
    grey_text(session.scene().description);
    if (button(desk.log, "open", "Open...")) desk.layout.chooser = true;
    hint(("Choose a scene (" + key_text(Action::kOpen) + "). A file may also be dropped here.")
             .c_str());
    ImGui::SameLine();
    if (button(desk.log, "reload", "Reload", !session.is_replay())) session.reload();
    hint(("Read the file again (" + key_text(Action::kReload) +
          "); this happens by itself when the file changes.")
             .c_str());
    parameter_fields(desk);
}

void scene_chooser(Desk& desk) {
    if (!desk.layout.chooser) return;
    const float letter = ImGui::GetFontSize();
    place_dialog(44);
    if (ImGui::Begin("Choose a scene", &desk.layout.chooser,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
        // As high as the list, unless that is more than the window has room for.
        const float row = 1.3F * letter + ImGui::GetStyle().ItemSpacing.y;
        const float all = row * static_cast<float>(desk.shipped.size()) + 0.5F * letter;
        ImGui::BeginChild("scenes", {0, std::min(all, 0.75F * ImGui::GetIO().DisplaySize.y)});
        for (const SceneSummary& scene : desk.shipped) {
            const bool shown = scene.path == desk.session.scene().path;
            ImGui::PushID(scene.path.c_str());
            if (ImGui::Selectable("##scene", shown, 0, {0, 1.3F * letter})) {
                desk.session.try_open(scene.path);
                desk.layout.chooser = false;
            }
            desk.log.mark("scene/" + scene.name);
            ImGui::SameLine(letter);
            ImGui::TextUnformatted(scene.name.c_str());
            ImGui::SameLine(9 * letter);
            ImGui::TextDisabled("%s", scene.description.c_str());
            ImGui::PopID();
        }
        ImGui::EndChild();
        ImGui::Separator();
        std::string typed;
        ImGui::SetNextItemWidth(-1);
        if (ImGui::InputTextWithHint("##path", "path of a YAML file, Enter to open", &typed,
                                     ImGuiInputTextFlags_EnterReturnsTrue) &&
            !typed.empty()) {
            desk.session.try_open(typed);
            desk.layout.chooser = false;
        }
        desk.log.mark("scene path");
    }
    ImGui::End();
}

}  // namespace stiction
