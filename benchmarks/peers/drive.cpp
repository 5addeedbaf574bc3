// drive.cpp - the drivers of drive.h: steps in blocks of five or ten, measures in between.
#include "drive.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::peers {

namespace {

double now(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Only the stepping itself is on the clock. False: the cap is reached.
bool advance(Sim& sim, int count, Run& run) {
    const double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    int done = 0;
    while (done < count && run.wall + now(CLOCK_MONOTONIC) - wall < 4 * run.cap) {
        sim.step();
        ++done;
    }
    run.cpu += now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    run.wall += now(CLOCK_MONOTONIC) - wall;
    run.capped = done < count || run.cpu > run.cap;
    run.steps += done;
    run.contacts += sim.contacts();
    ++run.samples;
    *run.shared = {run.steps, run.cpu, run.wall};
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

struct Overlaps {
    double sum = 0, max = 0;
    int touching = 0;
    void add(double depth) {
        if (depth <= 0) return;
        sum += depth;
        max = std::max(max, depth);
        ++touching;
    }
};

Overlaps overlaps(const Sim& sim, int n) {
    using granular::kHalf, granular::kRadius;
    std::vector<Vec> all;
    Overlaps result;
    for (int i = 0; i < n; ++i) {
        const Vec p = sim.position(i);
        result.add(kRadius - p.z);
        result.add(kRadius - (kHalf - std::fabs(p.x)));
        result.add(kRadius - (kHalf - std::fabs(p.y)));
        for (const Vec& q : all) {
            const double distance = length({p.x - q.x, p.y - q.y, p.z - q.z});
            if (distance < 2 * kRadius) result.add(2 * kRadius - distance);
        }
        all.push_back(p);
    }
    return result;
}

Vec momentum(const Sim& sim, int n) {
    Vec p;
    for (int i = 0; i < n; ++i) {
        const Vec v = sim.velocity(i);
        p.x += granular::kMass * v.x;
        p.y += granular::kMass * v.y;
        p.z += granular::kMass * v.z;
    }
    return p;
}

void measure_end_of_granular(const Sim& sim, int n, Run& run) {
    using granular::kHalf;
    double energy = 0, fastest = 0;
    int outside = 0;
    for (int i = 0; i < n; ++i) {
        const double v = length(sim.velocity(i)), w = length(sim.spin(i));
        energy += 0.5 * granular::kMass * v * v + 0.5 * granular::kInertia * w * w;
        fastest = std::max(fastest, v);
        const Vec p = sim.position(i);
        if (!(std::fabs(p.x) < kHalf && std::fabs(p.y) < kHalf && p.z > 0)) ++outside;
    }
    run.set("end_kinetic_J", energy);
    run.set("end_momentum", length(momentum(sim, n)));
    run.set("end_fastest_m_s", fastest);
    run.set("outside", outside);
}

}  // namespace

void drive_grasp(Sim& sim, int k, Run& run) {
    while (run.steps < grasp::kSteps && advance(sim, 10, run)) {
        if (run.steps == 100) measure_grasp(sim, k, "0.1s", run);
    }
    const double slip = measure_grasp(sim, k, "end", run);
    run.set("dropped", slip < grasp::kSide / 2 ? 0 : 1);  // not a number counts as dropped
}

void drive_ramp(Sim& sim, double mu, Run& run) {
    const Vec d = ramp::downhill(), n = ramp::normal(), from = sim.position(0);
    double lift = 0, sink = 0;
    while (run.steps < ramp::kSteps && advance(sim, 5, run)) {
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
    while (run.steps < robot::kSteps && advance(sim, 10, run)) {
        const int since = run.steps - (robot::kSteps - robot::kLastSecond);
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

void drive_granular(Sim& sim, const granular::Variant& variant, Run& run) {
    const auto steps_in = [&](double span) {
        return static_cast<int>(std::lround(span / variant.dt));
    };
    const int total = steps_in(variant.span);
    const int tail = total - steps_in(granular::kSettled);
    const int fall = steps_in(0.05);  // still in free fall
    double tail_cpu = 0, tail_contacts = 0;
    int tail_samples = 0;
    Overlaps all;
    while (run.steps < total) {
        const double cpu = run.cpu, contacts = run.contacts;
        const bool in_tail = run.steps >= tail;
        if (!advance(sim, 10, run)) break;
        if (run.steps == fall) {
            const double wanted = variant.n * granular::kMass * kGravity * fall * variant.dt;
            Vec p = momentum(sim, variant.n);
            p.z += wanted;
            run.set("freefall_momentum_relerr", length(p) / wanted);
        }
        if (!in_tail) continue;
        tail_cpu += run.cpu - cpu;
        tail_contacts += run.contacts - contacts;
        if (tail_samples++ % 5 == 0) {
            const Overlaps o = overlaps(sim, variant.n);
            all.sum += o.sum;
            all.touching += o.touching;
            all.max = std::max(all.max, o.max);
        }
    }
    if (tail_samples > 0) {
        const int measured = (tail_samples + 4) / 5;
        const double mean = all.touching > 0 ? all.sum / all.touching : 0;
        run.set("settled_steps_per_cpu_s", 10 * tail_samples / tail_cpu);
        run.set("settled_contacts", tail_contacts / tail_samples);
        run.set("settled_touching", static_cast<double>(all.touching) / measured);
        run.set("mean_penetration_pct", 100 * mean / granular::kRadius);
        run.set("max_penetration_pct", 100 * all.max / granular::kRadius);
    }
    measure_end_of_granular(sim, variant.n, run);
}

}  // namespace stiction::peers
