// preferences.h - what the window remembers from one start to the next, in the user's
// configuration folder; never in the working directory.
#pragma once

#include <string>

#include "view/desk.h"

namespace stiction {

struct Preferences {
    float scale = 1;  // of letters, on top of the screen's own
    Layout layout;
    DrawOptions draw;
    FileBrowser files;           // those opened last
    bool told_software = false;  // that there is no graphics card
};

// $XDG_CONFIG_HOME/stiction or ~/.config/stiction; empty when there is no home.
[[nodiscard]] std::string config_folder();
// $XDG_DATA_HOME/stiction or ~/.local/share/stiction: where recordings go unless told otherwise.
[[nodiscard]] std::string data_folder();

[[nodiscard]] Preferences load_preferences();  // defaults where the file is missing or damaged
void save_preferences(const Preferences& preferences);  // a failure is logged

}  // namespace stiction
