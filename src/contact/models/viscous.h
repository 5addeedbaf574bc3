// viscous.h - purely viscous friction [D15, section IV], at the velocity level or at the
// acceleration level.
//
// Velocity level: friction is taken at the velocity at the end of the step.
//
//   M (v+ - v) = h f + J'c_j + N'c_n - h (S'mu_v S + T'mu_v T) v+
//   0 <= c_n  _|_  N v+ + bias >= 0
//
// A tangential row with c_s = -h mu_v S v+ is a soft row of the convex program of pivoting.h, with
// compliance 1 / (h mu_v): no matrix M + h (S'mu_v S + T'mu_v T) is formed, and a stiff mu_v is as
// harmless as an infinite one (no_slip). mu_v [N s/m] acts per contact, at those that touch: four
// corners brake four times as much as one.
//
// Acceleration level: forces instead of impulses, integrated by RK4 (step/acceleration_problem.h).
// Of fourth order where contacts do not change, but explicit: it blows up from about
// h mu_v n_c / m = 2.8 on.
#pragma once

#include <array>
#include <string_view>

namespace stiction {

// ppm, lemke: the paper's two, on the normals alone (routes/ppm_rows.h).
enum class ViscousSolver { kAuto, kSparsePpm, kActiveSetQp, kBlockPivot, kPgs, kPpm, kLemke };
inline constexpr std::array<std::string_view, 7> kViscousSolverNames = {
    "auto", "sparse_ppm", "active_set_qp", "block_pivot", "pgs", "ppm", "lemke"};

enum class ViscousLevel { kVelocity, kAcceleration };
inline constexpr std::array<std::string_view, 2> kViscousLevelNames = {"velocity", "acceleration"};

struct Viscous {
    ViscousLevel level = ViscousLevel::kVelocity;
    ViscousSolver solver = ViscousSolver::kAuto;
    double tolerance = 1e-10;  // on velocities, relative to the fastest free link velocity [-]
    int max_iterations = 0;    // changes of the active set per island; 0: the solver's own limit
    bool fail_first = false;   // pretend that the first solver failed, to test what follows then

    bool operator==(const Viscous&) const = default;
};

}  // namespace stiction
