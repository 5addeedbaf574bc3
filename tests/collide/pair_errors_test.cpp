// pair_errors_test.cpp - Bullet's contacts against the exact ones over random poses of every pair
// of shapes: how far apart the two may be. The tables of docs/collision.md have more poses.
#include "collide/pair_errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>

namespace stiction {
namespace {

using pair_errors::PairErrors;

struct Bounds {
    double median = 1e-12, most = 1e-12;  // of the gap's error; `most` of 95 % of the poses [m]
};

// Where Bullet has no closed form or clipped face: GJK on round sides, boxes edge to edge (constants
// inside Bullet), and triangles that a shape's face lies over, one by one.
Bounds bounds_of(const std::string& a, const std::string& b) {
    const std::map<std::string, Bounds> loose = {
        {"sphere cylinder", {1e-9, 1e-5}},      {"box cylinder", {1e-9, 1e-5}},
        {"capsule cylinder", {1e-5, 1e-5}},     {"cylinder cylinder", {1e-6, 1e-4}},
        {"cylinder hull", {1e-7, 1e-5}},        {"box box", {1e-12, 1e-3}},
        {"cylinder rounded box", {1e-7, 1e-5}},
    };
    const auto found = loose.find(a + " " + b);
    if (found != loose.end()) return found->second;
    const auto among = [](const std::string& one, std::initializer_list<const char*> all) {
        return std::find(all.begin(), all.end(), one) != all.end();
    };
    const bool triangles = among(b, {"heightfield", "mesh"});
    if (triangles && among(a, {"cylinder", "cone", "ellipsoid"})) return {1e-4, 2e-2};
    if (triangles && among(a, {"box", "hull", "rounded box"})) return {1e-9, 2e-2};
    if (b == "plane") return {};
    if (among(a, {"cone", "ellipsoid"}) || among(b, {"cone", "ellipsoid"})) return {1e-5, 1e-4};
    return {};
}

TEST(PairErrors, BulletIsAsFarFromExactAsThePageSays) {
    const std::vector<pair_errors::NamedShape> shapes = pair_errors::shapes();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (std::size_t j = i; j < shapes.size(); ++j) {
            if (shapes[i].ground) continue;
            SCOPED_TRACE(shapes[i].name + " - " + shapes[j].name);
            const int poses = shapes[j].ground ? 150 : 400;
            const PairErrors errors = pair_errors::measure(shapes[i], shapes[j], poses);
            const Bounds bounds = bounds_of(shapes[i].name, shapes[j].name);
            EXPECT_EQ(errors.missed, 0);
            EXPECT_GT(static_cast<int>(errors.gap.size()), 9 * poses / 10);
            EXPECT_LE(PairErrors::quantile(errors.gap, 0.5), bounds.median);
            EXPECT_LE(PairErrors::quantile(errors.gap, 0.95), bounds.most);
        }
    }
}

}  // namespace
}  // namespace stiction
