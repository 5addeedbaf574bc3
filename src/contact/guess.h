// guess.h - warm starts: what each contact and each joint row did in the last step, found again by
// feature.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/contact_problem.h"

namespace stiction {

// Bits mean what the model that wrote them says; a change of model drops them all.
inline constexpr std::uint64_t kNoGuess = ~std::uint64_t{0};

struct Guess {
    std::vector<ContactKey> keys;         // of the last step, in the order of its contacts
    std::vector<std::uint64_t> contacts;  // per key
    std::vector<std::uint64_t> joints;    // per joint of the model; kNoGuess where it had no rows

    void clear() {
        keys.clear();
        contacts.clear();
        joints.clear();
    }
};

// Bits per contact of `problem` (kNoGuess for new ones). Both lists are sorted by key: one merge.
void match(const Guess& guess, const ContactProblem& problem, std::vector<std::uint64_t>& contacts);

}  // namespace stiction
