// problem_fclib.h - Coulomb cone problems in the HDF5 layout of FCLIB, the open collection of
// frictional contact problems.
//
//   /fclib_local/{spacedim, W/, vectors/{q, mu}}
//   /fclib_global/{spacedim, M/, H/, vectors/{f, w, mu}}
//   matrix group: m, n, nz, nzmax, p, i, x; nz = -2 compressed rows, -1 compressed columns,
//   otherwise nz triplets (row i[k], column p[k]); entries that occur twice add up.
//
// Problems in the plane (spacedim 2) get a second tangent that is at rest. Bilateral rows (V, R, s; G,
// b) are taken out (bilateral.h), so that a global problem that has them becomes a local one. Guesses
// and solutions in a file are not read.
#pragma once

#include <string>

#include "problem_files/problem_file.h"

namespace stiction {

// Messages name the file and the dataset.
[[nodiscard]] StoredProblem read_fclib(const std::string& path);

// The local form, W by compressed rows. Contacts only.
void write_fclib(const std::string& path, const ConeProblem& problem);

}  // namespace stiction
