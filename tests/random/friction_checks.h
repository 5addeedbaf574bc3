// friction_checks.h - how far the friction of one contact is from the law of a model, as a velocity
// [m/s]. Written down from the equations of the models, apart from what the solvers use.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "contact/contact_model.h"
#include "core/types.h"

namespace stiction {

// A contact as the laws see it.
struct ContactAnswer {
    Vec3 c = Vec3::Zero();       // impulse (n, s, t) [N s]
    Vec3 u = Vec3::Zero();       // velocity at the end of the step, bias included [m/s]
    double weight = 1;           // [1/kg]
    double mu = 0;               // Coulomb
    double drag = 0;             // h mu_v where viscous friction acts [kg]
    bool touching = false;       // problem/contact_problem.h
    std::optional<double> last;  // normal impulse of the last step; none: a new contact [N s]
    double leeway = 0;           // tangential velocity that no_slip leaves by design [m/s]
    // Friction along s and t beyond which no_slip lets go [N s].
    double most = std::numeric_limits<double>::infinity();
    bool at_most = false;  // another contact exerts that in place of this one
};

// Nearest point of the cone { |y_T| <= mu y_n }, and of the one over a polygon of `sides` corners.
[[nodiscard]] Vec3 nearest_in_cone(double mu, const Vec3& y);
[[nodiscard]] Vec3 nearest_in_polygon_cone(double mu, int sides, const Vec3& y);

// |x - P(x - d)| with d = u + (mu sigma(u_T), 0, 0), P the projection on |c_T| <= mu c_n, and the
// same where the disc is a polygon of `sides` corners.
[[nodiscard]] double cone_error(const ContactAnswer& contact);
[[nodiscard]] double polygon_error(const ContactAnswer& contact, int sides);
// The same for the impulse itself instead of x: the `natural` residual of coulomb_cone.
[[nodiscard]] double natural_cone_error(const ContactAnswer& contact);

[[nodiscard]] double friction_error(const Viscous& model, const ContactAnswer& contact);
[[nodiscard]] double friction_error(const NoSlip& model, const ContactAnswer& contact);
[[nodiscard]] double friction_error(const CoulombLcp& model, const ContactAnswer& contact);
[[nodiscard]] double friction_error(const FrictionBox& model, const ContactAnswer& contact);
[[nodiscard]] double friction_error(const CoulombCone& model, const ContactAnswer& contact);
// max_dissipation: the cone alone, with `drag` times the free tangential speed as its offset, which
// the caller has put into `leeway` as an impulse [N s].
[[nodiscard]] double friction_error(const MaxDissipation& model, const ContactAnswer& contact);

}  // namespace stiction
