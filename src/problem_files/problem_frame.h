// problem_frame.h - one step's contact problem as plain data, as a dataset holds it
// (docs/datasets.md): bodies, joints and contacts in maximal coordinates, which any program can
// read, and beside them the step as it was solved.
//
//   M (v+ - v) = h f + J'c_j + [N S T]'c,   J v+ + rate = 0,   N v+ + phi/h >= 0 where phi > 0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "contact/contact_model.h"
#include "contact/island/guess.h"
#include "core/status.h"
#include "core/types.h"
#include "metrics/contact_quality.h"
#include "problem/contact_problem.h"
#include "problem/step_settings.h"

namespace stiction {

struct FrameBody {
    Vec3 p = Vec3::Zero();        // centre of mass, world [m]
    Quat q = Quat::Identity();    // of the body in the world
    Twist twist;                  // at the start of the step, world
    Vec3 force = Vec3::Zero();    // gravity included [N]
    Vec3 torque = Vec3::Zero();   // gyroscopic torque included [N m]
    double mass = 0;              // [kg]
    Mat3 inertia = Mat3::Zero();  // world axes [kg m^2]
    bool active = true;           // otherwise it moves as prescribed, or not at all
};

// One scalar row of a joint: J_a v_a + J_b v_b + rate = 0 unless its multiplier is at a bound.
struct FrameRow {
    Vec6 J_a = Vec6::Zero();  // linear, angular
    Vec6 J_b = Vec6::Zero();
    double violation = 0;  // position error, or distance to a limit [m or rad]
    double rate = 0;       // what the row's velocity has besides J v [m/s or rad/s]
    double lo = -std::numeric_limits<double>::infinity();  // of the multiplier [N or N m]
    double hi = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool is_joint() const {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        return lo == -kInfinity && hi == kInfinity;
    }
    [[nodiscard]] bool is_limit() const {
        return lo == 0 && hi == std::numeric_limits<double>::infinity();
    }
};

struct FrameJoint {
    int a = kNone, b = kNone;  // bodies; kNone: the world
    std::vector<FrameRow> rows;
};

struct FrameContact {
    int a = kNone, b = kNone;  // bodies; kNone: the world. The normal points from b into a
    Vec3 p = Vec3::Zero();     // world [m]
    Vec3 n = Vec3::Zero();     // unit, world
    double gap = 0;            // negative: overlap [m]
    double mu = 0;             // Coulomb [-]
};

// A step with all that its solve depended on: the same model gives the same bits again.
struct RecordedStep {
    std::int64_t step = 0;  // its number, from 1
    double time = 0;        // at its end [s]
    ContactProblem problem;
    ContactModel model;
    NarrowphaseKind narrowphase = NarrowphaseKind::kExact;  // that found the contacts
    double restitution_threshold = 0;                       // [m/s]
    Guess guess;                                            // before the step
    bool contradicted = false;  // ContactWorkspace::contradicted before the step
};

struct FrameAnswer {
    std::string name;    // MODEL.SOLVER as asked for
    std::string solver;  // that answered
    SolveStatus status = SolveStatus::kSolved;
    int iterations = 0;
    double residual = 0;                // of the model's own law [-]
    double seconds = 0;                 // of the solve stage [s]
    std::vector<Twist> velocities;      // per body of the frame, after the step
    VecX v;                             // generalized velocities after the step
    std::vector<double> c_n, c_s, c_t;  // per contact [N s]
    std::vector<double> c_j, c_l, c_b;  // per row of the recorded step [N s]
    std::vector<Vec3> s, t;             // tangents, per contact
    ContactQuality quality;
};

struct ProblemFrame {
    double h = 0;  // [s]
    std::vector<FrameBody> bodies;
    std::vector<FrameJoint> joints;
    std::vector<FrameContact> contacts;
    std::optional<RecordedStep> step;  // of frames that this program wrote
    std::vector<FrameAnswer> answers;
    std::vector<std::string> remarks;  // what the reader had to decide
};

}  // namespace stiction
