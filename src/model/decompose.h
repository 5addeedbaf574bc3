// decompose.h - a solid given by a closed mesh as convex pieces.
//
// Planes cut the solid, always the piece that is furthest from convex, until every piece is convex
// to within a tolerance. Tried are the planes of triangles along concave edges, which part what is
// built of blocks exactly, and planes across the axes. Of these that one is taken which leaves the
// least volume inside the hulls of the two sides.
//
// A piece is the convex hull of the surface inside its cell, which is what the cuts have left of
// space, and of the corners of the cell inside the solid. Its deviation is the largest distance
// from the surface, along the outward normal, to where the hull ends: how thick the hull covers
// what is empty. It is measured at points of the surface no further apart than kSampling of the
// piece's size.
#pragma once

#include <vector>

#include "model/mesh_surface.h"
#include "model/shape.h"

namespace stiction {

// Hulls of so many triangles are made some thousand times: seconds.
inline constexpr int kMaxDecomposedTriangles = 20'000;
inline constexpr int kMaxPieces = 256;

struct DecomposeSettings {
    int pieces = 32;       // at most
    double tolerance = 0;  // [m]
};

struct Decomposition {
    std::vector<Hull> pieces;
    double deviation =
        0;  // largest of a piece [m]; more than the tolerance where there was no room
};

// `mesh` is closed and has outward normals. Throws InputError when it is too large.
[[nodiscard]] Decomposition decompose(const MeshSurface& mesh, const DecomposeSettings& settings);

}  // namespace stiction
