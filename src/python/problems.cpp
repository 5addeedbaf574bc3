// problems.cpp - Coulomb cone problems as arrays: solving, judging, reading and writing them.
#include <algorithm>

#include "core/stopwatch.h"
#include "metrics/contact_quality.h"
#include "problem_files/problem_dat.h"
#include "problem_files/problem_fclib.h"
#include "problem_files/problem_file.h"
#include "python/bindings.h"
#include "solve/cone/cone_solver.h"
#include "solve/cone/solve_named.h"

namespace stiction {

namespace {

constexpr py::ssize_t kBlock = 9;

// ContactErrors as a record of a structured array.
struct ErrorRecord {
    bool rests, slides;
    double penetration, gap, alignment, creep, cone, anomalous, natural, scaled;
};

py::dict solve_arrays(const std::vector<int>& indptr, const std::vector<int>& indices,
                      const Array& blocks, const VecX& q, const VecX& mu, const std::string& solver,
                      double tolerance, int max_iterations, double time_budget, const VecX& guess) {
    const ConeProblem problem = cone_from_arrays(indptr, indices, blocks, q, mu);
    if (!(tolerance > 0)) throw InputError("tolerance: must be > 0");
    if (max_iterations < 0) throw InputError("max_iterations: must be >= 0");
    if (!(time_budget >= 0)) throw InputError("time_budget: must be >= 0 s");
    ConeResult result;
    double seconds = 0;
    Interruption interruption;
    const std::function<bool()> ended = [&] { return !interruption.go_on(); };
    {
        const py::gil_scoped_release free;
        Stopwatch stopwatch;
        const Deadline latest = time_budget > 0 ? Deadline::in(time_budget) : Deadline();
        const SolveSettings settings{tolerance, max_iterations, latest.or_when(ended)};
        result = solve_named(solver, problem, settings, guess);
        seconds = stopwatch.lap();
    }
    interruption.raise();
    return answer_dict(result, seconds);
}

void check_impulses(const VecX& r, const VecX& q) {
    if (r.size() != q.size())
        throw InputError("r has " + std::to_string(r.size()) + " numbers; expected " +
                         std::to_string(q.size()));
}

py::tuple residual_arrays(const std::vector<int>& indptr, const std::vector<int>& indices,
                          const Array& blocks, const VecX& q, const VecX& mu, const VecX& r) {
    const ConeProblem problem = cone_from_arrays(indptr, indices, blocks, q, mu);
    check_impulses(r, q);
    const ConeResidual found = residual(problem, r);
    return py::make_tuple(found.natural, found.scaled);
}

py::dict quality_arrays(const std::vector<int>& indptr, const std::vector<int>& indices,
                        const Array& blocks, const VecX& q, const VecX& mu, const VecX& r) {
    const ConeProblem problem = cone_from_arrays(indptr, indices, blocks, q, mu);
    check_impulses(r, q);
    ConeResult result;
    result.r = r;
    multiply_add(problem.W, r, q, result.u);
    VecX weight;
    ContactQuality quality;
    measure_quality(problem, result, {}, weight, quality);
    return quality_dict(quality);
}

void write_arrays(const std::string& path, const std::vector<int>& indptr,
                  const std::vector<int>& indices, const Array& blocks, const VecX& q,
                  const VecX& mu) {
    const ConeProblem problem = cone_from_arrays(indptr, indices, blocks, q, mu);
    if (path.ends_with(".dat")) return write_dat(path, problem);
    if (path.ends_with(".h5") || path.ends_with(".hdf5")) return write_fclib(path, problem);
    throw InputError("problem '" + path + "': expected a name that ends in .dat, .h5 or .hdf5");
}

}  // namespace

py::tuple cone_arrays(const ConeProblem& problem) {
    const auto count = static_cast<py::ssize_t>(problem.W.block.size());
    Array blocks({count, py::ssize_t{3}, py::ssize_t{3}});
    double* to = blocks.mutable_data();
    for (const Mat3& block : problem.W.block) {
        Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>{to} = block;
        to += kBlock;
    }
    const auto integers = [](const std::vector<int>& x) {
        return py::array_t<int>(static_cast<py::ssize_t>(x.size()), x.data());
    };
    return py::make_tuple(integers(problem.W.start), integers(problem.W.column), blocks, problem.q,
                          problem.mu);
}

ConeProblem cone_from_arrays(const std::vector<int>& indptr, const std::vector<int>& indices,
                             const Array& blocks, const VecX& q, const VecX& mu) {
    const int nc = static_cast<int>(mu.size());
    const auto wrong = [](const std::string& what) { throw InputError("problem: " + what); };
    if (q.size() != 3 * mu.size())
        wrong("q has " + std::to_string(q.size()) + " numbers, mu " + std::to_string(nc) +
              "; expected three of q for each of mu");
    if (indptr.size() != at(nc) + 1 || blocks.ndim() != 3 || blocks.shape(1) != 3 ||
        blocks.shape(2) != 3 || at(blocks.shape(0)) != indices.size() || indptr.front() != 0 ||
        at(indptr.back()) != indices.size() || !std::is_sorted(indptr.begin(), indptr.end()))
        wrong("W is not " + std::to_string(3 * nc) + " x " + std::to_string(3 * nc) +
              " in blocks of 3 x 3");
    std::vector<BlockEntry> entries;
    for (int row = 0; row < nc; ++row) {
        for (int k = indptr[at(row)]; k < indptr[at(row) + 1]; ++k) {
            if (indices[at(k)] < 0 || indices[at(k)] >= nc) wrong("W has a column out of range");
            entries.push_back({row, indices[at(k)],
                               Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
                                   blocks.data() + k * kBlock)});
        }
    }
    ConeProblem problem;
    problem.W = make_block_matrix(nc, std::move(entries));
    problem.q = q;
    problem.mu = mu;
    return problem;
}

py::dict answer_dict(const ConeResult& result, double seconds) {
    py::dict dict;
    dict["r"] = result.r;
    dict["u"] = result.u;
    dict["status"] = std::string(name(result.status));
    dict["iterations"] = result.iterations;
    dict["natural"] = result.coulomb.natural;
    dict["scaled"] = result.coulomb.scaled;
    dict["seconds"] = seconds;
    return dict;
}

py::dict quality_dict(const ContactQuality& quality) {
    py::dict dict;
    const auto add = [&dict](const char* name, const ErrorNorm& error) { dict[name] = error.norm; };
    dict["resting"] = quality.resting;
    dict["sliding"] = quality.sliding;
    dict["misaligned"] = quality.misaligned;
    add("penetration", quality.penetration);
    add("gap", quality.gap);
    add("alignment", quality.alignment);
    add("creep", quality.creep);
    add("cone", quality.cone);
    add("anomalous", quality.anomalous);
    add("natural", quality.natural);
    add("scaled", quality.scaled);
    dict["min_normal_velocity"] = quality.min_normal_velocity;
    dict["relative_cone"] = quality.relative_cone;
    dict["misalignment"] = quality.misalignment;
    py::array_t<ErrorRecord> each(static_cast<py::ssize_t>(quality.each.size()));
    ErrorRecord* to = each.mutable_data();
    for (const ContactErrors& e : quality.each)
        *to++ = {e.rests, e.slides, e.penetration, e.gap,     e.alignment,
                 e.creep, e.cone,   e.anomalous,   e.natural, e.scaled};
    dict["contacts"] = each;
    return dict;
}

void bind_problems(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(ErrorRecord, rests, slides, penetration, gap, alignment, creep, cone,
                         anomalous, natural, scaled);
    std::vector<std::string> solvers(kConeSolverNames.begin(), kConeSolverNames.end());
    module.attr("cone_solvers") = py::tuple(py::cast(solvers));
    module.def("solve", &solve_arrays, py::arg("indptr"), py::arg("indices"), py::arg("blocks"),
               py::arg("q"), py::arg("mu"), py::arg("solver"), py::arg("tolerance"),
               py::arg("max_iterations"), py::arg("time_budget"), py::arg("guess"));
    module.def("residual", &residual_arrays, py::arg("indptr"), py::arg("indices"),
               py::arg("blocks"), py::arg("q"), py::arg("mu"), py::arg("r"));
    module.def("quality", &quality_arrays, py::arg("indptr"), py::arg("indices"), py::arg("blocks"),
               py::arg("q"), py::arg("mu"), py::arg("r"));
    module.def(
        "read_problem",
        [](const std::string& path) { return cone_arrays(read_cone_problem(path)); },
        py::arg("path"));
    module.def("write_problem", &write_arrays, py::arg("path"), py::arg("indptr"),
               py::arg("indices"), py::arg("blocks"), py::arg("q"), py::arg("mu"));
}

}  // namespace stiction
