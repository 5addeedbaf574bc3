// trajectory_sample.h - the data of a trajectory, shared by its writers and readers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/types.h"
#include "model/state.h"

namespace stiction {

struct ContactForce {
    int body_a = kNone;
    int body_b = kNone;
    Vec3 point = Vec3::Zero();   // where it acts, at the start of the step [m]
    Vec3 normal = Vec3::Zero();  // from B into A
    Vec3 force = Vec3::Zero();   // on A, mean over the step, world [N]
    double gap = 0;              // at the start of the step [m]
};

// State after a step, and the contact forces of that step.
struct TrajectorySample {
    std::int64_t step = 0;
    double time = 0;  // [s]
    std::vector<Pose> pose;
    std::vector<Twist> twist;
    std::vector<JointCoordinate> joints;
    std::vector<ContactForce> contacts;
};

struct TrajectoryHeader {
    std::string
        scene;  // name, contact model and step size [s]: not in CSV files, there empty and 0
    std::string model;
    double h = 0;
    std::vector<std::string> bodies;  // names
    std::vector<std::string> joints;
    std::string narrowphase = {};  // empty in CSV files, and in those of before there was a choice
};

struct Trajectory {
    TrajectoryHeader header;
    std::vector<TrajectorySample> samples;
};

}  // namespace stiction
