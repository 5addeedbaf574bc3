// friction_set.h - the set of forces that a contact model allows, as it is drawn at a contact.
#pragma once

#include <string_view>

#include "contact/contact_model.h"
#include "core/types.h"
#include "draw/picture.h"

namespace stiction {

enum class FrictionSetKind {
    kUnbounded,  // friction has no bound (no_slip), or is no set at all (viscous)
    kCone,       // |f_t| <= mu f_n
    kPolygon,    // the same on a polygon with corners along the model's directions
    kBox,        // |f_s|, |f_t| <= mu f_n each, whatever the other
};

struct FrictionSet {
    FrictionSetKind kind = FrictionSetKind::kUnbounded;
    int sides = 0;  // of the polygon
};

// Of the model that made a step. Settings of it (sides of the polygon) are those of `settings`
// where that is the same model.
[[nodiscard]] FrictionSet friction_set(std::string_view model, const ContactModel& settings);

// In words, for the legend.
[[nodiscard]] std::string_view describe(FrictionSetKind kind, std::string_view model);

// At `point`, open along the unit `normal`, `height` high [m]. Slopes beyond kSteepest are drawn as
// that. Not for kUnbounded.
inline constexpr double kSteepest = 4;
[[nodiscard]] ConeMark friction_mark(const FrictionSet& set, const Vec3& point, const Vec3& normal,
                                     double mu, double height, const Colour& colour);

}  // namespace stiction
