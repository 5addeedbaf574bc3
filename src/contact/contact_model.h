// contact_model.h - the contact models a user can choose, as data. The set is closed, so a variant
// does. A new model is one file pair, one alternative here, one name, one test, one scene.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "contact/models/coulomb_cone.h"
#include "contact/models/coulomb_lcp.h"
#include "contact/models/friction_box.h"
#include "contact/models/max_dissipation.h"
#include "contact/models/no_slip.h"
#include "contact/models/viscous.h"

namespace stiction {

using ContactModel =
    std::variant<Viscous, NoSlip, CoulombLcp, MaxDissipation, FrictionBox, CoulombCone>;

inline constexpr std::array<std::string_view, std::variant_size_v<ContactModel>>
    kContactModelNames = {"viscous",         "no_slip",      "coulomb_lcp",
                          "max_dissipation", "friction_box", "coulomb_cone"};

[[nodiscard]] constexpr std::string_view name(const ContactModel& model) {
    return kContactModelNames[model.index()];
}

// The solver the settings ask for ("auto" included), by its user-visible name.
[[nodiscard]] std::string_view solver_name(const ContactModel& model);

// All solvers that serve the model, by the same names.
[[nodiscard]] std::span<const std::string_view> solver_names(const ContactModel& model);

// A model by name with default settings, and its solver by name. Throw InputError that lists the
// valid names.
[[nodiscard]] ContactModel make_contact_model(std::string_view model_name);
// The same with the tolerance of `like` if that is not its own default: who asked for one asked it of
// the answer, not of one law. `like` itself if it is that model.
[[nodiscard]] ContactModel make_contact_model(std::string_view model_name,
                                              const ContactModel& like);
void set_solver(ContactModel& model, std::string_view solver_name);

}  // namespace stiction
