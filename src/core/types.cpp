// types.cpp - what few files need of a pose, compiled once.
#include "core/types.h"

namespace stiction {

Pose Pose::operator*(const Pose& other) const {
    return {q * other.p + p, (q * other.q).normalized()};
}

Pose Pose::inverse() const { return {q.conjugate() * -p, q.conjugate()}; }

}  // namespace stiction
