// contact_model.cpp - contact models and solvers by their user-visible names.
#include "contact/contact_model.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {
namespace {

std::size_t index_of(std::string_view found, std::span<const std::string_view> names,
                     const std::string& what) {
    const auto it = std::find(names.begin(), names.end(), found);
    if (it != names.end()) return static_cast<std::size_t>(it - names.begin());
    if (found == "first_order" && what == "solver of max_dissipation")
        throw InputError("solver 'first_order' of max_dissipation is gone; take 'prox_newton'");
    std::string message = "unknown " + what + " '" + std::string(found) + "'; expected one of:";
    for (const std::string_view name : names) message += " " + std::string(name);
    const std::string hint = suggestion(found, {names.begin(), names.end()});
    throw InputError(hint.find("did you mean") != std::string::npos ? message + hint : message);
}

std::span<const std::string_view> names_of(const Viscous&) { return kViscousSolverNames; }
std::span<const std::string_view> names_of(const FrictionBox&) { return kFrictionBoxSolverNames; }
std::span<const std::string_view> names_of(const NoSlip&) { return kNoSlipSolverNames; }
std::span<const std::string_view> names_of(const CoulombLcp&) { return kCoulombLcpSolverNames; }
std::span<const std::string_view> names_of(const MaxDissipation&) {
    return kMaxDissipationSolverNames;
}
std::span<const std::string_view> names_of(const CoulombCone&) { return kCoulombConeSolverNames; }

// The alternative of the variant with this index, with its default settings.
template <std::size_t I = 0>
ContactModel alternative(std::size_t index) {
    if constexpr (I + 1 < std::variant_size_v<ContactModel>) {
        if (index != I) return alternative<I + 1>(index);
    }
    return ContactModel(std::in_place_index<I>);
}

}  // namespace

ContactModel make_contact_model(std::string_view model_name) {
    return alternative(index_of(model_name, kContactModelNames, "model"));
}

ContactModel make_contact_model(std::string_view model_name, const ContactModel& like) {
    ContactModel model = make_contact_model(model_name);
    if (model.index() == like.index()) return like;
    const ContactModel defaults = alternative(like.index());
    const auto tolerance = [](const ContactModel& m) {
        return std::visit([](const auto& x) { return x.tolerance; }, m);
    };
    if (tolerance(like) != tolerance(defaults))
        std::visit([&](auto& m) { m.tolerance = tolerance(like); }, model);
    return model;
}

void set_solver(ContactModel& model, std::string_view solver_name) {
    std::visit(
        [&](auto& m) {
            const std::string what = "solver of " + std::string(name(model));
            m.solver = static_cast<decltype(m.solver)>(index_of(solver_name, names_of(m), what));
        },
        model);
}

std::string_view solver_name(const ContactModel& model) {
    return std::visit([](const auto& m) { return names_of(m)[static_cast<std::size_t>(m.solver)]; },
                      model);
}

std::span<const std::string_view> solver_names(const ContactModel& model) {
    return std::visit([](const auto& m) { return names_of(m); }, model);
}

}  // namespace stiction
