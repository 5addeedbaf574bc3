// quantity.cpp - names of numbers, read and written.
#include "scene/quantity.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "core/nearest.h"

namespace stiction {

namespace {

constexpr std::array<std::string_view, 5> kKinds = {"body", "joint", "contact", "step", "stage"};

std::string list(std::span<const std::string_view> words) {
    std::string text;
    for (const std::string_view word : words)
        text += (text.empty() ? "" : ", ") + std::string(word);
    return text;
}

std::size_t place_of(std::string_view word, std::span<const std::string_view> words,
                     const std::string& what) {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
        throw InputError("'" + std::string(word) + "' is no " + what + "; expected one of " +
                         list(words));
    return static_cast<std::size_t>(found - words.begin());
}

template <class Items>
int index_of(const std::string& name, const Items& items, const char* what) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].name == name) return static_cast<int>(i);
    }
    throw InputError("there is no " + std::string(what) + " '" + name + "'");
}

}  // namespace

std::span<const std::string_view> quantity_words(QuantityOf of) {
    switch (of) {
        case QuantityOf::kBody:
            return kBodyNumbers;
        case QuantityOf::kJoint:
            return kJointNumbers;
        case QuantityOf::kContact:
            return kContactNumbers;
        case QuantityOf::kStep:
            return kStepNumbers;
        case QuantityOf::kStage:
            break;
    }
    return kStageNumbers;
}

Quantity parse_quantity(const std::string& text, const Model& model) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.empty()) throw InputError("an empty name; expected 'body NAME speed' or the like");
    Quantity quantity;
    quantity.of = static_cast<QuantityOf>(place_of(words[0], kKinds, "kind of number"));
    constexpr std::array<std::size_t, 5> kCounts = {3, 3, 4, 2, 2};
    const std::size_t count = kCounts[static_cast<std::size_t>(quantity.of)];
    if (words.size() != count)
        throw InputError(
            "'" + text + "' has " + std::to_string(words.size()) + " words; expected " +
            std::to_string(count) + ", as in " +
            (count == 4 ? "'contact BODY BODY normal'"
             : count == 3
                 ? "'" + words[0] + " NAME " + std::string(quantity_words(quantity.of)[0]) + "'"
                 : "'" + words[0] + " " + std::string(quantity_words(quantity.of)[0]) + "'"));
    if (quantity.of == QuantityOf::kJoint) {
        quantity.index = index_of(words[1], model.joints, "joint");
    } else if (count > 2) {
        quantity.index = index_of(words[1], model.bodies, "body");
    }
    if (count == 4) quantity.other = index_of(words[2], model.bodies, "body");
    quantity.number = static_cast<int>(
        place_of(words.back(), quantity_words(quantity.of), "number of a " + words[0]));
    return quantity;
}

std::string quantity_text(const Quantity& quantity, const Model& model) {
    std::string text(kKinds[static_cast<std::size_t>(quantity.of)]);
    if (quantity.of == QuantityOf::kJoint) {
        text += " " + model.joints[at(quantity.index)].name;
    } else if (quantity.index != kNone) {
        text += " " + model.bodies[at(quantity.index)].name;
    }
    if (quantity.other != kNone) text += " " + model.bodies[at(quantity.other)].name;
    return text + " " + std::string(quantity_words(quantity.of)[at(quantity.number)]);
}

std::string_view quantity_unit(const Quantity& quantity, const Model& model) {
    const auto number = at(quantity.number);
    switch (quantity.of) {
        case QuantityOf::kBody:
            return number < 3 ? "m" : number < 7 ? "m/s" : "rad/s";
        case QuantityOf::kJoint: {
            const Joint& joint = model.joints[at(quantity.index)];
            const bool turns = joint.kind == JointKind::kRevolute;
            if (number == 0) return turns ? "rad" : "m";
            if (number == 1) return turns ? "rad/s" : "m/s";
            if (number < 4) return turns ? "N m" : "N";
            return joint.motor.kind == Motor::Kind::kVelocity ? (turns ? "rad/s" : "m/s")
                                                              : (turns ? "rad" : "m");
        }
        case QuantityOf::kContact: {
            constexpr std::array<std::string_view, 6> kUnits = {"N", "N", "", "m/s", "m", ""};
            return kUnits[number];
        }
        case QuantityOf::kStep: {
            constexpr std::array<std::string_view, 12> kUnits = {
                "s", "", "", "", "", "J", "J", "J", "N s", "N m s", "m", "m"};
            return kUnits[number];
        }
        case QuantityOf::kStage:
            break;
    }
    return "s";
}

}  // namespace stiction
