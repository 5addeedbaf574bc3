// bindings.h - what the files of the Python module share: its parts, arrays, and calls that leave the
// interpreter free.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>

#include "core/error.h"
#include "core/types.h"
#include "metrics/contact_quality.h"
#include "solve/cone/cone_problem.h"

namespace stiction {

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

void bind_world(py::module_& module);
void bind_problems(py::module_& module);
void bind_datasets(py::module_& module);

// (indptr, indices, blocks, q, mu): W by rows of 3x3 blocks, as scipy.sparse.bsr_matrix takes it.
[[nodiscard]] py::tuple cone_arrays(const ConeProblem& problem);
[[nodiscard]] ConeProblem cone_from_arrays(const std::vector<int>& indptr,
                                           const std::vector<int>& indices, const Array& blocks,
                                           const VecX& q, const VecX& mu);
// status, solver and so on of an answer.
[[nodiscard]] py::dict answer_dict(const ConeResult& result, double seconds);
// Norms over the contacts by name, and under `contacts` a structured array of the measures of each.
[[nodiscard]] py::dict quality_dict(const ContactQuality& quality);

// Asked between steps or iterations without the interpreter lock: looks for Ctrl-C now and then. Where a signal's
// handler raised, it says no from then on, and raise() throws what it raised.
class Interruption {
  public:
    [[nodiscard]] bool go_on() {
        const auto now = std::chrono::steady_clock::now();
        if (raised_ || now < next_) return !raised_;
        next_ = now + kLookEvery;
        const py::gil_scoped_acquire lock;
        raised_ = PyErr_CheckSignals() != 0;
        if (raised_) error_.emplace();
        return !raised_;
    }
    void raise() {  // with the lock
        if (error_) throw py::error_already_set(*error_);
    }

  private:
    static constexpr std::chrono::milliseconds kLookEvery{50};  // what Ctrl-C may take to act
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kLookEvery;
    bool raised_ = false;
    std::optional<py::error_already_set> error_;
};

// n x columns, filled row by row: fill(i, pointer to the row).
template <class Fill>
[[nodiscard]] Array table(std::size_t n, std::size_t columns, const Fill& fill) {
    Array array({n, columns});
    double* row = array.mutable_data();
    for (std::size_t i = 0; i < n; ++i, row += columns) fill(i, row);
    return array;
}

inline void put(const Vec3& x, double* to) {
    for (Eigen::Index i = 0; i < 3; ++i) to[i] = x[i];
}

// A body's row of a state: position, quaternion w x y z, velocity, spin.
inline constexpr std::size_t kStateColumns = 13;
inline void put_body(const Pose& pose, const Twist& twist, double* to) {
    put(pose.p, to);
    to[3] = pose.q.w();
    put(pose.q.vec(), to + 4);
    put(twist.v, to + 7);
    put(twist.w, to + 10);
}

}  // namespace stiction
