// actions.h - carries out what a key asks for.
#pragma once

#include "view/desk.h"
#include "view/input/keys.h"
#include "view/ui.h"
#include "view/window.h"

namespace stiction {

// What an action asks of the window's own loop.
struct LoopWishes {
    bool picture = false;  // of the whole window, when this frame is drawn
    bool frame_all = false;
};

void perform(Action action, Desk& desk, Window& window, Ui& ui, LoopWishes& wishes);

}  // namespace stiction
