// island_size.cpp - counts.
#include "contact/routes/island_size.h"

namespace stiction {

namespace {

// Sum of squares of the links per body, over the links.
bool is_entangled(const LinkSystem& system, std::span<const int> links, std::span<const int> blocks,
                  std::vector<int>& links_per_block) {
    links_per_block.assign(system.blocks.size(), 0);
    for (const int l : links) {
        const Link& link = system.links[at(l)];
        if (link.a != kNone) ++links_per_block[at(link.a)];
        if (link.b != kNone) ++links_per_block[at(link.b)];
    }
    double squares = 0;
    for (const int b : blocks)
        squares += static_cast<double>(links_per_block[at(b)]) * links_per_block[at(b)];
    return squares > kEntangled * static_cast<double>(links.size());
}

}  // namespace

IslandSize measure(const ContactProblem& problem, const Island& island,
                   std::vector<int>& links_per_block) {
    const LinkSystem& system = problem.system;
    const std::span<const int> links = links_of(problem, island);
    const std::span<const int> blocks = blocks_of(problem, island);
    IslandSize size;
    size.links = static_cast<int>(links.size());
    for (const int l : links) {
        const LinkRows& range = problem.link_rows[at(l)];
        size.contacts += range.contact_end - range.contact_begin;
    }
    for (const int b : blocks) {
        size.velocities += system.blocks[at(b)].size;
        size.free_bodies = size.free_bodies && system.blocks[at(b)].free_body;
    }
    size.entangled = size.links > kPileLinks && size.free_bodies &&
                     is_entangled(system, links, blocks, links_per_block);
    return size;
}

}  // namespace stiction
