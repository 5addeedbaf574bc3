// repeat.h - one entry of a list that stands for many: rows and grids, with seeded jitter.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/types.h"
#include "scene/node.h"

namespace stiction {

inline constexpr std::int64_t kMaxCopies = 100'000;  // of one entry: as many as bodies of a scene

// One copy: the entry with i, j, k, n, index in scope, what to append to its name, and where to put
// it.
struct Copy {
    Node entry;
    std::string
        suffix;  // "_3", "_0_2"; empty without repeat or where the name has an index in braces
    Vec3 offset = Vec3::Zero();    // spacing and jitter, world [m]
    Quat turn = Quat::Identity();  // jitter
};

// Calls visit once, or as often as the entry's `repeat` says. Spacing and jitter are for placed
// things only. Equal seeds give equal jitter.
void for_each_copy(const Node& entry, bool placed, std::uint64_t seed,
                   const std::function<void(const Copy&)>& visit);

// For the parts of an entry that may itself be one of many, the shapes of a body and the points of a
// hull: i, j, k are the part's as far as it has axes; `index`, `n` and the other axes stay those of
// the entry.
void for_each_part(const Node& part, const std::function<void(const Node&)>& visit);

// The entry's name: `name` with braces filled in, or name and suffix. Empty when it has none.
[[nodiscard]] std::string copy_name(const Copy& copy);

}  // namespace stiction
