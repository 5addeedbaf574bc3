// step_settings.h - what a step is asked to do besides the contact model: size, drift correction,
// restitution, and who finds the contacts.
#pragma once

#include <array>
#include <string_view>

namespace stiction {

// What becomes of position drift (overlap at contacts, joints come apart, limits passed).
enum class Stabilisation { kOff, kBaumgarte, kStewartTrinkle, kProjection };

inline constexpr std::array<std::string_view, 4> kStabilisationNames = {
    "none", "baumgarte", "stewart_trinkle", "projection"};

[[nodiscard]] constexpr std::string_view name(Stabilisation s) {
    return kStabilisationNames[static_cast<std::size_t>(s)];
}

// How positions and velocities are advanced (integrate/integrate.h, step/midpoint.h).
enum class Integrator { kSymplecticEuler, kMidpoint };

inline constexpr std::array<std::string_view, 2> kIntegratorNames = {"symplectic_euler",
                                                                     "midpoint"};

[[nodiscard]] constexpr std::string_view name(Integrator i) {
    return kIntegratorNames[static_cast<std::size_t>(i)];
}

// Whose answer the contacts are (collide/collide.h): own closed forms, or Bullet's algorithms.
enum class NarrowphaseKind { kExact, kBullet };

inline constexpr std::array<std::string_view, 2> kNarrowphaseNames = {"exact", "bullet"};

[[nodiscard]] constexpr std::string_view name(NarrowphaseKind n) {
    return kNarrowphaseNames[static_cast<std::size_t>(n)];
}

// Rebounds of contacts that meet in one step: all at one moment (contact/restitution.h), or one after
// another (contact/impacts.h).
enum class Impacts { kSimultaneous, kSequential };

inline constexpr std::array<std::string_view, 2> kImpactsNames = {"simultaneous", "sequential"};

[[nodiscard]] constexpr std::string_view name(Impacts i) {
    return kImpactsNames[static_cast<std::size_t>(i)];
}

struct StepSettings {
    double h = 1e-3;  // step size [s]
    Integrator integrator = Integrator::kSymplecticEuler;
    Stabilisation stabilisation = Stabilisation::kProjection;
    double baumgarte = 0.2;             // zeta: share of the drift removed per step [-]
    double baumgarte_max_speed = 1.0;   // v_max of the bias [m/s or rad/s]
    double max_depenetration = 1.0;     // fastest that projection parts overlapping bodies [m/s]
    double joint_tolerance = 1e-3;      // beyond which a joint counts as torn [m]
    double restitution_threshold = -1;  // approach speed that rebounds [m/s]; negative: 2 g h
    Impacts impacts = Impacts::kSimultaneous;
    // At the acceleration level: a step is cut where a gap closes (step/acceleration_step.h).
    bool events = false;
    double time_budget = 0;  // wall-clock time of a step [s]; 0: none. Gives up bit-identical runs
    NarrowphaseKind narrowphase = NarrowphaseKind::kExact;

    bool operator==(const StepSettings&) const = default;
};

}  // namespace stiction
