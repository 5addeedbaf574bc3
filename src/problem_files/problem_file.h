// problem_file.h - stored Coulomb cone problems: what a file can hold, and reading one of any
// format. The format is told by the content, not by the name: HDF5 in the FCLIB layout
// (problem_fclib.h) or text (problem_dat.h).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "solve/cone/cone_problem.h"
#include "solve/cone/implied_cone_problem.h"

namespace stiction {

// A local problem gives W and q; a global one the dynamics, H of the files being G'.
using StoredProblem = std::variant<ConeProblem, ImpliedConeProblem>;

// Whether its first bytes are those of HDF5. Throws InputError: no such file, a folder,
// a pipe, unreadable.
[[nodiscard]] bool starts_as_hdf5(const std::string& path);

// Throws InputError: missing or unreadable file, no problem in it, values that make no sense.
[[nodiscard]] StoredProblem read_stored_problem(const std::string& path);

// The same with a global problem condensed to W and q; InputError when its M is singular.
[[nodiscard]] ConeProblem read_cone_problem(const std::string& path);

// What the readers share. W of 3 x 3 blocks from single entries; zeros are left out, entries for
// the same place add up.
using Triplets = std::vector<Eigen::Triplet<double>>;
[[nodiscard]] BlockMatrix make_contact_matrix(int nc, const Triplets& entries);
// M as given, G = H'.
void set_dynamics(const Triplets& M, const Triplets& H, int nv, int nc,
                  ImpliedConeProblem& problem);

// Neither format can hold blocks between bounds: throws InputError if there are any.
void expect_contacts_only(const ConeProblem& problem, const std::string& path);

}  // namespace stiction
