// scene.cpp - reads a scene file from the top; lists a folder's scenes.
#include "scene/scene.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "scene/builder.h"
#include "scene/sources.h"

namespace stiction {
namespace {

// The combination rules fill the table in finalize(); explicit pairs win over them.
void finish_surfaces(const std::vector<PairOverride>& pairs, Model& model) {
    const std::size_t n = model.materials.size();
    for (const PairOverride& pair : pairs) {
        const auto a = at(pair.a);
        const auto b = at(pair.b);
        for (const std::size_t entry : {a * n + b, b * n + a}) {
            SurfacePair& surface = model.surface_pairs[entry];
            if (pair.friction >= 0) surface.mu_c = pair.friction;
            if (pair.viscous >= 0) surface.mu_v = pair.viscous;
            if (pair.restitution >= 0) surface.eps = pair.restitution;
        }
    }
}

// A model is never guessed: some file of the scene must name it.
void check_complete(const Node& main_root, const std::vector<Node>& roots, const Scene& scene) {
    const bool has_model = std::any_of(roots.begin(), roots.end(), [](const Node& root) {
        const auto contact = root.find("contact");
        return contact && contact->has("model");
    });
    if (!has_model) {
        main_root.fail(
            "contact.model is missing; expected viscous, no_slip, coulomb_lcp, "
            "max_dissipation, friction_box or coulomb_cone");
    }
    if (scene.model.bodies.empty()) {
        main_root.fail("the scene has no bodies; expected at least one under 'bodies' or 'robots'");
    }
}

// The key of `step`; the file itself where it stands in another one, which this includes.
Node key_of_step(const Node& root, const char* name) {
    const auto step = root.find("step");
    const auto key = step ? step->find(name) : step;
    return key ? *key : root;
}

void check_level(const Node& root, const Scene& scene) {
    const auto* viscous = std::get_if<Viscous>(&scene.contact);
    const bool acceleration = viscous != nullptr && viscous->level == ViscousLevel::kAcceleration;
    if (scene.step.events && !acceleration) {
        key_of_step(root, "events")
            .fail(
                "events are of contact: {model: viscous, level: acceleration}; velocity-level "
                "models take gaps that close within the step into account without cutting it");
    }
    if (acceleration && scene.step.integrator == Integrator::kMidpoint) {
        key_of_step(root, "integrator")
            .fail(
                "midpoint does not go with contact: level: acceleration, which has RK4 of its own; "
                "expected symplectic_euler");
    }
    if (acceleration && scene.step.impacts == Impacts::kSequential) {
        key_of_step(root, "impacts")
            .fail(
                "sequential does not go with contact: level: acceleration, whose impacts are "
                "inelastic; expected simultaneous");
    }
}

// A joint that finalize() does not grant its coordinate has no row that could hold it to another.
void check_mimics(const Node& root, const Model& model) {
    for (const Joint& joint : model.joints) {
        if (!joint.mimic) continue;
        const Joint& other = model.joints[at(joint.mimic->joint)];
        if (joint.reduced && other.reduced) continue;
        root.fail("joint '" + joint.name + "' mimics '" + other.name + "', but '" +
                  (joint.reduced ? other.name : joint.name) +
                  "' closes a loop or hangs on a kinematic body; expected joints of a tree");
    }
}

}  // namespace

Scene load_scene(const std::string& path, const SceneOverrides& overrides) {
    const Sources sources = read_sources(path);
    ReadBudget budget;
    const Scope parameters = read_parameters(sources, budget, overrides);

    Builder builder;
    Scene& scene = builder.scene;
    scene.path = path;
    scene.name = scene.model.name = std::filesystem::path(path).stem().string();
    scene.parameters = {parameters.values.begin(), parameters.values.end()};

    std::vector<Node> roots;
    for (const Document& document : sources) {
        scene.files.push_back(document.path);
        roots.emplace_back(document, budget, parameters);
        roots.back().only({"version",   "description", "include",   "parameters",     "gravity",
                           "duration",  "seed",        "camera",    "step",           "contact",
                           "collision", "groups",      "materials", "material_pairs", "coordinates",
                           "bodies",    "robots",      "joints",    "gaits",          "phases",
                           "forces",    "motions",     "plots"});
    }
    add_default_material(builder);
    for (const auto reader :
         {read_settings, read_groups, read_robot_groups, read_materials, read_material_pairs}) {
        for (const Node& root : roots) reader(root, builder);
    }
    if (overrides.has_seed) scene.seed = overrides.seed;
    for (const auto reader : {read_bodies, read_robots, read_joints, read_gaits, read_phases,
                              read_forces, read_motions, read_plots}) {
        for (const Node& root : roots) reader(root, builder);
    }
    check_complete(roots.back(), roots, scene);

    try {
        finalize(scene.model);
    } catch (const InputError& error) {
        throw InputError(path + ": " + error.what());
    }
    check_mimics(roots.back(), scene.model);
    check_level(roots.back(), scene);
    finish_surfaces(builder.pairs, scene.model);
    set_kinematic_twists(scene.model, scene.controls, scene.state);
    return std::move(builder.scene);
}

std::vector<SceneSummary> list_scenes(const std::string& folder) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
        throw InputError(folder + ": no such folder; expected a folder of scenes (.yaml)");
    }
    std::vector<SceneSummary> scenes;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (!entry.is_regular_file(error) || entry.path().extension() != ".yaml") continue;
        scenes.push_back({entry.path().string(), entry.path().stem().string(), ""});
    }
    std::sort(scenes.begin(), scenes.end(),
              [](const SceneSummary& a, const SceneSummary& b) { return a.name < b.name; });
    for (SceneSummary& scene : scenes) {
        try {
            scene.description = load_scene(scene.path).description;
        } catch (const InputError& failure) {
            scene.description = failure.what();
        }
    }
    return scenes;
}

}  // namespace stiction
