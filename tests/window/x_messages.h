// x_messages.h - what a window manager and a file manager would send to the program's window.
#pragma once

#include <string>

namespace stiction::test {

// The button in the frame of the window: WM_DELETE_WINDOW.
void ask_to_close(const std::string& display);

// A file dragged from elsewhere and dropped on the window, by the XDND protocol. Returns when the
// program has said that it took it; throws std::runtime_error when it does not.
void drop_file(const std::string& display, const std::string& path);

}  // namespace stiction::test
