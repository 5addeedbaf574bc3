// thread_clock.h - CPU time of the calling thread.
#pragma once

#include <time.h>

namespace stiction {

// [s]. The clock of the process is no substitute: under a CPU limit it may move only at timer
// ticks.
[[nodiscard]] inline double cpu_now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace stiction
