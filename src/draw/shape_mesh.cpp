// shape_mesh.cpp - triangles counter-clockwise seen from outside, normals of the true surface.
#include "draw/shape_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction {

namespace {

// Along one side of a grid: half a million triangles, each a few pixels of a window.
constexpr int kMaxDrawnSamples = 512;
constexpr double kSmoothCosine = 0.8;  // 37 degrees: an edge that bends more is drawn sharp
constexpr float kPi = std::numbers::pi_v<float>;

int sides(Detail detail) { return detail == Detail::kCoarse ? 24 : 48; }

std::uint32_t add_vertex(Mesh& mesh, const Vec3f& position, const Vec3f& normal) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

void add_triangle(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
}

// A flat convex side with corners counter-clockwise seen from where the normal points.
template <class Corners>
void add_face(Mesh& mesh, const Corners& corners, const Vec3f& normal) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3f& corner : corners) add_vertex(mesh, corner, normal);
    const auto count = static_cast<std::uint32_t>(mesh.positions.size()) - first;
    for (std::uint32_t i = 2; i < count; ++i) add_triangle(mesh, first, first + i - 1, first + i);
}

// A surface of revolution about z: rings of (radius, z) from bottom to top with the normal's
// (radial, z) part.
struct Ring {
    float radius, z, normal_radial, normal_z;
};

void add_revolution(Mesh& mesh, const std::vector<Ring>& rings, int around) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto n = static_cast<std::uint32_t>(around);
    for (const Ring& ring : rings) {
        for (int i = 0; i < around; ++i) {
            const float angle = 2 * kPi * static_cast<float>(i) / static_cast<float>(around);
            const float c = std::cos(angle), s = std::sin(angle);
            add_vertex(mesh, {ring.radius * c, ring.radius * s, ring.z},
                       {ring.normal_radial * c, ring.normal_radial * s, ring.normal_z});
        }
    }
    for (std::uint32_t r = 0; r + 1 < rings.size(); ++r) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = first + r * n + i, b = first + r * n + (i + 1) % n;
            if (rings[r].radius > 0) add_triangle(mesh, a, b, b + n);
            if (rings[r + 1].radius > 0) add_triangle(mesh, a, b + n, a + n);
        }
    }
}

// Vertices in the same place as one; for meshes without sharp edges.
Mesh merged(const Mesh& mesh) {
    Mesh result;
    std::map<std::array<long, 3>, std::uint32_t> known;
    for (const std::uint32_t vertex : mesh.triangles) {
        const Vec3f& p = mesh.positions[vertex];
        const std::array<long, 3> key{std::lround(p.x() * 1e5F), std::lround(p.y() * 1e5F),
                                      std::lround(p.z() * 1e5F)};
        const auto next = static_cast<std::uint32_t>(result.positions.size());
        const auto [entry, is_new] = known.try_emplace(key, next);
        if (is_new) add_vertex(result, p, mesh.normals[vertex]);
        result.triangles.push_back(entry->second);
    }
    return result;
}

}  // namespace

Mesh unit_box() {
    Mesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0F, 1.0F}) {
            const Vec3f n = side * Vec3f::Unit(axis);
            const Vec3f u = Vec3f::Unit((axis + 1) % 3), v = n.cross(u);
            add_face(mesh, std::array<Vec3f, 4>{n - u - v, n + u - v, n + u + v, n - u + v}, n);
        }
    }
    return mesh;
}

// An icosahedron whose faces are cut into equal parts and pushed out to the sphere: triangles of
// nearly one size, so that few are enough.
Mesh unit_sphere(Detail detail) {
    const int cuts = detail == Detail::kCoarse ? 3 : 9;
    const float g = (1 + std::sqrt(5.0F)) / 2;  // golden ratio
    const std::array<Vec3f, 12> corner{Vec3f{-1, g, 0},  Vec3f{1, g, 0},   Vec3f{-1, -g, 0},
                                       Vec3f{1, -g, 0},  Vec3f{0, -1, g},  Vec3f{0, 1, g},
                                       Vec3f{0, -1, -g}, Vec3f{0, 1, -g},  Vec3f{g, 0, -1},
                                       Vec3f{g, 0, 1},   Vec3f{-g, 0, -1}, Vec3f{-g, 0, 1}};
    constexpr std::array<std::array<std::size_t, 3>, 20> kFaces{
        {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
         {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
         {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
    Mesh mesh;
    for (const auto& face : kFaces) {
        const Vec3f &a = corner[face[0]], &b = corner[face[1]], &c = corner[face[2]];
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (int row = 0; row <= cuts; ++row) {
            for (int i = 0; i <= row; ++i) {
                const Vec3f p = (static_cast<float>(cuts - row) * a +
                                 static_cast<float>(row - i) * b + static_cast<float>(i) * c)
                                    .normalized();
                add_vertex(mesh, p, p);
            }
        }
        const auto index = [first](int row, int i) {
            return first + static_cast<std::uint32_t>(row * (row + 1) / 2 + i);
        };
        for (int row = 0; row < cuts; ++row) {
            for (int i = 0; i <= row; ++i) {
                add_triangle(mesh, index(row, i), index(row + 1, i), index(row + 1, i + 1));
                if (i == row) continue;
                add_triangle(mesh, index(row, i), index(row + 1, i + 1), index(row, i + 1));
            }
        }
    }
    return merged(mesh);
}

Mesh unit_cylinder(Detail detail) {
    Mesh mesh;
    const int around = sides(detail);
    add_revolution(mesh, {{1, -1, 1, 0}, {1, 1, 1, 0}}, around);
    std::vector<Vec3f> top, bottom;
    for (int i = 0; i < around; ++i) {
        const float angle = 2 * kPi * static_cast<float>(i) / static_cast<float>(around);
        top.emplace_back(std::cos(angle), std::sin(angle), 1.0F);
        bottom.emplace_back(std::cos(angle), -std::sin(angle), -1.0F);
    }
    add_face(mesh, top, Vec3f::UnitZ());
    add_face(mesh, bottom, -Vec3f::UnitZ());
    return mesh;
}

// The side's normals are those of the cone of radius 1 and height 2; scaling turns them rightly.
Mesh unit_cone(Detail detail) {
    Mesh mesh;
    const int around = sides(detail);
    const float slant = std::sqrt(5.0F);
    add_revolution(mesh, {{1, -1, 2 / slant, 1 / slant}, {0, 1, 2 / slant, 1 / slant}}, around);
    std::vector<Vec3f> base;
    for (int i = 0; i < around; ++i) {
        const float angle = 2 * kPi * static_cast<float>(i) / static_cast<float>(around);
        base.emplace_back(std::cos(angle), -std::sin(angle), -1.0F);
    }
    add_face(mesh, base, -Vec3f::UnitZ());
    return mesh;
}

// Every corner of the core has an eighth of a ball; rows of latitude and longitude that meet those of
// the next corner make edges and faces.
Mesh rounded_box_mesh(const RoundedBox& box, Detail detail) {
    const int around = sides(detail), up = around / 4;
    const Vec3f core = box.core().cast<float>();
    const auto radius = static_cast<float>(box.radius);
    Mesh mesh;
    const auto columns = static_cast<std::uint32_t>(around + 4);
    for (int row = 0; row <= 2 * up + 1; ++row) {  // the equator twice, at either end of the edges
        const bool upper = row > up;
        const float latitude =
            kPi / 2 * static_cast<float>(upper ? row - up - 1 : row - up) / static_cast<float>(up);
        for (int column = 0; column < around + 4; ++column) {
            const int quarter = column / (up + 1), step = column % (up + 1);
            const float angle =
                kPi / 2 *
                (static_cast<float>(quarter) + static_cast<float>(step) / static_cast<float>(up));
            const Vec3f n(std::cos(latitude) * std::cos(angle),
                          std::cos(latitude) * std::sin(angle), std::sin(latitude));
            const Vec3f corner(quarter == 0 || quarter == 3 ? core.x() : -core.x(),
                               quarter < 2 ? core.y() : -core.y(), upper ? core.z() : -core.z());
            add_vertex(mesh, corner + radius * n, n);
        }
    }
    const auto rows = static_cast<std::uint32_t>(2 * up + 2);
    for (std::uint32_t r = 0; r + 1 < rows; ++r) {
        for (std::uint32_t i = 0; i < columns; ++i) {
            const std::uint32_t a = r * columns + i, b = r * columns + (i + 1) % columns;
            const bool quarter = (i + 1) % static_cast<std::uint32_t>(up + 1) != 0;  // one pole
            if (r > 0 || !quarter) add_triangle(mesh, a, b, b + columns);
            if (r + 2 < rows || !quarter) add_triangle(mesh, a, b + columns, a + columns);
        }
    }
    const Vec3f x(core.x(), 0, 0), y(0, core.y(), 0);
    const Vec3f z(0, 0, core.z() + radius);
    add_face(mesh, std::array<Vec3f, 4>{z - x - y, z + x - y, z + x + y, z - x + y},
             Vec3f::UnitZ());
    add_face(mesh, std::array<Vec3f, 4>{-z - x + y, -z + x + y, -z + x - y, -z - x - y},
             -Vec3f::UnitZ());
    return mesh;
}

Mesh capsule_mesh(const Capsule& capsule, Detail detail) {
    const int around = sides(detail), up = around / 4;
    const auto radius = static_cast<float>(capsule.radius);
    const auto half = static_cast<float>(capsule.half_length);
    std::vector<Ring> rings;
    for (int end = -1; end <= 1; end += 2) {
        for (int i = 0; i <= up; ++i) {
            // From the pole to the equator below, from the equator to the pole above.
            const float angle =
                kPi / 2 * static_cast<float>(end < 0 ? i - up : i) / static_cast<float>(up);
            const bool pole = end < 0 ? i == 0 : i == up;
            const float c = pole ? 0 : std::cos(angle), s = std::sin(angle);
            rings.push_back({radius * c, radius * s + static_cast<float>(end) * half, c, s});
        }
    }
    Mesh mesh;
    add_revolution(mesh, rings, around);
    return mesh;
}

Mesh hull_mesh(const Hull& hull) {
    Mesh mesh;
    std::vector<Vec3f> corners;
    for (const Hull::Face& face : hull.faces) {
        corners.clear();
        for (const int vertex : face.vertices) {
            corners.push_back(hull.vertices[static_cast<std::size_t>(vertex)].cast<float>());
        }
        add_face(mesh, corners, face.normal.cast<float>());
    }
    return mesh;
}

Mesh height_mesh(const HeightGrid& grid) {
    const auto drawn = [](int samples) {  // the last one always is
        const int stride = (samples - 2) / (kMaxDrawnSamples - 1) + 1;
        std::vector<int> at;
        for (int i = 0; i < samples - 1; i += stride) at.push_back(i);
        at.push_back(samples - 1);
        return at;
    };
    const std::vector<int> xs = drawn(grid.nx()), ys = drawn(grid.ny());
    Mesh mesh;
    for (const int j : ys) {
        for (const int i : xs) {
            const auto at = [&](int x, int y) {
                return grid.vertex(std::clamp(y, 0, grid.ny() - 1) * grid.nx() +
                                   std::clamp(x, 0, grid.nx() - 1));
            };
            const Vec3 n = (at(i + 1, j) - at(i - 1, j)).cross(at(i, j + 1) - at(i, j - 1));
            add_vertex(mesh, at(i, j).cast<float>(), n.normalized().cast<float>());
        }
    }
    const auto width = static_cast<std::uint32_t>(xs.size());
    for (std::uint32_t j = 0; j + 1 < ys.size(); ++j) {
        for (std::uint32_t i = 0; i + 1 < width; ++i) {
            const std::uint32_t a = j * width + i;
            add_triangle(mesh, a, a + 1, a + width + 1);
            add_triangle(mesh, a, a + width + 1, a + width);
        }
    }
    return mesh;
}

Mesh surface_mesh(const MeshSurface& surface) {
    Mesh mesh;
    for (int id = 0; id < surface.triangles(); ++id) {
        const SurfaceTriangle t = surface.triangle(id);
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& smooth = surface.vertex_normal(t.vertex[k]);
            const Vec3& n = smooth.dot(t.n) > kSmoothCosine ? smooth : t.n;
            add_vertex(mesh, t.v[k].cast<float>(), n.cast<float>());
        }
        add_triangle(mesh, first, first + 1, first + 2);
    }
    return mesh;
}

}  // namespace stiction
