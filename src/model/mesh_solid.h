// mesh_solid.h - a mesh of triangles as the surface of a solid: whether it is closed, and the mass
// properties of what it encloses (tetrahedra.h).
#pragma once

#include <string>

#include "model/mesh_surface.h"
#include "model/shape.h"

namespace stiction {

struct MeshClosure {
    int edges = 0;           // of triangles, each counted for its triangle
    int open_edges = 0;      // those without a neighbour that runs the other way
    double open_length = 0;  // of these [m]
    double volume = 0;       // negative: the triangles face inward [m^3]
    // Of an open mesh the volume depends on where the tetrahedra have their common corner: by so
    // much at most while that is inside the mesh's box [m^3].
    double uncertainty = 0;

    [[nodiscard]] bool closed() const { return open_edges == 0; }
};
[[nodiscard]] MeshClosure closure(const MeshSurface& mesh);

// What is wrong with the mesh as the surface of a solid, with numbers; empty when nothing is.
[[nodiscard]] std::string describe_faults(const MeshClosure& closure);

// Exact for a closed mesh with outward normals. Volume and inertia are negative for inward ones.
[[nodiscard]] SolidProperties mesh_solid(const MeshSurface& mesh);

// The same triangles facing the other way.
[[nodiscard]] MeshSurface turned_round(const MeshSurface& mesh);

}  // namespace stiction
