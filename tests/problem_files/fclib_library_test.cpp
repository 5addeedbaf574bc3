// fclib_library_test.cpp - FCLIB files that we write, read by FCLIB's own library and solved by Siconos,
// where these are installed.
#include <gtest/gtest.h>

#include "problem_files/dataset.h"
#include "problem_files/frame_matrices.h"
#include "problem_files/frame_problem.h"
#include "problem_files/problem_fclib.h"
#include "record/ball_on_plane.h"
#include "solve/cone/cone_solver.h"
#include "solve/cone/random_cones.h"

#ifdef STICTION_HAS_FCLIB
#include <hdf5.h>
// Its header wants HDF5's types first.
extern "C" {
#include <fclib.h>
}
#endif
#ifdef STICTION_HAS_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#endif

namespace stiction {
namespace {

#ifdef STICTION_HAS_FCLIB

namespace fclib_library_test {

// What FCLIB's library finds in a file that write_fclib() has made of the problem.
struct ReadBack {
    int dimension = 0, storage = 0;
    MatX W;
    VecX q, mu;
};

ReadBack written_and_read(const ConeProblem& problem) {
    const test::ScratchFolder folder("fclib_library");
    const std::string path = folder / "a.hdf5";
    write_fclib(path, problem);
    ReadBack out;
    fclib_local* read = fclib_read_local(path.c_str());
    if (read == nullptr) return out;
    const int n = read->W->m;
    out.dimension = read->spacedim;
    out.storage = read->W->nz;
    out.W = MatX::Zero(n, read->W->n);
    for (int i = 0; i < n; ++i) {
        for (int k = read->W->p[i]; k < read->W->p[i + 1]; ++k)
            out.W(i, read->W->i[k]) += read->W->x[k];
    }
    out.q = Eigen::Map<const VecX>(read->q, n);
    out.mu = Eigen::Map<const VecX>(read->mu, n / 3);
    fclib_delete_local(read);
    std::free(read);
    return out;
}

TEST(FclibLibrary, ReadsWhatWeWrite) {
    test::Rng rng(5);
    const ConeProblem problem = test::random_cone(rng, {.contacts = 5, .velocities = 12});
    const ReadBack read = written_and_read(problem);
    EXPECT_EQ(read.dimension, 3);
    EXPECT_EQ(read.storage, -2);  // compressed rows
    EXPECT_EQ(read.W, to_dense(problem.W));
    EXPECT_EQ(read.q, problem.q);
    EXPECT_EQ(read.mu, problem.mu);
}

#ifdef STICTION_HAS_SICONOS

// Velocities of the contacts by Siconos' Gauss-Seidel. Its structures own copies that they free.
VecX solve_by_siconos(const ReadBack& from, double tolerance) {
    const auto copy = [](const auto& x) {
        auto* data = static_cast<double*>(std::calloc(at(x.size()), sizeof(double)));
        std::copy(x.data(), x.data() + x.size(), data);
        return data;
    };
    const auto n = static_cast<int>(from.q.size());
    NumericsMatrix* W = NM_create(NM_DENSE, n, n);
    std::copy(from.W.data(), from.W.data() + from.W.size(), W->matrix0);  // both by columns
    FrictionContactProblem* problem =
        frictionContactProblem_new_with_data(3, n / 3, W, copy(from.q), copy(from.mu));
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100'000;
    numerics_set_verbose(0);
    VecX r = VecX::Zero(n), u = VecX::Zero(n);
    EXPECT_EQ(fc3d_driver(problem, r.data(), u.data(), options), 0);
    solver_options_delete(options);
    frictionContactProblem_free(problem);
    return u;
}

// A regular W and little friction: the answer is the only one.
TEST(FclibLibrary, SiconosFindsTheSameAnswer) {
    test::Rng rng(6);
    for (const int contacts : {1, 4, 12}) {
        const ConeProblem problem = test::random_cone(
            rng, {.contacts = contacts, .velocities = 5 * contacts, .mu_max = 0.3});
        SolveSettings settings;
        settings.tolerance = 1e-12;
        ConeWorkspace workspace;
        ConeResult ours;
        solve_cone(ConeSolver::kProxNewton, problem, settings, VecX(), workspace, ours);
        ASSERT_EQ(ours.status, SolveStatus::kSolved);
        const VecX u = solve_by_siconos(written_and_read(problem), 1e-12);
        EXPECT_GT(ours.r.norm(), 1e-3);
        EXPECT_LT((u - ours.u).norm(), 1e-8 * problem.q.norm()) << contacts << " contacts";
    }
}

// Frames of steps, by way of `convert --to fclib`: blocks on a slope that stick and slide. Four contacts
// under a block share its weight in more than one way, but its motion is one.
TEST(FclibLibrary, SiconosFindsTheSameAnswerForFrames) {
    for (const char* file : {"stick_slip", "isotropy"}) {
        const Dataset dataset("tests/data/problems/" + std::string(file) + ".h5");
        for (std::size_t k = 0; k < dataset.size(); ++k) {
            SCOPED_TRACE(dataset.name(k));
            const FrameProblem frame = make_frame_problem(dataset.read(k), file);
            const ConeProblem problem = frame_cone(frame.problem, file);
            SolveSettings settings;
            settings.tolerance = 1e-11;
            ConeWorkspace workspace;
            ConeResult ours;
            solve_cone(ConeSolver::kProxNewton, problem, settings, VecX(), workspace, ours);
            ASSERT_EQ(ours.status, SolveStatus::kSolved);
            const VecX u = solve_by_siconos(written_and_read(problem), 1e-9);
            EXPECT_LT((u - ours.u).norm(), 1e-7 * problem.q.norm());
        }
    }
}

#else

TEST(FclibLibrary, SiconosFindsTheSameAnswer) {
    GTEST_SKIP() << "libsiconos-numerics-dev is not installed";
}

#endif

}  // namespace fclib_library_test

#else

TEST(FclibLibrary, ReadsWhatWeWrite) { GTEST_SKIP() << "libfclib-dev is not installed"; }

#endif

}  // namespace
}  // namespace stiction
