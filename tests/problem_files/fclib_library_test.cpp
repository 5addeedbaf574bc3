// fclib_library_test.cpp - FCLIB files that we write, read by FCLIB's own library where it is installed.
#include <gtest/gtest.h>

#include "problem_files/problem_fclib.h"
#include "record/ball_on_plane.h"
#include "solve/cone/random_cones.h"

#ifdef STICTION_HAS_FCLIB
#include <hdf5.h>
// Its header wants HDF5's types first.
extern "C" {
#include <fclib.h>
}
#endif

namespace stiction {
namespace {

#ifdef STICTION_HAS_FCLIB

TEST(FclibLibrary, ReadsWhatWeWrite) {
    const test::ScratchFolder folder("fclib_library");
    test::Rng rng(5);
    const ConeProblem problem = test::random_cone(rng, {.contacts = 5, .velocities = 12});
    const std::string path = folder / "a.hdf5";
    write_fclib(path, problem);
    fclib_local* read = fclib_read_local(path.c_str());
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(read->spacedim, 3);
    ASSERT_EQ(read->W->m, 15);
    ASSERT_EQ(read->W->n, 15);
    ASSERT_EQ(read->W->nz, -2);  // compressed rows
    MatX W = MatX::Zero(15, 15);
    for (int i = 0; i < 15; ++i) {
        for (int k = read->W->p[i]; k < read->W->p[i + 1]; ++k)
            W(i, read->W->i[k]) += read->W->x[k];
    }
    EXPECT_EQ(W, to_dense(problem.W));
    for (int i = 0; i < 15; ++i) EXPECT_EQ(read->q[i], problem.q[i]);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(read->mu[i], problem.mu[i]);
    fclib_delete_local(read);
    std::free(read);
}

#else

TEST(FclibLibrary, ReadsWhatWeWrite) { GTEST_SKIP() << "libfclib-dev is not installed"; }

#endif

}  // namespace
}  // namespace stiction
