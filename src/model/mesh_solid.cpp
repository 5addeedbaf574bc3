// mesh_solid.cpp - closure and mass properties of a mesh.
#include "model/mesh_solid.h"

#include <array>
#include <sstream>
#include <vector>

#include "model/tetrahedra.h"

namespace stiction {
namespace {

TetrahedronSum sum_of(const MeshSurface& mesh) {
    TetrahedronSum sum(mesh.box().center());
    for (int t = 0; t < mesh.triangles(); ++t) {
        const SurfaceTriangle triangle = mesh.triangle(t);
        sum.add(triangle.v[0], triangle.v[1], triangle.v[2]);
    }
    return sum;
}

}  // namespace

// Moving the common corner by d changes the volume by d . A / 3, A the sum of the triangles' areas
// times their normals, which is zero for a closed mesh.
MeshClosure closure(const MeshSurface& mesh) {
    MeshClosure result;
    Vec3 A = Vec3::Zero();
    for (int t = 0; t < mesh.triangles(); ++t) {
        const SurfaceTriangle triangle = mesh.triangle(t);
        A += 0.5 * (triangle.v[1] - triangle.v[0]).cross(triangle.v[2] - triangle.v[0]);
        for (std::size_t k = 0; k < 3; ++k) {
            ++result.edges;
            if (mesh.neighbour(t, static_cast<int>(k)) != kNone) continue;
            ++result.open_edges;
            result.open_length += (triangle.v[(k + 1) % 3] - triangle.v[k]).norm();
        }
    }
    result.volume = sum_of(mesh).volume();
    if (!result.closed()) result.uncertainty = A.norm() * 0.5 * mesh.box().diagonal().norm() / 3;
    return result;
}

std::string describe_faults(const MeshClosure& c) {
    std::ostringstream text;
    if (!c.closed()) {
        text << "the mesh is open: " << c.open_edges << " of " << c.edges << " edges, together "
             << c.open_length << " m, have no neighbour; its volume of " << std::abs(c.volume)
             << " m^3 is uncertain by " << c.uncertainty << " m^3";
    }
    if (c.volume < 0) {
        text << (c.closed() ? "" : "; ") << "its triangles face inward (volume " << c.volume
             << " m^3)";
    }
    return text.str();
}

SolidProperties mesh_solid(const MeshSurface& mesh) { return sum_of(mesh).solid(); }

MeshSurface turned_round(const MeshSurface& mesh) {
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    for (int i = 0; i < mesh.vertices(); ++i) points.push_back(mesh.vertex(i));
    for (int t = 0; t < mesh.triangles(); ++t) {
        const auto& v = mesh.triangle(t).vertex;
        triangles.push_back({v[0], v[2], v[1]});
    }
    return {points, triangles};
}

}  // namespace stiction
