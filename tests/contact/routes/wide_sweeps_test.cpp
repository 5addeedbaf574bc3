// wide_sweeps_test.cpp - contacts several at a time: the solver of lanes against that of one
// contact, colours, and the same bits for every width of vectors and number of threads.
#include "contact/routes/wide/wide_sweeps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "contact/routes/sweep_system.h"
#include "contact/routes/wide/kernel_sets.h"
#include "scene/scene_files.h"
#include "scene_runs.h"
#include "solve/cone/one_contact.h"
#include "solve/lcp/random_problems.h"
#include "step/simulation.h"

namespace stiction {
namespace {

std::vector<Simd> all_simd() {
    std::vector<Simd> all;
    for (const Simd simd : {Simd::kSse2, Simd::kAvx2, Simd::kAvx512}) {
        if (has_simd(simd)) all.push_back(simd);
    }
    return all;
}

// Chooses vectors for as long as it lives.
class WithSimd {
  public:
    explicit WithSimd(Simd simd) { setenv("STICTION_SIMD", std::string(name(simd)).c_str(), 1); }
    ~WithSimd() { unsetenv("STICTION_SIMD"); }
    WithSimd(const WithSimd&) = delete;
    WithSimd& operator=(const WithSimd&) = delete;
};

// Eight contacts whose bodies nothing moves: u is the offset, W what it is said to be.
struct EightContacts {
    std::array<Mat3, kLanes> W;
    std::array<Vec3, kLanes> u, old;
    std::array<double, kLanes> mu, lambda, s = {};
    std::array<Vec3, kLanes> lo, hi;
    PackLaw law = PackLaw::kCone;
    FrictionDirections polygon;

    [[nodiscard]] std::array<Vec3, kLanes> solve(Simd simd) {
        WideSweeps wide;
        wide.packs.resize(1);
        wide.bounds.resize(1);
        SweepPack& pack = wide.packs[0] = SweepPack{};
        LaneVector r, v;
        r.set_zero(3 * kLanes);
        v.set_zero(kBodyRow);
        for (std::size_t l = 0; l < kLanes; ++l) {
            SweepContact c{};
            c.n = Vec3::UnitX();
            c.s = Vec3::UnitY();
            c.t = Vec3::UnitZ();
            c.offset = u[l];
            const Mat3 inverse = W[l].inverse();
            c.inverse = inverse.diagonal();
            c.across = Vec3(inverse(0, 1), inverse(0, 2), inverse(1, 2));
            c.mu = mu[l];
            set_lane(c, W[l], W[l].trace() / 3, {0, 0}, l, wide);
            set_lane_bounds(lo[l], hi[l], Vec3::Zero(), l, wide);
            pack.lambda[l] = lambda[l];
            pack.s_free[l] = s[l];
            for (std::size_t k = 0; k < 3; ++k)
                r.data()[kLanes * k + l] = old[l][static_cast<Eigen::Index>(k)];
        }
        pack.law = law;
        pack.isotropic = true;
        pack.inscribed =
            law == PackLaw::kPolygon ? polygon[0].dot((polygon[0] + polygon[1]).normalized()) : 1.0;
        wide.inertia.set_zero(0);
        wide.squares.set_zero(kLanes);
        wide.colour_begin = {0, 1};
        wide.kernels = &kernels_of(simd);
        sweep_wide(
            {wide.packs.data(), wide.bounds.data(), r.data(), v.data(), nullptr, 0, &polygon},
            wide);
        std::array<Vec3, kLanes> now;
        for (std::size_t l = 0; l < kLanes; ++l)
            now[l] = Vec3(r.data()[l], r.data()[kLanes + l], r.data()[2 * kLanes + l]);
        std::copy_n(pack.lambda, kLanes, lambda.begin());
        return now;
    }
};

EightContacts random_contacts(test::Rng& rng) {
    EightContacts x;
    for (std::size_t l = 0; l < kLanes; ++l) {
        const MatX Y = test::random_matrix(rng, 3, 5);
        const Mat3 W = (Y * Y.transpose() + 0.05 * Mat3::Identity()) *
                       std::pow(10.0, test::uniform(rng, -4, 4));
        x.W[l] = 0.5 * (W + W.transpose());
        const auto three = [&] {
            return Vec3(test::uniform(rng, -1, 1), test::uniform(rng, -1, 1),
                        test::uniform(rng, -1, 1));
        };
        x.u[l] = three();
        x.old[l] = three() / x.W[l].trace();
        x.mu[l] = l == 3 ? 0.0 : test::uniform(rng, 0, 2);
        x.lambda[l] = l % 2 == 0 ? 0.0 : x.W[l].trace() * test::uniform(rng, 0, 3);
        const Vec3 size = three() / x.W[l].trace();
        x.lo[l] = -size.cwiseAbs();
        x.hi[l] = size.cwiseAbs();
    }
    return x;
}

// Of |q| / |W|: rounding, and what is left of a root that is found to 1e-12.
constexpr double kClose = 1e-9;

void expect_near(const EightContacts& x, std::size_t l, const Vec3& r, const Vec3& expected) {
    const Vec3 q = x.u[l] - x.W[l] * x.old[l];
    EXPECT_LE((r - expected).norm(), kClose * (q.norm() / x.W[l].trace() + expected.norm()))
        << "lane " << l << ": " << r.transpose() << " for " << expected.transpose();
}

TEST(Lanes, SolveAContactAsOneIsSolved) {
    test::Rng rng(3);
    int slid = 0, open = 0, stuck = 0;
    for (int i = 0; i < 2000; ++i) {
        const EightContacts given = random_contacts(rng);
        for (const Simd simd : all_simd()) {
            EightContacts x = given;
            const std::array<Vec3, kLanes> r = x.solve(simd);
            for (std::size_t l = 0; l < kLanes; ++l) {
                double lambda = given.lambda[l];
                const Vec3 q = x.u[l] - x.W[l] * x.old[l];
                const Vec3 expected = solve_one_contact(x.W[l], q, x.mu[l], lambda);
                expect_near(x, l, r[l], expected);
                (lambda > 0 ? slid : expected.isZero(0) ? open : stuck) += 1;
            }
        }
    }
    EXPECT_GT(slid, 1000);
    EXPECT_GT(open, 1000);
    EXPECT_GT(stuck, 1000);
}

TEST(Lanes, SolveAContactOnThePolygonAsOneIsSolved) {
    test::Rng rng(4);
    for (int i = 0; i < 300; ++i) {
        EightContacts given = random_contacts(rng);
        given.law = PackLaw::kPolygon;
        set_directions(i % 2 == 0 ? 4 : 8, given.polygon);
        for (const Simd simd : all_simd()) {
            EightContacts x = given;
            const std::array<Vec3, kLanes> r = x.solve(simd);
            for (std::size_t l = 0; l < kLanes; ++l)
                expect_near(
                    x, l, r[l],
                    solve_polygon_contact(x.W[l], x.u[l] - x.W[l] * x.old[l], x.mu[l], x.polygon));
        }
    }
}

TEST(Lanes, SolveRowsBetweenBoundsAsOneIsSolved) {
    test::Rng rng(5);
    int bounded = 0;
    for (int i = 0; i < 500; ++i) {
        EightContacts given = random_contacts(rng);
        given.law = PackLaw::kBounds;
        for (const Simd simd : all_simd()) {
            EightContacts x = given;
            const std::array<Vec3, kLanes> r = x.solve(simd);
            for (std::size_t l = 0; l < kLanes; ++l) {
                const Vec3 q = x.u[l] - x.W[l] * x.old[l];
                const Vec3 expected = solve_bounded_rows(x.W[l], bounded_inverse(x.W[l]), q,
                                                         x.lo[l], x.hi[l], x.old[l]);
                expect_near(x, l, r[l], expected);
                bounded += (expected.array() == x.lo[l].array()).any() ? 1 : 0;
            }
        }
    }
    EXPECT_GT(bounded, 1000);
}

TEST(Lanes, SolveARelaxedContactAsOneIsSolved) {
    test::Rng rng(7);
    int pressed = 0;
    for (int i = 0; i < 500; ++i) {
        EightContacts given = random_contacts(rng);
        given.law = PackLaw::kRelaxed;
        for (std::size_t l = 0; l < kLanes; ++l)
            given.s[l] = l % 2 == 0 ? 0.0 : test::uniform(rng, 0, 1) / given.W[l].trace();
        for (const Simd simd : all_simd()) {
            EightContacts x = given;
            const std::array<Vec3, kLanes> r = x.solve(simd);
            for (std::size_t l = 0; l < kLanes; ++l) {
                const Vec3 q = x.u[l] - x.W[l] * x.old[l];
                const Vec3 expected = solve_relaxed_contact(x.W[l], q, x.mu[l], x.s[l], x.old[l]);
                expect_near(x, l, r[l], expected);
                pressed += expected[0] > 0 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(pressed, 1000);
}

// Every width takes the same operations: not near, the same.
TEST(Lanes, GiveTheSameBitsAtEveryWidth) {
    test::Rng rng(6);
    for (int i = 0; i < 1000; ++i) {
        EightContacts given = random_contacts(rng);
        constexpr std::array kLaws = {PackLaw::kCone, PackLaw::kBounds, PackLaw::kRelaxed};
        given.law = kLaws[at(i % 3)];
        const std::array<Vec3, kLanes> expected = EightContacts(given).solve(Simd::kSse2);
        for (const Simd simd : all_simd())
            EXPECT_EQ(EightContacts(given).solve(simd), expected) << name(simd);
    }
}

TEST(Colours, ShareNoBody) {
    test::Rng rng(8);
    constexpr int kBodies = 60;
    std::vector<ColourEdge> edges;
    for (int i = 0; i < 400; ++i) {
        const auto body = [&] { return static_cast<int>(test::uniform(rng, 0, kBodies - 1e-9)); };
        const int a = body();
        edges.push_back({a, i % 5 == 0 ? kNone : (a + 1 + body() % (kBodies - 1)) % kBodies});
    }
    for (int i = 1; i < kBodies; ++i) {
        for (int k = 0; k < 2; ++k) edges.push_back({0, i});  // more than there are colours
    }
    ColourWorkspace workspace;
    std::vector<int> colour;
    const int colours = colour_edges(edges, kBodies, 4, workspace, colour);
    EXPECT_GT(colours, 10);
    int without = 0;
    std::vector<std::set<int>> bodies(at(colours));
    std::vector<int> count(at(colours), 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (colour[e] == kNone) {
            ++without;
            continue;
        }
        ASSERT_LT(colour[e], colours);
        ++count[at(colour[e])];
        for (const int body : {edges[e].a, edges[e].b}) {
            if (body == kNone) continue;
            EXPECT_TRUE(bodies[at(colour[e])].insert(body).second) << "edge " << e;
        }
    }
    for (const int n : count) EXPECT_GE(n, 4);
    EXPECT_GT(without, 30);
    EXPECT_LT(without, 200);
}

// Whole motions: one hash for all.
void expect_one_hash(const Scene& scene, const ContactModel& model, int steps,
                     const std::vector<int>& threads) {
    std::set<std::uint64_t> hashes;
    std::size_t most_triples = 0;
    for (const Simd simd : all_simd()) {
        const WithSimd with(simd);
        for (const int count : threads) {
            Simulation sim = simulate(scene, model, count);
            take_steps(sim, steps);
            hashes.insert(state_hash(sim.state));
            most_triples = std::max(most_triples, sim.frame.problem.contacts.size());
        }
    }
    EXPECT_EQ(hashes.size(), 1U) << scene.path << " " << name(model);
    EXPECT_GE(most_triples, kWideTriples) << "nothing wide was tested";
}

TEST(Simd, APileHasOneHashAtEveryWidthAndNumberOfThreads) {
    CoulombCone model;
    model.tolerance = 1e-4;
    model.max_iterations = 60;
    expect_one_hash(shipped_scene("granular", {{"count", "400"}}), model, 130, {1, 2, 3, 4, 8});
}

// A carpet of spheres that touch: colours of thousands of contacts, which threads share.
TEST(Simd, ContactsThatThreadsShareGiveOneHash) {
    const SceneFiles files;
    const Scene carpet = files.load(R"(version: 1
step: {h: 0.002}
gravity: [1, 2, -9.81]
contact: {model: coulomb_cone, tolerance: 1e-3}
materials: {default: {friction: 0.3}}
bodies:
  - {name: floor, kind: static, shape: {type: plane}}
  - name: s_{i}_{j}
    repeat: [70, 70]
    mass: 1
    position: [0.02*i, 0.02*j, 0.01]
    velocity: [sin(i), cos(3*j), 0]
    shape: {type: sphere, radius: 0.01}
)");
    expect_one_hash(carpet, carpet.contact, 2, {1, 2, 3, 8});
}

TEST(Simd, EveryModelHasOneHashAtEveryWidth) {
    for (const std::string_view model : kContactModelNames) {
        ContactModel with = make_contact_model(model);
        std::visit([](auto& x) { x.tolerance = 1e-3; }, with);
        expect_one_hash(shipped_scene("granular", {{"count", "200"}}), with, 100, {1, 3});
    }
    expect_one_hash(shipped_scene("brick_wall", {{"courses", "8"}, {"bricks", "4"}}), CoulombCone{},
                    5, {1, 3});
}

}  // namespace
}  // namespace stiction
