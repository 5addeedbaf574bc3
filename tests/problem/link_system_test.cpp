// Closed forms of free bodies against dense matrices, and against the same bodies stored as general
// blocks.
#include "problem/link_system.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/random.h"
#include "problem/link_motion.h"

namespace stiction {
namespace {

Vec3 random_vector(Random& random) {
    return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

Mat3 random_inertia(Random& random) {
    Mat3 B;
    for (int i = 0; i < 9; ++i) B(i) = random.uniform(-1, 1);
    return B * B.transpose() + 0.1 * Mat3::Identity();
}

// Three free bodies; links 0-1, 1-2, 2-world, 0-2.
LinkSystem random_system(std::uint64_t seed) {
    Random random(seed);
    LinkSystem system;
    for (int b = 0; b < 3; ++b) {
        InertiaBlock block;
        block.offset = 6 * b;
        block.mass = random.uniform(0.1, 10);
        block.inv_mass = 1 / block.mass;
        block.isotropic = b == 1;  // the middle one is a ball, the others have any inertia
        block.inertia = block.isotropic ? Mat3(0.7 * Mat3::Identity()) : random_inertia(random);
        block.inv_inertia = block.inertia.inverse();
        system.blocks.push_back(block);
    }
    system.nv = 18;
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, kNone}, {0, 2}}) {
        Link link;
        link.a = a;
        link.b = b;
        link.length = random.uniform(0.1, 2);
        link.r_a = random_vector(random);
        link.r_b = random_vector(random);
        for (int k = 0; k < 6; ++k) link.u0[k] = random.uniform(-1, 1);
        system.links.push_back(link);
    }
    return system;
}

// The same system with every body stored as a chain of six velocities, with matrices in the pool.
LinkSystem as_general_blocks(const LinkSystem& system) {
    LinkSystem general = system;
    const auto store = [&](const MatX& m) {
        const int start = static_cast<int>(general.pool.size());
        general.pool.insert(general.pool.end(), m.data(), m.data() + m.size());
        return start;
    };
    for (std::size_t b = 0; b < system.blocks.size(); ++b) {
        const MatX M = dense_inertia(system, system.blocks[b]);
        general.blocks[b].free_body = false;
        general.blocks[b].ways = static_cast<int>(general.columns.size());
        const std::vector<int> ways = make_ways({kNone, 0, 1, 2, 3, 4});
        general.columns.insert(general.columns.end(), ways.begin(), ways.end());
        VecX entries(21), root(21);
        take_entries(ways_of(general, general.blocks[b]), M, entries.data());
        factor(ways_of(general, general.blocks[b]), entries.data(), root.data());
        general.blocks[b].pool_M = store(entries);
        general.blocks[b].pool_root = store(root);
    }
    for (std::size_t l = 0; l < system.links.size(); ++l) {
        for (const bool side_a : {true, false}) {
            const int block = side_a ? system.links[l].a : system.links[l].b;
            if (block == kNone) continue;
            GeneralSide& side = side_a ? general.links[l].general_a : general.links[l].general_b;
            side.columns = static_cast<int>(general.columns.size());
            side.count = 6;
            const MatX X = link_jacobian(system, system.links[l], side_a);
            for (int k = 0; k < 6; ++k) general.columns.push_back(k);
            side.X = store(X);
            side.Z = store(MatX::Zero(6, 6));
            set_root_response(general, general.blocks[at(block)], side);
        }
    }
    return general;
}

MatX dense_link_rows(const LinkSystem& system, const Link& link) {
    MatX G = MatX::Zero(6, system.nv);
    if (link.a != kNone) G.block(0, 6 * link.a, 6, 6) += link_jacobian(system, link, true);
    if (link.b != kNone) G.block(0, 6 * link.b, 6, 6) -= link_jacobian(system, link, false);
    return G;
}

MatX dense_mass(const LinkSystem& system) {
    MatX M = MatX::Zero(system.nv, system.nv);
    for (const InertiaBlock& b : system.blocks)
        M.block(b.offset, b.offset, 6, 6) = dense_inertia(system, b);
    return M;
}

TEST(LinkSystem, AgreesWithDenseMatrices) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const LinkSystem free = random_system(seed);
        const LinkSystem general = as_general_blocks(free);
        const MatX M = dense_mass(free);
        const MatX inverse = M.inverse();
        Random random(seed + 1000);
        VecX v(free.nv);
        for (double& x : v) x = random.uniform(-1, 1);
        for (const LinkSystem* system : {&free, &general}) {
            for (const Link& i : system->links) {
                const MatX G_i = dense_link_rows(*system, i);
                EXPECT_LT((link_velocity(*system, i, v) - (G_i * v + i.u0)).norm(), 1e-12);
                const Vec6 F = Vec6::LinSpaced(-1, 2);
                VecX p = VecX::Zero(system->nv);
                add_link_impulse(*system, i, F, p);
                EXPECT_LT((p - G_i.transpose() * F).norm(), 1e-12);
                for (const Link& j : system->links) {
                    const MatX expected = G_i * inverse * dense_link_rows(*system, j).transpose();
                    EXPECT_LT((delassus_block(*system, i, j) - expected).norm(),
                              1e-11 * (1 + expected.norm()));
                }
            }
            VecX product(system->nv), back(system->nv);
            for (const InertiaBlock& block : system->blocks)
                apply_inertia(*system, block, v, product);
            EXPECT_LT((product - M * v).norm(), 1e-12 * product.norm());
            for (const InertiaBlock& block : system->blocks)
                apply_inverse_inertia(*system, block, product, back);
            EXPECT_LT((back - v).norm(), 1e-11 * v.norm());
        }
    }
}

}  // namespace
}  // namespace stiction
