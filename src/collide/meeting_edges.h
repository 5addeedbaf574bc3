// meeting_edges.h - two edges that run side by side and meet: the ridge of two leaning cards.
//
// Across the edges each body is a wedge, and the two touch with their tips. Every direction that
// lies between the normals of B's two faces and between those of A's two, turned round, parts them;
// as long as the tips touch, none is better than another. The normal is the one that edges rounded
// a little have: with d the way from B's edge to A's and c the middle of those directions,
//
//   n = (d + r c) / |d + r c|,   phi = n . d,
//
// kept between the faces' normals. It does not turn round where rounding changes the sign of the
// gap, and becomes the true direction of d, or the normal of the face that one edge comes over,
// where the edges are further from one another.
#pragma once

#include "collide/geometry.h"
#include "collide/segment.h"

namespace stiction {

// Faces at a smaller angle are nearly parallel [rad], and its cosine.
inline constexpr double kParallelFaces = 0.1;
inline constexpr double kParallelFacesCosine = 0.995;

struct Edge {
    Segment line;
    Vec3 normal_1, normal_2;  // outward, of the two faces that meet in it
};

// Of the smaller shape's size: edges so near to one another meet. Where they overlap by less, faces
// overlap by no more than a sliver (kMinOverlap).
inline constexpr double kEdgeReach = 3e-4;

// Adds the two ends of the stretch that the edges have in common, named `low` and `high` along A's
// edge, where the gap is at most `margin`. Edges meet where they are within
// `reach` [m] of one another, or neither is over a face of the other. False if they do not, or if a
// face of A is nearly parallel to one of B: bricks side by side and one course apart may slide over
// one another, and the direction that a contact would close is not known before they do.
bool add_meeting_edges(const Edge& a, const Edge& b, double reach, double margin, std::uint32_t low,
                       std::uint32_t high, Manifold& m);

}  // namespace stiction
