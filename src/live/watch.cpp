// watch.cpp - reads quantities out of states and snapshots.
#include "live/watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "live/shown_contacts.h"
#include "live/shown_joints.h"
#include "step/simulation.h"

namespace stiction {

static_assert(kStageNumbers == kStageNames);

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double of_body(int number, const Pose& pose, const Twist& twist) {
    if (number < 3) return pose.p[number];
    if (number < 6) return twist.v[number - 3];
    if (number == 6) return twist.v.norm();
    return number < 10 ? twist.w[number - 7] : twist.w.norm();
}

double of_joint(const Quantity& q, const Snapshot& snapshot) {
    const auto j = at(q.index);
    if (q.number < 2) {
        if (j >= snapshot.joints.size()) return kUnknown;
        return q.number == 0 ? snapshot.joints[j].position : snapshot.joints[j].velocity;
    }
    if (j >= snapshot.drives.size()) return kUnknown;
    const ShownDrive& drive = snapshot.drives[j];
    if (q.number == 4) return drive.kind == Motor::Kind::kOff ? kUnknown : drive.target;
    return q.number == 2 ? drive.force : drive.friction;
}

// All points of the two bodies together.
double of_contact(const Quantity& q, const Snapshot& snapshot) {
    Vec3 friction = Vec3::Zero();
    double normal = 0, slip = 0, gap = std::numeric_limits<double>::infinity();
    int points = 0;
    for (const ShownContact& c : snapshot.contacts) {
        const bool same = c.body_a == q.index && c.body_b == q.other;
        if (!same && !(c.body_a == q.other && c.body_b == q.index)) continue;
        ++points;
        normal += c.normal_force.norm();
        friction += c.friction_force * (same ? 1 : -1);
        slip = std::max(slip, c.slip.norm());
        gap = std::min(gap, c.gap);
    }
    switch (q.number) {
        case 0:
            return normal;
        case 1:
            return friction.norm();
        case 2:
            return normal > 0 ? friction.norm() / normal : kUnknown;
        case 3:
            return points > 0 ? slip : kUnknown;
        case 4:
            return points > 0 ? gap : kUnknown;
        default:
            return points;
    }
}

double length(const std::array<double, 3>& a) { return std::hypot(a[0], a[1], a[2]); }

double of_step(int number, const Snapshot& snapshot) {
    const StepRecord& r = snapshot.record;
    const bool solved = snapshot.stepped && !snapshot.recorded;
    switch (number) {
        case 0:
            return solved ? r.step_seconds : kUnknown;
        case 1:
            return solved ? r.iterations : kUnknown;
        case 2:
            return solved ? r.residual : kUnknown;
        case 3:
            return r.contacts;
        case 4:
            return solved ? r.failures : kUnknown;
        case 5:
            return r.kinetic;
        case 6:
            return r.potential;
        case 7:
            return r.total();
        case 8:
            return length(r.momentum);
        case 9:
            return length(r.angular);
        case 10:
            return r.penetration;
        default:
            return solved ? r.joint_error : kUnknown;
    }
}

}  // namespace

double value_of(const Quantity& q, const Model& /*model*/, const Snapshot& snapshot) {
    switch (q.of) {
        case QuantityOf::kBody:
            return of_body(q.number, snapshot.state.pose[at(q.index)],
                           snapshot.state.twist[at(q.index)]);
        case QuantityOf::kJoint:
            return of_joint(q, snapshot);
        case QuantityOf::kContact:
            return snapshot.stepped || snapshot.recorded ? of_contact(q, snapshot) : kUnknown;
        case QuantityOf::kStep:
            return of_step(q.number, snapshot);
        case QuantityOf::kStage:
            break;
    }
    return snapshot.stepped && !snapshot.recorded ? snapshot.record.seconds[at(q.number)]
                                                  : kUnknown;
}

double value_of(const Quantity& q, const Model& model, const State& state) {
    if (q.of == QuantityOf::kBody)
        return of_body(q.number, state.pose[at(q.index)], state.twist[at(q.index)]);
    if (q.of != QuantityOf::kJoint || q.number > 1) return kUnknown;
    const JointCoordinate joint = joint_coordinate(state, model.joints[at(q.index)]);
    return q.number == 0 ? joint.position : joint.velocity;
}

void Watch::set(std::vector<Quantity> quantities, std::int64_t serial) {
    quantities_ = std::move(quantities);
    serial_ = serial;
}

bool Watch::any(QuantityOf of) const {
    return std::any_of(quantities_.begin(), quantities_.end(),
                       [of](const Quantity& q) { return q.of == of; });
}

void Watch::sample(const Simulation& sim, const StepRecord& record, StepSample& sample) {
    if (quantities_.empty()) return;
    view_.state = sim.state;
    view_.stepped = true;
    view_.record = record;
    if (any(QuantityOf::kJoint)) {
        view_.joints.clear();
        for (const Joint& joint : sim.model.joints)
            view_.joints.push_back(joint_coordinate(sim.state, joint));
        show_drives(sim, view_.drives);
    }
    if (any(QuantityOf::kContact)) show_contacts(sim, view_.quality, view_.contacts);
    this->sample(sim.model, view_, sample);
}

void Watch::sample(const Model& model, const Snapshot& snapshot, StepSample& sample) const {
    sample.watch = serial_;
    for (const Quantity& q : quantities_) sample.values.push_back(value_of(q, model, snapshot));
}

void Watch::sample(const Model& model, const State& state, StepSample& sample) const {
    sample.watch = serial_;
    for (const Quantity& q : quantities_) sample.values.push_back(value_of(q, model, state));
}

}  // namespace stiction
