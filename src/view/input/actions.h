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

// The overlay to one line; or to the whole of it, where it is a line by lack of room too.
void fold_overlay(const ScreenPlan& plan, Layout& layout);

void perform(Action action, Desk& desk, Window& window, Ui& ui, LoopWishes& wishes);

}  // namespace stiction
