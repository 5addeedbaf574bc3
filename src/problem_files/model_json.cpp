// model_json.cpp - settings of contact models, key by key.
#include "problem_files/model_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace {

using SettingsJson = nlohmann::ordered_json;

constexpr int kMostSides = 64;  // as in scenes

// Both ways through one list of keys per model: a SettingsWriter or a SettingsReader goes over it.
struct SettingsWriter {
    SettingsJson& json;

    void number(const char* key, const double& x, bool /*zero*/) const { json[key] = x; }
    void count(const char* key, const int& x) const { json[key] = x; }
    void flag(const char* key, const bool& x) const { json[key] = x; }
    void sides(const int& x) const { json["sides"] = x; }
    template <class Enum>
    void choice(const char* key, const Enum& x, std::span<const std::string_view> names) const {
        json[key] = names[static_cast<std::size_t>(x)];
    }
};

class SettingsReader {
  public:
    explicit SettingsReader(const SettingsJson& json) : json_(json) {}

    void number(const char* key, double& x, bool zero) {
        if (!has(key)) return;
        x = json_[key].is_number() ? json_[key].get<double>() : NAN;
        if (!std::isfinite(x) || x < 0 || (x == 0 && !zero))
            throw InputError(std::string(key) + ": expected a number " + (zero ? ">= 0" : "> 0"));
    }
    void count(const char* key, int& x) {
        if (!has(key)) return;
        if (!json_[key].is_number_integer() || json_[key].get<std::int64_t>() < 0 ||
            json_[key].get<std::int64_t>() > std::numeric_limits<int>::max())
            throw InputError(std::string(key) + ": expected a whole number >= 0");
        x = json_[key].get<int>();
    }
    void flag(const char* key, bool& x) {
        if (!has(key)) return;
        if (!json_[key].is_boolean())
            throw InputError(std::string(key) + ": expected true or false");
        x = json_[key].get<bool>();
    }
    void sides(int& x) {
        count("sides", x);
        if (x < 4 || x > kMostSides || x % 2 != 0)
            throw InputError("sides: expected an even number from 4 to " +
                             std::to_string(kMostSides));
    }
    template <class Enum>
    void choice(const char* key, Enum& x, std::span<const std::string_view> names) {
        if (!has(key)) return;
        const std::string word = json_[key].is_string() ? json_[key].get<std::string>() : "";
        const auto found = std::find(names.begin(), names.end(), word);
        if (found == names.end())
            throw InputError(std::string(key) + ": unknown name '" + word + "'" +
                             suggestion(word, {names.begin(), names.end()}));
        x = static_cast<Enum>(found - names.begin());
    }
    // Every key must have been asked for.
    void finish() const {
        for (const auto& [key, value] : json_.items()) {
            if (key != "model" && std::find(known_.begin(), known_.end(), key) == known_.end())
                throw InputError("unknown key '" + key + "'" +
                                 suggestion(key, {known_.begin(), known_.end()}));
        }
    }

  private:
    bool has(const char* key) {
        known_.emplace_back(key);
        return json_.contains(key);
    }

    const SettingsJson& json_;
    std::vector<std::string> known_;
};

template <class Visitor, class Model>
void visit_accuracy(Visitor& visitor, Model& model) {
    visitor.number("tolerance", model.tolerance, false);
    visitor.count("max_iterations", model.max_iterations);
}

// `Model` is one of the models, const for the writer.
template <class Visitor, class Model>
void visit_settings(Visitor& visitor, Model& model) {
    using M = std::remove_const_t<Model>;
    if constexpr (std::is_same_v<M, Viscous>) {
        visitor.choice("solver", model.solver, kViscousSolverNames);
        visitor.choice("level", model.level, kViscousLevelNames);
    } else if constexpr (std::is_same_v<M, NoSlip>) {
        visitor.choice("solver", model.solver, kNoSlipSolverNames);
        visitor.flag("release_separating", model.release_separating);
    } else if constexpr (std::is_same_v<M, CoulombLcp>) {
        visitor.choice("solver", model.solver, kCoulombLcpSolverNames);
        visitor.choice("variant", model.variant, kCoulombLcpVariantNames);
        visitor.sides(model.sides);
    } else if constexpr (std::is_same_v<M, MaxDissipation>) {
        visitor.choice("solver", model.solver, kMaxDissipationSolverNames);
        visitor.choice("phase_one", model.phase_one, kPhaseOneSolverNames);
        visitor.choice("form", model.form, kDissipationFormNames);
    } else if constexpr (std::is_same_v<M, FrictionBox>) {
        visitor.choice("solver", model.solver, kFrictionBoxSolverNames);
        visitor.number("cfm", model.cfm, true);
        visitor.count("k_pgs", model.k_pgs);
        visitor.count("k_sm", model.k_sm);
    } else {
        static_assert(std::is_same_v<M, CoulombCone>);
        visitor.choice("solver", model.solver, kCoulombConeSolverNames);
    }
    visit_accuracy(visitor, model);
}

}  // namespace

std::string model_json(const ContactModel& model) {
    SettingsJson json = {{"model", name(model)}};
    SettingsWriter writer{json};
    std::visit([&](const auto& m) { visit_settings(writer, m); }, model);
    return json.dump();
}

ContactModel parse_model_json(const std::string& text) {
    const SettingsJson json = SettingsJson::parse(text, nullptr, false);
    if (!json.is_object()) throw InputError("expected the settings of a contact model as JSON");
    const auto model_name = json.find("model");
    if (model_name == json.end() || !model_name->is_string())
        throw InputError("has no key 'model' with a name");
    ContactModel model = make_contact_model(model_name->get<std::string>());
    SettingsReader reader(json);
    std::visit([&](auto& m) { visit_settings(reader, m); }, model);
    reader.finish();
    return model;
}

}  // namespace stiction
