// microscope.cpp - finds contacts again and puts them into their own frame.
#include "view/microscope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "problem/contact_problem.h"

namespace stiction {

namespace {

constexpr std::size_t kMostRows = 2000;  // pictures of half a minute and more
constexpr int kCircle = 48;              // corners that look round

int nearest(const Snapshot& snapshot, const ContactAnchor& anchor, double reach) {
    if (at(anchor.body_a) >= snapshot.state.pose.size()) return kNone;
    const Vec3 point =
        anchor.wanted.value_or(snapshot.state.pose[at(anchor.body_a)] * anchor.point_A);
    int found = kNone;
    double least = reach;
    for (std::size_t i = 0; i < snapshot.contacts.size(); ++i) {
        const ShownContact& c = snapshot.contacts[i];
        const bool same = c.body_a == anchor.body_a && c.body_b == anchor.body_b;
        if (!same && !(c.body_a == anchor.body_b && c.body_b == anchor.body_a)) continue;
        const double distance = (c.point - point).norm();
        if (distance > least) continue;
        least = distance;
        found = static_cast<int>(i);
    }
    return found;
}

// Bound of friction along a direction, in parts of mu times the normal force.
double reach_along(const FrictionSet& set, const Eigen::Vector2d& direction) {
    if (set.kind == FrictionSetKind::kBox) return 1 / direction.cwiseAbs().maxCoeff();
    if (set.kind != FrictionSetKind::kPolygon) return 1;
    const double part = 2 * std::numbers::pi / set.sides;  // corners are at multiples of it
    const double angle = std::atan2(direction.y(), direction.x());
    const double from_corner = angle - part * std::floor(angle / part);
    return std::cos(part / 2) / std::cos(from_corner - part / 2);
}

}  // namespace

void ContactAnchor::follow(const Snapshot& snapshot, double reach, Highlight& selection) {
    if (selection.contact != index) {  // chosen by someone
        let_go();
        const auto i = at(selection.contact);
        if (selection.contact == kNone || i >= snapshot.contacts.size()) return;
        const ShownContact& c = snapshot.contacts[i];
        body_a = c.body_a;
        body_b = c.body_b;
        point_A = snapshot.state.pose[at(body_a)].inverse() * c.point;
        index = selection.contact;
        return;
    }
    if (!held()) return;
    index = selection.contact = nearest(snapshot, *this, reach);
    if (index == kNone) return;
    wanted.reset();
    body_a = snapshot.contacts[at(index)].body_a;
    body_b = snapshot.contacts[at(index)].body_b;
    point_A = snapshot.state.pose[at(body_a)].inverse() * snapshot.contacts[at(index)].point;
}

void ContactAnchor::want(int body, int other, const Vec3& point) {
    *this = {body, other, Vec3::Zero(), point, kNone};
}

ContactView look_at_contact(const ShownContact& contact, const FrictionSet& set) {
    Vec3 s, t;
    tangents(contact.normal, s, t);
    ContactView view;
    view.normal = contact.normal_force.dot(contact.normal);
    view.friction = {contact.friction_force.dot(s), contact.friction_force.dot(t)};
    view.slip = {contact.slip.dot(s), contact.slip.dot(t)};
    view.bound = contact.mu_c * std::max(view.normal, 0.0);
    const double size = view.friction.norm();
    if (set.kind == FrictionSetKind::kUnbounded || !(view.bound > 0)) {
        view.ratio = std::numeric_limits<double>::quiet_NaN();
    } else {
        view.ratio = size > 0 ? size / (view.bound * reach_along(set, view.friction / size)) : 0;
    }
    return view;
}

std::vector<Eigen::Vector2d> friction_outline(const FrictionSet& set) {
    std::vector<Eigen::Vector2d> corners;
    if (set.kind == FrictionSetKind::kUnbounded) return corners;
    if (set.kind == FrictionSetKind::kBox) return {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const int count = set.kind == FrictionSetKind::kCone ? kCircle : set.sides;
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * std::numbers::pi * i / count;
        corners.emplace_back(std::cos(angle), std::sin(angle));
    }
    return corners;
}

LawText law_of(std::string_view model) {
    if (model == "viscous")
        return {
            "Friction brakes in proportion to the sliding velocity, as oil does. It has no "
            "bound, and nothing ever sticks.",
            "f_t = -\xCE\xBC_v u_t"};
    if (model == "no_slip")
        return {"What presses does not slide, however large the friction that takes.",
                "u_t = 0 where f_n > 0"};
    if (model == "coulomb_lcp")
        return {
            "Coulomb's law with a polygon for the circle: friction reaches its edge where it "
            "slides, and works against the sliding as well as a corner can.",
            "f_t in \xCE\xBC f_n P, f_t \xC2\xB7 u_t least"};
    if (model == "max_dissipation")
        return {"Inside the cone, friction takes as much energy as it can.",
                "|f_t| <= \xCE\xBC f_n, v\xC2\xB7Mv least"};
    if (model == "friction_box")
        return {
            "Two bounds, one per tangent, from the normal force of the step before: friction "
            "may be 41 % too strong along the diagonal.",
            "|f_s| <= \xCE\xBC f_n', |f_t| <= \xCE\xBC f_n'"};
    if (model == "coulomb_cone")
        return {
            "Coulomb's law: what sticks stays inside the cone; what slides is on its surface, "
            "against the sliding.",
            "|f_t| <= \xCE\xBC f_n; sliding: f_t = -\xCE\xBC f_n u_t/|u_t|"};
    return {"No step was taken yet.", ""};
}

void ContactHistory::add(const Snapshot& snapshot, int contact) {
    const std::int64_t step = snapshot.state.step;
    while (!rows_.empty() && rows_.back().step > step) rows_.pop_back();
    if (!rows_.empty() && rows_.back().step == step) return;  // it went back to what is known
    Row row;
    row.step = step;
    row.t = snapshot.state.time;
    if (contact != kNone && at(contact) < snapshot.contacts.size()) {
        const ShownContact& c = snapshot.contacts[at(contact)];
        row.normal = c.normal_force.norm();
        row.friction = c.friction_force.norm();
        row.slip = c.slip.norm();
    }
    rows_.push_back(row);
    if (rows_.size() > kMostRows) rows_.pop_front();
}

}  // namespace stiction
