// energy_account.h - where the energy of a step came from and where it went.
//
// With v, v_free, v+ at the start, without rows and after them, M of the step, c the impulses of
// the rows and v~ = (v + v+)/2, the kinetic energy of the solve changes by exactly
//
//   1/2 v+'M v+ - 1/2 v'M v  =  v~'M (v_free - v)  +  v~'G'c  +  v~'(M (v+ - v_free) - G'c)
//                               forces                rows       impulses that do not fit
//
// Forces are scripts, damping, gravity and what the integrator takes as one (gyroscopic, Coriolis).
// Rows are contacts, joints and limits, motors, joint friction: each does work on the relative
// motion c g.u~, and prescribed motion the part -c g.u0 of it. Potential energy is a function of
// the positions. So
//
//   change of (kinetic + potential)  =  scripts + motors + prescribed + contact + joints
//                                       + joint_friction + damping + projection + integrator
//                                       + unexplained
//
//   projection   what moving the bodies changed, lift and spin
//   integrator   kinetic energy of the state after integrate() less 1/2 v+'M v+, plus the work of
//                the forces that are neither scripts nor damping, plus the change of potential:
//                of gravity alone m g.(v+ - v)h/2 a body, what symplectic Euler loses (its sum
//                over a motion that returns is zero);
//                and what it gains beyond that formula (the midpoint rule: beyond 0) is kept
//                beside the terms as integrator_excess
//   unexplained  the impulses that do not fit, and what an island has gained beyond its law
//                (contact/island/safety.h), which is taken out of `contact` (`joints` in an
//                island without contacts)
//
// Restitution is part of contact. At the acceleration level forces act in four stages: all but
// gravity and projection stands under `integrator` there.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "model/state.h"
#include "model/wrench.h"

namespace stiction {

struct Simulation;

// All in joules, positive: into the system.
struct EnergyAccount {
    double gravity = 0;  // work of gravity: potential energy that became kinetic, projection apart
    double scripts = 0;  // forces of the scene, PD by force, the mouse
    double motors = 0;
    double prescribed = 0;  // kinematic bodies
    double contact = 0;
    double joints = 0;  // their rows and limits
    double joint_friction = 0;
    double damping = 0;
    double projection = 0;
    double integrator = 0;
    double unexplained = 0;
    // Of `integrator`, what its formula does not give: a gain, over many steps, is energy from
    // nowhere as well. Not a term of the sum.
    double integrator_excess = 0;
    double least = 0;   // of a fall of all bodies by a micrometre: what is less is rounding
    int body = kNone;   // with the largest share of `unexplained`
    int mover = kNone;  // with the most kinetic energy: the integrator's doing if anyone's
};

// Columns of the tables and keys of the summaries.
struct AccountColumn {
    std::string_view name;
    double EnergyAccount::*value;
};
inline constexpr std::array<AccountColumn, 11> kAccountColumns = {{
    {"work_gravity", &EnergyAccount::gravity},
    {"work_scripts", &EnergyAccount::scripts},
    {"work_motors", &EnergyAccount::motors},
    {"work_prescribed", &EnergyAccount::prescribed},
    {"work_contact", &EnergyAccount::contact},
    {"work_joints", &EnergyAccount::joints},
    {"work_joint_friction", &EnergyAccount::joint_friction},
    {"work_damping", &EnergyAccount::damping},
    {"work_projection", &EnergyAccount::projection},
    {"work_integrator", &EnergyAccount::integrator},
    {"unexplained", &EnergyAccount::unexplained},
}};

// Kept between steps, so that the account allocates nothing.
struct AccountWorkspace {
    Energy moved;                  // after integrate(), before the projection
    State start;                   // of the step, with the twists of kinematic bodies
    std::vector<Wrench> wrench;    // of scripts, per body
    VecX mean, forces, rows, fit;  // v~, M (v_free - v), G'c, M (v+ - v_free)
};

// Kinetic energy with that of the drives (armature), and potential energy.
[[nodiscard]] Energy energy_with_drives(const Model& model, const State& state);

// Of the step that sim has just taken; ws.moved is set.
[[nodiscard]] EnergyAccount account_energy(const Simulation& sim, AccountWorkspace& ws);

}  // namespace stiction
