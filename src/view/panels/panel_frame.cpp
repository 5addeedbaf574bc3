// panel_frame.cpp - the two panels at the sides, messages over the view, and the help.
#include <imgui.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "view/input/keys.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoTitleBar |
                                    ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus;

void begin_side(const char* name, const Rectangle& place) {
    ImGui::SetNextWindowPos({place.left, place.top});
    ImGui::SetNextWindowSize({place.width(), place.height()});
    ImGui::SetNextWindowBgAlpha(1);  // nothing is drawn behind it
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin(name, nullptr, kFixed);
    ImGui::PopStyleVar();
    ImGui::PushItemWidth(0.5F * ImGui::GetContentRegionAvail().x);
}

void end_side() {
    ImGui::PopItemWidth();
    ImGui::End();
}

void message(Desk& desk, const std::string& text, bool error, const char* id, bool& dismissed) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, error ? ImVec4(0.45F, 0.16F, 0.05F, 0.95F)
                                                  : ImVec4(0.1F, 0.2F, 0.3F, 0.9F));
    const float wrap = ImGui::GetContentRegionAvail().x - 3 * ImGui::GetFontSize();
    const float height = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap).y;
    ImGui::BeginChild(id, {0, height + 0.9F * ImGui::GetFontSize()}, true,
                      ImGuiWindowFlags_NoScrollbar);
    ImGui::PushTextWrapPos(wrap);
    ImGui::TextColored({1, 1, 1, 1}, "%s", text.c_str());
    ImGui::PopTextWrapPos();
    if (error) {
        ImGui::SameLine(wrap + ImGui::GetFontSize());
        dismissed = ImGui::SmallButton("x");
        desk.log.mark("dismiss");
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

// Opens a panel that has no room beside the other.
void side_tab(Desk& desk, const char* name, const Rectangle& place, Side side) {
    if (place.empty()) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    begin_side(name, place);
    ImGui::PopStyleVar(2);
    const char* arrow = side == Side::kLeft ? ">" : "<";
    if (ImGui::Button(arrow, {place.width(), place.height()})) {
        desk.layout.preferred = side;
        // Where the gallery has taken the room of both, it gives it back.
        if (desk.plan.left.empty() && desk.plan.right.empty()) desk.layout.chooser = false;
    }
    desk.log.mark(name);
    hint(("Open this panel (" +
          key_text(side == Side::kLeft ? Action::kLeftPanel : Action::kRightPanel) + ")")
             .c_str());
    end_side();
}

}  // namespace

void left_panel(Desk& desk) {
    side_tab(desk, "left tab", desk.plan.left_tab, Side::kLeft);
    if (desk.plan.left.empty()) return;
    begin_side("left panel", desk.plan.left);
    scene_panel(desk);
    run_panel(desk);
    contact_panel(desk);
    controls_panel(desk);
    draw_panel(desk);
    end_side();
}

void right_panel(Desk& desk) {
    side_tab(desk, "right tab", desk.plan.right_tab, Side::kRight);
    if (desk.plan.right.empty()) return;
    begin_side("right panel", desk.plan.right);
    dataset_panel(desk);
    recorder_panel(desk);
    quality_panel(desk);
    contact_view_panel(desk);
    inspector_panel(desk);
    list_panel(desk);
    energy_panel(desk);
    compare_panel(desk);
    end_side();
}

namespace {

// What a newcomer needs to know, until it was used once.
std::string keys_to_try(const Desk& desk) {
    const bool models = !desk.layout.used_models && !desk.session.is_replay();
    const std::string help = desk.layout.used_help ? "" : "F1 lists all keys";
    if (!models) return help.empty() ? "" : help + ".";
    return "Keys 1 to 6 switch the contact model while it runs" +
           (help.empty() ? "." : "; " + help + ".");
}

}  // namespace

PartSize notice_bar(Desk& desk) {
    Session& session = desk.session;
    const bool other =
        !session.notices().empty() || !session.scene_error().empty() || !session.banner().empty();
    const std::string keys = other ? "" : keys_to_try(desk);  // what is news goes first
    if (!other && keys.empty()) return {};
    const Rectangle& view = desk.plan.view;
    const float margin = kViewMargin * desk.scale;
    ImGui::SetNextWindowPos({view.left + margin, view.top + margin});
    ImGui::SetNextWindowSize({view.width() - 2 * margin, 0});
    ImGui::SetNextWindowBgAlpha(0);
    ImGui::Begin("notices", nullptr,
                 kFixed | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_AlwaysAutoResize);
    bool dismissed = false;
    if (!session.banner().empty()) {
        message(desk, session.banner(), true, "banner", dismissed);
        if (dismissed) session.hide_banner();
        dismissed = false;
    }
    if (!session.scene_error().empty()) {
        message(desk, session.scene_error() + "\nThe scene that ran before goes on.", true,
                "scene error", dismissed);
        if (dismissed) session.dismiss_scene_error();
    }
    for (std::size_t i = 0; i < session.notices().size(); ++i) {
        const Notice& notice = session.notices()[i];
        dismissed = false;
        message(desk, notice.text, notice.error, ("notice" + std::to_string(i)).c_str(), dismissed);
        if (dismissed) {
            session.dismiss(i);
            break;
        }
    }
    if (!keys.empty()) {
        dismissed = false;
        message(desk, keys, false, "keys to try", dismissed);
        desk.log.mark("keys to try");
    }
    const PartSize size{ImGui::GetWindowSize().x, ImGui::GetWindowSize().y};
    ImGui::End();
    return size;
}

namespace {

// Two keys beside each other where there is room for their texts.
int help_columns() {
    float key = 0, text = 0;
    for (const KeyBinding& binding : key_bindings()) {
        key = std::max(key, ImGui::CalcTextSize(key_text(binding).c_str()).x);
        text = std::max(text, ImGui::CalcTextSize(std::string(binding.text).c_str()).x);
    }
    const float pair = key + text + 4 * ImGui::GetStyle().CellPadding.x;
    return 2 * pair <= ImGui::GetContentRegionAvail().x ? 4 : 2;
}

void key_table(Desk& desk) {
    if (!ImGui::BeginTable("keys", help_columns(), ImGuiTableFlags_SizingFixedFit)) return;
    std::string_view group;
    for (const KeyBinding& binding : key_bindings()) {
        if (binding.group != group) {
            group = binding.group;
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextDisabled("%s", std::string(group).c_str());
            ImGui::TableNextRow();
        }
        ImGui::TableNextColumn();
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(legible(palette::kSkyBlue)), "%s",
                           key_text(binding).c_str());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(std::string(binding.text).c_str());
        desk.log.mark("help/" + std::string(binding.text));
    }
    ImGui::EndTable();
}

}  // namespace

void help_window(Desk& desk) {
    if (!desk.layout.help) return;
    place_dialog(53);
    if (ImGui::Begin("Help", &desk.layout.help,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
        wrapped_text(
            "Left drag orbits, right drag pans, wheel zooms, click selects a body or a contact, "
            "Ctrl + left drag pulls a body by a spring, right click on a number plots it, a file "
            "may be dropped.");
        ImGui::Separator();
        const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        desk.log.place("help", {low.x, low.y, low.x + size.x, low.y + size.y});
        key_table(desk);
        ImGui::Separator();
        ImGui::TextDisabled("panels and overlay %.2f ms, frame %.1f ms, %d draw calls",
                            1e3 * desk.costs.ui, 1e3 * desk.costs.frame, desk.costs.draw_calls);
    }
    ImGui::End();
}

}  // namespace stiction
