// colours.cpp - greedy colouring of edges, a word of bits per body.
#include "contact/routes/wide/colours.h"

#include <array>
#include <bit>

#include "core/types.h"

namespace stiction {

int colour_edges(std::span<const ColourEdge> edges, int bodies, int least, ColourWorkspace& ws,
                 std::vector<int>& colour) {
    ws.taken.assign(at(bodies), 0);
    ws.count.assign(kMaxColours, 0);
    colour.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const auto [a, b] = edges[i];
        const std::uint64_t taken =
            (a == kNone ? 0 : ws.taken[at(a)]) | (b == kNone ? 0 : ws.taken[at(b)]);
        const int first = std::countr_one(taken);
        colour[i] = first < kMaxColours ? first : kNone;
        if (colour[i] == kNone) continue;
        const std::uint64_t bit = std::uint64_t{1} << first;
        if (a != kNone) ws.taken[at(a)] |= bit;
        if (b != kNone) ws.taken[at(b)] |= bit;
        ++ws.count[at(first)];
    }
    std::array<int, kMaxColours> kept;
    int colours = 0;
    for (int k = 0; k < kMaxColours; ++k)
        kept[at(k)] = ws.count[at(k)] >= least ? colours++ : kNone;
    for (int& k : colour) k = k == kNone ? kNone : kept[at(k)];
    return colours;
}

}  // namespace stiction
