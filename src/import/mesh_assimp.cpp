// mesh_assimp.cpp - Collada and glTF through assimp, in a process of its own.
#include <assimp/BaseImporter.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>

#include "core/child_process.h"
#include "core/error.h"
#include "import/mesh_formats.h"

namespace stiction {

namespace {

struct Flattener {
    const aiScene& scene;
    ImportedMesh mesh;

    void add_part(const aiMesh& part, const aiMatrix4x4& transform) {
        const auto first = static_cast<int>(mesh.vertices.size());
        if (mesh.vertices.size() + part.mNumVertices > kMaxMeshVertices)
            throw InputError(kTooManyVertices);
        for (unsigned i = 0; i < part.mNumVertices; ++i) {
            const aiVector3D x = transform * part.mVertices[i];
            mesh.vertices.emplace_back(x.x, x.y, x.z);
        }
        for (unsigned i = 0; i < part.mNumFaces; ++i) {
            const aiFace& face = part.mFaces[i];
            if (face.mNumIndices != 3) continue;  // points and lines
            std::array<int, 3> corners{};
            for (unsigned k = 0; k < 3; ++k)
                corners[k] = first + static_cast<int>(face.mIndices[k]);
            mesh.triangles.push_back(corners);
        }
    }

    void add_node(const aiNode& node, const aiMatrix4x4& parent) {
        const aiMatrix4x4 transform = parent * node.mTransformation;
        for (unsigned i = 0; i < node.mNumMeshes; ++i)
            add_part(*scene.mMeshes[node.mMeshes[i]], transform);
        for (unsigned i = 0; i < node.mNumChildren; ++i) add_node(*node.mChildren[i], transform);
    }
};

// Whether a kind of file is one that read_mesh() gives to assimp: their endings, separated by spaces.
bool is_wanted(const aiImporterDesc* kind) {
    std::istringstream endings(kind == nullptr ? "" : kind->mFileExtensions);
    for (std::string ending; endings >> ending;) {
        if (ending == "dae" || ending == "gltf" || ending == "glb") return true;
    }
    return false;
}

// Assimp tries all its fifty kinds of files on one that the reader which its name asks for declines.
void forget_other_kinds(Assimp::Importer& importer) {
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        if (is_wanted(importer.GetImporterInfo(i))) continue;
        const std::unique_ptr<Assimp::BaseImporter> forgotten(importer.GetImporter(i));
        importer.UnregisterLoader(forgotten.get());
    }
}

void send_mesh(const std::string& path, ChildOutput& out) {
    Assimp::Importer importer;
    forget_other_kinds(importer);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
    if (scene == nullptr || scene->mRootNode == nullptr) {
        const std::string why = importer.GetErrorString();
        throw InputError(path + ": not a mesh that can be read" + (why.empty() ? "" : ": " + why));
    }
    Flattener flat{*scene, {}};
    flat.add_node(*scene->mRootNode, aiMatrix4x4());
    out.values<Vec3>(flat.mesh.vertices);
    out.values<std::array<int, 3>>(flat.mesh.triangles);
}

}  // namespace

ImportedMesh read_by_assimp(const std::string& path) {
    constexpr std::uint64_t kBytesPerSecond = 2U << 20U;  // assimp reads ten times as many
    ChildProcess child(path, ChildLimits::for_file(path, kBytesPerSecond),
                       [&](ChildOutput& out) { send_mesh(path, out); });
    ImportedMesh mesh;
    mesh.vertices = child.values<Vec3>(kMaxMeshVertices);
    mesh.triangles = child.values<std::array<int, 3>>(4 * kMaxMeshVertices);
    child.finish();
    return mesh;
}

}  // namespace stiction
