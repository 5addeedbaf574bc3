// guarded_run.h - runs work in a child process under a limit of CPU time: what crashes or never
// ends does so there. Its output is off.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace stiction {

// `work` gets `count` zeros in memory shared with the caller and leaves its answer there; what it
// had written when it was cut off or crashed is returned too, so let it write a mark last.
// Throws std::runtime_error if no process can be started.
[[nodiscard]] std::vector<double> run_guarded(double cpu_seconds, std::size_t count,
                                              const std::function<void(std::span<double>)>& work);

// Within `work`: sets the limit anew, to this much more CPU time from now on.
void extend_guard(double cpu_seconds);

}  // namespace stiction
