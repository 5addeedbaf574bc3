// ways.h - which velocities of a tree lead from its root to each of them, and matrices with that
// pattern.
//
// The way of velocity k ascends from the root to k itself. It begins with the whole way of the
// velocity before k, so two ways share their first entries and no others.
//
// The inertia M of a tree and its factor R, upper triangular with M = R R', have entries in the
// upper part of column k at the way of k alone. They are stored so, column after column: entry d
// belongs to the d-th velocity of the way. The diagonal of R is stored inverted.
#pragma once

#include <vector>

#include "core/types.h"

namespace stiction {

// Looks at a list that make_ways() made.
class Ways {
  public:
    Ways(const int* list, int size) : start_(list), way_(list + size + 1), size_(size) {}

    [[nodiscard]] int size() const { return size_; }             // velocities
    [[nodiscard]] int entries() const { return start_[size_]; }  // of a matrix
    [[nodiscard]] int start(int k) const { return start_[k]; }   // of column k in a matrix
    [[nodiscard]] int count(int k) const { return start_[k + 1] - start_[k]; }
    [[nodiscard]] const int* way(int k) const { return way_ + start_[k]; }

  private:
    const int* start_;
    const int* way_;
    int size_;
};

// From the velocity before each on its way, or kNone: size + 1 starts, then the ways.
[[nodiscard]] std::vector<int> make_ways(const std::vector<int>& before);

// R of M; entry by entry.
void factor(const Ways& ways, const double* M, double* R);

// x <- R^-1 x and x <- R'^-1 x.
void solve_root(const Ways& ways, const double* R, double* x);
void solve_root_transposed(const Ways& ways, const double* R, double* x);

// A symmetric matrix from its entries, and its entries.
[[nodiscard]] MatX to_dense(const Ways& ways, const double* entries);
void take_entries(const Ways& ways, const MatX& dense, double* entries);

}  // namespace stiction
