// panels.h - the panels of the window, one file each.
#pragma once

#include "view/desk.h"

namespace stiction {

// Sections of the left panel.
void scene_panel(Desk& desk);
void run_panel(Desk& desk);
void contact_panel(Desk& desk);
void controls_panel(Desk& desk);
void draw_panel(Desk& desk);

// Sections of the right panel.
void quality_panel(Desk& desk);
void energy_panel(Desk& desk);
void inspector_panel(Desk& desk);
void compare_panel(Desk& desk);
void recorder_panel(Desk& desk);

// Over the view.
void notice_bar(Desk& desk, float left, float right);
void legend(Desk& desk, float right, float y, bool top);  // y: its upper or lower edge
void help_window(Desk& desk);
void scene_chooser(Desk& desk);

// Where the whole of the left and right panel goes; returns the width that was used.
float left_panel(Desk& desk, float height);
float right_panel(Desk& desk, float window_width, float height);

// Camera and selection go to the worst contact of the last step.
void show_worst_contact(Desk& desk);

}  // namespace stiction
