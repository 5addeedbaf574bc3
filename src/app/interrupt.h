// interrupt.h - Ctrl-C and SIGTERM end a run after the step at hand, with its files complete.
#pragma once

namespace stiction {

void catch_interrupts();
[[nodiscard]] bool interrupted();

}  // namespace stiction
