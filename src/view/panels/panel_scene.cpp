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

constexpr float kLineHeight = 1.15F;  // of the lists, in letters

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

// A line of the lists; returns whether it was clicked.
bool line(Desk& desk, const std::string& id, const std::string& name, const std::string& text,
          bool shown) {
    const float letter = ImGui::GetFontSize();
    ImGui::PushID(id.c_str());
    const bool clicked = ImGui::Selectable("##line", shown, 0, {0, kLineHeight * letter});
    desk.log.mark(id);
    ImGui::SameLine(letter);
    ImGui::TextUnformatted(name.c_str());
    if (!text.empty()) {
        ImGui::SameLine(9 * letter);
        ImGui::TextDisabled("%s", text.c_str());
    }
    ImGui::PopID();
    return clicked;
}

void recent_files(Desk& desk) {
    if (desk.files.recent.empty()) grey_text("No file was opened yet.");
    for (const std::string& path : desk.files.recent) {
        if (!line(desk, "recent/" + path, path, "", path == desk.session.scene().path)) continue;
        open_scene(desk, std::string(path));
        break;
    }
}

void folder_files(Desk& desk) {
    FileBrowser& files = desk.files;
    if (files.folder.empty()) files.go_to(".");
    grey_text(files.folder);
    for (const FolderEntry& entry : files.entries) {
        const std::string name = entry.name + (entry.folder ? "/" : "");
        if (!line(desk, "file/" + entry.name, name, "", false)) continue;
        const std::string path = entry.path;
        entry.folder ? files.go_to(path) : open_scene(desk, path);
        break;
    }
}

// A tab with a list that takes what room there is but for the line below it.
template <class List>
void tab(Desk& desk, const char* id, const char* name, const List& list) {
    const bool open = ImGui::BeginTabItem(name);
    desk.log.mark(std::string("chooser/") + id);
    if (!open) return;
    ImGui::BeginChild(id, {0, -1.6F * ImGui::GetFrameHeight()});
    list(desk);
    ImGui::EndChild();
    ImGui::EndTabItem();
}

}  // namespace

void open_scene(Desk& desk, const std::string& path) {
    desk.session.try_open(path);
    desk.layout.chooser = false;
}

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

// Below the view, which goes on running above it.
void scene_chooser(Desk& desk) {
    const Rectangle& place = desk.plan.gallery;
    if (place.empty()) return;
    ImGui::SetNextWindowPos({place.left, place.top});
    ImGui::SetNextWindowSize({place.width(), place.height()});
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("Choose a scene", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar();
    if (ImGui::BeginTabBar("sources")) {
        tab(desk, "shipped", "Scenes", scene_gallery);
        tab(desk, "recent", "Opened last", recent_files);
        tab(desk, "folder", "Folder", folder_files);
        const bool close = ImGui::TabItemButton("x", ImGuiTabItemFlags_Trailing);
        desk.log.mark("chooser/close");
        if (close) desk.layout.chooser = false;
        ImGui::EndTabBar();
    }
    std::string typed;
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint("##path", "path of a scene or a dataset, Enter to open", &typed,
                                 ImGuiInputTextFlags_EnterReturnsTrue) &&
        !typed.empty())
        open_scene(desk, typed);
    desk.log.mark("scene path");
    ImGui::End();
}

}  // namespace stiction
