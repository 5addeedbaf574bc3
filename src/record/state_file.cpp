// state_file.cpp - writes and reads state files.
#include "record/state_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/hash.h"
#include "core/input_file.h"
#include "record/json_whole.h"
#include "record/output_file.h"
#include "record/run_summary.h"
#include "step/simulation.h"

namespace stiction {

namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "stiction state";
constexpr int kDeepestState = 16;        // levels of JSON; state files have five
constexpr double kUnitTolerance = 1e-6;  // of a quaternion's length, as in a trajectory

Json numbers(const Vec3& x) { return {x.x(), x.y(), x.z()}; }
Json numbers(const Quat& q) { return {q.w(), q.x(), q.y(), q.z()}; }

// Over the text of all keys and values but the checksum; keys are sorted, so that layout does not
// matter.
std::string checksum(Json json) {
    json.erase("checksum");
    Hash hash;
    for (const char c : json.dump())
        hash.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return hash_text(hash.value());
}

Json guess_json(const Guess& guess) {
    Json contacts = Json::array();
    for (std::size_t i = 0; i < guess.keys.size(); ++i) {
        const ContactKey& key = guess.keys[i];
        const Vec3& impulse = guess.impulses[i];
        contacts.push_back({key.body_a, key.body_b, key.geom_a, key.geom_b, key.feature,
                            hash_text(guess.contacts[i]), impulse[0], impulse[1], impulse[2]});
    }
    Json joints = Json::array();
    for (const std::uint64_t bits : guess.joints) joints.push_back(hash_text(bits));
    Json json = {{"contacts", contacts},
                 {"joints", joints},
                 {"joint_impulses", guess.joint_impulses},
                 {"bounded_impulses", guess.bounded_impulses}};
    if (guess.multipliers.empty()) return json;
    Json& multipliers = json["multipliers"] = Json::array();
    for (const Eigen::Vector2d& m : guess.multipliers) multipliers.push_back({m[0], m[1]});
    return json;
}

std::uint64_t bits_of(const Json& json) {
    const auto text = json.get<std::string>();
    std::uint64_t bits = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, bits, 16);
    if (result.ec != std::errc{} || result.ptr != end || text.size() != 16) {
        throw InputError("'" + text + "' is not a number of 16 hexadecimal digits");
    }
    return bits;
}

double number(const Json& json, std::size_t i) { return json.at(i).get<double>(); }
Vec3 vector_of(const Json& json) { return {number(json, 0), number(json, 1), number(json, 2)}; }
Quat quaternion_of(const Json& json) {
    return {number(json, 0), number(json, 1), number(json, 2), number(json, 3)};
}

// A device or a pipe may have no end.
std::string read_text(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw InputError(path + ": is not a plain file; expected a state file");
    return read_input_file(path, "a state file", kLargestStateFile);
}

// What is read from it recurses. Up to where a text stops being JSON, quotes are where they seem to be.
void check_levels(std::string_view text, const std::string& path) {
    int level = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') quoted = !quoted;
        if (quoted) {
            i += static_cast<std::size_t>(c == '\\');  // and what it is for
            continue;
        }
        level += static_cast<int>(c == '[' || c == '{') - static_cast<int>(c == ']' || c == '}');
        if (level <= kDeepestState) continue;
        throw InputError(place_in(text, i, path) + ": nested deeper than " +
                         std::to_string(kDeepestState) + " levels; no state file is");
    }
}

Json parse(const std::string& path) {
    const std::string text = read_text(path);
    check_levels(text, path);
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
        throw InputError(place_in(text, offset, path) +
                         ": is not valid JSON; the file is damaged or no state file");
    } catch (const Json::exception& error) {  // a number beyond all limits
        throw InputError(path + ": is damaged or no state file: " + error.what());
    }
}

void check_head(const Json& json, const std::string& scene) {
    if (!json.is_object() || json.value("format", "") != kFormat) {
        throw InputError("is not a state file (format is not '" + std::string(kFormat) + "')");
    }
    const int version = whole_number<int>(json.at("version"));
    if (version < kOldestStateVersion || version > kStateVersion) {
        throw InputError("has version " + std::to_string(version) +
                         "; this program reads versions " + std::to_string(kOldestStateVersion) +
                         " to " + std::to_string(kStateVersion));
    }
    if (json.at("checksum").get<std::string>() != checksum(json)) {
        throw InputError("is damaged: its checksum does not fit its content");
    }
    if (json.at("scene").get<std::string>() != scene) {
        throw InputError("is of scene '" + json.at("scene").get<std::string>() + "', not of '" +
                         scene + "'");
    }
}

// Names must be those of the model, in its order.
template <class Items>
void check_names(const std::string& kind, const Items& items,
                 const std::vector<std::string>& found) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i >= found.size()) {
            throw InputError("has no " + kind + " '" + items[i].name + "', which the scene has");
        }
        if (found[i] != items[i].name) {
            throw InputError("has the " + kind + " '" + found[i] + "' where the scene has '" +
                             items[i].name + "'");
        }
    }
    if (found.size() > items.size()) {
        throw InputError("has a " + kind + " '" + found[items.size()] +
                         "', which the scene has not");
    }
}

State state_of(const Json& json, const Model& model) {
    State state;
    state.time = json.at("time").get<double>();
    state.step = whole_number<std::int64_t>(json.at("step"));
    std::vector<std::string> names;
    for (const Json& body : json.at("bodies")) {
        names.push_back(body.at("name").get<std::string>());
        state.pose.push_back(
            {vector_of(body.at("position")), quaternion_of(body.at("quaternion"))});
        state.twist.push_back(
            {vector_of(body.at("linear_velocity")), vector_of(body.at("angular_velocity"))});
        if (body.contains("principal_spin"))
            state.spin_P.push_back(vector_of(body.at("principal_spin")));
    }
    if (state.spin_P.size() != state.pose.size()) state.spin_P.clear();
    check_names("body", model.bodies, names);
    if (!is_finite(state)) throw InputError("holds a number that is not finite");
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (std::abs(state.pose[i].q.norm() - 1) > kUnitTolerance) {
            throw InputError("the quaternion of body '" + names[i] + "' is not of unit length");
        }
    }
    if (state.step < 0) throw InputError("has a negative number of steps");
    return state;
}

Guess guess_of(const Json& json) {
    Guess guess;
    for (const Json& contact : json.at("contacts")) {
        const auto id = [&](std::size_t i) { return whole_number<int>(contact.at(i)); };
        guess.keys.push_back(
            {id(0), id(1), id(2), id(3), whole_number<std::uint32_t>(contact.at(4))});
        guess.contacts.push_back(bits_of(contact.at(5)));
        guess.impulses.emplace_back(contact.at(6).get<double>(), contact.at(7).get<double>(),
                                    contact.at(8).get<double>());
    }
    guess.joint_impulses = json.at("joint_impulses").get<std::vector<double>>();
    guess.bounded_impulses = json.at("bounded_impulses").get<std::vector<double>>();
    for (const Json& joint : json.at("joints")) guess.joints.push_back(bits_of(joint));
    for (const Json& m : json.value("multipliers", Json::array()))
        guess.multipliers.emplace_back(m.at(0).get<double>(), m.at(1).get<double>());
    return guess;
}

}  // namespace

void save_state(const std::string& path, const std::string& scene, const Simulation& sim) {
    save_state(path, scene, sim.model, sim.state,
               {name(sim.contact_model), name(sim.settings.narrowphase)}, sim.guess);
}

void save_state(const std::string& path, const std::string& scene, const Model& model,
                const State& state, const StateMakers& makers, const Guess& guess) {
    Json bodies = Json::array();
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
        bodies.push_back({{"name", model.bodies[i].name},
                          {"position", numbers(state.pose[i].p)},
                          {"quaternion", numbers(state.pose[i].q)},
                          {"linear_velocity", numbers(state.twist[i].v)},
                          {"angular_velocity", numbers(state.twist[i].w)}});
        if (i < state.spin_P.size()) bodies.back()["principal_spin"] = numbers(state.spin_P[i]);
    }
    std::vector<std::string> joints;
    for (const Joint& joint : model.joints) joints.push_back(joint.name);
    Json json = {{"format", kFormat},
                 {"version", kStateVersion},
                 {"scene", scene},
                 {"time", state.time},
                 {"step", state.step},
                 {"contact_model", makers.contact_model},
                 {"narrowphase", makers.narrowphase},
                 {"bodies", bodies},
                 {"joints", joints},
                 {"guess", guess_json(guess)}};
    json["checksum"] = checksum(json);
    write_file(path, json.dump(1) + "\n");
}

bool load_state(const std::string& path, const std::string& scene, Simulation& sim) {
    const Json json = parse(path);
    try {
        check_head(json, scene);
        State state = state_of(json, sim.model);
        check_names("joint", sim.model.joints, json.at("joints").get<std::vector<std::string>>());
        Guess guess = guess_of(json.at("guess"));
        if (guess.joints.empty()) guess.joints.assign(sim.model.joints.size(), kNoGuess);
        if (guess.joints.size() != sim.model.joints.size())
            throw InputError("has warm starts of another number of joints than the scene");
        // Files of before there was a choice have contacts of the exact one.
        const bool same_makers =
            json.at("contact_model").get<std::string>() == name(sim.contact_model) &&
            json.value("narrowphase", std::string(name(NarrowphaseKind::kExact))) ==
                name(sim.settings.narrowphase);
        sim.state = std::move(state);
        if (same_makers) sim.guess = std::move(guess);
        return same_makers;
    } catch (const InputError& error) {
        throw InputError(path + ": " + error.what());
    } catch (const Json::exception& error) {
        throw InputError(path + ": is damaged or incomplete: " + error.what());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw InputError(path + ": is damaged: " + error.what());
    }
}

}  // namespace stiction
