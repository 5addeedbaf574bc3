// operators.cpp - sums over the rows of an island.
#include "contact/island/operators.h"

#include "problem/link_motion.h"

namespace stiction {

void copy_velocity(const LinkSystem& system, std::span<const int> blocks, const VecX& from,
                   VecX& to) {
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        to.segment(block.offset, block.size) = from.segment(block.offset, block.size);
    }
}

void clear_momentum(const LinkSystem& system, std::span<const int> blocks, VecX& momentum) {
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        momentum.segment(block.offset, block.size).setZero();
    }
}

void add_momentum(const LinkSystem& system, std::span<const int> blocks, const VecX& v_from,
                  const VecX& momentum, VecX& v) {
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        apply_inverse_inertia(system, block, momentum, v);
        v.segment(block.offset, block.size) += v_from.segment(block.offset, block.size);
    }
}

void apply_impulses(const LinkSystem& system, const IslandRows& rows, const VecX& v_from,
                    VecX& momentum, VecX& v) {
    clear_momentum(system, rows.blocks, momentum);
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        Vec6 F = Vec6::Zero();
        for (int r = rows.begin[l]; r < rows.begin[l + 1]; ++r)
            F += rows.c[at(r)] * rows.rows[at(r)].g;
        add_link_impulse(system, system.links[at(rows.links[l])], F, momentum);
    }
    add_momentum(system, rows.blocks, v_from, momentum, v);
}

void apply_impulses(const LinkSystem& system, const IslandRows& rows, const Triples& triples,
                    const VecX& v_from, VecX& momentum, VecX& v) {
    clear_momentum(system, rows.blocks, momentum);
    for (std::size_t a = 0; a < triples.all.size(); ++a) {
        const Triple& triple = triples.all[a];
        const double* r = triples.r.data() + 3 * a;
        Vec6 F = r[0] * rows.rows[at(triple.row[0])].g;  // the first row always exists
        for (std::size_t k = 1; k < 3 && triple.row[k] != kNone; ++k)
            F += r[k] * rows.rows[at(triple.row[k])].g;
        add_link_impulse(system, system.links[at(triple.link)], F, momentum);
    }
    add_momentum(system, rows.blocks, v_from, momentum, v);
}

double kinetic_energy(const LinkSystem& system, std::span<const int> blocks, const VecX& v,
                      VecX& momentum) {
    double sum = 0;
    for (const int b : blocks) {
        const InertiaBlock& block = system.blocks[at(b)];
        apply_inertia(system, block, v, momentum);
        sum += 0.5 *
               v.segment(block.offset, block.size).dot(momentum.segment(block.offset, block.size));
    }
    return sum;
}

}  // namespace stiction
