// ground_checks.h - ground of triangles for tests, and its distance by brute force.
#pragma once

#include <memory>

#include "collide/geometry_checks.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {

// Heights ax x + ay y over a square centred on the origin.
inline Heightfield sloped_field(double size, int samples, double ax, double ay) {
    std::vector<double> heights;
    for (int j = 0; j < samples; ++j) {
        for (int i = 0; i < samples; ++i) {
            const double x = -0.5 * size + size / (samples - 1) * i;
            const double y = -0.5 * size + size / (samples - 1) * j;
            heights.push_back(ax * x + ay * y);
        }
    }
    return {std::make_shared<const HeightGrid>(size, size, samples, samples, heights)};
}

inline Heightfield bumpy_field(double size, int samples, const Bumps& bumps) {
    return {std::make_shared<const HeightGrid>(size, size, samples, samples,
                                               bumpy_heights(size, size, samples, samples, bumps))};
}

// The same triangles as a mesh.
inline TriangleMesh as_mesh(const Heightfield& field) {
    const HeightGrid& grid = *field.grid;
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    for (int v = 0; v < grid.nx() * grid.ny(); ++v) points.push_back(grid.vertex(v));
    for (int t = 0; t < grid.triangles(); ++t) triangles.push_back(grid.triangle(t).vertex);
    return {std::make_shared<const MeshSurface>(points, triangles)};
}

// Nearest point of a triangle by projection and clamping to its edges, written on its own.
inline Vec3 nearest_in_triangle(const SurfaceTriangle& t, const Vec3& x) {
    const Vec3 foot = x - t.n.dot(x - t.v[0]) * t.n;
    bool inside = true;
    Vec3 best = t.v[0];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 edge = t.v[(k + 1) % 3] - t.v[k];
        if (edge.cross(foot - t.v[k]).dot(t.n) < 0) inside = false;
        const double s = std::clamp(edge.dot(x - t.v[k]) / edge.squaredNorm(), 0.0, 1.0);
        const Vec3 p = t.v[k] + s * edge;
        if ((p - x).norm() < least) {
            least = (p - x).norm();
            best = p;
        }
    }
    return inside ? foot : best;
}

inline double distance_to_all(const HeightGrid& grid, const Vec3& x) {
    double least = std::numeric_limits<double>::infinity();
    for (int t = 0; t < grid.triangles(); ++t)
        least = std::min(least, (x - nearest_in_triangle(grid.triangle(t), x)).norm());
    return least;
}

}  // namespace stiction
