// pair_errors.h - Bullet's contacts against the exact ones over random poses of two shapes, for
// tests and for the tables of docs/collision.md.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "collide/collide.h"
#include "core/random.h"
#include "model/height_grid.h"
#include "model/mesh_surface.h"

namespace stiction::pair_errors {

inline constexpr double kDeepest = 0.05, kFurthest = 0.01;  // gaps of the poses that count [m]
inline constexpr double kBumps = 0.03;                      // of the ground, either way [m]
inline constexpr double kTiny = 1e-5;  // overlap that may go unseen, gap that may be seen [m]

struct NamedShape {
    std::string name;
    Shape shape;
    bool ground = false;
};

inline Vec3 direction(Random& random) {
    for (;;) {
        const Vec3 v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
}

inline Quat rotation(Random& random) {
    return Quat(Eigen::AngleAxisd(random.uniform(-3.1416, 3.1416), direction(random)));
}

// Of 0.2 to 0.6 m; ground of 4 m with bumps, in cells of 5 cm.
inline std::vector<NamedShape> shapes() {
    Random random(7);
    std::vector<Vec3> corners;
    for (int i = 0; i < 20; ++i)
        corners.push_back(0.25 * random.uniform(0.7, 1) * direction(random));
    const auto grid = std::make_shared<const HeightGrid>(
        4, 4, 81, 81, bumpy_heights(4, 4, 81, 81, Bumps{kBumps, 0.3, 3}));
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    for (int v = 0; v < grid->nx() * grid->ny(); ++v) points.push_back(grid->vertex(v));
    for (int t = 0; t < grid->triangles(); ++t) triangles.push_back(grid->triangle(t).vertex);
    return {{"sphere", Sphere{0.2}},
            {"box", Box{{0.15, 0.2, 0.3}}},
            {"capsule", Capsule{0.12, 0.18}},
            {"cylinder", Cylinder{0.18, 0.2}},
            {"cone", Cone{0.2, 0.2}},
            {"ellipsoid", Ellipsoid{{0.15, 0.2, 0.3}}},
            {"rounded box", RoundedBox{{0.15, 0.2, 0.3}, 0.05}},
            {"hull", make_hull(corners)},
            {"plane", Plane{}, true},
            {"heightfield", Heightfield{grid}, true},
            {"mesh", TriangleMesh{std::make_shared<const MeshSurface>(points, triangles)}, true}};
}

struct PairErrors {
    std::vector<double> gap, normal;      // of the deepest contacts, sorted [m], [rad]
    int poses = 0;                        // that count
    int missed = 0;                       // overlap by more than kTiny, and Bullet has nothing
    int phantom = 0;                      // Bullet has an overlap of more than kTiny, exact none
    double points_exact = 0, points = 0;  // per pose
    double seconds_exact = 0, seconds = 0;

    // q in 0 to 1.
    [[nodiscard]] static double quantile(const std::vector<double>& sorted, double q) {
        if (sorted.empty()) return 0;
        return sorted[std::min(sorted.size() - 1,
                               static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
    }
};

// Two bodies that a Narrowphase was made for, and what each kind finds.
class PairWorld {
  public:
    PairWorld(const NamedShape& a, const NamedShape& b)
        : ground_(b.ground),
          model_(make_model(a, b)),
          flat_(make_model(a, {"plane", Plane{}, true})),
          narrowphase_(model_, {kFurthest}),
          over_flat_(flat_, {kFurthest + kBumps}) {
        state_.pose.resize(2);
        state_.twist.resize(2);
        reach_ = bounding_radius(a.shape) + (b.ground ? kBumps : bounding_radius(b.shape));
        double ignored = 0;
        collide(NarrowphaseKind::kBullet, ignored);  // what Bullet needs is made once
    }

    void place(Random& random) {
        state_.pose[1].q = rotation(random);
        if (ground_) {
            do {
                state_.pose[1].p = Vec3(random.uniform(-1, 1), random.uniform(-1, 1),
                                        random.uniform(0, reach_ + kFurthest));
            } while (!near_flat_ground());
        } else {
            state_.pose[0].q = rotation(random);
            state_.pose[1].p = random.uniform(0.1, 1) * (reach_ + kFurthest) * direction(random);
        }
    }

    const ContactSet& collide(NarrowphaseKind kind, double& seconds) {
        double least = 1;  // of three: the machine has other work
        for (int i = 0; i < 3; ++i) {
            const auto start = std::chrono::steady_clock::now();
            narrowphase_.collide(model_, state_, 0, set_, kind);
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            least = std::min(least, taken.count());
        }
        seconds += least;
        return set_;
    }

  private:
    // Meshes have no inside: where they are to be compared nothing may be deep in them.
    bool near_flat_ground() {
        over_flat_.collide(flat_, state_, 0, set_);
        const auto lowest =
            std::min_element(set_.contacts.begin(), set_.contacts.end(),
                             [](const Contact& a, const Contact& b) { return a.phi < b.phi; });
        return lowest != set_.contacts.end() && lowest->phi > -kDeepest + kBumps;
    }

    static Model make_model(const NamedShape& a, const NamedShape& b) {
        Model model;
        for (const NamedShape* shape : {&b, &a}) {
            Body body;
            body.kind = shape->ground ? BodyKind::kStatic : BodyKind::kDynamic;
            body.mass = shape->ground ? 0 : 1;
            model.bodies.push_back(body);
            Geom geom;
            geom.body = static_cast<int>(model.bodies.size()) - 1;
            geom.shape = shape->shape;
            model.geoms.push_back(geom);
        }
        return model;
    }

    bool ground_;
    Model model_, flat_;  // with the ground as a plane
    State state_;
    Narrowphase narrowphase_, over_flat_;
    ContactSet set_;
    double reach_ = 0;  // of centres that may touch [m]
};

inline const Contact* deepest(const std::vector<Contact>& contacts) {
    const auto it =
        std::min_element(contacts.begin(), contacts.end(),
                         [](const Contact& a, const Contact& b) { return a.phi < b.phi; });
    return it == contacts.end() ? nullptr : &*it;
}

inline void add_pose(PairWorld& world, std::vector<Contact>& exact, PairErrors& errors) {
    double seconds_exact = 0, seconds = 0;
    exact = world.collide(NarrowphaseKind::kExact, seconds_exact).contacts;
    const std::vector<Contact>& found = world.collide(NarrowphaseKind::kBullet, seconds).contacts;
    const Contact *truth = pair_errors::deepest(exact), *answer = pair_errors::deepest(found);
    if (truth == nullptr && answer == nullptr) return;
    if (truth != nullptr && truth->phi < -kDeepest) return;
    ++errors.poses;
    errors.seconds_exact += seconds_exact;
    errors.seconds += seconds;
    errors.points_exact += static_cast<double>(exact.size());
    errors.points += static_cast<double>(found.size());
    if (truth == nullptr) {
        errors.phantom += answer->phi < -kTiny ? 1 : 0;
    } else if (answer == nullptr) {
        errors.missed += truth->phi < -kTiny ? 1 : 0;
    } else {
        errors.gap.push_back(std::abs(answer->phi - truth->phi));
        errors.normal.push_back(
            std::atan2(answer->n.cross(truth->n).norm(), answer->n.dot(truth->n)));
    }
}

inline PairErrors measure(const NamedShape& a, const NamedShape& b, int poses,
                          std::uint64_t seed = 1) {
    PairWorld world(a, b);
    Random random(seed);
    PairErrors errors;
    std::vector<Contact> exact;
    while (errors.poses < poses) {
        world.place(random);
        add_pose(world, exact, errors);
    }
    std::sort(errors.gap.begin(), errors.gap.end());
    std::sort(errors.normal.begin(), errors.normal.end());
    errors.points_exact /= errors.poses;
    errors.points /= errors.poses;
    return errors;
}

}  // namespace stiction::pair_errors
