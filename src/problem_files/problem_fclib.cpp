// problem_fclib.cpp - reads and writes contact problems in the HDF5 layout of FCLIB.
#include "problem_files/problem_fclib.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "core/error.h"
#include "problem_files/bilateral.h"
#include "problem_files/fclib_source.h"
#include "record/hdf5_handle.h"
#include "record/hdf5_output.h"
#include "record/output_file.h"

namespace stiction {

namespace {

using Integers = std::vector<std::int32_t>;

// Indices are int, and up to four numbers per row are counted in it.
constexpr int kMaxFclibRows = std::numeric_limits<int>::max() / 4;

VecX read_friction(const FclibSource& in, const std::string& place) {
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

// Rows of a file, of two or three per contact, as three per contact: in the plane the second tangent
// is added, uncoupled and at rest, so that it never has friction.
class RowPlaces {
  public:
    RowPlaces(const FclibSource& in, const std::string& group) {
        dimension_ = in.number(group + "/spacedim");
        if (dimension_ != 2 && dimension_ != 3)
            in.refuse(group + "/spacedim", "expected 2 or 3, found " + std::to_string(dimension_));
    }
    [[nodiscard]] bool in_plane() const { return dimension_ == 2; }
    [[nodiscard]] int rows(int contacts) const { return dimension_ * contacts; }
    [[nodiscard]] int operator()(int row) const {
        return in_plane() ? 3 * (row / 2) + row % 2 : row;
    }
    [[nodiscard]] VecX spread(const VecX& x, int contacts) const {
        VecX out = VecX::Zero(3 * contacts);
        for (int i = 0; i < x.size(); ++i) out[(*this)(i)] = x[i];
        return out;
    }

  private:
    int dimension_ = 3;
};

// Numbers of bilateral rows; 0: there are none. Of `parts` all must be there, or none.
int count_bilateral(const FclibSource& in, const std::string& group, const std::string& constants,
                    const std::vector<std::string>& matrices, int contacts) {
    bool any = in.has(group + constants);
    for (const std::string& name : matrices) any = any || in.has(group + name);
    if (!any) return 0;
    const VecX all = in.vector(group + constants);
    if (all.size() > kMaxFclibRows || !can_take_out(3 * contacts, all.size()))
        in.refuse(group + constants,
                  std::to_string(all.size()) + " bilateral rows are too many for dense factors");
    return static_cast<int>(all.size());
}

int padded(int rows) { return (rows + 2) / 3; }  // blocks

[[noreturn]] void refuse_contradiction(const FclibSource& in, const std::string& place) {
    in.refuse(place, "bilateral constraints contradict one another");
}

// The diagonal of what the plane adds: any positive number is right, one of the size of its
// neighbours keeps the weights of the contacts (block_weight) as they are.
void add_second_tangents(int contacts, const Triplets& W, Triplets& to) {
    std::vector<double> diagonal(at(contacts), 0.0);
    for (const Eigen::Triplet<double>& entry : W) {
        if (entry.row() == entry.col() && entry.row() % 2 == 1)
            diagonal[at(entry.row() / 2)] += entry.value();
    }
    for (int a = 0; a < contacts; ++a)
        to.emplace_back(3 * a + 2, 3 * a + 2, diagonal[at(a)] > 0 ? diagonal[at(a)] : 1.0);
}

ConeProblem read_local(const FclibSource& in) {
    const std::string group = "/fclib_local";
    const RowPlaces place(in, group);
    ConeProblem problem;
    problem.mu = read_friction(in, group + "/vectors/mu");
    const int nc = problem.contacts(), m = place.rows(nc);
    const VecX q = place.spread(in.vector(group + "/vectors/q", m), nc);
    const Triplets W = in.matrix(group + "/W", m, m);
    Triplets all;
    for (const Eigen::Triplet<double>& x : W)
        all.emplace_back(place(x.row()), place(x.col()), x.value());
    if (place.in_plane()) add_second_tangents(nc, W, all);
    const int p = count_bilateral(in, group, "/vectors/s", {"/V", "/R"}, nc);
    if (p == 0) {
        problem.q = q;
        problem.W = make_contact_matrix(nc, all);
        return problem;
    }
    for (const Eigen::Triplet<double>& x : in.matrix(group + "/V", m, p)) {
        all.emplace_back(place(x.row()), 3 * nc + x.col(), x.value());
        all.emplace_back(3 * nc + x.col(), place(x.row()), x.value());
    }
    for (const Eigen::Triplet<double>& x : in.matrix(group + "/R", p, p))
        all.emplace_back(3 * nc + x.row(), 3 * nc + x.col(), x.value());
    VecX constants(3 * nc + p);
    constants << q, in.vector(group + "/vectors/s", p);
    ConeProblem without;
    if (!take_out_bilateral(make_contact_matrix(nc + padded(p), all), constants, problem.mu, p,
                            without))
        refuse_contradiction(in, group + "/R");
    return without;
}

// The velocities that second tangents have in the plane, each with the mean of the masses.
int add_plane_velocities(int nc, int nv, Triplets& M, Triplets& H) {
    double mass = 0;
    for (const Eigen::Triplet<double>& x : M) mass += x.row() == x.col() ? x.value() / nv : 0;
    for (int a = 0; a < nc; ++a) {
        M.emplace_back(nv + a, nv + a, mass > 0 ? mass : 1.0);
        H.emplace_back(nv + a, 3 * a + 2, 1.0);
    }
    return nv + nc;
}

StoredProblem read_global(const FclibSource& in) {
    const std::string group = "/fclib_global";
    const RowPlaces place(in, group);
    ImpliedConeProblem problem;
    problem.mu = read_friction(in, group + "/vectors/mu");
    const auto nc = static_cast<int>(problem.mu.size());
    problem.w = place.spread(in.vector(group + "/vectors/w", place.rows(nc)), nc);
    problem.f = in.vector(group + "/vectors/f");
    if (problem.f.size() < 1 || problem.f.size() > kMaxFclibRows) {
        in.refuse(group + "/vectors/f", "expected 1 to " + std::to_string(kMaxFclibRows) +
                                            " numbers, found " + std::to_string(problem.f.size()));
    }
    auto nv = static_cast<int>(problem.f.size());
    Triplets M = in.matrix(group + "/M", nv, nv), H;
    for (const Eigen::Triplet<double>& x : in.matrix(group + "/H", nv, place.rows(nc)))
        H.emplace_back(x.row(), place(x.col()), x.value());
    const int p = count_bilateral(in, group, "/vectors/b", {"/G"}, nc);
    if (p > 0) {
        for (const Eigen::Triplet<double>& x : in.matrix(group + "/G", nv, p))
            H.emplace_back(x.row(), 3 * nc + x.col(), x.value());
    }
    if (place.in_plane()) nv = add_plane_velocities(nc, nv, M, H);
    problem.f.conservativeResizeLike(VecX::Zero(nv));
    if (p == 0) {
        set_dynamics(M, H, nv, nc, problem);
        return problem;
    }
    const VecX mu = problem.mu;
    const int blocks = nc + padded(p);
    problem.mu.conservativeResizeLike(VecX::Zero(blocks));
    problem.w.conservativeResizeLike(VecX::Zero(3 * blocks));
    problem.w.segment(3 * nc, p) = in.vector(group + "/vectors/b", p);
    set_dynamics(M, H, nv, blocks, problem);
    ConeProblem all, without;
    if (!condense(problem, all)) in.refuse(group + "/M", "the matrix is singular");
    if (!take_out_bilateral(all.W, all.q, mu, p, without)) refuse_contradiction(in, group + "/G");
    return without;
}

// A file of ours as it is written; `path` is for messages.
struct FclibOutput {
    std::string path;
    Handle file;

    template <class T>
    void write(const std::string& place, const std::vector<T>& values) const {
        const hsize_t count = values.size();
        const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(links.id(), 1);
        const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const hid_t stored = std::is_same_v<T, double> ? H5T_IEEE_F64LE : H5T_STD_I32LE;
        Handle dataset(H5Dcreate2(file.id(), place.c_str(), stored, space.id(), links.id(),
                                  H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
        // Small arrays reach the file when they are closed.
        must_write(dataset.valid() &&
                       H5Dwrite(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                values.data()) >= 0 &&
                       dataset.release(),
                   path);
    }
};

void write_matrix(const FclibOutput& out, const std::string& group, const BlockMatrix& W) {
    Integers p{0}, i;
    std::vector<double> x;
    for (int row = 0; row < 3 * W.rows(); ++row) {
        const auto a = static_cast<std::size_t>(row / 3);
        for (auto k = static_cast<std::size_t>(W.start[a]);
             k < static_cast<std::size_t>(W.start[a + 1]); ++k) {
            for (int j = 0; j < 3; ++j) {
                i.push_back(3 * W.column[k] + j);
                x.push_back(W.block[k](row % 3, j));
            }
        }
        p.push_back(static_cast<std::int32_t>(i.size()));
    }
    out.write(group + "/m", Integers{3 * W.rows()});
    out.write(group + "/n", Integers{3 * W.rows()});
    out.write(group + "/nz", Integers{-2});
    out.write(group + "/nzmax", Integers{p.back()});
    out.write(group + "/p", p);
    out.write(group + "/i", i);
    out.write(group + "/x", x);
}

}  // namespace

StoredProblem read_fclib(const std::string& path) {
    const FclibSource in(path);
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
    clear_part(path);
    const std::lock_guard nobody_forks(hdf5_in_use());
    H5dont_atexit();
    silence_hdf5();
    FclibOutput out{
        path, Handle(H5Fcreate(part_path(path).c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT),
                     H5Fclose)};
    must_write(out.file.valid(), path);
    const hid_t id = out.file.id();
    H5Iinc_ref(id);  // HDF5 1.10 crashes when it closes a file that it could not write
    const std::string group = "/fclib_local";
    out.write(group + "/spacedim", std::vector<std::int32_t>{3});
    write_matrix(out, group + "/W", problem.W);
    out.write(group + "/vectors/q", std::vector<double>(problem.q.begin(), problem.q.end()));
    out.write(group + "/vectors/mu", std::vector<double>(problem.mu.begin(), problem.mu.end()));
    must_write(H5Fflush(id, H5F_SCOPE_LOCAL) >= 0, path);
    H5Idec_ref(id);
    must_write(out.file.release(), path);
    publish(path);
}

}  // namespace stiction
