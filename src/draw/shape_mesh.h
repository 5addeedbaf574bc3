// shape_mesh.h - triangles of the collision shapes, in the shape's own frame.
#pragma once

#include "draw/picture.h"
#include "model/shape.h"

namespace stiction {

enum class Detail { kCoarse, kFine };  // coarse: hundreds of bodies, software rasterisers

// Unit meshes that instances scale: box of half size 1, sphere of radius 1, cylinder and cone of radius
// and half length 1.
[[nodiscard]] Mesh unit_box();
[[nodiscard]] Mesh unit_sphere(Detail detail);
[[nodiscard]] Mesh unit_cylinder(Detail detail);
[[nodiscard]] Mesh unit_cone(Detail detail);

// Shapes that scaling cannot make. A plane has no mesh (Ground draws it).
[[nodiscard]] Mesh capsule_mesh(const Capsule& capsule, Detail detail);
[[nodiscard]] Mesh rounded_box_mesh(const RoundedBox& box, Detail detail);
[[nodiscard]] Mesh hull_mesh(const Hull& hull);

// Smooth where the surface bends little. Of a large grid every second, third ... sample is drawn.
[[nodiscard]] Mesh height_mesh(const HeightGrid& grid);
[[nodiscard]] Mesh surface_mesh(const MeshSurface& surface);

}  // namespace stiction
