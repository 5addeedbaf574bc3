// mesh.cpp - chooses the reader by the file's name, checks what it gives, joins equal vertices.
#include "import/mesh.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "core/input_file.h"
#include "import/mesh_formats.h"
#include "import/xml_levels.h"

namespace stiction {

namespace {

constexpr std::size_t kLargestMeshFile = 512U << 20;  // [bytes]; kMaxMeshVertices as text
constexpr const char* kFormats = "a mesh (.obj, .stl, .ply, .dae, .gltf, .glb)";

std::string lower_extension(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

// Assimp goes down into an element by calling itself.
void check_levels(std::string_view text, const std::string& path) {
    constexpr int kColladaLevels = 256;  // it needs ten, and one for each node that moves another
    const std::size_t deep = find_too_deep(text, kColladaLevels);
    if (deep == std::string_view::npos) return;
    throw InputError(place_in(text, deep, path) + ": more than " + std::to_string(kColladaLevels) +
                     " nested elements");
}

ImportedMesh read_as_written(const std::string& path) {
    const std::string extension = lower_extension(path);
    const auto bytes = [&] { return read_input_file(path, kFormats, kLargestMeshFile); };
    if (extension == ".obj") return parse_obj(bytes(), path);
    if (extension == ".stl") return parse_stl(bytes(), path);
    if (extension == ".ply") return parse_ply(bytes(), path);
    if (extension == ".dae" || extension == ".gltf" || extension == ".glb") {
        const std::string text = bytes();  // it is there, and not too large
        if (extension == ".dae") check_levels(text, path);
        return read_by_assimp(path);
    }
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        throw InputError(path + ": no such file; expected " + kFormats);
    throw InputError(path + ": meshes of the kind '" + extension + "' are not read; expected " +
                     kFormats);
}

// Vertices of equal position become one: formats such as STL list each corner once per triangle.
class Welder {
  public:
    explicit Welder(ImportedMesh& mesh) : mesh_(mesh) {}

    int add(const Vec3& x) {
        const std::array<double, 3> key = {x.x(), x.y(), x.z()};
        const auto [it, is_new] = index_.insert({key, static_cast<int>(mesh_.vertices.size())});
        if (is_new) mesh_.vertices.push_back(x);
        return it->second;
    }

  private:
    ImportedMesh& mesh_;
    std::map<std::array<double, 3>, int> index_;
};

}  // namespace

ImportedMesh read_mesh(const std::string& path, const Vec3& scale) {
    const ImportedMesh written = read_as_written(path);
    ImportedMesh mesh;
    Welder welder(mesh);
    std::vector<int> index;
    for (const Vec3& x : written.vertices) {
        const Vec3 vertex = scale.cwiseProduct(x);
        if (!vertex.allFinite()) {
            throw InputError(path + ": a vertex is not finite; expected finite coordinates");
        }
        index.push_back(welder.add(vertex));
    }
    if (mesh.vertices.size() > kMaxMeshVertices) throw InputError(path + ": " + kTooManyVertices);
    for (const std::array<int, 3>& corners : written.triangles) {
        std::array<int, 3> welded{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (corners[k] < 0 || at(corners[k]) >= index.size()) {
                throw InputError(path + ": a triangle names vertex " + std::to_string(corners[k]) +
                                 " of " + std::to_string(index.size()));
            }
            welded[k] = index[at(corners[k])];
        }
        mesh.triangles.push_back(welded);
    }
    if (mesh.triangles.empty()) {
        throw InputError(path + ": the mesh has no triangles; expected at least one");
    }
    return mesh;
}

}  // namespace stiction
