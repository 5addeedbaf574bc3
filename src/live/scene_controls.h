// scene_controls.h - the numbers of a scene that may be changed while it runs, as one list:
// targets, gains and friction of joints, forces and targets of scripts, strength of prescribed
// motions, parameters of gaits.
//
// Most act at once. Parameters of gaits move to what is asked for at a limited rate, so that feet
// do not jump, and the phase of a gait goes on from where it is when its period changes.
#pragma once

#include <vector>

#include "control/controls.h"
#include "live/snapshot.h"
#include "model/model.h"

namespace stiction {

class SceneControls {
  public:
    SceneControls(const Model& model, const Controls& controls);  // of the scene's start

    // Names, units and ranges; values are those of the scene.
    [[nodiscard]] const std::vector<Control>& list() const { return list_; }

    // Values that act at the start: one per control, then the phase of each gait.
    [[nodiscard]] std::vector<double> start() const;
    // What a control becomes when this is asked for: gains, friction and gaits stay in their range.
    [[nodiscard]] double allowed(std::size_t control, double value) const;
    // Whether it acts at once.
    [[nodiscard]] bool at_once(std::size_t control) const { return places_[control].rate <= 0; }
    // Moves the acting values of the others towards what is asked for (one per control), for the
    // step of size h that starts at `time`; tells whether anything changed.
    bool approach(const std::vector<double>& asked, double time, double h,
                  std::vector<double>& acting) const;

    // Writes acting values into a model's joints, into scripts and gaits.
    void apply(const std::vector<double>& acting, Model& model, Controls& controls) const;

  private:
    enum class Kind {
        kMotorTarget,
        kMotorKp,
        kMotorKd,
        kMotorForce,
        kFriction,
        kDamping,
        kJointForce,
        kJointTarget,
        kBodyForce,
        kSpring,
        kMotion,
        kGait
    };
    struct Place {
        Kind kind = Kind::kMotorTarget;
        std::size_t index = 0;  // of the joint, script or gait
        int axis = 0;           // of a spring's target; which parameter of a gait
        double rate = 0;        // of its change at most [1/s]; 0: at once
    };

    void add(Place place, Control control);
    void add_motor_targets(const Model& model, const Controls& controls);
    void add_joint_forces(const Model& model, const Controls& controls);
    void add_body_forces(const Model& model, const Controls& controls);
    void add_springs(const Model& model, const Controls& controls);
    void add_motions(const Model& model, const Controls& controls);
    void add_gains(const Model& model, const Controls& controls);
    void add_gaits(const Controls& controls);

    Controls start_;
    std::vector<Control> list_;
    std::vector<Place> places_;
};

}  // namespace stiction
