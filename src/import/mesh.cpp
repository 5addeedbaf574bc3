// mesh.cpp - mesh files through assimp.
#include "import/mesh.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <filesystem>
#include <map>

#include "core/error.h"

namespace stiction {
namespace {

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

struct Reader {
    const aiScene& scene;
    std::string path;
    Vec3 scale;
    ImportedMesh mesh;
    Welder welder{mesh};

    void add_part(const aiMesh& part, const aiMatrix4x4& transform) {
        std::vector<int> index;
        for (unsigned i = 0; i < part.mNumVertices; ++i) {
            const aiVector3D x = transform * part.mVertices[i];
            const Vec3 vertex = scale.cwiseProduct(Vec3(x.x, x.y, x.z));
            if (!vertex.allFinite()) {
                throw InputError(path + ": a vertex is not finite; expected finite coordinates");
            }
            index.push_back(welder.add(vertex));
        }
        if (mesh.vertices.size() > kMaxMeshVertices) {
            throw InputError(path + ": more than " + std::to_string(kMaxMeshVertices) +
                             " vertices in one mesh");
        }
        for (unsigned i = 0; i < part.mNumFaces; ++i) {
            const aiFace& face = part.mFaces[i];
            if (face.mNumIndices != 3) continue;  // points and lines
            mesh.triangles.push_back(
                {index[face.mIndices[0]], index[face.mIndices[1]], index[face.mIndices[2]]});
        }
    }

    void add_node(const aiNode& node, const aiMatrix4x4& parent) {
        const aiMatrix4x4 transform = parent * node.mTransformation;
        for (unsigned i = 0; i < node.mNumMeshes; ++i) {
            add_part(*scene.mMeshes[node.mMeshes[i]], transform);
        }
        for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(*node.mChildren[i], transform);
    }
};

}  // namespace

ImportedMesh read_mesh(const std::string& path, const Vec3& scale) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        throw InputError(path + ": no such file; expected a mesh (.stl, .obj, .dae, ...)");
    }
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
    if (scene == nullptr || scene->mRootNode == nullptr) {
        const std::string why = importer.GetErrorString();
        throw InputError(path + ": not a mesh that can be read" + (why.empty() ? "" : ": " + why));
    }
    Reader reader{*scene, path, scale, {}};
    reader.add_node(*scene->mRootNode, aiMatrix4x4());
    if (reader.mesh.triangles.empty()) {
        throw InputError(path + ": the mesh has no triangles; expected at least one");
    }
    return std::move(reader.mesh);
}

}  // namespace stiction
