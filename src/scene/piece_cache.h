// piece_cache.h - convex pieces of meshes that were taken apart before, kept between runs of the
// program: a fine mesh takes seconds.
//
// A file per mesh, with the key as its name, in $XDG_CACHE_HOME/stiction/pieces (~/.cache without it).
// The key is a hash of the mesh, the settings and the build, so a change of any of them finds nothing.
// A file that is damaged counts as none, and where none can be written nothing is kept: what a run does
// never depends on it.
#pragma once

#include <cstdint>
#include <optional>

#include "model/decompose.h"

namespace stiction {

[[nodiscard]] std::optional<Decomposition> find_pieces(std::uint64_t key);
void keep_pieces(std::uint64_t key, const Decomposition& pieces);

}  // namespace stiction
