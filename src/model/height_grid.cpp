// height_grid.cpp - triangles of a grid of heights, their neighbours, rays; random bumps.
#include "model/height_grid.h"

#include <string>

#include "core/error.h"
#include "core/random.h"

namespace stiction {

HeightGrid::HeightGrid(double size_x, double size_y, int nx, int ny, std::vector<double> heights)
    : nx_(nx),
      ny_(ny),
      x0_(-0.5 * size_x),
      y0_(-0.5 * size_y),
      dx_(size_x / (nx - 1)),
      dy_(size_y / (ny - 1)),
      heights_(std::move(heights)) {
    const auto in_range = [](int n) { return n >= 2 && n <= kMaxGridSamples; };
    if (!in_range(nx) || !in_range(ny)) {
        throw InputError("a grid of " + std::to_string(nx) + " x " + std::to_string(ny) +
                         " heights; expected 2 to " + std::to_string(kMaxGridSamples) +
                         " along each side");
    }
    if (!(size_x > 0 && size_y > 0 && std::isfinite(size_x) && std::isfinite(size_y)))
        throw InputError("the size of a heightfield must be positive");
    if (heights_.size() != at(nx) * at(ny))
        throw InputError("a heightfield needs one height per sample");
    for (const double z : heights_) {
        if (!std::isfinite(z)) throw InputError("a height is not a finite number");
    }
    const auto [low, high] = std::minmax_element(heights_.begin(), heights_.end());
    box_ = {Vec3(x0_, y0_, *low), Vec3(-x0_, -y0_, *high)};
    measure_blocks();
}

void HeightGrid::measure_blocks() {
    for (int j0 = 0; j0 < ny_ - 1; j0 += kBlock) {
        for (int i0 = 0; i0 < nx_ - 1; i0 += kBlock) {
            Heights z{heights_[at(j0 * nx_ + i0)], heights_[at(j0 * nx_ + i0)]};
            for (int j = j0; j <= std::min(j0 + kBlock, ny_ - 1); ++j) {
                for (int i = i0; i <= std::min(i0 + kBlock, nx_ - 1); ++i) {
                    z.low = std::min(z.low, heights_[at(j * nx_ + i)]);
                    z.high = std::max(z.high, heights_[at(j * nx_ + i)]);
                }
            }
            blocks_.push_back(z);
        }
    }
}

SurfaceTriangle HeightGrid::triangle(int id) const {
    const int c = id / 2, i = c % (nx_ - 1), j = c / (nx_ - 1);
    const int a = j * nx_ + i, b = a + 1, d = a + nx_;
    SurfaceTriangle t;
    t.id = id;
    t.vertex = id % 2 == 0 ? std::array<int, 3>{a, b, d + 1} : std::array<int, 3>{a, d + 1, d};
    for (std::size_t k = 0; k < 3; ++k) t.v[k] = vertex(t.vertex[k]);
    t.n = (t.v[1] - t.v[0]).cross(t.v[2] - t.v[0]).normalized();
    return t;
}

int HeightGrid::neighbour(int id, int edge) const {
    const int c = id / 2, i = c % (nx_ - 1), j = c / (nx_ - 1);
    if (id % 2 == 0) {  // corners (0, 0), (1, 0), (1, 1)
        if (edge == 0) return j > 0 ? id - 2 * (nx_ - 1) + 1 : kNone;
        if (edge == 1) return i + 2 < nx_ ? id + 3 : kNone;
        return id + 1;
    }
    if (edge == 0) return id - 1;  // corners (0, 0), (1, 1), (0, 1)
    if (edge == 1) return j + 2 < ny_ ? id + 2 * (nx_ - 1) - 1 : kNone;
    return i > 0 ? id - 3 : kNone;
}

double HeightGrid::height(double x, double y) const {
    const int i = cell(x - x0_, dx_, nx_), j = cell(y - y0_, dy_, ny_);
    const double u = (x - x0_) / dx_ - i, v = (y - y0_) / dy_ - j;
    const double* low = &heights_[at(j) * stride() + at(i)];
    const double* high = low + nx_;
    if (u >= v) return low[0] + u * (low[1] - low[0]) + v * (high[1] - low[1]);
    return low[0] + u * (high[1] - high[0]) + v * (high[0] - low[0]);
}

double HeightGrid::depth(const Vec3& x) const {
    if (x.x() < x0_ || x.x() > -x0_ || x.y() < y0_ || x.y() > -y0_) return 0;
    return std::max(0.0, height(x.x(), x.y()) - x.z());
}

double HeightGrid::side_at_vertex(int vertex_id, const Vec3& x) const {
    const Vec3 v = vertex(vertex_id);
    if (x.x() < x0_ || x.x() > -x0_ || x.y() < y0_ || x.y() > -y0_) return x.z() - v.z();
    return x.z() - height(x.x(), x.y());
}

// Cell by cell along the ray.
std::optional<double> HeightGrid::ray_hit(const Vec3& o, const Vec3& d) const {
    const RayStretch inside = ray_in_box(box_, o, d);
    if (inside.hi < inside.lo) return std::nullopt;
    const double least = 1e-9 * std::max(dx_, dy_);
    double at = inside.lo;
    for (int guard = 0; guard < 4 * (nx_ + ny_) && at <= inside.hi; ++guard) {
        const Vec3 x = o + (at + least) * d;
        const int i = cell(x.x() - x0_, dx_, nx_), j = cell(x.y() - y0_, dy_, ny_);
        std::optional<double> best;
        for (int half = 0; half < 2; ++half) {
            const auto t = ray_meets(triangle(2 * (j * (nx_ - 1) + i) + half), o, d);
            if (t && (!best || *t < *best)) best = t;
        }
        if (best) return best;
        double next = inside.hi;  // where the ray leaves the cell
        if (d.x() != 0) next = std::min(next, (x0_ + (i + (d.x() > 0)) * dx_ - o.x()) / d.x());
        if (d.y() != 0) next = std::min(next, (y0_ + (j + (d.y() > 0)) * dy_ - o.y()) / d.y());
        if (next >= inside.hi) return std::nullopt;
        at = std::max(next, at + least);
    }
    return std::nullopt;
}

std::vector<double> bumpy_heights(double size_x, double size_y, int nx, int ny,
                                  const Bumps& bumps) {
    const double spacing = 0.5 * bumps.wavelength;
    const auto lattice = [&](double size) {
        return static_cast<std::size_t>(std::floor(size / spacing)) + 2;
    };
    const std::size_t across = lattice(size_x), up = lattice(size_y);
    Random random(bumps.seed);
    std::vector<double> values(across * up);
    for (double& value : values) value = random.uniform(0, bumps.height);
    const auto blend = [](double t) { return t * t * t * (t * (6 * t - 15) + 10); };
    std::vector<double> heights;
    heights.reserve(at(nx) * at(ny));
    for (int j = 0; j < ny; ++j) {
        const double y = size_y / (ny - 1) * j / spacing;
        const std::size_t b = std::min(static_cast<std::size_t>(y), up - 2);
        const double v = blend(y - static_cast<double>(b));
        for (int i = 0; i < nx; ++i) {
            const double x = size_x / (nx - 1) * i / spacing;
            const std::size_t a = std::min(static_cast<std::size_t>(x), across - 2);
            const double u = blend(x - static_cast<double>(a));
            const double* low = &values[b * across + a];
            const double* high = low + across;
            heights.push_back((1 - v) * ((1 - u) * low[0] + u * low[1]) +
                              v * ((1 - u) * high[0] + u * high[1]));
        }
    }
    return heights;
}

}  // namespace stiction
