// ghost.cpp - steps a second simulation and measures how far apart the two are.
#include "live/ghost.h"

#include <cmath>

#include "step/simulation.h"

namespace stiction {

Ghost::Ghost(std::int64_t id, const ContactModel& contact, const Simulation& sim,
             std::optional<NarrowphaseKind> narrowphase, int parts)
    : id_(id),
      narrowphase_(narrowphase),
      parts_(parts),
      sim_(
          make_simulation(sim.model, sim.state, sim.controls, contact, sim.settings, sim.threads)) {
    if (narrowphase_) sim_.settings.narrowphase = *narrowphase_;
}

void Ghost::restart(const Simulation& sim) {
    sim_.state = sim.state;
    switch_contact_model(sim_, sim_.contact_model);
    clear_record();
    failure_.clear();
}

void Ghost::apply(const StepInputs& inputs, const Scene& scene, const SceneControls& controls) {
    StepInputs own = inputs;
    if (narrowphase_) own.step.narrowphase = *narrowphase_;
    own.step.h /= parts_;
    apply_inputs(own, scene, controls, sim_);
}

void Ghost::step(const StepInputs& inputs, const Scene& scene) {
    if (!failure_.empty()) return;
    double seconds = 0;  // of all parts
    for (int part = 0; part < parts_; ++part) {
        apply_drag(inputs, scene, sim_);
        if (stiction::step(sim_) != StepOutcome::kDone) {
            failure_ = describe_failure(sim_);
            return;
        }
        seconds += sim_.frame.step_seconds;
    }
    record_ = make_step_record(sim_);
    add_step_times(sim_, record_);
    record_.step_seconds = seconds;
    compare_contacts(inputs.step.narrowphase);
}

void Ghost::compare_contacts(NarrowphaseKind of_scene) {
    difference_.reset();
    if (of_scene == sim_.settings.narrowphase) return;
    if (!reference_) reference_.emplace(sim_.model);
    reference_->collide(sim_.model, sim_.before, sim_.settings.h, reference_contacts_, of_scene);
    difference_ = contact_difference(reference_contacts_, sim_.frame.contacts);
}

void Ghost::store(HistoryEntry& entry) const {
    entry.ghost_id = failure_.empty() ? id_ : 0;
    if (!failure_.empty()) return;
    entry.ghost.state = sim_.state;
    entry.ghost.guess = sim_.guess;
}

bool Ghost::restore(const HistoryEntry& entry) {
    if (entry.ghost_id != id_) return false;
    sim_.state = entry.ghost.state;
    sim_.guess = entry.ghost.guess;
    failure_.clear();
    return true;
}

void Ghost::store(Moment& moment) const {
    moment.state = failure_.empty() ? sim_.state : State{};
    moment.guess = sim_.guess;
}

void Ghost::restore(const Moment& moment) {
    sim_.state = moment.state;
    sim_.guess = moment.guess;
    failure_.clear();
}

void Ghost::fill(const Simulation& scene, GhostView& view) const {
    view.contact = sim_.contact_model;
    view.state = sim_.state;
    view.record = record_;
    view.failure = failure_;
    view.contacts = difference_;
    view.distance_max = view.distance_rms = 0;
    view.furthest = kNone;
    double squares = 0;
    int count = 0;
    for (std::size_t i = 0; i < scene.model.bodies.size(); ++i) {
        if (scene.model.bodies[i].kind != BodyKind::kDynamic) continue;
        const double d = (scene.state.pose[i].p - sim_.state.pose[i].p).norm();
        squares += d * d;
        ++count;
        if (!(d > view.distance_max)) continue;
        view.distance_max = d;
        view.furthest = static_cast<int>(i);
    }
    if (count > 0) view.distance_rms = std::sqrt(squares / count);
}

}  // namespace stiction
