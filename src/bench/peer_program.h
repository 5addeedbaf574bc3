// peer_program.h - the programs of benchmarks/peers, each an engine beside ours: where they are, and
// one run of one.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace stiction {

// STICTION_PEERS if set, otherwise benchmarks/peers of the build that this program is of. Empty when
// there is no such folder.
[[nodiscard]] std::string peer_folder();

// "bullet-f32": FOLDER/peer_bullet_f32. Empty when it was not built.
[[nodiscard]] std::string peer_program(const std::string& folder, const std::string& engine);

struct PeerRun {
    std::string output;        // on standard output
    std::string fault;         // empty: it ended well
    bool interrupted = false;  // by an answer false of `go_on`
};

// `patience`: wall-clock time after which the program and what it started is ended [s]. `go_on` is
// asked some fifty times a second, with the seconds that have gone by.
[[nodiscard]] PeerRun run_peer(const std::string& program,
                               const std::vector<std::string>& arguments, double patience,
                               const std::function<bool(double seconds)>& go_on);

}  // namespace stiction
