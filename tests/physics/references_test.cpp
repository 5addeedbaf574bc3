// Motions with a closed form or with equations of their own, integrated independently by RK4 to far
// below the errors compared, and the order at which the steps approach them over the first second.
// Later, most of them are chaotic. (The rolling coin is in rolling_test, with its order.)
#include <gtest/gtest.h>

#include <functional>

#include "physics/chain.h"
#include "scene/scene_files.h"
#include "scene_runs.h"

namespace stiction {
namespace {

constexpr double kG = 9.81;

using Rate = std::function<VecX(double, const VecX&)>;

VecX by_rk4(const Rate& rate, VecX y, double time, int steps) {
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {
        const double t = i * h;
        const VecX k1 = rate(t, y), k2 = rate(t + h / 2, y + h / 2 * k1);
        const VecX k3 = rate(t + h / 2, y + h / 2 * k2), k4 = rate(t + h, y + h * k3);
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return y;
}

// Prints the errors at h and h/2 and the order between them, which must be near `order`.
void expect_order(const char* what, const std::function<double(double)>& error, double h,
                  double order, double slack = 0.25) {
    const double coarse = error(h), fine = error(h / 2);
    std::printf("%-36s error %.2e at %g ms, %.2e at %g ms: order %.2f\n", what, coarse, 1e3 * h,
                fine, 500 * h, std::log2(coarse / fine));
    EXPECT_NEAR(std::log2(coarse / fine), order, slack) << what;
}

void take(Simulation& sim, double time) {
    const auto steps = std::lround(time / sim.settings.h);
    for (int i = 0; i < steps; ++i) ASSERT_EQ(step(sim), StepOutcome::kDone);
}

constexpr Integrator kFirst = Integrator::kSymplecticEuler, kSecond = Integrator::kMidpoint;

// Angles of a chain's links from straight down: sum_j c_ij cos(a_i - a_j) a_j'' + I_i a_i'' =
// -sum_j c_ij sin(a_i - a_j) a_j'^2 - g_i sin a_i, with c_ij and g_i from levers l and l/2.
VecX chain_rate(int n, double l, const VecX& y) {
    MatX H(n, n);
    VecX f(n);
    const auto lever = [&](int i, int b) { return b == i ? l / 2 : l; };
    for (int i = 0; i < n; ++i) {
        f[i] = 0;
        for (int b = i; b < n; ++b) f[i] -= kG * lever(i, b) * std::sin(y[i]);
        for (int j = 0; j < n; ++j) {
            double c = 0;
            for (int b = std::max(i, j); b < n; ++b) c += lever(i, b) * lever(j, b);
            H(i, j) = c * std::cos(y[i] - y[j]) + (i == j ? (l * l + 1e-4) / 12 : 0);
            f[i] -= c * std::sin(y[i] - y[j]) * y[n + j] * y[n + j];
        }
    }
    VecX rate(2 * n);
    rate << y.tail(n), H.llt().solve(f);
    return rate;
}

// From rest at these angles.
Vec3 chain_end(const VecX& angles, double l, double time) {
    const auto n = static_cast<int>(angles.size());
    VecX y(2 * n);
    y << angles, VecX::Zero(n);
    y = by_rk4([&](double, const VecX& x) { return chain_rate(n, l, x); }, y, time, 10000);
    Vec3 end = Vec3::Zero();
    for (int i = 0; i < n; ++i) end -= l * Vec3(-std::sin(y[i]), 0, std::cos(y[i]));
    return end;
}

// Turns the links of a chain at rest to their angles.
void place_links(const VecX& angles, double l, State& state) {
    Vec3 hinge = Vec3::Zero();
    for (std::size_t i = 0; i < state.pose.size(); ++i) {
        const double a = angles[static_cast<Eigen::Index>(i)];
        const Vec3 along(std::sin(a), 0, -std::cos(a));
        state.pose[i] = {hinge + 0.5 * l * along, Quat(Eigen::AngleAxisd(-a, Vec3::UnitY()))};
        hinge += l * along;
    }
}

void expect_chain(const char* what, const VecX& angles, double time, double h) {
    const Chain chain{.links = static_cast<int>(angles.size())};
    const Vec3 expected = chain_end(angles, chain.length, time);
    for (const bool reduced : {true, false}) {
        for (const Integrator integrator : {kFirst, kSecond}) {
            const auto error = [&](double step_size) {
                Chain c = chain;
                c.reduced = reduced;
                c.h = step_size;
                c.integrator = integrator;
                Simulation sim = hanging(c);
                place_links(angles, c.length, sim.state);
                take(sim, time);
                return (free_end(sim, c.length) - expected).norm();
            };
            const std::string name = std::string(what) + (reduced ? ", reduced, " : ", maximal, ") +
                                     (integrator == kFirst ? "Euler" : "midpoint");
            expect_order(name.c_str(), error, h, integrator == kFirst ? 1 : 2, 0.35);
        }
    }
}

TEST(References, DoublePendulum) {
    expect_chain("double pendulum", VecX::Constant(2, 1.5), 1.0, 2.5e-4);
}

TEST(References, SwingingChain) {
    expect_chain("chain of five", VecX::Constant(5, 1.5), 0.5, 5e-4);
}

// A chain that is folded in the middle, its free end beside its anchor, and let go: the end is pulled
// along by what hangs already, and falls farther than a stone.
TEST(References, FallingChain) {
    VecX angles(9);
    angles << 0, 0, 0, 0, M_PI / 2, M_PI, M_PI, M_PI, M_PI;
    constexpr double time = 0.35;
    const double fallen = -chain_end(angles, Chain{}.length, time).z();
    std::printf("falling chain: its end falls %.4f m in %g s, a stone %.4f m\n", fallen, time,
                0.5 * kG * time * time);
    EXPECT_GT(fallen, 1.01 * 0.5 * kG * time * time);
    expect_chain("falling chain", angles, time, 2.5e-4);
}

// A top on a tip that a spherical joint holds, in regular precession:
// A W^2 cos(lean) - C w_3 W + m g l = 0.
TEST(References, SpinningTop) {
    constexpr double m = 0.5, l = 0.06, across = 4e-4, along = 6e-4, lean = 0.5, w_3 = 120;
    constexpr double A = across + m * l * l;
    const double c = std::cos(lean);
    const double rate =
        (along * w_3 - std::sqrt(along * along * w_3 * w_3 - 4 * A * m * kG * l * c)) / (2 * A * c);
    const auto error = [&](bool reduced, Integrator integrator, double h) {
        Model model;
        model.materials.push_back({"default", {}});
        Body body;
        body.mass = m;
        body.inertia_B = Vec3(across, across, along).asDiagonal();
        model.bodies.push_back(body);
        Joint joint;
        joint.kind = JointKind::kSpherical;
        joint.child = 0;
        joint.reduced = reduced;
        joint.frame_C.p = Vec3(0, 0, -l);
        model.joints.push_back(joint);
        finalize(model);
        State state;
        const Quat q(Eigen::AngleAxisd(lean, Vec3::UnitY()));
        const Vec3 axis = q * Vec3::UnitZ();
        const Vec3 w = rate * Vec3::UnitZ() + (w_3 - rate * c) * axis;
        state.pose.push_back({l * axis, q});
        state.twist.push_back({w.cross(l * axis), w});
        StepSettings settings;
        settings.h = h;
        settings.integrator = integrator;
        Simulation sim = make_simulation(model, state, {}, NoSlip{}, settings, 1);
        take(sim, 1.0);
        const Vec3 now = sim.state.pose[0].q * Vec3::UnitZ();
        const Vec3 expected(std::sin(lean) * std::cos(rate), std::sin(lean) * std::sin(rate), c);
        return (now - expected).norm();
    };
    for (const bool reduced : {true, false}) {
        for (const Integrator integrator : {kFirst, kSecond}) {
            const std::string name = std::string("top, ") + (reduced ? "reduced, " : "maximal, ") +
                                     (integrator == kFirst ? "Euler" : "midpoint");
            expect_order(
                name.c_str(), [&](double h) { return error(reduced, integrator, h); }, 1e-3,
                integrator == kFirst ? 1 : 2, 0.4);
        }
    }
}

// A rod upside down on a pivot that shakes at 50 Hz by 1 cm: it stands.
TEST(References, KapitzaPendulum) {
    constexpr double l = 0.1, f = 50, speed = 0.01 * 2 * M_PI * f, start = M_PI - 0.2;
    constexpr double inertia = l * l / 4 + (l * l + 1e-4) / 12;
    const Rate rate = [&](double t, const VecX& y) {
        const double lift = speed * 2 * M_PI * f * std::cos(2 * M_PI * f * t);
        return VecX(Eigen::Vector2d(y[1], -l / 2 * (kG + lift) * std::sin(y[0]) / inertia));
    };
    const double expected = by_rk4(rate, Eigen::Vector2d(start, 0), 1.0, 100000)[0];
    EXPECT_LT(std::abs(expected - M_PI), 0.4);
    const auto error = [&](Integrator integrator, double h) {
        Simulation sim = hanging(
            {.links = 1, .reduced = false, .h = h, .angle = start, .integrator = integrator});
        Model model = sim.model;
        Body pivot;
        pivot.kind = BodyKind::kKinematic;
        model.bodies.push_back(pivot);
        model.joints[0].parent = 1;
        finalize(model);
        State state = sim.state;
        state.pose.emplace_back();
        state.twist.emplace_back();
        Controls controls;
        KinematicMotion motion;
        motion.body = 1;
        motion.velocity.v = Vec3(0, 0, speed);
        motion.wave.frequency = f;
        controls.motions.push_back(motion);
        sim = make_simulation(model, state, controls, NoSlip{}, sim.settings, 1);
        take(sim, 1.0);
        const Vec3 down = sim.state.pose[0].q * Vec3(0, 0, -1);
        return std::abs(std::remainder(std::atan2(down.x(), -down.z()) - expected, 2 * M_PI));
    };
    expect_order(
        "Kapitza pendulum, Euler", [&](double h) { return error(kFirst, h); }, 1.25e-4, 1, 0.3);
    expect_order(
        "Kapitza pendulum, midpoint", [&](double h) { return error(kSecond, h); }, 2.5e-4, 2, 0.3);
}

// A tippe top: a ball of radius R that spins on the ground, its centre of mass a below its own
// centre, with viscous friction. e is the unit vector from the centre of mass to the centre, r = a
// e - R z the lever of the contact, and the normal force N what keeps the height at R - a e_z.
struct TippeTop {
    double m = 0.02, R = 0.02, a = 0.004, A = 3.0e-6, C = 3.2e-6, mu = 0.3, lean = 0.1, spin = 100;

    // y = (v_x, v_y, w, e).
    [[nodiscard]] VecX rate(const VecX& y) const {
        const Vec3 w = y.segment<3>(2), e = y.segment<3>(5).normalized(), z = Vec3::UnitZ();
        const Vec3 r = a * e - R * z;
        const Vec3 v(y[0], y[1], -a * w.cross(e).z());
        const Vec3 slip = v + w.cross(r);
        const Vec3 drag(-mu * slip.x(), -mu * slip.y(), 0);
        const auto turned = [&](const Vec3& x) {
            return Vec3(x / A + (1 / C - 1 / A) * e.dot(x) * e);
        };
        const Vec3 L = A * w + (C - A) * e.dot(w) * e;
        const Vec3 without = turned(r.cross(drag) - w.cross(L)), by_normal = turned(r.cross(z));
        const double N = (kG - a * (without.cross(e) + w.cross(w.cross(e))).z()) /
                         (1 / m + a * by_normal.cross(e).z());
        VecX d(8);
        d << drag.x() / m, drag.y() / m, without + N * by_normal, w.cross(e);
        return d;
    }

    [[nodiscard]] Vec3 axis_at_start() const { return {std::sin(lean), 0, std::cos(lean)}; }

    [[nodiscard]] Vec3 axis_after(double time) const {
        VecX y(8);
        y << 0, 0, spin * axis_at_start(), axis_at_start();
        return by_rk4([&](double, const VecX& x) { return rate(x); }, y, time, 50000)
            .tail<3>()
            .normalized();
    }

    [[nodiscard]] Vec3 simulated(double h, double time) const {
        const std::string text =
            "version: 1\ncontact: {model: viscous}\nstep: {h: " + exactly(h) +
            "}\nmaterials: {default: {friction: 0, viscous: " + exactly(mu) +
            "}}\nbodies:\n  - {name: ground, kind: static, shape: {type: plane}}\n"
            "  - {name: top, mass: " +
            exactly(m) + ", com: [0, 0, " + exactly(-a) + "], inertia: [" + exactly(A) + ", " +
            exactly(A) + ", " + exactly(C) + "], shape: {type: sphere, radius: " + exactly(R) +
            "}}\n";
        Scene scene = SceneFiles().load(text);
        const Vec3 e = axis_at_start();
        scene.state.pose[1] = {Vec3(0, 0, R) - a * e, Quat::FromTwoVectors(Vec3::UnitZ(), e)};
        scene.state.twist[1] = {Vec3::Zero(), spin * e};
        Simulation sim = simulate(scene, scene.contact);
        take(sim, time);
        return sim.state.pose[1].q * Vec3::UnitZ();
    }
};

TEST(References, TippeTop) {
    const TippeTop top;
    const Vec3 expected = top.axis_after(1);
    EXPECT_LT(expected.z(), 0.9);  // from 0.995: it is on its way to its head
    std::printf("tippe top: leans by %.2f rad after 1 s\n", std::acos(expected.z()));
    expect_order(
        "tippe top", [&](double h) { return (top.simulated(h, 1) - expected).norm(); }, 2.5e-4, 1,
        0.3);
}

// Swinging Atwood machine: a mass m swings on a rope whose other end carries M, which goes up and
// down. (m + M) r'' = m r a'^2 + m g cos a - M g,   ((m r^2 + I) a')' = -m g r sin a. The rope is a
// slide on a hinged arm, and the other end's slide mimics it; I is the inertia of arm and mass.
TEST(References, SwingingAtwoodMachine) {
    constexpr double m = 1, M = 0.5, r_0 = 0.5, a_0 = 1.2, I = 2e-3;
    const Rate rate = [&](double, const VecX& y) {
        const double r = y[0], a = y[1], v = y[2], w = y[3];
        VecX d(4);
        d << v, w, (m * r * w * w + m * kG * std::cos(a) - M * kG) / (m + M),
            (-m * kG * r * std::sin(a) - 2 * m * r * v * w) / (m * r * r + I);
        return d;
    };
    const VecX expected = by_rk4(rate, Eigen::Vector4d(r_0, a_0, 0, 0), 1.0, 100000);
    const auto error = [&](Integrator integrator, double h) {
        Model model;
        model.materials.push_back({"default", {}});
        State state;
        const Quat turn(Eigen::AngleAxisd(-a_0, Vec3::UnitY()));
        const Quat to_y(Eigen::AngleAxisd(-M_PI / 2, Vec3::UnitX()));
        const Quat down(Eigen::AngleAxisd(M_PI, Vec3::UnitX()));
        const auto add = [&](double mass, const Pose& pose, JointKind kind, int parent,
                             const Pose& frame_P, const Pose& frame_C) {
            Body body;
            body.mass = mass;
            body.inertia_B = 1e-3 * Mat3::Identity();
            Joint joint;
            joint.kind = kind;
            joint.child = static_cast<int>(model.bodies.size());
            joint.parent = parent;
            joint.frame_P = frame_P;
            joint.frame_C = frame_C;
            joint.reduced = true;
            model.bodies.push_back(body);
            model.joints.push_back(joint);
            state.pose.push_back(pose);
        };
        const Vec3 O = Vec3::Zero();
        add(0.1, {O, turn}, JointKind::kRevolute, kNone, {O, to_y}, {O, to_y});
        add(m, {turn * Vec3(0, 0, -r_0), turn}, JointKind::kPrismatic, 0, {O, down}, {O, down});
        add(M, {Vec3(1, 0, -r_0), Quat::Identity()}, JointKind::kPrismatic, kNone,
            {Vec3(1, 0, 0), down}, {O, down});
        model.joints[2].mimic = Mimic{1, -1, 2 * r_0};
        state.twist.resize(3);
        finalize(model);
        StepSettings settings;
        settings.h = h;
        settings.integrator = integrator;
        Simulation sim = make_simulation(model, state, {}, NoSlip{}, settings, 1);
        take(sim, 1.0);
        const Vec3 end = expected[0] * Vec3(std::sin(expected[1]), 0, -std::cos(expected[1]));
        return (sim.state.pose[1].p - end).norm();
    };
    expect_order(
        "swinging Atwood machine, Euler", [&](double h) { return error(kFirst, h); }, 1e-3, 1);
    expect_order(
        "swinging Atwood machine, midpoint", [&](double h) { return error(kSecond, h); }, 2e-3, 2);
}

}  // namespace
}  // namespace stiction
