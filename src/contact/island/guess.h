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
    // Per key, of max_dissipation alone (else empty): multipliers of the contact's gap [N s] and of
    // its island's kappa [m/s].
    std::vector<Eigen::Vector2d> multipliers;

    void clear() {
        keys.clear();
        contacts.clear();
        impulses.clear();
        joints.clear();
        joint_impulses.clear();
        bounded_impulses.clear();
        multipliers.clear();
    }
};

// What is known of the contacts of a problem.
struct ContactGuess {
    std::vector<std::uint64_t> bits;           // kNoGuess for new ones
    std::vector<Vec3> impulses;                // 0 for new ones
    std::vector<Eigen::Vector2d> multipliers;  // the same; empty where the guess has none
};

// Both lists are sorted by key: one merge.
void match(const Guess& guess, const ContactProblem& problem, ContactGuess& matched);

}  // namespace stiction
