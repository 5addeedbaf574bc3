// mesh_shape.cpp - reads meshes of shapes and takes concave ones apart.
#include "scene/mesh_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "core/hash.h"
#include "import/mesh.h"
#include "model/decompose.h"
#include "model/mesh_solid.h"
#include "scene/named_file.h"
#include "scene/piece_cache.h"

namespace stiction {
namespace {

// Of the mesh's size, where no tolerance is given.
constexpr double kUsualTolerance = 0.01;
// Of the volume: what may be unknown of an open mesh's before it counts as no solid.
constexpr double kMostUncertain = 0.01;

Vec3 read_scale(const Node& node) {
    const auto scale = node.find("scale");
    if (!scale) return Vec3::Ones();
    if (scale->is_list()) return scale->vector(positive(""));
    return Vec3::Constant(scale->number(positive("")));
}

ImportedMesh read_file(const Node& node) {
    const Node name = node.at("file");
    const std::string path = file_of(name);
    const Vec3 scale = read_scale(node);
    try {
        return stiction::read_mesh(path, scale);
    } catch (const InputError& error) {
        name.fail(error.what());
    }
}

std::uint64_t content_of(const MeshSurface& mesh, const DecomposeSettings& settings) {
    Hash hash;
    for (int i = 0; i < mesh.vertices(); ++i) hash.add(mesh.vertex(i));
    for (int t = 0; t < mesh.triangles(); ++t) {
        for (const int corner : mesh.triangle(t).vertex)
            hash.add(static_cast<std::uint64_t>(corner));
    }
    hash.add(static_cast<std::uint64_t>(settings.pieces));
    hash.add(settings.tolerance);
    return hash.value();
}

DecomposeSettings read_decompose(const Node& node, const MeshSurface& mesh) {
    node.expect_map();
    node.only({"pieces", "tolerance"});
    DecomposeSettings settings;
    if (const auto pieces = node.find("pieces"))
        settings.pieces = static_cast<int>(pieces->integer(1, kMaxPieces));
    settings.tolerance =
        node.number("tolerance", kUsualTolerance * mesh.box().diagonal().norm(), positive("m"));
    return settings;
}

// A surface of a solid with outward normals: what can be helped is helped and told.
std::shared_ptr<const MeshSurface> solid_surface(const Node& node,
                                                 std::shared_ptr<const MeshSurface> mesh,
                                                 std::vector<std::string>& warnings) {
    const MeshClosure found = closure(*mesh);
    const std::string faults = describe_faults(found);
    if (faults.empty()) return mesh;
    const Node file = node.at("file");
    if (!(found.uncertainty <= kMostUncertain * std::abs(found.volume))) {
        file.fail(faults + "; expected a closed mesh, or one whose volume is known to 1 %");
    }
    std::string warning = file.place() + ": " + faults;
    if (found.volume < 0) {
        mesh = std::make_shared<const MeshSurface>(turned_round(*mesh));
        warning += "; turned round";
    }
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
        warnings.push_back(warning);
    return mesh;
}

}  // namespace

TriangleMesh read_mesh(const Node& node) {
    const ImportedMesh mesh = read_file(node);
    try {
        return {std::make_shared<const MeshSurface>(mesh.vertices, mesh.triangles)};
    } catch (const InputError& error) {
        node.at("file").fail(error.what());
    }
}

Hull read_hull_file(const Node& node) {
    const ImportedMesh mesh = read_file(node);
    try {
        return make_hull(mesh.vertices);
    } catch (const InputError& error) {
        node.at("file").fail(error.what());
    }
}

std::shared_ptr<const MeshPieces> read_mesh_pieces(const Node& node, Builder& builder) {
    const Node entry = node.at("decompose");
    const auto surface = solid_surface(node, read_mesh(node).surface, builder.scene.warnings);
    const DecomposeSettings settings = read_decompose(entry, *surface);
    const std::uint64_t content = content_of(*surface, settings);
    std::shared_ptr<const MeshPieces>& known = builder.meshes[content];
    if (known) return known;
    std::optional<Decomposition> found = find_pieces(content);
    try {
        if (!found) {
            found = decompose(*surface, settings);
            keep_pieces(content, *found);
        }
    } catch (const InputError& error) {
        node.at("file").fail(error.what());
    }
    MeshPieces made{surface, mesh_solid(*surface), std::move(found->pieces), found->deviation};
    if (made.deviation > settings.tolerance) {
        std::ostringstream text;
        text << made.pieces.size() << " pieces deviate by up to " << made.deviation
             << " m; expected at most " << settings.tolerance
             << (settings.pieces < kMaxPieces ? " m: allow more pieces or a larger tolerance"
                                              : " m: allow a larger tolerance");
        entry.fail(text.str());
    }
    known = std::make_shared<const MeshPieces>(std::move(made));
    return known;
}

}  // namespace stiction
