// panel_gallery.cpp - the shipped scenes as cards with a picture, in groups.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <string>

#include "draw/picture_sheet.h"
#include "view/gallery.h"
#include "view/palette.h"
#include "view/panels/panels.h"

namespace stiction {

namespace {

constexpr int kPictureWidth = 192, kPictureHeight = 120;  // of the files [pixels]
constexpr float kCard = 10;                               // width in letters, at least
constexpr float kCardLines = 3.3F;                        // of text below the picture

void load_pictures(Desk& desk) {
    if (desk.gallery.pictures) return;
    std::vector<Image> pictures;
    for (const SceneSummary& scene : desk.shipped)
        pictures.push_back(read_png(thumbnail_path(scene)));
    desk.gallery.pictures = std::make_shared<PictureSheet>(kPictureWidth, kPictureHeight, pictures);
}

// Returns whether it was clicked.
bool card(Desk& desk, std::size_t i, float width) {
    const SceneSummary& scene = desk.shipped[i];
    const float letter = ImGui::GetFontSize();
    const float height = width * kPictureHeight / kPictureWidth;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("card", {width, height + kCardLines * letter});
    desk.log.mark("scene/" + scene.name);
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    if (!ImGui::IsItemVisible()) return clicked;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto place = desk.gallery.pictures->place(i);
    list.AddImageRounded(reinterpret_cast<ImTextureID>(
                             static_cast<std::uintptr_t>(desk.gallery.pictures->texture())),
                         at, {at.x + width, at.y + height}, {place[0], place[1]},
                         {place[2], place[3]}, IM_COL32_WHITE, 0.3F * letter);
    const bool shown = scene.path == desk.session.scene().path;
    if (hovered || shown)
        list.AddRect(at, {at.x + width, at.y + height},
                     packed(shown ? palette::kSelected : palette::kSkyBlue), 0.3F * letter, 0,
                     0.15F * letter);
    const ImVec2 text{at.x + 2, at.y + height + 2};
    list.AddText(text, ImGui::GetColorU32(ImGuiCol_Text), scene.name.c_str());
    const ImVec4 clip{at.x, at.y, at.x + width, at.y + height + kCardLines * letter};
    list.AddText(nullptr, 0.85F * letter, {text.x, text.y + letter},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled), scene.description.c_str(), nullptr,
                 width - 4, &clip);
    if (hovered) hint(scene.description.c_str());
    return clicked;
}

}  // namespace

void scene_gallery(Desk& desk) {
    load_pictures(desk);
    const float letter = ImGui::GetFontSize();
    ImGui::SetNextItemWidth(14 * letter);
    ImGui::InputTextWithHint("##search", "search", &desk.gallery.typed);
    desk.log.mark("gallery search");
    const float room = ImGui::GetContentRegionAvail().x;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const int across = std::max(static_cast<int>((room + gap) / (kCard * letter + gap)), 1);
    const float width =
        std::min((room + gap) / static_cast<float>(across) - gap, 1.4F * kCard * letter);
    std::size_t clicked = desk.shipped.size();
    for (std::size_t group = 0; group < kGalleryGroups.size(); ++group) {
        const auto found = gallery_matches(desk.shipped, group, desk.gallery.typed);
        if (found.empty()) continue;
        ImGui::TextDisabled("%s", std::string(kGalleryGroups[group]).c_str());
        for (std::size_t k = 0; k < found.size(); ++k) {
            if (k % static_cast<std::size_t>(across) != 0) ImGui::SameLine();
            if (card(desk, found[k], width)) clicked = found[k];
        }
    }
    if (clicked < desk.shipped.size()) {
        const std::string path = desk.shipped[clicked].path;
        open_scene(desk, path);
    }
}

}  // namespace stiction
