// solver_names.h - which solvers serve a contact model, by their user-visible names, for those who
// list or match them.
#pragma once

#include <span>
#include <string_view>

#include "contact/contact_model.h"

namespace stiction {

[[nodiscard]] std::span<const std::string_view> solver_names(const ContactModel& model);

}  // namespace stiction
