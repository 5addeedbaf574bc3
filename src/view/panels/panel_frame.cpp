// panel_frame.cpp - the two panels at the sides, messages over the view, and the help.
#include <imgui.h>

#include <string>
#include <string_view>

#include "view/input/keys.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr float kPanelWidth = 330;  // pixels at scale 1
constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoTitleBar |
                                    ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus;

void begin_side(const char* name, float x, float width, float height) {
    ImGui::SetNextWindowPos({x, 0});
    ImGui::SetNextWindowSize({width, height});
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
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    if (error) {
        ImGui::SameLine(wrap + ImGui::GetFontSize());
        dismissed = ImGui::SmallButton("x");
        desk.log.mark("dismiss");
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

}  // namespace

float left_panel(Desk& desk, float height) {
    const float width = kPanelWidth * desk.scale;
    begin_side("left panel", 0, width, height);
    scene_panel(desk);
    run_panel(desk);
    contact_panel(desk);
    controls_panel(desk);
    draw_panel(desk);
    end_side();
    return width;
}

float right_panel(Desk& desk, float window_width, float height) {
    const float width = kPanelWidth * desk.scale;
    begin_side("right panel", window_width - width, width, height);
    recorder_panel(desk);
    quality_panel(desk);
    inspector_panel(desk);
    energy_panel(desk);
    compare_panel(desk);
    end_side();
    return width;
}

void notice_bar(Desk& desk, float left, float right) {
    Session& session = desk.session;
    if (session.notices().empty() && session.scene_error().empty()) return;
    ImGui::SetNextWindowPos({left + 10, 10});
    ImGui::SetNextWindowSize({std::max(right - left - 20, 200.0F), 0});
    ImGui::SetNextWindowBgAlpha(0);
    ImGui::Begin("notices", nullptr,
                 kFixed | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_AlwaysAutoResize);
    bool dismissed = false;
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
    ImGui::End();
}

void help_window(Desk& desk) {
    if (!desk.layout.help) return;
    place_dialog(46);
    if (ImGui::Begin("Help", &desk.layout.help,
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
        ImGui::TextUnformatted("Left drag orbits, right drag pans, wheel zooms, click selects,");
        ImGui::TextUnformatted("Ctrl + left drag pulls a body by a spring, a file may be dropped.");
        ImGui::Separator();
        if (ImGui::BeginTable("keys", 4, ImGuiTableFlags_SizingFixedFit)) {
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
                ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(packed(palette::kSkyBlue)), "%s",
                                   key_text(binding).c_str());
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(std::string(binding.text).c_str());
            }
            ImGui::EndTable();
        }
        ImGui::Separator();
        ImGui::TextDisabled("panels and overlay %.2f ms, frame %.1f ms, %d draw calls",
                            1e3 * desk.costs.ui, 1e3 * desk.costs.frame, desk.costs.draw_calls);
    }
    ImGui::End();
}

}  // namespace stiction
