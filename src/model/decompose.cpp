// decompose.cpp - cuts a closed mesh into pieces that are nearly convex.
#include "model/decompose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "core/error.h"

namespace stiction {
namespace {

constexpr double kOnPlane = 1e-9;       // of the mesh's size: nearer to a cut than that is on it
constexpr double kStepInside = 100;     // of that
constexpr double kParallel = 1e-6;      // determinant of three normals
constexpr double kSampling = 0.05;      // of the piece's size
constexpr int kMostSamples = 12;        // along a triangle's side
constexpr int kAcross = 7;              // planes tried across each axis
constexpr std::size_t kMostEdges = 48;  // planes tried of concave edges
constexpr double kEven = 0.05;  // of a piece's volume: what a cut into unequal parts may gain

// Of a piece's volume: by so much less must a plane across an axis leave. A hole through a plate
// needs four cuts of which the first gains nothing: those along its sides are to be taken.
constexpr double kAcrossGain = 0.02;

struct Cut {  // keeps n . x <= offset
    Vec3 n;
    double offset;        // [m]
    bool across = false;  // an axis; otherwise along a triangle
    [[nodiscard]] Cut other_side() const { return {-n, -offset, across}; }
    [[nodiscard]] double height(const Vec3& x) const { return n.dot(x) - offset; }
};

struct Polygon {
    std::vector<Vec3> v;
    Vec3 n;  // outward
};

struct Piece {
    std::vector<Polygon> surface;
    std::vector<Cut> cell;
    Hull hull;
    double volume = 0;     // of the hull [m^3]
    double deviation = 0;  // [m]
};

// The part of a polygon that the cut keeps. One within the plane belongs to the side of the solid.
Polygon clipped(const Polygon& polygon, const Cut& cut, double on_plane) {
    Polygon kept{{}, polygon.n};
    bool inside = false, outside = false;
    for (const Vec3& x : polygon.v) {
        inside = inside || cut.height(x) < -on_plane;
        outside = outside || cut.height(x) > on_plane;
    }
    if (!outside) {
        if (inside || polygon.n.dot(cut.n) > 0) kept.v = polygon.v;
        return kept;
    }
    if (!inside) return kept;
    for (std::size_t i = 0; i < polygon.v.size(); ++i) {
        const Vec3 &p = polygon.v[i], &q = polygon.v[(i + 1) % polygon.v.size()];
        const double a = cut.height(p), b = cut.height(q);
        if (a <= on_plane) kept.v.push_back(p);
        if ((a < -on_plane && b > on_plane) || (a > on_plane && b < -on_plane))
            kept.v.push_back(p + a / (a - b) * (q - p));
    }
    return kept;
}

// By the solid angle of the whole surface, 4 pi around a point inside and 0 around others: the sum
// of the triangles' own,
//
//   tan(angle / 2) = det(a, b, c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
bool is_inside(const MeshSurface& mesh, const Vec3& x) {
    double angle = 0;
    for (int t = 0; t < mesh.triangles(); ++t) {
        const SurfaceTriangle triangle = mesh.triangle(t);
        const Vec3 a = triangle.v[0] - x, b = triangle.v[1] - x, c = triangle.v[2] - x;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        angle += 2 * std::atan2(a.dot(b.cross(c)),
                                la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return angle > 2 * std::numbers::pi;
}

// How far it is from x along d to the end of a hull that x is in.
double way_out(const Hull& hull, const Vec3& x, const Vec3& d) {
    double way = std::numeric_limits<double>::infinity();
    for (const Hull::Face& face : hull.faces) {
        const double speed = face.normal.dot(d);
        if (speed > 1e-9)
            way = std::min(way, std::max(0.0, face.offset - face.normal.dot(x)) / speed);
    }
    return std::isfinite(way) ? way : 0;
}

// Over points of the triangle with sides of at most `spacing` between them.
double deviation_of(const Hull& hull, const std::array<Vec3, 3>& v, const Vec3& n, double spacing) {
    const double longest =
        std::max({(v[1] - v[0]).norm(), (v[2] - v[1]).norm(), (v[0] - v[2]).norm()});
    const int parts = std::clamp(static_cast<int>(std::ceil(longest / spacing)), 1, kMostSamples);
    double most = 0;
    for (int i = 0; i <= parts; ++i) {
        for (int j = 0; i + j <= parts; ++j) {
            const double a = static_cast<double>(i) / parts, b = static_cast<double>(j) / parts;
            most = std::max(most, way_out(hull, v[0] + a * (v[1] - v[0]) + b * (v[2] - v[0]), n));
        }
    }
    return most;
}

class Decomposer {
  public:
    Decomposer(const MeshSurface& mesh, const DecomposeSettings& settings)
        : mesh_(mesh), settings_(settings), on_plane_(kOnPlane * mesh.box().diagonal().norm()) {
        find_concave_edges();
    }

    Decomposition run() {
        std::vector<Polygon> surface;
        for (int t = 0; t < mesh_.triangles(); ++t) {
            const SurfaceTriangle triangle = mesh_.triangle(t);
            surface.push_back({{triangle.v.begin(), triangle.v.end()}, triangle.n});
        }
        std::vector<Piece> pieces;
        std::optional<Piece> whole = make_piece(std::move(surface), {});
        if (!whole) throw InputError("the mesh encloses no volume");
        measure(*whole);
        pieces.push_back(std::move(*whole));
        while (static_cast<int>(pieces.size()) < settings_.pieces) {
            const auto worst = std::max_element(
                pieces.begin(), pieces.end(),
                [](const Piece& a, const Piece& b) { return a.deviation < b.deviation; });
            if (worst->deviation <= settings_.tolerance) break;
            if (!split(static_cast<std::size_t>(worst - pieces.begin()), pieces)) break;
        }
        Decomposition result;
        for (Piece& piece : pieces) {
            result.deviation = std::max(result.deviation, piece.deviation);
            result.pieces.push_back(std::move(piece.hull));
        }
        return result;
    }

  private:
    using Halves = std::pair<std::optional<Piece>, std::optional<Piece>>;

    // The planes of the triangles on both sides, each once.
    void find_concave_edges() {
        std::vector<Cut> all;
        for (int t = 0; t < mesh_.triangles(); ++t) {
            const SurfaceTriangle a = mesh_.triangle(t);
            for (int k = 0; k < 3; ++k) {
                const int other = mesh_.neighbour(t, k);
                if (other == kNone) continue;
                const SurfaceTriangle b = mesh_.triangle(other);
                const Vec3& corner = a.v[at((k + 2) % 3)];
                if (b.n.dot(corner - a.v[at(k)]) > on_plane_) all.push_back({a.n, a.n.dot(a.v[0])});
            }
        }
        for (const Cut& cut : all) {
            const auto same = [&](const Cut& c) {
                return std::abs(c.n.dot(cut.n)) > 1 - 1e-12 &&
                       std::abs(c.offset - c.n.dot(cut.n) * cut.offset) < 10 * on_plane_;
            };
            if (std::none_of(concave_.begin(), concave_.end(), same)) concave_.push_back(cut);
        }
    }

    // Where three cuts of the cell meet, if all others keep it, and a step into the cell, away from
    // all three alike, leads into the solid.
    [[nodiscard]] std::optional<Vec3> cell_corner(const std::vector<Cut>& cell, const Cut& a,
                                                  const Cut& b, const Cut& c) const {
        Mat3 N;
        N << a.n.transpose(), b.n.transpose(), c.n.transpose();
        if (std::abs(N.determinant()) < kParallel) return std::nullopt;
        const auto solver = N.partialPivLu();
        const Vec3 x = solver.solve(Vec3(a.offset, b.offset, c.offset));
        const Vec3 next = x + kStepInside * on_plane_ * solver.solve(-Vec3::Ones()).normalized();
        const bool kept = std::all_of(cell.begin(), cell.end(), [&](const Cut& cut) {
            return cut.height(x) <= on_plane_ && cut.height(next) <= on_plane_;
        });
        if (!kept || !mesh_.box().contains(next) || !is_inside(mesh_, next)) return std::nullopt;
        return x;
    }

    void add_cell_corners(const std::vector<Cut>& cell, std::vector<Vec3>& points) const {
        for (std::size_t i = 0; i < cell.size(); ++i) {
            for (std::size_t j = i + 1; j < cell.size(); ++j) {
                for (std::size_t k = j + 1; k < cell.size(); ++k) {
                    if (const auto x = cell_corner(cell, cell[i], cell[j], cell[k]))
                        points.push_back(*x);
                }
            }
        }
    }

    // None where nothing, or a sheet, is left.
    std::optional<Piece> make_piece(std::vector<Polygon> surface, std::vector<Cut> cell) const {
        Piece piece{std::move(surface), std::move(cell), {}, 0, 0};
        std::vector<Vec3> points;
        for (const Polygon& polygon : piece.surface)
            points.insert(points.end(), polygon.v.begin(), polygon.v.end());
        add_cell_corners(piece.cell, points);
        if (points.size() < 4) return std::nullopt;
        try {
            piece.hull = make_hull(points);
        } catch (const InputError&) {
            return std::nullopt;
        }
        piece.volume = solid_properties(piece.hull).volume;
        return piece;
    }

    void measure(Piece& piece) const {
        Eigen::AlignedBox3d box;
        for (const Vec3& v : piece.hull.vertices) box.extend(v);
        const double spacing = kSampling * box.diagonal().norm();
        for (const Polygon& polygon : piece.surface) {
            for (std::size_t i = 1; i + 1 < polygon.v.size(); ++i) {
                const double d = deviation_of(
                    piece.hull, {polygon.v[0], polygon.v[i], polygon.v[i + 1]}, polygon.n, spacing);
                piece.deviation = std::max(piece.deviation, d);
            }
        }
    }

    [[nodiscard]] std::optional<Piece> half(const Piece& piece, const Cut& cut) const {
        std::vector<Polygon> surface;
        for (const Polygon& polygon : piece.surface) {
            Polygon kept = clipped(polygon, cut, on_plane_);
            if (kept.v.size() >= 3) surface.push_back(std::move(kept));
        }
        std::vector<Cut> cell = piece.cell;
        cell.push_back(cut);
        return make_piece(std::move(surface), std::move(cell));
    }

    [[nodiscard]] std::vector<Cut> candidates(const Piece& piece) const {
        std::vector<Cut> cuts;
        Eigen::AlignedBox3d box;
        for (const Vec3& v : piece.hull.vertices) box.extend(v);
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 1; i <= kAcross; ++i) {
                const double part = static_cast<double>(i) / (kAcross + 1);
                cuts.push_back(
                    {Vec3::Unit(axis), box.min()[axis] + part * box.sizes()[axis], true});
            }
        }
        std::vector<Cut> through;  // of the concave edges' planes
        for (const Cut& cut : concave_) {
            bool below = false, above = false;
            for (const Vec3& v : piece.hull.vertices) {
                below = below || cut.height(v) < -10 * on_plane_;
                above = above || cut.height(v) > 10 * on_plane_;
            }
            if (below && above) through.push_back(cut);
        }
        const std::size_t stride = 1 + through.size() / kMostEdges;
        for (std::size_t i = 0; i < through.size(); i += stride) cuts.push_back(through[i]);
        return cuts;
    }

    // False when no plane parts it.
    bool split(std::size_t index, std::vector<Piece>& pieces) const {
        const Piece piece = pieces[index];
        double best = std::numeric_limits<double>::infinity();
        Halves chosen;
        for (const Cut& cut : candidates(piece)) {
            Halves halves{half(piece, cut), half(piece, cut.other_side())};
            if (!halves.first || !halves.second) continue;
            const double a = halves.first->volume, b = halves.second->volume;
            const double worse =
                kEven * std::abs(a - b) / (a + b) + (cut.across ? kAcrossGain : 0.0);
            const double score = a + b + worse * piece.volume;
            if (score >= best) continue;
            best = score;
            chosen = std::move(halves);
        }
        if (!chosen.first) return false;
        measure(*chosen.first);
        measure(*chosen.second);
        pieces[index] = std::move(*chosen.first);
        pieces.push_back(std::move(*chosen.second));
        return true;
    }

    const MeshSurface& mesh_;
    DecomposeSettings settings_;
    double on_plane_;  // [m]
    std::vector<Cut> concave_;
};

}  // namespace

Decomposition decompose(const MeshSurface& mesh, const DecomposeSettings& settings) {
    if (mesh.triangles() > kMaxDecomposedTriangles) {
        throw InputError("has " + std::to_string(mesh.triangles()) +
                         " triangles; expected at most " + std::to_string(kMaxDecomposedTriangles) +
                         " of a mesh to be decomposed");
    }
    return Decomposer(mesh, settings).run();
}

}  // namespace stiction
