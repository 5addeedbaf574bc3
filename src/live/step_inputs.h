// step_inputs.h - all that a person can change about a step. With the state and the warm starts
// before it, it says which bits come out: steps that were gone back can be taken again.
#pragma once

#include <optional>
#include <vector>

#include "contact/contact_model.h"
#include "live/drag.h"
#include "live/live_settings.h"
#include "live/scene_controls.h"
#include "problem/step_settings.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace stiction {

struct StepInputs {
    ContactModel contact;
    StepSettings step;
    std::optional<double> mu_c, mu_v, eps;  // of all pairs of materials; empty: the scene's
    std::vector<double> controls;           // that act (live/scene_controls.h)
    std::optional<Drag> drag;

    bool operator==(const StepInputs&) const = default;
};

// Throws InputError: what is wrong.
void check_settings(const LiveSettings& settings);

// Writes the inputs but for the contact model and the drag into `sim`. What a change leaves alone
// is the scene's. Another narrowphase drops the warm starts.
void apply_inputs(const StepInputs& inputs, const Scene& scene, const SceneControls& controls,
                  Simulation& sim);

// Another model drops the warm starts; other parameters of the same model keep them.
void apply_contact(const ContactModel& contact, Simulation& sim);

// The drag's force for the step that starts now, as the last of the body forces; returns it (zero
// without a drag).
Vec3 apply_drag(const StepInputs& inputs, const Scene& scene, Simulation& sim);

void apply_threads(int threads, Simulation& sim);

}  // namespace stiction
