// operators.h - what impulses do to the velocities of an island,
//
//   v = v_from + M^-1 G'c            v_from: v_free, or another velocity to start from
//
// The Delassus matrix is made in delassus.h, elimination.h takes equalities out of it, whiten.h has
// coordinates in which M is the identity.
// All work on the island's stretch of the vectors alone, so that islands may share them.
#pragma once

#include <span>

#include "contact/island/island_rows.h"
#include "contact/island/triples.h"

namespace stiction {

void copy_velocity(const LinkSystem& system, std::span<const int> blocks, const VecX& from,
                   VecX& to);

void clear_momentum(const LinkSystem& system, std::span<const int> blocks, VecX& momentum);

// v = v_from + M^-1 momentum
void add_momentum(const LinkSystem& system, std::span<const int> blocks, const VecX& v_from,
                  const VecX& momentum, VecX& v);

// The same for the impulses rows.c, summed up link by link; and for triples.r, triple by triple:
// two orders of one sum, so that the rounding is that of the route that judged its residual with
// it. `momentum` is scratch.
void apply_impulses(const LinkSystem& system, const IslandRows& rows, const VecX& v_from,
                    VecX& momentum, VecX& v);
void apply_impulses(const LinkSystem& system, const IslandRows& rows, const Triples& triples,
                    const VecX& v_from, VecX& momentum, VecX& v);

[[nodiscard]] double kinetic_energy(const LinkSystem& system, std::span<const int> blocks,
                                    const VecX& v, VecX& momentum);

}  // namespace stiction
