// ways.cpp - lists of ways, and the factor of a matrix with their pattern.
#include "core/ways.h"

#include <algorithm>
#include <cmath>

namespace stiction {

std::vector<int> make_ways(const std::vector<int>& before) {
    const std::size_t size = before.size();
    std::vector<int> list(size + 1, 0);
    for (std::size_t k = 0; k < size; ++k) {
        if (before[k] != kNone) {
            const auto b = static_cast<std::size_t>(before[k]);
            for (int i = list[b]; i < list[b + 1]; ++i)
                list.push_back(list[size + 1 + static_cast<std::size_t>(i)]);
        }
        list.push_back(static_cast<int>(k));
        list[k + 1] = static_cast<int>(list.size() - size - 1);
    }
    return list;
}

// From the last velocity on, so that velocities on different branches, which have no entry in M,
// get none in R. What column k takes from that of velocity i on its way are the entries of the way
// of i, the first ones of both.
void factor(const Ways& ways, const double* M, double* R) {
    std::copy_n(M, ways.entries(), R);
    for (int k = ways.size() - 1; k >= 0; --k) {
        const int last = ways.count(k) - 1;
        const int* way = ways.way(k);
        double* column = R + ways.start(k);
        const double inverse = 1 / std::sqrt(column[last]);
        column[last] = inverse;
        for (int d = 0; d < last; ++d) column[d] *= inverse;
        for (int i = 0; i < last; ++i) {
            double* other = R + ways.start(way[i]);
            const double r = column[i];
            for (int d = 0; d <= i; ++d) other[d] -= r * column[d];
        }
    }
}

void solve_root(const Ways& ways, const double* R, double* x) {
    for (int k = ways.size() - 1; k >= 0; --k) {
        const double* column = R + ways.start(k);
        const int* way = ways.way(k);
        const int last = ways.count(k) - 1;
        const double y = column[last] * x[k];
        x[k] = y;
        for (int d = 0; d < last; ++d) x[way[d]] -= y * column[d];
    }
}

void solve_root_transposed(const Ways& ways, const double* R, double* x) {
    for (int k = 0; k < ways.size(); ++k) {
        const double* column = R + ways.start(k);
        const int* way = ways.way(k);
        const int last = ways.count(k) - 1;
        double rest = x[k];
        for (int d = 0; d < last; ++d) rest -= column[d] * x[way[d]];
        x[k] = rest * column[last];
    }
}

MatX to_dense(const Ways& ways, const double* entries) {
    MatX dense = MatX::Zero(ways.size(), ways.size());
    for (int k = 0; k < ways.size(); ++k) {
        for (int d = 0; d < ways.count(k); ++d) {
            const int i = ways.way(k)[d];
            dense(i, k) = dense(k, i) = entries[ways.start(k) + d];
        }
    }
    return dense;
}

void take_entries(const Ways& ways, const MatX& dense, double* entries) {
    for (int k = 0; k < ways.size(); ++k) {
        for (int d = 0; d < ways.count(k); ++d)
            entries[ways.start(k) + d] = dense(ways.way(k)[d], k);
    }
}

}  // namespace stiction
