// matrix_file.h - a matrix and a vector in forms that other programs read: Matrix Market (.mtx, the
// vector in NAME_b.mtx), MATLAB and Octave (.mat, version 5), NumPy (.npz), HDF5 (.h5). Named A and b.
#pragma once

#include <string>
#include <vector>

#include "solve/lcp/lcp.h"

namespace stiction {

// The files that an export to `path` writes. Throws InputError for a suffix that there is not.
[[nodiscard]] std::vector<std::string> matrix_files(const std::string& path);

// Throws as write_file does.
void write_matrices(const std::string& path, const Lcp& lcp);

// Their content, for tests.
[[nodiscard]] std::string mat_bytes(const Lcp& lcp);
[[nodiscard]] std::string npz_bytes(const Lcp& lcp);
[[nodiscard]] std::string matrix_market_text(const MatX& A);

}  // namespace stiction
