// panels.h - the panels of the window, one file each.
#pragma once

#include <string>

#include "view/desk.h"

namespace stiction {

// Sections of the left panel.
void scene_panel(Desk& desk);
void run_panel(Desk& desk);
void contact_panel(Desk& desk);
void controls_panel(Desk& desk);
void draw_panel(Desk& desk);

// Sections of the right panel.
void dataset_panel(Desk& desk);
void quality_panel(Desk& desk);
void energy_panel(Desk& desk);
void contact_view_panel(Desk& desk);  // the microscope
void inspector_panel(Desk& desk);
void list_panel(Desk& desk);
void compare_panel(Desk& desk);
void recorder_panel(Desk& desk);

// Over the view.
// Each returns the size that it wants; the plan of the next frame has it. Where the plan has no
// room for the legend it is laid out unseen.
PartSize notice_bar(Desk& desk);
PartSize legend(Desk& desk);
void help_window(Desk& desk);
void scene_chooser(Desk& desk);
void scene_gallery(Desk& desk);  // shipped scenes, inside it
void open_scene(Desk& desk, const std::string& path);

// The whole of the left and right panel where the plan has them, or the tab that opens one.
void left_panel(Desk& desk);
void right_panel(Desk& desk);

// Scenes side by side: what they are, in the panel; who is in a cell of the view, over it (returns
// its height [pixels]); and the first step in which two of them part, with its contact.
void peers_panel(Desk& desk);
float peer_title(Desk& desk, std::size_t picture, const Rectangle& cell);
void go_to_parting(Desk& desk);
[[nodiscard]] std::string peer_name(const Session& session, std::size_t picture);

// Selects a contact and opens the panel that shows it closely.
void show_contact(Desk& desk, int contact);

// Camera and selection go to the worst contact of the last step.
void show_worst_contact(Desk& desk);

}  // namespace stiction
