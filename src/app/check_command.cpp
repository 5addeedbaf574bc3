// check_command.cpp - stiction check: validates a scene and says what it contains.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "collide/collide.h"
#include "core/error.h"
#include "core/printable.h"
#include "record/output_file.h"

namespace stiction {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> kBodyKinds = {"static", "kinematic", "dynamic"};
constexpr std::array<const char*, 5> kJointKinds = {"fixed", "revolute", "prismatic", "spherical",
                                                    "universal"};

struct CheckOptions {
    SceneOptions scene;
    std::string json;
};

Json count_forces(const Controls& controls) {
    return {{"body_forces", controls.body_forces.size()},
            {"body_springs", controls.body_springs.size()},
            {"joint_forces", controls.joint_forces.size()},
            {"motions", controls.motions.size()}};
}

// Everything that is printed, as one object: both outputs come from it.
Json describe(const Scene& scene) {
    std::map<std::string, int> kinds, shapes, joints;
    double mass = 0, lightest = 0, heaviest = 0;
    for (const Body& body : scene.model.bodies) {
        ++kinds[kBodyKinds[static_cast<std::size_t>(body.kind)]];
        if (body.kind != BodyKind::kDynamic) continue;
        mass += body.mass;
        heaviest = std::max(heaviest, body.mass);
        lightest = lightest == 0 ? body.mass : std::min(lightest, body.mass);
    }
    for (const Geom& geom : scene.model.geoms) ++shapes[std::string(name(geom.shape))];
    for (const Joint& joint : scene.model.joints)
        ++joints[kJointKinds[static_cast<std::size_t>(joint.kind)]];
    Json materials = Json::array();
    for (const Material& material : scene.model.materials) {
        materials.push_back({{"name", material.name},
                             {"friction", material.surface.mu_c},
                             {"viscous", material.surface.mu_v},
                             {"restitution", material.surface.eps}});
    }

    ContactSet contacts;
    Narrowphase(scene.model)
        .collide(scene.model, scene.state, scene.step.h, contacts, scene.step.narrowphase);
    double penetration = 0;
    for (const Contact& contact : contacts.contacts)
        penetration = std::max(penetration, -contact.phi);

    Json json;
    json["schema"] = 1;
    json["scene"] = scene.name;
    json["path"] = scene.path;
    json["description"] = scene.description;
    json["bodies"] = kinds;
    json["mass"] = {{"total", mass}, {"lightest", lightest}, {"heaviest", heaviest}};
    json["shapes"] = shapes;
    json["joints"] = joints;
    json["materials"] = materials;
    json["parameters"] = scene.parameters;
    json["seed"] = scene.seed;
    json["forces"] = count_forces(scene.controls);
    json["model"] = name(scene.contact);
    json["solver"] = solver_name(scene.contact);
    json["integrator"] = name(scene.step.integrator);
    json["stabilisation"] = name(scene.step.stabilisation);
    json["h"] = scene.step.h;
    json["duration"] = scene.duration;
    json["initial_contacts"] = contacts.contacts.size();
    json["initial_penetration"] = penetration;
    json["narrowphase"] = name(scene.step.narrowphase);
    json["bullet_pairs"] = contacts.bullet_pairs;
    return json;
}

// "3 box, 1 plane" of {"box": 3, "plane": 1}; "none" of {}.
std::string listed(const Json& counts) {
    std::string text;
    for (const auto& [key, count] : counts.items()) {
        if (count == 0) continue;
        text += (text.empty() ? "" : ", ") + count.dump() + " " + key;
    }
    return text.empty() ? "none" : text;
}

std::string number(const Json& value) { return fmt::format("{}", value.get<double>()); }

void line(const char* label, const std::string& text) {
    std::printf("%-13s %s\n", label, printable(text).c_str());
}

void print(const Json& scene) {
    line("scene",
         scene["scene"].get<std::string>() + " (" + scene["path"].get<std::string>() + ")");
    line("", scene["description"].get<std::string>());
    line("bodies", listed(scene["bodies"]));
    line("mass", number(scene["mass"]["total"]) + " kg; lightest body " +
                     number(scene["mass"]["lightest"]) + " kg, heaviest " +
                     number(scene["mass"]["heaviest"]) + " kg");
    line("shapes", listed(scene["shapes"]));
    line("joints", listed(scene["joints"]));
    for (const Json& material : scene["materials"]) {
        line("material", material["name"].get<std::string>() + ": friction " +
                             number(material["friction"]) + ", viscous " +
                             number(material["viscous"]) + " N s/m, restitution " +
                             number(material["restitution"]));
    }
    for (const auto& [key, value] : scene["parameters"].items())
        line("parameter", key + " = " + number(value));
    line("seed", scene["seed"].dump());
    line("forces", listed(scene["forces"]));
    line("contact model",
         scene["model"].get<std::string>() + ", solver " + scene["solver"].get<std::string>());
    line("step", number(scene["h"]) + " s, " + scene["integrator"].get<std::string>() +
                     ", stabilisation " + scene["stabilisation"].get<std::string>());
    line("narrowphase", scene["narrowphase"].get<std::string>());
    line("duration", number(scene["duration"]) + " s");
    line("at the start", scene["initial_contacts"].dump() + " contacts, deepest penetration " +
                             number(scene["initial_penetration"]) + " m");
}

int check(const CheckOptions& options) {
    if (!options.json.empty() && options.json != "-") check_writable(options.json);
    const Scene loaded = load(options.scene);
    check_distinct({options.json}, loaded.files);
    const Json scene = describe(loaded);
    end_by_itself();
    const std::string text = scene.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (options.json.empty()) {
        print(scene);
    } else if (options.json == "-") {
        write_standard_output(text);
    } else {
        write_file(options.json, text);
    }
    return kExitDone;
}

}  // namespace

Command add_check_command(CLI::App& app) {
    CLI::App* command = add_command(app, "check", "Validate a scene and print what it contains",
                                    "  stiction check grasp\n"
                                    "  stiction check my.yaml --set boxes=20 --json -");
    auto options = std::make_shared<CheckOptions>();
    add_scene_options(*command, options->scene);
    command->add_option("--json", options->json, "Write it as JSON instead; - is standard output")
        ->type_name("FILE");
    return {command, [options] { return check(*options); }};
}

}  // namespace stiction
