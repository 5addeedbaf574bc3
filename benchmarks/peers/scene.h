// scene.h - the scenes as numbers in SI units, the same for every engine. Stiction itself takes
// its scenes from scenes/*.yaml (the robot is stand.yaml), which hold the same numbers. Piles of
// boxes have none here: all engines take them from the YAML (pile_scenes.h).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace stiction::peers {

struct Vec {
    double x = 0, y = 0, z = 0;
};

inline constexpr double kGravity = 9.81;  // [m/s^2]

// k cubes between two grippers that slide along x; bodies 0 and k + 1 are the grippers.
namespace grasp {
inline constexpr double kSide = 0.1;
inline constexpr double kMass = 1;
inline constexpr double kMu = 100;
inline constexpr double kDt = 0.001;
inline constexpr int kSteps = 2000;
inline constexpr std::array<int, 4> kCounts = {2, 8, 16, 32};
inline double force(int k) { return 100.0 * k; }
inline double x(int k, int body) { return (body - 0.5 * (k + 1)) * kSide; }
}  // namespace grasp

// Loose spheres and boxes between planes: what an engine needs to know of a pile.
struct Quat {
    double w = 1, x = 0, y = 0, z = 0;
};

struct Pile {
    struct Plane {
        Vec normal;         // away from the solid side
        double offset = 0;  // of the plane along it [m]
    };
    struct Body {
        double radius = 0;  // of a sphere [m]; 0: a box
        Vec half;           // of a box [m]
        double mass = 0;    // [kg]
        Vec p;
        Quat q;

        // Penetration is given in percent of this [m].
        [[nodiscard]] double size() const {
            return radius > 0 ? radius : std::min({half.x, half.y, half.z});
        }
    };
    double dt = 0;  // [s]
    double mu = 0;  // of every contact
    std::vector<Plane> planes;
    std::vector<Body> bodies;
};

// One shape serves both.
inline bool alike(const Pile::Body& a, const Pile::Body& b) {
    return a.radius == b.radius && a.half.x == b.half.x && a.half.y == b.half.y &&
           a.half.z == b.half.z;
}

inline constexpr double kSettled = 0.5;  // the last part of a pile's run that counts as settled [s]

// Spheres dropped into a square box, floor at z = 0.
namespace granular {
inline constexpr double kRadius = 0.04;
inline constexpr double kMass = 1;
inline constexpr double kMu = 0.5;
inline constexpr double kSpacing = 0.1;  // of the start

struct Variant {
    int n = 0;
    double dt = 0;    // [s]
    double span = 0;  // simulated time [s]
    double base = 1;  // side of the floor [m]
};
// One box for all numbers of spheres, so that the pile grows in height, and boxes whose floor grows
// in proportion to it.
inline constexpr std::array<Variant, 8> kVariants = {{{250, 0.001, 5},
                                                      {1001, 0.001, 5},
                                                      {1001, 0.005, 5},
                                                      {4004, 0.001, 5},
                                                      {250, 0.002, 2.5, 0.5},
                                                      {1001, 0.002, 2.5},
                                                      {4004, 0.002, 2.5, 2},
                                                      {16016, 0.002, 2.5, 4}}};

struct Xorshift {
    std::uint64_t state = 0x9E3779B97F4A7C15ULL;
    double unit() {  // in [-1, 1)
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<double>(state >> 11) * 0x1.0p-52 - 1.0;
    }
};

// A square grid per layer, 0.1 m apart, jittered by at most 8 mm: no two spheres touch and nothing
// touches the floor before t = 0.1 s.
inline std::vector<Vec> start(const Variant& variant) {
    const int row = static_cast<int>(std::lround(variant.base / kSpacing));
    const double first = (kSpacing - variant.base) / 2;
    Xorshift random;
    std::vector<Vec> p;
    for (int i = 0; i < variant.n; ++i) {
        const double x = first + kSpacing * (i % row) + 0.008 * random.unit();
        const double y = first + kSpacing * (i / row % row) + 0.008 * random.unit();
        const double z = kSpacing * (1 + i / (row * row)) + 0.008 * random.unit();
        p.push_back({x, y, z});
    }
    return p;
}

inline Pile pile(const Variant& variant) {
    const double wall = -variant.base / 2;
    Pile pile{.dt = variant.dt,
              .mu = kMu,
              .planes = {{{0, 0, 1}, 0},
                         {{1, 0, 0}, wall},
                         {{-1, 0, 0}, wall},
                         {{0, 1, 0}, wall},
                         {{0, -1, 0}, wall}},
              .bodies = {}};
    for (const Vec& p : start(variant)) {
        pile.bodies.push_back({.radius = kRadius, .half = {}, .mass = kMass, .p = p, .q = {}});
    }
    return pile;
}
}  // namespace granular

// A cube on a static box whose top face passes through the origin, tilted about y: downhill is +x.
namespace ramp {
inline constexpr double kSide = 0.1;
inline constexpr double kMass = 1;
inline constexpr double kAngle = 20.0 * M_PI / 180.0;
inline constexpr std::array<double, 3> kSize = {8.0, 1.0, 0.2};
inline constexpr double kDt = 0.001;
inline constexpr int kSteps = 1000;
inline constexpr double kSlide = 0.2, kStick = 0.5;  // friction coefficients
inline Vec downhill() { return {std::cos(kAngle), 0, -std::sin(kAngle)}; }
inline Vec normal() { return {std::sin(kAngle), 0, std::cos(kAngle)}; }
inline Vec along(double down, double up) {
    const Vec d = downhill(), n = normal();
    return {down * d.x + up * n.x, 0, down * d.z + up * n.z};
}
}  // namespace ramp

// A quadruped of 12 hinges (roll, pitch, knee per leg) that stands under joint-wise PD control.
namespace robot {
inline constexpr std::array<double, 3> kTorso = {0.30, 0.15, 0.08};
inline constexpr double kTorsoMass = 2;
inline constexpr double kLinkLength = 0.08, kLinkRadius = 0.01, kLinkMass = 0.1;
inline constexpr double kFootRadius = 0.012;
inline constexpr double kHipX = 0.13, kHipY = 0.075;
// With this posture each foot is straight below its pitch joint.
inline constexpr std::array<double, 3> kPose = {0.0, 0.5, -1.0};  // [rad]
// Explicit damping of a leg this light is stable up to about 0.09 at 1 ms (leg in the air).
inline constexpr double kStiffness = 20.0, kDamping = 0.05;  // [N m/rad], [N m s/rad]
inline constexpr double kMu = 1;
inline constexpr double kDt = 0.001;
inline constexpr int kSteps = 5000;
inline constexpr int kLastSecond = 1000;  // steps
inline double height() { return 2 * kLinkLength * std::cos(kPose[1]) + kFootRadius; }
inline double front_back(int leg) { return leg < 2 ? 1.0 : -1.0; }
inline double left_right(int leg) { return leg % 2 != 0 ? -1.0 : 1.0; }
inline double inertia_across() {
    return kLinkMass * (3 * kLinkRadius * kLinkRadius + kLinkLength * kLinkLength) / 12;
}
inline double inertia_along() { return kLinkMass * kLinkRadius * kLinkRadius / 2; }
inline Vec torso_inertia() {
    const auto pair = [](double a, double b) { return kTorsoMass * (a * a + b * b) / 12; };
    return {pair(kTorso[1], kTorso[2]), pair(kTorso[0], kTorso[2]), pair(kTorso[0], kTorso[1])};
}
inline double pose(int joint) { return kPose[static_cast<std::size_t>(joint % 3)]; }
inline double torque(int joint, double q, double qd) {
    return kStiffness * (pose(joint) - q) - kDamping * qd;
}
}  // namespace robot

}  // namespace stiction::peers
