// timeline_bar.h - the timeline across the whole width of the window: every step that can be gone
// back to, coloured by its model; a drag goes there.
#pragma once

#include "view/desk.h"

namespace stiction {

[[nodiscard]] float timeline_height();  // with the present letters [pixels]; none for datasets
void timeline_bar(Desk& desk);

}  // namespace stiction
