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
    std::vector<ContactKey> keys;          // of the last step, in the order of its contacts
    std::vector<std::uint64_t> contacts;   // per key
    std::vector<Vec3> impulses;            // per key, on body A, world axes [N s]
    std::vector<std::uint64_t> joints;     // per joint of the model; kNoGuess where it had no rows
    std::vector<double> joint_impulses;    // per joint row [N s]
    std::vector<double> bounded_impulses;  // per bounded row [N s]

    void clear() {
        keys.clear();
        contacts.clear();
        impulses.clear();
        joints.clear();
        joint_impulses.clear();
        bounded_impulses.clear();
    }
};

// Bits and impulse per contact of `problem` (kNoGuess and 0 for new ones). Both lists are sorted by
// key: one merge.
void match(const Guess& guess, const ContactProblem& problem, std::vector<std::uint64_t>& contacts,
           std::vector<Vec3>& impulses);

}  // namespace stiction
