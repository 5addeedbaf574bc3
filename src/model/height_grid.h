// height_grid.h - heights over a regular grid, as a surface of triangles that is solid below.
//
// The grid is centred on the origin of x and y. Samples run along x first, from the smallest y.
// Every cell is two triangles, parted by the diagonal from its corner of smallest x and y.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "model/surface_triangle.h"

namespace stiction {

inline constexpr int kMaxGridSamples = 4096;  // along one side: at most 128 MiB of heights

class HeightGrid {
  public:
    static constexpr bool kSolidBelow = true;  // to any depth

    // Throws InputError unless both sides have 2 .. kMaxGridSamples samples, the size is positive
    // and every height finite.
    HeightGrid(double size_x, double size_y, int nx, int ny, std::vector<double> heights);

    [[nodiscard]] int nx() const { return nx_; }
    [[nodiscard]] int ny() const { return ny_; }
    [[nodiscard]] int triangles() const { return 2 * (nx_ - 1) * (ny_ - 1); }
    [[nodiscard]] const Eigen::AlignedBox3d& box() const { return box_; }  // of the surface
    [[nodiscard]] Vec3 vertex(int id) const {
        const int i = id % nx_, j = id / nx_;
        return {x0_ + i * dx_, y0_ + j * dy_, heights_[at(id)]};
    }
    [[nodiscard]] SurfaceTriangle triangle(int id) const;
    [[nodiscard]] int neighbour(int id, int edge) const;  // kNone at the border
    [[nodiscard]] bool on_border(int vertex) const {
        const int i = vertex % nx_, j = vertex / nx_;
        return i == 0 || j == 0 || i == nx_ - 1 || j == ny_ - 1;
    }
    // Of the triangles at a vertex one has it, for those who visit it once: that of the cell whose corner
    // of smallest x and y it is; at the far borders all have.
    [[nodiscard]] bool has_vertex(int id, std::size_t corner) const {
        if (id % 2 == 0 && corner == 0) return true;
        const int c = id / 2, i = c % (nx_ - 1), j = c / (nx_ - 1);
        return (i == nx_ - 2 && corner != 0 && (corner == 1 || id % 2 == 0)) ||
               (j == ny_ - 2 && (corner == 2 || (corner == 1 && id % 2 == 1)));
    }
    // Positive where x is outside, given that the vertex is what is nearest to it.
    [[nodiscard]] double side_at_vertex(int vertex, const Vec3& x) const;
    // The surface's height at a place, which must lie over the grid.
    [[nodiscard]] double height(double x, double y) const;
    // How far below the surface x is; 0 above it and beside the grid.
    [[nodiscard]] double depth(const Vec3& x) const;
    // Nearest front of a triangle along a ray with unit direction.
    [[nodiscard]] std::optional<double> ray_hit(const Vec3& origin, const Vec3& direction) const;

    // Calls f(id) for the triangles over which the box lies, but for those wholly below it.
    template <class F>
    void for_each_near(const Vec3& lo, const Vec3& hi, F&& f) const {
        const int i0 = cell(lo.x() - x0_, dx_, nx_), i1 = cell(hi.x() - x0_, dx_, nx_);
        const int j0 = cell(lo.y() - y0_, dy_, ny_), j1 = cell(hi.y() - y0_, dy_, ny_);
        for (int j = j0; j <= j1; ++j) {
            for (int i = i0; i <= i1; ++i) {
                const double* low = &heights_[at(j) * stride() + at(i)];
                const double* high = low + nx_;
                if (std::max({low[0], low[1], high[0], high[1]}) < lo.z()) continue;
                f(2 * (j * (nx_ - 1) + i));
                f(2 * (j * (nx_ - 1) + i) + 1);
            }
        }
    }
    // The same, but for those of blocks of cells whose box (lo, hi) is to be skipped.
    template <class Skip, class F>
    void for_each_near(const Vec3& lo, const Vec3& hi, Skip&& skip, F&& f) const {
        const int i0 = cell(lo.x() - x0_, dx_, nx_), i1 = cell(hi.x() - x0_, dx_, nx_);
        const int j0 = cell(lo.y() - y0_, dy_, ny_), j1 = cell(hi.y() - y0_, dy_, ny_);
        std::array<bool, kMaxGridSamples / kBlock> skipped;  // of the row of blocks
        for (int j = j0; j <= j1; ++j) {
            if (j == j0 || j % kBlock == 0) {
                for (int b = i0 / kBlock; b <= i1 / kBlock; ++b)
                    skipped[at(b)] = skips(b, j / kBlock, lo.z(), skip);
            }
            for (int i = i0; i <= i1; ++i) {
                if (skipped[at(i / kBlock)]) {
                    i = (i / kBlock + 1) * kBlock - 1;
                    continue;
                }
                const double* low = &heights_[at(j) * stride() + at(i)];
                const double* high = low + nx_;
                if (std::max({low[0], low[1], high[0], high[1]}) < lo.z()) continue;
                f(2 * (j * (nx_ - 1) + i));
                f(2 * (j * (nx_ - 1) + i) + 1);
            }
        }
    }
    // Calls f(position) for the other ends of the edges at a vertex.
    template <class F>
    void for_each_around(int id, F&& f) const {
        constexpr int kAround[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
        const int i = id % nx_, j = id / nx_;
        for (const auto& [di, dj] : kAround) {
            if (i + di < 0 || i + di >= nx_ || j + dj < 0 || j + dj >= ny_) continue;
            f(vertex(id + dj * nx_ + di));
        }
    }

  private:
    static constexpr int kBlock = 4;  // cells along each side
    struct Heights {
        double low, high;
    };
    template <class Skip>
    [[nodiscard]] bool skips(int bi, int bj, double lowest, Skip&& skip) const {
        const Heights& z = blocks_[at(bj * block_columns() + bi)];
        if (z.high < lowest) return true;
        const int i0 = bi * kBlock, i1 = std::min(i0 + kBlock, nx_ - 1);
        const int j0 = bj * kBlock, j1 = std::min(j0 + kBlock, ny_ - 1);
        return skip(Vec3(x0_ + i0 * dx_, y0_ + j0 * dy_, z.low),
                    Vec3(x0_ + i1 * dx_, y0_ + j1 * dy_, z.high));
    }
    [[nodiscard]] int block_columns() const { return (nx_ - 2) / kBlock + 1; }
    void measure_blocks();
    [[nodiscard]] std::size_t stride() const { return at(nx_); }
    static int cell(double along, double spacing, int samples) {
        return static_cast<int>(
            std::clamp(std::floor(along / spacing), 0.0, static_cast<double>(samples - 2)));
    }

    int nx_, ny_;
    double x0_, y0_, dx_, dy_;  // [m]
    std::vector<double> heights_;
    std::vector<Heights> blocks_;  // of all samples of a block, its far sides included
    Eigen::AlignedBox3d box_;
};

// Smooth random bumps from 0 to `height`: random numbers on a lattice half a wavelength wide, with
// fifth-order blending between them. The same surface whatever the samples.
struct Bumps {
    double height = 0;      // [m]
    double wavelength = 1;  // [m]
    std::uint64_t seed = 1;
};
[[nodiscard]] std::vector<double> bumpy_heights(double size_x, double size_y, int nx, int ny,
                                                const Bumps& bumps);

}  // namespace stiction
