// whiten.h - rows and velocities of an island in coordinates in which its inertia is the identity:
// with M = L L', rows x become y = L^-1 x and velocities v become nu = L' v, so y . nu = x . v.
// L is any such factor: Cholesky's of free bodies, R of trees (core/ways.h).
#pragma once

#include <span>
#include <vector>

#include "contact/island/island_rows.h"

namespace stiction {

// Numbers the velocities of the given blocks from 0; local[block] is where a block starts. Returns
// their count.
int number_velocities(const LinkSystem& system, std::span<const int> blocks,
                      std::vector<int>& local);

// y += L^-1 X' g for a row g on a link; y has one entry per velocity of the island.
void add_whitened_row(const LinkSystem& system, const Link& link, const Vec6& g,
                      std::span<const int> local, Eigen::Ref<VecX> y);

// One column per row of the island: L^-1 X'g, and below it the root of the row's compliance in a
// place of its own, so that Y'Y is the Delassus matrix, compliance included.
void whiten_rows(const LinkSystem& system, const IslandRows& rows, std::vector<int>& local,
                 MatX& Y);

// v = v_from + L'^-1 nu for the island's blocks; nu may have more entries than there are
// velocities.
void add_whitened_velocity(const LinkSystem& system, std::span<const int> blocks,
                           std::span<const int> local, const VecX& nu, const VecX& v_from, VecX& v);

}  // namespace stiction
