// island_checks.h - what must hold of the answer to one island, measured from problem and answer
// alone (island_answer.h): nothing a solver says of itself is believed but its status.
//
// Every error is a velocity: impulses c are weighted with the inverse inertia w that their row sees.
// It may be
//
//   slack * tolerance * speed + rounding,     speed = max(|q|, fastest free link)
//
// `slack` is what lies between the norms that solvers use: largest error against Euclidean, over
// the fastest link or over |q|; pivoting itself allows ten times its tolerance.
//
// Energy: where bias and bL are >= 0, bJ and bB are 0 and no kinematic body moves, every law gives
//
//   1/2 v+'M v+ <= 1/2 v_free'M v_free
//
// when solved exactly, restitution included. An error e of a row is worth e (|c| + |u| / w), summed
// over the rows. Total energy would be no test: the potential of any pendulum gains O(h^2) a step.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "random/island_answer.h"

namespace stiction {

enum class Check {
    kFinite,            // state, velocities, impulses, residuals
    kCounted,           // totals of the step agree with the islands: no failure is lost
    kMomentum,          // solved: v+ is v_free and what the impulses do
    kMomentumUnsolved,  // the same where a solver gave up: its impulses are shown and warm-start
    kImpulses,          // solved: not larger than what the motion needs by orders of magnitude
    kImpulsesUnsolved,  // the same where a solver gave up
    kApproach,          // solved: no contact closes faster than its gap, no limit likewise
    kNormal,            // solved: impulses do not pull, and act only where contacts touch
    kJoint,             // solved: joint rows have the velocity they are to have
    kBounded,           // solved: motors and joint friction between their bounds, with their law
    kFriction,          // solved: the model's own law of friction
    kDissipation,       // solved: max_dissipation is within kappa and dissipates what it can
    kEnergySolved,      // solved: no kinetic energy is gained against v_free
    kEnergyUnsolved,    // the same where a solver gave up: what is committed must still be sound
    kProjection,        // a projection that gave up moves nothing farther than it may
    kSameBits,          // the same run twice
    kThreads,           // the same run on two threads
    kBack,              // steps taken back and again
    kReload,            // steps taken again from a saved state
    kTime,              // a step ends within kLongestStep
};
inline constexpr std::array<std::string_view, 20> kCheckNames = {
    "finite",        "counted",
    "momentum",      "momentum_unsolved",
    "impulses",      "impulses_unsolved",
    "approach",      "normal",
    "joint",         "bounded",
    "friction",      "dissipation",
    "energy_solved", "energy_unsolved",
    "projection",    "same_bits",
    "threads",       "back",
    "reload",        "time"};
[[nodiscard]] constexpr std::string_view name(Check check) {
    return kCheckNames[static_cast<std::size_t>(check)];
}

struct Violation {
    Check check = Check::kFinite;
    int step = 0;         // steps taken before it
    std::string model;    // by name
    std::string solver;   // that answered
    double measured = 0;  // > allowed, or NaN
    double allowed = 0;
    std::string detail;  // for people
};

// What there was to check: checks that never apply would never fail.
struct CheckedIslands {
    int all = 0;
    int solved = 0;       // held against the law of the model
    int dissipative = 0;  // no kinetic energy may be gained
    int rebounding = 0;   // restitution may have changed the answer: no law of friction
};

// Adds at most one violation per check, the worst, over the whole step.
void check_step(const CheckedStep& step, CheckedIslands& islands,
                std::vector<Violation>& violations);

}  // namespace stiction
