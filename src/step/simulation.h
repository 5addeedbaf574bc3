// simulation.h - a scene being stepped: the constant model, the changing state, and what is kept
// between steps.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "assemble/assemble.h"
#include "collide/collide.h"
#include "contact/impacts.h"
#include "contact/solve_contact.h"
#include "control/forces.h"
#include "core/deadline.h"
#include "core/thread_pool.h"
#include "integrate/integrate.h"
#include "integrate/joint_error.h"
#include "integrate/projection.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/contact_problem.h"
#include "problem/contact_solution.h"
#include "problem/step_settings.h"
#include "step/acceleration_step.h"
#include "step/energy_account.h"
#include "step/midpoint.h"
#include "step/stages.h"

namespace stiction {

// All data of one step, refilled by each: valid until the next step.
struct Frame {
    Deadline deadline;  // of the step, never unless a time budget is set
    Forces forces;
    ContactSet contacts;
    ContactProblem problem;
    ContactSolution solution;
    ProjectionResult projection;
    JointError joints;           // after the projection
    int fast_body = kNone;       // the first that was too fast (integrate.h)
    int midpoint_fallbacks = 0;  // groups of bodies that the midpoint rule left to symplectic Euler
    EnergyAccount account;       // where it is kept
    StageTimes seconds{};        // the record stage is that of the step before
    double step_seconds = 0;     // from the first stage to the last
};

enum class StepOutcome {
    kDone,
    kNotFinite,  // the state before the step was kept
};

// What the integrator could not do as it should, over all steps of a simulation so far.
struct MotionReport {
    std::int64_t midpoint_fallbacks =
        0;                             // groups of bodies left to symplectic Euler, over all steps
    std::int64_t fast_steps = 0;       // steps in which a body was too fast (integrate.h)
    std::int64_t first_fast_step = 0;  // the first of them, and its first such body
    int first_fast_body = kNone;
};

struct Simulation {
    Model model;
    State state;
    Controls controls;
    ContactModel contact_model;
    StepSettings settings;
    int threads = 1;
    bool keep_account = false;  // of energy, step by step

    Frame frame;
    Guess guess;
    Narrowphase narrowphase;
    ThreadPool pool;
    ContactWorkspace contact_workspace;
    ImpactWorkspace impacts;
    ProjectionWorkspace projection_workspace;
    AccelerationWorkspace acceleration;
    AssembleWorkspace assemble_workspace;
    IntegrateWorkspace integrate_workspace;
    MidpointWorkspace midpoint;
    MotionReport motion;
    AccountWorkspace account_workspace;
    State before;  // state at the start of the step
    State failed;  // the state that was not kept, after kNotFinite
};

[[nodiscard]] Simulation make_simulation(Model model, State state, Controls controls,
                                         ContactModel contact_model, const StepSettings& settings,
                                         int threads);

// Takes effect at the next step: the state stays, warm starts are dropped.
void switch_contact_model(Simulation& sim, const ContactModel& contact_model);
// The same for who finds the contacts: those of one narrowphase bear other names than the other's.
void switch_narrowphase(Simulation& sim, NarrowphaseKind narrowphase);

// One step of the pipeline (docs/pipeline.md). `observe` is called at the end of the step, timed as
// its record stage.
using Observer = std::function<void(const Simulation&)>;
StepOutcome step(Simulation& sim, const Observer& observe = nullptr);

// The first body whose state is not finite after the step that failed, for the message.
[[nodiscard]] std::string describe_failure(const Simulation& sim);

}  // namespace stiction
