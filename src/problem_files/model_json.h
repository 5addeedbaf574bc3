// model_json.h - a contact model with all its settings as JSON text, and back. Keys are those of
// a scene's `contact`.
#pragma once

#include <string>

#include "contact/contact_model.h"

namespace stiction {

[[nodiscard]] std::string model_json(const ContactModel& model);

// Throws InputError: no JSON, an unknown key, a value out of its range.
[[nodiscard]] ContactModel parse_model_json(const std::string& text);

}  // namespace stiction
