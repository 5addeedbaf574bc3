// wrench.h - force and torque on one body.
#pragma once

#include "core/types.h"

namespace stiction {

struct Wrench {
    Vec3 force = Vec3::Zero();   // at the centre of mass [N]
    Vec3 torque = Vec3::Zero();  // [N m]
};

}  // namespace stiction
