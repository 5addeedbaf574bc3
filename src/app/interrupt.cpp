// interrupt.cpp - a flag that the signal handler sets. A second signal ends the program at once.
#include "app/interrupt.h"

#include <csignal>

namespace stiction {

namespace {

// A signal handler can only reach a global.
volatile std::sig_atomic_t signal_seen = 0;

extern "C" void note_signal(int number) {
    signal_seen = 1;
    std::signal(number, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
    std::signal(SIGINT, note_signal);
    std::signal(SIGTERM, note_signal);
}

bool interrupted() { return signal_seen != 0; }

}  // namespace stiction
