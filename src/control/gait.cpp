// gait.cpp - paths of the feet and the inverse kinematics of a leg.
#include "control/gait.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {

namespace {

// Of the leg's length that is used at most: fully stretched the knee's angle has no rate.
constexpr double kStretch = 0.9999;

// Part of a period by which each leg is late: front left, front right, rear left, rear right.
constexpr std::array<double, 4> kTrotOffsets = {0, 0.5, 0.5, 0};
constexpr std::array<double, 4> kWalkOffsets = {0, 0.5, 0.75, 0.25};

double offset_of(double walk, std::size_t i) {
    return kTrotOffsets[i % 4] + walk * (kWalkOffsets[i % 4] - kTrotOffsets[i % 4]);
}

Mat3 about_x(double angle) { return Eigen::AngleAxisd(angle, Vec3::UnitX()).toRotationMatrix(); }

// Under the pitch joint, `height` below the hips.
Vec3 resting_foot(const Gait& gait, const Leg& leg) {
    const double side = leg.hip.y() >= 0 ? 1 : -1;
    return leg.hip + Vec3(leg.to_pitch.x(), leg.to_pitch.y() + side * gait.spread, -gait.height);
}

}  // namespace

Vec3 foot_position(const Leg& leg, const Vec3& angles) {
    const double a = angles[1];
    const double b = angles[1] + angles[2];
    // Turning by +angle about y takes -z towards -x.
    const Vec3 thigh = leg.thigh * Vec3(-std::sin(a), 0, -std::cos(a));
    const Vec3 shank = leg.shank * Vec3(-std::sin(b), 0, -std::cos(b));
    return leg.hip + about_x(angles[0]) * (leg.to_pitch + thigh + shank);
}

Vec3 leg_angles(const Leg& leg, const Vec3& p) {
    // Roll: in the plane across x the leg is an L of to_pitch.y and what hangs from it.
    const Vec3 d = p - leg.hip;
    const double aside = leg.to_pitch.y();
    const double reach = std::hypot(d.y(), d.z());
    const double hang = std::sqrt(std::max(reach * reach - aside * aside, 1e-12));
    const double roll = std::atan2(d.z(), d.y()) - std::atan2(-hang, aside);
    // Pitch and knee: two links in the plane of the leg.
    const double x = d.x() - leg.to_pitch.x();
    const double z = -hang - leg.to_pitch.z();
    const double most = kStretch * (leg.thigh + leg.shank);
    const double least = std::abs(leg.thigh - leg.shank) + (1 - kStretch) * leg.thigh;
    const double r = std::clamp(std::hypot(x, z), least, most);
    const double cosine =
        (r * r - leg.thigh * leg.thigh - leg.shank * leg.shank) / (2 * leg.thigh * leg.shank);
    const double bend = std::acos(std::clamp(cosine, -1.0, 1.0));
    const double knee = leg.knee_forward ? bend : -bend;
    const double to_foot = std::atan2(-x, -z);
    const double inner =
        std::atan2(leg.shank * std::sin(knee), leg.thigh + leg.shank * std::cos(knee));
    return {std::remainder(roll, 2 * std::numbers::pi), to_foot - inner, knee};
}

Vec3 foot_target(const Gait& gait, std::size_t i, double time) {
    const Leg& leg = gait.legs[i];
    Vec3 foot = resting_foot(gait, leg);
    if (time <= gait.start) return foot;
    const double whole =
        (time - gait.start) / gait.period + gait.phase + 1 - offset_of(gait.walk, i);
    const double phase = whole - std::floor(whole);
    const double gain = std::min(1.0, (time - gait.start) / gait.period);
    // Where the ground under the foot goes in the body's frame, over one stance.
    const Vec3 body(gait.velocity.x() - gait.turn * foot.y(),
                    gait.velocity.y() + gait.turn * foot.x(), 0);
    const Vec3 stride = gain * gait.stance * gait.period * body;
    if (phase < gait.stance) return foot + (0.5 - phase / gait.stance) * stride;
    const double swing = (phase - gait.stance) / (1 - gait.stance);
    // Smooth from end to start, at rest at both.
    const double part = swing - std::sin(2 * std::numbers::pi * swing) / (2 * std::numbers::pi);
    foot += (part - 0.5) * stride;
    foot.z() += gain * gait.lift * std::sin(std::numbers::pi * swing);
    return foot;
}

void set_gait_targets(const Gait& gait, double time, std::vector<double>& targets) {
    for (std::size_t i = 0; i < gait.legs.size(); ++i) {
        const Leg& leg = gait.legs[i];
        const Vec3 angles = leg_angles(leg, foot_target(gait, i, time));
        for (int k = 0; k < 3; ++k) targets[at(leg.joint[at(k)])] = angles[k];
    }
}

}  // namespace stiction
