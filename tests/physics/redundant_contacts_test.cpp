// redundant_contacts_test.cpp - no_slip where contacts are many times more than needed: a body on
// hundreds of feet, the grasp of [D15] with tripled contacts. Rank, law, work and pivots.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <cmath>
#include <cstdio>

#include "contact/routes/ppm_rows.h"
#include "core/random.h"
#include "core/stopwatch.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

// A plate of 10 kg, 1 m x 1 m, that stands on rows x columns spherical feet.
Simulation plate_on_feet(int rows, int columns, const char* solver) {
    Model model;
    model.materials.push_back({"default", {0.5, 0, 0}});
    Body ground;
    ground.name = "ground";
    ground.kind = BodyKind::kStatic;
    Body plate;
    plate.name = "plate";
    plate.mass = 10;
    plate.inertia_B = Vec3(0.9, 0.9, 1.7).asDiagonal();
    model.bodies = {ground, plate};
    model.geoms.resize(1);
    model.geoms[0].body = 0;
    model.geoms[0].shape = Plane{};
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            Geom& foot = model.geoms.emplace_back();
            foot.body = 1;
            foot.shape = Sphere{0.01};
            foot.pose_BG.p = Vec3(i / (rows - 1.0) - 0.5, j / (columns - 1.0) - 0.5, -0.05);
        }
    }
    finalize(model);
    State state;
    state.pose.resize(2);
    state.twist.resize(2);
    state.pose[1].p = {0, 0, 0.06};
    return make_simulation(model, state, {}, model_named("no_slip", solver), {}, 1);
}

const PpmRoute& dense_route(Simulation& sim) { return sim.contact_workspace.islands[0].ppm(); }

// Joint rows, and tangential rows of the contacts that had them in the last pass, whitened and of
// unit length.
MatX equality_rows(const Simulation& sim) {
    const DenseProblem d = dense(sim.frame.problem);
    const MatX L = d.M.llt().matrixL();
    MatX rows = d.J;
    const auto append = [&](const auto& row) {
        rows.conservativeResize(rows.rows() + 1, d.M.cols());
        rows.bottomRows(1) = row;
    };
    for (Eigen::Index i = 0; i < d.S.rows(); ++i) {
        if (sim.contact_workspace.shared.tangential[static_cast<std::size_t>(i)] == 0) continue;
        append(d.S.row(i));
        append(d.T.row(i));
    }
    MatX whitened = L.triangularView<Eigen::Lower>().solve(rows.transpose()).transpose();
    whitened.rowwise().normalize();
    return whitened;
}

int rank(const MatX& rows) {
    Eigen::JacobiSVD<MatX> svd(rows);
    svd.setThreshold(1e-6);
    return static_cast<int>(svd.rank());
}

// What the points of one flat face share: sliding along two directions and turning, rank 3. In the
// grasp the grippers are held but for x by 2 x 5 joint rows; of the 3 x 3 tangential directions of
// its faces one depends on the others, since that the row does not turn about x needs two faces
// only.
TEST(NoSlipRows, AcceptedRowsAreAsManyAsTheRank) {
    const auto check = [](Simulation sim, int expected, const char* what) {
        take_steps(sim, 3);
        const auto accepted = static_cast<int>(dense_route(sim).accepted.rows.size());
        const MatX rows = equality_rows(sim);
        std::printf("%-32s %4d rows, %3d velocities, rank %2d, accepted %2d\n", what,
                    static_cast<int>(rows.rows()), static_cast<int>(rows.cols()), rank(rows),
                    accepted);
        ASSERT_EQ(sim.frame.problem.islands.size(), 1U);
        EXPECT_EQ(sim.frame.solution.solver, "ppm");
        EXPECT_EQ(rank(rows), expected) << what;
        EXPECT_EQ(accepted, expected) << what;
    };
    check(plate_on_feet(20, 20, "ppm"), 3, "plate on 400 feet");
    check(simulate(shipped_scene("grasp"), model_named("no_slip", "ppm")), 10 + 8, "grasp");
    check(
        simulate(shipped_scene("grasp", {{"repeat_contacts", "3"}}), model_named("no_slip", "ppm")),
        10 + 8, "grasp, contacts tripled");
    check(simulate(shipped_scene("stack"), model_named("no_slip", "ppm")), 3 * 10, "stack of 10");
}

struct Law {
    double slip = 0;    // largest |S v+|, |T v+| of contacts that press [m/s]
    double normal = 0;  // least N v+ + bias [m/s]
    int pressing = 0;
};

Law law(const Simulation& sim) {
    const ContactProblem& problem = sim.frame.problem;
    const DenseProblem d = dense(problem);
    const VecX& v = sim.frame.solution.v;
    Law result;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        result.normal =
            std::min(result.normal, d.N.row(k).dot(v) + d.N0[k] + problem.contacts[i].bias);
        if (sim.frame.solution.c_n[i] <= 0) continue;
        ++result.pressing;
        result.slip = std::max({result.slip, std::abs(d.S.row(k).dot(v) + d.S0[k]),
                                std::abs(d.T.row(k).dot(v) + d.T0[k])});
    }
    return result;
}

void throw_plate(std::uint64_t seed, Simulation& sim) {
    Random random(seed);
    Twist& twist = sim.state.twist[1];
    for (int k = 0; k < 3; ++k) {
        twist.v[k] = random.uniform(-1, 1);
        twist.w[k] = random.uniform(-1, 1);
    }
    twist.v.z() = random.uniform(-1, 0);
}

TEST(NoSlipRows, TheLawHoldsOnHundredsOfFeet) {
    for (const char* solver : {"ppm", "sparse_ppm"}) {
        Law worst;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Simulation sim = plate_on_feet(20, 20, solver);
            if (seed > 1) throw_plate(seed, sim);
            take_steps(sim, 1);
            ASSERT_EQ(sim.frame.problem.contacts.size(), 400U);
            const Law now = law(sim);
            EXPECT_GT(now.pressing, 0);
            worst.slip = std::max(worst.slip, now.slip);
            worst.normal = std::min(worst.normal, now.normal);
        }
        std::printf(
            "plate on 400 feet, %-10s largest |S v+|, |T v+| %.1e, least N v+ + bias "
            "%.1e m/s\n",
            solver, worst.slip, worst.normal);
        EXPECT_LT(worst.slip, 1e-12) << solver;
        EXPECT_GT(worst.normal, -1e-12) << solver;
    }
}

// All that the dense route stores.
Eigen::Index stored(const PpmRoute& ws) {
    return ws.Y.size() + ws.b.size() + ws.R.size() + ws.Z.size() + ws.accepted.Q.size() +
           ws.ppm.N.size() + ws.ppm.K.size() + ws.ppm.bias.size() + ws.ppm.scale.size() +
           ws.pivoting.Q.size() + ws.pivoting.R.size() + ws.pivoting.q.size() +
           ws.pivoting.w.size() + static_cast<Eigen::Index>(ws.pivoting.state.size());
}

// Twice the feet, twice the work. ppm: pivots do not grow with the number of contacts, each costs
// O(n m) with m = 6 velocities, and nothing of n x n is stored. sparse_ppm changes many rows at
// once, each at O(1); its factorisations, of one 6 x 6 node and O(n) for judging the rows, hardly
// grow.
TEST(NoSlipRows, WorkGrowsLinearlyWithTheFeet) {
    const struct { int rows, columns; } sizes[] = {{10, 10}, {10, 20}, {20, 20}};
    for (const char* solver : {"ppm", "sparse_ppm"}) {
        std::vector<double> numbers;
        for (const auto& [rows, columns] : sizes) {
            int pivots = 0, iterations = 0, passes = 0;
            double seconds = 0;
            const int throws = 20;
            Eigen::Index size = 0;
            for (int seed = 1; seed <= throws; ++seed) {
                Simulation sim = plate_on_feet(rows, columns, solver);
                throw_plate(static_cast<std::uint64_t>(seed), sim);
                take_steps(sim, 1);
                pivots = std::max(pivots, sim.frame.solution.pivots);
                iterations = std::max(iterations, sim.frame.solution.iterations);
                passes = std::max(passes, sim.frame.solution.passes);
                seconds += sim.frame.seconds[static_cast<std::size_t>(Stage::kSolve)];
                EXPECT_EQ(sim.frame.problem.system.links.size(), 1U);  // one node of sparse_ppm
                size = stored(dense_route(sim));
            }
            std::printf(
                "%-10s %3d feet: at most %d pivots, %d iterations, %d passes; %6ld numbers "
                "stored; %.3f ms\n",
                solver, rows * columns, pivots, iterations, passes, size, 1e3 * seconds / throws);
            numbers.push_back(static_cast<double>(size));
            if (std::string(solver) == "ppm") {
                EXPECT_LE(pivots, 30) << rows * columns;
                EXPECT_GT(size, 0);
            }
            EXPECT_LE(iterations, 30) << rows * columns;
        }
        EXPECT_LE(numbers[1], 2 * numbers[0]);
        EXPECT_LE(numbers[2], 2 * numbers[1]);
    }
}

// [D15] counts 5.5 pivots per step on average and 7 at most, with every corner listed three times.
// From nothing, and from the set of the last step.
TEST(NoSlipRows, PivotsOfTheGrasp) {
    for (const char* h : {"0.01", "0.001"}) {
        for (const bool warm : {false, true}) {
            Simulation sim = simulate(shipped_scene("grasp", {{"repeat_contacts", "3"}, {"h", h}}),
                                      model_named("no_slip", "ppm"));
            double sum = 0;
            int most = 0;
            const int steps = 100;
            for (int i = 0; i < steps; ++i) {
                // A guess that nothing presses; without one, touching contacts are taken to press.
                if (!warm) std::fill(sim.guess.contacts.begin(), sim.guess.contacts.end(), 0);
                take_steps(sim, 1);
                ASSERT_EQ(sim.frame.solution.solver, "ppm");
                ASSERT_EQ(sim.frame.problem.contacts.size(), 36U);
                sum += sim.frame.solution.pivots;
                most = std::max(most, sim.frame.solution.pivots);
            }
            std::printf("grasp, h = %-5s %s: %.2f pivots on average, %d at most\n", h,
                        warm ? "warm" : "cold", sum / steps, most);
            EXPECT_LE(most, 24 - 18) << h;  // as many as directions are left to the normals
            if (warm) {
                EXPECT_LT(sum, 0.1 * steps) << h;
            } else {
                EXPECT_GE(sum, 3 * (steps - 1)) << h;  // three faces press
            }
            EXPECT_LT(std::abs(sim.state.pose[1].p.z()), 1e-9) << h;
        }
    }
}

}  // namespace
}  // namespace stiction
