// draw.h - random numbers for sketches: the same on every machine, and short when written down.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "core/random.h"
#include "core/types.h"

namespace stiction {

// To three significant digits, so that scenes can be read. The result is the double nearest to a
// short decimal number.
[[nodiscard]] inline double shortened(double x) {
    if (x == 0 || !std::isfinite(x)) return x;
    const int digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(x))));
    const double power = std::pow(10.0, std::abs(digits));
    return digits >= 0 ? std::round(x * power) / power : std::round(x / power) * power;
}
[[nodiscard]] inline Vec3 shortened(const Vec3& x) {
    return {shortened(x.x()), shortened(x.y()), shortened(x.z())};
}

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}

    bool chance(double probability) { return random_.unit() < probability; }
    double uniform(double lo, double hi) { return shortened(random_.uniform(lo, hi)); }
    double log_uniform(double lo, double hi) {  // 0 < lo
        return shortened(std::exp(random_.uniform(std::log(lo), std::log(hi))));
    }
    int integer(int lo, int hi) {  // both included
        return lo + static_cast<int>(random_.unit() * (hi - lo + 1));
    }
    template <class T, std::size_t kCount>
    const T& pick(const T (&list)[kCount]) {
        return list[at(integer(0, static_cast<int>(kCount) - 1))];
    }

    Vec3 in_box(const Vec3& half) {
        return {uniform(-half.x(), half.x()), uniform(-half.y(), half.y()),
                uniform(-half.z(), half.z())};
    }
    // Along an axis as often as not: what is exactly parallel is where solvers trip.
    Vec3 direction() {
        if (chance(0.5)) {
            const Vec3 axis = Vec3::Unit(integer(0, 2));
            return chance(0.5) ? axis : Vec3(-axis);
        }
        Vec3 x;
        do {
            x = in_box(Vec3::Ones());
        } while (x.squaredNorm() > 1 || x.squaredNorm() < 0.01);
        return shortened(Vec3(x.normalized()));
    }
    // Not quite of length 1: who reads it normalises.
    Quat rotation() {
        return about(direction(), random_.uniform(-std::numbers::pi, std::numbers::pi));
    }

    [[nodiscard]] static Quat about(const Vec3& axis, double angle) {
        const Quat q(Eigen::AngleAxisd(angle, axis.normalized()));
        return {rounded(q.w()), rounded(q.x()), rounded(q.y()), rounded(q.z())};
    }

  private:
    [[nodiscard]] static double rounded(double x) { return std::round(x * 1e4) / 1e4; }

    Random random_;
};

}  // namespace stiction
