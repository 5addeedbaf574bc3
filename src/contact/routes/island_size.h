// island_size.h - how large an island is, measured once, and every limit that chooses a route by
// it.
#pragma once

#include <vector>

#include "problem/contact_problem.h"

namespace stiction {

struct IslandSize {
    int links = 0;
    int velocities = 0;
    int contacts = 0;
    bool free_bodies = true;  // no trees: what sweeps can move
    bool entangled = false;   // many links per body: factors fill. Known from kPileLinks links on
};

// A chain of bodies has 4 squares of links per body and link and factors without fill, a wall of
// bricks 4 to 5, a heap of spheres 6 and more.
inline constexpr double kEntangled = 5;

// From here on the factors of an entangled island cost more than the sweeps that tell which rows
// act (60 sweeps at 0.3 us a link against n^2 / 2 blocks of 6x6).
inline constexpr int kPileLinks = 100;
// Beyond, a factorisation of an entangled island costs as much as a hundred sweeps and more: sweeps
// and Newton steps that are solved by iteration take turns first (sweeps.h). Passes of no_slip and
// the correction of positions are limited.
inline constexpr int kLargePileLinks = 300;
// Beyond, a factorisation of an entangled island costs a hundred milliseconds and a step that moves
// needs tens of them: such islands are never factored.
inline constexpr int kFactoredPileLinks = 1500;
// Up to here W costs no more than the bodies, and few contacts that all stick have a dense factor.
inline constexpr int kMatrixTriples = 8;
// Beyond, islands that are not entangled, whose factors hardly fill, are not factored either.
inline constexpr int kFactoredContacts = 15000;

// Dense methods are O(n^3) per solve: beyond these sizes others are quicker.
inline constexpr int kDenseRows = 1000;
inline constexpr int kDenseVelocities = 60;  // rows that nearly depend on one another, exactly
inline constexpr int kLemkeContacts = 20;    // 120 unknowns of a friction pyramid
inline constexpr int kInteriorContacts = 300;
// A Coulomb solution is asked for before phase II of max_dissipation: beyond, Newton is quicker.
inline constexpr int kCoulombContacts = 40;

[[nodiscard]] IslandSize measure(const ContactProblem& problem, const Island& island,
                                 std::vector<int>& links_per_block);

// Whether sweeps find the first states of an island; whether passes over it are dear, and its sweeps
// helped; whether it is solved without any factorisation.
[[nodiscard]] inline bool is_pile(const IslandSize& size) {
    return size.entangled && size.links > kPileLinks;
}
[[nodiscard]] inline bool is_large_pile(const IslandSize& size) {
    return size.entangled && size.links > kLargePileLinks;
}
[[nodiscard]] inline bool is_iterated(const IslandSize& size) {
    return (size.entangled && size.links > kFactoredPileLinks) ||
           (size.free_bodies && size.contacts > kFactoredContacts);
}

[[nodiscard]] inline bool is_helped(const IslandSize& size) {
    return is_large_pile(size) || is_iterated(size);
}

}  // namespace stiction
