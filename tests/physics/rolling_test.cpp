// rolling_test.cpp - bodies that come to roll or turn on a point: a ball that slides until it
// rolls, a top in steady precession, a coin that rolls around a circle. Each against its closed
// form, under every model; tables of what was measured are printed.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "scene/scene_files.h"
#include "scene_runs.h"
#include "step/simulation.h"

namespace stiction {
namespace {

SceneOverrides with(const Parameters& parameters) {
    SceneOverrides overrides;
    overrides.parameters = parameters;
    return overrides;
}

// ---- a ball

constexpr double kRadius = 0.1;  // [m]

constexpr const char* kBall = R"(version: 1
parameters: {viscous: 0}
contact: {model: coulomb_cone}
step: {h: 0.001}
materials: {default: {friction: 0.2, viscous: viscous}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: ball, mass: 2, position: [0, 0, 0.1], shape: {type: sphere, radius: 0.1}}
)";

Scene ball(std::string_view model, const Vec3& v, const Vec3& w) {
    // Viscous friction makes the slip decay at the rate 7/2 mu_v / m.
    Scene scene = SceneFiles().load(kBall, with({{"viscous", model == "viscous" ? "20" : "0"}}));
    scene.state.twist[1] = {v, w};
    return scene;
}

double slip(const State& state) {
    const Twist& twist = state.twist[1];
    return (twist.v - kRadius * twist.w.cross(Vec3::UnitZ())).norm();
}

// Friction acts at the ground whatever its law, so the angular momentum about a line in the ground,
// v + 2/5 r (w x z) per mass, stays, and rolling means v = r (w x z):
//   v_end = (5 v_0 + 2 r (w_0 x z)) / 7,     5/7 v_0 without spin.
TEST(Rolling, ASlidingBallEndsAtFiveSeventhsOfItsSpeed) {
    const Vec3 aslant(std::cos(0.5), std::sin(0.5), 0);
    const struct {
        const char* what;
        Vec3 v, w;
    } starts[] = {{"along x", Vec3::UnitX(), Vec3::Zero()},
                  {"aslant", aslant, Vec3::Zero()},
                  {"backspin", aslant, -50 * Vec3::UnitZ().cross(aslant)},
                  {"sidespin", Vec3::UnitX(), Vec3(30, 0, 20)}};
    std::printf("ball: error of the final velocity [m/s]\n%-16s", "model");
    for (const auto& start : starts) std::printf(" %9s", start.what);
    for (const std::string_view model : kContactModelNames) {
        std::printf("\n%-16s", std::string(model).c_str());
        for (const auto& [what, v, w] : starts) {
            Simulation sim = simulate(ball(model, v, w), make_contact_model(model));
            take_steps(sim, 1500);
            const Vec3 expected = (5 * v + 2 * kRadius * w.cross(Vec3::UnitZ())) / 7;
            const double error = (sim.state.twist[1].v - expected).norm();
            std::printf(" %9.1e", error);
            EXPECT_LT(error, 1e-6) << model << " " << what;
            EXPECT_LT(slip(sim.state), 1e-6) << model << " " << what;
        }
    }
    std::printf("\n");
}

// The slip falls by 7/2 mu g per time: from v_0 it rolls after 2 v_0 / (7 mu g) = 0.1456 s, with
// no_slip after one step.
TEST(Rolling, ABallSlidesForTheTimeThatFrictionNeeds) {
    const double expected = 2 / (7 * 0.2 * kGravity);
    for (const char* model :
         {"no_slip", "coulomb_lcp", "max_dissipation", "friction_box", "coulomb_cone"}) {
        Simulation sim = simulate(ball(model, Vec3::UnitX(), Vec3::Zero()), model_named(model));
        double time = 0;
        while (time == 0 && sim.state.time < 1) {
            take_steps(sim, 1);
            if (slip(sim.state) < 1e-6) time = sim.state.time;
        }
        std::printf("ball: %-16s rolls after %.3f s (closed form %.4f)\n", model, time,
                    std::string(model) == "no_slip" ? 0.0 : expected);
        const double late = time - (std::string(model) == "no_slip" ? 0.0 : expected);
        EXPECT_GE(late, 0) << model;
        EXPECT_LE(late, 1.001e-3) << model;  // the step in which it happens
    }
}

// ---- a top

constexpr double kTopMass = 1, kTopHeight = 0.1;   // of its centre over the tip [m]
constexpr double kAcross = 0.003, kAlong = 0.004;  // moments at the centre [kg m^2]
constexpr double kPivot = kAcross + kTopMass * kTopHeight * kTopHeight;  // across, at the tip
constexpr double kTopSpin = 100;                                         // w . axis [rad/s]
constexpr double kLean = 0.5;                                            // [rad]

constexpr const char* kTop = R"(version: 1
parameters: {h: 0.001, mu: 1, viscous: 0}
contact: {model: no_slip}
step: {h: h}
materials: {default: {friction: mu, viscous: viscous}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - name: top
    mass: 1
    com: [0, 0, 0.1]
    inertia: [0.003, 0.003, 0.004]
    orientation: {axis: [0, 1, 0], angle: 0.5}
    shape:
      type: hull
      points: [[0, 0, 0], [0.05, 0.05, 0.2], [-0.05, 0.05, 0.2], [-0.05, -0.05, 0.2], [0.05, -0.05, 0.2]]
)";

// Slow root of  I W^2 cos(lean) - L_3 W + m g l = 0: the moment of the weight about the tip (or of
// the contact force about the centre) turns the angular momentum there as fast as W does.
double precession(double inertia) {
    const double a = inertia * std::cos(kLean), b = kAlong * kTopSpin,
                 c = kTopMass * kGravity * kTopHeight;
    return 2 * c / (b + std::sqrt(b * b - 4 * a * c));
}

// Energy, and angular momentum along the axis, about which neither weight nor contact force has a
// moment. A third invariant is the vertical angular momentum: about the tip where friction holds
// it, about the centre where there is no friction.
struct TopDrift {
    double energy = 0, axial = 0, vertical = 0;  // relative to the start, largest over the run
    double lean = 0;                             // [rad]
    double turn = 0;                             // error of the azimuth at the end [rad]
    double tip = 0;                              // way of the tip or of the centre [m]
};

void keep_largest(double& largest, double value) { largest = std::max(largest, std::abs(value)); }

// One turn of steady precession at `rate`, on a tip that stays at the origin or under a centre that
// stays above it.
TopDrift precess(std::string_view model, double h, double mu, double rate) {
    const bool held = mu > 0;
    Scene scene =
        SceneFiles().load(kTop, with({{"h", exactly(h)},
                                      {"mu", exactly(mu)},
                                      {"viscous", held && model == "viscous" ? "1e6" : "0"}}));
    const Vec3 axis(std::sin(kLean), 0, std::cos(kLean));
    const Vec3 w = rate * Vec3::UnitZ() + (kTopSpin - rate * std::cos(kLean)) * axis;
    scene.state.twist[1] = {held ? Vec3(w.cross(kTopHeight * axis)) : Vec3::Zero(), w};
    Simulation sim = simulate(scene, make_contact_model(model));
    const Vec3 centre = sim.state.pose[1].p;
    const auto axis_now = [&] { return Vec3(sim.state.pose[1].q * Vec3::UnitZ()); };
    const auto axial = [&] { return kAlong * sim.state.twist[1].w.dot(axis_now()); };
    const auto vertical = [&] {
        const Momentum m = momentum(sim.model, sim.state);
        return (held ? m.angular : Vec3(m.angular - sim.state.pose[1].p.cross(m.linear))).z();
    };
    const double axial_0 = axial(), vertical_0 = vertical();
    const double energy_0 = energy(sim.model, sim.state).total();
    TopDrift drift;
    const int steps = static_cast<int>(std::lround(2 * M_PI / rate / h));
    for (int i = 0; i < steps; ++i) {
        take_steps(sim, 1);
        keep_largest(drift.energy, energy(sim.model, sim.state).total() / energy_0 - 1);
        keep_largest(drift.axial, axial() / axial_0 - 1);
        keep_largest(drift.vertical, vertical() / vertical_0 - 1);
        keep_largest(drift.lean, std::acos(axis_now().z()) - kLean);
        const Vec3 p = sim.state.pose[1].p;
        keep_largest(drift.tip,
                     held ? (p - kTopHeight * axis_now()).norm() : (p - centre).head<2>().norm());
    }
    const Vec3 end = axis_now();
    drift.turn =
        std::abs(std::remainder(std::atan2(end.y(), end.x()) - rate * steps * h, 2 * M_PI));
    return drift;
}

void print_top(std::string_view model, double h, const TopDrift& d) {
    std::printf("%-16s %7.0e %9.1e %9.1e %9.1e %10.1e %10.1e %9.1e\n", std::string(model).c_str(),
                h, d.energy, d.axial, d.vertical, d.lean, d.turn, d.tip);
}

void print_top_head(const char* what, double rate) {
    std::printf("top %s, one turn of %.3f s: relative drift\n%-16s %7s %9s %9s %9s %10s %10s %9s\n",
                what, 2 * M_PI / rate, "model", "h", "energy", "axial", "vertical", "lean [rad]",
                "turn [rad]", "point [m]");
}

// The method is of first order: every drift halves with the step. In a step of 1e-3 s the top turns
// by 0.1 rad; then half a percent of all three may be lost (the tip, which friction holds at the
// level of velocities, wanders by 2.5 mm, and with it the point about which the contact force has
// no moment).
TEST(Rolling, ATopOnAHeldTipKeepsItsInvariants) {
    const double rate = precession(kPivot);
    print_top_head("on a held tip", rate);
    for (const std::string_view model : kContactModelNames) {
        const TopDrift coarse = precess(model, 1e-3, 1, rate);
        const TopDrift fine = precess(model, 5e-4, 1, rate);
        print_top(model, 1e-3, coarse);
        print_top(model, 5e-4, fine);
        EXPECT_LT(coarse.energy, 5e-3) << model;
        EXPECT_LT(coarse.axial, 5e-3) << model;
        EXPECT_LT(coarse.vertical, 5e-3) << model;
        EXPECT_LT(coarse.lean, 1e-2) << model;
        EXPECT_LT(coarse.turn, 5e-3) << model;
        EXPECT_LT(coarse.tip, 5e-3) << model;
        EXPECT_LT(fine.energy, 0.6 * coarse.energy) << model;
        EXPECT_LT(fine.axial, 0.6 * coarse.axial) << model;
        EXPECT_LT(fine.vertical, 0.6 * coarse.vertical) << model;
        EXPECT_LT(fine.lean, 0.6 * coarse.lean) << model;
        EXPECT_LT(fine.tip, 0.6 * coarse.tip) << model;
    }
}

// Without friction the contact force is vertical: angular momentum about the vertical through the
// centre and the place of the centre are kept exactly, to round-off, also by the projection of
// positions. no_slip knows no such top.
TEST(Rolling, ATopOnIceKeepsItsVerticalMomentumExactly) {
    const double rate = precession(kAcross);
    print_top_head("on ice", rate);
    for (const std::string_view model : kContactModelNames) {
        if (model == "no_slip") continue;
        const TopDrift coarse = precess(model, 1e-3, 0, rate);
        const TopDrift fine = precess(model, 5e-4, 0, rate);
        print_top(model, 1e-3, coarse);
        print_top(model, 5e-4, fine);
        EXPECT_LT(coarse.vertical, 1e-10) << model;
        EXPECT_LT(coarse.tip, 1e-10) << model;
        EXPECT_LT(coarse.energy, 5e-3) << model;
        EXPECT_LT(coarse.axial, 5e-3) << model;
        EXPECT_LT(coarse.lean, 1e-2) << model;
        EXPECT_LT(fine.energy, 0.6 * coarse.energy) << model;
        EXPECT_LT(fine.axial, 0.6 * coarse.axial) << model;
    }
}

// ---- a coin

constexpr double kCoinRadius = 0.1, kHalfThickness = 0.005;  // [m]
constexpr double kCoinMass = 1;                              // [kg]
constexpr double kCoinLean = 0.35;                           // from the vertical, inwards [rad]
constexpr double kCircle = 0.5;                              // of its centre [m]

constexpr const char* kCoin = R"(version: 1
parameters: {h: 0.001, mu: 1, viscous: 0}
contact: {model: no_slip}
step: {h: h}
materials: {default: {friction: mu, viscous: viscous}}
bodies:
  - {name: ground, kind: static, shape: {type: plane}}
  - {name: coin, mass: 1, shape: {type: cylinder, radius: 0.1, length: 0.01}}
)";

// Steady rolling around a circle. With radial and vertical unit vectors e, z, the coin's axis
// n = cos(a) e + sin(a) z and the vector p = p_e e + p_z z from centre to contact, on the lower
// rim,
//   p = -r (-sin(a) e + cos(a) z) - d n,      w = W z + s n,      centre at X e.
// No slip: W (X + p_e) + s r = 0. The contact force is -m W^2 X e + m g z, and its moment about the
// centre turns the angular momentum: W z x L = p x F. Both along the path, which gives W:
//   W^2 { cos(a) [I_3 (X + p_e)/r - (I_3 - I_1) sin(a)] - m X p_z } = m g p_e.
struct SteadyCoin {
    double rate = 0;  // W [rad/s]
    double spin = 0;  // s [rad/s]
    double height = 0;
};

SteadyCoin steady_coin() {
    const double sine = std::sin(kCoinLean), cosine = std::cos(kCoinLean);
    const double p_e = kCoinRadius * sine - kHalfThickness * cosine;
    const double p_z = -kCoinRadius * cosine - kHalfThickness * sine;
    const double along = 0.5 * kCoinMass * kCoinRadius * kCoinRadius;
    const double across =
        kCoinMass * (3 * kCoinRadius * kCoinRadius + 4 * kHalfThickness * kHalfThickness) / 12;
    const double lever =
        cosine * (along * (kCircle + p_e) / kCoinRadius - (along - across) * sine) -
        kCoinMass * kCircle * p_z;
    SteadyCoin coin;
    coin.rate = std::sqrt(kCoinMass * kGravity * p_e / lever);
    coin.spin = -coin.rate * (kCircle + p_e) / kCoinRadius;
    coin.height = -p_z;
    return coin;
}

Simulation rolling_coin(std::string_view model, double h, double mu) {
    Scene scene = SceneFiles().load(kCoin, with({{"h", exactly(h)},
                                                 {"mu", exactly(mu)},
                                                 {"viscous", model == "viscous" ? "1e6" : "0"}}));
    const SteadyCoin coin = steady_coin();
    const Vec3 axis(std::cos(kCoinLean), 0, std::sin(kCoinLean));
    scene.state.pose[1].p = Vec3(kCircle, 0, coin.height);
    scene.state.pose[1].q = Quat::FromTwoVectors(Vec3::UnitZ(), axis);
    scene.state.twist[1] = {Vec3(0, kCircle * coin.rate, 0),
                            coin.rate * Vec3::UnitZ() + coin.spin * axis};
    return simulate(scene, make_contact_model(model));
}

struct CoinDrift {
    double energy = 0;  // relative
    double radius = 0;  // of the circle [m]
    double lean = 0;    // [rad]
    double turn = 0;    // error of the way around after a turn [rad]
};

CoinDrift roll_around(std::string_view model, double h) {
    Simulation sim = rolling_coin(model, h, 1);
    const double start = energy(sim.model, sim.state).total();
    const double rate = steady_coin().rate;
    const int steps = static_cast<int>(std::lround(2 * M_PI / rate / h));
    CoinDrift drift;
    for (int i = 0; i < steps; ++i) {
        take_steps(sim, 1);
        const Vec3 p = sim.state.pose[1].p;
        const Vec3 n = sim.state.pose[1].q * Vec3::UnitZ();
        keep_largest(drift.energy, energy(sim.model, sim.state).total() / start - 1);
        keep_largest(drift.radius, std::hypot(p.x(), p.y()) - kCircle);
        keep_largest(drift.lean, std::asin(n.z()) - kCoinLean);
    }
    const Vec3 p = sim.state.pose[1].p;
    drift.turn = std::abs(std::remainder(std::atan2(p.y(), p.x()) - rate * steps * h, 2 * M_PI));
    return drift;
}

TEST(Rolling, ACoinRollsAroundItsCircle) {
    std::printf("coin, one turn of %.3f s on a circle of %.1f m: drift\n",
                2 * M_PI / steady_coin().rate, kCircle);
    std::printf("%-16s %7s %9s %10s %10s %10s\n", "model", "h", "energy", "radius [m]",
                "lean [rad]", "turn [rad]");
    for (const std::string_view model : kContactModelNames) {
        if (model == "max_dissipation") continue;  // below
        std::array<CoinDrift, 2> drifts;
        for (const std::size_t k : {0U, 1U}) {
            const double h = k == 0 ? 1e-3 : 5e-4;
            const CoinDrift& d = drifts[k] = roll_around(model, h);
            std::printf("%-16s %7.0e %9.1e %10.1e %10.1e %10.1e\n", std::string(model).c_str(), h,
                        d.energy, d.radius, d.lean, d.turn);
        }
        EXPECT_LT(drifts[0].energy, 5e-3) << model;
        EXPECT_LT(drifts[0].radius, 5e-3) << model;
        EXPECT_LT(drifts[0].lean, 5e-3) << model;
        EXPECT_LT(drifts[0].turn, 2e-2) << model;
        EXPECT_LT(drifts[1].energy, 0.6 * drifts[0].energy) << model;  // first order
        EXPECT_LT(drifts[1].radius, 0.6 * drifts[0].radius) << model;
        EXPECT_LT(drifts[1].lean, 0.6 * drifts[0].lean) << model;
        EXPECT_LT(drifts[1].turn, 0.6 * drifts[0].turn) << model;
    }
}

// Where the coin is after a second and how it lies, against the closed form of steady rolling: order
// one.
TEST(Rolling, ACoinApproachesItsClosedFormAtFirstOrder) {
    const SteadyCoin coin = steady_coin();
    const Vec3 place(kCircle * std::cos(coin.rate), kCircle * std::sin(coin.rate), coin.height);
    const Vec3 lies(std::cos(kCoinLean) * std::cos(coin.rate),
                    std::cos(kCoinLean) * std::sin(coin.rate), std::sin(kCoinLean));
    for (const std::string_view model : kContactModelNames) {
        if (model == "max_dissipation") continue;  // below
        std::array<double, 2> off{}, turned{};
        for (const std::size_t k : {0U, 1U}) {
            const double h = k == 0 ? 1e-3 : 5e-4;
            Simulation sim = rolling_coin(model, h, 1);
            take_steps(sim, static_cast<int>(std::lround(1 / h)));
            off[k] = (sim.state.pose[1].p - place).norm();
            turned[k] = (sim.state.pose[1].q * Vec3::UnitZ() - lies).norm();
        }
        const double order = std::log2(off[0] / off[1]), of_axis = std::log2(turned[0] / turned[1]);
        std::printf(
            "coin, %-16s off by %.2e m at 1 ms, %.2e m at 0.5 ms: order %.2f; its axis by "
            "%.2e, %.2e: order %.2f\n",
            std::string(model).c_str(), off[0], off[1], order, turned[0], turned[1], of_axis);
        EXPECT_NEAR(order, 1, 0.25) << model;
        EXPECT_NEAR(of_axis, 1, 0.25) << model;
    }
}

// max_dissipation grants no more normal impulse than there would be without friction, kappa. A coin
// leans on friction: without it, it would slide from under itself and press with less than its
// weight. So this model cannot carry it, and it falls.
TEST(Rolling, MaxDissipationLacksTheNormalImpulseToCarryALeaningCoin) {
    Simulation ice = rolling_coin("max_dissipation", 1e-3, 0);
    Simulation rough = rolling_coin("max_dissipation", 1e-3, 1);
    Simulation exact = rolling_coin("coulomb_cone", 1e-3, 1);
    for (Simulation* sim : {&ice, &rough, &exact}) take_steps(*sim, 1);
    const double weight = kCoinMass * kGravity * 1e-3;
    std::printf(
        "coin: first c_n/(m g h): %.4f without friction, %.4f max_dissipation, %.4f "
        "coulomb_cone\n",
        ice.frame.solution.c_n[0] / weight, rough.frame.solution.c_n[0] / weight,
        exact.frame.solution.c_n[0] / weight);
    EXPECT_GT(exact.frame.solution.c_n[0], 1.2 * ice.frame.solution.c_n[0]);
    EXPECT_NEAR(rough.frame.solution.c_n[0], ice.frame.solution.c_n[0], 1e-6 * weight);
    take_steps(rough, 2000);
    EXPECT_LT(rough.state.pose[1].p.z(), 0.05);  // it stood at 0.096
}

}  // namespace
}  // namespace stiction
