// face_manifold.h - contacts of one shape's flat face with whatever of the other shape lies over
// it.
#pragma once

#include "collide/face.h"

namespace stiction {

// Adds all contacts of `inc` over `face` of `ref` with gap at most `margin`, gaps measured along
// the face's normal. True if face and face overlap by no more than a sliver, like diagonal
// neighbours in a wall: that is no contact.
bool add_face_manifold(const WorldGeom& ref, const WorldGeom& inc, const Face& face, bool ref_is_b,
                       double margin, Manifold& m);

}  // namespace stiction
