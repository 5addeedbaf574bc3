// scene_controls.h - the numbers of a scene that may be changed while it runs, as one list: targets
// of motors, forces and targets of scripts, strength of prescribed motions.
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

    // Writes one value per control into a model's motors and into scripts.
    void apply(const std::vector<double>& values, Model& model, Controls& controls) const;

  private:
    enum class Kind { kMotor, kJointForce, kJointTarget, kBodyForce, kSpring, kMotion };
    struct Place {
        Kind kind = Kind::kMotor;
        std::size_t index = 0;  // of the joint or script
        int axis = 0;           // of a spring's target
    };

    void add(Place place, Control control);
    void add_motors(const Model& model);
    void add_joint_forces(const Model& model, const Controls& controls);
    void add_body_forces(const Model& model, const Controls& controls);
    void add_springs(const Model& model, const Controls& controls);
    void add_motions(const Model& model, const Controls& controls);

    Controls start_;
    std::vector<Control> list_;
    std::vector<Place> places_;
};

}  // namespace stiction
