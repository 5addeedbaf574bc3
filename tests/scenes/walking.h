// walking.h - the four-legged robot on its way: how far it gets, how it holds itself, how its feet
// slip.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include "problem/link_motion.h"
#include "scene_runs.h"

namespace stiction {

inline constexpr std::size_t kFeet = 4;
inline constexpr double kFootRadius = 0.01;  // [m]

inline std::array<std::size_t, kFeet> shanks_of(const Model& model) {
    std::array<std::size_t, kFeet> shanks{};
    for (std::size_t i = 0; i < kFeet; ++i) {
        shanks[i] = body_named(model, "shank_" + std::to_string(i));
    }
    return shanks;
}

// Centre of the ball at the end of a shank, in its frame.
inline Vec3 foot_of(const Model& model, std::size_t shank) {
    for (const Geom& geom : model.geoms) {
        if (geom.body == static_cast<int>(shank) && std::holds_alternative<Sphere>(geom.shape))
            return geom.pose_BG.p;
    }
    ADD_FAILURE() << model.bodies[shank].name << " has no foot";
    return Vec3::Zero();
}

struct Walk {
    double distance = 0;                         // of the torso along x [m]
    double side = 0;                             // along y [m]
    double least_height = 1e9, most_height = 0;  // of the torso over its lowest foot [m]
    double least_upright = 1;                    // z of the torso's up axis
    double slide = 0;  // speed of feet over the ground, mean over those that press [m/s]
    double contacts_mean = 0;
    std::size_t contacts_max = 0;
    int unsolved = 0;  // steps
    bool finished = false;
};

// The first half second, in which the robot takes up its posture, counts for distance and contacts
// alone.
inline Walk walk(const Scene& scene, const ContactModel& model, double time) {
    constexpr double kSettled = 0.5;  // [s]
    Simulation sim = simulate(scene, model);
    const std::size_t torso = body_named(sim.model, "torso");
    const auto shanks = shanks_of(sim.model);
    const Vec3 foot = foot_of(sim.model, shanks[0]);
    const auto steps = static_cast<int>(std::lround(time / scene.step.h));
    Walk walk;
    double pressing = 0;
    for (int i = 0; i < steps; ++i) {
        if (step(sim) != StepOutcome::kDone) return walk;
        const Frame& frame = sim.frame;
        walk.unsolved += frame.solution.status != SolveStatus::kSolved;
        walk.contacts_mean += static_cast<double>(frame.problem.contacts.size()) / steps;
        walk.contacts_max = std::max(walk.contacts_max, frame.problem.contacts.size());
        if (sim.state.time < kSettled) continue;
        double lowest = 1e9;
        for (const std::size_t shank : shanks) {
            lowest = std::min(lowest, (sim.state.pose[shank] * foot).z());
        }
        const double height = sim.state.pose[torso].p.z() - lowest;
        walk.least_height = std::min(walk.least_height, height);
        walk.most_height = std::max(walk.most_height, height);
        walk.least_upright = std::min(walk.least_upright, sim.state.pose[torso].R()(2, 2));
        for (std::size_t j = 0; j < frame.problem.contacts.size(); ++j) {
            if (frame.solution.c_n[j] <= 0) continue;
            const ContactRow& row = frame.problem.contacts[j];
            const Vec6 u = link_velocity(
                frame.problem.system,
                frame.problem.system.links[static_cast<std::size_t>(row.link)], frame.solution.v);
            walk.slide += std::hypot(row.s.dot(u), row.t.dot(u));
            pressing += 1;
        }
    }
    walk.slide /= std::max(pressing, 1.0);
    walk.distance = sim.state.pose[torso].p.x() - scene.state.pose[torso].p.x();
    walk.side = sim.state.pose[torso].p.y() - scene.state.pose[torso].p.y();
    walk.finished = true;
    return walk;
}

inline void print(const std::string& label, const Walk& walk) {
    std::printf(
        "%-28s %.3f m forward, %.3f m aside, torso %.3f to %.3f m over its feet, upright %.3f, "
        "feet slide at %.2g m/s; contacts %.2f, at most %zu (the paper: 6, at most 30); "
        "%d steps unsolved\n",
        label.c_str(), walk.distance, walk.side, walk.least_height, walk.most_height,
        walk.least_upright, walk.slide, walk.contacts_mean, walk.contacts_max, walk.unsolved);
}

// Neither sits down nor falls over. The hips are wanted 0.17 m above the feet.
inline void expect_on_its_feet(const Walk& walk) {
    EXPECT_TRUE(walk.finished);
    EXPECT_EQ(walk.unsolved, 0);
    EXPECT_GT(walk.least_height, 0.12);
    EXPECT_LT(walk.most_height, 0.21);
    EXPECT_GT(walk.least_upright, 0.9);
}

// ---- slip, from poses alone
//
// A foot is a ball. It rolls without slip when its centre C moves with C' = r w x n. Over a step
// in which the shank turns by the rotation vector a (from the two orientations) that is
//
//   dC = r a x n,
//
// exactly so on a plane at a constant rate of turning. It says that the contact point's way on the
// ground, dC, and its way on the ball, r a x n, are the same vector: the ball's surface is rolled
// off on the ground. What is left of dC within the tangent plane,
//
//   s = (1 - n n') dC - r a x n,
//
// is slip. It is also the displacement of the material point that touches at the start of the step,
// but for r (|a| - sin |a|) = r |a|^3 / 6, by which that point moves on in pure rolling (it is on a
// cycloid): less than 1e-10 m per step. The solver makes the velocity of that point zero at the
// start of the step; joints then turn by finite angles, so dC misses h C' by terms of h^2, and the
// slip of a stance is of first order in h.

struct Stance {
    double slip = 0;     // |sum of s|: how far the foothold has moved [m]
    double path = 0;     // sum of |s| [m]
    double overlap = 0;  // deepest at the start of a step [m]
    int steps = 0;
};

// The stances between `from` and `time`: steps in a row in which a foot presses.
inline std::vector<Stance> stances(const Scene& scene, const ContactModel& model, double from,
                                   double time) {
    Simulation sim = simulate(scene, model);
    const auto shanks = shanks_of(sim.model);
    std::array<Stance, kFeet> now{};
    std::array<Vec3, kFeet> sum{};
    std::vector<Stance> result;
    std::array<Pose, kFeet> before{};
    while (sim.state.time < time) {
        for (std::size_t f = 0; f < kFeet; ++f) before[f] = sim.state.pose[shanks[f]];
        const bool counts = sim.state.time >= from;
        if (step(sim) != StepOutcome::kDone) {
            ADD_FAILURE() << describe_failure(sim);
            return result;
        }
        for (std::size_t f = 0; f < kFeet; ++f) {
            // Of several contacts of a foot the one that presses most.
            const Contact* touch = nullptr;
            double most = 0, overlap = 0;
            for (std::size_t j = 0; j < sim.frame.contacts.contacts.size(); ++j) {
                const Contact& contact = sim.frame.contacts.contacts[j];
                if (contact.body_a != static_cast<int>(shanks[f])) continue;
                overlap = std::max(overlap, -contact.phi);
                if (sim.frame.solution.c_n[j] <= most) continue;
                most = sim.frame.solution.c_n[j];
                touch = &contact;
            }
            if (touch == nullptr || !counts) {
                if (now[f].steps > 0) result.push_back(now[f]);
                now[f] = {};
                sum[f].setZero();
                continue;
            }
            const Pose after = sim.state.pose[shanks[f]];
            const Vec3 centre = touch->p_A + kFootRadius * touch->n;
            const Vec3 moved = after * (before[f].inverse() * centre) - centre;
            const Eigen::AngleAxisd turn(after.q * before[f].q.conjugate());
            const Vec3 rolled = kFootRadius * (turn.angle() * turn.axis()).cross(touch->n);
            const Vec3 s = moved - touch->n * touch->n.dot(moved) - rolled;
            sum[f] += s;
            now[f].slip = sum[f].norm();
            now[f].path += s.norm();
            now[f].overlap = std::max(now[f].overlap, overlap);
            ++now[f].steps;
        }
    }
    return result;
}

}  // namespace stiction
