// random_rotation.h - a random rotation for tests.
#pragma once

#include "core/random.h"
#include "core/types.h"

namespace stiction {

inline Quat random_rotation(Random& random) {
    return Quat(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                random.uniform(-1, 1))
        .normalized();
}

}  // namespace stiction
