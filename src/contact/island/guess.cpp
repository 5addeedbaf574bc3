// guess.cpp - matches last step's contacts with this step's.
#include "contact/island/guess.h"

namespace stiction {

void match(const Guess& guess, const ContactProblem& problem, ContactGuess& matched) {
    const bool multipliers = guess.multipliers.size() == guess.keys.size();
    matched.bits.assign(problem.contacts.size(), kNoGuess);
    matched.impulses.assign(problem.contacts.size(), Vec3::Zero());
    matched.multipliers.assign(multipliers ? problem.contacts.size() : 0, Eigen::Vector2d::Zero());
    std::size_t old = 0;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
        const ContactKey& wanted = problem.contacts[i].key;
        while (old < guess.keys.size() && guess.keys[old] < wanted) ++old;
        if (old == guess.keys.size() || !(guess.keys[old] == wanted)) continue;
        matched.bits[i] = guess.contacts[old];
        if (old < guess.impulses.size()) matched.impulses[i] = guess.impulses[old];
        if (multipliers) matched.multipliers[i] = guess.multipliers[old];
    }
}

}  // namespace stiction
