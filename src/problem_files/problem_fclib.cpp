// problem_fclib.cpp - reads and writes contact problems in the HDF5 layout of FCLIB.
#include "problem_files/problem_fclib.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/error.h"
#include "record/hdf5_content.h"
#include "record/hdf5_handle.h"
#include "record/output_file.h"

namespace stiction {

namespace {

using Integers = std::vector<std::int32_t>;

// Indices are int, and up to four numbers per row are counted in it.
constexpr int kMaxFclibRows = std::numeric_limits<int>::max() / 4;

// The content of one file; every message names it and the place inside.
class Source {
  public:
    explicit Source(const std::string& path) : content_(path) {}

    [[noreturn]] void refuse(const std::string& place, const std::string& what) const {
        content_.refuse(place, what);
    }

    [[nodiscard]] bool has(const std::string& place) const {
        return content_.find(place) != nullptr;
    }

    template <class T>
    [[nodiscard]] const std::vector<T>& read(const std::string& place) const {
        constexpr bool kReal = std::is_same_v<T, double>;
        const std::vector<T>& values =
            content_.values<T>(place, kReal ? "floating-point numbers" : "integers");
        const std::size_t rank = content_.find(place)->shape.size();
        if (rank > 1) refuse(place, "expected one dimension, found " + std::to_string(rank));
        return values;
    }

    [[nodiscard]] Integers integers(const std::string& place) const {
        const std::vector<std::int64_t>& values = read<std::int64_t>(place);
        for (const std::int64_t value : values) {
            if (value != static_cast<std::int32_t>(value))
                refuse(place, "found " + std::to_string(value) + "; expected integers of 32 bits");
        }
        return {values.begin(), values.end()};
    }

    [[nodiscard]] int number(const std::string& place) const {
        const Integers values = integers(place);
        if (values.size() != 1) {
            refuse(place, "expected one integer, found " + std::to_string(values.size()));
        }
        return values.front();
    }

    // size < 0: any.
    [[nodiscard]] VecX vector(const std::string& place, int size = -1) const {
        const std::vector<double>& values = read<double>(place);
        if (size >= 0 && values.size() != static_cast<std::size_t>(size)) {
            refuse(place, "expected " + std::to_string(size) + " numbers, found " +
                              std::to_string(values.size()));
        }
        expect_finite(place, values);
        return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
    }

    void expect_finite(const std::string& place, const std::vector<double>& values) const {
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (!std::isfinite(values[k])) {
                refuse(place, "entry " + std::to_string(k) + " is " + std::to_string(values[k]) +
                                  "; expected a finite number");
            }
        }
    }

  private:
    Hdf5Content content_;
};

struct StoredMatrix {
    Integers p, i;
    std::vector<double> x;
};

// Entries of `lines` compressed rows or columns; `across` is the number of the others.
Triplets expand(const Source& in, const std::string& group, const StoredMatrix& stored, int lines,
                int across, bool by_rows) {
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

Triplets list(const Source& in, const std::string& group, const StoredMatrix& stored, int rows,
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

Triplets read_matrix(const Source& in, const std::string& group, int rows, int cols) {
    const int m = in.number(group + "/m");
    const int n = in.number(group + "/n");
    if (m != rows || n != cols) {
        in.refuse(group, "expected " + std::to_string(rows) + " x " + std::to_string(cols) +
                             ", found " + std::to_string(m) + " x " + std::to_string(n));
    }
    const int nz = in.number(group + "/nz");
    if (nz < -2) {
        in.refuse(group + "/nz",
                  "expected -2 (compressed rows), -1 (compressed columns) or the number of "
                  "triplets, found " +
                      std::to_string(nz));
    }
    StoredMatrix stored;
    stored.p = in.integers(group + "/p");
    stored.i = in.integers(group + "/i");
    stored.x = in.read<double>(group + "/x");
    in.expect_finite(group + "/x", stored.x);
    if (nz >= 0) return list(in, group, stored, m, n, nz);
    return nz == -2 ? expand(in, group, stored, m, n, true)
                    : expand(in, group, stored, n, m, false);
}

VecX read_friction(const Source& in, const std::string& place) {
    VecX mu = in.vector(place);
    if (mu.size() < 1 || mu.size() > kMaxFclibRows / 4) {
        in.refuse(place, "expected 1 to " + std::to_string(kMaxFclibRows / 4) +
                             " contacts, found " + std::to_string(mu.size()));
    }
    for (Eigen::Index a = 0; a < mu.size(); ++a) {
        if (mu[a] < 0) {
            in.refuse(place, "entry " + std::to_string(a) + " is " + std::to_string(mu[a]) +
                                 "; expected a number >= 0");
        }
    }
    return mu;
}

void refuse_unsupported(const Source& in, const std::string& group,
                        const std::vector<std::string>& bilateral) {
    const int d = in.number(group + "/spacedim");
    if (d == 2) {
        in.refuse(group + "/spacedim",
                  "dimension 2: problems in the plane are not supported; expected 3");
    }
    if (d != 3) in.refuse(group + "/spacedim", "expected 3, found " + std::to_string(d));
    for (const std::string& name : bilateral) {
        if (in.has(group + name)) {
            in.refuse(group + name, "bilateral constraints are not supported");
        }
    }
}

ConeProblem read_local(const Source& in) {
    const std::string group = "/fclib_local";
    refuse_unsupported(in, group, {"/V", "/R", "/vectors/s"});
    ConeProblem problem;
    problem.mu = read_friction(in, group + "/vectors/mu");
    const int nc = problem.contacts();
    problem.q = in.vector(group + "/vectors/q", 3 * nc);
    problem.W = make_contact_matrix(nc, read_matrix(in, group + "/W", 3 * nc, 3 * nc));
    return problem;
}

ImpliedConeProblem read_global(const Source& in) {
    const std::string group = "/fclib_global";
    refuse_unsupported(in, group, {"/G", "/vectors/b"});
    ImpliedConeProblem problem;
    problem.mu = read_friction(in, group + "/vectors/mu");
    const auto nc = static_cast<int>(problem.mu.size());
    problem.w = in.vector(group + "/vectors/w", 3 * nc);
    problem.f = in.vector(group + "/vectors/f");
    if (problem.f.size() < 1 || problem.f.size() > kMaxFclibRows) {
        in.refuse(group + "/vectors/f", "expected 1 to " + std::to_string(kMaxFclibRows) +
                                            " numbers, found " + std::to_string(problem.f.size()));
    }
    const auto nv = static_cast<int>(problem.f.size());
    const Triplets M = read_matrix(in, group + "/M", nv, nv);
    set_dynamics(M, read_matrix(in, group + "/H", nv, 3 * nc), nv, nc, problem);
    return problem;
}

template <class T>
void write(hid_t file, const std::string& place, const std::vector<T>& values) {
    const hsize_t count = values.size();
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.id(), 1);
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const hid_t stored = std::is_same_v<T, double> ? H5T_IEEE_F64LE : H5T_STD_I32LE;
    const Handle dataset(
        H5Dcreate2(file, place.c_str(), stored, space.id(), links.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    if (!dataset.valid() || H5Dwrite(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                     values.data()) < 0) {
        throw OutputError("HDF5 cannot write " + place + " (is the disk full?)");
    }
}

void write_matrix(hid_t file, const std::string& group, const BlockMatrix& W) {
    StoredMatrix stored;
    stored.p.push_back(0);
    for (int row = 0; row < 3 * W.rows(); ++row) {
        const auto a = static_cast<std::size_t>(row / 3);
        for (auto k = static_cast<std::size_t>(W.start[a]);
             k < static_cast<std::size_t>(W.start[a + 1]); ++k) {
            for (int j = 0; j < 3; ++j) {
                stored.i.push_back(3 * W.column[k] + j);
                stored.x.push_back(W.block[k](row % 3, j));
            }
        }
        stored.p.push_back(static_cast<std::int32_t>(stored.i.size()));
    }
    write(file, group + "/m", Integers{3 * W.rows()});
    write(file, group + "/n", Integers{3 * W.rows()});
    write(file, group + "/nz", Integers{-2});
    write(file, group + "/nzmax", Integers{stored.p.back()});
    write(file, group + "/p", stored.p);
    write(file, group + "/i", stored.i);
    write(file, group + "/x", stored.x);
}

}  // namespace

StoredProblem read_fclib(const std::string& path) {
    const Source in(path);
    const bool local = in.has("/fclib_local");
    const bool global = in.has("/fclib_global");
    if (local && global) {
        throw InputError(path + ": has both /fclib_local and /fclib_global; expected one of them");
    }
    if (local) return read_local(in);
    if (global) return read_global(in);
    throw InputError(path +
                     ": has neither /fclib_local nor /fclib_global, nor frames of a dataset");
}

void write_fclib(const std::string& path, const ConeProblem& problem) {
    expect_contacts_only(problem, path);
    check_writable(path, true);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    {
        const Handle file(
            H5Fcreate(part_path(path).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
        if (!file.valid()) throw OutputError("cannot write '" + path + "': HDF5 cannot create it");
        const std::string group = "/fclib_local";
        write(file.id(), group + "/spacedim", std::vector<std::int32_t>{3});
        write_matrix(file.id(), group + "/W", problem.W);
        write(file.id(), group + "/vectors/q",
              std::vector<double>(problem.q.begin(), problem.q.end()));
        write(file.id(), group + "/vectors/mu",
              std::vector<double>(problem.mu.begin(), problem.mu.end()));
        if (H5Fflush(file.id(), H5F_SCOPE_LOCAL) < 0) {
            throw OutputError("cannot write '" + path + "': HDF5 cannot flush it");
        }
    }
    publish(path);
}

}  // namespace stiction
