// carried.h - contacts carried with their bodies: what a contact of one configuration becomes at
// another one near it, without searching for contacts again.
//
// A contact is between two features, each fixed to its body: a flat face, a line (an edge, the axis
// of a capsule), a point (a corner, a sphere's centre), or the rim of a cylinder; a radius around
// lines and points makes them round. The normal and the gap follow from the two features alone:
//
//   point, face    n is the face's normal                       phi = n . (a - b) - r
//   point, point   n along a - b                                phi = |a - b| - r_A - r_B
//   point, line    n across the line, through the point         the same, across the line
//   line, line     n across both                                phi = n . (a - b) - r_A - r_B
//   rim, face      the point of the rim nearest to the face     phi = n . (a - b)
//
// So a ball that rolls keeps its lowest point lowest, where a point of its material would rise. The
// row (n at the point) is the exact derivative of phi for each of these. Pairs that fix no normal
// of their own (two corners, nearly parallel edges) are carried as a point of A over a face of B.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"
#include "model/state.h"
#include "problem/contact_set.h"

namespace stiction {

struct ContactFeature {
    enum class Kind : std::uint8_t { kPoint, kLine, kFace, kRim };
    Kind kind = Kind::kPoint;
    Vec3 point_B = Vec3::Zero();  // the point, or one of the line or face; a rim's centre [m]
    Vec3 dir_B = Vec3::Zero();    // of the line, outward normal of the face, axis of the rim
    double radius = 0;            // [m]
};                                // in the frame of its body

struct CarriedContact {
    Contact contact;  // as it was found
    ContactFeature a, b;
    double side = 1;  // two lines: n = side dir_A x dir_B / |...|
};

// The features of every contact of `set`, found at `state`.
void find_features(const Model& model, const State& state, const ContactSet& set,
                   std::vector<CarriedContact>& carried);

// The contacts at another state, in the same order.
void carry_contacts(const std::vector<CarriedContact>& carried, const State& state,
                    ContactSet& set);

}  // namespace stiction
