// mesh_shape.h - shapes from mesh files: triangles as they are, their convex hull, or a concave
// solid as convex pieces.
#pragma once

#include <memory>
#include <vector>

#include "model/mesh_surface.h"
#include "model/shape.h"
#include "scene/builder.h"

namespace stiction {

// A solid whose surface is a mesh.
struct MeshPieces {
    std::shared_ptr<const MeshSurface> surface;  // outward normals
    SolidProperties solid;                       // of the mesh, not of the pieces
    std::vector<Hull> pieces;
    double deviation = 0;  // of a piece from the surface, at most [m]
};

// `file` and `scale` of a shape.
[[nodiscard]] TriangleMesh read_mesh(const Node& node);
[[nodiscard]] Hull read_hull_file(const Node& node);

// With `decompose: {pieces, tolerance}`. Meshes of the same content are taken apart once. What is
// wrong with the mesh as a solid and can be helped becomes a warning of the scene.
[[nodiscard]] std::shared_ptr<const MeshPieces> read_mesh_pieces(const Node& node,
                                                                 Builder& builder);

}  // namespace stiction
