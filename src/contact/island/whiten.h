// whiten.h - rows and velocities of an island in coordinates in which its inertia is the identity:
// with M = L L', rows x become y = L^-1 x and velocities v become nu = L' v, so y . nu = x . v.
#pragma once

#include <span>
#include <vector>

#include "problem/link_system.h"

namespace stiction {

// Numbers the velocities of the given blocks from 0; local[block] is where a block starts. Returns
// their count.
int number_velocities(const LinkSystem& system, std::span<const int> blocks,
                      std::vector<int>& local);

// y += L^-1 X' g for a row g on a link; y has one entry per velocity of the island.
void add_whitened_row(const LinkSystem& system, const Link& link, const Vec6& g,
                      std::span<const int> local, Eigen::Ref<VecX> y);

// nu = L' v and v = L'^-1 nu for the island's blocks.
void whiten_velocity(const LinkSystem& system, std::span<const int> blocks,
                     std::span<const int> local, const VecX& v, VecX& nu);
void unwhiten_velocity(const LinkSystem& system, std::span<const int> blocks,
                       std::span<const int> local, const VecX& nu, VecX& v);

}  // namespace stiction
