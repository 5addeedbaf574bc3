// collide_bench.cpp - the stage `collide` alone on piles of 1000 to 10,000 bodies, with one and more
// threads: collide_bench --help. The pile is a face-centred lattice whose bodies touch but for a random
// part of their size; in every call they have moved a little, as while they settle. The wall time is
// the median of the calls.
#include <malloc.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "collide/collide.h"
#include "core/random.h"
#include "core/thread_pool.h"

namespace stiction {
namespace {

constexpr double kRadius = 0.05;  // [m]
constexpr double kJitter = 0.02;  // of the radius: how far bodies stand from their places
constexpr double kMove = 1e-4;    // of the radius, in a call
constexpr double kSpeed = 0.02;   // [m/s], at most in each direction
constexpr double kStep = 1e-3;    // [s]
constexpr int kCalls = 101;

struct Pile {
    Model model;
    State state;
};

Pile make_pile(int count, const std::string& shape) {
    Pile pile;
    Random random(1);
    pile.model.bodies.emplace_back().kind = BodyKind::kStatic;
    pile.model.geoms.emplace_back().shape = Plane{};
    pile.model.geoms.back().body = 0;
    pile.state.pose.emplace_back();
    const double spacing = std::sqrt(2.0) * kRadius;
    const int side = static_cast<int>(std::ceil(std::cbrt(2.0 * count)));
    for (int k = 0; static_cast<int>(pile.model.bodies.size()) <= count; ++k) {
        const int x = k % side, y = k / side % side, z = k / side / side;
        if ((x + y + z) % 2 != 0) continue;
        Body body;
        body.mass = 1;
        body.inertia_B = 1e-3 * Mat3::Identity();
        Geom geom;
        geom.body = static_cast<int>(pile.model.bodies.size());
        if (shape == "spheres") geom.shape = Sphere{kRadius};
        if (shape == "boxes") geom.shape = Box{Vec3::Constant(0.8 * kRadius)};
        if (shape == "capsules") geom.shape = Capsule{0.7 * kRadius, 0.5 * kRadius};
        pile.model.bodies.push_back(body);
        pile.model.geoms.push_back(geom);
        Pose pose;
        const auto jitter = [&] { return kJitter * kRadius * random.uniform(-1, 1); };
        pose.p = spacing * Vec3(x, y, z) + Vec3(jitter(), jitter(), kRadius + jitter());
        const double angle = random.uniform(0, 0.5 * M_PI);
        pose.q = Quat(Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()));
        pile.state.pose.push_back(pose);
    }
    pile.state.twist.resize(pile.state.pose.size());
    for (std::size_t b = 1; b < pile.state.twist.size(); ++b)
        for (int i = 0; i < 3; ++i) pile.state.twist[b].v[i] = kSpeed * random.uniform(-1, 1);
    finalize(pile.model);
    return pile;
}

double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Of the heap [byte].
double used() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

void measure(int count, const std::string& shape, int threads, double& wall_of_one) {
    Pile pile = make_pile(count, shape);
    const double before = used();
    Narrowphase narrowphase(pile.model);
    ThreadPool pool(threads);
    ContactSet set;
    narrowphase.collide(pile.model, pile.state, kStep, set, NarrowphaseKind::kExact, &pool);
    Random random(2);
    double cpu = 0, contacts = 0;
    std::vector<double> times;
    for (int call = 0; call < kCalls; ++call) {
        for (Pose& pose : pile.state.pose)
            for (int i = 0; i < 3; ++i) pose.p[i] += kMove * kRadius * random.uniform(-1, 1);
        const double cpu_before = seconds(CLOCK_PROCESS_CPUTIME_ID);
        const double wall_before = seconds(CLOCK_MONOTONIC);
        narrowphase.collide(pile.model, pile.state, kStep, set, NarrowphaseKind::kExact, &pool);
        times.push_back(seconds(CLOCK_MONOTONIC) - wall_before);
        cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_before;
        contacts += static_cast<double>(set.contacts.size());
    }
    std::nth_element(times.begin(), times.begin() + kCalls / 2, times.end());
    const double wall = times[kCalls / 2];
    if (threads == 1) wall_of_one = wall;
    std::printf("%-9s %6d %8d %10.0f %12.3f %12.1f %10.2f %12.2f\n", shape.c_str(), count, threads,
                contacts / kCalls, 1e3 * wall, 1e9 * cpu / contacts, wall_of_one / wall,
                (used() - before) / 1024 / count);
}

}  // namespace
}  // namespace stiction

int main(int argc, char** argv) {
    CLI::App app{"Times the collision stage alone on piles, exact narrowphase"};
    std::vector<int> counts = {1000, 4000, 10000};
    std::vector<std::string> shapes = {"spheres", "boxes", "capsules"};
    std::vector<int> threads = {1, 2};
    app.add_option("--counts", counts, "bodies")->delimiter(',');
    app.add_option("--shapes", shapes, "spheres, boxes, capsules")->delimiter(',');
    app.add_option("--threads", threads, "numbers of threads; 1 first")->delimiter(',');
    CLI11_PARSE(app, argc, argv);
    std::printf("%-9s %6s %8s %10s %12s %12s %10s %12s\n", "shape", "bodies", "threads", "contacts",
                "wall ms", "CPU ns/cont.", "gain", "KiB/body");
    for (const std::string& shape : shapes) {
        for (const int count : counts) {
            double one = 0;
            for (const int n : threads) stiction::measure(count, shape, n, one);
        }
    }
    return 0;
}
