// problem_fclib_test.cpp - FCLIB problems: every storage of a matrix, both forms, and refusals that
// name the dataset.
#include "problem_files/problem_fclib.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <random>

#include "core/error.h"
#include "record/ball_on_plane.h"
#include "record/hdf5_handle.h"

namespace stiction {
namespace {

using test::message_of;

using Integers = std::vector<std::int32_t>;
using Reals = std::vector<double>;

// The content of a file, to be changed before it is written.
struct Content {
    std::map<std::string, Integers> integers;
    std::map<std::string, Reals> reals;

    void matrix(const std::string& group, int m, int n, int nz, const Integers& p,
                const Integers& i, const Reals& x) {
        integers[group + "/m"] = {m};
        integers[group + "/n"] = {n};
        integers[group + "/nz"] = {nz};
        integers[group + "/nzmax"] = {static_cast<std::int32_t>(x.size())};
        integers[group + "/p"] = p;
        integers[group + "/i"] = i;
        reals[group + "/x"] = x;
    }
};

template <class T>
void write(hid_t file, const std::string& place, const std::vector<T>& values) {
    const hsize_t count = values.size();
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links.id(), 1);
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle dataset(H5Dcreate2(file, place.c_str(), native_type<T>(), space.id(), links.id(),
                                    H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    ASSERT_GE(
        H5Dwrite(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
}

class ProblemFclib : public ::testing::Test {
  protected:
    void save(const Content& content) {
        const Handle file(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          H5Fclose);
        for (const auto& [place, values] : content.integers) write(file.id(), place, values);
        for (const auto& [place, values] : content.reals) write(file.id(), place, values);
    }
    ConeProblem local(const Content& content) {
        save(content);
        return std::get<ConeProblem>(read_stored_problem(path_));
    }
    void expect_refused(const Content& content, const std::string& what) {
        save(content);
        const std::string message = message_of<InputError>([&] { (void)read_cone_problem(path_); });
        EXPECT_TRUE(message.starts_with(path_ + ": ")) << message;
        EXPECT_NE(message.find(what), std::string::npos) << message << "\nexpected " << what;
    }

    test::ScratchFolder folder_{"fclib"};
    std::string path_ = folder_ / "p.hdf5";
};

// W = [[1, 0, 2], [0, 3, 0], [4, 0, 5]].
Content local_content() {
    Content content;
    content.integers["/fclib_local/spacedim"] = {3};
    content.matrix("/fclib_local/W", 3, 3, -2, {0, 2, 3, 5}, {0, 2, 1, 0, 2}, {1, 2, 3, 4, 5});
    content.reals["/fclib_local/vectors/q"] = {-1, 1, 3};
    content.reals["/fclib_local/vectors/mu"] = {0.5};
    return content;
}

Content global_content() {
    Content content;
    content.integers["/fclib_global/spacedim"] = {3};
    content.matrix("/fclib_global/M", 2, 2, 2, {0, 1}, {0, 1}, {2, 4});
    content.matrix("/fclib_global/H", 2, 3, 4, {0, 1, 2, 2}, {0, 1, 0, 1}, {1, 2, 1, 1});
    content.reals["/fclib_global/vectors/f"] = {6, 8};
    content.reals["/fclib_global/vectors/w"] = {1, 2, 3};
    content.reals["/fclib_global/vectors/mu"] = {0.5};
    return content;
}

TEST_F(ProblemFclib, ReadsRowsColumnsAndTriplets) {
    Mat3 W;
    W << 1, 0, 2, 0, 3, 0, 4, 0, 5;
    Content content = local_content();
    const ConeProblem rows = local(content);
    EXPECT_EQ(to_dense(rows.W), W);
    EXPECT_EQ(rows.q, Vec3(-1, 1, 3));
    EXPECT_EQ(rows.mu[0], 0.5);
    content.matrix("/fclib_local/W", 3, 3, -1, {0, 2, 3, 5}, {0, 2, 1, 0, 2}, {1, 4, 3, 2, 5});
    EXPECT_EQ(to_dense(local(content).W), W);
    // 5 in two parts; what lies beyond nz does not count.
    content.matrix("/fclib_local/W", 3, 3, 6, {0, 2, 1, 0, 2, 2, 0}, {0, 0, 1, 2, 2, 2, 0},
                   {1, 2, 3, 4, 2, 3, 99});
    EXPECT_EQ(to_dense(local(content).W), W);
}

TEST_F(ProblemFclib, ReadsTheDynamics) {
    save(global_content());
    const auto problem = std::get<ImpliedConeProblem>(read_stored_problem(path_));
    MatX G(3, 2);
    G << 1, 0, 0, 2, 1, 1;
    EXPECT_EQ(MatX(problem.M), MatX(Eigen::Vector2d(2, 4).asDiagonal()));
    EXPECT_EQ(MatX(problem.G), G);
    const ConeProblem condensed = read_cone_problem(path_);
    EXPECT_TRUE(condensed.q.isApprox(G * Eigen::Vector2d(3, 2) + Vec3(1, 2, 3), 1e-15));
}

TEST_F(ProblemFclib, WrittenProblemsReadBackBitForBit) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (int nc = 1; nc <= 15; ++nc) {
        MatX W = MatX::NullaryExpr(3 * nc, 3 * nc, [&] { return normal(random); });
        if (nc > 2) W.block<3, 3>(0, 6).setZero();
        ConeProblem problem;
        problem.W = make_block_matrix(W);
        problem.q = VecX::NullaryExpr(3 * nc, [&] { return normal(random); });
        problem.mu = VecX::NullaryExpr(nc, [&] { return std::abs(normal(random)); });
        write_fclib(path_, problem);
        const ConeProblem back = read_cone_problem(path_);
        EXPECT_EQ(to_dense(back.W), W);
        EXPECT_EQ(back.W.blocks(), problem.W.blocks());
        EXPECT_EQ(back.q, problem.q);
        EXPECT_EQ(back.mu, problem.mu);
        EXPECT_FALSE(std::filesystem::exists(path_ + ".part"));
    }
    EXPECT_THROW(write_fclib(folder_ / "missing/p.hdf5", {}), InputError);
}

TEST_F(ProblemFclib, BlocksBetweenBoundsAreNotWritten) {
    ConeProblem problem = local(local_content());
    std::filesystem::remove(path_);
    problem.bounded = {1};
    problem.lo = problem.hi = VecX::Zero(3);
    EXPECT_THROW(write_fclib(path_, problem), InputError);
    EXPECT_TRUE(folder_.is_empty());
}

// Two rows per contact. W = diag(2, 1), q = (-1, 1): the normal impulse is 1/2, and the contact slides
// against friction mu/2.
TEST_F(ProblemFclib, ProblemsInThePlaneGetATangentAtRest) {
    Content content;
    content.integers["/fclib_local/spacedim"] = {2};
    content.matrix("/fclib_local/W", 2, 2, 2, {0, 1}, {0, 1}, {2, 1});
    content.reals["/fclib_local/vectors/q"] = {-1, 1};
    content.reals["/fclib_local/vectors/mu"] = {0.1};
    const ConeProblem problem = local(content);
    EXPECT_EQ(to_dense(problem.W), MatX(Vec3(2, 1, 1).asDiagonal()));
    EXPECT_EQ(problem.q, Vec3(-1, 1, 0));
    EXPECT_LT(residual(problem, Vec3(0.5, -0.05, 0)).worst(), 1e-15);

    Content dynamics;  // M = diag(2, 4), H = I
    dynamics.integers["/fclib_global/spacedim"] = {2};
    dynamics.matrix("/fclib_global/M", 2, 2, 2, {0, 1}, {0, 1}, {2, 4});
    dynamics.matrix("/fclib_global/H", 2, 2, 2, {0, 1}, {0, 1}, {1, 1});
    dynamics.reals["/fclib_global/vectors/f"] = {-2, 4};
    dynamics.reals["/fclib_global/vectors/w"] = {0, 0.5};
    dynamics.reals["/fclib_global/vectors/mu"] = {0.1};
    save(dynamics);
    const ConeProblem condensed = read_cone_problem(path_);
    EXPECT_EQ(to_dense(condensed.W), MatX(Vec3(1.0 / 2, 1.0 / 4, 1.0 / 3).asDiagonal()));
    EXPECT_EQ(condensed.q, Vec3(-1, 1.5, 0));
    content.integers["/fclib_local/spacedim"] = {4};
    expect_refused(content, "/fclib_local/spacedim: expected 2 or 3, found 4");
}

// V = e_x, R = 2, s = 4 beside W = diag(3, 1, 1): l = -(r_N + 4)/2, so that u_N = 3 r_N + q - r_N/2 - 2.
// The same row twice holds as it does once.
TEST_F(ProblemFclib, BilateralRowsAreTakenOut) {
    Content content = local_content();
    content.matrix("/fclib_local/W", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {3, 1, 1});
    Content once = content;
    once.matrix("/fclib_local/V", 3, 1, 1, {0}, {0}, {1});
    once.matrix("/fclib_local/R", 1, 1, 1, {0}, {0}, {2});
    once.reals["/fclib_local/vectors/s"] = {4};
    Content twice = content;
    twice.matrix("/fclib_local/V", 3, 2, 2, {0, 1}, {0, 0}, {1, 1});
    twice.matrix("/fclib_local/R", 2, 2, 4, {0, 1, 0, 1}, {0, 0, 1, 1}, {2, 2, 2, 2});
    twice.reals["/fclib_local/vectors/s"] = {4, 4};
    for (const Content& held : {once, twice}) {
        const ConeProblem problem = local(held);
        EXPECT_LT((to_dense(problem.W) - MatX(Vec3(2.5, 1, 1).asDiagonal())).norm(), 1e-14);
        EXPECT_LT((problem.q - Vec3(-3, 1, 3)).norm(), 1e-14);
    }
    twice.reals["/fclib_local/vectors/s"] = {4, 5};
    expect_refused(twice, "/fclib_local/R: bilateral constraints contradict one another");
    once.reals.erase("/fclib_local/vectors/s");
    expect_refused(once, "/fclib_local/vectors/s: there is no such dataset");
}

// A particle held along y: v_y = -b whatever acts on it.
TEST_F(ProblemFclib, BilateralRowsOfTheDynamicsAreTakenOut) {
    Content content;
    content.integers["/fclib_global/spacedim"] = {3};
    content.matrix("/fclib_global/M", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {2, 2, 2});
    content.matrix("/fclib_global/H", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1, 1, 1});
    content.matrix("/fclib_global/G", 3, 1, 1, {0}, {1}, {1});
    content.reals["/fclib_global/vectors/f"] = {6, 8, 10};
    content.reals["/fclib_global/vectors/w"] = {1, 2, 3};
    content.reals["/fclib_global/vectors/b"] = {7};
    content.reals["/fclib_global/vectors/mu"] = {0.5};
    const ConeProblem problem = local(content);
    EXPECT_LT((to_dense(problem.W) - MatX(Vec3(0.5, 0, 0.5).asDiagonal())).norm(), 1e-15);
    EXPECT_LT((problem.q - Vec3(4, -5, 8)).norm(), 1e-14);
}

TEST_F(ProblemFclib, RefusesFilesOfSeveralFormsOrNone) {
    Content content = local_content();
    content.integers["/fclib_global/spacedim"] = {3};
    expect_refused(content, "both /fclib_local and /fclib_global");
    content = {};
    content.reals["/other"] = {1};
    expect_refused(content, "neither /fclib_local nor /fclib_global");
}

TEST_F(ProblemFclib, RefusesFaultyNumbers) {
    const std::string W = "/fclib_local/W";
    const auto changed = [](const std::string& place, const Reals& values) {
        Content content = local_content();
        content.reals[place] = values;
        return content;
    };
    const auto changed_integers = [](const std::string& place, const Integers& values) {
        Content content = local_content();
        content.integers[place] = values;
        return content;
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    expect_refused(changed("/fclib_local/vectors/q", {1, 2}), "vectors/q: expected 3 numbers");
    expect_refused(changed("/fclib_local/vectors/q", {1, nan, 2}), "vectors/q: entry 1 is nan");
    expect_refused(changed("/fclib_local/vectors/mu", {-0.5}), "vectors/mu: entry 0 is -0.5");
    expect_refused(changed("/fclib_local/vectors/mu", {}), "vectors/mu: expected 1 to");
    expect_refused(changed("/fclib_local/vectors/mu", {1, 1}), "vectors/q: expected 6 numbers");
    expect_refused(changed(W + "/x", {1, 2, infinity, 4, 5}), "W/x: entry 2 is inf");
    expect_refused(changed(W + "/x", {1, 2}), "W/p: entry 2 is 3; expected 2 to 2");
    expect_refused(changed_integers(W + "/m", {6}), "W: expected 3 x 3, found 6 x 3");
    expect_refused(changed_integers(W + "/m", {3, 3}), "W/m: expected one integer, found 2");
    expect_refused(changed_integers(W + "/p", {0, 2}), "W/p: expected 4 pointers, found 2");
    expect_refused(changed_integers(W + "/p", {1, 2, 3, 5}), "W/p: expected 0 first");
    expect_refused(changed_integers(W + "/p", {0, 3, 2, 5}), "W/p: entry 2 is 2");
    expect_refused(changed_integers(W + "/i", {0, 2, 1, 0, 3}), "W/i: entry 4 is 3");
    expect_refused(changed_integers(W + "/i", {0, 2, 1, 0, -1}), "W/i: entry 4 is -1");
    expect_refused(changed_integers(W + "/nz", {-3}), "W/nz: expected -2");
    expect_refused(changed_integers(W + "/nz", {9}), "W/nz: is 9, but only 4 entries");
    expect_refused(changed_integers("/fclib_local/spacedim", {}), "expected one integer");
    Content content = local_content();
    content.reals.erase(W + "/x");
    expect_refused(content, "W/x: there is no such dataset");
    content.integers[W + "/x"] = {1};
    expect_refused(content, "W/x: expected floating-point numbers");
    content = local_content();
    content.integers.erase(W + "/i");
    content.reals[W + "/i"] = {1};
    expect_refused(content, "W/i: expected integers");
    content = global_content();
    content.integers["/fclib_global/H/p"] = {0, 1, 2, 3};
    expect_refused(content, "/fclib_global/H: entry 3 is at row 1, column 3 of a matrix of 2 x 3");
}

// Cut anywhere, a file is refused: HDF5 knows its length.
TEST_F(ProblemFclib, CutFilesAreRefused) {
    save(local_content());
    const std::string whole = test::read_text(path_);
    for (std::size_t n = 0; n < whole.size(); n += whole.size() / 50) {
        test::write_text(path_, whole.substr(0, n));
        EXPECT_NE(message_of<InputError>([&] { (void)read_cone_problem(path_); }), "") << n;
    }
}

}  // namespace
}  // namespace stiction
