// mesh_formats.h - one reader per format of mesh files. OBJ, STL and PLY are read here, by their
// text or bytes, which may hold anything; Collada and glTF go through assimp in a process of its
// own, because it crashes on some damaged files and takes gigabytes for others.
//
// Every reader returns vertices as written, with indices that name them, or throws InputError:
// NAME:line:column: what was found; what is expected.
#pragma once

#include <string>
#include <string_view>

#include "import/mesh.h"

namespace stiction {

[[nodiscard]] ImportedMesh parse_obj(std::string_view text, const std::string& name);
[[nodiscard]] ImportedMesh parse_stl(std::string_view bytes, const std::string& name);
[[nodiscard]] ImportedMesh parse_ply(std::string_view bytes, const std::string& name);

// By the file's path: Collada and glTF may consist of several files. Nodes move their parts.
[[nodiscard]] ImportedMesh read_by_assimp(const std::string& path);

// Adds a polygon as a fan of triangles about its first corner.
inline void add_fan(const std::vector<int>& corners, ImportedMesh& mesh) {
    for (std::size_t i = 2; i < corners.size(); ++i)
        mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

}  // namespace stiction
