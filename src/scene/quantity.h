// quantity.h - numbers of a running scene by name: what `plots:` of a scene and the window's graphs
// show. A text has words with spaces between:
//
//   body NAME x | y | z | vx | vy | vz | speed | wx | wy | wz | spin
//   joint NAME position | velocity | force | friction | target
//   contact BODY BODY normal | friction | ratio | slip | gap | points
//   step time | iterations | residual | contacts | failures | kinetic | potential | total |
//        momentum | angular | penetration | joint_error
//   stage forces | collide | assemble | solve | integrate | stabilise | record
//
// Of a contact: all points of the two bodies together; forces are sums, ratio is friction over
// normal force, slip the largest, gap the least.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "model/model.h"

namespace stiction {

enum class QuantityOf { kBody, kJoint, kContact, kStep, kStage };

struct Quantity {
    QuantityOf of = QuantityOf::kStep;
    int number = 0;     // which of its kind: place in quantity_words
    int index = kNone;  // body or joint
    int other = kNone;  // second body of a contact

    bool operator==(const Quantity&) const = default;
};

inline constexpr std::array<std::string_view, 11> kBodyNumbers = {
    "x", "y", "z", "vx", "vy", "vz", "speed", "wx", "wy", "wz", "spin"};
inline constexpr std::array<std::string_view, 5> kJointNumbers = {"position", "velocity", "force",
                                                                  "friction", "target"};
inline constexpr std::array<std::string_view, 6> kContactNumbers = {"normal", "friction", "ratio",
                                                                    "slip",   "gap",      "points"};
inline constexpr std::array<std::string_view, 12> kStepNumbers = {
    "time",      "iterations", "residual", "contacts", "failures",    "kinetic",
    "potential", "total",      "momentum", "angular",  "penetration", "joint_error"};
inline constexpr std::array<std::string_view, 7> kStageNumbers = {
    "forces", "collide", "assemble", "solve", "integrate", "stabilise", "record"};

[[nodiscard]] std::span<const std::string_view> quantity_words(QuantityOf of);

// Throws InputError: what was found and what is expected.
[[nodiscard]] Quantity parse_quantity(const std::string& text, const Model& model);
[[nodiscard]] std::string quantity_text(const Quantity& quantity, const Model& model);
[[nodiscard]] std::string_view quantity_unit(const Quantity& quantity, const Model& model);

}  // namespace stiction
