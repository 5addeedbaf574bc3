// fclib_source.cpp - matrices in three forms of storage.
#include "problem_files/fclib_source.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace stiction {

using Integers = std::vector<std::int32_t>;

template <class T>
const std::vector<T>& FclibSource::read(const std::string& place) const {
    constexpr bool kReal = std::is_same_v<T, double>;
    const std::vector<T>& values =
        content_.values<T>(place, kReal ? "floating-point numbers" : "integers");
    const std::size_t rank = content_.find(place)->shape.size();
    if (rank > 1) refuse(place, "expected one dimension, found " + std::to_string(rank));
    return values;
}

Integers FclibSource::integers(const std::string& place) const {
    const std::vector<std::int64_t>& values = read<std::int64_t>(place);
    for (const std::int64_t value : values) {
        if (value != static_cast<std::int32_t>(value))
            refuse(place, "found " + std::to_string(value) + "; expected integers of 32 bits");
    }
    return {values.begin(), values.end()};
}

int FclibSource::number(const std::string& place) const {
    const Integers values = integers(place);
    if (values.size() != 1) {
        refuse(place, "expected one integer, found " + std::to_string(values.size()));
    }
    return values.front();
}

VecX FclibSource::vector(const std::string& place, int size) const {
    const std::vector<double>& values = read<double>(place);
    if (size >= 0 && values.size() != static_cast<std::size_t>(size)) {
        refuse(place, "expected " + std::to_string(size) + " numbers, found " +
                          std::to_string(values.size()));
    }
    expect_finite(place, values);
    return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void FclibSource::expect_finite(const std::string& place, const std::vector<double>& values) const {
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (!std::isfinite(values[k])) {
            refuse(place, "entry " + std::to_string(k) + " is " + std::to_string(values[k]) +
                              "; expected a finite number");
        }
    }
}

namespace {

struct StoredMatrix {
    Integers p, i;
    std::vector<double> x;
};

// Entries of `lines` compressed rows or columns; `across` is the number of the others.
Triplets expand(const FclibSource& in, const std::string& group, const StoredMatrix& stored,
                int lines, int across, bool by_rows) {
    const Integers& p = stored.p;
    if (p.size() < static_cast<std::size_t>(lines) + 1) {
        in.refuse(group + "/p", "expected " + std::to_string(lines + 1) + " pointers, found " +
                                    std::to_string(p.size()));
    }
    const std::size_t most = std::min(stored.i.size(), stored.x.size());
    Triplets entries;
    entries.reserve(most);
    if (p[0] != 0) in.refuse(group + "/p", "expected 0 first, found " + std::to_string(p[0]));
    for (int line = 0; line < lines; ++line) {
        const auto at = static_cast<std::size_t>(line);
        if (p[at + 1] < p[at] || static_cast<std::size_t>(p[at + 1]) > most) {
            in.refuse(group + "/p", "entry " + std::to_string(line + 1) + " is " +
                                        std::to_string(p[at + 1]) + "; expected " +
                                        std::to_string(p[at]) + " to " + std::to_string(most) +
                                        ", the entries stored");
        }
        for (std::int32_t k = p[at]; k < p[at + 1]; ++k) {
            const std::int32_t other = stored.i[static_cast<std::size_t>(k)];
            if (other < 0 || other >= across) {
                in.refuse(group + "/i", "entry " + std::to_string(k) + " is " +
                                            std::to_string(other) + "; expected 0 to " +
                                            std::to_string(across - 1));
            }
            entries.emplace_back(by_rows ? line : other, by_rows ? other : line,
                                 stored.x[static_cast<std::size_t>(k)]);
        }
    }
    return entries;
}

Triplets list(const FclibSource& in, const std::string& group, const StoredMatrix& stored, int rows,
              int cols, int nz) {
    const std::size_t most = std::min({stored.p.size(), stored.i.size(), stored.x.size()});
    if (static_cast<std::size_t>(nz) > most) {
        in.refuse(group + "/nz", "is " + std::to_string(nz) + ", but only " + std::to_string(most) +
                                     " entries are stored");
    }
    Triplets entries;
    entries.reserve(static_cast<std::size_t>(nz));
    for (std::size_t k = 0; k < static_cast<std::size_t>(nz); ++k) {
        const std::int32_t row = stored.i[k];
        const std::int32_t col = stored.p[k];
        if (row < 0 || row >= rows || col < 0 || col >= cols) {
            in.refuse(group, "entry " + std::to_string(k) + " is at row " + std::to_string(row) +
                                 ", column " + std::to_string(col) + " of a matrix of " +
                                 std::to_string(rows) + " x " + std::to_string(cols));
        }
        entries.emplace_back(row, col, stored.x[k]);
    }
    return entries;
}

}  // namespace

Triplets FclibSource::matrix(const std::string& group, int rows, int cols) const {
    const int m = number(group + "/m");
    const int n = number(group + "/n");
    if (m != rows || n != cols) {
        refuse(group, "expected " + std::to_string(rows) + " x " + std::to_string(cols) +
                          ", found " + std::to_string(m) + " x " + std::to_string(n));
    }
    const int nz = number(group + "/nz");
    if (nz < -2) {
        refuse(group + "/nz",
               "expected -2 (compressed rows), -1 (compressed columns) or the number of "
               "triplets, found " +
                   std::to_string(nz));
    }
    StoredMatrix stored;
    stored.p = integers(group + "/p");
    stored.i = integers(group + "/i");
    stored.x = read<double>(group + "/x");
    expect_finite(group + "/x", stored.x);
    if (nz >= 0) return list(*this, group, stored, m, n, nz);
    return nz == -2 ? expand(*this, group, stored, m, n, true)
                    : expand(*this, group, stored, n, m, false);
}

}  // namespace stiction
