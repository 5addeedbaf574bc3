// Tangent frames, islands and the dense view.
#include "problem/contact_problem.h"

#include <gtest/gtest.h>

#include <set>

#include "core/random.h"

namespace stiction {
namespace {

TEST(Tangents, AreARightHandedOrthonormalFrameForAnyNormal) {
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 n =
            Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
        Vec3 s, t;
        tangents(n, s, t);
        EXPECT_NEAR(s.norm(), 1, 1e-14);
        EXPECT_NEAR(n.dot(s), 0, 1e-14);
        EXPECT_LT((n.cross(s) - t).norm(), 1e-14);
    }
    Vec3 s, t;
    tangents(Vec3::UnitZ(), s, t);  // a floor has the world's x and y
    EXPECT_EQ(s, Vec3::UnitX());
    EXPECT_EQ(t, Vec3::UnitY());
}

ContactProblem with_links(int blocks, const std::vector<std::pair<int, int>>& pairs) {
    ContactProblem problem;
    problem.system.blocks.resize(static_cast<std::size_t>(blocks));
    for (const auto& [a, b] : pairs) {
        Link link;
        link.a = a;
        link.b = b;
        problem.system.links.push_back(link);
    }
    return problem;
}

// The same components by repeated sweeps: slow and plain.
std::vector<int> components(int blocks, const std::vector<std::pair<int, int>>& pairs) {
    std::vector<int> label(static_cast<std::size_t>(blocks));
    for (int i = 0; i < blocks; ++i) label[at(i)] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [a, b] : pairs) {
            if (a == kNone || b == kNone) continue;
            int& x = label[at(a)];
            int& y = label[at(b)];
            changed = changed || x != y;
            x = y = std::min(x, y);
        }
    }
    return label;
}

TEST(Islands, AreTheConnectedComponentsOverLinks) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Random random(seed);
        const int blocks = 1 + static_cast<int>(random.bits() % 20);
        std::vector<std::pair<int, int>> pairs;
        for (std::uint64_t k = random.bits() % 25; k > 0; --k) {
            const int a = static_cast<int>(random.bits() % static_cast<unsigned>(blocks));
            const int b = static_cast<int>(random.bits() % static_cast<unsigned>(blocks));
            if (random.unit() < 0.3 || a == b)
                pairs.emplace_back(a, kNone);
            else if (random.unit() < 0.1)
                pairs.emplace_back(kNone, b);
            else
                pairs.emplace_back(a, b);
        }
        ContactProblem problem = with_links(blocks, pairs);
        std::vector<int> scratch;
        find_islands(problem, scratch);
        const std::vector<int> label = components(blocks, pairs);
        std::set<int> seen_links, seen_blocks, roots;
        for (const Island& island : problem.islands) {
            ASSERT_LT(island.link_begin, island.link_end);
            std::set<int> in_island;
            for (int k = island.block_begin; k < island.block_end; ++k) {
                const int b = problem.island_blocks[at(k)];
                in_island.insert(label[at(b)]);
                EXPECT_TRUE(seen_blocks.insert(b).second);
            }
            ASSERT_EQ(in_island.size(), 1U) << "seed " << seed;
            EXPECT_TRUE(roots.insert(*in_island.begin()).second);
            for (int k = island.link_begin; k < island.link_end; ++k) {
                const int l = problem.island_links[at(k)];
                const auto& [a, b] = pairs[at(l)];
                EXPECT_TRUE(seen_links.insert(l).second);
                if (a != kNone) {
                    EXPECT_EQ(label[at(a)], *in_island.begin());
                }
                if (b != kNone) {
                    EXPECT_EQ(label[at(b)], *in_island.begin());
                }
            }
        }
        EXPECT_EQ(seen_links.size(), pairs.size());
    }
}

}  // namespace
}  // namespace stiction
