// drive.cpp - the drivers of drive.h: steps in blocks of five or ten, measures in between.
#include "drive.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "overlap.h"

namespace stiction::peers {

namespace {

double now(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

int steps_in(double span, double dt) { return static_cast<int>(std::lround(span / dt)); }

void plan(int steps, double dt, Run& run) {
    run.total = run.span > 0 ? std::max(1, steps_in(run.span, dt)) : steps;
}

// Only the stepping itself is on the clock. False: the cap is reached.
bool advance(Sim& sim, int count, Run& run) {
    count = std::min(count, run.total - run.steps);
    const double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    run.shared->deadline = cpu + std::max(run.cap - run.cpu, 0.0);
    constexpr double kLong = 0.1;  // a block that takes longer is watched step by step [s]
    int done = 0;
    while (done < count) {
        const double gone = now(CLOCK_MONOTONIC) - wall;
        if (run.wall + gone > 4 * run.cap) break;
        if (gone > kLong && run.cpu + now(CLOCK_PROCESS_CPUTIME_ID) - cpu > run.cap) break;
        sim.step();
        ++done;
    }
    run.cpu += now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    run.wall += now(CLOCK_MONOTONIC) - wall;
    run.capped = done < count || run.cpu > run.cap;
    run.steps += done;
    run.contacts += sim.contacts();
    ++run.samples;
    constexpr int kParts = 50;
    while (run.steps * kParts >= run.total * static_cast<int>(run.curve.size() + 1)) {
        run.curve.push_back(run.cpu);
    }
    run.shared->deadline = 0;
    run.shared->steps = run.steps;
    run.shared->cpu = run.cpu;
    return !run.capped;
}

double length(const Vec& a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }

// How far objects slid down between the grippers, how deep faces overlap.
double measure_grasp(const Sim& sim, int k, const std::string& when, Run& run) {
    const double level = 0.5 * (sim.position(0).z + sim.position(k + 1).z);
    double slip = 0, overlap = 0;
    for (int i = 1; i <= k; ++i) slip = std::max(slip, std::fabs(sim.position(i).z - level));
    for (int i = 0; i <= k; ++i) {
        overlap = std::max(overlap, grasp::kSide - (sim.position(i + 1).x - sim.position(i).x));
    }
    run.set("slip_mm_" + when, 1e3 * slip);
    run.set("penetration_mm_" + when, 1e3 * overlap);
    return slip;
}

Vec momentum(const Sim& sim, const Pile& pile) {
    Vec p;
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        const Vec v = sim.velocity(static_cast<int>(i));
        const double mass = pile.bodies[i].mass;
        p.x += mass * v.x;
        p.y += mass * v.y;
        p.z += mass * v.z;
    }
    return p;
}

void measure_end_of_pile(const Sim& sim, const Pile& pile, Run& run) {
    double energy = 0, fastest = 0, moved = 0;
    int outside = 0;
    for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
        const auto body = static_cast<int>(i);
        const double v = length(sim.velocity(body));
        energy += 0.5 * pile.bodies[i].mass * v * v;
        fastest = std::max(fastest, v);
        const Vec p = sim.position(body), from = pile.bodies[i].p;
        moved = std::max(moved, length({p.x - from.x, p.y - from.y, p.z - from.z}));
        const bool inside =
            std::all_of(pile.planes.begin(), pile.planes.end(), [&](const Pile::Plane& plane) {
                const Vec& n = plane.normal;
                return n.x * p.x + n.y * p.y + n.z * p.z > plane.offset;  // false where NaN
            });
        if (!inside) ++outside;
    }
    run.set("end_kinetic_J", energy);  // of the centres of mass
    run.set("end_momentum", length(momentum(sim, pile)));
    run.set("end_fastest_m_s", fastest);
    run.set("moved_mm", 1e3 * moved);  // since the start
    run.set("outside", outside);
}

}  // namespace

void drive_grasp(Sim& sim, int k, Run& run) {
    plan(grasp::kSteps, grasp::kDt, run);
    while (run.steps < run.total && advance(sim, 10, run)) {
        if (run.steps == 100) measure_grasp(sim, k, "0.1s", run);
    }
    const double slip = measure_grasp(sim, k, "end", run);
    run.set("dropped", slip < grasp::kSide / 2 ? 0 : 1);  // not a number counts as dropped
}

void drive_ramp(Sim& sim, double mu, Run& run) {
    const Vec d = ramp::downhill(), n = ramp::normal(), from = sim.position(0);
    double lift = 0, sink = 0;
    plan(ramp::kSteps, ramp::kDt, run);
    while (run.steps < run.total && advance(sim, 5, run)) {
        const Vec p = sim.position(0);
        const double up = (p.x - from.x) * n.x + (p.z - from.z) * n.z;
        lift = std::max(lift, up);
        sink = std::max(sink, -up);
    }
    const Vec p = sim.position(0), v = sim.velocity(0);
    const double moved = (p.x - from.x) * d.x + (p.z - from.z) * d.z;
    const double speed = v.x * d.x + v.z * d.z;
    const double a = kGravity * (std::sin(ramp::kAngle) - mu * std::cos(ramp::kAngle));
    run.set("moved_um", 1e6 * moved);
    run.set("lift_um", 1e6 * lift);  // highest the cube rose off the ramp, and
    run.set("sink_um", 1e6 * sink);  // deepest it went in
    run.set("speed_m_s", speed);
    if (a > 0) {
        run.set("speed_relerr", speed / (a * run.steps * ramp::kDt) - 1);
    } else {
        run.set("creep_um", 1e6 * std::fabs(moved));
    }
}

void drive_robot(Sim& sim, Run& run) {
    constexpr int kFeet = 4;
    std::array<Vec, kFeet> anchor;
    double slip = 0;
    plan(robot::kSteps, robot::kDt, run);
    while (run.steps < run.total && advance(sim, 10, run)) {
        const int since = run.steps - std::max(run.total - robot::kLastSecond, 10);
        if (since < 0) continue;
        for (int foot = 0; foot < kFeet; ++foot) {
            const Vec p = sim.position(foot);
            Vec& start = anchor[static_cast<std::size_t>(foot)];
            if (since == 0) start = p;
            slip = std::max(slip, std::hypot(p.x - start.x, p.y - start.y));
        }
    }
    run.set("foot_slip_mm", 1e3 * slip);
    run.set("torso_z", sim.position(kFeet).z);
    run.set("torso_speed_m_s", length(sim.velocity(kFeet)));
}

void drive_pile(Sim& sim, const Pile& pile, double span, Run& run) {
    plan(steps_in(span, pile.dt), pile.dt, run);
    const int settled = std::min(steps_in(kSettled, pile.dt), run.total / 2);
    const int tail = run.total - settled;
    const int fall = steps_in(0.05, pile.dt);  // granular: still in free fall
    constexpr int kMeasured = 50;              // of the whole run
    const int stride = std::max(1, run.total / kMeasured);
    double tail_cpu = 0, tail_contacts = 0;
    int tail_samples = 0, tail_measured = 0, tail_steps = 0, next = stride;
    Overlaps all, at_rest;
    while (run.steps < run.total) {
        const double cpu = run.cpu, contacts = run.contacts;
        const int steps = run.steps;
        const bool in_tail = run.steps >= tail;
        if (!advance(sim, 10, run)) break;
        if (run.steps == fall) {
            double mass = 0;
            for (const Pile::Body& body : pile.bodies) mass += body.mass;
            const double wanted = mass * kGravity * fall * pile.dt;
            Vec p = momentum(sim, pile);
            p.z += wanted;
            run.set("freefall_momentum_relerr", length(p) / wanted);
        }
        const bool measured = run.steps >= next || run.steps == run.total;
        const Overlaps now_in = measured ? overlaps(sim, pile) : Overlaps{};
        if (measured) next = run.steps + stride;
        all.add(now_in);
        if (!in_tail) continue;
        tail_cpu += run.cpu - cpu;
        tail_contacts += run.contacts - contacts;
        tail_steps += run.steps - steps;
        ++tail_samples;
        tail_measured += measured;
        at_rest.add(now_in);
    }
    if (tail_samples > 0) {
        run.set("settled_steps_per_cpu_s", tail_steps / tail_cpu);
        run.set("settled_contacts", tail_contacts / tail_samples);
        run.set("settled_touching",
                static_cast<double>(at_rest.touching) / std::max(1, tail_measured));
        run.set("mean_penetration_pct", at_rest.mean());
        run.set("max_penetration_pct", at_rest.max);
    }
    run.set("run_mean_penetration_pct", all.mean());
    run.set("run_max_penetration_pct", all.max);
    measure_end_of_pile(sim, pile, run);
}

}  // namespace stiction::peers
