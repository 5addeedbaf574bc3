// interrupt.cpp - a flag that the signal handler sets. Further signals change nothing: supervisors
// often send the same one twice (to a process and to its group), which must not cost the files. A
// step that never ends can be stopped with SIGQUIT or SIGKILL.
#include "app/interrupt.h"

#include <csignal>

namespace stiction {

namespace {

// A signal handler can only reach a global.
volatile std::sig_atomic_t signal_seen = 0;

extern "C" void note_signal(int) { signal_seen = 1; }

}  // namespace

void catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;  // writes to files are not cut short
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return signal_seen != 0; }

}  // namespace stiction
