// siconos.h - solvers of Siconos Numerics on our problems, each run in a child process under a CPU
// limit. What they say about their own success is not used: the caller measures the answer.
// Without the library (STICTION_HAVE_SICONOS = 0) no run ever ends.
#pragma once

#include <string>
#include <vector>

#include "cpu_time.h"
#include "solve/cone/cone_problem.h"
#include "solve/lcp/lcp.h"

namespace stiction {

inline constexpr bool kHaveSiconos = STICTION_HAVE_SICONOS != 0;

struct PeerRun {
    double seconds = 0;  // CPU time of the call alone, least of the repeats; 0: it did not end
    VecX x;              // answer of the first call; may be anything
};

// Which matrix the library is handed: it has different code for each.
enum class PeerStorage { kDense, kBlocks };

// Names of the settings, each a solver with its options, those first that are quick to a tight
// tolerance on most problems.
[[nodiscard]] std::vector<std::string> siconos_settings();

// Setting number `setting` from r = 0 with `tolerance` on its own error. Repeats only while the
// time is below `interesting` [s].
[[nodiscard]] PeerRun run_siconos(const ConeProblem& problem, std::size_t setting,
                                  PeerStorage storage, double tolerance, double cpu_limit,
                                  const Repeats& repeats, double interesting);

// Lemke's method with the lexicographic rule.
[[nodiscard]] PeerRun run_siconos_lemke(const Lcp& lcp, double cpu_limit, const Repeats& repeats);

}  // namespace stiction
