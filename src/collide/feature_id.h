// feature_id.h - names of the contacts of a pair of shapes. A contact keeps its name while the same
// features of the two shapes touch, and finds by it the impulse it had in the last step; so these
// values must not change between versions that read each other's state files.
//
// An id holds, from the lowest bit: two labels (edges of a polygon, say), a tag that tells what
// touches what, and the number of the copy of a repeated contact. Shapes on a plane and on ground
// of triangles are named otherwise (plane.cpp, surface_pairs.cpp): ids need to differ within a pair
// only.
#pragma once

#include <cstdint>

namespace stiction {

inline constexpr int kLabelBits = 6;
inline constexpr int kTagBits = 16;
inline constexpr int kCopyShift = 2 * kLabelBits + kTagBits;

[[nodiscard]] constexpr std::uint32_t feature_id(std::uint32_t tag, std::uint32_t label_1,
                                                 std::uint32_t label_2) {
    return (tag & ((1U << kTagBits) - 1U)) << (2 * kLabelBits) | label_1 << kLabelBits | label_2;
}

// Labels of what runs along another line or a face: its one contact, or the two ends of the common
// stretch.
inline constexpr std::uint32_t kSingle = 0, kLowEnd = 1, kHighEnd = 2;

// Tags. Those of one pair function differ from one another.

// A capsule on a box: an edge of the box has its own number, 0 to 11.
inline constexpr std::uint32_t kCapsuleOnBoxFace = 12;
inline constexpr std::uint32_t kCapsuleOnBoxPoint = 13;  // an end, or lines that cross

// Two boxes: the two faces that meet, 3 bits for each of six, and whose face was clipped against.
inline constexpr std::uint32_t kBoxFaceBits = 3;
inline constexpr std::uint32_t kReferenceIsB = 64;
// Labels: the edge of A, the edge of B. Edges that run side by side have kLowEnd or kHighEnd added.
inline constexpr std::uint32_t kBoxEdges = 128;
inline constexpr std::uint32_t kBoxNearestPoints = 256;  // of a corner and a corner or edge

// Any two convex shapes.
inline constexpr std::uint32_t kConvexLines = 512;
inline constexpr std::uint32_t kConvexPoint = 513;
inline constexpr std::uint32_t kConvexFaces = 1024;  // from here on, one per pair of faces

// Any two shapes under Bullet's narrowphase (bullet_narrowphase.cpp). Labels: the corner or end of A,
// of B that is nearest. Tag 0 at the first point of a label, at others a name of the triangle or a
// number. The only point of a pair has id 0.

// The pair of faces ref and inc in the tag: kConvexFaces + 2 (kFaceIds ref + inc) + (ref is of B).
// Faces of hulls may number more than kFaceIds or than the bits allow; distinct pairs then rarely
// share a tag.
inline constexpr std::uint32_t kFaceIds = 31;
inline constexpr std::uint32_t kLineInsteadOfFace = kFaceIds - 1;  // inc is round there

}  // namespace stiction
