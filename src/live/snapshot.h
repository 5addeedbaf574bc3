// snapshot.h - a consistent view of a scene between two steps: everything the window shows of it,
// as plain data that no step changes any more.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contact/contact_model.h"
#include "live/live_settings.h"
#include "metrics/contact_difference.h"
#include "metrics/contact_quality.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_solution.h"
#include "record/step_record.h"

namespace stiction {

enum class ContactState { kOpen, kSticking, kSliding };  // open: carries no force

struct ShownContact {
    int body_a = kNone, body_b = kNone;
    Vec3 point = Vec3::Zero();           // world, at the start of the step [m]
    Vec3 normal = Vec3::Zero();          // unit, from B into A
    Vec3 normal_force = Vec3::Zero();    // on A, mean over the step, world [N]
    Vec3 friction_force = Vec3::Zero();  // the same
    Vec3 slip = Vec3::Zero();            // tangential velocity of A against B after the step [m/s]
    double gap = 0;                      // at the start of the step [m]
    double mu_c = 0;
    ContactState state = ContactState::kOpen;
    int island = kNone;
    ContactErrors errors;  // where the quality was measured
};

// What drives a joint, in the step that led to the state; forces are means over it [N m or N].
struct ShownDrive {
    Motor::Kind kind = Motor::Kind::kOff;
    double target = 0;    // of its motor [rad/s or m/s; rad or m]
    double most = 0;      // force that the motor may use; infinite where nothing bounds it
    double force = 0;     // of the motor
    double friction = 0;  // of friction and damping
};

// The same scene under another contact model, started from the same state and stepped along.
struct GhostView {
    ContactModel contact;
    State state;
    StepRecord record;
    double distance_max = 0;  // of body positions from the scene's own [m]
    double distance_rms = 0;
    int furthest = kNone;  // body
    // Where it has another narrowphase than the scene: its contacts of this step against those that
    // the scene's narrowphase finds at the ghost's state.
    std::optional<ContactDifference> contacts;
    std::string failure;  // why it stopped; empty while it runs
};

// The same scene beside this one, by the same clock.
struct PeerSettings {
    ContactModel contact;
    std::optional<NarrowphaseKind> narrowphase;  // empty: the scene's
    int parts = 1;                               // in which it takes a step of the scene

    bool operator==(const PeerSettings&) const = default;
};

struct PeerView {
    PeerSettings settings;
    GhostView ghost;
    std::vector<ShownContact> contacts;
};

// The first step after which two of the scene (0) and its peers (1 ...) moved differently: the body
// whose velocities differ most, and the contact of it whose forces do.
struct Parting {
    std::size_t a = 0, b = 0;
    std::int64_t step = 0;
    double t = 0;                        // [s]
    int body = kNone, other = kNone;     // kNone: no contact
    double speed = 0;                    // difference [m/s]
    Vec3 point = Vec3::Zero();           // of the contact [m]
    std::array<ContactState, 2> does{};  // of each
};

// Residual of the model's answer after so many iterations of the solver.
struct ConvergencePoint {
    int iterations = 0;
    double natural = 0;  // Coulomb residuals of metrics/contact_quality.h
    double scaled = 0;
    double own = 0;  // of the model's own law
};

struct Convergence {
    std::int64_t step = -1;  // of which it was traced; -1: of none
    std::string solver;      // that answered
    std::vector<ConvergencePoint> points;
};

// An answer to a frame of a dataset.
struct ShownAnswer {
    std::string name;     // MODEL.SOLVER as asked for
    std::string solver;   // that answered
    bool stored = false;  // with the frame; otherwise it was solved again here
    SolveStatus status = SolveStatus::kSolved;
    int iterations = 0;
    double residual = 0;     // of the model's own law [-]
    double seconds = 0;      // of the solve [s]
    double apart = 0;        // largest difference of velocities from the first; NaN: not comparable
    ContactQuality quality;  // without its entries per contact, which the contacts have
    std::vector<ShownContact> contacts;
};

struct FrameView {
    std::size_t frame = 0;  // from 0, in its file
    std::string name;       // of its group
    std::vector<ShownAnswer> answers;
    std::size_t shown = 0;  // of them
};

struct HistorySpan {
    std::int64_t at = 0;      // steps that Left can go back from here
    std::int64_t ahead = 0;   // steps that were gone back and not yet taken again
    std::int64_t length = 0;  // most that are kept, with this scene's size
};

// A number of the scene that may be changed while it runs: target of a motor, force of a script,
// speed of a gait.
struct Control {
    std::string name;
    std::string unit;
    double value = 0;
    double low = 0, high = 0;                 // sensible range of a slider
    int joint = kNone;                        // whose it is; kNone: of no joint
    int gait = kNone;                         // the same
    std::span<const std::string_view> names;  // not empty: of the values 0, 1 ...
};

struct DragView {
    int body = kNone;
    Vec3 point = Vec3::Zero();   // where the spring holds the body, world [m]
    Vec3 target = Vec3::Zero();  // its other end [m]
    Vec3 force = Vec3::Zero();   // of the last step [N]
};

struct Snapshot {
    std::int64_t scene_serial = 0;  // grows with every scene that is loaded
    std::int64_t epoch = 0;         // grows whenever the run is set back, or another one begins
    State state;
    bool stepped = false;   // record, contacts and quality belong to the step that led to `state`
    bool recorded = false;  // of a recording: nothing was solved or timed
    StepRecord record;
    LiveSettings settings;              // that act from the next step on
    std::string_view model;             // that made the last step
    std::vector<IslandResult> islands;  // how each was solved
    std::vector<int> island_of;         // per body, kNone where it has no contact or joint
    std::vector<ShownContact> contacts;
    std::vector<JointCoordinate> joints;
    std::vector<ShownDrive> drives;  // per joint; empty where they were not measured
    std::vector<Control> controls;
    ContactQuality quality;
    Convergence convergence;
    std::optional<GhostView> ghost;
    std::vector<PeerView> peers;
    std::vector<Parting> partings;
    std::optional<DragView> drag;
    std::optional<FrameView> frame;  // of a dataset; then `recorded` holds too
    HistorySpan history;
    double duration = 0;  // of a recorded run [s]; 0: goes on
    std::string failure;  // why the scene cannot go on (state not finite); empty otherwise
    std::string writing;  // what is being recorded, for the panel; empty when nothing is
    std::string write_error;
    std::string writing_frames;  // the same of a dataset
    std::string frames_error;
};

}  // namespace stiction
