// variants.cpp - reads lists of names.
#include "compare/variants.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "contact/contact_model.h"
#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace {

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> words;
    if (list.empty()) return words;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        words.push_back(list.substr(from, comma - from));
        from = comma + 1;
    }
    return words;
}

std::vector<std::string> all_models(const ContactModel& own, bool own_alone) {
    std::vector<std::string> names = {std::string(name(own))};
    if (own_alone) return names;
    for (const std::string_view model : kContactModelNames) {
        if (model != names.front()) names.emplace_back(model);
    }
    return names;
}

bool serves(const std::string& solver, const ContactModel& model) {
    const auto names = solver_names(model);
    return std::find(names.begin(), names.end(), solver) != names.end();
}

std::string listed(const ContactModel& model) {
    std::string text;
    for (const std::string_view solver : solver_names(model)) {
        text += (text.empty() ? "" : ", ") + std::string(solver);
    }
    return text;
}

// A solver of the list that no model has is a misspelt one, or one for other models.
void check_solvers(const std::vector<std::string>& solvers, const std::vector<Variant>& models) {
    std::vector<std::string_view> valid;
    for (const Variant& variant : models) {
        for (const std::string_view solver : solver_names(variant.contact)) {
            if (std::find(valid.begin(), valid.end(), solver) == valid.end()) {
                valid.push_back(solver);
            }
        }
    }
    for (const std::string& solver : solvers) {
        if (std::find(valid.begin(), valid.end(), solver) == valid.end()) {
            const std::string who = models.size() == 1 ? "'" + models.front().label + "' has no"
                                                       : "no model that is compared has a";
            throw InputError("--solvers: " + who + " solver '" + solver + "'" +
                             suggestion(solver, valid));
        }
    }
}

void refuse_twins(const std::vector<Variant>& variants) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (variants[i].label == variants[j].label) {
                throw InputError("'" + variants[i].label + "' is named twice");
            }
        }
    }
}

// The models as named, with the solver where that is named with its model.
std::vector<Variant> named_models(const std::vector<std::string>& words, const ContactModel& own) {
    std::vector<Variant> variants;
    for (const std::string& word : words) {
        const std::size_t colon = word.find(':');
        Variant variant{word, make_contact_model(word.substr(0, colon), own), {}};
        if (colon != std::string::npos) set_solver(variant.contact, word.substr(colon + 1));
        variants.push_back(std::move(variant));
    }
    return variants;
}

// Every variant with each of them, those of one variant one after another.
std::vector<Variant> with_narrowphases(const std::vector<Variant>& variants,
                                       const std::vector<std::string>& narrowphases) {
    std::vector<Variant> all;
    for (const Variant& variant : variants) {
        for (const std::string& word : narrowphases) {
            const auto known = std::find(kNarrowphaseNames.begin(), kNarrowphaseNames.end(), word);
            if (known == kNarrowphaseNames.end()) {
                throw InputError(
                    "--narrowphases: unknown narrowphase '" + word + "'" +
                    suggestion(word, {kNarrowphaseNames.begin(), kNarrowphaseNames.end()}));
            }
            all.push_back({variant.label + "/" + word, variant.contact,
                           static_cast<NarrowphaseKind>(known - kNarrowphaseNames.begin())});
        }
    }
    return all;
}

}  // namespace

void set_tolerance(ContactModel& model, double tolerance) {
    std::visit([&](auto& m) { m.tolerance = tolerance; }, model);
}

std::vector<Variant> make_variants(const VariantOptions& options, const ContactModel& own) {
    if (options.tolerance && !(*options.tolerance > 0 && std::isfinite(*options.tolerance))) {
        throw InputError("--tol: must be a finite number > 0");
    }
    const bool all = options.models.empty();
    const std::vector<std::string> solvers = split(options.solvers);
    const std::vector<std::string> narrowphases = split(options.narrowphases);
    const std::vector<Variant> models =
        named_models(all ? all_models(own, !narrowphases.empty()) : split(options.models), own);
    check_solvers(solvers, models);
    std::vector<Variant> variants;
    for (const Variant& model : models) {
        if (solvers.empty() || model.label.find(':') != std::string::npos) {
            variants.push_back(model);
            continue;
        }
        const std::size_t before = variants.size();
        for (const std::string& solver : solvers) {
            if (!serves(solver, model.contact)) continue;
            variants.push_back({model.label + ":" + solver, model.contact, {}});
            set_solver(variants.back().contact, solver);
        }
        if (variants.size() == before && !all) {
            throw InputError("--solvers: none of them serves " + model.label +
                             ", which has: " + listed(model.contact));
        }
    }
    if (!narrowphases.empty()) variants = with_narrowphases(variants, narrowphases);
    refuse_twins(variants);
    if (options.tolerance) {
        for (Variant& variant : variants) set_tolerance(variant.contact, *options.tolerance);
    }
    return variants;
}

}  // namespace stiction
