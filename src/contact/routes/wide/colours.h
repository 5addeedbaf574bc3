// colours.h - contacts in groups, colours, within which no two move the same body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stiction {

// The bodies a contact moves; kNone: none (what is prescribed).
struct ColourEdge {
    int a, b;
};

// Kept by the caller: a warm start allocates nothing.
struct ColourWorkspace {
    std::vector<std::uint64_t> taken;  // per body, the colours of its contacts
    std::vector<int> count;            // per colour
};

// At most as many as a word has bits; contacts of a body with more go without.
inline constexpr int kMaxColours = 64;

// Each edge in turn takes the first colour that neither of its bodies has; colours of fewer than
// `least` edges are given up. colour[i]: that of edge i, ascending from 0 without gaps, or kNone.
// Returns how many there are.
int colour_edges(std::span<const ColourEdge> edges, int bodies, int least,
                 ColourWorkspace& workspace, std::vector<int>& colour);

}  // namespace stiction
