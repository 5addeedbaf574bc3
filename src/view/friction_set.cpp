// friction_set.cpp - cone, polygon and box as one kind of mark.
#include "view/friction_set.h"

#include <algorithm>
#include <numbers>

#include "problem/contact_problem.h"

namespace stiction {

FrictionSet friction_set(std::string_view model, const ContactModel& settings) {
    if (model == "coulomb_cone" || model == "max_dissipation") return {FrictionSetKind::kCone, 0};
    if (model == "friction_box") return {FrictionSetKind::kBox, 4};
    if (model != "coulomb_lcp") return {};
    const auto* lcp = std::get_if<CoulombLcp>(&settings);
    return {FrictionSetKind::kPolygon, lcp != nullptr ? lcp->sides : CoulombLcp{}.sides};
}

std::string_view describe(FrictionSetKind kind, std::string_view model) {
    switch (kind) {
        case FrictionSetKind::kCone:
            return "friction cone, force inside";
        case FrictionSetKind::kPolygon:
            return "friction polygon, force inside";
        case FrictionSetKind::kBox:
            return "friction box, force inside";
        case FrictionSetKind::kUnbounded:
            break;
    }
    if (model == "no_slip") return "no_slip: friction has no bound";
    if (model == "viscous") return "viscous: friction has no bound";
    return "no friction set yet";
}

ConeMark friction_mark(const FrictionSet& set, const Vec3& point, const Vec3& normal, double mu,
                       double height, const Colour& colour) {
    Vec3 s, t;
    tangents(normal, s, t);
    ConeMark mark;
    mark.apex = point.cast<float>();
    mark.axis = (height * normal).cast<float>();
    mark.slope = static_cast<float>(std::min(mu, kSteepest));
    mark.colour = colour;
    mark.corner = s.cast<float>();  // the polygon has a corner along every direction
    if (set.kind == FrictionSetKind::kPolygon) mark.sides = set.sides;
    if (set.kind == FrictionSetKind::kBox) {
        mark.sides = 4;
        mark.corner = (s + t).normalized().cast<float>();
        mark.slope *= std::numbers::sqrt2_v<float>;
        mark.foot = 1;  // its width is that of the bound, whatever the normal force
    }
    return mark;
}

}  // namespace stiction
