// scene.h - a scene as read from YAML: all that a run starts from. docs/scene-format.md describes
// the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "contact/contact_model.h"
#include "control/controls.h"
#include "model/model.h"
#include "model/state.h"
#include "problem/step_settings.h"
#include "scene/quantity.h"

namespace stiction {

struct Camera {                  // for the window and for pictures
    Vec3 target = Vec3::Zero();  // [m]
    Vec3 eye{1, -2, 1};          // [m]
    bool given = false;          // by the file; otherwise what moves is framed
};

struct Scene {
    std::string path;
    std::string name;
    std::string description;                   // one line
    std::map<std::string, double> parameters;  // as used, after overrides
    std::uint64_t seed = 1;
    double duration = 1;  // simulated time of a run unless the command line says otherwise [s]
    Model model;
    State state;
    Controls controls;
    ContactModel contact;
    StepSettings step;
    Camera camera;
    std::vector<std::vector<Quantity>> plots;  // graphs of the window, each with its lines
    std::vector<std::string> warnings;         // with their place: what was found wrong and helped
    std::vector<std::string> files;            // that were read for it
};

struct SceneOverrides {
    std::vector<std::pair<std::string, std::string>> parameters;  // --set key=value
    bool has_seed = false;
    std::uint64_t seed = 0;
};

// Throws InputError: file:line:column: path: what is wrong; what was expected; nearest valid name.
[[nodiscard]] Scene load_scene(const std::string& path, const SceneOverrides& overrides = {});

// The keys of `contact` and of `step` of a scene as a text of their own, "{model: no_slip, solver:
// ppm}", over what is there already. Throw InputError as above.
void read_contact_text(const std::string& text, ContactModel& contact);
void read_step_text(const std::string& text, StepSettings& step);

// Contact model and solver by name; empty: the scene's. Naming the scene's own model keeps the
// settings that the scene gives it. Throws InputError.
void choose_model(const std::string& model, const std::string& solver, Scene& scene);
void choose_narrowphase(const std::string& name, StepSettings& step);

struct SceneSummary {
    std::string path, name, description;
};
// The *.yaml scenes of a folder in alphabetical order. Files that do not load are listed with the
// error as description.
[[nodiscard]] std::vector<SceneSummary> list_scenes(const std::string& folder);

}  // namespace stiction
