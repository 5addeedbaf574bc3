// sources.cpp - files, includes and parameters of a scene.
#include "scene/sources.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {
namespace {

constexpr std::int64_t kVersion = 1;

void check_version(const Node& root) {
    const std::optional<Node> version = root.find("version");
    if (!version) root.fail("key 'version' is missing; expected 'version: 1' as the first key");
    if (root.key(0) != "version") version->fail("must be the first key of the file");
    if (version->number() != static_cast<double>(kVersion)) {
        version->fail("unsupported version '" + version->text() + "'; expected 1");
    }
}

class Includer {
  public:
    explicit Includer(Sources& sources) : sources_(sources) {}

    void read(const std::string& path) {
        Document document = read_document(path);
        std::error_code error;
        open_.push_back(std::filesystem::weakly_canonical(path, error).string());
        seen_.push_back(open_.back());
        if (seen_.size() > kMaxFiles) {
            throw InputError(path + ": more than " + std::to_string(kMaxFiles) +
                             " files in one scene");
        }
        const Scope nothing;
        ReadBudget budget;
        const Node root(document, budget, nothing);
        check_version(root);
        if (const std::optional<Node> include = root.find("include")) {
            if (include->is_list()) {
                for (std::size_t i = 0; i < include->size(); ++i) read_included((*include)[i]);
            } else {
                read_included(*include);
            }
        }
        sources_.push_back(std::move(document));
        open_.pop_back();
    }

  private:
    void read_included(const Node& entry) {
        const std::filesystem::path folder =
            std::filesystem::path(entry.document().path).parent_path();
        const std::string path = (folder / entry.text()).lexically_normal().string();
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error)) {
            entry.fail("'" + entry.text() + "' is not a file (looked for " + path +
                       "); expected a path relative to this file");
        }
        const std::string identity = std::filesystem::weakly_canonical(path, error).string();
        if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
            entry.fail("'" + entry.text() + "' includes itself, directly or through other files");
        }
        if (std::find(seen_.begin(), seen_.end(), identity) == seen_.end()) read(path);
    }

    Sources& sources_;
    std::vector<std::string> open_;  // being read now: the chain of includes
    std::vector<std::string> seen_;
};

struct Parameter {
    std::string name;
    Node entry;  // its default, or the map that describes it
};

void declare(const Node& parameters, std::vector<Parameter>& all) {
    parameters.expect_map();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string& name = parameters.key(i);
        if (!is_free_name(name)) {
            parameters.fail_at_key(i, "'" + name +
                                          "' cannot name a parameter; expected letters, digits and "
                                          "'_', and no function, constant or index");
        }
        const auto earlier = std::find_if(all.begin(), all.end(),
                                          [&](const Parameter& p) { return p.name == name; });
        if (earlier != all.end()) {
            earlier->entry = parameters[i];
        } else {
            all.push_back({name, parameters[i]});
        }
        if (all.size() > kMaxParameters) {
            parameters.fail_at_key(i,
                                   "more than " + std::to_string(kMaxParameters) + " parameters");
        }
    }
}

// The default goes through Node, so it complains with its place; an override has no place but its
// option.
double value_of(const Parameter& parameter, const Scope& scope, const std::string* override_text) {
    const Node entry = parameter.entry.in(scope);
    Range range;
    bool integer = false;
    if (entry.is_map()) {
        entry.only({"default", "min", "max", "integer", "description"});
        range.min = entry.number("min", range.min);
        range.max = entry.number("max", range.max);
        if (const auto node = entry.find("integer")) integer = node->boolean();
        if (const auto node = entry.find("description")) (void)node->text();
    }
    const Node fallback = entry.is_map() ? entry.at("default") : entry;
    const double otherwise = fallback.number(range);
    if (integer && otherwise != std::floor(otherwise)) fallback.fail("must be a whole number");
    if (override_text == nullptr) return otherwise;

    Document option{"--set " + parameter.name, {}};
    option.root.kind = Value::Kind::kScalar;
    option.root.text = *override_text;
    ReadBudget budget;
    const Node node(option, budget, scope);
    try {
        const double value = node.number(range);
        if (integer && value != std::floor(value)) {
            node.fail("must be a whole number, got '" + *override_text + "'");
        }
        return value;
    } catch (const InputError& error) {
        const std::string place = node.place();  // "--set name:1:1": the numbers mean nothing here
        throw InputError(option.path + std::string(error.what()).substr(place.size()));
    }
}

}  // namespace

Sources read_sources(const std::string& path) {
    Sources sources;
    Includer(sources).read(path);
    return sources;
}

Scope read_parameters(const Sources& sources, ReadBudget& budget, const SceneOverrides& overrides) {
    const Scope nothing;
    std::vector<Parameter> all;
    for (const Document& document : sources) {
        const Node root(document, budget, nothing);
        if (const auto parameters = root.find("parameters")) declare(*parameters, all);
    }
    std::vector<std::string_view> names;
    for (const Parameter& parameter : all) names.push_back(parameter.name);
    for (const auto& [name, text] : overrides.parameters) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            throw InputError("--set " + name + ": the scene has no parameter '" + name + "'" +
                             suggestion(name, names));
        }
    }
    Scope scope;
    for (const Parameter& parameter : all) {
        const std::string* override_text = nullptr;
        for (const auto& [name, text] : overrides.parameters) {
            if (name == parameter.name) override_text = &text;
        }
        const double value = value_of(parameter, scope, override_text);
        scope.values.emplace_back(parameter.name, value);
    }
    return scope;
}

}  // namespace stiction
