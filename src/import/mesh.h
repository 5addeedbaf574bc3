// mesh.h - triangles of a mesh file: OBJ, STL, PLY, Collada, glTF. Other formats are refused by name.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/types.h"

namespace stiction {

// Of one file: a mesh within kMaxMeshTriangles has about half as many.
inline constexpr std::size_t kMaxMeshVertices = 2'000'000;
inline constexpr const char* kTooManyVertices = "more than 2000000 vertices in one mesh";

struct ImportedMesh {
    std::vector<Vec3> vertices;  // [m], each position once
    std::vector<std::array<int, 3>> triangles;
};

// All parts of the file in its own frame, each vertex times scale, equal ones joined. Collada's unit
// counts, its up axis does not: robot descriptions write their meshes in the link's frame. Throws
// InputError.
[[nodiscard]] ImportedMesh read_mesh(const std::string& path, const Vec3& scale = Vec3::Ones());

}  // namespace stiction
